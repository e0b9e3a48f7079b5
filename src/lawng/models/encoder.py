"""Embeddings of texts by any sentence-transformers model (LawngNLI, A.1.7).

embedder(name) -> Embedder      embedder.encode(texts) -> Embedded(vectors, truncated)

Vectors are float32, one row per text, as long as the model makes them: normalised where its last module says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.extras import explained
from lawng.models.find import OFFLINE, FoundModel, LoadedOnce, find_model
from lawng.models.folder import device, loading
from lawng.models.local_embedder import LocalEmbedder
from lawng.models.onnx.embedder import GRAPH, OnnxEmbedder
from lawng.models.protocols import Embedder

PAPER = "sentence-transformers/msmarco-distilbert-base-tas-b"
"""The paper's model, from the Hub."""


class SentenceEmbedder(LocalEmbedder):
    """A sentence-transformers model."""

    def __init__(self, name: str, model: Any, batch_size: int = 32, state: str = "") -> None:
        limit = model.max_seq_length
        super().__init__(name, state, int(model.get_embedding_dimension()), None if limit is None else int(limit))
        self._model = model
        self._batch_size = batch_size
        self._lock = Lock()  # the tokenizer keeps padding and truncation in itself

    def tokenizer_json(self) -> str:
        """As sentence-transformers has set it."""
        return str(self._model.tokenizer.backend_tokenizer.to_str())

    def rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors by torch."""
        with self._lock:
            found = self._model.encode(texts, batch_size=self._batch_size, show_progress_bar=False)
        return np.asarray(found).astype(np.float32)


@LoadedOnce
@explained()
def embedder(name: str = PAPER) -> Embedder:
    """The embedder of a model, by Hub name or folder; "all-MiniLM-L6-v2" falls back on its package, without network.

    "openai:MODEL" is a model behind an OpenAI-compatible endpoint. Raises MissingError when the model cannot be had;
    another is never taken in silence.
    """
    if name.startswith("openai:"):
        from lawng.models.openai.embeddings import openai_embedder

        return openai_embedder(name)
    found = encoder_found(name)
    if (Path(found.place) / GRAPH).is_file():
        return OnnxEmbedder(Path(found.place), found.name, found.state)
    from sentence_transformers import SentenceTransformer

    with loading(f"model {found.name}: cannot be loaded", f"; name another folder, or {OFFLINE}"):
        model = SentenceTransformer(found.place, device=device())
    return SentenceEmbedder(name, model.eval(), state=found.state)


def encoder_found(name: str) -> FoundModel:
    """Where an encoder is, and which state of it. Raises MissingError."""
    return find_model("model", name, f"name a folder, or {OFFLINE}")
