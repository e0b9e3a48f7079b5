"""Rankings of clauses: what `lawng search` sorts them by, trained or not.

clause_ranker(clauses, encoder, cache, ranking) -> ReadingRanker, or TrainedRanker by a clause model
.scores(query, clauses) -> {"score", ...}
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lawng.clauses.meaning.anatomies import Anatomies
from lawng.clauses.ranking.columns import Columns
from lawng.clauses.ranking.features import ClauseFeatures, Look
from lawng.clauses.ranking.trained import Ranking
from lawng.errors import ConfigError
from lawng.extras import explained
from lawng.models.cache import cache_root
from lawng.models.encoder import Embedder
from lawng.models.kept import KeptEncoder, Progress, shown_name, silent, slug
from lawng.models.rows import Rows, key_of
from lawng.records import Clause

FEWEST = 500
"""Clauses that a clause model is used for: z-scores among few are not what it was trained on."""


def cache_folder() -> Path:
    """Where vectors of clauses are kept: $LAWNG_CACHE/clauses, else ~/.cache/lawng/clauses."""
    return cache_root() / "clauses"


def searched(clause: Clause) -> str:
    """What is matched of a clause: its text, after the headings of the sections around it."""
    return "\n".join([*clause.headings, clause.text])


def wording(clause: Clause) -> str:
    """What tells clauses of equal words: the words, in lower case and on one line."""
    return " ".join(clause.text.split()).casefold()


class ReadingRanker:
    """Ranks by words, by meaning where it has an encoder, and by what the glossary of contracts makes of a query.

    Nothing is trained. Vectors and anatomies of clauses are kept in `cache`. `n_shortened` counts clauses that are
    longer than the encoder reads: their meaning is that of their beginning. `notes` say what a person should know.
    """

    def __init__(
        self, clauses: Sequence[Clause], encoder: Embedder | None, cache: Path, progress: Progress = silent
    ) -> None:
        texts = [searched(clause) for clause in clauses]
        kept = KeptEncoder(cache, encoder, spare=True) if encoder else None
        self._rows = {clause.clause_id: row for row, clause in enumerate(clauses)}
        self._features = ClauseFeatures(texts, kept, progress, Anatomies(cache, progress))
        self._has_encoder = encoder is not None
        self.n_shortened = _n_long(texts, encoder, cache)
        self.notes = _shortened(self.n_shortened, len(clauses), encoder)
        self.name = f"{', '.join(['BM25', *([shown_name(encoder.name)] if encoder else [])])} and the glossary"

    def scores(self, query: str, clauses: Sequence[Clause]) -> Columns:
        """Scores of clauses of the ranker's own, in their order: `score`, and the measures that it is made of.

        `score` adds up z-scores among all of the ranker's clauses; the measures are as they are: BM25 of the query and
        of the query with what the glossary adds to it, the cosines of both where there is an encoder, and `fit`.
        """
        look = self._features.look(query)
        return self._of({"score": look.reading["reading"], **self._shown(look)}, clauses)

    def _shown(self, look: Look) -> Columns:
        """The measures, without cosines where there is no encoder to give them."""
        shown = [name for name in look.measures if self._has_encoder or not name.startswith("cosine")]
        return {name: look.measures[name].astype(np.float64) for name in shown}

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
        look = self._features.look(query)
        score = self._ranking.scores(self._features.described(look))
        return self._of({"score": score, "reading": look.reading["reading"], **self._shown(look)}, clauses)


@explained()
def clause_ranker(
    clauses: Sequence[Clause],
    encoder: Embedder | None,
    cache: Path,
    ranking: Ranking | None = None,
    progress: Progress = silent,
) -> ReadingRanker:
    """The ranker of a collection: a clause model where there is one and clauses enough for it, else the reading.

    Raises ConfigError when there is a clause model and no encoder.
    """
    if ranking is None:
        return ReadingRanker(clauses, encoder, cache, progress)
    if encoder is None:
        raise ConfigError("a clause model needs an encoder; leave out --encoder none, or --model")
    if len(clauses) >= FEWEST:
        return TrainedRanker(clauses, encoder, cache, ranking, progress)
    plain = ReadingRanker(clauses, encoder, cache, progress)
    plain.notes += (f"The clause model is not used: {len(clauses):,} clauses are too few for it, which was trained to "
                    f"compare a clause with thousands of others; it is from {FEWEST:,} on.",)  # fmt: skip
    return plain


def _shortened(n: int, total: int, encoder: Embedder | None) -> tuple[str, ...]:
    if not n or encoder is None:
        return ()
    return (f"{n:,} of {total:,} clauses are longer than the encoder reads ({encoder.max_tokens} tokens): "
            "their words are matched whole, their meaning by the beginning.",)  # fmt: skip


def _n_long(texts: Sequence[str], encoder: Embedder | None, cache: Path) -> int:
    """How many texts are longer than the encoder reads; what was counted is kept, for counting takes seconds."""
    limit = encoder.max_tokens if encoder else None
    if encoder is None or limit is None:
        return 0
    rows = Rows(cache / slug(f"longer-than-{limit}-{shown_name(encoder.name)}-{encoder.state}")[:120], 1, spare=True)
    keyed = {key_of(text): text for text in texts}
    new = list(rows.missing(keyed))
    if new:
        found = [_is_long(keyed[key], encoder, limit) for key in new]
        rows.add(new, np.array(found, dtype=np.float32)[:, None])
    return int(rows[[key_of(text) for text in texts]].sum())


def _is_long(text: str, encoder: Embedder, limit: int) -> bool:
    # two tokens are the model's own, and each other one has a character at least
    return len(text) >= limit - 2 and encoder.count_tokens(text) > limit
