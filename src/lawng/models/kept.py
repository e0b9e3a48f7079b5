"""Encoders whose vectors are kept in a folder: by the model's state and the text, never computed twice.

KeptEncoder(folder, embedder).encode(texts) -> array, rows normalised
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lawng.models.encoder import Embedder
from lawng.models.rows import Rows, key_of

CHUNK = 256
"""Texts that are encoded and stored at a time: what a kill can lose."""

Progress = Callable[[int, int], None]
"""Called with how many are done, and of how many."""


def silent(_done: int, _total: int) -> None:
    """No progress."""


def slug(name: str) -> str:
    """A model's or system's name as a file name.

    >>> slug("cross-encoder/ms-marco MiniLM")
    'cross-encoder_ms-marco_MiniLM'
    """
    return re.sub(r"[^\w.+-]+", "_", name).strip("_") or "model"


def shown_name(name: str) -> str:
    """How tables name a model: a folder by its last part, and without the organisation that Hub names begin with.

    >>> shown_name("sentence-transformers/all-mpnet-base-v2")
    'all-mpnet-base-v2'
    """
    return name.rstrip("/").rpartition("/")[2]


class KeptEncoder:
    """A bi-encoder with a memory. Vectors are normalised, so that dot products are cosines.

    With `spare` a memory that cannot be read or written stops nothing (`Rows`).
    """

    def __init__(self, folder: Path, embedder: Embedder, spare: bool = False) -> None:
        self.embedder = embedder
        self.name = shown_name(embedder.name)
        self._rows = Rows(folder / slug(f"{self.name}-{embedder.state}")[:120], embedder.width, spare)

    def encode(self, texts: Sequence[str], progress: Progress = silent) -> NDArray[np.float32]:
        """Vectors of the texts in their order, float32, n x width; beyond the model's window a text is not read."""
        keys = [key_of(text) for text in texts]
        wanted = self._rows.missing(keys)
        # chunks are those of all texts, done or not: a study that goes on makes the batches of one that was not killed
        distinct = sorted(dict(zip(keys, texts, strict=True)).items(), key=lambda item: (-len(item[1]), item[0]))
        done = len(distinct) - len(wanted)
        for at in range(0, len(distinct), CHUNK):
            chunk = [(key, text) for key, text in distinct[at : at + CHUNK] if key in wanted]
            if chunk:
                self._rows.add([key for key, _ in chunk], self.vectors([text for _, text in chunk]))
                done += len(chunk)
                progress(done, len(distinct))
        return self._rows[keys]

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts that are not kept."""
        vectors = self.embedder.encode(texts).vectors
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (vectors / np.maximum(norms, 1e-12)).astype(np.float32)
        return unit
