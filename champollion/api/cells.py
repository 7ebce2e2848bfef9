"""The cells that the API shows are those of the pages; see ``corpora.cells``."""

from corpora.cells import CUTS, Cells, cells_of, shown_keys, totals_of

__all__ = ["CUTS", "Cells", "cells_of", "shown_keys", "totals_of"]
