"""Scores of a run from its outputs: pure, without Django. Chunks, their reduction, composite, tier and cost."""
