"""Cross-validation of clause models over queries, plain and nested, and what each part of one is worth.

cross_validated(known, options, folds, seed) -> run      nested(known, grid, ...) -> Nested      ABLATIONS
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from lawng.clauses.meaning.fit import FIT
from lawng.clauses.meaning.manner import MANNER
from lawng.clauses.ranking.features import FEATURES
from lawng.clauses.ranking.trained import RankingOptions, fit_ranking
from lawng.evaluation.graded import NDCG, graded_measures, mean_of
from lawng.models.kept import Progress, silent
from lawng.records import Judgement, ScoredDoc
from lawng.studies.acord.clause_model import Graded

FOLDS = 10
INNER = 5

GRID = tuple(
    RankingOptions(rounds=rounds, leaves=leaves, reading=reading, bags=1)
    for rounds in (60, 120)
    for leaves in (4, 8)
    for reading in (0.0, 0.2, 0.5)
)
"""What nested cross-validation chooses from."""

ABLATIONS: Mapping[str, tuple[str, ...]] = {
    "all": (),
    "without the clause's manner": MANNER,
    "without neighbours and feedback": ("neighbours", "feedback"),
    "without whom a clause favours": tuple(name for name in FIT if name.startswith(("favours", "guards"))),
    "without exceptions": tuple(name for name in FIT if "except" in name),
    "without the glossary's fit": FIT,
    "without expansion by the glossary": ("bm25 expanded", "cosine of meaning"),
}
"""Features that are left out; `reading` keeps all of its parts."""
WORDS_ONLY = tuple(name for name in FEATURES if name not in {"bm25", "cosine", *MANNER})
"""Left out by a model that knows BM25, the cosine and the clause's manner, and nothing of the glossary."""


class Nested(NamedTuple):
    """What nested cross-validation found."""

    run: list[ScoredDoc]
    chosen: Counter[RankingOptions]
    """How many of the outer folds chose which options."""


def folds_of(queries: Sequence[str], n: int, seed: int) -> list[list[str]]:
    """The queries in `n` parts of nearly equal size, at random by the seed.

    >>> sorted(map(len, folds_of(list("abcde"), 2, 7)))
    [2, 3]
    """
    order = np.random.default_rng(seed).permutation(len(queries))
    return [part for at in range(n) if (part := [queries[place] for place in order[at::n]])]


def cross_validated(
    known: Graded, options: RankingOptions, folds: int = FOLDS, seed: int = 7, queries: Sequence[str] | None = None
) -> list[ScoredDoc]:
    """A run in which each query is ranked by a model that was trained on the queries of the other folds."""
    parts = folds_of(sorted(known.examples if queries is None else queries), folds, seed)
    found = []
    for part in parts:
        rest = [query for other in parts if other is not part for query in other]
        ranking = fit_ranking([known.examples[query] for query in rest], options)
        found += [row for query in part for row in known.run(query, ranking)]
    return found


def nested(  # noqa: PLR0913, PLR0917 (what it is run with)
    known: Graded,
    judgements: Sequence[Judgement],
    grid: Sequence[RankingOptions] = GRID,
    bags: int = 3,
    seed: int = 7,
    progress: Progress = silent,
) -> Nested:
    """Each query is ranked by a model whose options were chosen, by NDCG@10, without its fold.

    The options are chosen by cross-validation inside the other folds; the chosen ones are then trained on these with
    `bags` seeds. `judgements` are those of the queries.
    """
    parts = folds_of(sorted(known.examples), FOLDS, seed)
    chosen: Counter[RankingOptions] = Counter()
    run = []
    for done, part in enumerate(parts, 1):
        rest = [query for other in parts if other is not part for query in other]
        best = max(grid, key=lambda options: _inner(known, judgements, options, rest, seed))
        chosen[best] += 1
        ranking = fit_ranking([known.examples[query] for query in rest], replace(best, bags=bags))
        run += [row for query in part for row in known.run(query, ranking)]
        progress(done, len(parts))
    return Nested(run, chosen)


def reading_run(known: Graded) -> list[ScoredDoc]:
    """The untrained ranking of the same queries."""
    place = FEATURES.index("reading")
    return [row for query, example in known.examples.items() for row in known.scored(query, example.features[:, place])]


def _inner(
    known: Graded, judgements: Sequence[Judgement], options: RankingOptions, queries: Sequence[str], seed: int
) -> float:
    run = cross_validated(known, options, INNER, seed, queries)
    wanted = set(queries)
    return mean_of(graded_measures(run, [row for row in judgements if row.query_id in wanted])[NDCG[1]])
