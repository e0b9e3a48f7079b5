"""ACORD's files: clauses, queries with their variants, and judgements with explicit zeros (ACORD, appendix C.5).

read_acord(place) -> Acord     task_of(acord, split) -> Task: what systems are asked

The layout is BEIR's with one difference: a pair without a judgement is unknown, not irrelevant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.annotation.ratings import GRADES, SPLITS
from lawng.errors import InputError
from lawng.evaluation.beir import rows_by_id
from lawng.evaluation.runs import DECIMALS
from lawng.schema import Judgement, ScoredDoc
from lawng.studies.acord.files import Files, letters, open_files, read_fine, same_wording

Numbers = NDArray[np.int64]
"""Clauses by their place in the corpus."""
Scores = NDArray[np.float64]
"""One for each clause of a pool, in its order; higher is better."""

FORMS = ("short", "medium", "long")
"""Query variants: as in `queries.jsonl`, and the two longer ones of the supplement."""
CATEGORIES = (
    "Limitation of Liability",
    "Indemnification",
    "Affirmative Covenants",
    "Restrictive Covenants",
    "Term",
    "Governing Law",
    "Liquidated Damages",
    "Third-party beneficiary",
    "IP ownership/license",
)
"""As tables D-1 and D-2 order them."""


@dataclass(frozen=True, slots=True)
class AcordQuery:
    """A query: the attorney's short one, and its longer variants where the supplement has them."""

    query_id: str
    text: str
    category: str
    split: str
    """`train`, `valid` or `test`."""
    medium: str
    long: str
    """Both "" where there is none."""

    def form(self, name: str) -> str:
        """The wording of a variant, one of `FORMS`; the short one where the query has no such variant.

        >>> AcordQuery("q", "cap", "Limitation of Liability", "test", "", "").form("long")
        'cap'
        """
        return {"medium": self.medium, "long": self.long}.get(name, "") or self.text


@dataclass(frozen=True)
class Acord:
    """A test collection in ACORD's layout."""

    name: str
    """What the place is called."""
    clauses: Mapping[str, str]
    """Text by id, in the order of the file."""
    queries: Mapping[str, AcordQuery]
    judgements: tuple[Judgement, ...]
    """Of all splits; relevance is 0 to 4, one to five stars less one."""
    fine: Mapping[tuple[str, str], float]
    """Mean stars (2 to 5, in thirds) of a query and a clause where the supplement has them."""
    licences: tuple[str, ...]
    """As the files at the place state them, each with its file: they may contradict each other."""

    def of(self, *splits: str) -> list[Judgement]:
        """The judgements of some splits, in the files' order."""
        return [row for row in self.judgements if self.queries[row.query_id].split in splits]

    def judged(self, *splits: str) -> dict[str, dict[str, int]]:
        """Grades by query and clause."""
        found: dict[str, dict[str, int]] = {}
        for row in self.of(*splits):
            found.setdefault(row.query_id, {})[row.doc_id] = row.relevance
        return found

    def categories(self) -> list[str]:
        """Clause categories, in the paper's order where it names them."""
        names = sorted({query.category for query in self.queries.values()})
        return [*(name for name in CATEGORIES if name in names), *(name for name in names if name not in CATEGORIES)]


def read_acord(place: Path, fine: bool = False) -> Acord:
    """Read a folder or a ZIP file in ACORD's layout; with `fine` the finer scores too, which takes seconds.

    Raises InputError naming the file and the line when a needed file lacks, a row is wrong, or an id is unknown
    or stands twice.
    """
    with open_files(place) as files:
        clauses = {key: row["text"] for key, row in _by_id(files, "corpus.jsonl").items()}
        split_of, judgements = _judgements(files)
        queries = _queries(files, split_of)
        _check(files, judgements, clauses, queries)
        texts = {query: row.text for query, row in queries.items()}
        scores = read_fine(files, clauses, texts, judgements) if fine else {}
        return Acord(files.name, clauses, queries, tuple(judgements), scores, _licences(files))


def _by_id(files: Files, name: str) -> dict[str, dict[str, Any]]:
    return rows_by_id(files.text(name), files.at(name))


def _judgements(files: Files) -> tuple[dict[str, str], list[Judgement]]:
    """The split of each query, and every judgement."""
    split_of: dict[str, str] = {}
    found = []
    for split in SPLITS:
        name = f"qrels/{split}.tsv"
        for number, fields in _rows(files, name, graded=True):
            where = f"{files.at(name)}:{number}"
            if len(fields) != 3 or fields[2] not in map(str, GRADES):
                raise InputError(f"{where}: query, clause and a grade of 0 to 4 by tabs were expected; mend the line")
            if split_of.setdefault(fields[0], split) != split:
                raise InputError(f"{where}: {fields[0]!r} is also in {split_of[fields[0]]}; keep it in one split")
            found.append(Judgement(fields[0], fields[1], int(fields[2])))
    return split_of, found


def _rows(files: Files, name: str, *, graded: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Rows after the header; a query id with quotation marks is quoted as CSV has it."""
    for number, row in enumerate(files.table(name), 1):
        if number == 1 and graded and len(row) == 3 and row[2] in map(str, GRADES):
            raise InputError(f"{files.at(name)}:1: a grade stands where the header belongs; add a header")
        if number > 1 and row:
            yield number, row


def _queries(files: Files, split_of: Mapping[str, str]) -> dict[str, AcordQuery]:
    """The queries; their variants are found by the letters of the short one, else by the one that hardly differs."""
    name = "supplemental/query_variants.tsv"
    lines = _rows(files, name) if files.has(name) else ()
    longer = {letters(row[0]): (row[1].strip(), row[2].strip()) for _, row in lines if len(row) >= 3}
    found = {}
    for query, row in _by_id(files, "queries.jsonl").items():
        variants = longer.get(same_wording(row["text"], longer), ("", ""))
        found[query] = AcordQuery(query, row["text"], _category(row), split_of.get(query, ""), *variants)
    return found


def _category(row: Mapping[str, Any]) -> str:
    """The query's category as the paper spells it: the files write "third party beneficiary clause"."""
    metadata = row.get("metadata")
    stated = str(metadata.get("category", "")) if isinstance(metadata, dict) else ""
    return next((name for name in CATEGORIES if letters(stated) in {letters(name), letters(f"{name} clause")}), stated)


def _check(files: Files, judgements: list[Judgement], clauses: Mapping[str, str], queries: Mapping[str, Any]) -> None:
    seen = set[tuple[str, str]]()
    for row in judgements:
        where = f"{files.name}: {row.query_id!r} and {row.doc_id!r}"
        if row.query_id not in queries or row.doc_id not in clauses:
            raise InputError(f"{where}: judged, but not both in queries.jsonl and corpus.jsonl; take whole files")
        if (row.query_id, row.doc_id) in seen:
            raise InputError(f"{where}: judged twice; keep one line")
        seen.add((row.query_id, row.doc_id))


_STATED = re.compile(r"\b(CC[ -]BY(?:-[A-Z]{2})*[ -]\d\.\d|MIT License|Apache License)", re.IGNORECASE)
_STATES = re.compile(r"(^|/)(LICEN[SC]E|[\w.-]*README)[\w.-]*$", re.IGNORECASE)


def _licences(files: Files) -> tuple[str, ...]:
    """Which licence each text file at the place names."""
    found = []
    for name in filter(_STATES.search, files.names()):
        stated = (match[0].upper().replace("CC-BY", "CC BY") for match in _STATED.finditer(files.words(name)))
        found += [f"{licence} ({name})" for licence in dict.fromkeys(stated)]
    return tuple(found)


@dataclass(frozen=True)
class Task:
    """Queries of a split with their pools: only judged clauses are ranked (ACORD, C.5.2)."""

    acord: Acord
    split: str
    ids: list[str]
    texts: list[str]
    """Of the clauses, in the corpus's order."""
    queries: list[AcordQuery]
    judgements: list[Judgement]
    pools: dict[str, Numbers]
    """By query id, in the corpus's order."""

    def judged(self) -> Numbers:
        """Every clause that is in some pool."""
        return np.unique(np.concatenate(list(self.pools.values())))

    def wordings(self, forms: tuple[str, ...]) -> list[str]:
        """Every wording of every query."""
        return list(dict.fromkeys(query.form(form) for query in self.queries for form in forms))

    def of_category(self, name: str) -> list[str]:
        """Ids of the queries of a clause category."""
        return [query.query_id for query in self.queries if query.category == name]

    def run(self, query: AcordQuery, scores: Scores) -> list[ScoredDoc]:
        """The scores of a query's pool as lines of a run, rounded as its file has them."""
        pairs = zip(self.pools[query.query_id].tolist(), scores.tolist(), strict=True)
        return [ScoredDoc(query.query_id, self.ids[number], round(score, DECIMALS)) for number, score in pairs]

    def order(self, pool: Numbers, scores: Scores) -> Numbers:
        """The pool's places, best first, as `lawng.evaluation.runs` ranks: equal scores by clause id."""
        return np.lexsort((np.array([self.ids[number] for number in pool]), -np.round(scores, DECIMALS)))


def task_of(acord: Acord, split: str) -> Task:
    """The queries of a split. Raises InputError when none of its queries is judged."""
    number = {clause: place for place, clause in enumerate(acord.clauses)}
    judged = acord.judged(split)
    if not judged:
        raise InputError(f"{acord.name}: no query of {split} is judged in qrels/{split}.tsv; take another split")
    pools = {query: np.array(sorted(number[clause] for clause in grades)) for query, grades in judged.items()}
    return Task(
        acord=acord,
        split=split,
        ids=list(acord.clauses),
        texts=list(acord.clauses.values()),
        queries=[acord.queries[query] for query in judged],
        judgements=acord.of(split),
        pools=pools,
    )
