"""A sentence-transformers model as one graph, by ONNX Runtime: OnnxEmbedder(folder, name, state).encode(texts)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lawng.models.folder import read_note
from lawng.models.local_embedder import LocalEmbedder
from lawng.models.onnx.runtime import open_session

GRAPH, WEIGHTS, TOKENIZER, NOTE = "encoder.onnx", "encoder.onnx.data", "tokenizer.json", "lawng.json"
"""The files of a folder."""
VECTORS = "vectors"
"""The graph's output."""
PARTS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""What a graph can be given, by what the tokenizer's library calls it."""
_BATCH = 16


class OnnxEmbedder(LocalEmbedder):
    """A sentence-transformers model as one graph, pooling and all; safe to use from several threads."""

    def __init__(self, folder: Path, name: str, state: str) -> None:
        """Raises OSError, ValueError, KeyError and ONNX Runtime's kinds where the folder is damaged."""
        from tokenizers import Tokenizer

        note = read_note(folder)
        super().__init__(name, state, int(note["width"]), note["max_tokens"])
        self._prompt = str(note["prompt"])
        # one thread: a short text gains nothing from a second one, and batches of many run side by side
        self._session = open_session(folder / GRAPH, threads=1)
        self._names = [given.name for given in self._session.get_inputs()]
        self._json = (folder / TOKENIZER).read_text(encoding="utf-8")
        self._tokenizer = Tokenizer.from_str(self._json)  # with its truncation and padding, as the model sets them

    def tokenizer_json(self) -> str:
        """As it was when the graph was made."""
        return self._json

    def rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors by ONNX Runtime, in batches of texts about as long, side by side on one thread each."""
        batches = [texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH)]
        if len(batches) == 1:
            return self._run(texts)
        with ThreadPoolExecutor(min(len(batches), os.cpu_count() or 1)) as pool:
            return np.concatenate(list(pool.map(self._run, batches)))

    def _run(self, texts: Sequence[str]) -> NDArray[np.float32]:
        coded = self._tokenizer.encode_batch([self._prompt + text for text in texts])
        given = {name: np.array([getattr(one, PARTS[name]) for one in coded], np.int64) for name in self._names}
        return np.asarray(self._session.run([VECTORS], given)[0], dtype=np.float32)
