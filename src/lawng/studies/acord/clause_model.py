"""A clause model from graded clauses: `lawng train clauses`, on ACORD or on one's own ratings.

train_clause_model(data, folder, splits, options, encoder, cache) -> Trained     Graded(acord, features) for experiments
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.annotation.ratings import SPLITS
from lawng.clauses.ranking.features import ClauseFeatures
from lawng.clauses.ranking.trained import NOTE, Example, Ranking, RankingOptions, fit_ranking
from lawng.errors import InputError
from lawng.extras import explained, library_version
from lawng.io import atomic_folder, check_place
from lawng.io.progress import Progress, silent
from lawng.models.protocols import Embedder
from lawng.models.vector_cache import CachedEncoder
from lawng.schema import ScoredDoc
from lawng.studies.acord.data import Acord, read_acord


class Trained(NamedTuple):
    """A clause model, and what it was made from."""

    folder: Path
    ranking: Ranking
    n_queries: int
    n_graded: int
    """Clauses of two stars or more, counted once for each query."""


@dataclass(frozen=True)
class Graded:
    """Judged queries with the features of their judged clauses; features are those among the whole corpus."""

    ids: Mapping[str, list[str]]
    """Clause ids by query, in the order of the judgements."""
    examples: Mapping[str, Example]

    def run(self, query: str, ranking: Ranking) -> list[ScoredDoc]:
        """The query's judged clauses, scored."""
        return self.scored(query, ranking.scores(self.examples[query].features))

    def scored(self, query: str, scores: NDArray[np.floating]) -> list[ScoredDoc]:
        """Scores of the query's judged clauses as lines of a run."""
        return [ScoredDoc(query, clause, float(score)) for clause, score in zip(self.ids[query], scores, strict=True)]


def graded(
    acord: Acord, queries: Sequence[str], features: ClauseFeatures, form: str = "short", progress: Progress = silent
) -> Graded:
    """The features of some queries' judged clauses; `features` are of the corpus's clauses, in its order."""
    place = {clause: number for number, clause in enumerate(acord.clauses)}
    judged = acord.judged(*SPLITS)
    examples = {}
    for done, query in enumerate(queries, 1):
        rows = [place[clause] for clause in judged[query]]
        grades = np.array(list(judged[query].values()), dtype=np.int64)
        examples[query] = Example(features.of(acord.queries[query].form(form))[rows], grades)
        progress(done, len(queries))
    return Graded({query: list(judged[query]) for query in queries}, examples)


def queries_of(acord: Acord, *splits: str) -> list[str]:
    """The judged queries of some splits, by id: an order that no file's order changes."""
    return sorted(query for query in acord.judged(*splits))


@explained()
def train_clause_model(  # noqa: PLR0913, PLR0917 (what it is made from)
    data: Path,
    folder: Path,
    splits: Sequence[str],
    options: RankingOptions,
    encoder: Embedder,
    cache: Path,
    progress: Progress = silent,
) -> Trained:
    """Train on the queries of some splits and write the model's folder, whole or not at all.

    Raises InputError when no query of the splits is judged, or something else stands at the place.
    """
    check_place(folder, NOTE, "clause model")
    acord = read_acord(data)
    queries = queries_of(acord, *splits)
    if not queries:
        raise InputError(f"{data}: no query of {', '.join(splits)} is judged; name other splits")
    features = ClauseFeatures(list(acord.clauses.values()), CachedEncoder(cache, encoder), progress)
    known = graded(acord, queries, features)
    ranking = fit_ranking(list(known.examples.values()), options, list(acord.clauses.values()))
    n_graded = sum(int((example.grades > 0).sum()) for example in known.examples.values())
    about = {
        "encoder": {"name": encoder.name, "state": encoder.state},
        "data": {"name": str(data), "splits": list(splits), "queries": len(queries), "judgements": digest_of(acord)},
        "licences": list(acord.licences),
        "versions": {name: library_version(name) for name in ("lawng", "lightgbm", "sentence-transformers")},
    }
    with atomic_folder(folder) as partial:
        ranking.save(partial, about)
    return Trained(folder, ranking, len(queries), n_graded)


def digest_of(acord: Acord) -> str:
    """Digest of the judgements."""
    return sha256("".join(map(repr, acord.judgements)).encode()).hexdigest()
