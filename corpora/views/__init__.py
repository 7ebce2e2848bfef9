"""Pages of corpora: the list, a version, its entries, the public edition, the upload."""
