"""What makes trained weights a relevance model: an int8 file, lawng.json and a model card."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Protocol

from lawng import __version__
from lawng.models.folder import NOTE, ONNX
from lawng.models.onnx.trace import can_trace
from lawng.models.train.export import export_int8
from lawng.models.train.relevance_options import Report
from lawng.models.versions import library_version

_LIBRARIES = ("torch", "transformers", "tokenizers", "onnx", "onnxruntime")


class Backed(Protocol):
    """Judges the model in a folder, run by a backend."""

    def __call__(self, folder: Path, backend: str) -> float:
        """How good it is; higher is better."""


def finish_relevance(place: Path, trained: Path, told: dict[str, Any], judge: Backed | None, say: Report) -> None:
    """Fill a relevance model's folder from what a run kept; with `judge` an int8 file is written and judged too.

    `told` is what the run says of itself: base, options, data, choice, licences.
    """
    for path in trained.iterdir():
        if path.name != "score.json":
            shutil.copy2(path, place / path.name)
    note = {
        "lawng": __version__,
        **told,
        "int8": _int8(place, judge, say) if judge else None,
        "versions": {name: library_version(name) for name in _LIBRARIES},
    }
    (place / NOTE).write_text(json.dumps(note, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    (place / "README.md").write_text(_card(note), encoding="utf-8")


def _int8(place: Path, judge: Backed, say: Report) -> dict[str, float] | None:
    if not can_trace():
        say(f"no {ONNX}: onnx is not installed; the model runs on torch")
        return None
    export_int8(place)
    found = {"whole": judge(place, "torch"), "int8": judge(place, "onnx")}
    say(f"int8: {found['int8']:.4f} where full precision has {found['whole']:.4f}")
    return found


_SILVER = (
    "At most {:,} of these queries were made of the glossary of contract drafting, and their clauses graded by the "
    "untrained ranking of `lawng search`, not by attorneys."
)


def _card(note: dict[str, Any]) -> str:
    options, chosen, data = note["options"], note["chosen"], note["data"]
    focus = f"the {note['focus']} words of a text that answer the query best" if note["focus"] else "a text"
    expand = f" to which {note['expand']} words of the glossary are added" if note["expand"] else ""
    dropout = "of the base" if options["dropout"] is None else options["dropout"]
    parts = [
        "# Relevance model",
        f"A 1-label cross-encoder made by `lawng train relevance` from {note['base'][0]} ({note['base'][1]}): how "
        f"relevant {focus} is for a query{expand}, as attorneys' stars go. The query stands first, both have at most "
        f"{options['max_length']} tokens. For `--rerank`; any Hugging Face tool can load it too.",
        "It is a small model trained on few queries. No legal advice: read the clauses.",
        "## Training",
        f"{data['n_texts']:,} graded pairs of {data['n_queries']:,} queries ({', '.join(data['forms'])}) of the split "
        f"train of {data['name']}; loss {options['loss']}, targets {note['targets']}, batch {options['batch']}, AdamW "
        f"with weight decay 0.01, dropout {dropout}, hard zeros {options['hard_zeros']}, "
        f"frozen layers {options['freeze_layers']}, "
        f"word embeddings {'frozen' if options['freeze_words'] or options['freeze_layers'] else 'trained'}.",
        *([_SILVER.format(note["silver"])] if note["silver"] else []),
        f"Chosen of {len(note['grid']):,} pairs of learning rate and updates by mean validation NDCG@10 over "
        f"{note['runs']} runs: learning rate {chosen['lr']:g}, {chosen['updates']:,} updates, mean "
        f"{chosen['mean']:.4f}; these are the weights of the best of the runs (seed {chosen['seed']}). A model that is "
        "chosen by a number has a lower one elsewhere. All of them are in `grid.csv`.",
        f"int8 against full precision, validation NDCG@10: {_cost(note['int8'])}.",
        "## Licences of the data",
        "\n".join(f"- {licence}" for licence in note["licences"]) or "- none stated",
    ]
    return "\n\n".join(parts) + "\n"


def _cost(found: dict[str, float] | None) -> str:
    return f"{found['int8']:.4f} against {found['whole']:.4f}" if found else "not measured"
