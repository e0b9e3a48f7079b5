"""The options of training runs: how stance models and relevance models are trained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from lawng.errors import ConfigError
from lawng.models.find import OFFLINE

Report = Callable[[str], None]
"""Told, a line at a time, how far a run is."""
PRECISIONS = ("auto", "fp32", "fp16", "bf16")
LOSSES = ("soft", "listwise")
"""Cross-entropy against soft targets, as in ACORD, F.2; of a query's list against its gains."""


@dataclass(frozen=True)
class TrainOptions:
    """How a cross-encoder is trained; each changes the model. Raises ConfigError naming the option that cannot be."""

    base: str = OFFLINE
    """Encoder or cross-encoder to begin with, Hub name or folder; a head of other outputs is made anew."""
    batch: int = 16
    """Pairs in an update."""
    max_length: int = 256
    """Tokens of both texts together, from which the premise, or the text that is judged, is truncated."""
    freeze_words: bool = True
    """Whether the word embeddings stay as they are."""
    freeze_layers: int = 0
    """So many of the lowest layers, and with them all embeddings, stay as they are."""
    keep_layers: int = 0
    """So many of the base's layers, the lowest, are the model (Sajjad et al. 2020); 0 keeps all."""
    dropout: float | None = None
    """None is the base's own; 0 spares a third of the time on a CPU, and keeps less from learning by heart."""
    precision: str = "auto"
    """Of the arithmetic: `bf16`, `fp16` or `fp32`; `auto` is `bf16` on a GPU that has it, else `fp32`. On a processor
    that is quick with bf16 (AMD's `avx512_bf16`, Intel's `amx_bf16`) an update takes two thirds of the time; on others
    it takes longer, which the training says."""
    checkpointing: bool = False
    """Whether activations are computed again rather than kept: longer texts fit a GPU, a third more time."""
    save_steps: int = 200
    log_steps: int = 25

    _counts: ClassVar[tuple[str, ...]] = ("batch", "save_steps", "log_steps")

    def __post_init__(self) -> None:
        for name in self._counts:
            if getattr(self, name) < 1:
                raise ConfigError(f"{name}: {getattr(self, name)} is not 1 or more")
        if not 16 <= self.max_length <= 8192:
            raise ConfigError(f"max_length: {self.max_length} is not between 16 and 8192")
        if self.precision not in PRECISIONS:
            raise ConfigError(f"precision {self.precision!r} is not one of {', '.join(PRECISIONS)}")
        if self.dropout is not None and not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout: {self.dropout} is not 0 or more and below 1")
        for name in ("freeze_layers", "keep_layers"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name}: {getattr(self, name)} is not 0 or more")


@dataclass(frozen=True)
class EpochOptions(TrainOptions):
    """How a model is trained that sees its data a number of times, the learning rate falling to 0."""

    epochs: int = 2
    lr: float = 1e-4
    """Peak learning rate: warmed up over the first steps, then linearly to 0."""
    seed: int = 0

    _counts: ClassVar[tuple[str, ...]] = ("epochs", *TrainOptions._counts)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.lr < 1:
            raise ConfigError(f"lr: {self.lr} is not between 0 and 1")


@dataclass(frozen=True)
class StanceOptions(EpochOptions):
    """How a stance model is trained."""

    sample: float = 1.0
    """Share of the training pairs that is used; a pair and its twin stay or go together."""
    micro: int = 0
    """Pairs that go through the model together; an update adds up the gradients of a batch. 0 is all of a batch."""
    processes: int = 1
    """That train together, a GPU each where there are so many; each takes its part of every batch."""
    patience: int = 0
    """Epochs without a smaller loss on the dev pairs after which training ends, and the best epoch is kept; 0 trains
    through and keeps the last."""
    warmup: int = 0
    """Updates until the peak learning rate, at most half of all; 0 is a sixteenth of all."""
    distil: float = 0.0
    """Share of the weights of its layers with which the base, a trained model, teaches itself anew; 0 is no such
    thing."""

    _counts: ClassVar[tuple[str, ...]] = ("processes", *EpochOptions._counts)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.sample <= 1:
            raise ConfigError(f"sample: {self.sample} is not above 0 and at most 1")
        for name in ("micro", "patience", "warmup"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name}: {getattr(self, name)} is not 0 or more")
        if self.batch % (self.together * self.processes):
            raise ConfigError(
                f"batch: {self.batch} is not made of {self.processes} times {self.together}; take a batch that is a "
                "multiple of processes times micro"
            )
        if not 0 <= self.distil < 1:
            raise ConfigError(f"distil: {self.distil} is not 0 or more and below 1")
        if self.distil and (self.keep_layers or self.freeze_layers or self.processes > 1):
            raise ConfigError("distil: all layers are kept and trained (keep_layers, freeze_layers), by one process")

    @property
    def together(self) -> int:
        """Pairs that go through the model together in one process.

        >>> StanceOptions(batch=32, processes=2).together, StanceOptions(batch=32, micro=4).together
        (16, 4)
        """
        return self.micro or max(1, self.batch // self.processes)


@dataclass(frozen=True)
class RetrieverOptions(EpochOptions):
    """How a bi-encoder is trained."""

    batch: int = 32
    """Queries in an update: the passages of the others are wrong ones."""
    max_length: int = 160
    """Tokens of a text while it is trained; the model keeps its own limit."""
    dropout: float | None = 0.0
    epochs: int = 1
    lr: float = 5e-5


@dataclass(frozen=True)
class RelevanceOptions(TrainOptions):
    """How a relevance model is trained, whatever the learning rate."""

    batch: int = 64
    freeze_words: bool = False
    save_steps: int = 50
    loss: str = LOSSES[0]
    micro: int = 16
    """Pairs that go through the model together: those of nearly the same length, so that padding costs little."""
    list_size: int = 8
    """Texts of a query in a list, with the loss `listwise`."""
    warmup: int = 30
    """Updates until the learning rate is reached; it stays there, so that one run serves every number of updates."""
    hard_zeros: float = 0.5
    """Share of the irrelevant texts that are drawn among those marked as hard; 0 draws among all."""

    _counts: ClassVar[tuple[str, ...]] = ("micro", "warmup", *TrainOptions._counts)

    def __post_init__(self) -> None:
        if self.loss not in LOSSES:
            raise ConfigError(f"loss {self.loss!r} is not one of {', '.join(LOSSES)}")
        super().__post_init__()
        if self.list_size < 2 or self.micro % self.group or self.batch % self.micro:
            raise ConfigError(
                f"batch: {self.batch} is not made of micro-batches of {self.micro}, and these of {self.group} each; "
                "take multiples"
            )
        if not 0 <= self.hard_zeros <= 1:
            raise ConfigError(f"hard_zeros: {self.hard_zeros} is not between 0 and 1")

    @property
    def group(self) -> int:
        """Pairs that the loss reads together: one, or a list.

        >>> [RelevanceOptions(loss=loss).group for loss in LOSSES]
        [1, 8]
        """
        return self.list_size if self.loss == "listwise" else 1


class Run(NamedTuple):
    """One run of a grid."""

    lr: float
    updates: tuple[int, ...]
    """Numbers of updates after which the model is kept and judged, ascending."""
    seed: int
