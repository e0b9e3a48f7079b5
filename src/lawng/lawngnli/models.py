"""Which models a build uses: as named, else the paper's where they are at hand, else ones that need no network."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from lawng.config import PAPER_EMBEDDER, Config
from lawng.errors import MissingError
from lawng.extras import LIBRARIES, how_to_install, library_version, need
from lawng.io import file_digest
from lawng.lawngnli.verifier import BUNDLED, load_verifier
from lawng.models.find import OFFLINE, cached_model, offline_model, offline_state, state_of, state_on_hub
from lawng.pipeline import Model

_PAPERS = {
    "embedder": (PAPER_EMBEDDER, ("*.safetensors", "pytorch_model*.bin")),
    "tokenizer": ("roberta-base", ("tokenizer.json",)),
}
"""The paper's model of a role, and files that show that it is in the Hub's cache."""
_NEEDED = {"embedder": (("config.json",),), "tokenizer": (("tokenizer.json",), ("encoder.json", "vocab.bpe"))}
"""Files that a folder must have, in one form or another."""


def models_of(config: Config) -> dict[str, Model]:
    """The models of a build by role: negation, verifier, embedder, tokenizer.

    Raises MissingError when there is none for a role, ModuleNotFoundError when a library of the build is missing.
    """
    need(*LIBRARIES["build"])
    return {
        "negation": spacy_model("negation", config.negation.model),
        "verifier": _verifier(config.hypotheses.verifier),
        "embedder": _model("embedder", config.neutral.embedder),
        "tokenizer": _model("tokenizer", config.premises.tokenizer),
    }


def spacy_model(role: str, name: str) -> Model:
    """A spaCy pipeline that is installed, or a folder's. Raises MissingError when it is neither."""
    folder = Path(name)
    if folder.is_dir() and not (folder / "config.cfg").is_file():
        raise MissingError(f"{role}: {folder} has no config.cfg; name a spaCy pipeline's folder, or one installed")
    if not folder.is_dir() and not (name.isidentifier() and importlib.util.find_spec(name)):
        raise MissingError(f"spaCy pipeline {name!r} is not installed: {how_to_install(name)}; or name another one")
    # the manifest, which has no places, names a folder by its own name
    shown = folder.resolve().name if folder.is_dir() else name
    return Model(role, shown, name, library_version(name) or state_of(folder))


def _verifier(name: str | None) -> Model:
    folder = Path(name) if name else BUNDLED
    load_verifier(str(folder))
    return Model(
        "verifier",
        folder.resolve().name if name else "bundled",
        str(folder.absolute()),
        state_of(folder) or file_digest(folder),
    )


def _model(role: str, name: str | None) -> Model:
    if name is not None:
        return _named(role, name)
    paper, files = _PAPERS[role]
    if folder := cached_model(paper, files):
        return Model(role, paper, str(folder), folder.name)
    note, folder = f"the paper's {paper} is not in the Hub's cache", offline_model()
    if folder is None:
        raise MissingError(f"no {role}: {note}, and {OFFLINE} is not installed; pip install 'lawng[offline]'")
    return Model(role, OFFLINE, str(folder), offline_state(), note)


def _named(role: str, name: str) -> Model:
    folder = Path(name)
    if folder.is_dir():
        if not any(all((folder / name).is_file() for name in form) for form in _NEEDED[role]):
            forms = ", nor ".join(" and ".join(form) for form in _NEEDED[role])
            raise MissingError(f"{role}: {folder} has no {forms}; name a model's folder, or a Hub name")
        return Model(role, folder.resolve().name, str(folder.absolute()), state_of(folder))
    if cached := cached_model(name, ("*",)):
        return Model(role, name, str(cached), cached.name)
    return Model(role, name, name, state_on_hub(role, name, f"name a folder, or leave --{role} out"))
