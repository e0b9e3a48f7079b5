"""How relevant texts are for a query, by any 1-label cross-encoder, such as cross-encoder/ms-marco-MiniLM-L-6-v2.

relevance_model(name or folder) -> RelevanceModel      model.score(query or queries, texts) -> list[float]
model.judge(query or queries, texts) -> Scored(scores, read)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from lawng.errors import InputError
from lawng.extras import explained
from lawng.models.backends import load_backend
from lawng.models.folder import load_folder
from lawng.models.pairs import CrossEncoder


class Scored(NamedTuple):
    """What a model says of some texts."""

    scores: list[float]
    """The model's own: logits, higher is better, never squashed."""
    read: list[float]
    """Share of each text's tokens that the model read: 1.0 unless the text was truncated."""


class RelevanceModel:
    """A cross-encoder with one output; the text is truncated where a pair is too long, the query never."""

    def __init__(self, pairs: CrossEncoder) -> None:
        self.name = pairs.name
        self.state = pairs.state
        self._pairs = pairs

    def score(self, queries: str | Sequence[str], texts: Sequence[str]) -> list[float]:
        """The model's own score of each query and text, in order. Raises as `judge` does."""
        return self.judge(queries, texts).scores

    def judge(self, queries: str | Sequence[str], texts: Sequence[str]) -> Scored:
        """The score of each query and text, in order, and how much of the text was read.

        One query stands for as many as there are texts. Raises InputError when there are not as many, or a query fills
        the model's window.
        """
        every = [queries] * len(texts) if isinstance(queries, str) else list(queries)
        if len(every) != len(texts):
            raise InputError(f"{len(every)} queries and {len(texts)} texts: give one query, or one for each text")
        found, read = self._pairs.scores(texts, every)
        return Scored([float(row[0]) for row in found], read)


BATCH = 8
"""Pairs that are read together: of texts of many lengths, 32 take a quarter more time on a CPU, for they are padded."""


@lru_cache(maxsize=2)
@explained()
def relevance_model(name: str, backend: str = "auto", batch: int = BATCH) -> RelevanceModel:
    """The relevance model of a folder or Hub name, loaded once.

    Raises MissingError when it cannot be had, LabelMapError when it has more than one output.
    """
    return read_relevance_model(name, backend, batch)


def read_relevance_model(name: str, backend: str = "auto", batch: int = BATCH) -> RelevanceModel:
    """The same, read anew: what stands in a folder may have changed."""
    loaded = load_folder(name, "relevance model", labels=1, plain=backend in {"auto", "onnx"})
    return RelevanceModel(CrossEncoder(loaded, load_backend(loaded, backend), batch, whole_first=True))
