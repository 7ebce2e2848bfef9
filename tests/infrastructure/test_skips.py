"""What `make test` does where a program is missing: skips and says so, or fails where everything is asked for."""

import pytest

from tests.services import plugin
from tests.services.programs import Program


def test_an_exemption_needs_a_reason(tmp_path):
    path = tmp_path / "exemptions.txt"
    path.write_text("# a comment\n\ntests/a.py::test_*: no such hardware here\n")
    assert plugin.exemptions(path) == {"tests/a.py::test_*": "no such hardware here"}
    path.write_text("tests/a.py::test_b\n")
    with pytest.raises(ValueError, match="gives no reason"):
        plugin.exemptions(path)


def test_the_list_of_exemptions_is_well_formed():
    assert isinstance(plugin.exemptions(), dict)


def test_only_a_named_test_is_exempt():
    patterns = {"tests/a.py::test_*": "reason"}
    assert plugin.is_exempt("tests/a.py::test_one", patterns)
    assert not plugin.is_exempt("tests/b.py::test_one", patterns)


def _skipped_report() -> pytest.TestReport:
    return pytest.TestReport(
        nodeid="tests/a.py::test_one",
        location=("tests/a.py", 1, "test_one"),
        keywords={},
        outcome="skipped",
        longrepr=("tests/a.py", 1, "Skipped: Redis is missing"),
        when="setup",
    )


def test_a_skip_stays_a_skip_unless_everything_is_asked_for(monkeypatch):
    monkeypatch.delenv("REQUIRE_ALL", raising=False)
    report = _skipped_report()
    plugin._refuse_skip(report)
    assert report.skipped

    monkeypatch.setenv("REQUIRE_ALL", "1")
    plugin._refuse_skip(report)
    assert report.failed
    assert "Redis is missing" in report.longrepr


def test_a_program_is_found_in_its_folders_newest_first(tmp_path):
    for version in ("9", "15"):
        folder = tmp_path / version / "bin"
        folder.mkdir(parents=True)
        (folder / "no-such-program-on-the-path").touch()
    program = Program("X", ("no-such-program-on-the-path",), "", folders=(f"{tmp_path}/*/bin",))
    assert program.find() == tmp_path / "15" / "bin" / "no-such-program-on-the-path"
    assert Program("Y", ("nor-this-one",), "").find() is None
