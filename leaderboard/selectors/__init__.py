"""What the pages of the board, of runs and of methods show."""
