"""What the study is asked of: majority opinions, and hypotheses that a case entails or contradicts (LawngNLI, 4.2.1).

Documents are opinions as they are, "here before dataset processing"; each query has the case that it was written about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lawng.errors import ConfigError, InputError
from lawng.io.parquet import read_table
from lawng.lawngnli.negation import Negated, Refusal
from lawng.reports.builds import Build, corpus_table
from lawng.schema import Judgement
from lawng.schema.dataset import PARENTHETICAL
from lawng.schema.labels import Label
from lawng.studies.harness import texts_digest

Numbers = NDArray[np.int64]
"""Numbers of documents, ascending: their places in `Documents`."""


@dataclass(frozen=True)
class Documents:
    """Majority opinions in the order of their ids; everywhere else a document is its number here."""

    ids: list[str]
    cases: list[str]
    names: list[str]
    sides: list[str]
    """Jurisdiction of each: a state, "us", or "" where the source does not tell."""
    texts: list[str]

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def number(self) -> dict[str, int]:
        """Numbers by id."""
        return {doc: at for at, doc in enumerate(self.ids)}

    @cached_property
    def digest(self) -> str:
        """Of ids and texts."""
        return texts_digest([*self.ids, *self.texts])

    @cached_property
    def of_side(self) -> dict[str, Numbers]:
        """Numbers by jurisdiction."""
        return _grouped(self.sides)

    @cached_property
    def of_case(self) -> dict[str, Numbers]:
        """Numbers by case."""
        return _grouped(self.cases)


def read_documents(corpus: Path, sides: Collection[str]) -> Documents:
    """The majority opinions of a corpus in some jurisdictions; their texts are held in memory.

    Raises InputError when the corpus has none.
    """
    cases = {
        row["case_id"]: row
        for batch in corpus_table(corpus, "cases").batches(["case_id", "name", "jurisdiction"])
        for row in batch.to_pylist()
        if row["jurisdiction"] in sides
    }
    rows = [
        (row["opinion_id"], row["case_id"], row["text"])
        for batch in corpus_table(corpus, "opinions").batches(["opinion_id", "case_id", "type", "text"])
        for row in batch.to_pylist()
        if row["type"] == "majority" and row["case_id"] in cases
    ]
    if not rows:
        raise InputError(f"{corpus}: no majority opinion of {', '.join(sorted(sides))}; is it the build's corpus?")
    rows.sort()
    return Documents(
        ids=[opinion for opinion, _, _ in rows],
        cases=[case for _, case, _ in rows],
        names=[cases[case]["name"] for _, case, _ in rows],
        sides=[cases[case]["jurisdiction"] for _, case, _ in rows],
        texts=[text for _, _, text in rows],
    )


def _grouped(names: list[str]) -> dict[str, Numbers]:
    groups: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        groups[name].append(at)
    return {name: np.array(numbers, dtype=np.int64) for name, numbers in groups.items()}


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
    """One of `lawng.schema.PARENTHETICAL_KINDS`."""


class Queries(NamedTuple):
    """The queries, and what became none."""

    queries: list[Query]
    refused: list[tuple[str, str, str]]
    """Candidate id, reason, words: hypotheses without a negation."""


def read_queries(build: Build, source: str, negate: Negate | None = None) -> Queries:
    """The queries of a build, in the order of its tables.

    `test`: entail and contradict examples of the test split, as in the paper; `all`: of all splits; `candidates`: every
    parenthetical of stage 20 entails, and its negation, where `negate` makes one, contradicts (for small data sets).

    Raises ConfigError for an unknown source, InputError when there is no query.
    """
    if source not in SOURCES:
        raise ConfigError(f"--queries {source}: not a source of queries; there are {', '.join(SOURCES)}")
    if source == "candidates":
        told = [row for row in _candidates(build) if row["hypothesis_source"] == PARENTHETICAL]
        found = _of_candidates(told, negate)
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


_BOTH = ("hypothesis", "jurisdiction", "citing_case_id", "citing_opinion_id")
_COLUMNS = (*_BOTH, "id", "label", "premise_opinion_id", "premise_case_id")
_OF_CANDIDATES = (*_BOTH, "candidate_id", "hypothesis_source", "kind", "cited_opinion_id", "cited_case_id")


def _candidates(build: Build) -> list[dict[str, Any]]:
    return list(_rows(build.table("candidates").folder, _OF_CANDIDATES))


def _rows(table: Path, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    rows: pa.Table = read_table(table, columns)
    yield from rows.to_pylist()


def _of_example(row: dict[str, Any], candidates: dict[str, dict[str, Any]]) -> Query:
    name = row["id"].rpartition(":")[0]
    known = candidates.get(name, {"hypothesis": row["hypothesis"], "kind": "other"})
    target = {"cited_opinion_id": row["premise_opinion_id"], "cited_case_id": row["premise_case_id"]}
    candidate = {**row, **target, "candidate_id": name, "hypothesis": known["hypothesis"], "kind": known["kind"]}
    return _query(row["id"], row["hypothesis"], _STANCE[row["label"]], candidate)


def _of_candidates(rows: list[dict[str, Any]], negate: Negate | None) -> Queries:
    answers = negate([row["hypothesis"] for row in rows]) if negate else []
    queries = [_query(f"{row['candidate_id']}:entail", row["hypothesis"], "entail", row) for row in rows]
    refused = []
    for row, answer in zip(rows, answers, strict=bool(negate)):
        if isinstance(answer, Negated):
            queries.append(_query(f"{row['candidate_id']}:contradict", answer.text, "contradict", row))
        else:
            refused.append((row["candidate_id"], answer.reason, answer.detail))
    return Queries(queries, refused)


def _query(name: str, text: str, stance: str, candidate: dict[str, Any]) -> Query:
    """The query that was made of a candidate."""
    return Query(
        query_id=name,
        text=text,
        stance=stance,
        target=candidate["cited_opinion_id"],
        target_case=candidate["cited_case_id"],
        side=candidate["jurisdiction"],
        citing_case=candidate["citing_case_id"],
        citing_opinion=candidate["citing_opinion_id"],
        candidate_id=candidate["candidate_id"],
        original=candidate["hypothesis"],
        kind=candidate["kind"],
    )
