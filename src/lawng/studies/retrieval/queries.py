"""The queries: hypotheses that a case entails or contradicts, each with the case that it was written about (4.2.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pyarrow as pa

from lawng.engine.store import read_table
from lawng.errors import ConfigError, InputError
from lawng.labels import Label
from lawng.nli.negation import Negated, Refusal
from lawng.records import Judgement
from lawng.reports.builds import CANDIDATES, Build

SOURCES = ("test", "all", "candidates")
STANCES = ("entail", "contradict")
SAYING = ("explanatory", "quotation")
"""Kinds of parenthetical that say something about the cited case; the others are queries like "en banc"."""

_STANCE = {Label.ENTAILMENT: "entail", Label.CONTRADICTION: "contradict"}

Negate = Callable[[Sequence[str]], Sequence[Negated | Refusal]]


@dataclass(frozen=True, slots=True)
class Query:
    """One query of the study."""

    query_id: str
    text: str
    stance: str
    """One of `STANCES`."""
    target: str
    """The majority opinion to be found."""
    target_case: str
    side: str
    """Jurisdiction of the target: only documents of it are in the pool."""
    citing_case: str
    citing_opinion: str
    candidate_id: str
    """The parenthetical that the query was made of: its place in the citing opinion."""
    original: str
    """The parenthetical's own text; a contradicting query is its negation."""
    kind: str
    """One of `lawng.records.PARENTHETICAL_KINDS`."""


class Queries(NamedTuple):
    """The queries, and what became none."""

    queries: list[Query]
    refused: list[tuple[str, str, str]]
    """Candidate id, reason, words: hypotheses without a negation."""


def read_queries(build: Build, source: str, negate: Negate | None = None) -> Queries:
    """The queries of a build, in the order of its tables.

    `test`: entail and contradict examples of the test split, as in the paper; `all`: of all splits; `candidates`: every
    candidate of stage 20 entails, and its negation, where `negate` makes one, contradicts (for small data sets).

    Raises ConfigError for an unknown source, InputError when there is no query.
    """
    if source not in SOURCES:
        raise ConfigError(f"--queries {source}: not a source of queries; there are {', '.join(SOURCES)}")
    if source == "candidates":
        found = _of_candidates(_candidates(build), negate)
    else:
        kinds = {row["candidate_id"]: row for row in _candidates(build)}
        splits = ("test",) if source == "test" else ("train", "validation", "test")
        rows = (row for split in splits for row in _rows(build.folder / "data" / f"{split}.parquet", _COLUMNS))
        found = Queries([_of_example(row, kinds) for row in rows if row["label"] in _STANCE], [])
    if not found.queries:
        raise InputError(f"{build.folder}: no entail or contradict example for --queries {source}; try candidates")
    return found


def sample(queries: Sequence[Query], n: int | None, seed: int) -> list[int]:
    """Numbers of the queries of n candidates drawn at random, hypothesis and negation together; None draws all."""
    candidates = sorted({query.candidate_id for query in queries})
    drawn = set(candidates if n is None else Random(seed).sample(candidates, min(n, len(candidates))))
    return [at for at, query in enumerate(queries) if query.candidate_id in drawn]


def judgements(queries: Sequence[Query]) -> list[Judgement]:
    """What is relevant: for each query its target alone."""
    return [Judgement(query.query_id, query.target, 1) for query in queries]


_COLUMNS = (
    *("id", "hypothesis", "label", "premise_opinion_id", "premise_case_id", "jurisdiction"),
    *("citing_case_id", "citing_opinion_id"),
)
_OF_CANDIDATES = (
    *("candidate_id", "hypothesis", "kind", "cited_opinion_id", "cited_case_id", "jurisdiction"),
    *("citing_case_id", "citing_opinion_id"),
)


def _candidates(build: Build) -> list[dict[str, Any]]:
    return list(_rows(build.table(CANDIDATES, "candidates").folder, _OF_CANDIDATES))


def _rows(table: Path, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    rows: pa.Table = read_table(table, columns)
    yield from rows.to_pylist()


def _of_example(row: dict[str, Any], candidates: dict[str, dict[str, Any]]) -> Query:
    candidate_id = row["id"].rpartition(":")[0]
    candidate = candidates.get(candidate_id, {"hypothesis": row["hypothesis"], "kind": "other"})
    return Query(
        query_id=row["id"],
        text=row["hypothesis"],
        stance=_STANCE[row["label"]],
        target=row["premise_opinion_id"],
        target_case=row["premise_case_id"],
        side=row["jurisdiction"],
        citing_case=row["citing_case_id"],
        citing_opinion=row["citing_opinion_id"],
        candidate_id=candidate_id,
        original=candidate["hypothesis"],
        kind=candidate["kind"],
    )


def _of_candidates(rows: list[dict[str, Any]], negate: Negate | None) -> Queries:
    answers = negate([row["hypothesis"] for row in rows]) if negate else []
    queries = [_of_candidate(row, "entail", row["hypothesis"]) for row in rows]
    refused = []
    for row, answer in zip(rows, answers, strict=bool(negate)):
        if isinstance(answer, Negated):
            queries.append(_of_candidate(row, "contradict", answer.text))
        else:
            refused.append((row["candidate_id"], answer.reason, answer.detail))
    return Queries(queries, refused)


def _of_candidate(row: dict[str, Any], stance: str, text: str) -> Query:
    return Query(
        query_id=f"{row['candidate_id']}:{stance}",
        text=text,
        stance=stance,
        target=row["cited_opinion_id"],
        target_case=row["cited_case_id"],
        side=row["jurisdiction"],
        citing_case=row["citing_case_id"],
        citing_opinion=row["citing_opinion_id"],
        candidate_id=row["candidate_id"],
        original=row["hypothesis"],
        kind=row["kind"],
    )
