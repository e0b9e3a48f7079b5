"""Retrieval measures in the notation of ir_measures: `Recall@10`, `RR`, `nDCG@10`, `AP(rel=2)@100`.

    measures_of(names) -> list[Measure]
    per_query(run, judgements, measure) -> {query id: value}
    ranks(run, judgements) -> {query id: rank of the first relevant document}
    graded_measures(run, judgements) -> {measure name: {query id: value}}, over judged documents only

A query of the judgements that the run lacks counts 0, and so does one without a relevant document; a query of the
run that nobody judged is left out.

Graded relevance is measured as in ACORD, appendix F.1. `nDCG@k` has linear gains and a logarithmic discount of base 2.
The k-star precision comes in two forms, which the paper mixes up: `P(rel=k-1)@5` is hits over five, as in its tables;
`nP(rel=k-1)@5` divides by the hits that were possible, as its formula (2) says. Both are NaN for a query that has no
such document, as is the recall, and means leave NaN out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from lawng.errors import ConfigError
from lawng.evaluation.runs import rankings
from lawng.schema import Judgement, ScoredDoc

NDCG = ("nDCG@5", "nDCG@10")
STARS = (3, 4, 5)
CUTOFF = 5
"""Of the precisions."""
RECALL_DEPTHS = (10, 20, 50, 100)
"""Of the recall of 3-star documents: what a re-ranker of so many can still find."""


class Measure(NamedTuple):
    """A measure by the name that the user gave it."""

    name: str
    measure: Any
    """ir_measures' object."""


def measures_of(names: Iterable[str]) -> list[Measure]:
    """The measures of some names.

    Raises ConfigError that lists every name that is none, or that cannot be measured: `P` without a depth, `nDCG@0`.
    """
    found, wrong = [], []
    for name in names:
        try:
            found.append(Measure(name, _measurable(name)))
        except (ValueError, NameError, SyntaxError, KeyError, TypeError, AssertionError):
            wrong.append(name)
    if wrong:
        raise ConfigError(f"no such measure: {', '.join(wrong)}; write them like Recall@10, RR, nDCG@10, P(rel=2)@5")
    return found


def _measurable(name: str) -> Any:
    import ir_measures

    found = ir_measures.parse_measure(name)
    found.validate_params()  # type: ignore[no-untyped-call]
    # a depth below 1 ends trec_eval, and with it the process
    if found.params.get("cutoff", 1) < 1 or not ir_measures.DefaultPipeline.supports(found):  # type: ignore[no-untyped-call]
        raise ValueError(name)
    return found


def per_query(run: Iterable[ScoredDoc], judgements: Sequence[Judgement], measure: Measure) -> dict[str, float]:
    """The measure's value for each judged query, in the judgements' order.

    >>> [rr] = measures_of(["RR"])
    >>> per_query([ScoredDoc("q", "a", 1.0), ScoredDoc("q", "b", 1.0)], [Judgement("q", "a", 1)], rr)
    {'q': 1.0}
    """
    import ir_measures

    wanted = dict.fromkeys(row.query_id for row in judgements)
    ordered = [
        ir_measures.ScoredDoc(query, doc, float(len(docs) - at))  # whole numbers: exact as 32-bit floats
        for query, docs in rankings(row for row in run if row.query_id in wanted).items()
        for at, doc in enumerate(docs)
    ]
    # below 0 is not relevant, as 0; trec_eval never ends over an nDCG of grades below 0
    qrels = [ir_measures.Qrel(row.query_id, row.doc_id, max(row.relevance, 0)) for row in judgements]
    values = dict.fromkeys(wanted, 0.0)
    for metric in ir_measures.iter_calc([measure.measure], qrels, ordered):
        values[metric.query_id] = float(metric.value)
    return values


def mean(values: Mapping[str, float]) -> float:
    """Mean over queries, 0.0 when there is none."""
    return sum(values.values()) / len(values) if values else 0.0


def ranks(run: Iterable[ScoredDoc], judgements: Iterable[Judgement]) -> dict[str, int | None]:
    """Rank (from 1) of the first relevant document of each judged query, None when the run does not have it."""
    relevant: dict[str, set[str]] = {}
    for row in judgements:
        relevant.setdefault(row.query_id, set()).update({row.doc_id} if row.relevance > 0 else ())
    ordered = rankings(run)
    return {
        query: next((at for at, doc in enumerate(ordered.get(query, []), 1) if doc in docs), None)
        for query, docs in relevant.items()
    }


def star_precision(stars: int, normalised: bool = False) -> str:
    """The name of a k-star precision in what `graded_measures` returns; grades are stars less one.

    >>> star_precision(3), star_precision(5, normalised=True)
    ('P(rel=2)@5', 'nP(rel=4)@5')
    """
    return f"{'n' if normalised else ''}P(rel={stars - 1})@{CUTOFF}"


def star_recall(depth: int) -> str:
    """The name of the recall of documents of three stars or more.

    >>> star_recall(100)
    'R(rel=2)@100'
    """
    return f"R(rel={STARS[0] - 1})@{depth}"


def judged_run(run: Iterable[ScoredDoc], judgements: Iterable[Judgement]) -> list[ScoredDoc]:
    """The lines of a run whose document is judged for the query: others are unknown, not irrelevant (ACORD, C.5.2).

    >>> judged_run([ScoredDoc("q", "a", 2.0), ScoredDoc("q", "b", 1.0)], [Judgement("q", "b", 0)])
    [ScoredDoc(query_id='q', doc_id='b', score=1.0)]
    """
    judged = {(row.query_id, row.doc_id) for row in judgements}
    return [row for row in run if (row.query_id, row.doc_id) in judged]


def graded_measures(run: Iterable[ScoredDoc], judgements: Sequence[Judgement]) -> dict[str, dict[str, float]]:
    """Every measure of the paper for each judged query; grades are stars less one, unjudged documents are ignored."""
    kept = judged_run(run, judgements)
    found = {measure.name: per_query(kept, judgements, measure) for measure in measures_of(NDCG)}
    for stars in STARS:
        found |= _precisions(kept, judgements, stars)
    possible = _counts(judgements, STARS[0] - 1)
    for recall in measures_of(map(star_recall, RECALL_DEPTHS)):
        values = per_query(kept, judgements, recall)
        found[recall.name] = {query: value if possible[query] else math.nan for query, value in values.items()}
    return found


def _precisions(run: Sequence[ScoredDoc], judgements: Sequence[Judgement], stars: int) -> dict[str, dict[str, float]]:
    [measure] = measures_of([star_precision(stars)])
    values, possible = per_query(run, judgements, measure), _counts(judgements, stars - 1)
    normalised = {query: value * CUTOFF / min(CUTOFF, possible[query] or 1) for query, value in values.items()}
    return {
        star_precision(stars, form): {query: value if possible[query] else math.nan for query, value in found.items()}
        for form, found in ((False, values), (True, normalised))
    }


def _counts(judgements: Iterable[Judgement], grade: int) -> Counter[str]:
    """How many documents of a query have at least this grade."""
    return Counter(row.query_id for row in judgements if row.relevance >= grade)


def mean_of(values: Mapping[str, float], queries: Iterable[str] | None = None) -> float:
    """Mean over queries, those with NaN left out; NaN when none is left.

    >>> mean_of({"a": 1.0, "b": float("nan")})
    1.0
    """
    wanted = values if queries is None else [query for query in queries if query in values]
    known = [values[query] for query in wanted if not math.isnan(values[query])]
    return sum(known) / len(known) if known else math.nan


def top_of(run: Iterable[ScoredDoc], depth: int) -> dict[str, list[str]]:
    """The first documents of each query, best first: what a re-ranker is given."""
    return {query: docs[:depth] for query, docs in rankings(run).items()}
