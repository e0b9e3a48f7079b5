"""A sentence-transformers model as one graph, by ONNX Runtime: OnnxEmbedder(folder, name, state).encode(texts)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.models.folder import read_note
from lawng.models.local_embedder import LocalEmbedder
from lawng.models.onnx.runtime import open_session
from lawng.models.pairs import log_softmax

GRAPH, WEIGHTS, TOKENIZER, NOTE = "encoder.onnx", "encoder.onnx.data", "tokenizer.json", "lawng.json"
"""The files of a folder."""
VECTORS, TAGS = "vectors", "tags"
"""The graph's outputs; tags are what some encoders tell of each token: the logits of its labels."""
PARTS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""What a graph can be given, by what the tokenizer's library calls it."""
_BATCH = 16


class TokenTags(NamedTuple):
    """What the tokens of a text are."""

    places: list[tuple[int, int]]
    """Where each begins and ends in the text, in characters."""
    shares: list[NDArray[np.float64]]
    """By set of labels, the probability of each label, tokens x labels."""


class OnnxEmbedder(LocalEmbedder):
    """A sentence-transformers model as one graph, pooling and all; safe to use from several threads."""

    def __init__(self, folder: Path, name: str, state: str) -> None:
        """Raises OSError, ValueError, KeyError and ONNX Runtime's kinds where the folder is damaged."""
        from tokenizers import Tokenizer

        note = read_note(folder)
        super().__init__(name, state, int(note["width"]), note["max_tokens"])
        self._prompt = str(note["prompt"])
        self.labels: list[list[str]] = [[*map(str, labels)] for labels in note.get("tags", ())]
        """The sets of labels of which each token has one, none where the model tells none."""
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

    def tags(self, text: str) -> TokenTags:
        """What the tokens of a text are, as far as the model reads it; of a model with `labels`."""
        coded = self._tokenizer.encode(text)
        given = {name: np.array([getattr(coded, PARTS[name])], np.int64) for name in self._names}
        logits = np.asarray(self._session.run([TAGS], given)[0][0], dtype=np.float64)
        parts = np.split(logits, np.cumsum([*map(len, self.labels)])[:-1], axis=1)
        whole = [at for at, (start, end) in enumerate(coded.offsets) if start < end]
        return TokenTags([coded.offsets[at] for at in whole], [np.exp(log_softmax(part[whole])) for part in parts])
