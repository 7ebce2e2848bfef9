"""The closed vocabularies of a corpus (SPEC C-2)."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Segment(models.TextChoices):
    DEVELOPMENT = "development", _("development")
    DIAGNOSTIC = "diagnostic", _("diagnostic")
    GOLD_STANDARD = "gold_standard", _("gold standard")
    HELD_OUT = "held_out", _("held out")


PUBLIC_SEGMENTS = (Segment.DEVELOPMENT, Segment.DIAGNOSTIC)
SECRET_SEGMENTS = (Segment.GOLD_STANDARD, Segment.HELD_OUT)
#: Smallest useful size of a segment, in entries (SPEC C-4).
SEGMENT_MINIMA = {
    Segment.DEVELOPMENT: 30,
    Segment.DIAGNOSTIC: 10,
    Segment.GOLD_STANDARD: 50,
    Segment.HELD_OUT: 10,
}


class Domain(models.TextChoices):
    CONV = "conv", _("conversation")
    ECOMMERCE = "ecommerce", _("e-commerce")
    EDU = "edu", _("education")
    FINANCIAL = "financial", _("finance")
    GOV = "gov", _("government")
    LEGAL = "legal", _("law")
    LITERARY = "literary", _("literature")
    MARKETING = "marketing", _("marketing")
    MEDICAL = "medical", _("medicine")
    NEWS = "news", _("news")
    RELIGIOUS = "religious", _("religion")
    SCIENTIFIC = "scientific", _("science")
    SUBTITLES = "subtitles", _("subtitles")
    SUPPORT = "support", _("support")
    TECH = "tech", _("technology")
    UI = "ui", _("interfaces")


class Difficulty(models.IntegerChoices):
    BASIC = 1, _("basic vocabulary")
    SIMPLE = 2, _("simple sentence")
    MODERATE = 3, _("moderate")
    COMPLEX = 4, _("complex morphology")
    ADVANCED = 5, _("advanced")


#: Cells smaller than this are hidden from whoever may not read the segment (SPEC C-7).
SMALLEST_SHOWN_CELL = 5


def is_secret(segment: str) -> bool:
    """Whether a segment's text is secret (LAW-2)."""
    return segment in SECRET_SEGMENTS
