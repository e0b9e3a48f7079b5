"""An encoder without a model, for all tests that need vectors but not good ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

import numpy as np

from lawng.models.protocols import Embedded

_WORD = re.compile(r"\w+")
_SPECIAL = 2


@dataclass
class HashingEncoder:
    """Counts of hashed words: the same vectors everywhere, and texts with common words are near each other.

    It reads so many words of a text that they are `max_tokens` with the two special tokens that a model adds; under
    another name it has other vectors.
    """

    name: str = "hashing"
    state: str = "1"
    width: int = 64
    max_tokens: int | None = 120
    n_encoded: int = 0

    def count_tokens(self, text: str) -> int:
        return len(_WORD.findall(text)) + _SPECIAL

    def encode(self, texts: Sequence[str]) -> Embedded:
        self.n_encoded += len(texts)
        read = None if self.max_tokens is None else max(0, self.max_tokens - _SPECIAL)
        rows = np.zeros((len(texts), self.width), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in _WORD.findall(text.lower())[:read]:
                place, weight = _place(f"{self.name} {word}", self.width)
                row[place] += weight
        cut = [self.max_tokens is not None and self.count_tokens(text) > self.max_tokens for text in texts]
        return Embedded(rows, cut)


@cache
def _place(word: str, width: int) -> tuple[int, float]:
    digest = blake2b(word.encode(), digest_size=8).digest()
    place = digest[0] if width <= 256 else int.from_bytes(digest[2:5])
    return place % width, 1.0 + digest[1] / 256
