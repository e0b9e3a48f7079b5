"""What makes trained weights a model's folder: temperature, scores, an int8 file for the CPU, lawng.json and a card."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lawng import __version__
from lawng.datasets.nli import Pair
from lawng.datasets.recipe import REPEATS, counts, epoch
from lawng.extras import library_version
from lawng.io import file_digest
from lawng.models.folder import NOTE, ONNX, load_backend, load_folder
from lawng.models.onnx.classifier import TOKENS, export_int8, shrink
from lawng.models.onnx.runtime import installed
from lawng.models.pairs import CrossEncoder, leaves_room, log_softmax
from lawng.models.training.calibration import (
    Floats,
    calibration_error,
    fit_temperature,
    least_probability,
    loss_at,
    risks,
)
from lawng.models.training.options import Report
from lawng.schema.labels import LABELS
from lawng.schema.views import SHORT

_LIBRARIES = ("sentence-transformers", "torch", "transformers", "tokenizers", "onnx", "onnxruntime")
SMALL = "onnx"
"""Folder, in a stance model's folder, of the model made small."""
SMALL_FORM = f"{TOKENS:,} tokens and few steps in each row of weights, for ONNX Runtime alone"
_OF_THE_RUN = {"seconds", "score.json"}
"""Files beside the weights that are none of the model's."""


_LICENCES = {
    "excerpts": "arguments on excerpts: opinions in the public domain; lawng's arguments MIT, others as they say",
    "sick": "SICK: CC BY-NC-SA 3.0, not for commercial use",
    "snli": "SNLI: CC BY-SA 4.0",
    "mnli": "MultiNLI: as in its paper (OANC and others, mostly free)",
    "multinli": "MultiNLI: as in its paper (OANC and others, mostly free)",
    "docnli": "DocNLI: licence not verified here; made of other data sets, news among them",
    "fever": "FEVER: Wikipedia text, CC BY-SA 3.0",
    "fever-nli": "FEVER-NLI: none of its own; FEVER's Wikipedia text, CC BY-SA 3.0",
    "vitaminc": "VitaminC: CC BY-SA 3.0",
    "anli": "ANLI: CC BY-NC 4.0, not for commercial use",
    "breaking": "Breaking NLI: CC BY-SA 4.0",
    "control": "ConTRoL: no licence stated",
    "lingnli": "LingNLI: no licence stated; premises from MultiNLI",
    "scitail": "SciTail: licence not verified here (catalogued as Apache 2.0)",
    "healthver": "HealthVer: no licence stated",
    "contract-nli": "ContractNLI: CC BY 4.0",
    "nli4wills": "nli4wills: CC BY-NC 4.0, not for commercial use",
}
"""Of the data sets of `lawng.datasets.nli_tables`, as published."""


Card = Callable[[dict[str, Any]], str]


class Judge(Protocol):
    """Judges the model in a folder, run by a backend."""

    def __call__(self, folder: Path, backend: str) -> float:
        """How good it is; higher is better."""


def finish_stance(  # noqa: PLR0913, PLR0917 (what the folder tells of)
    place: Path, trained: Path, pairs: Sequence[Pair], files: dict[str, str], state: dict[str, Any], say: Report
) -> dict[str, Any]:
    """Fill a stance model's folder from trained weights; the temperature is fitted on the pairs of part `dev`.

    `files` are the digests of the data files by name, `state` is what the run says of itself. Gives what the folder
    tells of itself.
    """
    _begin(place, trained)
    dev = _dev_of(place, pairs, say)
    whole = _scores(place, _whole(state), dev)
    note = {
        **_measured(dev, whole, say),
        "labels": [str(label) for label in LABELS],
        **{key: state[key] for key in ("options", "view", "base", "before", "seconds")},
        "pairs": counts([*epoch(pairs, state["options"]["sample"], state["options"]["seed"]), *dev]),
        "files": files,
        "int8": None,
    }
    if _can_quantise(say):
        export_int8(place)
        note["int8"] = _loss(whole, _scores(place, "onnx", dev), note["temperature"])
    write_note(place, note, stance_card(note))
    return note


def write_small(place: Path, texts: Iterable[str], pairs: Sequence[Pair], note: dict[str, Any], say: Report) -> None:
    """Write `onnx` into a stance model's folder: the same model made small, which ONNX Runtime runs.

    It knows the tokens that `texts` have. Temperature, scores and what it loses are measured on the part `dev`.
    """
    dev = _dev_of(place, pairs, say)
    small = shrink(place, texts, place / SMALL)
    whole, scores = _scores(place, _whole(note), dev), _scores(small, "onnx", dev)
    measured = _measured(dev, scores, say)
    told = {**note, **measured, "int8": _loss(whole, scores, measured["temperature"])}
    write_note(small, told, stance_card(told, form=SMALL_FORM))
    say(f"{sum(path.stat().st_size for path in small.iterdir()):,} bytes in {SMALL}")


def _whole(told: dict[str, Any]) -> str:
    """The backend that asks the weights as they were trained: in half of the time where that was in sixteen bits."""
    return "bf16" if told["options"]["precision"] == "bf16" else "torch"


def _dev_of(place: Path, pairs: Sequence[Pair], say: Report) -> list[Pair]:
    """The pairs of part `dev` that the model can read; the others are counted, as those of part `train` are."""
    dev = [pair for pair in pairs if pair.part == "dev"]
    rooms = leaves_room(load_folder(str(place), "stance model"), [pair.hypothesis for pair in dev])
    if lost := rooms.count(False):
        said = f"{lost:,} of {len(dev):,} dev pairs left out: the hypothesis fills what is read"
        say(said + ("; no temperature can be chosen" if lost == len(dev) else ""))
    return [pair for pair, room in zip(dev, rooms, strict=True) if room]


def _measured(dev: Sequence[Pair], scores: Floats, say: Report) -> dict[str, Any]:
    """Temperature, the least probability of a side, and scores, by logits of the pairs of part `dev`."""
    right = _right_of(dev)
    temperature = fit_temperature(scores, right)
    courts = [at for at, pair in enumerate(dev) if pair.source in REPEATS] or list(range(len(dev)))
    sided = risks(log_softmax(scores[courts] / temperature), right[courts])
    least = least_probability(sided) if courts else 0.0
    say(f"temperature {temperature} on {len(dev):,} dev pairs; a side from {least} on")
    told = [one._asdict() for one in sided] if courts else []
    return {"temperature": temperature, "least": least, "risks": told, "dev": _dev(dev, scores, right, temperature)}


def finish_relevance(  # noqa: PLR0913, PLR0917 (what the folder tells of)
    place: Path, trained: Path, told: dict[str, Any], judge: Judge | None, say: Report, card: Card | None = None
) -> None:
    """Fill a relevance model's folder from what a run kept; with `judge` an int8 file is written and judged too.

    `told` is what the run says of itself: base, options, data, choice, licences; `card` makes its README of that,
    `relevance_card` unless told.
    """
    _begin(place, trained)
    note = {**told, "int8": None}
    if judge and _can_quantise(say):
        export_int8(place)
        found = note["int8"] = {"whole": judge(place, "torch"), "int8": judge(place, "onnx")}
        say(f"int8: {found['int8']:.4f} where full precision has {found['whole']:.4f}")
    write_note(place, note, (card or relevance_card)(note))


def _begin(place: Path, trained: Path) -> None:
    """The trained weights in their folder; what a killed run made there of others is gone."""
    for path in (place / NOTE, *place.glob("*.onnx*")):
        path.unlink(missing_ok=True)
    shutil.rmtree(place / SMALL, ignore_errors=True)
    for path in trained.iterdir():
        if path.name not in _OF_THE_RUN:
            shutil.copy2(path, place / path.name)


def write_note(place: Path, note: dict[str, Any], card: str) -> None:
    """Write what a folder says of itself, with the versions of the libraries, and its card."""
    versions = {name: library_version(name) for name in _LIBRARIES}
    if graphs := [*place.glob("*.onnx*")]:  # with another tokenizer, or labels in another order, it says other things
        files = [*graphs, *(place / name for name in ("config.json", "tokenizer.json"))]
        note = {**note, "sha256": {path.name: file_digest(path) for path in files if path.is_file()}}
    text = json.dumps({"lawng": __version__, **note, "versions": versions}, indent=1, sort_keys=True)
    (place / NOTE).write_text(text + "\n", encoding="utf-8")
    (place / "README.md").write_text(card, encoding="utf-8")


def _right_of(pairs: Sequence[Pair]) -> Floats:
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


def _can_quantise(say: Report) -> bool:
    if not (can := installed("onnx", "onnxruntime")):
        say(f"no {ONNX}: onnx is not installed; the model runs on torch, or with the backend int8")
    return can


def _loss(whole: Floats, graph: Floats, temperature: float) -> dict[str, Any]:
    """What an ONNX file costs: share of equal labels, mean and greatest difference of a probability."""
    if not len(whole):
        return {"n": 0}
    one, other = (np.exp(log_softmax(found / temperature)) for found in (whole, graph))
    gap, same = np.abs(one - other), float((one.argmax(axis=1) == other.argmax(axis=1)).mean())
    numbers = {"same_label": round(same, 4), "mean_dp": round(float(gap.mean()), 5)}
    return {"n": len(whole), **numbers, "max_dp": round(float(gap.max()), 4)}


def _card(name: str, told: dict[str, Any]) -> str:
    """A model card: the file beside this one, filled with what lawng.json tells and what follows from it."""
    return Path(__file__).with_name(name).read_text("utf-8").format(**told).rstrip() + "\n"


def stance_card(note: dict[str, Any], form: str = "any Hugging Face tool can load it too") -> str:
    """The README of a stance model's folder, in Markdown."""
    sources, dev, int8, options = note["pairs"].get("train", {}), note["dev"], note["int8"], note["options"]
    stages = (("", sources), (" (its base)", note["before"]))
    licensed = sorted({*sources, *note["before"]}.intersection(_LICENCES))
    lines = [
        f"| {name}{stage} | {gold} | {n:,} |"
        for stage, some in stages
        for name, labels in some.items()
        for gold, n in labels.items()
    ]
    rows = [f"| {name} | {row['n']:,} | {row['right']:.3f} |" for name, row in dev.items() if "right" in row]
    said = [f"loss {dev[name]['loss']}, ECE {dev[name]['ece']} {name}" for name in ("before", "after") if name in dev]
    measured = "not measured"
    if int8 and int8["n"]:
        measured = f"{int8['same_label']:.1%} equal labels, mean difference of a probability {int8['mean_dp']}"
    more = {
        "form": form,
        "sources": "\n".join(["| source | label | pairs |", "|---|---|---:|", *lines]),
        "scores": "\n".join(["| | n | right |", "|---|---:|---:|", *rows]) + "\n\n" + "; ".join(said),
        "measured": measured,
        "seen": "" if note["view"] == SHORT else f" It is shown the view `{note['view']}` (`lawng train nli --view`).",
        "taught": f" Its layers have {options['distil']:g} of the weights of its base's, which taught them."
        * bool(options["distil"]),
        "licences": "\n".join(f"- {_LICENCES[name]}" for name in licensed),
    }
    return _card("card-stance.md", note | more)


def reranker_card(note: dict[str, Any]) -> str:
    """The README of a re-ranker's folder, in Markdown."""
    int8 = note["int8"]
    measured = f"{int8['int8']:.4f} against {int8['whole']:.4f}" if int8 else "not measured"
    return _card("card-reranker.md", note | {"sources": _queries(note), "measured": measured})


def retriever_card(note: dict[str, Any]) -> str:
    """The README of a finder's folder, in Markdown."""
    measured = ", ".join(f"{name} {value:.4f}" for name, value in note["dev"].items())
    return _card("card-retriever.md", note | {"sources": _queries(note), "measured": measured})


def clause_encoder_card(note: dict[str, Any]) -> str:
    """The README of a folder of a bi-encoder for clauses, in Markdown."""
    measured = ", ".join(f"{name} {value:.4f}" for name, value in note["dev"].items())
    licences = "; ".join(note["licences"]) or "none stated"
    more = {"sources": _queries(note), "measured": measured, "licences_listed": licences}
    return _card("card-clause-encoder.md", note | more)


def _queries(note: dict[str, Any]) -> str:
    rows = [f"| {part} | {name} | {n:,} |" for part, some in note["queries"].items() for name, n in some.items()]
    return "\n".join(["| part | source | queries |", "|---|---|---:|", *rows])


def _told_data(note: dict[str, Any]) -> Iterator[str]:
    data = note["data"]
    if note["judgements"]:
        yield f"those of the split train of {data['name']} ({', '.join(data['forms'])})"
    if note["groups"]:
        yield f"those of readers on groups of clauses of {data['name']} that are alike ({', '.join(note['groups'])})"


def relevance_card(note: dict[str, Any]) -> str:
    """The README of a relevance model's folder, in Markdown."""
    options, int8, focus = note["options"], note["int8"], note["focus"]
    more = {
        "what": f"the {focus} words of a text that answer the query best" if focus else "a text",
        "of": " and ".join(_told_data(note)),
        "dropout": "of the base" if options["dropout"] is None else options["dropout"],
        "embeddings": "frozen" if options["freeze_words"] or options["freeze_layers"] else "trained",
        "n_cells": len(note["grid"]),
        "measured": f"{int8['int8']:.4f} against {int8['whole']:.4f}" if int8 else "not measured",
        "licences_listed": "\n".join(f"- {licence}" for licence in note["licences"]) or "- none stated",
    }
    return _card("card-relevance.md", note | more)
