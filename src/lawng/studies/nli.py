"""A stance model on what it was not trained on: predictions to a file, scores from that file, tables.

evaluate(name, inputs, negate, folder, ...) -> the tables as text
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lawng import __version__
from lawng.datasets.candidates import Negate
from lawng.datasets.nli import Pair, read_source
from lawng.datasets.recipe import Inputs, held_out_pairs
from lawng.errors import InputError
from lawng.evaluation.nli import NliPrediction, SourceScores, TwinScores, by_source, predict, twin_scores
from lawng.evaluation.statistics import Interval
from lawng.extras import explained
from lawng.io import write_text
from lawng.models.folder import load_folder
from lawng.models.openai.embeddings import PREFIX
from lawng.models.openai.nli import stance_llm
from lawng.models.pairs import CrossEncoder, pair_model
from lawng.reports.grid import Grid, markdown
from lawng.schema.views import PREMISES, SHORT, premise_of, shown
from lawng.studies.harness import Harness, ParquetStore, Say, texts_digest, unsaid

STATEMENTS = 400
"""Sentences of the corpora's held-out cases that are tried as twins, at most."""


@explained()
def evaluate(  # noqa: PLR0913 (what an evaluation depends on)
    name: str,
    inputs: Inputs,
    negate: Negate,
    folder: Path,
    *,
    backend: str = "auto",
    seed: int = 0,
    view: str | None = None,
    report: Say = unsaid,
) -> str:
    """Predict the test pairs, store `predictions.parquet`, score that file, write `scores.json` and `scores.md`.

    `view` is what the model is shown, by default what it was trained with, else the short premise and the hypothesis.
    "openai:MODEL" is asked for each pair, its answers are kept in the folder. Raises InputError when the inputs hold no
    test pair; the errors of `pair_model` when there is no such model.
    """
    told = stance_llm(name, folder) if name.startswith(PREFIX) else None
    loaded = None if told else load_folder(name, "stance model")
    inputs = replace(inputs, view=view or (loaded.view if loaded else SHORT))
    model = told or pair_model(name, backend, blind=True)
    test, known = _pairs(inputs, negate, report)
    if not test:
        raise InputError("nothing to evaluate on: the data given hold training pairs alone")
    if isinstance(model, CrossEncoder):
        rooms = model.leaves_room([shown(inputs.view, pair.premise, pair.hypothesis)[1] for pair in test])
        if lost := rooms.count(False):
            report(f"{lost:,} of {len(test):,} test pairs left out: the hypothesis fills what {model.name} reads")
        test = [pair for pair, room in zip(test, rooms, strict=True) if room]
        if not test:
            raise InputError(f"nothing to evaluate on: each hypothesis fills what {model.name} reads")
    report(f"{len(test):,} test pairs")
    made = {"model": model.name, "state": model.state, "seed": seed, "view": inputs.view, "lawng": __version__}
    made |= {"backend": "endpoint" if told else backend}
    made |= {"temperature": loaded.temperature if loaded else 1.0}
    there = {name: find_spec(name) is not None for name in ("sklearn", "onnxruntime")}
    depends = {
        "made": made,
        "there": there,
        "test": texts_digest(map(repr, test)),
        "known": texts_digest(map(repr, known)),
    }
    cell = Harness(folder, ParquetStore(NliPrediction), __name__).cell(
        "predictions", depends, lambda: predict(model, test, known, inputs.view)
    )
    for line in told.notes() if told and told.ways else ():
        report(line)
    return score(cell.path, made)


def score(path: Path, made: dict[str, Any]) -> str:
    """Scores of stored predictions, written beside them; the tables in Markdown."""
    rows = ParquetStore(NliPrediction).read(path)
    sources = by_source(rows, made["temperature"], made["seed"])
    both = made.get("view", SHORT) in PREMISES  # twins differ in the hypothesis and share the premise
    twins = twin_scores(rows, made["seed"]) if both else []
    grids = [_sources(made, sources), *([_twins(twins)] if twins else []), _calibration(made, sources)]
    grids += [_confusion(row) for row in sources]
    text = "\n\n".join(map(markdown, grids)) + "\n"
    found = {"made": made, "sources": [asdict(row) for row in sources], "twins": [asdict(row) for row in twins]}
    write_text(path.with_name("scores.json"), json.dumps(found, indent=1))
    write_text(path.with_name("scores.md"), text)
    return text


def _pairs(inputs: Inputs, negate: Negate, report: Say) -> tuple[list[Pair], Sequence[Pair]]:
    """Test pairs, and the training pairs that the baselines may learn from."""
    made = [*inputs.made(negate), *Inputs(corpora=inputs.corpora, statements=STATEMENTS).made(negate, side="held-out")]
    premise = premise_of(inputs.view)
    every = [pair for source in inputs.sources() for pair in read_source(source, report, premise=premise)] + made
    test = held_out_pairs([], every, report)
    tested = {(pair.premise, pair.hypothesis) for pair in test}
    return test, [pair for pair in every if pair.part == "train" and (pair.premise, pair.hypothesis) not in tested]


def _sources(made: dict[str, Any], sources: Sequence[SourceScores]) -> Grid:
    note = (
        "Accuracy with Clopper-Pearson, balanced accuracy with bootstrap intervals over premises, 95 %. Majority and "
        "hypothesis only are learnt from the training pairs of the same data. cut: premises not read whole."
    )
    cells: dict[str, Callable[[SourceScores], str]] = {
        "data": lambda row: row.source,
        "labels": lambda row: str(len(row.golds)),
        "n": lambda row: f"{row.n:,}",
        "accuracy": lambda row: _with(row.accuracy, row.interval),
        "balanced": lambda row: _with(row.balanced, row.balanced_interval),
        "macro-F1": lambda row: f"{row.macro_f1:.3f}",
        "chance": lambda row: f"{row.chance:.3f}",
        "majority": lambda row: _or_dash(row.majority),
        "hypothesis only": lambda row: _or_dash(row.hypothesis_only),
        "cut": lambda row: f"{row.cut:,}",
    }
    rows = [[cell(row) for cell in cells.values()] for row in sources]
    view = made.get("view", SHORT)
    way = made["backend"] + ("" if view == SHORT else f", shown the view {view}")
    return Grid(f"{made['model']} ({way}) on pairs that it was not trained on", [*cells], rows, note=note)


def _twins(twins: Sequence[TwinScores]) -> Grid:
    note = (
        "Right side: pairs with entailment above contradiction where they support, below where they refute; ordered: "
        "twins whose supporting member has the higher odds; chance is 0.5 for both. Added, removed: ordered, by what "
        "the negation algorithm did. Hypothesis only is asked for the right label without the premise."
    )
    cells: dict[str, Callable[[TwinScores], str]] = {
        "data": lambda row: row.source,
        "twins": lambda row: f"{row.n:,}",
        "right side": lambda row: _with(row.sided, row.sided_interval),
        "ordered": lambda row: _with(row.ordered, row.ordered_interval),
        "right label of 3": lambda row: f"{row.labelled:.3f}",
        "negation added": lambda row: f"{row.added[1]:.3f} of {row.added[0]:,}",
        "removed": lambda row: f"{row.removed[1]:.3f} of {row.removed[0]:,}",
        "hypothesis only": lambda row: _or_dash(row.hypothesis_only),
    }
    rows = [[cell(row) for cell in cells.values()] for row in twins]
    return Grid("Support against refute on twins, the right premise given", [*cells], rows, note=note)


def _calibration(made: dict[str, Any], sources: Sequence[SourceScores]) -> Grid:
    rows = [[row.source, f"{row.ece_before:.3f}", f"{row.ece_after:.3f}"] for row in sources]
    title = f"Expected calibration error, 10 bins, without and with the temperature {made['temperature']}"
    return Grid(title, ["data", "before", "after"], rows)


def _confusion(row: SourceScores) -> Grid:
    rows = [[gold, *(f"{row.confusion[gold][other]:,}" for other in row.golds)] for gold in row.golds]
    return Grid(f"{row.source}: gold by row, prediction by column", ["", *row.golds], rows)


def _with(value: float, interval: Interval) -> str:
    return f"{value:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"


def _or_dash(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
