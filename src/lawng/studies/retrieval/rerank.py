"""Re-ranking a list by what a cross-encoder says of each document and the query (LawngNLI, 4.2.1, step 3, table 6).

Any system of the panel re-ranks as well: it is asked of the list as of a pool. These read pairs and keep each answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from lawng.labels import LABELS, Label
from lawng.models.kept import shown_name, slug
from lawng.models.rows import Rows, key_of
from lawng.nli.paragraphs import best_paragraphs
from lawng.studies.retrieval.documents import Documents, Numbers
from lawng.studies.retrieval.queries import Query
from lawng.studies.retrieval.systems import Label as SystemLabel
from lawng.studies.retrieval.systems import Scores
from lawng.studies.retrieval.views import Views

if TYPE_CHECKING:
    from lawng.models.pairs import PairModel

_COLUMN = {"entail": LABELS.index(Label.ENTAILMENT), "contradict": LABELS.index(Label.CONTRADICTION)}
BEST_PASSAGES = 3

Premises = Callable[[int, int], list[str]]
"""Query and document number to the texts that are judged for them; the best one counts."""


class Relevance(Protocol):
    """A relevance cross-encoder (`lawng.models.relevance`)."""

    name: str
    state: str

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> Sequence[float]:
        """How relevant each text is for its query; higher is better."""


def five_paragraphs(views: Views) -> Premises:
    """The five BM25 paragraphs as one premise, as in the paper."""
    return lambda query, document: [views.text(query, document)]


def best_passages(
    passages_of: Callable[[str], Sequence[str]], documents: Documents, queries: Sequence[Query]
) -> Premises:
    """The three passages of an index that BM25 finds best within the document, each a premise of its own."""

    def premises(query: int, document: int) -> list[str]:
        texts = passages_of(documents.ids[document])
        return [texts[at] for at in best_paragraphs(texts, queries[query].text, BEST_PASSAGES)] or [""]

    return premises


class StanceReranker:
    """Documents by the probability that they entail, or contradict, the query: which of them is the query's stance."""

    def __init__(
        self, model: PairModel, folder: Path, queries: Sequence[Query], premises: Premises, what: str = "five"
    ) -> None:
        self.label = SystemLabel(shown_name(model.name), f"rerank {what}")
        self._model = model
        self._queries = queries
        self._premises = premises
        self._rows = Rows(folder / slug(f"{self.label.system}-{model.state}")[:120], len(LABELS) + 1)

    def score(self, query: int, pool: Numbers) -> Scores:
        """Probabilities."""
        asked = self._queries[query]
        premises = [self._premises(query, number) for number in pool.tolist()]
        of_pair = _kept(self._rows, [(text, asked.text) for texts in premises for text in texts], self._judge)
        return _best_of(np.exp(of_pair[:, _COLUMN[asked.stance]]), premises)

    def _judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        judged = self._model.judge([premise for premise, _ in pairs], [hypothesis for _, hypothesis in pairs])
        return np.column_stack([judged.log_probs, judged.read]).astype(np.float32)


class RelevanceReranker:
    """Documents by a relevance cross-encoder's score."""

    def __init__(self, model: Relevance, folder: Path, queries: Sequence[Query], premises: Premises) -> None:
        self.label = SystemLabel(shown_name(model.name), "rerank five")
        self._model = model
        self._queries = queries
        self._premises = premises
        self._rows = Rows(folder / slug(f"{self.label.system}-{model.state}")[:120], 1)

    def score(self, query: int, pool: Numbers) -> Scores:
        """Relevance scores."""
        premises = [self._premises(query, number) for number in pool.tolist()]
        pairs = [(text, self._queries[query].text) for texts in premises for text in texts]
        return _best_of(_kept(self._rows, pairs, self._judge)[:, 0], premises)

    def _judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        scores = self._model.score([query for _, query in pairs], [text for text, _ in pairs])
        return np.array(scores, dtype=np.float32).reshape(-1, 1)


def _kept(
    rows: Rows, pairs: Sequence[tuple[str, str]], judge: Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]]
) -> NDArray[np.float32]:
    """Rows of the pairs, those that are not kept yet judged together."""
    keys = [key_of(*pair) for pair in pairs]
    wanted = rows.missing(keys)
    new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key in wanted}
    if new:
        rows.add(list(new), judge(list(new.values())))
    return rows[keys]


def _best_of(values: NDArray[np.floating], premises: Sequence[Sequence[str]]) -> Scores:
    starts = np.cumsum([0, *(len(texts) for texts in premises)])[:-1]
    return np.maximum.reduceat(values.astype(np.float64), starts) if len(starts) else np.zeros(0)
