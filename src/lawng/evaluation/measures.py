"""Retrieval measures in the notation of ir_measures: `Recall@10`, `RR`, `nDCG@10`, `AP(rel=2)@100`.

    measures_of(names) -> list[Measure]
    per_query(run, judgements, measure) -> {query id: value}

A query of the judgements that the run lacks counts 0, and so does one without a relevant document; a query of the
run that nobody judged is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from lawng.errors import ConfigError
from lawng.evaluation.runs import rankings
from lawng.records import Judgement, ScoredDoc


class Measure(NamedTuple):
    """A measure by the name that the user gave it."""

    name: str
    measure: Any
    """ir_measures' object."""


def measures_of(names: Iterable[str]) -> list[Measure]:
    """The measures of some names.

    Raises ConfigError that lists every name that is none.
    """
    import ir_measures

    found, wrong = [], []
    for name in names:
        try:
            found.append(Measure(name, ir_measures.parse_measure(name)))
        except (ValueError, NameError, SyntaxError, KeyError, TypeError, AssertionError):
            wrong.append(name)
    if wrong:
        raise ConfigError(f"no such measure: {', '.join(wrong)}; write them like Recall@10, RR, nDCG@10, P(rel=2)@5")
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
    return {query: _first(ordered.get(query, []), docs) for query, docs in relevant.items()}


def _first(docs: Sequence[str], relevant: set[str]) -> int | None:
    return next((at for at, doc in enumerate(docs, 1) if doc in relevant), None)
