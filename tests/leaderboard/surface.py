"""Texts to hold the surface metrics against sacreBLEU on, and its own figures for them.

Real outputs come from ../shared/data; texts in other scripts are references of the real corpora and strings of the
installed Django's catalogues, of one language as the output for another.
"""

import gettext
import json
import unicodedata
from functools import cache
from pathlib import Path

import django
import numpy as np
from sacrebleu.metrics import BLEU, CHRF, TER

from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.batch import Batch, statistics_of
from leaderboard.metrics.registry import METRICS
from tests.shared import SHARED_DATA

SETTINGS = MetricSettings()
BY_NAME = {metric.name: metric for metric in METRICS}
SACREBLEU = {
    "chrf_plus_plus": lambda: CHRF(word_order=2),
    "chrf_plain": CHRF,
    "corpus_bleu": BLEU,
    "ter": TER,
}


def pair(output, *references):
    return Pair(entry_id="", source="", output=output, references=references)


def statistics(name, pairs):
    return statistics_of(BY_NAME[name], Batch(pairs), SETTINGS)


def ours(name, pairs):
    """Return our corpus score and each entry's."""
    counts = statistics(name, pairs)
    corpus = BY_NAME[name].aggregate(counts.sum(axis=0).astype(float), np.array(float(len(pairs))))
    return float(corpus), BY_NAME[name].per_entry(counts)


def theirs(name, pairs):
    """Return sacreBLEU's corpus score and each entry's, as its corpus score of that pair alone."""
    metric = SACREBLEU[name]()
    most = max(len(pair.references) for pair in pairs)
    streams = [[(*pair.references, *[None] * most)[place] for pair in pairs] for place in range(most)]
    corpus = metric.corpus_score([pair.output for pair in pairs], streams).score
    return corpus, [metric.corpus_score([pair.output], [[text] for text in pair.references]).score for pair in pairs]


def assert_equal_to_sacrebleu(name, pairs, *, within=1e-9):
    (corpus, entries), (their_corpus, their_entries) = ours(name, pairs), theirs(name, pairs)
    assert abs(corpus - their_corpus) <= within
    assert np.abs(entries - np.array(their_entries)).max() <= within


@cache
def real_runs():
    """Return every run of ../shared/data as label to pairs: eighteen reports, and the rows that harnesses sent."""
    runs = {}
    for path in sorted((SHARED_DATA / "reports").glob("*.json")):
        entries = json.loads(path.read_text(encoding="utf-8"))["entries"]
        runs[path.name[13:60]] = [pair(entry["predicted"], entry["expected"]) for entry in entries]
    for path in sorted((SHARED_DATA / "harness").glob("*/*/run_card_entries_rows.json")):
        rows = json.loads(path.read_text(encoding="utf-8"))
        runs["-".join(path.parts[-3:-1])] = [pair(row["predicted"], row["expected"]) for row in rows]
    return runs


@cache
def scripts():
    """Return label to pairs in scripts and spellings that trip counting up."""
    found = {}
    for language in ("arb", "amh"):
        path = SHARED_DATA / "corpora" / f"eng-{language}-dev-v1.json"
        texts = [entry["reference"] for entry in json.loads(path.read_text(encoding="utf-8"))["entries"]]
        found[language] = [pair(other, text) for text, other in zip(texts, texts[1:] + texts[:1], strict=True)]
    for output, reference in (("ja", "zh_Hans"), ("zh_Hant", "zh_Hans"), ("th", "th"), ("ko", "ja")):
        found[f"{output} for {reference}"] = _catalogues(output, reference)
    for language in ("vi", "hi", "he"):
        apart = [
            pair(unicodedata.normalize("NFD", one.output), unicodedata.normalize("NFC", one.references[0]))
            for one in _catalogues(language, language)
        ]
        found[f"{language} decomposed"] = apart
    some = found["arb"][:20]
    found["empty"] = [pair("", one.references[0]) for one in some] + [pair(one.output, "") for one in some]
    found["both empty"] = [pair("", ""), pair(" \n", "\u00a0")]
    return found


def _catalogues(output, reference, most=120):
    outputs, references = (_catalogue(language) for language in (output, reference))
    keys = sorted(key for key in outputs.keys() & references.keys() if isinstance(key, str) and key)
    if output == reference:  # a text against its neighbour's
        return [pair(outputs[key], references[other]) for key, other in zip(keys, keys[1:], strict=False)][:most]
    return [pair(outputs[key], references[key]) for key in keys[:most]]


def _catalogue(language):
    folder = Path(django.__file__).parent / "contrib" / "admin" / "locale" / language / "LC_MESSAGES"
    with (folder / "django.mo").open("rb") as file:
        return {key: text for key, text in gettext.GNUTranslations(file)._catalog.items() if text}
