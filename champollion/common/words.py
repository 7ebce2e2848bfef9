"""The words beside the signs: one word for one thing, the same on every page. Source: design 1, 2.3; SPEC 00 Words."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

GRADES = {
    1: pgettext_lazy("grade", "Reject"),
    2: pgettext_lazy("grade", "Gist"),
    3: pgettext_lazy("grade", "Acceptable"),
    4: pgettext_lazy("grade", "Excellent"),
}
GRADE_MEANINGS = {
    1: pgettext_lazy("grade", "not usable: wrong, or makes no sense"),
    2: pgettext_lazy("grade", "meaning clear, wording wrong"),
    3: pgettext_lazy("grade", "right, with small problems"),
    4: pgettext_lazy("grade", "as a person would say it"),
}
TIERS = {
    0: pgettext_lazy("tier", "none"),
    1: pgettext_lazy("tier", "Baseline"),
    2: pgettext_lazy("tier", "Emerging"),
    3: pgettext_lazy("tier", "Functional"),
    4: pgettext_lazy("tier", "Deployable"),
    5: pgettext_lazy("tier", "Fluent"),
}
VERIFICATIONS = {
    "self_benchmarked": gettext_lazy("Self-benchmarked"),
    "gds_verified": gettext_lazy("GDS verified"),
    "community_validated": gettext_lazy("Community validated"),
}
VERIFICATIONS_PLAIN = {
    "self_benchmarked": gettext_lazy("the developer"),
    "gds_verified": gettext_lazy("a maintainer re-ran it"),
    "community_validated": gettext_lazy("the community decided"),
}
VERDICTS = {
    "meets": gettext_lazy("Meets the bar"),
    "not_clear_yet": gettext_lazy("Not clear yet"),
    "does_not_meet": gettext_lazy("Does not meet the bar yet"),
    "held": gettext_lazy("Held"),
}
PROCESSES = {
    "draft": pgettext_lazy("state", "draft"),
    "open": pgettext_lazy("state", "open"),
    "closed": pgettext_lazy("state", "closed"),
    "decided": pgettext_lazy("state", "decided"),
    "suspended": pgettext_lazy("state", "suspended"),
    "withdrawn": pgettext_lazy("state", "withdrawn"),
}
CLASSES = {
    "S": gettext_lazy("own code, self-contained"),
    "O": gettext_lazy("open, mirrored in the bundle"),
    "A1": gettext_lazy("model inference at a provider, model pinned"),
    "A2": gettext_lazy("a service that nothing can stand in for"),
    "X": gettext_lazy("closed, never runs here"),
}
HARM = gettext_lazy("Stop: harmful")
PUBLIC = gettext_lazy("public")
SECRET = gettext_lazy("secret")
DOTS_TITLE = gettext_lazy("Grades of the sampled outputs")


def standing(code: str, tier: object) -> str:
    """Say what a score above the public tier leads to. Source: LAW-1, SPEC V-1."""
    sentences = {
        "nominated": _("nominated: %(tier)s"),
        "candidate": _("candidate: %(tier)s"),
        "in_review": _("in review: %(tier)s"),
    }
    return sentences[code] % {"tier": tier}


def dots_described(total: int, counts: Sequence[tuple[str, int]]) -> str:
    """Describe the dot array: "100 outputs: 46 Excellent, 38 Acceptable, 11 Gist, 5 Reject"."""
    listed = ", ".join(f"{count} {word}" for word, count in counts)
    text = ngettext("%(count)s output: %(list)s", "%(count)s outputs: %(list)s", total)
    return text % {"count": total, "list": listed}


def composite_title(value: str) -> str:
    """Name the picture of a composite."""
    return _("Composite %(value)s and what makes it") % {"value": value}


def composite_described(parts: Sequence[tuple[str, float, float]]) -> str:
    """Describe the composite: "chrF++ adds 0.178 of 0.278; …"."""
    one = _("%(metric)s adds %(adds).3f of %(possible).3f")
    return "; ".join(one % {"metric": name, "adds": adds, "possible": whole} for name, adds, whole in parts)
