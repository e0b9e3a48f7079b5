"""The options of a relevance model's training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from lawng.errors import ConfigError
from lawng.models.find import OFFLINE

Report = Callable[[str], None]
"""Told, a line at a time, how far a run is."""
LOSSES = ("soft", "listwise", "margin")
"""Cross-entropy against soft targets, as in ACORD, F.2; of a query's list against its gains; pairs within a query."""


@dataclass(frozen=True, slots=True)
class RelevanceOptions:
    """How a relevance model is trained, whatever the learning rate; each changes the model."""

    base: str = OFFLINE
    """Encoder or cross-encoder to begin with, Hub name or folder; a head of other than one output is made anew."""
    loss: str = LOSSES[0]
    batch: int = 64
    """Pairs of query and text in an update."""
    micro: int = 16
    """Pairs that go through the model together: those of nearly the same length, so that padding costs little."""
    list_size: int = 8
    """Texts of a query in a list, with the loss `listwise`."""
    warmup: int = 30
    """Updates until the learning rate is reached; it stays there, so that one run serves every number of updates."""
    max_length: int = 256
    """Tokens of query and text together, from which the text is truncated."""
    hard_zeros: float = 0.5
    """Share of the irrelevant texts that are drawn among those marked as hard; 0 draws among all."""
    freeze_words: bool = False
    """Whether the word embeddings stay as they are."""
    freeze_layers: int = 0
    """So many of the lowest layers, and with them all embeddings, stay as they are."""
    dropout: float | None = None
    """None is the base's own; 0 spares a third of the time on a CPU, and keeps less from learning by heart."""
    save_steps: int = 50
    log_steps: int = 25

    def __post_init__(self) -> None:
        """Refuse what cannot be: raises ConfigError naming the option."""
        if self.loss not in LOSSES:
            raise ConfigError(f"loss {self.loss!r} is not one of {', '.join(LOSSES)}")
        for name in ("batch", "micro", "warmup", "save_steps", "log_steps"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name}: {getattr(self, name)} is not 1 or more")
        if self.list_size < 2 or self.micro % self.group or self.batch % self.micro:
            raise ConfigError(
                f"batch: {self.batch} is not made of micro-batches of {self.micro}, and these of {self.group} each; "
                "take multiples"
            )
        if not 16 <= self.max_length <= 8192:
            raise ConfigError(f"max_length: {self.max_length} is not between 16 and 8192")
        if not 0 <= self.hard_zeros <= 1:
            raise ConfigError(f"hard_zeros: {self.hard_zeros} is not between 0 and 1")
        if self.dropout is not None and not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout: {self.dropout} is not 0 or more and below 1")
        if self.freeze_layers < 0:
            raise ConfigError(f"freeze_layers: {self.freeze_layers} is not 0 or more")

    @property
    def group(self) -> int:
        """Pairs that the loss reads together: one, a list, or a better and a worse one.

        >>> [RelevanceOptions(loss=loss).group for loss in LOSSES]
        [1, 8, 2]
        """
        return {"soft": 1, "listwise": self.list_size, "margin": 2}[self.loss]


class Run(NamedTuple):
    """One run of a grid."""

    lr: float
    updates: tuple[int, ...]
    """Numbers of updates after which the model is kept and judged, ascending."""
    seed: int
