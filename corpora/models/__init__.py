"""What is evaluated against: corpora, their versions and entries (SPEC C)."""

from corpora.models.corpus import Corpus, CorpusDigest, CorpusVersion
from corpora.models.entry import Entry

__all__ = ["Corpus", "CorpusDigest", "CorpusVersion", "Entry"]
