"""The sentences of a report: which are shown as worst, typical and best, and their texts for those who may read them.

Text goes through ``corpora.access``, which records each read of secret text (SPEC V-9, C-7, LAW-2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median_low
from typing import Any

from django.utils.translation import gettext as _

from champollion.common.words import GRADES as GRADE_WORDS
from corpora import vault
from corpora.access import may_read_secret, read_entries
from review.anchors import entry_of, version_of
from review.labels import TAG_LABELS
from review.models import Campaign, Rating, SampleItem
from review.verdicts import Analysis, ItemRatings


@dataclass(frozen=True)
class Sentence:
    """One rated output. ``grades`` are the speakers', in no order of persons; ``verdict`` is 1-4, or None."""

    heading: str
    source: str
    output: str
    grades: list[int]
    verdict: int | None
    is_from_talk: bool
    tags: list[str]
    comments: list[str]
    stratum: str

    @property
    def verdict_word(self) -> str:
        """Return the word of the verdict, or that there is none."""
        return str(GRADE_WORDS[self.verdict]) if self.verdict is not None else _("no verdict")

    @property
    def grade_words(self) -> str:
        """Return what the speakers said, as words for those who do not see the circles."""
        return ", ".join(str(GRADE_WORDS[grade]) for grade in self.grades)


def examples_pick(analysis: Analysis) -> list[tuple[str, ItemRatings]]:
    """Return up to three items with a verdict, each with its heading: worst, typical and best; none twice."""
    judged = [item for item in analysis.items if analysis.verdicts[item.item_id].grade is not None]
    if not judged:
        return []
    ordered = sorted(judged, key=lambda item: _merit(item, analysis))
    middle = median_low(_grade(item, analysis) for item in judged)
    alike = [item for item in ordered if _grade(item, analysis) == middle]
    picked = {ordered[0].item_id: (_("Worst"), ordered[0])}
    picked.setdefault(ordered[-1].item_id, (_("Best"), ordered[-1]))
    typical = alike[len(alike) // 2]
    picked.setdefault(typical.item_id, (_("Typical"), typical))
    return sorted(picked.values(), key=lambda pair: _merit(pair[1], analysis))


def _grade(item: ItemRatings, analysis: Analysis) -> int:
    return int(analysis.verdicts[item.item_id].grade or 0)


def _merit(item: ItemRatings, analysis: Analysis) -> tuple[float, float, str]:
    """Order items by verdict, then by the mean of their ratings, then by their random id."""
    mean = fmean(item.ratings) if item.ratings else 0.0
    return _grade(item, analysis), mean, item.item_id


def sentences_read(
    campaign: Campaign, picked: Sequence[tuple[str, ItemRatings]], *, analysis: Analysis, reader: Any
) -> list[Sentence]:
    """Return items with their texts, tags and comments for a person who may read them; [] for one who may not.

    A read of secret text is recorded once, with the number of entries. Three queries beside that record.
    """
    version = version_of(campaign.run)
    corpus = version.corpus
    if campaign.run.is_secret and not may_read_secret(reader, corpus):
        return []
    uids = [item.item_id for _heading, item in picked]
    rows = {
        str(row.uid): row
        for row in SampleItem.objects.filter(campaign=campaign, uid__in=uids).select_related("output__entry")
    }
    ratings: dict[int, list[Rating]] = {row.pk: [] for row in rows.values()}
    for rating in Rating.objects.filter(item__in=ratings, first_grade__isnull=False).order_by(
        "item", "first_grade", "uid"
    ):
        ratings[rating.item_id].append(rating)
    texts = {
        text.entry.pk: text
        for text in read_entries(
            [entry_of(rows[uid]) for uid in uids],
            version=version,
            reader=reader,
            purpose="report",
        )
    }
    return [
        _sentence(heading, item, rows[item.item_id], ratings[rows[item.item_id].pk], texts, analysis, corpus)
        for heading, item in picked
    ]


def _sentence(
    heading: str, item: ItemRatings, row: SampleItem, ratings: list[Rating], texts: Any, analysis: Analysis, corpus: Any
) -> Sentence:
    verdict = analysis.verdicts[item.item_id]
    output = row.output
    text = vault.unseal(corpus, output.sealed).get("text", "") if output.sealed is not None else output.text
    return Sentence(
        heading=heading,
        source=texts[output.entry_id].source,
        output=text,
        grades=sorted(int(grade) for grade in item.ratings),
        verdict=None if verdict.grade is None else int(verdict.grade),
        is_from_talk=verdict.is_from_talk,
        tags=tag_words({tag for rating in ratings for tag in rating.tags}),
        comments=[words for words in (comment_of(rating, corpus) for rating in ratings) if words],
        stratum=row.stratum,
    )


def comment_of(rating: Rating, corpus: Any) -> str:
    """Return what a rater wrote about an item, or nothing."""
    if rating.sealed_words is None:
        return ""
    return str(vault.unseal(corpus, rating.sealed_words).get("comment") or "")


def tag_words(tags: Any) -> list[str]:
    """Return the words of tags, in the order of the rating page; unknown codes are left out."""
    return [str(label) for tag, label in TAG_LABELS.items() if tag.value in tags]


def tag_counts(campaign: Campaign) -> list[tuple[str, int]]:
    """Return how many ratings that count carry each tag, most first; tags that nobody chose are left out. One query."""
    counts: dict[str, int] = {}
    counted = Rating.objects.filter(item__campaign=campaign, first_grade__isnull=False)
    for tags in counted.values_list("tags", flat=True):
        for tag in tags:
            counts[tag] = counts.get(tag, 0) + 1
    found = [(str(label), counts[tag.value]) for tag, label in TAG_LABELS.items() if tag.value in counts]
    return sorted(found, key=lambda pair: -pair[1])
