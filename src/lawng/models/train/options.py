"""The options of a training run."""

from __future__ import annotations

from dataclasses import dataclass

from lawng.errors import ConfigError
from lawng.models.find import OFFLINE


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """How a stance model is trained; each changes the model."""

    base: str = OFFLINE
    """Encoder to begin with, Hub name or folder."""
    epochs: int = 2
    sample: float = 1.0
    """Share of the training pairs that is used; a pair and its twin stay or go together."""
    batch: int = 16
    lr: float = 1e-4
    """Peak learning rate: warmed up over a sixteenth of the steps, then linearly to 0."""
    seed: int = 0
    max_length: int = 256
    """Tokens of premise and hypothesis together, from which the premise is truncated."""
    freeze_words: bool = True
    """Whether the word embeddings stay as they are."""
    save_steps: int = 200
    log_steps: int = 25

    def __post_init__(self) -> None:
        """Refuse what cannot be: raises ConfigError naming the option."""
        for name in ("epochs", "batch", "save_steps", "log_steps"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name}: {getattr(self, name)} is not 1 or more")
        if not 0 < self.sample <= 1:
            raise ConfigError(f"sample: {self.sample} is not above 0 and at most 1")
        if not 0 < self.lr < 1:
            raise ConfigError(f"lr: {self.lr} is not between 0 and 1")
        if not 16 <= self.max_length <= 8192:
            raise ConfigError(f"max_length: {self.max_length} is not between 16 and 8192")
