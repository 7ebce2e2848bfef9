"""Who gets what from every address (SPEC S-1, Q-3): one row an address and object, a cell for reading, one for acting.

A cell is read from left to right; each clause names roles and what they get:

    "anonymous login; own coordinator steward 200; own rest 403; rest 404"

`own` are the roles of the organisation that the object belongs to (and the developer of the team whose method it is),
`other` those of another organisation; without a place both are meant. The first clause that names a person counts: `own
rest` are the roles of the organisation that no clause before named, `rest` is everybody left. `login` is the way to the
sign-in page. `in` stands for whoever may act: what they get depends on the act, and is neither 401, 403, 404 nor 405.

A new address without a row fails ``test_access_matrix.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

ALL = "rest 200"
NOT_READ = "rest 405"
SIGNED_IN = "anonymous login; rest 200"
#: Strangers learn nothing, members of the organisation learn that the right is missing.
STEWARD = "anonymous login; own steward 200; own rest 403; rest 404"
STEWARD_ACTS = "anonymous login; own steward in; own rest 403; rest 404"
RUNS_CAMPAIGN = "anonymous login; own coordinator steward 200; own rest 403; rest 404"
RUNS_CAMPAIGN_ACTS = "anonymous login; own coordinator steward in; own rest 403; rest 404"
REPORT = "anonymous login; own curator steward 200; own rest 403; rest 404"
ACTS_ONLY = "anonymous login; rest 405"
#: The API says 401 where a page leads to the sign-in.
API_STEWARD = "anonymous 401; own steward 200; own rest 403; rest 404"
API_STEWARDS = "anonymous 401; steward 200; rest 403"
HANDS_IN = "anonymous login; developer steward 200; rest 403"
#: Secret text, and what is made of it, is there for those alone who may read it.
READS_SECRET = "own curator steward 200; rest 404"
REASON = {"reason": "A reason for the test.", "confirm": "on"}


@dataclass(frozen=True)
class Row:
    """An address. `values` fill it, by name of ``addresses.values_of``; without `acts` it takes no POST."""

    pattern: str
    reads: str
    acts: str = ""
    values: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    body: dict[str, object] = field(default_factory=dict)
    as_json: bool = False


_CORPUS = {"corpus_id": "corpus", "version": "version_name"}
_OPEN, _DRAFT, _DECIDED = {"uid": "open"}, {"uid": "draft"}, {"uid": "decided"}
_TOKEN = {"uid": "token"}
_NOMINATION, _DECISION = {"uid": "nomination"}, {"uid": "decision"}
_PUBLIC_RUN, _SECRET_RUN = {"uid": "public_run"}, {"uid": "secret_run"}
_BOARD_FILE = {"pair": "pair", "extension": "csv"}
_CAMPAIGN = "governance/campaigns/<uuid:uid>/"

PAGES = [
    Row("", ALL),
    Row("help/", ALL),
    Row("help/style/", ALL),
    Row("help/<slug:slug>/", ALL, values={"slug": "speakers"}),
    Row("healthz", ALL),
    Row("readyz", ALL),
    Row("look/", NOT_READ, "rest in"),
    Row("healthz", ALL),
    Row("readyz", ALL),
    Row("i18n/setlang/", "rest 302", "rest in"),
]

CORPORA = [
    Row("corpora/", ALL),
    Row("corpora/new/", "anonymous login; curator 200; rest 403", "anonymous login; curator in; rest 403"),
    Row("corpora/<str:corpus_id>/", "rest 302", values=_CORPUS),
    Row("corpora/<str:corpus_id>/<str:version>/", ALL, values=_CORPUS),
    Row("corpora/<str:corpus_id>/<str:version>/entries/", ALL, values=_CORPUS),
    Row("corpora/<str:corpus_id>/<str:version>/public.json", ALL, values=_CORPUS),
]

LEADERBOARD = [
    Row("leaderboard/", ALL),
    Row("leaderboard/<str:pair>/", ALL, values={"pair": "pair"}),
    Row("leaderboard/rows/<uuid:uid>.json", ALL, values={"uid": "standing"}),
    Row(r"^leaderboard/(?P<pair>[^/]+)/board\.(?P<extension>csv|json)$", ALL, values=_BOARD_FILE),
    Row("methods/<uuid:uid>/", ALL, values={"uid": "method"}),
    Row("runs/<uuid:uid>/", ALL, values=_PUBLIC_RUN),
    Row("runs/<uuid:uid>/", ALL, values=_SECRET_RUN),
    Row("runs/<uuid:uid>/entries/", ALL, values=_PUBLIC_RUN),
    Row("runs/<uuid:uid>/entries/", READS_SECRET, values=_SECRET_RUN),
    Row("runs/<uuid:uid>/entries/", READS_SECRET, values={"uid": "rated_run"}),
    Row("runs/<uuid:uid>/card.json", ALL, values=_PUBLIC_RUN),
    Row("runs/<uuid:uid>/card.json", ALL, values=_SECRET_RUN),
    Row("runs/<uuid:uid>/card.json", ALL, values={"uid": "rated_run"}),
    Row("runs/<uuid:uid>/document/", ALL, values=_PUBLIC_RUN),
    Row("runs/<uuid:uid>/document/", READS_SECRET, values=_SECRET_RUN),
    Row("runs/<uuid:uid>/document/", READS_SECRET, values={"uid": "rated_run"}),
    # The uploader, and stewards; the run did not fail, so nothing comes of it.
    Row(
        "runs/<uuid:uid>/score/",
        ACTS_ONLY,
        "anonymous login; own developer steward in; own rest 403; rest 404",
        values=_PUBLIC_RUN,
    ),
    # A run that has its corpus stays as it is, whoever asks.
    Row("runs/<uuid:uid>/anchor/", ACTS_ONLY, "anonymous login; rest in", values=_PUBLIC_RUN),
    # Without runs it says how to choose them; of a secret segment everybody sees sums alone. See test_compare_page.
    Row("compare/", ALL),
    Row("compare/", "rest 409", query={"a": "secret_run", "b": "secret_run"}),
    Row("submit/", HANDS_IN),
    Row("submit/run/", HANDS_IN, "anonymous login; developer steward in; rest 403"),
]

REVIEW = [
    Row("review/", "anonymous login; speaker helper 200; rest 403"),
    Row("review/<uuid:uid>/rate/", "anonymous login; own speaker 200; own rest 403; rest 404", values=_OPEN),
    Row("review/<uuid:uid>/block/", NOT_READ, "anonymous login; own speaker in; own rest 403; rest 404", values=_OPEN),
    # An act names an item that is leased to the speaker of the organisation; for everybody else there is no such item.
    Row(
        "review/<uuid:uid>/ratings/",
        NOT_READ,
        "anonymous 401; own speaker in; rest 404",
        values=_OPEN,
        body={"act": "rate", "item": "leased", "key": "new key", "grade": 3},
        as_json=True,
    ),
]

GOVERNANCE = [
    Row("governance/", "anonymous login; coordinator steward 200; rest 403"),
    Row("governance/nominations/<uuid:uid>/", STEWARD, values=_NOMINATION),
    Row("governance/nominations/<uuid:uid>/nominate/", STEWARD, STEWARD_ACTS, values=_NOMINATION),
    Row("governance/nominations/<uuid:uid>/draft/", ACTS_ONLY, STEWARD_ACTS, values=_NOMINATION),
    Row(_CAMPAIGN, RUNS_CAMPAIGN, values=_OPEN),
    Row(f"{_CAMPAIGN}settings/", STEWARD, STEWARD_ACTS, values=_DRAFT),
    Row(f"{_CAMPAIGN}open/", STEWARD, STEWARD_ACTS, values=_DRAFT),
    Row(f"{_CAMPAIGN}discard/", STEWARD, STEWARD_ACTS, values=_DRAFT, body=REASON),
    Row(f"{_CAMPAIGN}suspend/", RUNS_CAMPAIGN, RUNS_CAMPAIGN_ACTS, values=_OPEN, body=REASON),
    Row(f"{_CAMPAIGN}resume/", RUNS_CAMPAIGN, RUNS_CAMPAIGN_ACTS, values=_OPEN, body=REASON),
    Row(f"{_CAMPAIGN}close/", RUNS_CAMPAIGN, RUNS_CAMPAIGN_ACTS, values=_OPEN, body=REASON),
    Row(f"{_CAMPAIGN}withdraw/", STEWARD, STEWARD_ACTS, values=_OPEN, body=REASON),
    Row(f"{_CAMPAIGN}talks/<uuid:item>/", RUNS_CAMPAIGN, RUNS_CAMPAIGN_ACTS, values={"uid": "open", "item": "item"}),
    Row(f"{_CAMPAIGN}report/", REPORT, values=_DECIDED),
    Row(f"{_CAMPAIGN}report/sentences/", REPORT, values=_DECIDED),
    Row(f"{_CAMPAIGN}decide/", STEWARD, STEWARD_ACTS, values=_DECIDED, body={**REASON, "kind": "refuse"}),
    Row("governance/decisions/<uuid:uid>/", STEWARD, STEWARD_ACTS, values=_DECISION, body={"confirms": "yes"}),
    Row("governance/decisions/<uuid:uid>/take-back/", ACTS_ONLY, STEWARD_ACTS, values=_DECISION, body=REASON),
    Row("governance/caveats/<uuid:uid>/", STEWARD, STEWARD_ACTS, values=_PUBLIC_RUN, body=REASON),
    Row("governance/harm/<uuid:uid>/", STEWARD, STEWARD_ACTS, values={"uid": "flag"}, body=REASON),
    Row("governance/transfers/<uuid:uid>/", STEWARD, values={"uid": "transfer"}),
    Row("governance/languages/<str:tag>/recalibration/", STEWARD, values={"tag": "governed"}),
    Row("governance/audit/", "anonymous login; steward maintainer 200; rest 403"),
    Row("governance/audit/verify/", ACTS_ONLY, "anonymous login; steward maintainer in; rest 403"),
]

_LEADS_ON = "anonymous login; rest 302"
_ASKS_WHO = "anonymous login; rest 403"
ACCOUNT = [
    Row("account/tokens/", SIGNED_IN, "anonymous login; rest in", body={"name": "a program"}),
    # The token is the own steward's.
    Row("account/tokens/<uuid:uid>/revoke/", ACTS_ONLY, "anonymous login; own steward in; rest 404", values=_TOKEN),
    Row("account/login/", "anonymous 200; rest 302", "anonymous in; rest 302"),
    Row("account/login/code/", "anonymous 200; rest 302", "anonymous in; rest 302"),
    Row("account/login/code/confirm/", _LEADS_ON, _LEADS_ON),
    Row("account/logout/", "anonymous 302; rest 200", "rest in"),
    Row("account/inactive/", ALL),
    Row("account/signup/", "anonymous 200; rest 302", "anonymous in; rest 302"),
    Row("account/reauthenticate/", _ASKS_WHO, _ASKS_WHO),
    Row("account/reauthenticate/code/", _ASKS_WHO, _ASKS_WHO),
    Row("account/reauthenticate/code/confirm/", _LEADS_ON, _LEADS_ON),
    Row("account/email/", SIGNED_IN, "anonymous login; rest in"),
    Row("account/confirm-email/", _LEADS_ON, _LEADS_ON),
    Row("account/password/change/", _LEADS_ON, _LEADS_ON),
    Row("account/password/set/", SIGNED_IN, "anonymous login; rest in"),
    Row("account/password/reset/", ALL, "rest in"),
    Row("account/password/reset/done/", ALL),
    Row("account/password/reset/key/done/", ALL),
    Row(
        "account/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        ALL,
        "rest in",
        values={"uidb36": "1", "key": "not-a-key"},
    ),
    Row("account/2fa/", SIGNED_IN),
    Row("account/2fa/authenticate/", _LEADS_ON, _LEADS_ON),
    Row("account/2fa/reauthenticate/", _ASKS_WHO, _ASKS_WHO),
    Row("account/2fa/totp/activate/", _ASKS_WHO, _ASKS_WHO),
    Row("account/2fa/totp/deactivate/", "anonymous login; rest 404", "anonymous login; rest 404"),
    Row("account/2fa/recovery-codes/", "anonymous login; rest 404"),
    Row("account/2fa/recovery-codes/generate/", _ASKS_WHO, _ASKS_WHO),
    Row("account/2fa/recovery-codes/download/", "anonymous login; rest 404", "anonymous login; rest 404"),
]

_OWN_LOG, _INSTALLATION = "anonymous 401; own steward 200", {"chain": "installation"}
_SECRET = {"version": "version", "segment": "gold_standard"}
API = [
    Row("api/schema/", ALL),
    Row("api/docs/", ALL),
    Row("api/v1/", ALL),
    Row("api/v1/organisations/", ALL),
    Row("api/v1/organisations/<slug:slug>/", ALL, values={"slug": "organisation"}),
    Row("api/v1/corpora/", ALL),
    Row("api/v1/corpora/<str:corpus_id>/", ALL, values={"corpus_id": "corpus"}),
    Row("api/v1/corpus-versions/", ALL),
    Row("api/v1/corpus-versions/<uuid:uid>/", ALL, values={"uid": "version"}),
    Row("api/v1/entries/", ALL, query={"version": "version"}),
    Row("api/v1/entries/", READS_SECRET, query=_SECRET),
    Row("api/v1/entries/<uuid:uid>/", ALL, values={"uid": "public_entry"}),
    Row("api/v1/entries/<uuid:uid>/", READS_SECRET, values={"uid": "secret_entry"}),
    Row("api/v1/methods/", ALL),
    Row("api/v1/methods/<uuid:uid>/", ALL, values={"uid": "method"}),
    # Runs are handed in by developers, and by stewards for their organisation; here the document is missing.
    Row("api/v1/runs/", ALL, "anonymous 401; developer steward in; rest 403", body={"method_name": "A method"}),
    Row("api/v1/runs/<uuid:uid>/", ALL, values={"uid": "public_run"}),
    Row("api/v1/runs/<uuid:uid>/", ALL, values={"uid": "secret_run"}),
    Row("api/v1/runs/<uuid:uid>/card/", ALL, values={"uid": "public_run"}),
    Row("api/v1/runs/<uuid:uid>/card/", ALL, values={"uid": "secret_run"}),
    Row("api/v1/score-sets/", ALL),
    Row("api/v1/score-sets/<uuid:uid>/", ALL, values={"uid": "score_set"}),
    Row("api/v1/leaderboard/", ALL),
    Row("api/v1/nominations/", API_STEWARDS),
    Row("api/v1/nominations/<uuid:uid>/", API_STEWARD, values=_NOMINATION),
    Row("api/v1/campaigns/", "anonymous 401; coordinator steward 200; rest 403"),
    Row(
        "api/v1/campaigns/<uuid:uid>/",
        "anonymous 401; own coordinator steward 200; own rest 403; rest 404",
        values=_OPEN,
    ),
    Row(
        "api/v1/items/",
        "anonymous 401; speaker 200; rest 403",
        "anonymous 401; own speaker in; own rest 403; rest 404",
        body={"campaign": "open"},
        as_json=True,
    ),
    Row(
        "api/v1/ratings/",
        "anonymous 401; speaker 200; rest 403",
        "anonymous 401; own speaker in; rest 404",
        body={"item": "leased", "key": "new key", "grade": 3},
        as_json=True,
    ),
    Row("api/v1/decisions/", API_STEWARDS),
    Row("api/v1/decisions/<uuid:uid>/", API_STEWARD, values=_DECISION),
    Row("api/v1/transfers/", API_STEWARDS),
    Row("api/v1/transfers/<uuid:uid>/", API_STEWARD, values={"uid": "transfer"}),
    Row("api/v1/audit-log/", "anonymous 401; steward maintainer 200; rest 403"),
    Row("api/v1/audit-log/", f"{_OWN_LOG}; maintainer 200; steward 404; rest 403", query={"chain": "own"}),
    Row("api/v1/audit-log/", "anonymous 401; maintainer 200; steward 404; rest 403", query=_INSTALLATION),
    Row("api/v1/jobs/<uuid:uid>/", "anonymous 401; rest 200", values={"uid": "job"}),
    Row("api/^v1/.+$", "rest 404", "rest 404"),
]

#: Nobody in the matrix may use the admin: it is for maintainers whom the operator lets in; see ``test_admin.py``.
_ADMIN_FILLS = {"user": "user", "organisation": "organisation_pk", "membership": "membership"}
ADMIN = [
    Row("admin/", "rest 302", "rest 302"),
    Row("admin/login/", "anonymous login; rest 403", "anonymous login; rest 403"),
    *(
        Row(f"admin/{name}", "rest 302", "rest 302")
        for name in ("logout/", "password_change/", "password_change/done/", "autocomplete/", "jsi18n/")
    ),
    *(
        Row(f"admin/accounts/{model}/{act}", "rest 302", "rest 302", values={"object_id": fill})
        for model, fill in _ADMIN_FILLS.items()
        for act in (
            "", "add/", "<path:object_id>/history/", "<path:object_id>/delete/", "<path:object_id>/change/",
            "<path:object_id>/",
        )
    ),
    Row(
        "admin/r/<path:content_type_id>/<path:object_id>/",
        "rest 302",
        "rest 302",
        values={"content_type_id": "1", "object_id": "1"},
    ),
    Row("admin/^(?P<app_label>accounts)/$", "rest 302", "rest 302", values={"app_label": "accounts"}),
    Row("admin/(?P<url>.*)$", "rest 302", "rest 302", values={"url": "nowhere"}),
]  # fmt: skip

ROWS = [*PAGES, *CORPORA, *LEADERBOARD, *REVIEW, *GOVERNANCE, *ACCOUNT, *API, *ADMIN]
