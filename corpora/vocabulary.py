"""The codes that an entry may carry and the sizes a segment should have.

Pure values; labels for people are in `corpora.labels`.
"""

PUBLIC_SEGMENTS = ("development", "diagnostic")
SECRET_SEGMENTS = ("gold_standard", "held_out")
SEGMENTS = PUBLIC_SEGMENTS + SECRET_SEGMENTS
DEFAULT_SEGMENT = "development"

#: Smallest number of entries of each segment. Source: SPEC C-4.
MINIMUM_SIZES = {"development": 30, "diagnostic": 10, "gold_standard": 50, "held_out": 10}

#: Basic vocabulary, simple sentence, moderate, complex morphology, advanced. Source: SPEC C-2.
DIFFICULTIES = (1, 2, 3, 4, 5)
MIDDLE_DIFFICULTIES = (2, 3, 4)

DOMAINS = (
    "conv",
    "ecommerce",
    "edu",
    "financial",
    "gov",
    "legal",
    "literary",
    "marketing",
    "medical",
    "news",
    "religious",
    "scientific",
    "subtitles",
    "support",
    "tech",
    "ui",
)
REGISTERS = ("conversational", "formal", "technical", "ceremonial", "educational")
CONTEXTS = ("greeting", "declaration", "question", "instruction", "narrative", "label", "error")

#: Longest text of an entry, in characters. Source: SPEC C-4.
TEXT_LIMIT = 10_000
#: Longest id, licence or label, and longest code of an entry (register, context, variant class), in characters.
ID_LIMIT = 200
CODE_LIMIT = 60
#: Longest language tag, in characters.
TAG_LIMIT = 35
#: Largest file, in bytes. Source: SPEC C-4.
FILE_LIMIT = 200_000_000
#: How many problems of each severity are printed; the rest is counted. Source: SPEC C-4.
PRINTED_PROBLEMS = 200


def is_secret(segment: str) -> bool:
    """Say whether the text of a segment is secret. Source: SPEC C-7, LAW-2."""
    return segment in SECRET_SEGMENTS
