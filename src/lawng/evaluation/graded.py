"""Measures of graded relevance over judged documents only (ACORD, appendix F.1).

    judged_run(scores, judgements) -> run        a ranking of what has a judgement, and of nothing else
    graded_measures(run, judgements) -> {measure name: {query id: value}}

`nDCG@k` has linear gains and a logarithmic discount of base 2. The k-star precision comes in two forms, which the paper
mixes up: `P@5 of k stars` is hits over five, as its tables print; `normalised P@5 of k stars` divides by the hits that
were possible, as its formula (2) says. Both are NaN for a query that has no such document, and means leave NaN out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from lawng.evaluation.measures import Measure, measures_of, per_query
from lawng.evaluation.runs import rankings
from lawng.records import Judgement, ScoredDoc

NDCG = ("nDCG@5", "nDCG@10")
STARS = (3, 4, 5)
CUTOFF = 5
"""Of the precisions."""
RECALL_DEPTHS = (10, 20, 50, 100)
"""Of the recall of 3-star documents: what a re-ranker of so many can still find."""


def star_precision(stars: int, normalised: bool = False) -> str:
    """The name of a k-star precision in what `graded_measures` returns.

    >>> star_precision(3), star_precision(5, normalised=True)
    ('P@5 of 3 stars', 'normalised P@5 of 5 stars')
    """
    return f"{'normalised ' if normalised else ''}P@{CUTOFF} of {stars} stars"


def star_recall(depth: int) -> str:
    """The name of the recall of documents of three stars or more.

    >>> star_recall(100)
    'R@100 of 3 stars'
    """
    return f"R@{depth} of 3 stars"


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
    [*recalls] = measures_of(f"R(rel={STARS[0] - 1})@{depth}" for depth in RECALL_DEPTHS)
    names = (star_recall(depth) for depth in RECALL_DEPTHS)
    return found | {name: _where_any(kept, judgements, measure) for name, measure in zip(names, recalls, strict=True)}


def _precisions(run: Sequence[ScoredDoc], judgements: Sequence[Judgement], stars: int) -> dict[str, dict[str, float]]:
    possible = _counts(judgements, stars - 1)
    [measure] = measures_of([f"P(rel={stars - 1})@{CUTOFF}"])
    printed = per_query(run, judgements, measure)
    return {
        star_precision(stars): {query: value if possible[query] else math.nan for query, value in printed.items()},
        star_precision(stars, normalised=True): {
            query: value * CUTOFF / min(CUTOFF, possible[query]) if possible[query] else math.nan
            for query, value in printed.items()
        },
    }


def _where_any(run: Sequence[ScoredDoc], judgements: Sequence[Judgement], measure: Measure) -> dict[str, float]:
    possible = _counts(judgements, STARS[0] - 1)
    values = per_query(run, judgements, measure)
    return {query: value if possible[query] else math.nan for query, value in values.items()}


def _counts(judgements: Iterable[Judgement], grade: int) -> dict[str, int]:
    """How many documents of a query have at least this grade."""
    found: dict[str, int] = {}
    for row in judgements:
        found[row.query_id] = found.get(row.query_id, 0) + (row.relevance >= grade)
    return found


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
