"""`import_corpus` at the command line."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from corpora.models import Corpus, CorpusVersion

from .files import document, entry


@pytest.fixture
def run(tmp_path, organisation):
    """Run the command on a value; returns what it printed: output, errors."""

    def make(value, *options):
        path = tmp_path / "corpus.json"
        path.write_text(json.dumps(value), encoding="utf-8")
        out, err = io.StringIO(), io.StringIO()
        try:
            call_command("import_corpus", str(path), "--organisation", "galician", *options, stdout=out, stderr=err)
        except CommandError as error:
            return out.getvalue(), err.getvalue() + str(error)
        return out.getvalue(), err.getvalue()

    return make


def test_it_stores_a_file_and_says_so_in_a_line(run):
    out, _ = run(document(), "--attest-human-references", "--attested-by", "The council")
    assert out.startswith("Stored django-gl 1.0 with 1 entries;")
    assert CorpusVersion.objects.get().attested_by_name == "The council"
    out, _ = run(document(), "--attest-human-references")
    assert "is here already" in out


def test_without_attestation_it_refuses(run):
    _, err = run(document())
    assert "Say that people wrote the references." in err
    assert not Corpus.objects.exists()


def test_a_dry_run_stores_nothing(run):
    out, err = run(document(), "--dry-run")
    assert out.strip().endswith("Nothing was stored.")
    assert "warning: corpus: segment: “development” The segment is small: 1 of at least 30 entries." in err
    assert not Corpus.objects.exists()


def test_errors_are_printed_each_with_place_and_remedy(run):
    _, err = run(document(entry(1, difficulty=7)), "--attest-human-references")
    assert "error: entry 1 (1): difficulty: “7” Use a whole number from 1 to 5, without quotes." in err
    assert "Nothing was stored: 1 thing to put right." in err


def test_errors_as_json(run):
    out, err = run(document(entry(1, difficulty=7)), "--dry-run", "--json")
    told = json.loads(out)
    assert (told["stored"], told["error_count"], told["errors"][0]["code"]) == (False, 1, "bad_difficulty")
    assert "Nothing was stored" in err


def test_the_outcome_as_json(run):
    out, _ = run(document(), "--attest-human-references", "--json")
    version = CorpusVersion.objects.get()
    told = json.loads(out)
    assert (told["stored"], told["sha256"], told["corpus"]) == (True, version.sha256, "django-gl")


def test_options_override_the_envelope(run):
    options = ["--id", "other", "--version", "3.0", "--license", "MIT", "--segment", "diagnostic", "--domain", "edu"]
    options += ["--source-language", "es", "--target-language", "gl", "--created", "2026-01-01", "--format", "json"]
    run(
        document(entry(1, segment=None, domain=None)), *options, "--provenance", "elicited", "--attest-human-references"
    )
    version = CorpusVersion.objects.get()
    assert (version.corpus.corpus_id, version.version, version.license) == ("other", "3.0", "MIT")
    assert (version.corpus.source_language, version.created_as_given) == ("es", "2026-01-01")
    assert version.provenance_tags == ["elicited"]
    assert (version.entries.get().segment, version.entries.get().domain) == ("diagnostic", "edu")


def test_an_unknown_organisation_or_file_is_said(tmp_path, organisation):
    with pytest.raises(CommandError, match="no organisation"):
        call_command("import_corpus", str(tmp_path / "x.json"), "--organisation", "nobody")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_corpus", str(tmp_path / "x.json"), "--organisation", "galician")


def test_an_actor_without_the_right_is_refused(run, steward):
    _, err = run(document(), "--attest-human-references", "--actor", steward.email)
    assert "Only curators" in err
