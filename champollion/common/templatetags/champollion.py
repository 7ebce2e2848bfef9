"""The signs, texts and small parts of every page; loaded for all templates, documented in docs/design.md.

Tags give words beside their shapes, so that no state is told by shape or colour alone. What needs facts of an app
(a campaign, a run) is that app's; these tags take plain values.
"""

from collections.abc import Mapping
from typing import Any

from django import template
from django.forms import BaseForm
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from champollion.common import chart_tags, figures, words, writing
from champollion.common.svg import charts, glyphs, icons
from champollion.common.svg.element import render
from champollion.common.text import has_hidden, show_hidden

register = template.Library()


# Signs ------------------------------------------------------------------------------------------


@register.simple_tag
def grade_glyph(grade: int, size: float = 24) -> SafeString:
    """Draw the circle of a grade (1 to 4); the word must stand beside it."""
    return mark_safe(render(glyphs.grade(int(grade), size=size)))


@register.simple_tag
def grade(grade: int, word: str = "", lang: str = "", size: float = 24) -> SafeString:
    """Show a grade: circle and word; `word` and `lang` are the organisation's own word and its language."""
    shown = word or words.GRADES[int(grade)]
    text = (
        format_html('<span lang="{}">{}</span>', lang, shown)
        if word and lang
        else format_html("<span>{}</span>", shown)
    )
    return format_html('<span class="ch-sign">{}{}</span>', grade_glyph(grade, size), text)


@register.inclusion_tag("components/grade_buttons.html")
def grade_buttons(
    chosen: int | None = None,
    grade_words: Mapping[Any, str] | None = None,
    lang: str = "",
    describe: str = "question",
    place: str = "g",
) -> dict[str, Any]:
    """Show the four grades as equal submit buttons (`name="grade"`), reject to excellent, the chosen one pressed.

    Args:
        chosen: the grade that is saved now, 1 to 4, or None.
        grade_words: the organisation's own words by grade, in the language `lang`.
        describe: id of the question that labels the group.
        place: prefix of the ids, where a page shows the buttons twice.
    """
    own = {int(key): word for key, word in (grade_words or {}).items()}
    rows = [
        {"grade": g, "word": own.get(g) or words.GRADES[g], "meaning": words.GRADE_MEANINGS[g], "own": bool(own.get(g))}
        for g in sorted(words.GRADES)
    ]
    return {"rows": rows, "chosen": chosen, "lang": lang, "describe": describe, "place": place}


@register.inclusion_tag("components/tier.html")
def tier(level: int | str | None, standing: str = "", aim: str = "deployable") -> dict[str, Any]:
    """Show a public tier as steps and word, and below it "nominated: Deployable".

    Args:
        level: 0 to 5, a code (`functional`), or None where there is none.
        standing: empty, `nominated`, `candidate` or `in_review`.
        aim: code of the tier that the score would mean.
    """
    number = tier_level(level)
    return {
        "glyph": mark_safe(render(glyphs.tier(number, standing=standing))),
        "word": words.TIERS[number],
        "below": words.standing(standing, words.TIERS[tier_level(aim)]) if standing else "",
    }


def tier_level(level: int | str | None) -> int:
    """Return a tier's place, 0 (none) to 5, from its code or place."""
    if level in (None, "", "unscored"):
        return 0
    return level if isinstance(level, int) else glyphs.TIER_CODES.index(str(level)) + 1


@register.simple_tag
def tier_glyph(level: int | str | None, standing: str = "") -> SafeString:
    """Draw the steps of a tier alone; the word must stand beside them."""
    return mark_safe(render(glyphs.tier(tier_level(level), standing=standing)))


@register.inclusion_tag("components/verification.html")
def verification(code: str, on: Any = None, plain: bool = False) -> dict[str, Any]:
    """Show who checked: diamond, word and date. `plain` gives the words for a key ("the developer")."""
    word = words.VERIFICATIONS_PLAIN[code] if plain else words.VERIFICATIONS[code]
    return {"glyph": mark_safe(render(glyphs.verification(code))), "word": word, "on": on}


@register.simple_tag
def verdict_glyph(code: str, size: float = 56) -> SafeString:
    """Draw the disc and the line of a verdict."""
    return mark_safe(render(glyphs.verdict(code, size=size)))


@register.simple_tag
def verdict_word(code: str) -> str:
    """Say a verdict: "Meets the bar"."""
    return str(words.VERDICTS[code])


@register.simple_tag
def process(code: str, word: str = "") -> SafeString:
    """Show where a process stands: square and word (codes: draft, open, closed, decided, suspended, withdrawn)."""
    glyph = mark_safe(render(glyphs.process(code)))
    return format_html('<span class="ch-sign">{}<span>{}</span></span>', glyph, word or words.PROCESSES[code])


@register.simple_tag
def harm(word: str = "", size: float = 20) -> SafeString:
    """Show the octagon with its word ("Stop: harmful" unless another is given)."""
    glyph = mark_safe(render(glyphs.harm(size=size)))
    return format_html('<span class="ch-sign ch-harm">{}<span>{}</span></span>', glyph, word or words.HARM)


@register.simple_tag
def access(secret: bool, word: str = "") -> SafeString:
    """Show whether a segment is public (open book) or secret (closed lock)."""
    glyph = mark_safe(render(glyphs.access(secret=bool(secret))))
    shown = word or (words.SECRET if secret else words.PUBLIC)
    return format_html('<span class="ch-sign">{}<span>{}</span></span>', glyph, shown)


@register.simple_tag
def dependency_class(code: str) -> SafeString:
    """Show the tile of a method class with its meaning."""
    glyph = mark_safe(render(glyphs.dependency_class(code)))
    return format_html('<span class="ch-sign">{}<span>{}</span></span>', glyph, words.CLASSES[code])


@register.simple_tag
def icon(name: str, size: float = 20) -> SafeString:
    """Draw an icon; a word must stand beside it."""
    return mark_safe(render(icons.icon(name, size=size)))


@register.simple_tag
def logo() -> SafeString:
    """Draw the cartouche."""
    return mark_safe(render(glyphs.logo()))


# Texts ------------------------------------------------------------------------------------------


@register.inclusion_tag("components/corpus_text.html")
def corpus_text(
    text: str, lang: str, label: str = "", kind: str = "", marks: bool = False, tag: str = "div"
) -> dict[str, Any]:
    """Show a corpus text as a block with its own `lang`, `dir` and fonts, its label inside.

    Args:
        kind: empty, `source` (muted) or `rated` (the large text of the rating page).
        marks: whether bidi, zero-width and control characters are shown as marks (curators and stewards).
    """
    how = writing.writing_of(lang)
    return {
        "body": marked(text) if marks else text,
        "lang": how.tag,
        "dir": how.direction,
        "script": writing.script_of_text(text, how),
        "label": label,
        "kind": kind,
        "tag": tag,
    }


@register.filter
def marked(text: str) -> SafeString:
    """Show hidden characters of a text as visible marks."""
    if not has_hidden(text):
        return conditional_escape(text)
    pieces = (show_hidden(char) for char in text)
    return mark_safe(
        "".join(_mark(shown) if shown[:1] == "⟨" and len(shown) > 1 else conditional_escape(shown) for shown in pieces)
    )


@register.filter
def breakable(code: str) -> SafeString:
    """Let a long code such as a metric's signature wrap after its bars, not within its words."""
    return mark_safe(str(conditional_escape(code)).replace("|", "|<wbr>"))


@register.simple_tag
def language_name(code: str, own: bool = False) -> SafeString:
    """Name a language in the interface language, or in itself (`own=True`, with its `lang` and `dir`)."""
    if not own:
        return conditional_escape(writing.name_in(code, get_language() or "en"))
    how = writing.writing_of(code)
    return format_html('<bdi lang="{}" dir="{}">{}</bdi>', how.tag, how.direction, writing.own_name(code))


@register.simple_tag
def language_dir(code: str) -> str:
    """Return `ltr` or `rtl` for the `dir` attribute of a text or field in a language."""
    return writing.writing_of(code).direction


@register.inclusion_tag("components/hash_short.html")
def hash_short(value: str, label: str = "") -> dict[str, Any]:
    """Show the first 8 characters of an id or digest; the whole is in a disclosure, with a button to copy it."""
    bare = str(value).removeprefix("sha256:")
    return {"short": bare[:8], "value": str(value), "label": label, "whole": len(bare) <= 8}


# Figures ----------------------------------------------------------------------------------------


@register.filter
def composite(value: float | None, unknown: str = "") -> str:
    """Write a composite for a list: 3 decimals."""
    return figures.fixed(_known(value), 3, unknown=unknown)


@register.filter
def composite_exact(value: float | None, unknown: str = "") -> str:
    """Write a composite on the run page: 4 decimals."""
    return figures.fixed(_known(value), 4, unknown=unknown)


@register.filter
def chrf(value: float | None, unknown: str = "") -> str:
    """Write a chrF++ score (0 to 100): 1 decimal."""
    return figures.fixed(_known(value), 1, unknown=unknown)


@register.filter
def share(value: float | None, unknown: str = "") -> str:
    """Write a share (0 to 1) in whole percent."""
    return figures.share(_known(value), unknown=unknown)


@register.filter
def cost(value: float | None, currency: str = "USD") -> str:
    """Write a cost with 2 significant figures; free for 0, "not stated" for None."""
    return figures.cost(_known(value), currency=currency)


@register.filter
def seconds(value: float | None) -> str:
    """Write a time given in seconds."""
    return figures.duration(_known(value))


@register.simple_tag
def share_range(low: float, high: float) -> str:
    """Write an interval of shares: "81–89 %"."""
    return figures.share_range(low, high)


# Charts -----------------------------------------------------------------------------------------


@register.simple_tag
def interval_mini(value: float, low: float | None = None, high: float | None = None) -> SafeString:
    """Draw a composite with its interval, 120 × 14, notches at the tier bounds; figures must stand beside it."""
    return mark_safe(render(charts.mini_interval(value, low=low, high=high)))


@register.simple_tag
def share_mini(value: float, low: float | None = None, high: float | None = None) -> SafeString:
    """Draw a usable share with its interval, 120 × 14; figures must stand beside it."""
    return mark_safe(render(charts.mini_share(value, low=low, high=high)))


register.inclusion_tag("components/dot_array.html")(chart_tags.dot_array)
register.inclusion_tag("components/stratum_table.html")(chart_tags.stratum_table)
register.inclusion_tag("components/composite_chart.html")(chart_tags.composite_chart)
register.inclusion_tag("components/progress.html")(chart_tags.progress)
register.simple_tag(chart_tags.progress_bar)


# Parts of a page --------------------------------------------------------------------------------


@register.inclusion_tag("components/breadcrumbs.html")
def breadcrumbs(*steps: str) -> dict[str, Any]:
    """Show the way here: label, address, label, address, …, and the label of this page last."""
    pairs = [{"label": steps[i], "url": steps[i + 1]} for i in range(0, len(steps) - 1, 2)]
    return {"steps": pairs, "current": steps[-1]}


@register.inclusion_tag("components/empty_state.html")
def empty_state(why: str, next: str = "", url: str = "", button: str = "") -> dict[str, Any]:
    """Say why a list is empty and what comes next, with one button."""
    return {"why": why, "next": next, "url": url, "button": button}


def _label_of(form: BaseForm, name: str) -> str:
    """Return a field's label; none for a box whose label is a sentence of its own."""
    if name not in form.fields or is_single_check(form[name]):
        return ""
    return str(form[name].label)


@register.inclusion_tag("components/error_summary.html")
def error_summary(form: BaseForm) -> dict[str, Any]:
    """List what is to put right in a form, each linked to its field; it takes the focus."""
    problems = [
        {"label": _label_of(form, name), "field": name, "messages": list(messages)}
        for name, messages in form.errors.items()
    ]
    for problem in problems:
        in_form = problem["field"] in form.fields
        problem["target"] = form[str(problem["field"])].auto_id if in_form else ""
    return {"problems": problems, "count": sum(len(problem["messages"]) for problem in problems)}


@register.filter
def is_choice_list(bound_field: Any) -> bool:
    """Say whether a field is a group of radios or checkboxes, which needs a legend in place of a label."""
    return bool(getattr(bound_field.field.widget, "use_fieldset", False))


@register.filter
def is_single_check(bound_field: Any) -> bool:
    """Say whether a field is one checkbox, whose label stands beside it."""
    return getattr(bound_field.field.widget, "input_type", "") == "checkbox" and not is_choice_list(bound_field)


@register.filter
def without_placeholder(bound_field: Any) -> Any:
    """Return a field whose control repeats no label inside itself: the label stands above and stays (design 3)."""
    bound_field.field.widget.attrs.pop("placeholder", None)
    return bound_field


def _known(value: Any) -> Any:
    """Return None for what a template has no value for."""
    return None if value == "" else value


def _mark(shown: str) -> str:
    return f'<span class="ch-hidden-char">{shown[1:-1]}</span>'
