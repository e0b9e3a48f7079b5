"""Rankings of clauses: what `lawng search` sorts them by, trained or not.

ReadingRanker(clauses, encoder, cache).scores(query, clauses) -> {"score", ...}     TrainedRanker, by a clause model
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.features import FEATURES, RANKERS, ClauseFeatures
from lawng.clauses.trained import Ranking
from lawng.models.encoder import Embedder
from lawng.models.kept import KeptEncoder, Progress, shown_name, silent
from lawng.records import Clause

Columns = dict[str, NDArray[np.float64]]


def cache_folder() -> Path:
    """Where vectors of clauses are kept: $LAWNG_CACHE/clauses, else ~/.cache/lawng/clauses."""
    given = os.environ.get("LAWNG_CACHE")
    return (Path(given) if given else Path.home() / ".cache" / "lawng") / "clauses"


def searched(clause: Clause) -> str:
    """What is matched of a clause: its text, after the headings of the sections around it."""
    return "\n".join([*clause.headings, clause.text])


class ReadingRanker:
    """Ranks by words, by meaning where it has an encoder, and by what the glossary of contracts makes of a query.

    Nothing is trained. Vectors of clauses are kept in `cache`. `n_shortened` counts clauses that are longer than the
    encoder reads: their meaning is that of their beginning.
    """

    def __init__(
        self, clauses: Sequence[Clause], encoder: Embedder | None, cache: Path, progress: Progress = silent
    ) -> None:
        texts = [searched(clause) for clause in clauses]
        self._rows = {clause.clause_id: row for row, clause in enumerate(clauses)}
        self._features = ClauseFeatures(texts, KeptEncoder(cache, encoder) if encoder else None, progress)
        self._has_encoder = encoder is not None
        self.n_shortened = 0 if encoder is None else sum(_is_long(text, encoder) for text in texts)
        self.name = " and ".join(["BM25", *([shown_name(encoder.name)] if encoder else []), "the glossary"])

    def scores(self, query: str, clauses: Sequence[Clause]) -> Columns:
        """Scores of clauses of the ranker's own, in their order; z-scores among all of its clauses."""
        views = self._features.views(query)
        views["bm25"] = self._features.words(query)
        if not self._has_encoder:
            views = {name: column for name, column in views.items() if not name.startswith("cosine")}
        return self._of({"score": views.pop("reading"), **views}, clauses)

    def _of(self, columns: Columns, clauses: Sequence[Clause]) -> Columns:
        rows = [self._rows[clause.clause_id] for clause in clauses]
        return {name: column[rows] for name, column in columns.items()}


class TrainedRanker(ReadingRanker):
    """Ranks by a clause model, which weighs what the reading adds up and goes by the clauses' manner too."""

    def __init__(
        self,
        clauses: Sequence[Clause],
        encoder: Embedder,
        cache: Path,
        ranking: Ranking,
        progress: Progress = silent,
    ) -> None:
        super().__init__(clauses, encoder, cache, progress)
        self._ranking = ranking
        self.name = f"a clause model over {self.name}"

    def scores(self, query: str, clauses: Sequence[Clause]) -> Columns:
        """As the reading's, `score` by the model and the untrained score as `reading`."""
        features = self._features.of(query)
        columns = {name: features[:, FEATURES.index(name)].astype(np.float64) for name in RANKERS}
        columns["bm25"] = self._features.words(query)
        return self._of({"score": self._ranking.scores(features), **columns}, clauses)


def _is_long(text: str, encoder: Embedder) -> bool:
    limit = encoder.max_tokens
    return limit is not None and len(text) >= limit - 2 and encoder.count_tokens(text) > limit
