"""manifest.json: what a build was made from and with; no times, no places, so that it too is the same every time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lawng import __version__
from lawng.build.context import Context, code_digest
from lawng.build.models import Model
from lawng.config import to_values
from lawng.engine import StageResult
from lawng.models.versions import library_version

LIBRARIES = (
    *("daft", "pyarrow", "numpy", "eyecite", "hyperscan", "spacy", "lemminflect"),
    *("torch", "transformers", "sentence-transformers", "faiss-cpu"),
)
_HOW_ONLY = ("engine", "address", "workers")
"""Options that change how a build runs, not what it gives."""


def manifest_of(context: Context, models: Iterable[Model], stages: Iterable[StageResult]) -> dict[str, Any]:
    """Input digests, configuration, seed, models, versions, and each stage with its fingerprint and digests."""
    config = to_values(context.config)
    config["engine"] = {name: value for name, value in config["engine"].items() if name not in _HOW_ONLY}
    for section, option, role in (("negation", "model", "negation"), ("neutral", "embedder", "embedder")):
        config[section][option] = context.models[role].name
    config["premises"]["tokenizer"] = context.models["tokenizer"].name
    return {
        "lawng": __version__,
        "code": code_digest(),
        "seed": context.seed,
        "config": config,
        "models": {model.role: _about(model) for model in models},
        "versions": {name: library_version(name) for name in LIBRARIES},
        "inputs": dict(context.corpus_digests),
        "stages": {stage.name: _stage(stage) for stage in stages},
    }


def _about(model: Model) -> dict[str, str]:
    return {name: value for name in ("name", "state", "note") if (value := getattr(model, name))}


def _stage(stage: StageResult) -> dict[str, Any]:
    return {"fingerprint": stage.fingerprint, "digests": stage.tally.digests, "out": stage.tally.out}
