"""The states of a run."""

from champollion.common.transitions import table

RUN = table(
    unanchored={"received", "withdrawn"},
    received={"scoring", "failed", "withdrawn"},
    scoring={"scored", "failed", "received", "withdrawn"},
    scored={"scoring", "withdrawn"},
    claimed={"received", "withdrawn"},
    failed={"received", "withdrawn"},
    withdrawn=set(),
)
