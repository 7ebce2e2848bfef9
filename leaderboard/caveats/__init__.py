"""What is odd about a run's outputs and no score says: found per entry, reported per run, changing no number. Pure."""
