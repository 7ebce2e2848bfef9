"""Forms of the corpora pages. They check shape; what a file says is checked by `corpora.validation`."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from champollion.accounts.models import Organisation
from champollion.accounts.permissions import organisations_with
from corpora import selectors
from corpora.constants import PUBLIC_SEGMENTS, Difficulty, Domain, Segment
from corpora.formats.base import ReadOptions
from corpora.models import CorpusVersion
from corpora.services.imports import Attestation


class UploadForm(forms.Form):
    """The file, what it does not say, and the attestation."""

    organisation = forms.ModelChoiceField(
        Organisation.objects.none(), label=_("Organisation"), to_field_name="slug", empty_label=None
    )
    file = forms.FileField(
        label=_("Corpus file"),
        help_text=_(
            "JSON in UTF-8, or in UTF-16 with a byte order mark. Each entry has an id, a source and a reference."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )
    id = forms.CharField(label=_("Corpus id"), max_length=100, required=False)
    version = forms.CharField(
        label=_("Version"), max_length=40, required=False, help_text=_("Two or three numbers, such as 1.0")
    )
    source_language = forms.CharField(
        label=_("Source language"), max_length=35, required=False, help_text=_("A language tag, such as en")
    )
    target_language = forms.CharField(
        label=_("Target language"), max_length=35, required=False, help_text=_("A language tag, such as cy or crk")
    )
    created = forms.CharField(label=_("Made on"), max_length=60, required=False, help_text=_("Such as 2026-06-07"))
    license = forms.CharField(
        label=_("Licence"),
        max_length=200,
        required=False,
        help_text=_("An SPDX expression, such as CC-BY-4.0, or LicenseRef- and a name of your own"),
    )
    provenance = forms.CharField(
        label=_("Provenance tags"),
        max_length=400,
        required=False,
        help_text=_("Where the sentences are from, with commas between, such as textbook, elicited"),
    )
    segment = forms.ChoiceField(
        label=_("Segment of entries that name none"),
        required=False,
        choices=[("", _("as the file says, else development")), *Segment.choices],
    )
    domain = forms.ChoiceField(
        label=_("Domain of entries that name none"), required=False, choices=[("", _("none")), *Domain.choices]
    )
    attested = forms.BooleanField(
        label=_("I attest that people wrote the references in this file, and that no machine made them."),
        error_messages={"required": _("Say that people wrote the references. Machine-made references are not taken.")},
    )
    statement = forms.CharField(
        label=_("If a word of the provenance is refused: what it means here"),
        required=False,
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Only if the word does not mean that a machine made the references. The statement is stored."),
    )

    #: What the file may leave open, in the order of the form.
    ENVELOPE = (
        "id",
        "version",
        "source_language",
        "target_language",
        "created",
        "license",
        "provenance",
        "segment",
        "domain",
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = Organisation.objects.filter(pk__in=organisations_with(user, "corpus.import")).order_by("name")
        self.fields["organisation"].queryset = own  # type: ignore[attr-defined]
        self.initial.setdefault("organisation", own.first())

    def options(self) -> ReadOptions:
        """What the file does not say, or is to say otherwise."""
        given = {name: self.cleaned_data[name].strip() for name in self.ENVELOPE if name != "provenance"}
        tags = tuple(tag.strip() for tag in self.cleaned_data["provenance"].split(",") if tag.strip())
        return ReadOptions(**given, provenance=tags)

    def attestation(self, name: str) -> Attestation:
        """Who attests, and what is stated."""
        return Attestation(
            name=name, is_given=self.cleaned_data["attested"], statement=self.cleaned_data["statement"].strip()
        )


class EntryFilterForm(forms.Form):
    """Filters of the entries of one version; every one may be left open."""

    q = forms.CharField(label=_("Words"), required=False, max_length=200)
    segment = forms.ChoiceField(label=_("Segment"), required=False)
    difficulty = forms.TypedChoiceField(
        label=_("Difficulty"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", _("any")), *((value, f"{value} – {label}") for value, label in Difficulty.choices)],
    )
    domain = forms.ChoiceField(label=_("Domain"), required=False, choices=[("", _("any")), *Domain.choices])
    register = forms.ChoiceField(label=_("Register"), required=False)
    context = forms.ChoiceField(label=_("Context"), required=False)
    provenance = forms.ChoiceField(label=_("Provenance"), required=False)
    phenomenon = forms.CharField(label=_("Phenomenon"), required=False, max_length=200)
    variant_class = forms.CharField(label=_("Variant class"), required=False, max_length=60)

    def __init__(self, *args: Any, version: CorpusVersion, may_read: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        allowed = Segment if may_read else PUBLIC_SEGMENTS
        self._choose("segment", [(segment.value, segment.label) for segment in allowed], _("all public ones"))
        for name, column in (("register", "register"), ("context", "context"), ("provenance", "provenance_name")):
            found = selectors.values_of(version, column, may_read=may_read)
            self._choose(name, [(value, value) for value in found], _("any"))

    def _choose(self, name: str, choices: list[tuple[str, Any]], nothing: Any) -> None:
        self.fields[name].choices = [("", nothing), *choices]  # type: ignore[attr-defined]

    def filters(self) -> dict[str, Any]:
        """The filters that are set; a form that is wrong filters nothing but what is right in it."""
        return {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}
