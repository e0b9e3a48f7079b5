"""Re-rankers: what gives the texts of one query scores, be it a cross-encoder or a language model.

reranker("cross-encoder/...") or reranker("openai:gpt-4o-mini") or reranker("openai:gpt-4o-mini?pairwise=sliding-10")
    -> Reranker      .rerank(query, texts) -> list[float]
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from lawng.errors import ConfigError
from lawng.extras import explained
from lawng.models.kept import shown_name
from lawng.models.openai.cache import AnswerCache
from lawng.models.openai.client import Client
from lawng.models.openai.embeddings import PREFIX
from lawng.models.openai.judge import PointwiseLLM
from lawng.models.openai.pairwise import METHODS, PairwiseLLM
from lawng.models.relevance import RelevanceModel, relevance_model


class Reranker(Protocol):
    """Gives texts scores for a query."""

    @property
    def name(self) -> str:
        """How tables name it."""

    @property
    def state(self) -> str:
        """What its scores depend on besides the texts: scores of different states do not mix."""

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Scores of the texts in their order, higher is better; what ties should stay as it stands."""

    def notes(self) -> list[str]:
        """What whoever reads the scores given so far should know: texts shortened, answers that could not be read."""


class CrossEncoderReranker:
    """A relevance model as re-ranker; it counts the texts that the model read in part."""

    def __init__(self, model: RelevanceModel) -> None:
        self.model = model
        self.name = model.name
        self.state = model.state
        self.n_texts = self.n_shortened = 0

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """The model's own scores."""
        scores, read = self.model.judge(query, texts)
        self.n_texts += len(texts)
        self.n_shortened += sum(share < 1 for share in read)
        return scores

    def notes(self) -> list[str]:
        """How many texts were truncated."""
        if not self.n_shortened:
            return []
        n, total = f"{self.n_shortened:,}", f"{self.n_texts:,}"
        return [f"{n} of {total} texts are longer than {shown_name(self.name)} reads: it goes by their beginning."]


class PointwiseReranker:
    """A language model that judges each text alone, as re-ranker."""

    def __init__(self, model: PointwiseLLM) -> None:
        self.model = model
        self.name = model.name
        self.state = model.state

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Expected stars, 0 where no rating could be read."""
        return self.model.scores(query, texts)

    def notes(self) -> list[str]:
        """Answers that were no rating, and ratings that tie."""
        return self.model.notes()


class PairwiseReranker:
    """A language model that chooses between two texts, as re-ranker; the texts come best first."""

    def __init__(self, model: PairwiseLLM) -> None:
        self.model = model
        self.name = model.name
        self.state = model.state

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Minus the rank, from 0: no two texts tie."""
        ranking = self.model.rerank(query, texts)
        rank = {place: at for at, place in enumerate(ranking)}
        return [-float(rank[place]) for place in range(len(texts))]

    def notes(self) -> list[str]:
        """Answers that were no choice."""
        return self.model.notes()


@explained()
def reranker(name: str, cache: Path | None = None, client: Client | None = None) -> Reranker:
    """The re-ranker of a name: a cross-encoder's folder or Hub name, or `openai:MODEL` with how it is asked.

    `?pairwise=` takes allpair, sorting or sliding-K; without it the model is asked pointwise. Answers of language
    models are kept in the folder `cache`. Raises MissingError when the model cannot be had, ConfigError for another way
    of asking.
    """
    if not name.startswith(PREFIX):
        return CrossEncoderReranker(relevance_model(name))
    model, _, query = name.removeprefix(PREFIX).partition("?")
    way, _, method = query.partition("=")
    if not model or (query and way != "pairwise"):
        raise ConfigError(
            f"{name}: not understood; write openai:MODEL, or openai:MODEL?pairwise= with one of {', '.join(METHODS)}"
        )
    kept = AnswerCache(cache) if cache else None
    client = client or Client()
    if not query:
        return PointwiseReranker(PointwiseLLM(client, model, kept))
    return PairwiseReranker(PairwiseLLM(client, model, method, kept))
