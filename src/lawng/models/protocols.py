"""What the rooms above need of models, whoever makes them: encoders of texts, judges of pairs, re-rankers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray


class Embedded(NamedTuple):
    """Vectors of some texts, one row each, and which texts the model read only the beginning of."""

    vectors: NDArray[np.float32]
    truncated: list[bool]


class TextEncoder(Protocol):
    """Texts to vectors: all that neutralisation needs of a model."""

    name: str

    def encode(self, texts: Sequence[str]) -> Embedded:
        """Vectors of the texts, in their order."""


class Embedder(TextEncoder, Protocol):
    """What an index needs of a model beside: how wide its vectors are, how much it reads, and which state it is in."""

    @property
    def width(self) -> int:
        """Dimensions of a vector."""

    max_tokens: int | None
    """Tokens that the model reads of a text, those at the ends included; None when it has no limit."""
    state: str
    """Version, revision or digest of the model: vectors of different states do not mix."""

    def count_tokens(self, text: str) -> int:
        """Tokens of a text with those at the ends, never cut: the model reads it all when at most `max_tokens`."""


class Judged(NamedTuple):
    """What a model says of some pairs."""

    log_probs: NDArray[np.float64]
    """n x 3, columns in the order of `LABELS`, natural logarithms, calibrated; each row's probabilities sum to 1."""
    read: list[float]
    """Share of each premise's tokens that the model read: 1.0 unless the premise was truncated; 0.0 where it gave no
    answer that could be read."""


class PairModel(Protocol):
    """A judge of premises and hypotheses."""

    name: str
    """What people call it."""
    state: str
    """Digest or revision of the model: judgements of different states may differ."""

    def judge(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        """One judgement per pair, in order."""


class Scored(NamedTuple):
    """What a model says of some texts."""

    scores: list[float]
    """The model's own: logits, higher is better, never squashed."""
    read: list[float]
    """Share of each text's tokens that the model read: 1.0 unless the text was truncated."""


class Reranker(Protocol):
    """Gives texts scores for a query."""

    name: str
    """How tables name it."""
    state: str
    """What its scores depend on besides the texts: scores of different states do not mix."""

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Scores of the texts in their order, higher is better; what ties should stay as it stands."""

    def notes(self) -> list[str]:
        """What whoever reads the scores given so far should know: texts shortened, answers that could not be read."""


def is_truncated(embedder: Embedder, text: str) -> bool:
    """Whether a model reads only the beginning of a text."""
    limit = embedder.max_tokens
    # two tokens are the model's own, and each other one has a character at least: short texts need not be counted
    return limit is not None and len(text) >= limit - 2 and embedder.count_tokens(text) > limit


def unit(vectors: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Rows of length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled
