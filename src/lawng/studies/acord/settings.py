"""What can be chosen about the study of ACORD, and what its systems are called and how large they are.

encoder_label(model)     reranked_label(first, model)     sizes_of(settings, names)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Set as Names
from dataclasses import dataclass
from pathlib import Path

from lawng.annotation.ratings import SPLITS
from lawng.clauses.ranking.rankers import ClauseRanker
from lawng.errors import ConfigError
from lawng.evaluation.statistics import RESAMPLES
from lawng.models.find import OFFLINE, n_parameters, shown_name, slug
from lawng.models.openai.embeddings import PREFIX
from lawng.models.protocols import Embedder, Reranker
from lawng.schema import Clause
from lawng.studies.acord import paper
from lawng.studies.acord.data import FORMS
from lawng.studies.harness import SystemLabel

DEPTH = 100
"""Clauses that a re-ranker is given (ACORD, 4.1)."""

Ours = Callable[[list[Clause]], ClauseRanker]
"""Makes a ranker of our own for the clauses of the collection."""


@dataclass(frozen=True, slots=True)
class AcordSettings:
    """Options of `lawng study acord`; models by name or folder, or as objects.

    Raises ConfigError when a split or a form is none, or the depth is below 1.
    """

    encoders: tuple[str | Embedder, ...] = (OFFLINE,)
    """Bi-encoders; the first is fused with BM25, and re-ranked."""
    rerankers: tuple[str | Reranker, ...] = ()
    """Each re-ranks BM25 and the first bi-encoder."""
    model: Path | None = None
    """A clause model that `lawng train clauses` made; it reads the vectors of the first bi-encoder."""
    ours: Ours | None = None
    """Another ranker in its place, as an object."""
    depth: int = DEPTH
    forms: tuple[str, ...] = FORMS[:1]
    """Variants of the queries, of `FORMS`; the first is what the tables show."""
    split: str = "test"
    seed: int = 7
    """Of resampling."""
    resamples: int = RESAMPLES
    only: str = ""
    """The name of the one system to run, "" for all."""

    def __post_init__(self) -> None:
        _check("--split", [self.split], SPLITS)
        _check("--form", self.forms, FORMS)
        if self.depth < 1:
            raise ConfigError(f"--depth {self.depth}: less than 1; the paper re-ranks {DEPTH}")
        if self.model is not None and self.ours is not None:
            raise ConfigError("--model: a ranker of our own is given already; leave one of them out")
        if not self.encoders:
            raise ConfigError("no bi-encoder is named; name one with --encoder")


def _check(option: str, given: tuple[str, ...] | list[str], known: tuple[str, ...]) -> None:
    wrong = [name for name in given if name not in known]
    if wrong or not given:
        raise ConfigError(f"{option} {', '.join(wrong)}: not known; there are {', '.join(known)}")
    if len(set(given)) != len(given):
        raise ConfigError(f"{option} {', '.join(given)}: one stands twice; name each once")


_POINTWISE = "pointwise"
_ENCODERS = {
    OFFLINE: paper.MINILM,
    "text-embedding-3-small": paper.SMALL,
    "text-embedding-3-large": paper.LARGE,
}
_RERANKERS = (
    (re.compile(r"ms-marco-MiniLM-L-?6(-v2)?", re.IGNORECASE), paper.CROSS),
    (re.compile(r"gpt-4o-mini(-2024-07-18)?", re.IGNORECASE), paper.MINI),
    (re.compile(r"gpt-4o(-2024-08-06)?", re.IGNORECASE), paper.GPT4O),
    (re.compile(r"llama-?3\.2[-:]1b(-instruct)?", re.IGNORECASE), paper.LLAMA_1B),
    (re.compile(r"llama-?3\.2[-:]3b(-instruct)?", re.IGNORECASE), paper.LLAMA_3B),
)


def label_of(name: str, system: str, other: str = paper.NONE, row: paper.System | None = None) -> SystemLabel:
    """The label of a retriever and of what re-ranks it.

    >>> label_of("bm25", "BM25").shown, label_of("bm25+m", "BM25", "m").shown
    ('BM25', 'BM25 + m')
    """
    return SystemLabel(name, system if other == paper.NONE else f"{system} + {other}", system, other, row)


PAPER = label_of("bm25", paper.BM25, row=paper.System(paper.BM25))
BEST = label_of("bm25-best", "BM25, best")
READING = label_of("reading", "lawng search, untrained")
OURS = label_of("ours", "lawng search, clause model")
FUSION = "fusion"


def encoder_label(model: str | Embedder) -> SystemLabel:
    """The label of a bi-encoder, known before it is loaded.

    >>> [encoder_label(name).name for name in ("sentence-transformers/all-MiniLM-L6-v2", "openai:bge-m3?max_tokens=9")]
    ['minilm', 'bge-m3']
    """
    shown = shown_name(_bare(model)).partition("?")[0]
    known = _ENCODERS.get(shown)
    name = "minilm" if shown == OFFLINE else slug(shown)
    return label_of(name, shown, row=paper.System(known) if known else None)


def reranked_label(first: SystemLabel, model: str | Reranker) -> SystemLabel:
    """The label of a retriever's best clauses re-ranked.

    >>> label = reranked_label(PAPER, "openai:gpt-4o-mini?pairwise=sliding-10")
    >>> label.name, label.shown
    ('bm25+gpt-4o-mini-pairwise-sliding-10', 'BM25 + gpt-4o-mini, pairwise sliding-10')
    >>> label.paper
    System(retriever='BM25', reranker='GPT4o-mini pairwise')
    """
    name, _, method = _bare(model).partition("?pairwise=")
    shown = shown_name(name)
    by_language_model = isinstance(model, str) and model.startswith(PREFIX)
    way = f"pairwise {method}" if method else _POINTWISE if by_language_model else ""
    known = next((row for pattern, row in _RERANKERS if pattern.fullmatch(shown)), None)
    if known is None and _is_tuned(model):
        known = paper.TUNED
    row = f"{known} {paper.PAIRWISE}" if known and method else known
    return label_of(
        f"{first.name}+{slug(f'{shown} {way}'.strip().replace(' ', '-'))}",
        first.system,
        f"{shown}, {way}" if way else shown,
        paper.System(first.paper[0], row) if first.paper and row else None,
    )


def _is_tuned(model: str | Reranker) -> bool:
    """Whether a cross-encoder counts as fine-tuned: a folder that is not called as the paper's model is on the Hub."""
    if not isinstance(model, str) or not Path(model).is_dir():
        return False
    return not any(pattern.fullmatch(shown_name(model)) for pattern, _ in _RERANKERS)


def _bare(model: str | Embedder | Reranker) -> str:
    return (model if isinstance(model, str) else model.name).removeprefix(PREFIX)


def sizes_of(settings: AcordSettings, names: Names[str]) -> dict[str, int | None]:
    """Parameters of some systems by name, retriever and re-ranker together; None where nobody here knows."""
    sizes: dict[str, int | None] = {PAPER.name: 0, BEST.name: 0}
    sizes |= {label.name: _size(model) for model in settings.encoders if (label := encoder_label(model)).name in names}
    first = encoder_label(settings.encoders[0])
    sizes |= dict.fromkeys((FUSION, READING.name, OURS.name), sizes.get(first.name))
    for model in settings.rerankers:
        labels = {base.name: reranked_label(base, model).name for base in (PAPER, first)}
        own = _size(model) if names & set(labels.values()) else None
        for base, name in labels.items():
            of_first = sizes.get(base)
            sizes[name] = None if of_first is None or own is None else of_first + own
    return {name: size for name, size in sizes.items() if name in names}


def _size(model: object) -> int | None:
    """Of a model that is named; one behind an endpoint, or given as an object, is not looked into."""
    return n_parameters(model) if isinstance(model, str) and not model.startswith(PREFIX) else None
