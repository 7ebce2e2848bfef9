"""The checks of the catalogues find what is missing, fuzzy or changed; the compiler needs no GNU gettext."""

import gettext

import polib
import pytest

from scripts import check_messages, compile_messages
from tests.shared import ROOT


def _catalogue(**entry) -> polib.POFile:
    catalogue = polib.POFile()
    catalogue.append(polib.POEntry(**entry))
    return catalogue


def _problems(**entry) -> list[str]:
    return check_messages.problems_of(_catalogue(**entry), language="de", wanted=None)


def test_a_complete_string_is_no_problem():
    assert _problems(msgid="%(count)s runs", msgstr="%(count)s Läufe") == []


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ({"msgid": "Sign in", "msgstr": ""}, "not translated"),
        ({"msgid": "Sign in", "msgstr": "Anmelden", "flags": ["fuzzy"]}, "fuzzy"),
        ({"msgid": "%(count)s runs", "msgstr": "Läufe"}, "other placeholders"),
        ({"msgid": "run", "msgid_plural": "runs", "msgstr_plural": {0: "Lauf", 1: ""}}, "not translated"),
        (
            {"msgid": "run", "msgid_plural": "runs", "msgstr_plural": {0: "Lauf", 1: "%(n)s Läufe"}},
            "other placeholders",
        ),
    ],
)
def test_a_fault_of_a_string_is_named(entry, what):
    assert [what in line for line in _problems(**entry)] == [True]


def test_a_string_of_the_code_that_no_catalogue_holds_is_named():
    found = check_messages.problems_of(
        _catalogue(msgid="Sign in", msgstr="Anmelden"), language="de", wanted={("", "Sign in"), ("", "Sign out")}
    )
    assert found == ["de: not in the catalogue: 'Sign out'"]


def test_a_catalogue_is_compiled_once_and_again_after_a_change(tmp_path, monkeypatch):
    folder = tmp_path / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    _catalogue(msgid="Sign in", msgstr="Anmelden").save(str(folder / "django.po"))
    monkeypatch.setattr(compile_messages, "ROOT", tmp_path)
    assert compile_messages.is_stale(folder / "django.po")
    compile_messages.main()
    assert not compile_messages.is_stale(folder / "django.po")
    with (folder / "django.mo").open("rb") as stream:
        assert gettext.GNUTranslations(stream).gettext("Sign in") == "Anmelden"


def test_catalogues_of_installed_packages_are_left_alone():
    assert not [path for path in compile_messages.catalogues(ROOT) if ".venv" in path.parts]
