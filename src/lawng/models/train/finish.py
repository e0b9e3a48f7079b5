"""What makes trained weights a stance model: temperature, dev scores, an int8 file, lawng.json and a model card."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lawng import __version__
from lawng.datasets.nli import Pair
from lawng.datasets.recipe import counts, epoch
from lawng.labels import LABELS
from lawng.models.backends import load_backend
from lawng.models.folder import NOTE, ONNX, load_folder
from lawng.models.onnx.trace import can_trace
from lawng.models.pairs import CrossEncoder, log_softmax
from lawng.models.train.calibrate import Floats, calibration_error, fit_temperature, loss_at
from lawng.models.train.card import card
from lawng.models.train.export import export_int8
from lawng.models.versions import library_version

_LIBRARIES = ("torch", "transformers", "tokenizers", "onnx", "onnxruntime")


def finish(  # noqa: PLR0913, PLR0917 (what the folder tells of)
    place: Path, trained: Path, pairs: Sequence[Pair], files: dict[str, str], state: dict[str, Any], say: Any
) -> None:
    """Fill a stance model's folder from trained weights; the temperature is fitted on the pairs of part `dev`.

    `files` are the digests of the data files by name, `state` is what the run says of itself.
    """
    for path in trained.iterdir():
        if path.name != "seconds":
            shutil.copy2(path, place / path.name)
    dev = [pair for pair in pairs if pair.part == "dev"]
    scores, right = _scores(place, "torch", dev), right_of(dev)
    temperature = fit_temperature(scores, right)
    say(f"temperature {temperature} on {len(dev):,} dev pairs")
    note = {
        "lawng": __version__,
        "temperature": temperature,
        "labels": [str(label) for label in LABELS],
        **{key: state[key] for key in ("options", "base", "seconds")},
        "pairs": counts([*epoch(pairs, state["options"]["sample"], state["options"]["seed"]), *dev]),
        "files": files,
        "dev": _dev(dev, scores, right, temperature),
        "int8": _int8(place, dev, scores, temperature, say),
        "versions": {name: library_version(name) for name in _LIBRARIES},
    }
    (place / NOTE).write_text(json.dumps(note, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    (place / "README.md").write_text(card(note), encoding="utf-8")


def right_of(pairs: Sequence[Pair]) -> Floats:
    """Which labels are right, n x 3."""
    rows = [[float(label in pair.gold) for label in LABELS] for pair in pairs]
    return np.array(rows, dtype=np.float64).reshape(-1, len(LABELS))


def _scores(place: Path, backend: str, pairs: Sequence[Pair]) -> Floats:
    """Logits in the order of `LABELS`, before any temperature."""
    loaded = load_folder(str(place), "stance model")
    model = CrossEncoder(loaded, load_backend(loaded, backend), batch=32)
    found, _ = model.scores([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])
    return found[:, list(loaded.columns)]


def _dev(dev: Sequence[Pair], scores: Floats, right: Floats, temperature: float) -> dict[str, Any]:
    """Share of dev pairs whose most probable label is a right one, by source; loss and ECE before and after."""
    hits = right[np.arange(len(dev)), scores.argmax(axis=1)] if len(dev) else np.zeros(0)
    sources = np.array([pair.source for pair in dev])
    found: dict[str, Any] = {
        str(name): {"n": int((sources == name).sum()), "right": round(float(hits[sources == name].mean()), 4)}
        for name in np.unique(sources)
    }
    if len(dev):
        for name, t in (("before", 1.0), ("after", temperature)):
            ece = calibration_error(log_softmax(scores / t), right)
            found[name] = {"loss": round(loss_at(scores, right, t), 4), "ece": round(ece, 4)}
    return found


def _int8(place: Path, dev: Sequence[Pair], scores: Floats, temperature: float, say: Any) -> dict[str, Any] | None:
    """Write the int8 file where it can be written, and measure what it costs on the dev pairs."""
    if not can_trace():
        say(f"no {ONNX}: onnx is not installed; the model runs on torch, or with the backend int8")
        return None
    export_int8(place)
    if not dev:
        return {"n": 0}
    other = log_softmax(_scores(place, "onnx", dev) / temperature)
    return {"n": len(dev), **loss_of(log_softmax(scores / temperature), other)}


def loss_of(whole: Floats, quantised: Floats) -> dict[str, float]:
    """What quantising costs: share of equal labels, mean and greatest difference of a label's probability."""
    gap = np.abs(np.exp(whole) - np.exp(quantised))
    same = float((whole.argmax(axis=1) == quantised.argmax(axis=1)).mean())
    return {"same_label": round(same, 4), "mean_dp": round(float(gap.mean()), 5), "max_dp": round(float(gap.max()), 4)}
