"""What this app tells the ones above it; ``review`` listens (the flow points down, news travels up)."""

from django.dispatch import Signal

#: Sent after the commit that stored a run's scores. Argument: run.
run_scored = Signal()
