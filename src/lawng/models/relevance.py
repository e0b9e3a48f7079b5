"""How relevant texts are for a query, by any 1-label cross-encoder, such as cross-encoder/ms-marco-MiniLM-L-6-v2.

relevance_model(name or folder) -> RelevanceModel      model.score(query or queries, texts) -> list[float]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from lawng.errors import InputError
from lawng.models.backends import load_backend
from lawng.models.folder import load_folder
from lawng.models.pairs import CrossEncoder


class RelevanceModel:
    """A cross-encoder with one output; the text is truncated where a pair is too long, the query never."""

    def __init__(self, pairs: CrossEncoder) -> None:
        self.name = pairs.name
        self.state = pairs.state
        self._pairs = pairs

    def score(self, queries: str | Sequence[str], texts: Sequence[str]) -> list[float]:
        """The model's own score of each query and text, in order: logits, higher is better, never squashed.

        One query stands for as many as there are texts. Raises InputError when there are not as many, or a query fills
        the model's window.
        """
        every = [queries] * len(texts) if isinstance(queries, str) else list(queries)
        if len(every) != len(texts):
            raise InputError(f"{len(every)} queries and {len(texts)} texts: give one query, or one for each text")
        found, _ = self._pairs.scores(texts, every)
        return [float(row[0]) for row in found]


@lru_cache(maxsize=2)
def relevance_model(name: str, backend: str = "auto", batch: int = 32) -> RelevanceModel:
    """The relevance model of a folder or Hub name, loaded once.

    Raises MissingError when it cannot be had, LabelMapError when it has more than one output.
    """
    return read_relevance_model(name, backend, batch)


def read_relevance_model(name: str, backend: str = "auto", batch: int = 32) -> RelevanceModel:
    """The same, read anew: what stands in a folder may have changed."""
    loaded = load_folder(name, "relevance model", labels=1)
    return RelevanceModel(CrossEncoder(loaded, load_backend(loaded, backend), batch, whole_first=True))
