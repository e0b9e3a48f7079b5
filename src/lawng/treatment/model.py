"""The weights by which a pair gets its label: a multinomial logistic regression over the features, kept as JSON.

load_weights() -> Weights      Weights.of(features) -> probabilities      fit_weights(rows, labels) -> Weights

A feature that nothing is known of, such as how often a single sentence's case is cited, counts as it does on average.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.errors import InputError
from lawng.extras import explained
from lawng.io import write_text
from lawng.schema import TREATMENTS

FILE = Path(__file__).with_name("weights.json")
CONTEXT = "context"
"""Prefix of features of the pair as a whole, which are averages where they are absent; others are then zero."""
_DIGITS = 4
_LEAST_SPREAD = 1e-9
"""Of a feature; what spreads less is constant but for rounding."""
_FEWEST = 3
"""Pairs that have a feature, below which it says too little."""

Matrix = NDArray[np.float64]


class Weights(NamedTuple):
    """Weights of features for each label."""

    labels: tuple[str, ...]
    places: dict[str, int]
    """Of features, in the rows of `weights`."""
    weights: Matrix
    """Features x labels."""
    bias: Matrix
    absent: Matrix
    """The value of a feature that is absent."""
    told: dict[str, Any]
    """What it was trained on."""

    def of(self, features: Mapping[str, float]) -> dict[str, float]:
        """The probability of each label; features that are not known count for nothing."""
        scores = self._filled(self.absent, features) @ self.weights + self.bias
        found = np.exp(scores - scores.max())
        return dict(zip(self.labels, (found / found.sum()).tolist(), strict=True))

    def speaks_for(self, label: str, acts: Mapping[str, float]) -> float:
        """How much acts alone speak for a label and not for any other."""
        if label not in self.labels:
            return 0.0
        scores = self._filled(np.zeros(len(self.places)), acts) @ self.weights
        own = self.labels.index(label)
        return float(scores[own] - np.delete(scores, own).max())

    def _filled(self, absent: Matrix, given: Mapping[str, float]) -> Matrix:
        values = absent.copy()
        for name, value in given.items():
            if (at := self.places.get(name)) is not None:
                values[at] = value
        return values

    def save(self, file: Path) -> None:
        """Write the weights as JSON."""
        rounded = np.round(self.weights, _DIGITS).tolist()
        found = {
            "told": self.told,
            "labels": self.labels,
            "bias": np.round(self.bias, _DIGITS).tolist(),
            "absent": {
                name: round(float(self.absent[at]), _DIGITS) for name, at in self.places.items() if self.absent[at]
            },
            "weights": {name: rounded[at] for name, at in self.places.items()},
        }
        write_text(file, json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n")


@lru_cache(maxsize=2)
def load_weights(file: Path = FILE) -> Weights:
    """The weights that lawng comes with, or those of a file.

    Raises InputError where it holds none.
    """
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        labels = tuple(found["labels"])
        places = {name: at for at, name in enumerate(found["weights"])}
        weights = np.array(list(found["weights"].values()), dtype=np.float64).reshape(len(places), len(labels))
        absent = np.array([found["absent"].get(name, 0.0) for name in places], dtype=np.float64)
        bias = np.array(found["bias"], dtype=np.float64).reshape(len(labels))
        if not labels or not set(labels) <= set(TREATMENTS):
            raise ValueError("its labels are not those of treatments")
        return Weights(labels, places, weights, bias, absent, found["told"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{file}: no weights of treatments ({error}); install lawng again, or train them") from error


@explained()
def fit_weights(
    rows: Sequence[Mapping[str, float]],
    labels: Sequence[str],
    importance: Sequence[float] | None = None,
    strength: float = 0.1,
) -> Weights:
    """Weights fitted to pairs; rows without features of their context count as average ones there.

    `importance` weighs the rows, `strength` is that of the data against regularisation (C of scikit-learn's
    LogisticRegression), over standardised features.
    """
    from sklearn.linear_model import LogisticRegression

    names = _names(rows)
    values = np.array([[row.get(name, np.nan if name.startswith(CONTEXT) else 0.0) for name in names] for row in rows])
    mean = np.nan_to_num(np.nanmean(values, axis=0))
    filled = np.where(np.isnan(values), mean, values)
    scale = filled.std(axis=0)
    scale[scale < _LEAST_SPREAD] = 1.0
    model = LogisticRegression(C=strength, max_iter=3000)
    model.fit((filled - mean) / scale, list(labels), sample_weight=importance)
    two = len(model.classes_) == 2  # of two labels scikit-learn has the weights of the second alone
    coef, intercept = (np.concatenate([0 * got, got]) if two else got for got in (model.coef_, model.intercept_))
    weights = (coef / scale).T
    bias = intercept - mean @ weights
    absent = np.array([at if name.startswith(CONTEXT) else 0.0 for name, at in zip(names, mean, strict=True)])
    told = {"pairs": len(rows), "strength": strength}
    places = {name: at for at, name in enumerate(names)}
    return Weights(tuple(map(str, model.classes_)), places, weights, bias, absent, told)


def _names(rows: Sequence[Mapping[str, float]]) -> list[str]:
    counts: dict[str, int] = {}
    for row in rows:
        for name in row:
            counts[name] = counts.get(name, 0) + 1
    return sorted(name for name, n in counts.items() if n >= _FEWEST)
