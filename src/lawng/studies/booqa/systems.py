"""The systems of the study of BoOQA: each scores a piece of evidence against a question, and the best piece counts.

Source: Li et al. 2022, section 4.3 and appendix G.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.directional.booqa.records import Evidence, Question
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
from lawng.studies.booqa.data import Questions, said
from lawng.studies.harness import Depends, Notes, System, SystemLabel
from lawng.studies.levyholt.systems import (
    Asked,
    Benchmark,
    LevyHoltSettings,
    best_gauge,
    read_benchmark,
    settings_draws,
)

VARIANTS = ("relation", "sentence", "tfidf", "predicate")
"""What an encoder reads as evidence: relations, their sentences, or articles (appendix G); and predicates alone, as the
arguments are the same on both sides."""
_AT_ONCE = 20_000
"""Pieces of evidence that are scored together, which bounds the memory."""
Scores = NDArray[np.float64]


@dataclass(frozen=True)
class BooqaSettings:
    """Options of the study."""

    encoders: tuple[str, ...] = ("all-MiniLM-L6-v2",)
    graphs: tuple[Path, ...] = ()
    levyholt: Path | None = None
    """What prompts are trained on; without it they are left out."""
    prompts: LevyHoltSettings = field(
        default_factory=lambda: LevyHoltSettings(prompting=(Prompting.DISCRETE,), subsets=("full",))
    )
    """How; `hypothesis-only` is trained on the masked propositions too."""
    seed: int = 7
    resamples: int = 1000

    def __post_init__(self) -> None:
        names = [graph.absolute().name for graph in self.graphs]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ConfigError(f"two graphs are called {twice[0]}: systems are named after their folders; rename one")

    @property
    def plain(self) -> dict[str, Any]:
        """As JSON has it, folders by name."""
        own = {"graphs": [graph.name for graph in self.graphs], "levyholt": self.levyholt and self.levyholt.name}
        prompts = {name: value for name, value in asdict(self.prompts).items() if name != "entailed"}
        return asdict(replace(self, graphs=(), levyholt=None)) | own | {"prompts": prompts}


@dataclass(frozen=True, slots=True)
class QuestionScore:
    """What a system says of a question: higher is surer that it is true; 0 where there is no evidence."""

    question_id: str
    score: float
    evidence: str
    """The piece that speaks for it most: DOCUMENT@START of its sentence."""


@dataclass
class Answering:
    """The best piece of evidence decides. What differs is which pieces there are, and how they are scored."""

    settings: BooqaSettings
    cache: Path

    @property
    def depends(self) -> Depends | None:
        """Of each system its own."""
        raise NotImplementedError

    def pieces(self, data: Questions, question: Question) -> Sequence[Evidence]:
        """Each relation once."""
        return _distinct(data.pieces(question), lambda piece: piece.predicate)

    def scores(self, pairs: Sequence[tuple[Evidence, Question]], progress: Progress) -> Scores:
        """How far each piece speaks for its question."""
        raise NotImplementedError

    def answer(self, data: Questions, progress: Progress) -> Iterator[QuestionScore]:
        """Every question of a split."""
        done = 0
        for batch in self._batches(data):
            values = self.scores([(piece, one) for one, pieces in batch for piece in pieces], progress)
            at = 0
            for question, pieces in batch:
                own, at = values[at : at + len(pieces)], at + len(pieces)
                best = int(own.argmax()) if len(pieces) else -1
                where = (float(own[best]), pieces[best].sentence_id) if len(pieces) else (0.0, "")
                yield QuestionScore(question.question_id, *where)
            done += len(batch)
            progress(done, len(data.questions))

    def _batches(self, data: Questions) -> Iterator[list[tuple[Question, Sequence[Evidence]]]]:
        batch, size = list[tuple[Question, Sequence[Evidence]]](), 0
        for question in data.questions:
            pieces = self.pieces(data, question)
            batch.append((question, pieces))
            size += len(pieces)
            if size >= _AT_ONCE:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def notes(self) -> Notes:
        """Nothing."""
        return {}


def _distinct(pieces: Iterable[Evidence], text: Callable[[Evidence], str]) -> list[Evidence]:
    """The first piece of each text."""
    found: dict[str, Evidence] = {}
    for piece in pieces:
        found.setdefault(text(piece), piece)
    return list(found.values())


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
        return _distinct(data.pieces(question), self._text)

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
        words = predicate.replace("#", " ")
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
    """The graph in a folder, or of a folder with one for each split that of a split."""
    return Graph.open(folder / split if (folder / split).is_dir() else folder)


def _triple(one: Question | Evidence) -> Triple:
    return Triple(one.subject, one.predicate, one.object)


def systems(settings: BooqaSettings, cache: Path) -> list[System[Questions, QuestionScore]]:
    """The systems before their models are loaded."""
    made: list[tuple[SystemLabel, Answering]] = []
    for name in settings.encoders:
        for variant in VARIANTS:
            label = SystemLabel(f"{variant}.{slug(name)}", f"{shown_name(name)}, {variant}")
            made.append((label, Cosine(settings, cache, name, variant)))
    made.append((SystemLabel("hypernymy", "hypernymy"), Kinds(settings, cache)))
    for graph in settings.graphs:
        roles = graph_of(graph, "test").manifest.get("roles")
        name = graph.absolute().name
        for fuzzy in (False, True) if roles else (False,):
            label = SystemLabel(f"graph.{slug(name)}{'.fuzzy' * fuzzy}", f"graph {name}{', fuzzy' * fuzzy}")
            made.append((label, Edges(settings, cache, graph, fuzzy)))
    made += [(key.label, Prompted(settings, cache, key)) for key in prompted(settings, hidden=False)]
    return [System(label, lambda own=own: own) for label, own in made]  # type: ignore[misc]


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
