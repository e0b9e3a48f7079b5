"""Runs and judgements as TREC files, and the one rule by which a run becomes a ranking.

    write_run(path, run, tag)     read_run(path) -> list[ScoredDoc]
    write_qrels(path, judgements) read_qrels(path) -> list[Judgement]
    rankings(run) -> {query id: [doc ids, best first]}

The rule: score descending, equal scores by document id ascending. trec_eval breaks ties the other way round (id
descending) and reads scores as 32-bit floats, so runs are ranked here before any tool measures them.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from lawng.errors import InputError
from lawng.io import atomic_file
from lawng.schema import Judgement, ScoredDoc

DECIMALS = 6
"""Digits of a score that are kept: what lies beyond is noise of 32-bit arithmetic and must not order anything."""

WHOLE = re.compile(r"-?[0-9]{1,9}")
"""A relevance as files have it."""
_QRELS_FORM = "query-id iteration doc-id relevance"
_RUN_FORM = "query-id Q0 doc-id rank score tag"


def rankings(run: Iterable[ScoredDoc]) -> dict[str, list[str]]:
    """Documents of each query, best first: score descending, then document id ascending.

    >>> rankings([ScoredDoc("q", "b", 1.0), ScoredDoc("q", "a", 1.0), ScoredDoc("q", "c", 2.0)])
    {'q': ['c', 'a', 'b']}
    """
    of_query: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for row in run:
        of_query[row.query_id].append((-row.score, row.doc_id))
    return {query: [doc for _, doc in sorted(rows)] for query, rows in of_query.items()}


def write_run(path: Path, run: Iterable[ScoredDoc], tag: str) -> int:
    """Write a TREC run, queries in the order in which they come, documents best first; the number of lines.

    Scores are rounded to `DECIMALS` and ranked as rounded. Raises InputError when a name holds a blank.
    """
    of_query: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for row in run:
        of_query[row.query_id].append((-round(row.score, DECIMALS), row.doc_id))
    with atomic_file(path) as file:
        for query, rows in of_query.items():
            file.writelines(_run_line(query, doc, at, score, tag) for at, (score, doc) in enumerate(sorted(rows), 1))
    return sum(map(len, of_query.values()))


def _run_line(query: str, doc: str, at: int, minus_score: float, tag: str) -> str:
    for name in (query, doc, tag):
        if len(name.split()) != 1:
            raise InputError(f"run: the name {name!r} is empty or has a blank; TREC files need names without")
    return f"{query} Q0 {doc} {at} {-minus_score + 0.0:.{DECIMALS}f} {tag}\n"


def read_run(path: Path) -> list[ScoredDoc]:
    """Read a TREC run; the ranks in the file are not used, scores are.

    Raises InputError naming the first line that is none: six fields, a finite score, no document twice for a query.
    """
    rows, seen = [], set[tuple[str, str]]()
    for number, fields in _lines(path, 6, _RUN_FORM):
        query, _, doc, _, score, _ = fields
        if (query, doc) in seen:
            raise InputError(f"{path}:{number}: document {doc} stands twice for query {query}; keep one of the lines")
        seen.add((query, doc))
        rows.append(ScoredDoc(query, doc, _score(path, number, score)))
    return rows


def _score(path: Path, number: int, text: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(f"{path}:{number}: the score {text!r} is no finite number; a run's fifth field is the score")
    return score


def write_qrels(path: Path, judgements: Iterable[Judgement]) -> int:
    """Write TREC qrels; the number of lines. Raises InputError when a name holds a blank."""
    n = 0
    with atomic_file(path) as file:
        for row in judgements:
            if len(row.query_id.split()) != 1 or len(row.doc_id.split()) != 1:
                raise InputError(f"qrels: an id of {row} is empty or has a blank; TREC files need names without")
            file.write(f"{row.query_id} 0 {row.doc_id} {row.relevance}\n")
            n += 1
    return n


def read_qrels(path: Path) -> list[Judgement]:
    """Read TREC qrels. Raises InputError naming the first line that is none."""
    rows, seen = [], set[tuple[str, str]]()
    for number, (query, _, doc, relevance) in _lines(path, 4, _QRELS_FORM):
        if not WHOLE.fullmatch(relevance):
            raise InputError(f"{path}:{number}: the relevance {relevance[:20]!r} is no whole number; mend the line")
        if (query, doc) in seen:
            raise InputError(f"{path}:{number}: document {doc} is judged twice for query {query}; keep one line")
        seen.add((query, doc))
        rows.append(Judgement(query, doc, int(relevance)))
    return rows


def _lines(path: Path, n_fields: int, form: str) -> Iterator[tuple[int, list[str]]]:
    """Number and fields of each line that is not blank."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({_why(error)}); name a TREC file in UTF-8") from error
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if fields and len(fields) != n_fields:
            raise InputError(f"{path}:{number}: {len(fields)} fields instead of {n_fields} ({form}); mend the line")
        if fields:
            yield number, fields


def _why(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).splitlines()[0]
