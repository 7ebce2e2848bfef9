"""Metrics that compare outputs with references: pure, whole-numbered per-entry statistics, and values of their sums."""
