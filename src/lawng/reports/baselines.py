"""Baselines that never read the premise: what the labels give away by the hypothesis or by lengths alone."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from lawng.evaluation.nli import by_hypothesis, most_frequent
from lawng.io import read_table

MIN_TRAIN, MIN_HELD_OUT = 60, 30
"""Fewer examples than these say nothing: the interval would span half the scale."""

MAX_TRAIN = 50_000
"""Training examples beyond these change the third digit of such models, and cost memory."""


_LENGTHS = ["tokens_hypothesis", "tokens_short", "tokens_long"]


def baselines(data: Path) -> list[dict[str, Any]]:
    """Accuracy on validation and test of three models without the premise, with 95 % Wilson intervals.

    Majority label; logistic regression on the hypothesis's words; the same on the three lengths (tokens).
    Accuracy is None, and `note` says why, where there is too little data or scikit-learn is not installed.
    Source: Gururangan et al. 2018 and Poliak et al. 2018 on artifacts; the paper reports 0.49 to 0.54 (Table 12).
    """
    train, held_out = _read(data, "train", limit=MAX_TRAIN), _read(data, "validation", "test")
    note = _why_not(train, held_out)
    return [
        _result(name, None if note else predict(train, held_out), train, held_out, note)
        for name, predict in (("majority label", _majority), ("hypothesis only", _words), ("lengths only", _lengths))
    ]


def _why_not(train: pa.Table, held_out: pa.Table) -> str:
    if len(train) < MIN_TRAIN or len(held_out) < MIN_HELD_OUT:
        return f"needs {MIN_TRAIN} training and {MIN_HELD_OUT} held-out examples"
    if len(train["label"].unique()) < 2:
        return "needs two labels in the training split"
    return "" if find_spec("sklearn") else "needs scikit-learn"


def _read(data: Path, *splits: str, limit: int | None = None) -> pa.Table:
    tables = [read_table(data / f"{split}.parquet", ["hypothesis", "label", *_LENGTHS]) for split in splits]
    table = pa.concat_tables(tables)
    if limit and len(table) > limit:  # the rows are ordered by premise: take them evenly, not the first
        return table.take(np.linspace(0, len(table) - 1, limit).astype(int))
    return table


def _majority(train: pa.Table, held_out: pa.Table) -> list[str]:
    return [most_frequent(train["label"].to_pylist())] * len(held_out)


def _words(train: pa.Table, held_out: pa.Table) -> list[str]:
    return by_hypothesis(*(rows.to_pylist() for rows in (train["hypothesis"], train["label"], held_out["hypothesis"])))


def _lengths(train: pa.Table, held_out: pa.Table) -> list[str]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    seen, unseen = (
        np.log1p(np.column_stack([table[name].to_numpy() for name in _LENGTHS]).astype(float))
        for table in (train, held_out)
    )
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    return [str(label) for label in model.fit(seen, train["label"].to_pylist()).predict(unseen)]


def _result(name: str, predicted: list[str] | None, train: pa.Table, held_out: pa.Table, note: str) -> dict[str, Any]:
    result: dict[str, Any] = {"name": name, "accuracy": None, "interval": None, "note": note}
    result |= {"n_train": len(train), "n_test": len(held_out)}
    if predicted is not None:
        from scipy.stats import binomtest

        right = sum(p == label for p, label in zip(predicted, held_out["label"].to_pylist(), strict=True))
        result["accuracy"] = round(right / len(predicted), 3)
        interval = binomtest(right, len(predicted)).proportion_ci(method="wilson")
        result["interval"] = [round(float(end), 3) for end in interval]
    return result
