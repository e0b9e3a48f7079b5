"""Whether an encoder is the one that an index was made with: vectors of different ones do not mix."""

from __future__ import annotations

from pathlib import Path

from lawng.errors import ConfigError
from lawng.models.encoder import Embedder
from lawng.retrieval.store import Commit


def check_encoder(model: Embedder, commit: Commit, place: str) -> None:
    """See to it that an encoder is the one of the index.

    Raises ConfigError naming both when it is another, or another state of it.
    """
    if _identity(model.name, model.state, model.width) != _identity(commit.encoder, commit.encoder_state, commit.width):
        raise ConfigError(
            f"{place}: was made with the encoder {_said(commit.encoder, commit.encoder_state, commit.width)}, "
            f"not with {_said(model.name, model.state, model.width)}; name that one, or make the index anew"
        )


def _identity(name: str, state: str, width: int) -> tuple[str, str, int]:
    """What vectors depend on: not the folder or the account that a model is found in."""
    return Path(name).name, state, width


def _said(name: str, state: str, width: int) -> str:
    return f"{name} (state {state[:12] or 'unknown'}, {width} dimensions)"
