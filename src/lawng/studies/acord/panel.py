"""The systems of a study by their names, made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from lawng.clauses.answer import ClauseRanker
from lawng.clauses.ranking.rankers import ReadingRanker, TrainedRanker
from lawng.clauses.ranking.rerank import RerankedRanker, clause_reranker
from lawng.clauses.ranking.trained import load_ranking
from lawng.errors import ConfigError, MissingError
from lawng.models.encoder import Embedder, embedder
from lawng.models.kept import KeptEncoder, slug
from lawng.models.rerank import Reranker
from lawng.records import Clause
from lawng.studies.acord.data import FORMS, AcordQuery, letters
from lawng.studies.acord.names import Label, encoder_label, reranked_label
from lawng.studies.acord.paper import BM25, E2_QUERIES, System
from lawng.studies.acord.rerank import KeptReranker, Reranked
from lawng.studies.acord.settings import AcordSettings, Ours
from lawng.studies.acord.systems import (
    BestBm25,
    BiEncoder,
    CorpusBm25,
    Fusion,
    OwnRanker,
    PaperBm25,
    Retriever,
    clauses_of,
)
from lawng.studies.acord.task import Task
from lawng.studies.bars import bar

PAPER = Label("bm25", BM25, paper=System(BM25))
BEST = Label("bm25-best", "BM25, best")
READING = Label("reading", "lawng search, untrained")
OURS = Label("ours", "lawng search, clause model")
FUSION = "fusion"

Model = TypeVar("Model")


class Spec(NamedTuple):
    """A system before it is made."""

    label: Label
    make: Callable[[], Retriever]
    """Raises MissingError when its model cannot be had."""


class Panel:
    """All systems that the settings name; models, vectors and scores are kept in `cache`."""

    def __init__(self, task: Task, settings: AcordSettings, cache: Path) -> None:
        self.task = task
        self._settings = settings
        self._cache = cache
        self._encoders: dict[str, BiEncoder] = {}
        self._rerankers: dict[str, KeptReranker] = {}
        self._missing: dict[str, MissingError] = {}
        self._chosen = self._choose(list(self._all()))

    def __iter__(self) -> Iterator[Spec]:
        return iter(self._chosen)

    def notes(self) -> list[str]:
        """What encoders did not read, and what re-rankers say of their scores."""
        found = [
            f"{name}: {encoder.n_cut:,} clauses are longer than it reads; the rest of these is not seen"
            for name, encoder in self._encoders.items()
            if encoder.n_cut
        ]
        return found + [note for model in self._rerankers.values() for note in model.notes()]

    def _all(self) -> Iterator[Spec]:
        first = self._settings.encoders[0]
        one = encoder_label(first)
        yield Spec(PAPER, lambda: self._bm25)
        yield Spec(BEST, lambda: BestBm25(self.task))
        yield from (Spec(encoder_label(name), partial(self._encoder, name)) for name in self._settings.encoders)
        yield Spec(
            Label(FUSION, f"BM25 and {one.retriever}"), lambda: Fusion(CorpusBm25(self.task), self._encoder(first))
        )
        for name in self._settings.rerankers:
            yield Spec(reranked_label(PAPER, name), partial(self._again, lambda: self._bm25, name))
            yield Spec(reranked_label(one, name), partial(self._again, lambda: self._encoder(first), name))
        for label, make in ((READING, self._reading), *([(OURS, self._own)] if self._has_own else [])):
            yield Spec(label, partial(self._owner, make))
            for name in self._settings.rerankers:
                yield Spec(reranked_label(label, name), partial(self._own_again, make, name))

    def _choose(self, specs: list[Spec]) -> list[Spec]:
        names = [spec.label.name for spec in specs]
        if double := {name for name in names if names.count(name) > 1}:
            raise ConfigError(f"two models would be called {', '.join(sorted(double))}; rename the folder of one")
        chosen = [spec for spec in specs if self._wants(spec.label)]
        if not chosen:
            raise ConfigError(
                f"--only {self._settings.only}: no such system; there are {', '.join(names)} "
                "(models are added with --encoder and --rerank)"
            )
        return chosen

    def _wants(self, label: Label) -> bool:
        """Whether a system is run. `reading` stands beside a ranker of our own, or is asked for by name.

        It is no part of every study, lest the test queries are asked each time that something in it is changed.
        """
        if self._settings.only:
            return label.name == self._settings.only
        return self._has_own or label.retriever != READING.retriever

    @property
    def _has_own(self) -> bool:
        return self._settings.ours is not None or self._settings.model is not None

    @cached_property
    def _bm25(self) -> PaperBm25:
        return PaperBm25(self.task)

    def _encoder(self, model: str | Embedder) -> BiEncoder:
        label = encoder_label(model)
        if label.name not in self._encoders:
            loaded = self._loaded(embedder, model) if isinstance(model, str) else model
            kept = KeptEncoder(self._cache / "vectors", loaded)
            whole = any(spec.label.name == FUSION for spec in self._chosen)
            with bar(label.retriever) as progress:
                made = BiEncoder(self.task, kept, self._wordings(), None if whole else self.task.judged(), progress)
            self._encoders[label.name] = made
        return self._encoders[label.name]

    def _loaded(self, make: Callable[[str], Model], name: str) -> Model:
        """A model of a name; one that could not be had is not looked for again, for the Hub is slow to say no."""
        if name in self._missing:
            raise self._missing[name]
        try:
            return make(name)
        except MissingError as error:
            self._missing[name] = error
            raise

    def _wordings(self) -> list[str]:
        """What will be asked: table E-2 has its queries in every form."""
        more = [query.form(form) for query in examples_of(self.task).values() for form in FORMS]
        return list(dict.fromkeys([*self.task.wordings(self._settings.forms), *more]))

    def _again(self, first: Callable[[], Retriever], model: str | Reranker) -> Reranked:
        return Reranked(self.task, first(), self._reranker(model), self._settings.depth)

    def _reranker(self, model: str | Reranker) -> KeptReranker:
        name = model if isinstance(model, str) else model.name
        if name not in self._rerankers:
            make = partial(clause_reranker, cache=self._cache / "answers" / slug(name))
            loaded = self._loaded(make, model) if isinstance(model, str) else model
            self._rerankers[name] = KeptReranker(loaded, self._cache / "scores")
        return self._rerankers[name]

    def _reading(self, clauses: list[Clause]) -> ClauseRanker:
        return ReadingRanker(clauses, self._first(), self._cache / "vectors")

    def _own(self, clauses: list[Clause]) -> ClauseRanker:
        if self._settings.ours is not None:
            return self._settings.ours(clauses)
        assert self._settings.model is not None  # no such system is listed otherwise
        ranking, _ = load_ranking(self._settings.model)
        return TrainedRanker(clauses, self._first(), self._cache / "vectors", ranking)

    def _own_again(self, make: Ours, model: str | Reranker) -> OwnRanker:
        """As `lawng search --rerank` ranks: as many clauses again, and the model's share of the order."""
        return self._owner(lambda clauses: RerankedRanker(make(clauses), self._reranker(model)))

    def _owner(self, make: Ours) -> OwnRanker:
        clauses = clauses_of(self.task)
        return OwnRanker(clauses, make(clauses))

    def _first(self) -> Embedder:
        first = self._settings.encoders[0]
        return self._loaded(embedder, first) if isinstance(first, str) else first


def examples_of(task: Task) -> dict[str, AcordQuery]:
    """The queries of table E-2 that are in the split, by the paper's names for them."""
    by_letters = {letters(query.text): query for query in task.queries}
    return {name: by_letters[key] for name, key in E2_QUERIES.items() if key in by_letters}
