"""A stance model on what it was not trained on: predictions to a file, scores from that file, tables.

evaluate(name, inputs, negate, folder, ...) -> the tables as text
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from lawng import __version__
from lawng.datasets.candidates import Negate
from lawng.datasets.inputs import Inputs
from lawng.datasets.nli import Pair, read_source
from lawng.datasets.recipe import held_out_pairs
from lawng.engine import aside_file
from lawng.errors import InputError
from lawng.evaluation.nli_predictions import NliPrediction, predict
from lawng.evaluation.nli_scores import by_source, twin_scores
from lawng.extras import explained
from lawng.models.folder import load_folder
from lawng.models.pairs import pair_model
from lawng.studies.nli.tables import as_markdown
from lawng.tables import from_arrow, to_arrow

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
    report: Callable[[str], None] = lambda line: None,
) -> str:
    """Predict the test pairs, store `predictions.parquet`, score that file, write `scores.json` and `scores.md`.

    Raises InputError when the inputs hold no test pair; the errors of `pair_model` when there is no such model.
    """
    model = pair_model(name, backend)
    test, known = _pairs(inputs, negate)
    if not test:
        raise InputError("nothing to evaluate on: the data given hold training pairs alone")
    report(f"{len(test):,} test pairs")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "predictions.parquet"
    pq.write_table(to_arrow(predict(model, test, known), NliPrediction), path)
    made = {"model": model.name, "state": model.state, "backend": backend, "seed": seed, "lawng": __version__}
    return score(path, {**made, "temperature": load_folder(name, "stance model").temperature})


def score(path: Path, made: dict[str, Any]) -> str:
    """Scores of stored predictions, written beside them; the tables in Markdown."""
    rows = list(from_arrow(pq.read_table(path), NliPrediction))
    sources = by_source(rows, made["temperature"], made["seed"])
    twins = twin_scores(rows, made["seed"])
    text = as_markdown(made, sources, twins)
    found = {"made": made, "sources": [asdict(row) for row in sources], "twins": [asdict(row) for row in twins]}
    with aside_file(path.with_name("scores.json")) as file:
        json.dump(found, file, indent=1)
    with aside_file(path.with_name("scores.md")) as file:
        file.write(text)
    return text


def _pairs(inputs: Inputs, negate: Negate) -> tuple[list[Pair], Sequence[Pair]]:
    """Test pairs, and the training pairs that the baselines may learn from."""
    sources = inputs.sources()
    made = [*inputs.made(negate), *Inputs(corpora=inputs.corpora).made(negate, side="held-out", limit=STATEMENTS)]
    known = [pair for source in sources for pair in read_source(source)]
    return held_out_pairs(sources, made), [pair for pair in [*known, *made] if pair.part == "train"]
