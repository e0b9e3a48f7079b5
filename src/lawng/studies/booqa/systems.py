"""The systems of the study of BoOQA: encoders, hypernymy, entailment graphs, prompts (Li et al. 2022, appendix G)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache as once
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from lawng.directional.booqa.records import Evidence, Question
from lawng.directional.booqa.sample import SPLITS
from lawng.directional.gauge import Gauge
from lawng.directional.graph import Graph
from lawng.directional.prompts import Prompting
from lawng.directional.records import PredicatePair, Triple
from lawng.directional.verb_forms import PASSIVE, participle
from lawng.directional.wordnet import Hypernymy, WordNet, wordnet_model
from lawng.errors import ConfigError
from lawng.io import file_digest
from lawng.io.progress import Progress
from lawng.models.encoder import embedder
from lawng.models.find import shown_name, slug
from lawng.models.vector_cache import CachedEncoder
from lawng.studies.booqa.answering import Answering, BooqaSettings, Piece, QuestionScore, Scores, distinct
from lawng.studies.booqa.data import Questions, said
from lawng.studies.harness import System, SystemLabel
from lawng.studies.levyholt.systems import Asked, BestGauge, encoder_state, read_benchmark

VARIANTS = ("relation", "sentence", "tfidf", "predicate")
"""What an encoder reads as evidence: relations, their sentences, or articles (appendix G); and predicates alone, as the
arguments are the same on both sides."""
HYPERNYMY = "hypernymy"


def cosine(encoder: str, variant: str, cache: Path) -> Answering:
    """Likeness by an encoder, none below 0: the same for what entails a question and for what it entails."""

    def text(piece: Evidence) -> str:
        texts = {"relation": said(piece), "predicate": piece.predicate}
        return texts.get(variant, piece.sentence)

    def pieces(data: Questions, question: Question) -> Sequence[Evidence]:
        return data.articles(question) if variant == "tfidf" else distinct(data.pieces(question), text)

    def scores(_data: Questions, pairs: Sequence[Piece], _progress: Progress) -> Scores:
        asked = (question.predicate if variant == "predicate" else said(question) for _, question in pairs)
        texts = [one for (piece, _), own in zip(pairs, asked, strict=True) for one in (text(piece), own)]
        number = {one: at for at, one in enumerate(dict.fromkeys(texts))}
        vectors = CachedEncoder(cache, embedder(encoder)).encode(list(number))
        at = np.array([number[one] for one in texts], int)
        cosines = (vectors[at[0::2]] * vectors[at[1::2]]).sum(axis=1)
        return np.asarray(np.maximum(cosines, 0), np.float64)

    return Answering({"encoder": encoder_state(encoder), "variant": variant}, scores, pieces)


def hypernymy() -> Answering:
    """Hypernymy of the predicates by WordNet."""
    model = wordnet_model()
    measure = once(lambda: Hypernymy(WordNet(model.place)))

    def scores(_data: Questions, pairs: Sequence[Piece], _progress: Progress) -> Scores:
        return np.array([measure().score(piece.predicate, one.predicate) for piece, one in pairs], np.float64)

    return Answering({"wordnet": model.state}, scores)


def edges(folder: Path, fuzzy: bool) -> Answering:
    """An entailment graph, the split's own where there is one.

    `fuzzy`, predicates are found by their words, whatever roles their arguments have there. Of the forms that a
    published graph may have of a predicate the best edge counts.
    """
    graph_for = once(partial(graph_of, folder))

    def scores(data: Questions, pairs: Sequence[Piece], _progress: Progress) -> Scores:
        graph = graph_for(data.name)
        forms = partial(_forms, published=bool(graph.manifest.get("roles")), fuzzy=fuzzy)
        nodes = [
            (_node(premise, one), _node(hypothesis, one))
            for piece, one in pairs
            for premise, hypothesis in product(forms(piece.predicate), forms(one.predicate))
        ]
        found = np.asarray(graph.scores(nodes, roles=not fuzzy), np.float64)
        return found.reshape(len(pairs), -1).max(axis=1) if pairs else found

    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return Answering({"graph": [file_digest(path) for path in files], "fuzzy": fuzzy}, scores)


def _forms(predicate: str, published: bool, fuzzy: bool) -> tuple[str, ...]:
    """How a graph may write a predicate, in a published one as many ways for each.

    Published graphs name a passive by its verb, whose second argument the subject is: `(bear.2,bear.in.2)`, where a
    relation of lawng's has "be born in".
    """
    words = predicate.replace("#", " ").split() or ["?"]
    if not published:
        return (" ".join(words),)
    verb, form = participle(words, 1) if len(words) > 2 else (words[0], "")
    other, role = ([verb, *words[2:]], 2) if form == PASSIVE else (words, 1)
    return _published(words, 1, fuzzy), _published(other, role, fuzzy)


def _published(words: Sequence[str], role: int, fuzzy: bool) -> str:
    """With the roles of subject and object, as most predicates have them."""
    return " ".join(words) if fuzzy else f"({words[0]}.{role},{'.'.join(words)}.2)"


def _node(predicate: str, question: Question) -> str:
    return f"{predicate}#{question.subject_type}#{question.object_type}"


class OfLevyHolt(BestGauge):
    """A gauge that is trained on LevyHolt."""

    def __init__(self, key: Asked, settings: BooqaSettings) -> None:
        """Raises MissingError where the encoder cannot be had."""
        super().__init__(key, settings.prompts)
        assert settings.levyholt is not None
        self._data = read_benchmark(settings.levyholt, settings.prompts.seed)
        self.depends |= self._data.depends

    def gauge(self, progress: Progress) -> Gauge:
        """The trained model."""
        train, dev = (self._data.of(split, self.key.subset) for split in ("train", "dev"))
        return self.of(train, dev, progress)


def _prompted(key: Asked, settings: BooqaSettings) -> Answering:
    """The gauge, trained on LevyHolt; scores are from 0 to 1."""
    best = OfLevyHolt(key, settings)

    def scores(_data: Questions, pairs: Sequence[Piece], progress: Progress) -> Scores:
        asked = [PredicatePair("", _triple(piece), _triple(one), one.label) for piece, one in pairs]
        return (1 + best.gauge(progress).scores(asked).astype(np.float64)) / 2

    return Answering(best.depends, scores, notes=best.notes)


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
    made: list[tuple[SystemLabel, Callable[[], Answering]]] = []
    for name in settings.encoders:
        encoder_state(name)
        for variant in VARIANTS:
            label = SystemLabel(f"{variant}.{slug(name)}", f"{shown_name(name)}, {variant}")
            made.append((label, partial(cosine, name, variant, cache)))
    made.append((SystemLabel(HYPERNYMY, HYPERNYMY), hypernymy))
    for graph in settings.graphs:
        roles = any(graph_of(graph, split).manifest.get("roles") for split in SPLITS)
        name = graph.absolute().name
        for fuzzy in (False, True) if roles else (False,):
            label = SystemLabel(f"graph.{slug(name)}{'.fuzzy' * fuzzy}", f"graph {name}{', fuzzy' * fuzzy}")
            made.append((label, partial(edges, graph, fuzzy)))
    made += [(key.label, partial(_prompted, key, settings)) for key in prompted(settings, hidden=False)]
    return [System(label, load) for label, load in made]


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
