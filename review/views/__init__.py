"""Pages of this part: thin, over services and read models."""
