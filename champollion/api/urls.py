"""Addresses of the API (SPEC I-4)."""

from django.urls import path, re_path

from champollion.api.views import boards, corpora, governance, organisations, rating, root, runs, submissions

app_name = "api"
urlpatterns = [
    path("schema/", root.Schema.as_view(), name="schema"),
    path("docs/", root.documentation, name="docs"),
    path("v1/", root.Entrance.as_view(), name="entrance"),
    path("v1/organisations/", organisations.OrganisationList.as_view(), name="organisations"),
    path("v1/organisations/<slug:slug>/", organisations.OrganisationDetail.as_view(), name="organisation"),
    path("v1/corpora/", corpora.CorpusList.as_view(), name="corpora"),
    path("v1/corpora/<str:corpus_id>/", corpora.CorpusDetail.as_view(), name="corpus"),
    path("v1/corpus-versions/", corpora.VersionList.as_view(), name="corpus_versions"),
    path("v1/corpus-versions/<uuid:uid>/", corpora.VersionDetail.as_view(), name="corpus_version"),
    path("v1/entries/", corpora.EntryList.as_view(), name="entries"),
    path("v1/entries/<uuid:uid>/", corpora.EntryDetail.as_view(), name="entry"),
    path("v1/methods/", runs.MethodList.as_view(), name="methods"),
    path("v1/methods/<uuid:uid>/", runs.MethodDetail.as_view(), name="method"),
    path("v1/runs/", submissions.RunList.as_view(), name="runs"),
    path("v1/runs/<uuid:uid>/", runs.RunDetail.as_view(), name="run"),
    path("v1/runs/<uuid:uid>/card/", runs.RunCard.as_view(), name="run_card"),
    path("v1/score-sets/", runs.ScoreSetList.as_view(), name="score_sets"),
    path("v1/score-sets/<uuid:uid>/", runs.ScoreSetDetail.as_view(), name="score_set"),
    path("v1/leaderboard/", boards.Board.as_view(), name="leaderboard"),
    path("v1/nominations/", governance.NominationList.as_view(), name="nominations"),
    path("v1/nominations/<uuid:uid>/", governance.NominationDetail.as_view(), name="nomination"),
    path("v1/campaigns/", governance.CampaignList.as_view(), name="campaigns"),
    path("v1/campaigns/<uuid:uid>/", governance.CampaignDetail.as_view(), name="campaign"),
    path("v1/items/", rating.ItemList.as_view(), name="items"),
    path("v1/ratings/", rating.RatingList.as_view(), name="ratings"),
    path("v1/decisions/", governance.DecisionList.as_view(), name="decisions"),
    path("v1/decisions/<uuid:uid>/", governance.DecisionDetail.as_view(), name="decision"),
    path("v1/transfers/", governance.TransferList.as_view(), name="transfers"),
    path("v1/transfers/<uuid:uid>/", governance.TransferDetail.as_view(), name="transfer"),
    path("v1/audit-log/", governance.AuditLog.as_view(), name="audit_log"),
    path("v1/jobs/<uuid:uid>/", runs.JobDetail.as_view(), name="job"),
    re_path(r"^v1/.+$", root.Nowhere.as_view(), name="nowhere"),
]
