"""Re-rankers: what gives the texts of one query scores, be it a cross-encoder or a language model.

reranker("cross-encoder/...") or reranker("openai:gpt-4o-mini") or reranker("openai:gpt-4o-mini?pairwise=sliding-10")
    -> Reranker      .rerank(query, texts) -> list[float]
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lawng.errors import ConfigError
from lawng.extras import explained
from lawng.models.find import RERANKER, shipped_model, shown_name
from lawng.models.openai.chat import answer_cache
from lawng.models.openai.client import Client, Limits, for_a_search
from lawng.models.openai.embeddings import PREFIX
from lawng.models.openai.judges import METHODS, PairwiseLLM, PointwiseLLM
from lawng.models.pairs import LEAST_ROOM, RelevanceModel, relevance_model
from lawng.models.protocols import Reranker


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


def search_reranker(given: str | None) -> Reranker | None:
    """The re-ranker asked for; with None the one that comes with lawng, if it is there. "none" is none.

    Raises as `reranker` does.
    """
    name = given or (RERANKER if shipped_model(RERANKER) else "none")
    if name == "none":
        return None
    if name.startswith(PREFIX):
        return reranker(name, limits=for_a_search())
    return CrossEncoderReranker(relevance_model(name, least_room=LEAST_ROOM))


@explained()
def reranker(
    name: str, cache: Path | None = None, client: Client | None = None, limits: Limits | None = None
) -> Reranker:
    """The re-ranker of a name: a cross-encoder's folder or Hub name, or `openai:MODEL` with how it is asked.

    `?pairwise=` takes allpair, sorting or sliding-K; without it the model is asked pointwise. Answers of language
    models are kept in the folder `cache`; `limits` are those of a client that is made here. Raises MissingError when
    the model cannot be had, ConfigError for another way of asking.
    """
    if not name.startswith(PREFIX):
        return CrossEncoderReranker(relevance_model(name))
    model, _, query = name.removeprefix(PREFIX).partition("?")
    way, _, method = query.partition("=")
    if not model or (query and way != "pairwise"):
        raise ConfigError(
            f"{name}: not understood; write openai:MODEL, or openai:MODEL?pairwise= with one of {', '.join(METHODS)}"
        )
    kept = answer_cache(cache) if cache else None
    client = client or Client(limits=limits)
    if not query:
        return PointwiseLLM(client, model, kept)
    return PairwiseLLM(client, model, method, kept)
