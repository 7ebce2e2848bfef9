"""Analysers and plug-ins in processes of their own: they answer, or fail under their name. Source: SPEC M-1."""

import os
import shutil
import struct
import subprocess
import time

import numpy as np
import pytest

from leaderboard.metrics.base import MetricSettings, Pair
from leaderboard.metrics.fst_acceptance import FstAcceptanceMetric
from leaderboard.metrics.tools import FailureKind, LanguageFacts, ToolFacts, ToolFailure
from leaderboard.plugins import hosted
from leaderboard.plugins.finding import plugin_find, plugin_named
from leaderboard.plugins.hfst import AnalyserFileError, HfstAnalyser, analyser_file_check, analyser_file_read
from leaderboard.plugins.hosted import HostedTool, Limits
from leaderboard.plugins.opening import Places, tools_open
from leaderboard.plugins.protocols import Group

from .tools import LEXICON, TOY

HFST = ToolFacts(kind="hfst", name="toy.hfstol")
SHORT = Limits(start=120.0, answer=4.0)  # enough for a busy machine

JUDGES = """
    import os, sys, time

    class Judge:
        def is_equivalent(self, *, source, output, references):
            if output == "raise":
                raise RuntimeError("the text is " + source)
            if output == "hang":
                while True:
                    time.sleep(0.01)
            if output == "die":
                os._exit(3)
            if output == "leave":
                sys.exit(1)
            if output == "nonsense":
                return "perhaps"
            if output == "no json":
                return {1, 2}
            print("this must not get between the answers")
            os.write(2, b"nor this")
            return output == "good" and source == "s" and list(references) == ["r"]

    class Semantic:
        def verdict(self, *, source, output, references):
            return "WRONG" if {"DJANGO_SETTINGS_MODULE", "UNIT_SECRET"} & set(os.environ) else "VALID"

    class Terms:
        def terms(self, *, source, output):
            return {"fine": (1, 2), "more kept than there": (3, 2), "text": "12"}[source]

    class Analyser:
        def analyses(self, word):
            return [word + "+N"] if word.islower() else []

    def embedding(folder):
        return Vectors(folder)

    class Vectors:
        def __init__(self, folder):
            self.length = int((folder / "length.txt").read_text())

        def embed(self, texts):
            return [[float(len(text))] * self.length for text in texts]

    class Broken:
        def __init__(self):
            raise KeyError("no model here")

    def slow():
        time.sleep(60)
"""


@pytest.fixture
def judges(plugin_packages):
    package = plugin_packages()
    package.write(
        JUDGES,
        equivalence={"crk": "Judge", "oj-Cans": "Judge", "xx": "Broken", "yy": "missing"},
        semantic={"crk": "Semantic"},
        terminology={"crk": "Terms"},
        analyser={"crk": "Analyser"},
        embedding={"unit-vectors": "embedding"},
    )
    return package


@pytest.fixture
def judge(judges):
    facts = LanguageFacts(equivalence=plugin_find(Group.EQUIVALENCE, "crk"))
    with tools_open(facts, limits=SHORT) as tools:
        yield lambda output: tools.is_equivalent("s", output, ("r",))


def test_a_plugin_is_found_by_the_tag_of_the_language_and_nothing_is_loaded(judges):
    found = plugin_find(Group.EQUIVALENCE, "crk-Latn-CA")
    assert found == ToolFacts(kind="plugin", name="unit-plugins:crk", version="1.2")
    assert plugin_find(Group.EQUIVALENCE, "oj-Cans").name == "unit-plugins:oj-Cans"
    assert plugin_find(Group.EQUIVALENCE, "oj-Latn") is None
    assert plugin_find(Group.EQUIVALENCE, "cy") is None
    assert plugin_find(Group.TERMINOLOGY, "yy") is None


def test_of_two_packages_the_first_by_name_is_taken(judges, plugin_packages):
    plugin_packages("another-package").write("class Judge: pass", equivalence={"CRK": "Judge"})
    assert plugin_find(Group.EQUIVALENCE, "crk").name == "another-package:CRK"


def test_a_plugin_answers_whatever_it_prints(judge):
    assert judge("good") is True
    assert judge("bad") is False


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        ("raise", FailureKind.RAISED),
        ("hang", FailureKind.HUNG),
        ("die", FailureKind.DIED),
        ("leave", FailureKind.DIED),
        ("nonsense", FailureKind.NONSENSE),
        ("no json", FailureKind.NONSENSE),
    ],
)
def test_a_plugin_that_fails_is_reported_by_name_without_any_text_and_can_be_asked_on(judge, output, kind):
    with pytest.raises(ToolFailure) as failed:
        judge(output)
    assert (failed.value.kind, failed.value.tool) == (kind, "unit-plugins:crk")
    assert "text is" not in str(failed.value)
    assert judge("good") is True


def test_after_three_processes_that_died_nobody_starts_another(judge):
    for _time in range(hosted.STARTS_AT_MOST):
        with pytest.raises(ToolFailure):
            judge("die")
    with pytest.raises(ToolFailure) as failed:
        judge("good")
    assert failed.value.kind == FailureKind.DIED


@pytest.mark.parametrize("tag", ["xx", "yy"])
def test_a_plugin_that_cannot_be_loaded_fails_at_its_first_question(judges, tag):
    with tools_open(LanguageFacts(equivalence=plugin_find(Group.EQUIVALENCE, tag))) as tools:
        for _time in range(2):
            with pytest.raises(ToolFailure) as failed:
                tools.is_equivalent("s", "good", ("r",))
            assert failed.value.kind == FailureKind.RAISED


def test_a_process_that_hangs_is_ended_and_so_is_one_whose_user_is_done(judges):
    opening = {"kind": "plugin", "group": Group.EQUIVALENCE, "package": "unit-plugins", "name": "crk"}
    tool = HostedTool({**opening, "method": "is_equivalent"}, name="unit", limits=SHORT)
    assert tool.ask(source="s", output="good", references=["r"]) is True
    first = tool._process
    began = time.monotonic()
    with pytest.raises(ToolFailure):
        tool.ask(source="s", output="hang", references=[])
    assert time.monotonic() - began < 60
    assert first.returncode is not None
    tool.ask(source="s", output="good", references=["r"])
    second = tool._process
    tool.close()
    assert second.returncode is not None


def test_a_long_question_to_a_tool_that_reads_nothing_ends_with_its_time(judges):
    tool = HostedTool({"kind": "hfst", "path": str(TOY)}, name="unit", limits=SHORT)
    assert tool.ask(words=["atim"]) == [["atim+N+Sg"]]
    os.kill(tool._process.pid, 19)  # SIGSTOP
    with pytest.raises(ToolFailure) as failed:
        tool.ask(words=["atim" * 100_000])
    assert failed.value.kind == FailureKind.HUNG
    tool.close()


def test_a_plugin_sees_neither_settings_nor_environment(judges, monkeypatch):
    monkeypatch.setenv("UNIT_SECRET", "1")
    with tools_open(LanguageFacts(semantic=plugin_find(Group.SEMANTIC, "crk"))) as tools:
        assert tools.verdict("s", "o", ("r",)) == "VALID"


def test_terms_of_a_plugin_are_checked(judges):
    with tools_open(LanguageFacts(terminology=plugin_find(Group.TERMINOLOGY, "crk"))) as tools:
        assert tools.count_terms("fine", "o") == (1, 2)
        for source in ("more kept than there", "text"):
            with pytest.raises(ToolFailure) as failed:
                tools.count_terms(source, "o")
            assert failed.value.kind == FailureKind.NONSENSE


def test_an_analyser_may_be_a_plugin(judges):
    with tools_open(LanguageFacts(analyser=plugin_find(Group.ANALYSER, "crk"))) as tools:
        assert tools.analyse(["atim", "Atim", "atim"]) == [("atim+N",), (), ("atim+N",)]


def test_a_local_model_gives_similarities_from_its_folder(judges, tmp_path):
    (tmp_path / "length.txt").write_text("3")
    facts = LanguageFacts(embedding=plugin_named(Group.EMBEDDING, "unit-vectors"))
    with tools_open(facts, Places(embedding=tmp_path)) as tools:
        assert tools.similarity("abc", ("abcd", "")) == pytest.approx(1.0)
        assert tools.similarity("", ("abcd",)) == 0.0
    with tools_open(facts, Places(embedding=tmp_path / "absent")) as tools, pytest.raises(ToolFailure):
        tools.similarity("abc", ("abcd",))


def test_the_file_of_our_lexicon_is_read():
    found = analyser_file_read(TOY)
    assert (len(found.sha256), found.is_weighted, found.size) == (64, False, TOY.stat().st_size)
    analyser = HfstAnalyser(TOY)
    assert analyser.analyses("atimwak") == ["atim+N+Pl"]
    assert sorted(analyser.analyses("nipaw")) == ["nipaw+N+Sg", "nipaw+V+Sg3"]
    assert analyser.analyses("wâpos") == ["wâpos+N+Sg"]
    for word in ("Atim", "zzz", "", "ሰላም", "7"):
        assert analyser.analyses(word) == []


def test_the_lexicon_compiled_anew_gives_the_same_readings(tmp_path):
    if not shutil.which("hfst-lexc"):
        pytest.skip("hfst is not installed (Debian package hfst)")
    steps = [
        ["hfst-lexc", "-q", str(LEXICON / "toy.lexc"), "-o", "toy.hfst"],
        ["hfst-invert", "toy.hfst", "-o", "toy-analyser.hfst"],
        ["hfst-fst2fst", "-O", "toy-analyser.hfst", "-o", "toy.hfstol"],
        ["hfst-fst2fst", "-w", "toy-analyser.hfst", "-o", "weighted.hfstol"],
    ]
    for step in steps:
        subprocess.run(step, cwd=tmp_path, check=True, capture_output=True)
    assert analyser_file_read(tmp_path / "weighted.hfstol").is_weighted
    old = HfstAnalyser(TOY)
    for new in (HfstAnalyser(tmp_path / "toy.hfstol"), HfstAnalyser(tmp_path / "weighted.hfstol")):
        for word in ("atim", "atimwak", "atimwa", "acimosis", "nipaw", "nipawak", "wâposwak", "Atim", "zzz"):
            assert sorted(new.analyses(word)) == sorted(old.analyses(word))
    with pytest.raises(AnalyserFileError) as refused:
        analyser_file_read(tmp_path / "toy-analyser.hfst")
    assert refused.value.code == "not_for_lookup"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not_hfst"),
        (b"! lexc source\nLEXICON Root\n", "not_hfst"),
        (b"\x1f\x8b\x08\x00", "not_hfst"),
        (b"HFST\0", "damaged"),
        (b"HFST\0\x05\x00\x00type", "damaged"),
        (b"HFST\0\x0a\x00\x00type\0SFST\0", "not_for_lookup"),
    ],
)
def test_what_is_no_transducer_is_refused(data, code):
    with pytest.raises(AnalyserFileError) as refused:
        analyser_file_check(data)
    assert refused.value.code == code


def test_a_file_that_is_cut_anywhere_is_refused():
    data = TOY.read_bytes()
    for length in range(len(data)):
        with pytest.raises(AnalyserFileError):
            analyser_file_check(data[:length])


def test_a_header_that_promises_more_than_the_file_holds_is_refused():
    data = TOY.read_bytes()
    (length,) = struct.unpack_from("<H", data, 5)
    start = 8 + length
    for place in (start, start + 2, start + 4, start + 8):
        size = 2 if place < start + 4 else 4
        inflated = data[:place] + b"\xff" * size + data[place + size :]
        with pytest.raises(AnalyserFileError) as refused:
            analyser_file_check(inflated)
        assert refused.value.code == "damaged"


def test_there_is_no_file():
    with pytest.raises(AnalyserFileError) as refused:
        analyser_file_read(LEXICON / "absent.hfstol")
    assert refused.value.code == "not_readable"


def test_a_file_that_only_looks_right_makes_the_metric_null_not_the_worker_crash(tmp_path):
    data = bytearray(TOY.read_bytes())
    data[-300:] = bytes(value ^ 0x5A for value in data[-300:])
    (tmp_path / "bad.hfstol").write_bytes(bytes(data))
    assert analyser_file_read(tmp_path / "bad.hfstol").size == len(data)
    with tools_open(LanguageFacts(analyser=HFST), Places(analyser=tmp_path / "bad.hfstol"), limits=SHORT) as tools:
        for word in ("atim", "nipawak", "zzz"):
            try:
                assert isinstance(tools.analyse([word]), list)
            except ToolFailure as failure:
                assert failure.tool == "toy.hfstol"


def test_words_are_asked_for_once_and_answers_keep_their_order():
    with tools_open(LanguageFacts(analyser=HFST), Places(analyser=TOY)) as tools:
        assert tools.analyse(["zzz", "atim", "zzz", "nipawak"]) == [(), ("atim+N+Sg",), (), ("nipaw+V+Pl3",)]
        assert tools.analyse([]) == []


def test_a_real_analyser_file_scores_the_cases_of_the_harness():
    facts = LanguageFacts(analyser=HFST)
    pairs = [Pair("1", "", text, ("atim nipaw",)) for text in ("atim nipaw.", "atim zzz zzz zzz", "")]
    with tools_open(facts, Places(analyser=TOY)) as tools:
        settings = MetricSettings(language=facts, tools=tools)
        statistics = np.array([FstAcceptanceMetric().statistics(one, settings) for one in pairs])
    sums = statistics.sum(axis=0).astype(float)
    assert round(float(FstAcceptanceMetric().aggregate(sums, np.array(3.0))), 4) == 0.4167


def test_facts_survive_their_serialised_form():
    facts = LanguageFacts(
        has_variants=True,
        analyser=ToolFacts(kind="hfst", name="crk.hfstol", version="2026-05", sha256="0" * 64),
        glossary=ToolFacts(kind="glossary", name="corpus", sha256="1" * 64),
        problems={"fst_acceptance_rate": "analyser_damaged"},
    )
    settings = MetricSettings(language=facts)
    assert LanguageFacts.from_dict(facts.to_dict()) == facts
    assert MetricSettings.from_dict(settings.to_dict()) == settings
