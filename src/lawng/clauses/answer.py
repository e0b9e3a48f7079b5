"""What a search for clauses gives back.

ClauseAnswer(query, hits, ...)     ClauseHit(clause, score, ...)     rows_of(answer) -> JSON objects
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from lawng.clauses.meaning.explained import Part
from lawng.schema import Clause, Reject, Span
from lawng.text.printable import marked, plain, table

if TYPE_CHECKING:
    import pandas as pd


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
    parts: tuple[Part, ...] = ()
    """What of the query it satisfies, and what not, as far as the glossary knows the query."""


@dataclass(frozen=True, slots=True)
class ClauseAnswer:
    """The clauses found for a query, the best first."""

    query: str
    hits: list[ClauseHit]
    notes: tuple[str, ...]
    """What a person should know: phrases that nothing has, words that do not occur, pages without text."""
    seconds: dict[str, float]
    """By step, and `total`."""
    n_clauses: int
    """Clauses that the filters let through."""
    n_documents: int
    ranker: str
    rejects: list[Reject] = field(default_factory=list)
    """Files and lines that could not be read."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Lines of documents that belong to no clause, by kind."""

    def to_pandas(self) -> pd.DataFrame:
        """A row for each hit, as `lawng search --to jsonl` prints it. Raises MissingError without pandas."""
        import pandas as pd

        return pd.DataFrame(list(rows_of(self)))

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{plain(note)}</p>" for note in self.notes)
        return table(("contract", "section", "clause"), map(_cells, self.hits)) + said


def _cells(hit: ClauseHit) -> tuple[str, str, str]:
    clause = hit.clause
    where = plain(clause.source) + (f", page {clause.page}" if clause.page else "")
    headings = " › ".join(filter(None, [*clause.headings, clause.heading]))
    return (
        where,
        plain(f"{clause.section} {headings}".strip()),
        marked(clause.text, ((span.start, span.end) for span in hit.highlights)),
    )


_ALSO = ("clause_id", "source", "section", "page", "paragraph")


def rows_of(answer: ClauseAnswer) -> Iterator[dict[str, Any]]:
    """The hits as JSON objects, with their rank from 1; `also` has the other places of the same words."""
    for rank, hit in enumerate(answer.hits, 1):
        yield {
            "rank": rank,
            "score": hit.score,
            "scores": hit.scores,
            **asdict(hit.clause),
            "highlights": _pairs(hit.highlights),
            "parts": rows_of_parts(hit.parts),
            "also": [{name: getattr(one, name) for name in _ALSO} for one in hit.also],
        }


def rows_of_parts(parts: Sequence[Part]) -> list[dict[str, Any]]:
    """What a clause satisfies as JSON objects."""
    return [{**part._asdict(), "spans": _pairs(part.spans)} for part in parts]


def _pairs(spans: Sequence[Span]) -> list[list[int]]:
    return [[span.start, span.end] for span in spans]
