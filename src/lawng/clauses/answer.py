"""What a search for clauses gives back, and what ranks them.

ClauseAnswer(query, hits, ...)     ClauseHit(clause, score, ...)     ClauseRanker
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lawng.records import Clause, Span


class ClauseRanker(Protocol):
    """What scores clauses for a query."""

    @property
    def name(self) -> str:
        """How answers name it."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of it, and of what it has ranked so far."""

    def scores(self, query: str, clauses: Sequence[Clause]) -> dict[str, NDArray[np.float64]]:
        """A score of each clause, in their order, by name; the one named `score` ranks them, the others explain it.

        NaN is a score that a clause does not have; `score` is never NaN.
        """


@dataclass(frozen=True, slots=True)
class ClauseHit:
    """A clause found."""

    clause: Clause
    score: float
    highlights: list[Span]
    """The query's words in any inflection, in the clause's text; ascending."""
    scores: dict[str, float]
    """By the ranker's columns, without those that it does not have."""
    also: tuple[Clause, ...] = ()
    """Clauses with the same words, which are not shown again."""


@dataclass(frozen=True, slots=True)
class ClauseAnswer:
    """The clauses found for a query, the best first."""

    query: str
    hits: list[ClauseHit]
    notes: tuple[str, ...]
    """What a person should know: phrases that nothing has, words that do not occur."""
    seconds: dict[str, float]
    """By step, and `total`."""
    n_clauses: int
    """Clauses that the filters let through."""
    n_documents: int
    ranker: str


def rows_of(answer: ClauseAnswer) -> Iterator[dict[str, Any]]:
    """The hits as JSON objects, with their rank from 1; `also` has the other places of the same words."""
    for rank, hit in enumerate(answer.hits, 1):
        yield {
            "rank": rank,
            "score": hit.score,
            "scores": hit.scores,
            **asdict(hit.clause),
            "highlights": [[span.start, span.end] for span in hit.highlights],
            "also": [
                {"clause_id": one.clause_id, "source": one.source, "section": one.section, "page": one.page}
                for one in hit.also
            ],
        }
