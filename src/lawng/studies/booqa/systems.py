"""The systems of the study of BoOQA: encoders, hypernymy, entailment graphs, prompts (Li et al. 2022, appendix G)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np

from lawng.directional.booqa.records import Evidence, Question
from lawng.directional.booqa.sample import SPLITS
from lawng.directional.gauge import Gauge
from lawng.directional.graph import Graph
from lawng.directional.hypernymy import Hypernymy
from lawng.directional.prompts import Prompting
from lawng.directional.records import PredicatePair, Triple
from lawng.directional.wordnet import WordNet, wordnet_model
from lawng.errors import ConfigError
from lawng.io import file_digest
from lawng.io.progress import Progress
from lawng.models.encoder import embedder
from lawng.models.find import find_model, shown_name, slug
from lawng.models.vector_cache import CachedEncoder
from lawng.studies.booqa.answering import Answering, BooqaSettings, QuestionScore, Scores, distinct
from lawng.studies.booqa.data import Questions, said
from lawng.studies.harness import Depends, Notes, System, SystemLabel
from lawng.studies.levyholt.systems import (
    Asked,
    Benchmark,
    best_gauge,
    read_benchmark,
    settings_draws,
)

VARIANTS = ("relation", "sentence", "tfidf", "predicate")
"""What an encoder reads as evidence: relations, their sentences, or articles (appendix G); and predicates alone, as the
arguments are the same on both sides."""
HYPERNYMY = "hypernymy"
T = TypeVar("T")


@dataclass
class Cosine(Answering):
    """Likeness by an encoder: the same for what entails a question and for what it entails."""

    encoder: str
    variant: str

    @property
    def depends(self) -> Depends:
        """The encoder and what it reads."""
        return {"encoder": find_model("encoder", self.encoder).state, "variant": self.variant}

    def pieces(self, data: Questions, question: Question) -> Sequence[Evidence]:
        """Relations, sentences, articles or predicates."""
        if self.variant == "tfidf":
            return data.articles(question)
        return distinct(data.pieces(question), self._text)

    def _text(self, piece: Evidence) -> str:
        texts = {"relation": said(piece), "predicate": piece.predicate}
        return texts.get(self.variant, piece.sentence)

    def scores(self, pairs: Sequence[tuple[Evidence, Question]], progress: Progress) -> Scores:
        """Cosines, none below 0."""
        asked = (question.predicate if self.variant == "predicate" else said(question) for _, question in pairs)
        texts = [text for (piece, _), own in zip(pairs, asked, strict=True) for text in (self._text(piece), own)]
        number = {text: at for at, text in enumerate(dict.fromkeys(texts))}
        vectors = CachedEncoder(self.cache, embedder(self.encoder)).encode(list(number))
        at = np.array([number[text] for text in texts], int)
        cosines = (vectors[at[0::2]] * vectors[at[1::2]]).sum(axis=1)
        return np.asarray(np.maximum(cosines, 0), np.float64)


@dataclass
class Kinds(Answering):
    """Hypernymy of the predicates by WordNet."""

    @property
    def depends(self) -> Depends:
        """The dictionary."""
        return {"wordnet": wordnet_model().state}

    @cached_property
    def _measure(self) -> Hypernymy:
        return Hypernymy(WordNet(wordnet_model().place))

    def scores(self, pairs: Sequence[tuple[Evidence, Question]], progress: Progress) -> Scores:
        """Those of `Hypernymy`."""
        return np.array([self._measure.score(piece.predicate, one.predicate) for piece, one in pairs], np.float64)


@dataclass
class Edges(Answering):
    """An entailment graph; `fuzzy`, predicates are found by their words, whatever roles their arguments have there."""

    folder: Path
    fuzzy: bool

    @property
    def depends(self) -> Depends:
        """The graph, or both."""
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return {"graph": [file_digest(path) for path in files], "fuzzy": self.fuzzy}

    def answer(self, data: Questions, progress: Progress) -> Iterator[QuestionScore]:
        """Every question of a split, by the split's own graph where there is one."""
        self._graph = graph_of(self.folder, data.name)
        yield from super().answer(data, progress)

    def scores(self, pairs: Sequence[tuple[Evidence, Question]], progress: Progress) -> Scores:
        """Of the edges from the evidence's predicates to the questions'."""
        nodes = [(self._node(piece.predicate, one), self._node(one.predicate, one)) for piece, one in pairs]
        return np.asarray(self._graph.scores(nodes, roles=not self.fuzzy), np.float64)

    def _node(self, predicate: str, question: Question) -> str:
        words = predicate.replace("#", " ").strip() or "?"
        if self._graph.manifest.get("roles") and not self.fuzzy:
            first, *_ = words.split()
            words = f"({first}.1,{'.'.join(words.split())}.2)"  # subject and object, as most predicates have them
        return f"{words}#{question.subject_type}#{question.object_type}"


@dataclass
class Prompted(Answering):
    """The gauge, trained on LevyHolt."""

    key: Asked
    _chosen: str = ""

    @property
    def depends(self) -> Depends:
        """The encoder, LevyHolt, and how it is trained."""
        options = settings_draws(self.settings.prompts)
        state = find_model("encoder", self.key.encoder).state
        return {"encoder": state, "draws": [repr(one) for one in options], "as": [*self.key], **self._data.depends}

    @cached_property
    def _data(self) -> Benchmark:
        assert self.settings.levyholt is not None
        return read_benchmark(self.settings.levyholt, self.settings.prompts.seed)

    def gauge(self, progress: Progress) -> Gauge:
        """The trained model, trained once."""
        if not self._chosen:
            sides = [self._data.of(split, self.key.subset) for split in ("train", "dev")]
            self._gauge, self._chosen = best_gauge(
                self.key, sides[0], sides[1], settings_draws(self.settings.prompts), progress
            )
        return self._gauge

    def notes(self) -> Notes:
        """Which hyper-parameters were chosen."""
        return {self.key.label.name: [f"{self.key.label.shown}: {self._chosen}"]}

    def scores(self, pairs: Sequence[tuple[Evidence, Question]], progress: Progress) -> Scores:
        """Those of the gauge, from 0 to 1."""
        asked = [PredicatePair("", _triple(piece), _triple(one), one.label) for piece, one in pairs]
        return (1 + self.gauge(progress).scores(asked).astype(np.float64)) / 2


def graph_of(folder: Path, split: str) -> Graph:
    """The graph in a folder, or of a folder with one for each split that of a split.

    Raises ConfigError for one of such graphs alone: the other split's windows are what it was made of.
    """
    if folder.name in SPLITS and all((folder.absolute().parent / name).is_dir() for name in SPLITS):
        raise ConfigError(f"{folder}: is the graph for one split, made of the other's windows; name {folder.parent}")
    return Graph.open(folder / split if (folder / split).is_dir() else folder)


def _triple(one: Question | Evidence) -> Triple:
    return Triple(one.subject, one.predicate, one.object)


def systems(settings: BooqaSettings, cache: Path) -> list[System[Questions, QuestionScore]]:
    """The systems before their models are loaded. Raises InputError or MissingError for wrong folders."""
    if settings.levyholt is not None:
        read_benchmark(settings.levyholt, settings.prompts.seed)  # so that a wrong folder is told first
    made: list[tuple[SystemLabel, Answering]] = []
    for name in settings.encoders:
        for variant in VARIANTS:
            label = SystemLabel(f"{variant}.{slug(name)}", f"{shown_name(name)}, {variant}")
            made.append((label, Cosine(settings, cache, name, variant)))
    made.append((SystemLabel(HYPERNYMY, HYPERNYMY), Kinds(settings, cache)))
    for graph in settings.graphs:
        roles = any(graph_of(graph, split).manifest.get("roles") for split in SPLITS)
        name = graph.absolute().name
        for fuzzy in (False, True) if roles else (False,):
            label = SystemLabel(f"graph.{slug(name)}{'.fuzzy' * fuzzy}", f"graph {name}{', fuzzy' * fuzzy}")
            made.append((label, Edges(settings, cache, graph, fuzzy)))
    made += [(key.label, Prompted(settings, cache, key)) for key in prompted(settings, hidden=False)]
    return [System(label, ready(own)) for label, own in made]


def ready(own: T) -> Callable[[], T]:
    """A system that has nothing to load before it is asked."""
    return lambda: own


def prompted(settings: BooqaSettings, hidden: bool) -> list[Asked]:
    """What is trained on LevyHolt: the hypothesis-only models, or all others."""
    if settings.levyholt is None:
        return []
    own = settings.prompts
    return [
        Asked(prompting, encoder, subset)
        for encoder in settings.encoders
        for prompting in own.prompting
        for subset in own.subsets
        if (prompting == Prompting.HYPOTHESIS_ONLY) == hidden
    ]
