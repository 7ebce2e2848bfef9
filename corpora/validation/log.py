"""Collects problems: the first of each severity in full, all of them in number. Source: SPEC C-4."""

from collections import Counter
from collections.abc import Iterable

from corpora.formats.base import Problem, Severity
from corpora.vocabulary import PRINTED_PROBLEMS


class ProblemLog:
    """Problems in the order of the file.

    `limit` of each severity are kept to print, the rest is counted, so memory is bounded.
    """

    def __init__(self, limit: int = PRINTED_PROBLEMS) -> None:
        self._limit = limit
        self._kept: dict[Severity, list[Problem]] = {"error": [], "warning": []}
        self._counts: Counter[tuple[Severity, str]] = Counter()

    def add(self, problem: Problem) -> None:
        self._counts[(problem.severity, problem.code)] += 1
        kept = self._kept[problem.severity]
        if len(kept) < self._limit:
            kept.append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.add(problem)

    @property
    def errors(self) -> list[Problem]:
        """The first errors, to print."""
        return self._kept["error"]

    @property
    def warnings(self) -> list[Problem]:
        """The first warnings, to print."""
        return self._kept["warning"]

    @property
    def error_count(self) -> int:
        return self._count("error")

    @property
    def warning_count(self) -> int:
        return self._count("warning")

    @property
    def has_errors(self) -> bool:
        return self.error_count > 0

    def counts(self, severity: Severity) -> dict[str, int]:
        """Number of problems of each kind, the most frequent first, then by name."""
        ordered = sorted(self._counts.items(), key=lambda one: (-one[1], one[0][1]))
        return {code: count for (level, code), count in ordered if level == severity}

    def to_dict(self) -> dict[str, object]:
        """Return counts and the printed problems, for machines."""
        return {
            "error_count": self.error_count,
            "warning_count": self.warning_count,
            "errors": [problem.to_dict() for problem in self.errors],
            "warnings": [problem.to_dict() for problem in self.warnings],
        }

    def _count(self, severity: Severity) -> int:
        return sum(count for (level, _code), count in self._counts.items() if level == severity)
