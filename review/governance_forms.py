"""Forms of the steward's pages: shape only; the services decide."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from champollion.accounts.models import User
from champollion.audit.acts import ACTS
from leaderboard.labels import caveat_name
from review.decision_rules import Ground
from review.labels import GRADE_CHOICES
from review.models import AcceptancePolicy, Campaign, Decision

_LONGEST = 4000


def _reason_field(label: Any, *, required: bool = False, help_text: Any = "") -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 4})
    return forms.CharField(label=label, max_length=_LONGEST, required=required, help_text=help_text, widget=widget)


class ReasonForm(forms.Form):
    """A reason, asked for by the confirmation of an act."""

    reason = _reason_field(
        _("Reason"), required=True, help_text=_("Kept in the audit log. Quote no sentence of a secret segment.")
    )

    def __init__(self, *args: Any, is_required: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = is_required


class DraftForm(forms.Form):
    """What may be changed of a draft before it opens."""

    size = forms.IntegerField(
        label=_("Outputs in the sample"),
        required=False,
        min_value=1,
        help_text=_("Leave it empty for what the rule gives. It can be raised, never lowered."),
    )
    overlap = forms.TypedChoiceField(
        label=_("Speakers for each output"),
        choices=[(3, _("three")), (2, _("two")), (1, _("one: the result only describes"))],
        coerce=int,
        widget=forms.RadioSelect,
    )
    policy = forms.ChoiceField(label=_("Acceptance policy"), widget=forms.RadioSelect)
    shows_reference = forms.BooleanField(
        label=_("Show the person's translation after a rating is saved"),
        required=False,
        help_text=_("A second answer is then kept beside the first; estimates use the first."),
    )

    def __init__(self, *args: Any, campaign: Campaign, policies: list[AcceptancePolicy], **kwargs: Any) -> None:
        chosen = next(
            (p for p in policies if (p.name, p.version) == (campaign.policy_name, campaign.policy_version)), policies[0]
        )
        initial = {
            "size": campaign.chosen_size,
            "overlap": campaign.overlap,
            "policy": str(chosen.uid),
            "shows_reference": campaign.shows_reference,
        }
        kwargs.setdefault("initial", initial)
        super().__init__(*args, **kwargs)
        self._policies = {str(policy.uid): policy for policy in policies}
        self.fields["policy"].choices = [(uid, str(policy)) for uid, policy in self._policies.items()]  # type: ignore[attr-defined]

    def clean_policy(self) -> AcceptancePolicy:
        """Return the chosen policy itself."""
        return self._policies[self.cleaned_data["policy"]]


class DecisionForm(forms.Form):
    """What a steward proposes. Fields that the campaign does not ask for are left out."""

    kind = forms.ChoiceField(label=_("Your decision"), widget=forms.RadioSelect)
    transfer = forms.ChoiceField(
        label=_("The ownership transfer, if you approve"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Say whether the ownership transfer starts or is waived.")},
    )
    waive_reason = _reason_field(_("Why the transfer is waived"), help_text=_("Only if you waive it."))
    developer_agreement = _reason_field(
        _("The developer's written agreement"),
        help_text=_("Only if you approve against the policy and start the transfer: who agreed, when and how."),
    )
    override_reason = _reason_field(
        _("Which rule you set aside, and why"),
        help_text=_("Only if you approve against the policy. Shown wherever the result is shown."),
    )
    reason = _reason_field(
        _("Reason"),
        required=True,
        help_text=_("Kept in the audit log and told to the developer. Quote no sentence of a secret segment."),
    )

    def __init__(self, *args: Any, ground: Ground, choices: list[tuple[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kind"].choices = choices  # type: ignore[attr-defined]
        if self.is_bound and self.data.get("kind") != Decision.Kind.APPROVE:
            self.fields["transfer"].required = False
        asks_for_transfer = ground.asks_for_transfer and any(kind == Decision.Kind.APPROVE for kind, _label in choices)
        if asks_for_transfer:
            self.fields["transfer"].choices = _transfer_choices(ground)  # type: ignore[attr-defined]
        if not asks_for_transfer:
            self._leave_out("transfer", "waive_reason", "developer_agreement")
        elif ground.has_one_steward:
            self._leave_out("waive_reason")
        if ground.meets or ground.has_one_steward or not any(kind == Decision.Kind.APPROVE for kind, _label in choices):
            self._leave_out("override_reason", "developer_agreement")

    def _leave_out(self, *names: str) -> None:
        for name in names:
            self.fields.pop(name, None)


def _transfer_choices(ground: Ground) -> list[tuple[str, Any]]:
    choices: list[tuple[str, Any]] = [(Decision.TransferChoice.START, _("Start it"))]
    if not ground.has_one_steward:
        choices.append((Decision.TransferChoice.WAIVE, _("Waive it, with a reason")))
    return choices


class SignatureForm(forms.Form):
    """What another steward says to a proposal."""

    confirms = forms.ChoiceField(
        label=_("Your signature"),
        choices=[("yes", _("Confirm")), ("no", _("Do not confirm"))],
        widget=forms.RadioSelect,
    )
    reason = _reason_field(_("Reason"), help_text=_("Needed if you do not confirm. Kept in the audit log."))


class CaveatForm(forms.Form):
    """Which caveat a steward acknowledges, and why."""

    code = forms.ChoiceField(label=_("Caveat"), widget=forms.RadioSelect)
    reason = _reason_field(_("Reason"), required=True, help_text=_("Kept in the audit log."))

    def __init__(self, *args: Any, codes: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].choices = [(code, caveat_name(code)) for code in codes]  # type: ignore[attr-defined]


class HarmForm(forms.Form):
    """What a steward says of a harm flag."""

    confirms = forms.ChoiceField(
        label=_("Is this output harmful?"),
        choices=[("yes", _("Yes, confirm the flag")), ("no", _("No, dismiss the flag"))],
        widget=forms.RadioSelect,
    )
    reason = _reason_field(_("Reason"), required=True, help_text=_("Kept in the audit log. Do not quote the output."))


class TalkForm(forms.Form):
    """What two speakers agreed on."""

    first_speaker = forms.ChoiceField(label=_("First speaker"))
    second_speaker = forms.ChoiceField(label=_("Second speaker"))
    grade = forms.TypedChoiceField(
        label=_("The grade they agreed on"), choices=GRADE_CHOICES, coerce=int, widget=forms.RadioSelect
    )
    reason = _reason_field(_("Reason"), required=True, help_text=_("In the speakers' words; kept like a comment."))

    def __init__(self, *args: Any, speakers: list[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(str(speaker.uid), speaker.display_name) for speaker in speakers]
        for name in ("first_speaker", "second_speaker"):
            self.fields[name].choices = [("", _("Choose")), *choices]  # type: ignore[attr-defined]


class AuditFilterForm(forms.Form):
    """Which records of the chain are shown."""

    act = forms.ChoiceField(label=_("Act"), required=False, choices=[("", _("all acts")), *ACTS.items()])
    who = forms.CharField(label=_("Who"), required=False, max_length=120)
    thing = forms.CharField(label=_("Object id"), required=False, max_length=120)
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
