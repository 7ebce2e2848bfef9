"""Code-switching and hallucination against the harness. Source: SPEC M-2; 90-harness-facts 4.3, 4.4."""

import json

import pytest

from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.code_switching import code_switching
from leaderboard.metrics.hallucination import hallucination, hallucination_early
from leaderboard.metrics.registry import CODE_SWITCHING, HALLUCINATION
from leaderboard.metrics.scripts import dominant_script, first_script
from tests.shared import SHARED_DATA

CYRILLIC = MetricSettings(target_scripts=frozenset({"Cyrillic"}))
LATIN = MetricSettings(target_scripts=frozenset({"Latin"}))
UNKNOWN = MetricSettings()
FOX = "The quick brown fox jumps over the lazy dog"

needs_data = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="../shared/data is not here")


@pytest.mark.parametrize(
    ("source", "output", "settings", "rate"),
    [
        ("Hello world", "Привет мир", CYRILLIC, 0.0),
        ("Hello world", "Hello world", CYRILLIC, 1.0),
        ("Hello world and goodbye", "Привет world и goodbye", CYRILLIC, 0.5),
        (FOX, "Быстрая the quick brown fox прыгает", CYRILLIC, 0.6667),
        ("Django is great", "Django прекрасен", CYRILLIC, 0.5),
        ("Hello world", "Bonjour le monde", LATIN, 0.0),
        ("Click here to select the objects", "Click here to seleccionar obxectos", LATIN, 0.6),
        ("Click here to select the objects", "Click here seleccionar obxectos", LATIN, 0.0),
        ("select the objects here now", "now here objects ola", LATIN, 0.75),
        ("Click here to select", "click HERE to algo", LATIN, 0.75),
        ("Django admin site title", "Django admin site título", LATIN, 0.75),
        ("Hello", "", CYRILLIC, 0.0),
        ("7 days", "7 , 10", CYRILLIC, 0.0),
        ("a b", "aя b я", UNKNOWN, 0.0),
        ("x 1 2 3 4", "1 2 3", LATIN, 0.0),
    ],
)
def test_code_switching_gives_the_published_rate(source, output, settings, rate):
    assert code_switching(source, output, settings).rate == rate


def test_code_switching_counts_words():
    found = code_switching(FOX, "Быстрая the quick brown fox прыгает", CYRILLIC)
    assert (found.wrong_script_words, found.letter_words, found.run_words) == (4, 6, 4)


def test_source_script_that_is_also_a_target_is_never_wrong():
    both = MetricSettings(target_scripts=frozenset({"Latin", "Cyrillic"}))
    assert code_switching("Hello there", "Привет Hello", both).rate == 0.0


def test_another_source_script_can_be_set():
    settings = MetricSettings(source_script="Cyrillic", target_scripts=frozenset({"Latin"}))
    assert code_switching("Привет мир тебе", "Привет world", settings).rate == 0.5


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("aя", "Latin"),
        ("яa", "Cyrillic"),
        ("a-я-я", "Cyrillic"),
        ("ለምን", "Ethiopic"),
        ("ᓀᐦᐃᔭᐍᐏᐣ", "Canadian_Aboriginal"),
        ("ー", "Hiragana"),
        ("ａ", "Latin"),
        ("々", "CJK"),
        ("ᏣᎳᎩ", "Other"),
        ("12 3!", None),
        ("", None),
    ],
)
def test_dominant_script_comes_from_character_names(text, script):
    assert dominant_script(text) == script


def test_target_script_is_that_of_the_first_reference_that_has_one():
    assert first_script(["", "123", "Привет Hi", "Hola"]) == "Cyrillic"
    settings = MetricSettings.detect(sources=["Hello"], references=["Привет"])
    assert code_switching("Hello", "Hello", settings).rate == 1.0


def test_settings_survive_json():
    settings = MetricSettings.detect(sources=["Привет"], references=["Hola"])
    assert MetricSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings


@pytest.mark.parametrize(
    ("source", "output", "rate", "parts"),
    [
        ("The cat sat on the mat.", "Le chat était assis sur le tapis.", 0.0, (0, 0, 0, 0)),
        ("Hello", "Hello " * 50, 0.8938, (1, 0.9792, 1, 0)),
        ("What is the weather like?", "the weather is good " * 20, 0.6846, (1, 0.9487, 0, 0)),
        ("Hello world, how are you?", "Hello world, how are you?", 0.1, (0, 0, 0, 1)),
        (
            "The cat sat on the mat.",
            "Le chat de Monsieur Bonaparte était sur le tapis de Paris.",
            0.2,
            (0, 0, 1, 0),
        ),
        ("x", "word " * 1000, 0.6997, (1, 0.999, 0, 0)),
        ("I am crying.", "Ndinokudza.", 0.0, (0, 0, 0, 0)),
        ("abcdefghij", "ab", 0.1333, (0.3333, 0, 0, 0)),
        ("abcdefghij", "abc", 0.0, (0, 0, 0, 0)),
        ("abcdefghij", "a" * 30, 0.0, (0, 0, 0, 0)),
        ("abcdefghij", "a" * 45, 0.2, (0.5, 0, 0, 0)),
        ("abcdefghij", "a" * 60, 0.4, (1, 0, 0, 0)),
        ("one two three", "one two three one two three", 0.075, (0, 0.25, 0, 0)),
        ("stop", "pots", 0.05, (0, 0, 0, 0.5)),
        ("", "abcdefghijk", 0.4, (1, 0, 0, 0)),
        ("", "abc", 0.0, (0, 0, 0, 0)),
        ("Hello", "", 0.0, (0, 0, 0, 0)),
        ("Hello world", "Bonjour le monde entier", 0.0, (0, 0, 0, 0)),
        ("go home", "Ir Casa Agora", 0.0, (0, 0, 0, 0)),
        ("A b. C", "El Rey. Vino", 0.2, (0, 0, 1, 0)),
        ("Привет Мир", "Bonjour Monsieur Paris", 0.0, (0, 0, 0, 0)),
    ],
)
def test_hallucination_gives_the_published_rate_and_parts(source, output, rate, parts):
    found = hallucination(source, output)
    assert found.rate == rate
    assert (found.length, found.repetition, found.entity, found.echo) == parts


def test_early_detector_takes_a_sentence_start_for_a_name():
    assert hallucination_early("I am crying.", "Ndinokudza.").rate == 0.2
    assert hallucination("I am crying.", "Ndinokudza.").rate == 0.0


@pytest.mark.parametrize("metric", [CODE_SWITCHING, HALLUCINATION])
@pytest.mark.parametrize(
    "pair",
    [
        Pair("1", "Hello", "", ("Привет",)),
        Pair("1", "Hello", " \u00a0\n", ("Привет",)),
        Pair("1", "Hello", "Привет", ("Привет",), errored=True),
        Pair("1", "Hello", "Привет", ("Привет",), missing=True),
    ],
)
def test_empty_errored_and_missing_outputs_count_1_beside_the_harness_0(metric, pair):
    headline, harness, affected = metric.statistics(pair, CYRILLIC)[:3]
    assert (headline, harness, affected) == (10_000, 0, 1)


@pytest.mark.parametrize("metric", [CODE_SWITCHING, HALLUCINATION])
def test_a_good_output_counts_0_in_both(metric):
    assert metric.statistics(Pair("1", "Hello", "Привет", ("Привет",)), CYRILLIC)[:3] == (0, 0, 0)


def test_a_pure_echo_is_affected_but_not_flagged():
    statistics = HALLUCINATION.statistics(Pair("1", "Hello", "Hello", ("Ola",)), LATIN)
    assert dict(zip(HALLUCINATION.columns, statistics, strict=True))["affected"] == 1
    assert dict(zip(HALLUCINATION.columns, statistics, strict=True))["flagged"] == 0


def _rows_of_harness_0_1_1():
    for path in sorted((SHARED_DATA / "harness" / "0.1.1").glob("*/run_card_entries_rows.json")):
        rows = json.loads(path.read_text(encoding="utf-8"))
        yield [row for row in rows if row["plugin_metrics"]]


@needs_data
def test_every_row_the_harness_wrote_is_reproduced():
    seen = 0
    for rows in _rows_of_harness_0_1_1():
        for row in rows:
            claimed = row["plugin_metrics"]
            rate = hallucination(row["source"], row["predicted"]).rate
            assert rate == claimed["hallucination"]["hallucination_rate"]
            switching = code_switching(row["source"], row["predicted"], LATIN)
            assert switching.rate == claimed["code_switching"]["code_switching_rate"]
            seen += 1
    assert seen == 69


@needs_data
def test_every_entry_of_the_june_reports_is_reproduced_by_the_early_detector():
    seen = 0
    for path in sorted((SHARED_DATA / "reports").glob("*.json")):
        entries = json.loads(path.read_text(encoding="utf-8"))["entries"]
        settings = MetricSettings.detect(
            sources=[entry["source"] for entry in entries], references=[entry["expected"] for entry in entries]
        )
        for entry in entries:
            claimed = entry.get("plugin_metrics")
            if not claimed:
                continue
            early = hallucination_early(entry["source"], entry["predicted"])
            assert early.rate == claimed["hallucination"]["hallucination_rate"]
            switching = code_switching(entry["source"], entry["predicted"], settings)
            assert switching.rate == claimed["code_switching"]["code_switching_rate"]
            seen += 1
    assert seen == 879
