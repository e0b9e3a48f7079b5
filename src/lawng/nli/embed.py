"""Embeddings of hypotheses and premises by any sentence-transformers model (LawngNLI, A.1.7).

embedder(name) -> Embedder      embedder.encode(texts) -> Embedded(vectors, truncated)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lawng.errors import MissingError
from lawng.nli.tokens import OFFLINE, offline_model

PAPER = "sentence-transformers/msmarco-distilbert-base-tas-b"
"""The paper's model, from the Hub."""


class Embedded(NamedTuple):
    """Vectors of some texts, one row each, and which texts the model read only the beginning of."""

    vectors: NDArray[np.float32]
    truncated: list[bool]


class Embedder(Protocol):
    """What neutralisation needs of a model."""

    name: str

    def encode(self, texts: Sequence[str]) -> Embedded:
        """Vectors of the texts, in their order."""


class SentenceEmbedder:
    """A sentence-transformers model; texts go through it sorted by length, so that batches waste no padding."""

    def __init__(self, name: str, model: Any, batch_size: int = 32) -> None:
        self.name = name
        self._model = model
        self._batch_size = batch_size

    def encode(self, texts: Sequence[str]) -> Embedded:
        """Vectors of the texts in their order; longer ones than the model reads are flagged, never cut in silence.

        Equal texts are read once. The same texts give the same bytes: batches depend on nothing else.
        """
        distinct = sorted(set(texts), key=lambda text: (-len(text), text))
        place = {text: row for row, text in enumerate(distinct)}
        if not distinct:
            return Embedded(np.zeros((0, self._width()), dtype=np.float32), [])
        rows = np.asarray(self._model.encode(distinct, batch_size=self._batch_size, show_progress_bar=False))
        cut = self._too_long(distinct)
        order = [place[text] for text in texts]
        return Embedded(rows[order].astype(np.float32), [cut[row] for row in order])

    def _width(self) -> int:
        return int(self._model.get_embedding_dimension())

    def _too_long(self, texts: list[str]) -> list[bool]:
        limit = self._model.max_seq_length
        if limit is None:
            return [False] * len(texts)
        # A token is at least a character: short texts need not be counted.
        return [len(text) >= limit - 2 and self._n_tokens(text) > limit for text in texts]

    def _n_tokens(self, text: str) -> int:
        return len(self._model.tokenizer(text, truncation=False, verbose=False)["input_ids"])


@lru_cache(maxsize=2)
def embedder(name: str = PAPER) -> SentenceEmbedder:
    """The embedder of a model, by Hub name or folder; "all-MiniLM-L6-v2" falls back on its package, without network.

    Raises MissingError when the model cannot be had; another is never taken in silence.
    """
    from sentence_transformers import SentenceTransformer

    folder = offline_model() if name.rpartition("/")[2] == OFFLINE and not Path(name).exists() else None
    try:
        model = SentenceTransformer(str(folder or name), device="cpu")
    except Exception as error:  # the Hub client raises many kinds, all meaning: not to be had
        reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
        raise MissingError(
            f"model {name}: neither a folder nor to be had from the Hub ({reason}); name a folder, or {OFFLINE}"
        ) from error
    model.eval()
    return SentenceEmbedder(name, model)
