"""What embedders on this machine have in common, whatever they compute with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.models.protocols import Embedded, is_truncated


class LocalEmbedder(ABC):
    """A model on this machine; texts go through it sorted by length, so that batches waste no padding."""

    def __init__(self, name: str, state: str, width: int, max_tokens: int | None) -> None:
        self.name = name
        self.state = state
        self.width = width
        """Dimensions of a vector."""
        self.max_tokens = max_tokens
        """Tokens that the model reads of a text, those at the ends included; None when it has no limit."""

    def count_tokens(self, text: str) -> int:
        """Tokens of a text with those at the ends, never cut."""
        return len(self._counter.encode(text).ids)

    @cached_property
    def _counter(self) -> Any:
        """A tokenizer of its own, for texts are counted in one thread while another encodes."""
        from tokenizers import Tokenizer

        counter = Tokenizer.from_str(self.tokenizer_json())
        counter.no_truncation()
        counter.no_padding()
        return counter

    def encode(self, texts: Sequence[str]) -> Embedded:
        """Vectors of the texts in their order; longer ones than the model reads are flagged, never cut in silence.

        Equal texts are read once. The same texts give the same bytes: batches depend on nothing else.
        """
        distinct = sorted(set(texts), key=lambda text: (-len(text), text))
        place = {text: row for row, text in enumerate(distinct)}
        if not distinct:
            return Embedded(np.zeros((0, self.width), dtype=np.float32), [])
        rows = self.rows(distinct)
        cut = [is_truncated(self, text) for text in distinct]
        order = [place[text] for text in texts]
        return Embedded(rows[order], [cut[row] for row in order])

    @abstractmethod
    def tokenizer_json(self) -> str:
        """The model's tokenizer as its own library writes it."""

    @abstractmethod
    def rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of different texts, the longest first."""
