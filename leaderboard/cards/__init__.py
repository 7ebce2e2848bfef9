"""Reading what people and harnesses hand in as a run: cards, reports, plain outputs. Pure: no Django, no storage."""
