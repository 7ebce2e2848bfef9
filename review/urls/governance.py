"""Addresses for stewards and coordinators: the desk and what it leads to (SPEC I-3)."""

from django.urls import path

from review.views.governance import (
    audit,
    campaigns,
    caveats,
    decisions,
    desk,
    harm,
    nominations,
    recalibration,
    report,
    talks,
    transfers,
)

_CAMPAIGN = "governance/campaigns/<uuid:uid>/"
_NOMINATION = "governance/nominations/<uuid:uid>/"
_DECISION = "governance/decisions/<uuid:uid>/"

urlpatterns = [
    path("governance/", desk.desk, name="governance"),
    path(_NOMINATION, nominations.nomination, name="nomination"),
    path(f"{_NOMINATION}nominate/", nominations.nominate, name="nominate"),
    path(f"{_NOMINATION}draft/", nominations.draft, name="nomination_draft"),
    path(_CAMPAIGN, campaigns.campaign, name="campaign"),
    path(f"{_CAMPAIGN}settings/", campaigns.settings, name="campaign_settings"),
    *(path(f"{_CAMPAIGN}{act}/", campaigns.act, {"act": act}, name=f"campaign_{act}") for act in campaigns.ACTS),
    path(f"{_CAMPAIGN}talks/<uuid:item>/", talks.talk, name="talk"),
    path(f"{_CAMPAIGN}report/", report.report, name="report"),
    path(f"{_CAMPAIGN}report/sentences/", report.sentences, name="report_sentences"),
    path(f"{_CAMPAIGN}decide/", decisions.decide, name="decide"),
    path(_DECISION, decisions.decision, name="decision"),
    path(f"{_DECISION}take-back/", decisions.take_back, name="decision_take_back"),
    path("governance/caveats/<uuid:uid>/", caveats.caveats, name="caveats"),
    path("governance/harm/<uuid:uid>/", harm.harm_flag, name="harm"),
    path("governance/transfers/<uuid:uid>/", transfers.transfer, name="transfer"),
    path("governance/languages/<str:tag>/recalibration/", recalibration.recalibration, name="recalibration"),
    path("governance/audit/", audit.audit_log, name="audit"),
    path("governance/audit/verify/", audit.audit_verify, name="audit_verify"),
]
