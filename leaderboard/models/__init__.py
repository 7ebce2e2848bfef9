"""What machines produced, and the public table (SPEC R, M, L)."""

from leaderboard.models.method import Method, MethodVersion
from leaderboard.models.run import Document, DocumentPart, Run, RunOutput
from leaderboard.models.score import Score, ScoreChunk, ScoreSet
from leaderboard.models.standing import CutStanding, Standing

__all__ = [
    "CutStanding",
    "Document",
    "DocumentPart",
    "Method",
    "MethodVersion",
    "Run",
    "RunOutput",
    "Score",
    "ScoreChunk",
    "ScoreSet",
    "Standing",
]
