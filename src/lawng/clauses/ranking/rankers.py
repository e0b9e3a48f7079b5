"""Rankings of clauses: what `lawng search` sorts them by, trained or not, and what the scores tell of a search.

FeatureRanker(clauses, encoder, cache, ranking): by a clause model where there is one, else heuristic
ClauseRanker.scores(query, clauses) -> ScoreColumns: by name, one number a clause
found_by(columns) -> str or None     says_something(columns) -> bool
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.clause_annotation import Annotation, AnnotationCache
from lawng.clauses.meaning.clause_sentences import flowing
from lawng.clauses.meaning.query_intent import QueryIntent, query_intent
from lawng.clauses.ranking.features import ClauseFeatures
from lawng.clauses.ranking.trained import FEWEST, Ranking
from lawng.clauses.sections.references import titled, titles_of
from lawng.errors import ConfigError
from lawng.io.kv_store import cache_root, key_of
from lawng.io.progress import Progress, silent
from lawng.models.find import shown_name, slug
from lawng.models.protocols import Embedder, is_truncated
from lawng.models.vector_cache import CachedEncoder, RowCache
from lawng.schema import Clause

ScoreColumns = dict[str, NDArray[np.float64]]

_BY_MEANING = {
    "cosine": "by meaning alone",
    "fit": "by what the glossary takes it to mean",
    "bm25 expanded": "by the words that the glossary takes it to mean",
}
"""What finds clauses when no word of the query occurs, the best first."""


class ClauseRanker(Protocol):
    """What scores clauses for a query."""

    @property
    def name(self) -> str:
        """How answers name it."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of it, and of what it has ranked so far."""

    def scores(self, query: str, clauses: Sequence[Clause]) -> ScoreColumns:
        """A score of each clause, in their order, by name; the one named `score` ranks them, the others explain it.

        NaN is a score that a clause does not have; `score` is never NaN.
        """


def reading_of(ranker: ClauseRanker, query: str) -> QueryIntent:
    """What a ranker takes a query to ask; one that does not say is taken to read it by the glossary's patterns."""
    reads: Callable[[str], QueryIntent] = getattr(ranker, "reads", query_intent)
    return reads(query)


def annotation_of(ranker: ClauseRanker, clause: Clause) -> Annotation | None:
    """What a ranker knows of the sentences of a clause of its own, after those of its headings; None if it keeps none.

    To find it anew takes some milliseconds for each clause that is shown.
    """
    kept: Callable[[Clause], Annotation | None] = getattr(ranker, "annotation", lambda _clause: None)
    return kept(clause)


def says_something(columns: ScoreColumns) -> bool:
    """Whether anything of the query was found: a word of it, or what it means.

    >>> says_something({"score": np.ones(2), "bm25": np.zeros(2), "fit": np.zeros(2)})
    False
    """
    words = columns.get("bm25")  # a ranking that does not say is believed
    return words is None or bool(words.any()) or found_by(columns) is not None


def found_by(columns: ScoreColumns) -> str | None:
    """By what clauses were found where no word of the query occurs in them, None where they were not."""
    found = {name for name, column in columns.items() if column.any()} | ({"cosine"} & columns.keys())
    return next((by for name, by in _BY_MEANING.items() if name in found), None)


def check_columns(columns: ScoreColumns, n: int) -> None:
    """See to it that a ranker gave a score of each clause. Raises ConfigError when it did not."""
    if "score" not in columns or any(column.shape != (n,) for column in columns.values()):
        raise ConfigError(f"the ranker gave {sorted(columns)} and not a `score` of each of {n} clauses; mend it")


def cache_folder() -> Path:
    """Where vectors of clauses are kept: $LAWNG_CACHE/clauses, else ~/.cache/lawng/clauses."""
    return cache_root() / "clauses"


def searched(clause: Clause) -> str:
    """What is matched of a clause: its text, lines broken at a width joined, after the headings around it."""
    return "\n".join([*clause.headings, flowing(clause.text)])


def wording(clause: Clause) -> str:
    """What tells clauses of equal words: the words, in lower case and on one line."""
    return " ".join(clause.text.split()).casefold()


class FeatureRanker:
    """Ranks by words, by meaning where it has an encoder, and by what the glossary of contracts makes of a query.

    A clause model, `ranking`, weighs these and the clauses' style; without one nothing is trained. Vectors and
    annotations of clauses are kept in `cache`. `n_shortened` counts clauses that are longer than the encoder reads:
    their meaning is that of their beginning. `notes` say what a person should know.

    Raises ConfigError when there is a clause model and no encoder.
    """

    def __init__(
        self,
        clauses: Sequence[Clause],
        encoder: Embedder | None,
        cache: Path,
        ranking: Ranking | None = None,
        progress: Progress = silent,
    ) -> None:
        if ranking is not None and encoder is None:
            raise ConfigError("a clause model needs an encoder; leave out --encoder none, or --model")
        texts = [searched(clause) for clause in clauses]
        kept = CachedEncoder(cache, encoder) if encoder else None
        # z-scores among few are not what the model was trained on: these are weighed among clauses that it knows
        beside = ranking.background if ranking and len(clauses) < FEWEST else ()
        self._rows = {clause.clause_id: row for row, clause in enumerate(clauses)}
        titles = titles_of(clauses)
        named = [titled(text, titles.get(one.source, {})) for text, one in zip(texts, clauses, strict=True)]
        annotations = AnnotationCache(cache, progress)
        self._features = ClauseFeatures([*texts, *beside], kept, progress, annotations, [*named, *beside])
        self._ranking = ranking
        self._has_encoder = encoder is not None
        self.n_shortened = _n_long(texts, encoder, cache)
        self.notes: tuple[str, ...] = ()
        if self.n_shortened and encoder:
            self.notes = (f"{self.n_shortened:,} of {len(clauses):,} clauses are longer than the encoder reads "
                          f"({encoder.max_tokens} tokens): their words are matched whole, their meaning by the "
                          "beginning.",)  # fmt: skip
        self.name = "a clause model over " if ranking else ""
        self.name += f"{', '.join(['BM25', *([shown_name(encoder.name)] if encoder else [])])} and the glossary"

    def reads(self, query: str) -> QueryIntent:
        """What the ranker takes a query to ask."""
        return self._features.intent(query)

    def annotation(self, clause: Clause) -> Annotation:
        """What stands where in a clause of the ranker's own, its headings first."""
        return self._features.annotation(self._rows[clause.clause_id])

    def scores(self, query: str, clauses: Sequence[Clause]) -> ScoreColumns:
        """Scores of clauses of the ranker's own, in their order: `score`, and the measures that it is made of.

        `score` adds up z-scores among all of the ranker's clauses; by a clause model it is the model's, and the
        untrained one is `reading`. The measures are as they are: BM25 of the query and of the query with what the
        glossary adds to it, the cosines of both where there is an encoder, and `fit`.
        """
        found = self._features.scores(query)
        columns = {"score": found.heuristic}
        if self._ranking:
            columns = {"score": self._ranking.scores(self._features.matrix(found)), "reading": found.heuristic}
        columns |= {
            name: column.astype(np.float64)
            for name, column in found.measures.items()
            if self._has_encoder or not name.startswith("cosine")
        }
        rows = list(map(self._rows.__getitem__, map(attrgetter("clause_id"), clauses)))
        return {name: column[rows] for name, column in columns.items()}


def _n_long(texts: Sequence[str], encoder: Embedder | None, cache: Path) -> int:
    """How many texts are longer than the encoder reads; what was counted is kept, for counting takes seconds."""
    limit = encoder.max_tokens if encoder else None
    if encoder is None or limit is None:
        return 0
    kept = RowCache(cache / slug(f"longer-than-{limit}-{shown_name(encoder.name)}-{encoder.state}")[:120], 1)
    keys = [key_of(text) for text in texts]
    return int(kept.rows(keys, texts, lambda new: np.array([is_truncated(encoder, text) for text in new])).sum())
