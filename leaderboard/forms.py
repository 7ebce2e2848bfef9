"""Forms of the leaderboard's pages. They check shape; rules are in the services."""

from typing import Any

from django import forms
from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from champollion.accounts import roles
from champollion.accounts.models import Team
from champollion.accounts.permissions import organisations_with
from corpora.constants import PUBLIC_SEGMENTS, Difficulty, Segment
from corpora.models import CorpusVersion
from leaderboard.board_columns import CHOSEN_BY_DEFAULT, COLUMNS, FIXED
from leaderboard.labels import SUBMISSION_PARTS
from leaderboard.models import Method
from leaderboard.models.method import MethodClass
from leaderboard.models.standing import VerificationLevel
from leaderboard.selectors.board import BoardFilters, Cut
from leaderboard.selectors.pairs import version_name
from leaderboard.services.handing_in import largest_file
from leaderboard.services.methods import HeldMethod

_ANY = ("", _("any"))


class BoardForm(forms.Form):
    """Filters and columns of a board, all in the address. What is wrong in it filters nothing."""

    domain = forms.ChoiceField(label=_("Domain"), required=False)
    difficulty = forms.ChoiceField(label=_("Difficulty"), required=False)
    method_class = forms.ChoiceField(label=_("Class"), required=False, choices=[_ANY, *MethodClass.choices])
    level = forms.ChoiceField(label=_("Checked by"), required=False, choices=[_ANY, *VerificationLevel.choices])
    since = forms.DateField(
        label=_("Handed in since"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    cost_max = forms.FloatField(
        label=_("Cost per entry at most, in USD"),
        required=False,
        min_value=0,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    columns = forms.MultipleChoiceField(
        label=_("Columns"),
        required=False,
        choices=[(key, column.label) for key, column in COLUMNS.items() if key not in FIXED],
        widget=forms.CheckboxSelectMultiple,
    )
    FILTERS = ("domain", "difficulty", "method_class", "level", "since", "cost_max")

    def __init__(self, *args: Any, cuts: dict[str, list[Cut]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._cuts = {(cut.kind, cut.key): cut for found in cuts.values() for cut in found}
        for kind, found in cuts.items():
            choices = [_ANY, *((cut.key, f"{cut.label} ({cut.entry_count})") for cut in found)]
            self.fields[kind].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Take a domain or a difficulty: scores were made for each of them, not for both at once."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("domain") and cleaned.get("difficulty"):
            self.add_error("difficulty", _now("Choose a domain or a difficulty; there are no scores for both at once."))
        return cleaned

    def chosen_columns(self) -> tuple[str, ...]:
        """The columns that are chosen; the default ones where none is."""
        return tuple(self.cleaned_data.get("columns") or CHOSEN_BY_DEFAULT)

    def filters(self, *, sort: str, rounds_latency: bool) -> BoardFilters:
        """What is right in the form."""
        given = self.cleaned_data
        cut = self._cuts.get(("domain", given.get("domain") or "")) or self._cuts.get(
            ("difficulty", given.get("difficulty") or "")
        )
        return BoardFilters(
            cut=cut,
            method_class=given.get("method_class") or "",
            level=given.get("level") or "",
            since=given.get("since"),
            cost_max=given.get("cost_max"),
            sort=sort,
            columns=self.chosen_columns(),
            rounds_latency=rounds_latency,
        )


class RunEntriesForm(forms.Form):
    """Which entries of a run to list, and in which order."""

    difficulty = forms.TypedChoiceField(
        label=_("Difficulty"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[_ANY, *((value, f"{value} {label}") for value, label in Difficulty.choices)],
    )
    domain = forms.ChoiceField(label=_("Domain"), required=False)
    only = forms.ChoiceField(
        label=_("Outputs"),
        required=False,
        choices=[("", _("all")), ("unusable", _("empty, errored or missing")), ("usable", _("the others"))],
    )
    order = forms.ChoiceField(
        label=_("Order"),
        required=False,
        choices=[("", _("as in the corpus")), ("lowest", _("lowest chrF++ first")), ("highest", _("highest first"))],
    )

    def __init__(self, *args: Any, domains: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["domain"].choices = [_ANY, *domains]  # type: ignore[attr-defined]


class RunForm(forms.Form):
    """A run's file, its method, and what the file does not say."""

    file = forms.FileField(
        label=_("Run file"),
        help_text=_(
            "A run card, a test report of the harness, or plain outputs: one a line, or CSV, TSV or JSON Lines with "
            "entry_id and predicted."
        ),
    )
    rows = forms.FileField(
        label=_("Per-entry rows of a sealed card"),
        required=False,
        help_text=_("The harness writes them beside the card. Without them a card is listed as claimed only."),
    )
    log = forms.FileField(
        label=_("Run log of a test report"),
        required=False,
        help_text=_("It says what the report leaves out: harness version, time, and the prompt's hash."),
    )
    method = forms.ModelChoiceField(
        Method.objects.none(),
        label=_("Method"),
        required=False,
        to_field_name="uid",
        empty_label=_("a new method, named below"),
    )
    method_name = forms.CharField(label=_("Name of the new method"), max_length=160, required=False)
    team = forms.ModelChoiceField(
        Team.objects.none(),
        label=_("Team that made it"),
        required=False,
        to_field_name="slug",
        empty_label=_("a new team, named below"),
    )
    team_name = forms.CharField(label=_("Name of the new team"), max_length=120, required=False)
    method_class = forms.ChoiceField(label=_("Class"), choices=MethodClass.choices, initial=MethodClass.RAW_LLM)
    version = forms.ChoiceField(
        label=_("Corpus version"),
        required=False,
        help_text=_("Found by the file's ids and texts where you leave it open; outputs one a line need it."),
    )
    segment = forms.ChoiceField(label=_("Segment"), required=False)
    model = forms.CharField(label=_("Model"), max_length=200, required=False)
    condition = forms.CharField(
        label=_("Condition"), max_length=60, required=False, help_text=_("Such as naive or coached")
    )
    temperature = forms.CharField(label=_("Temperature"), max_length=40, required=False)
    prompt_version = forms.CharField(label=_("Prompt version"), max_length=120, required=False)
    held_file_name = forms.CharField(label=_("File name of the held method"), max_length=255, required=False)
    held_sha256 = forms.RegexField(
        r"^[0-9a-fA-F]{64}$",
        label=_("Its SHA-256"),
        required=False,
        error_messages={"invalid": _("A SHA-256 has 64 characters 0-9 and a-f.")},
    )
    held_place = forms.CharField(
        label=_("Where it lies"), max_length=255, required=False, help_text=_("Such as “safe of the council, disk 2”")
    )
    held_parts = forms.MultipleChoiceField(
        label=_("What came with it"),
        required=False,
        choices=list(SUBMISSION_PARTS.items()),
        widget=forms.CheckboxSelectMultiple,
    )
    CONFIGURATION = ("model", "condition", "temperature", "prompt_version")
    HELD = ("held_file_name", "held_sha256", "held_place")

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_steward = bool(organisations_with(user, "run.submit_secret"))
        own_teams = Q() if self.is_steward else Q(pk__in=roles.team_ids(user))
        of_teams = Q() if self.is_steward else Q(team__in=roles.team_ids(user))
        self.fields["method"].queryset = Method.objects.filter(of_teams).order_by("name")  # type: ignore[attr-defined]
        teams = Team.objects.filter(own_teams).order_by("name")
        self.fields["team"].queryset = teams  # type: ignore[attr-defined]
        if not self.is_steward:
            self.initial.setdefault("team", teams.first())
        self._offer_versions()
        segments = [Segment.GOLD_STANDARD, *PUBLIC_SEGMENTS] if self.is_steward else PUBLIC_SEGMENTS
        choices = [("", _("as the entries say")), *((one.value, one.label) for one in segments)]
        self.fields["segment"].choices = choices  # type: ignore[attr-defined]
        if not self.is_steward:
            for name in (*self.HELD, "held_parts"):
                del self.fields[name]

    def _offer_versions(self) -> None:
        versions = (
            CorpusVersion.objects.filter(status=CorpusVersion.Status.READY)
            .select_related("corpus")
            .order_by("corpus__corpus_id", "-order_key")
        )
        self._versions = {version_name(one): one for one in versions}
        choices = [("", _("found by the file")), *((name, name) for name in self._versions)]
        self.fields["version"].choices = choices  # type: ignore[attr-defined]

    def clean_file(self) -> Any:
        """Refuse a file over the limit before it is read."""
        return self._within("file", largest_file(self.cleaned_data["file"].file))

    def clean_rows(self) -> Any:
        return self._within("rows", settings.MAX_DOCUMENT_BYTES)

    def clean_log(self) -> Any:
        return self._within("log", settings.MAX_DOCUMENT_BYTES)

    def _within(self, name: str, limit: int) -> Any:
        upload = self.cleaned_data[name]
        if upload and upload.size > limit:
            raise forms.ValidationError(
                _now("The file has %(size)s bytes; at most %(limit)s are taken. Nothing was stored.")
                % {"size": upload.size, "limit": limit}
            )
        return upload

    def clean(self) -> dict[str, Any]:
        """Ask for a team where the method is new, and for the held method whole or not at all."""
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("method") and not cleaned.get("team") and not cleaned.get("team_name"):
            self.add_error("team", _now("Choose the team that made the method, or name a new one."))
        given = [name for name in self.HELD if cleaned.get(name)]
        for name in self.HELD:
            if given and not cleaned.get(name) and name in self.fields and name not in self.errors:
                self.add_error(name, _now("A held method needs its file name, its SHA-256 and its place."))
        return cleaned

    def corpus_version(self) -> CorpusVersion | None:
        """The version that the uploader names, if any."""
        return self._versions.get(self.cleaned_data["version"])

    def configuration(self) -> dict[str, str]:
        """What is stated of the method's set-up."""
        return {name: self.cleaned_data[name].strip() for name in self.CONFIGURATION if self.cleaned_data[name].strip()}

    def held(self) -> HeldMethod | None:
        """Where the organisation holds the method, if that is stated."""
        if not self.cleaned_data.get("held_sha256"):
            return None
        return HeldMethod(
            file_name=self.cleaned_data["held_file_name"],
            sha256=self.cleaned_data["held_sha256"].lower(),
            place=self.cleaned_data["held_place"],
            parts=self.cleaned_data["held_parts"],
        )
