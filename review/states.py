"""The states of nominations, campaigns, decisions and transfers; no other step exists (SPEC V-2, V-10, S-8)."""

from champollion.common.transitions import table

NOMINATION = table(candidate={"nominated", "closed"}, nominated={"closed"}, closed=set())

CAMPAIGN = table(
    draft={"open", "withdrawn"},
    open={"closed", "suspended", "withdrawn"},
    suspended={"open", "withdrawn"},
    closed={"open", "decided", "withdrawn"},
    decided=set(),
    withdrawn=set(),
)

DECISION = table(proposed={"carried_out", "declined"}, carried_out=set(), declined=set())

HARM_FLAG = table(open={"confirmed", "dismissed"}, confirmed=set(), dismissed=set())

_ANY_TIME = {"waived", "suspended"}
TRANSFER = table(
    initiated={"notified"} | _ANY_TIME,
    notified={"acknowledged", "disputed"} | _ANY_TIME,
    acknowledged={"possession_confirmed", "disputed"} | _ANY_TIME,
    disputed={"initiated", "notified", "acknowledged"} | _ANY_TIME,
    possession_confirmed={"completed", "disputed"} | _ANY_TIME,
    suspended={"initiated", "notified", "acknowledged", "possession_confirmed", "waived"},
    completed=set(),
    waived=set(),
)
