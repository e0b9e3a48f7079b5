"""The systems of a study by their names, loaded when they are asked: panel(task, settings, cache) -> systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from lawng.clauses.meaning.clause_annotation import edition
from lawng.clauses.ranking.rankers import FeatureRanker
from lawng.clauses.ranking.rerank import RerankedRanker, clause_reranker
from lawng.clauses.ranking.trained import load_ranking
from lawng.errors import ConfigError, MissingError
from lawng.io.progress import Progress, progress_bar
from lawng.models.encoder import embedder
from lawng.models.find import CLAUSE_FINDER, find_model, shipped_model, slug
from lawng.models.protocols import Embedder, Reranker
from lawng.models.vector_cache import CachedEncoder
from lawng.schema import ScoredDoc
from lawng.studies.acord import paper
from lawng.studies.acord.data import FORMS, AcordQuery, Task
from lawng.studies.acord.files import letters
from lawng.studies.acord.settings import (
    BEST,
    FUSION,
    OURS,
    PAPER,
    READING,
    AcordSettings,
    Ours,
    encoder_label,
    label_of,
    reranked_label,
)
from lawng.studies.acord.systems import (
    BEST_BM25,
    CORPUS_BM25,
    BiEncoder,
    CachedReranker,
    PoolBm25,
    Scorer,
    asked_whole,
    clauses_of,
    fused,
    reranked,
)
from lawng.studies.harness import Depends, Notes, System, SystemLabel, texts_digest
from lawng.text.words import content_stems

Model = TypeVar("Model")


@dataclass(frozen=True)
class Asked:
    """The queries of a task in one form."""

    name: str
    task: Task
    form: str
    queries: tuple[AcordQuery, ...]

    @cached_property
    def depends(self) -> Depends:
        """The collection, the queries and what is judged for them."""
        asked = (text for query in self.queries for text in (query.query_id, query.form(self.form)))
        pools = (text for row in self.task.judgements for text in (row.query_id, row.doc_id))
        return {
            "clauses": texts_digest([*self.task.ids, *self.task.texts]),
            "queries": texts_digest(asked),
            "pools": texts_digest(pools),
        }


@dataclass
class Ranking:
    """A retriever as the harness asks it; it is made when the first query is."""

    make: Callable[[], Scorer]
    depends: Depends | None = None
    notes: Callable[[], Notes] = dict

    @cached_property
    def scores(self) -> Scorer:
        """The retriever itself."""
        return self.make()

    def answer(self, data: Asked, progress: Progress) -> Iterator[ScoredDoc]:
        """The pool of each query, scored."""
        for n_done, query in enumerate(data.queries, 1):
            scores = self.scores(query.form(data.form), data.task.pools[query.query_id])
            yield from data.task.run(query, scores)
            progress(n_done, len(data.queries))


def panel(task: Task, settings: AcordSettings, cache: Path) -> list[System[Asked, ScoredDoc]]:
    """The systems that the settings name; vectors and scores are kept in `cache`.

    `reading` stands beside a ranker of our own, or is asked for by name: it is no part of every study, lest the test
    queries are asked each time that something in it is changed. Raises ConfigError where two have one name, or the only
    one has none.
    """
    systems = list(_Models(task, settings, cache).systems())
    names = [system.label.name for system in systems]
    if double := {name for name in names if names.count(name) > 1}:
        raise ConfigError(f"two models would be called {', '.join(sorted(double))}; rename the folder of one")
    if not settings.only:
        ours = settings.ours or settings.model
        return [system for system in systems if ours or system.label.system != READING.system]
    chosen = [system for system in systems if system.label.name == settings.only]
    if not chosen:
        raise ConfigError(
            f"--only {settings.only}: no such system; there are {', '.join(names)} "
            "(models are added with --encoder and --rerank)"
        )
    return chosen


class _Models:
    """The models of a study, each loaded once, when a system is first asked that needs it."""

    def __init__(self, task: Task, settings: AcordSettings, cache: Path) -> None:
        self._task = task
        self._settings = settings
        self._cache = cache
        self._loaded: dict[str, Any] = {}

    def systems(self) -> Iterator[System[Asked, ScoredDoc]]:
        """All that the settings name, and `reading`."""
        first, models = self._settings.encoders[0], self._settings.rerankers
        one = encoder_label(first)
        of_first = partial(self._encoded, first)
        yield System(PAPER, self._paper)
        yield System(BEST, lambda: Ranking(lambda: PoolBm25(self._task, content_stems, BEST_BM25).scores, {}))
        for name in self._settings.encoders:
            yield System(encoder_label(name), partial(self._encoded, name))
        yield System(label_of(FUSION, f"BM25 and {one.system}"), self._fused)
        for model in models:
            yield System(reranked_label(PAPER, model), partial(self._reranked, self._paper, model))
            yield System(reranked_label(one, model), partial(self._reranked, of_first, model))
        for label in (READING, OURS) if self._settings.ours or self._settings.model else (READING,):
            yield System(label, partial(self._own, label))
            for model in models:
                yield System(reranked_label(label, model), partial(self._own, label, model))

    def _once(self, key: str, make: Callable[[], Model]) -> Model:
        """What is made of a model, made once; one that could not be had is not looked for again: the Hub is slow."""
        if key not in self._loaded:
            try:
                self._loaded[key] = make()
            except MissingError as error:
                self._loaded[key] = error
        found: Model = self._loaded[key]
        if isinstance(found, MissingError):
            raise found
        return found

    def _paper(self) -> Ranking:
        return Ranking(lambda: self._bm25.scores, {})

    @cached_property
    def _bm25(self) -> PoolBm25:
        return PoolBm25(self._task)

    def _encoded(self, model: str | Embedder) -> Ranking:
        loaded, label = self._embedder(model), encoder_label(model)

        def notes() -> Notes:
            n_cut = self._encoder(model).n_cut
            said = f"{label.name}: {n_cut:,} clauses are longer than it reads; the rest of these is not seen"
            return {f"encoder {label.name}": [said] if n_cut else []}

        return Ranking(lambda: self._encoder(model).scores, {"encoder": [loaded.name, loaded.state]}, notes)

    def _fused(self) -> Ranking:
        first = self._settings.encoders[0]
        one = self._encoded(first)
        corpus = partial(PoolBm25, self._task, options=CORPUS_BM25)
        return Ranking(lambda: fused(corpus(), self._encoder(first)), one.depends, one.notes)

    def _encoder(self, model: str | Embedder) -> BiEncoder:
        """Where nothing is fused, the judged clauses alone are encoded."""
        label, judged = encoder_label(model), self._task.judged()

        def make() -> BiEncoder:
            cached = CachedEncoder(self._cache / "vectors", self._embedder(model))
            with progress_bar(label.system) as progress:
                numbers = None if self._settings.only in ("", FUSION) else judged
                return BiEncoder(self._task, cached, self._wordings(), numbers, progress)

        return self._once(f"vectors {label.name}", make)

    def _embedder(self, model: str | Embedder) -> Embedder:
        return self._once(f"encoder {model}", partial(embedder, model)) if isinstance(model, str) else model

    def _wordings(self) -> list[str]:
        """What will be asked: table E-2 has its queries in every form."""
        more = [query.form(form) for query in examples_of(self._task).values() for form in FORMS]
        return list(dict.fromkeys([*self._task.wordings(self._settings.forms), *more]))

    def _reranked(self, base: Callable[[], Ranking], model: str | Reranker) -> Ranking:
        first, again, depth = base(), self._reranker(model), self._settings.depth
        depends = {"first": first.depends, "again": [again.name, again.state], "depth": depth}
        notes = partial(_notes_of, first, again)
        return Ranking(lambda: reranked(self._task, first.scores, again, depth), depends, notes)

    def _reranker(self, model: str | Reranker) -> CachedReranker:
        """The re-ranker of a name, one for all systems: what it notes is of all of them."""
        name = model if isinstance(model, str) else model.name

        def make() -> CachedReranker:
            answers = self._cache / "answers" / slug(name)
            loaded = clause_reranker(model, answers) if isinstance(model, str) else model
            return CachedReranker(loaded, self._cache / "scores")

        return self._once(f"re-ranker {name}", make)

    def _own(self, label: SystemLabel, model: str | Reranker | None = None) -> Ranking:
        """A ranker of our own; with a model as `lawng search --rerank` ranks: as many clauses again, and its share."""
        make, own = self._owner(label)
        again = None if model is None else self._reranker(model)
        depends = own and {"own": own, "again": [again.name, again.state] if again else []}

        def ranker() -> Scorer:
            clauses = clauses_of(self._task)
            # the model itself: it is told what the first ranking knows, and reads few clauses
            first = make(clauses)
            return asked_whole(clauses, RerankedRanker(first, again.model) if again else first)

        return Ranking(ranker, depends, partial(_notes_of, None, again))

    def _owner(self, label: SystemLabel) -> tuple[Ours, Depends | None]:
        """What makes the untrained ranking, or ours, of clauses; and what it depends on."""
        settings, model = self._settings, None
        if label == OURS and settings.ours is not None:
            return settings.ours, None
        first = self._embedder(settings.encoders[0])
        depends = {"encoder": first.state, "reader": reader_state(), "glossary": edition()}
        if label == OURS and settings.model is not None:
            model, _ = load_ranking(settings.model)
            files = sorted(path for path in settings.model.iterdir() if path.is_file())
            raw = b"".join(path.name.encode() + path.read_bytes() for path in files)
            depends["model"] = sha256(raw).hexdigest()
        return lambda clauses: FeatureRanker(clauses, first, self._cache / "vectors", model), depends


def reader_state() -> str:
    """The state of what reads queries where an encoder does not, "" where there is none."""
    return find_model("reader of queries", CLAUSE_FINDER).state if shipped_model(CLAUSE_FINDER) else ""


def _notes_of(first: Ranking | None, again: CachedReranker | None) -> Notes:
    of_first = first.notes() if first else {}
    return {**of_first, f"re-ranker {again.name}": again.notes()} if again else of_first


def examples_of(task: Task) -> dict[str, AcordQuery]:
    """The queries of table E-2 that are in the split, by the paper's names for them."""
    by_letters = {letters(query.text): query for query in task.queries}
    return {name: by_letters[key] for name, key in paper.E2_QUERIES.items() if key in by_letters}
