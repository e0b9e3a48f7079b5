"""Clauses ranked again by a model that reads query and clause together, or only what of the clause answers the query.

clause_reranker(name, cache) -> Reranker      RerankedRanker(first, again, depth)

A model that reads little is given a clause's best sentences, and in words what the glossary finds in it:
RerankerInput(focus, tags).texts(query, texts, known)    focus(query, text, words) -> str     tags(query, texts)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.clause_annotation import Annotation, annotate, parts_of
from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept
from lawng.clauses.meaning.match_features import MATCH_FEATURES, ClauseMatcher
from lawng.clauses.meaning.query_intent import QueryIntent, query_intent
from lawng.clauses.ranking.features import z_scores
from lawng.clauses.ranking.rankers import (
    ClauseRanker,
    ScoreColumns,
    annotation_of,
    reading_of,
    says_something,
    searched,
    wording,
)
from lawng.errors import ConfigError, InputError
from lawng.extras import explained
from lawng.models.find import CLAUSE_RERANKER, find_model, shown_name
from lawng.models.folder import NOTE, read_note
from lawng.models.openai.client import Limits
from lawng.models.pairs import RelevanceModel
from lawng.models.protocols import Reranker
from lawng.models.rerank import CrossEncoderReranker, reranker
from lawng.schema import Clause
from lawng.text.words import content_stems

WEIGHT = 0.4
"""The re-ranker's share. Half of ACORD's training queries were kept from a fine-tuned cross-encoder; there 0.3 to 0.6
add three points to the untrained ranking, and 1 takes two away (`python benchmarks/acord_blend.py`)."""
SHIPPED_WEIGHT = 0.2
"""The share of `lawng-clause-reranker`: what it knows the reading knows by now. On ACORD's train and valid queries,
these reworded, it is as good as 0.3 and 0.4, and queries of the same meaning keep their clauses (docs/results.md)."""
DEPTH = 15
"""Clauses that a search gives a re-ranker: as good there as 20 and 40, and read in a third of a second."""


class Known(NamedTuple):
    """What the ranking before has read: a query, by its encoder too, and the sentences of the clauses asked of."""

    intent: QueryIntent
    annotations: Sequence[Annotation | None]


@dataclass(frozen=True, slots=True)
class RerankerInput:
    """How a query and a clause are shown to a model.

    >>> RerankerInput(6)("fraud", "Notices. Send them by mail. Nothing here limits liability for fraud.")
    ('fraud', 'Nothing here limits liability for fraud.')
    """

    focus: int | None = None
    """Words of the clause that are shown, the best by `focus`; None is its beginning, as far as the model reads."""
    tags: bool = False
    """Whether a clause begins with what the glossary finds in it of what is asked, in words (`tags`)."""

    def __call__(self, query: str, text: str) -> tuple[str, str]:
        """The query and the clause as the model reads them."""
        return query, self.texts(query, [text])[0]

    def texts(self, query: str, texts: Sequence[str], known: Known | None = None) -> list[str]:
        """Clauses as the model reads them."""
        found = list(texts) if self.focus is None else self._focused(query, texts, self.focus, known)
        if not self.tags:
            return found
        return [f"{tag}. {text}" if tag else text for tag, text in zip(tags(query, texts), found, strict=True)]

    def _focused(self, query: str, texts: Sequence[str], words: int, known: Known | None) -> list[str]:
        if known is None:
            return [focus(query, text, words) for text in texts]
        return [
            _best(query, text, words, known.intent, own) for text, own in zip(texts, known.annotations, strict=True)
        ]


@lru_cache(maxsize=200_000)  # whoever trains shows a pair many times
def focus(query: str, text: str, words: int) -> str:
    """At most about so many words of a clause: the sentences that answer the query best, as they stand in the text.

    A sentence counts for the subjects and matters of the glossary that the query asks for, and for the query's own
    words; the first sentence, which has the heading, counts a little. A sentence too long for the room is cut.

    >>> focus("fraud", "Notices. Send them by mail. Nothing here limits liability for fraud.", 6)
    'Nothing here limits liability for fraud.'
    """
    return _best(query, text, words, query_intent(query), None)


def _best(query: str, text: str, words: int, asked: QueryIntent, annotation: Annotation | None) -> str:
    parts = parts_of(text)
    if len(text.split()) <= words or len(parts) < 2:
        return " ".join(text.split()[:words]) if len(parts) < 2 else text
    worth = _worth(query, parts, asked, annotation or annotate(text))
    chosen, left = set[int](), words
    for at in sorted(range(len(parts)), key=lambda at: (-worth[at], at)):
        length = len(parts[at].split())
        if chosen and length > left:
            continue
        chosen.add(at)
        left -= length
        if left <= 0:
            break
    return " ".join(" ".join(parts[at].split()[:words]) for at in sorted(chosen))


def _worth(query: str, parts: list[str], asked: QueryIntent, annotation: Annotation) -> list[float]:
    stems = set(content_stems(query))
    subjects, matters = _bits(SUBJECTS, asked.subjects), _bits(MATTERS, (*asked.said, *asked.excepted, *asked.absent))
    found = []
    for at, (part, sentence) in enumerate(zip(parts, annotation, strict=True)):
        hits = (sentence.about & subjects).bit_count() + (sentence.lifts and asked.carve_outs != 0)
        hits += ((sentence.said | sentence.excepted) & matters).bit_count()
        own = len(stems.intersection(content_stems(part))) / max(1, len(stems))
        found.append(hits + own + (0.5 if at == 0 else 0.0))
    return found


def _bits(kind: tuple[Concept, ...], concepts: tuple[Concept, ...]) -> int:
    names = {concept.name for concept in concepts}
    return sum(1 << place for place, concept in enumerate(kind) if concept.name in names)


_LEVELS = ("none", "little", "half", "most", "all")


def tags(query: str, texts: Sequence[str]) -> list[str]:
    """How far each clause has what is asked, in words of a small vocabulary, the same for every concept.

    A model learns from few queries what "said none" is worth, and need not know the words by which a clause says it.
    "" where the glossary knows no subject of the query.

    >>> tags("fraud exception to cap on liability", ["Except for fraud, a party's total liability is one dollar."])
    ['subject all early all share all; excepted all; exceptions few as asked; mutual']
    >>> tags("gibberish", ["Except for fraud."])
    ['']
    """
    asked = query_intent(query)
    if not asked.subjects or not texts:
        return [""] * len(texts)
    rows = ClauseMatcher(texts).match(asked).tolist()
    return ["; ".join(_said(dict(zip(MATCH_FEATURES, row, strict=True)), asked)) for row in rows]


def _said(found: Mapping[str, float], asked: QueryIntent) -> Iterator[str]:
    named = {"subject": "subject", "early": "subject early", "share": "subject share"}
    yield " ".join(f"{word} {level(found[name])}" for word, name in named.items())
    yield from (f"{name} {level(found[name])}" for name in ("said", "excepted") if not math.isnan(found[name]))
    if asked.absent:
        yield f"unwanted {level(found['unwanted'])}"
    if found["excepted though asked"]:
        yield "excepted though asked"
    words = math.expm1(found["exception words"])
    how_many = "no exceptions" if not words else "exceptions few" if words < 25 else "exceptions many"
    yield how_many + ("" if not asked.carve_outs else " as asked" if found["exceptions as asked"] else " not as asked")
    yield from _parties(found, asked)


def _parties(found: Mapping[str, float], asked: QueryIntent) -> Iterator[str]:
    if asked.mutual:
        yield f"mutual as asked {level(found['mutual as asked'])}"
    elif found["mutual"] >= 0.5:
        yield "mutual"
    if asked.favours:
        frees = found["favours x guards"]
        yield f"frees {'whom' if frees > 0 else 'both or nobody' if not frees else 'not whom'} asked"


def level(share: float) -> str:
    """A share from 0 to 1 in a word.

    >>> [level(share) for share in (0, 0.2, 0.5, 0.7, 1)]
    ['none', 'little', 'half', 'most', 'all']
    """
    return _LEVELS[0 if share <= 0 else min(4, 1 + int(3 * share))]


class FocusedReranker(CrossEncoderReranker):
    """A relevance model that is shown queries and clauses as it was in training."""

    def __init__(self, model: RelevanceModel, shown: RerankerInput) -> None:
        super().__init__(model)
        self.shown = shown
        self.state = f"focus-{shown.focus}-tags-{shown.tags}-{model.state}"

    def rerank(self, query: str, texts: Sequence[str], known: Known | None = None) -> list[float]:
        """The model's own scores; what is `known` of query and texts need not be found anew."""
        return super().rerank(query, self.shown.texts(query, texts, known))

    def notes(self) -> list[str]:
        """How much is read, and how many texts were truncated even so."""
        words = self.shown.focus
        read = f"{shown_name(self.name)} reads about {words} words of a clause, those that answer the query best."
        return [*([read] if words is not None and self.n_texts else []), *super().notes()]


@explained()
def clause_reranker(name: str, cache: Path | None = None, limits: Limits | None = None) -> Reranker:
    """The re-ranker of a name as `reranker` makes it; one that was trained with a focus gets it, by its lawng.json.

    Raises as `reranker` does, InputError when lawng.json has no focus that can be.
    """
    found = reranker(name, cache, limits=limits)
    if not isinstance(found, CrossEncoderReranker):
        return found
    place = Path(find_model("relevance model", name).place)
    shown = _shown(place, read_note(place))
    return found if shown == RerankerInput() else FocusedReranker(found.model, shown)


def _shown(place: Path, note: dict[str, Any]) -> RerankerInput:
    words = note.get("focus")
    if not isinstance(words, int | None) or (words is not None and words < 1):
        raise InputError(f"{place / NOTE}: focus {words!r} is no number of words; train the model again")
    if note.get("expand"):
        raise InputError(f"{place / NOTE}: trained with --expand, which is no more; train the model again")
    if not isinstance(note.get("tags", False), bool):
        raise InputError(f"{place / NOTE}: tags {note['tags']!r} is neither true nor false; train the model again")
    return RerankerInput(words, note.get("tags", False))


class RerankedRanker:
    """A ranking of clauses of which the first `depth` are ranked again; what ties, and all below, stays as it was.

    The new order is by the weighted sum of both scores, each as z-scores among the clauses that are read. Clauses of
    equal words are one of them, read once, as the first ranking's best of them stands under its headings.
    """

    def __init__(
        self, first: ClauseRanker, again: Reranker, depth: int | None = None, weight: float | None = None
    ) -> None:
        """`depth` is DEPTH unless given; `weight`, the re-ranker's share, is SHIPPED_WEIGHT for the one that ships and
        WEIGHT for others, 1 for its order alone. Raises ConfigError for a depth below 1, or a weight that is not above
        0 and at most 1."""
        depth = DEPTH if depth is None else depth
        weight = (SHIPPED_WEIGHT if again.name == CLAUSE_RERANKER else WEIGHT) if weight is None else weight
        if depth < 1:
            raise ConfigError(f"depth: {depth} is not 1 or more")
        if not 0 < weight <= 1:
            raise ConfigError(f"weight: {weight:g} is not above 0 and at most 1")
        self.first = first
        self._again = again
        self._depth = depth
        self._weight = weight
        self._wordings: dict[str, str] = {}
        self.name = f"{first.name}, up to {depth:,} of the best again by {shown_name(again.name)}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Those of the first ranking, and of the re-ranker."""
        return (*self.first.notes, *self._again.notes())

    def reads(self, query: str) -> QueryIntent:
        """What the first ranking takes a query to ask."""
        return reading_of(self.first, query)

    def annotation(self, clause: Clause) -> Annotation | None:
        """What the first ranking keeps of a clause's sentences."""
        return annotation_of(self.first, clause)

    def scores(self, query: str, clauses: Sequence[Clause]) -> ScoreColumns:
        """The first ranking's columns, its score as `first`; `score` is minus the new rank, from 0.

        `rerank` is the re-ranker's own score, NaN where it did not read a clause. Where the first ranking has found
        nothing, the re-ranker is not asked, and the columns are the first ranking's.
        """
        return self.again(query, clauses, self.first.scores(query, clauses))

    def again(self, query: str, clauses: Sequence[Clause], columns: ScoreColumns) -> ScoreColumns:
        """The columns of the first ranking with the best ranked again."""
        if not says_something(columns):
            return columns
        order = np.argsort(-columns["score"], kind="stable")
        own, mixed = self._read(query, clauses, order, columns["score"])
        score = np.zeros(len(clauses))
        ranked = order[np.argsort(-np.nan_to_num(mixed[order], nan=-np.inf), kind="stable")]
        score[ranked] = 0.0 - np.arange(len(clauses))
        rest = {name: column for name, column in columns.items() if name != "score"}
        return {"score": score, "rerank": own, "first": columns["score"], **rest}

    def _wording(self, clause: Clause) -> str:
        """The words of a clause; of 10,000 they take a sixth of a second, and each search asks for all."""
        if (known := self._wordings.get(clause.clause_id)) is None:
            known = self._wordings[clause.clause_id] = wording(clause)
        return known

    def _read(
        self, query: str, clauses: Sequence[Clause], order: NDArray[np.intp], first: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The re-ranker's scores of the first wordings, and the weighted sums; NaN for the rest."""
        alike: dict[str, list[int]] = {}
        for n in order.tolist():
            alike.setdefault(self._wording(clauses[n]), []).append(n)
        top = list(alike.values())[: self._depth]
        scores = np.array(self._scores(query, [clauses[n] for n, *_ in top]), dtype=np.float64)
        sums = blend(first[[n for n, *_ in top]], scores, self._weight)
        own, mixed = np.full(len(clauses), np.nan), np.full(len(clauses), np.nan)
        for places, score, total in zip(top, scores, sums, strict=True):
            own[places], mixed[places] = score, total
        return own, mixed

    def _scores(self, query: str, clauses: Sequence[Clause]) -> list[float]:
        texts = [searched(clause) for clause in clauses]
        if not isinstance(self._again, FocusedReranker):
            return self._again.rerank(query, texts)
        return self._again.rerank(query, texts, Known(self.reads(query), [self.annotation(one) for one in clauses]))


def blend(first: NDArray[np.float64], again: NDArray[np.float64], weight: float) -> NDArray[np.float64]:
    """Two scores of the same clauses as one: `weight` of the second and the rest of the first, each as z-scores.

    >>> blend(np.array([3.0, 2.0, 1.0]), np.array([0.0, 0.5, 1.0]), 0.5).tolist()
    [0.0, 0.0, 0.0]
    """
    return weight * z_scores(again) + (1 - weight) * z_scores(first)
