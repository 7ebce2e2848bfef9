"""The words people read for grades and tags, in the interface language.

Apart from `review.grades`, which stays free of Django. Source: SPEC V-5; §7.1.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from review.grades import Grade, Tag

GRADE_LABELS: dict[Grade, Promise] = {
    Grade.REJECT: _("reject"),
    Grade.GIST: _("gist"),
    Grade.ACCEPTABLE: _("acceptable"),
    Grade.EXCELLENT: _("excellent"),
}

GRADE_MEANINGS: dict[Grade, Promise] = {
    Grade.REJECT: _("Not usable: wrong, or not this language."),
    Grade.GIST: _("The meaning is clear, the wording is wrong."),
    Grade.ACCEPTABLE: _("Right, with small problems."),
    Grade.EXCELLENT: _("As good as a person's translation: you could not tell them apart."),
}

TAG_LABELS: dict[Tag, Promise] = {
    Tag.WRONG_MEANING: _("wrong meaning"),
    Tag.CULTURALLY_INAPPROPRIATE: _("culturally inappropriate"),
    Tag.NOT_REAL_LANGUAGE: _("not real language"),
    Tag.OTHER_DIALECT_OR_SPELLING: _("right, but another dialect or spelling"),
    Tag.REGISTER: _("register"),
    Tag.GRAMMAR: _("grammar"),
    Tag.SPELLING: _("spelling"),
}

GRADE_CHOICES = [(grade.value, label) for grade, label in GRADE_LABELS.items()]
"""For a model field or a form: (stored number, label), worst to best."""

TAG_CHOICES = [(tag.value, label) for tag, label in TAG_LABELS.items()]
"""For a model field or a form: (stored code, label)."""
