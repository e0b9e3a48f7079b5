"""Temperature: one number that the logits are divided by, so that probabilities mean what they say; and when to decide.

fit_temperature(scores, right) -> T      calibration_error(log_probs, right) -> ECE
risks(log_probs, right) -> risk against coverage      least_probability(risks, most) -> from where on a side is taken
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_LOW, _HIGH = 0.05, 20.0
MOST_RISK = 0.15
"""Share of wrong ones among the sides that a model takes of passages that it is given; in a search, where passages are
chosen too, a fifth is wrong then (`docs/results.md`)."""


def fit_temperature(scores: Floats, right: Floats) -> float:
    """The temperature with the least marginal loss on held-out pairs (Guo et al. 2017), by Brent's method.

    `scores` (n x 3 logits) and `right` (n x 3, 1 where a label is right); 1.0 when there is no pair. The loss is
    unimodal in log T. The answer lies between 0.05 and 20, to four digits.
    """
    if not len(scores):
        return 1.0
    from scipy.optimize import minimize_scalar

    bounds, precise = (np.log(_LOW), np.log(_HIGH)), {"xatol": 1e-6}
    found = minimize_scalar(
        lambda log_t: loss_at(scores, right, float(np.exp(log_t))), bounds=bounds, method="bounded", options=precise
    )
    return round(float(np.exp(found.x)), 4)


def loss_at(scores: Floats, right: Floats, temperature: float) -> float:
    """Mean marginal loss of logits divided by a temperature.

    >>> round(loss_at(np.array([[0.0, 0.0, 0.0]]), np.array([[0.0, 1.0, 1.0]]), 1.0), 4)  # -log(2/3)
    0.4055
    """
    scaled = scores / temperature
    top = scaled.max(axis=1, keepdims=True)
    weights = np.exp(scaled - top)
    shares = np.maximum((weights * right).sum(axis=1), 1e-300) / weights.sum(axis=1)
    return float(-np.log(shares).mean())


def calibration_error(log_probs: Floats, right: Floats, bins: int = 10) -> float:
    """Expected calibration error of the most probable label, equal-width bins over its probability (Guo et al. 2017).

    >>> says = np.log(np.array([[0.8, 0.1, 0.1], [0.8, 0.1, 0.1]]))
    >>> round(calibration_error(says, np.array([[1, 0, 0], [0, 1, 0]])), 3)
    0.3
    """
    if not len(log_probs):
        return 0.0
    sure = np.exp(log_probs.max(axis=1))
    hit = right[np.arange(len(right)), log_probs.argmax(axis=1)]
    place = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [abs(hit[place == b].mean() - sure[place == b].mean()) * (place == b).mean() for b in np.unique(place)]
    return float(sum(gaps))


class Risk(NamedTuple):
    """What comes of deciding from some probability on."""

    least: float
    """A side is taken where its probability is above this, and above neutral."""
    coverage: float
    """Share of the pairs of which a side is right, that a side is taken of."""
    risk: float
    """Share of all pairs of which a side is taken, where it is not right: the other one, or none."""


def risks(log_probs: Floats, right: Floats) -> list[Risk]:
    """Risk against coverage at each twentieth (El-Yaniv and Wiener 2010); columns in the order of `LABELS`.

    >>> says = np.log(np.array([[0.8, 0.1, 0.1], [0.2, 0.2, 0.6]]))
    >>> risks(says, np.array([[1, 0, 0], [1, 0, 0]]))[13]
    Risk(least=0.65, coverage=0.5, risk=0.0)
    """
    probs, has_side = np.exp(log_probs), right[:, 1] == 0
    side = np.where(probs[:, 0] > probs[:, 2], 0, 2)
    sure = probs[np.arange(len(probs)), side]
    wrong = right[np.arange(len(right)), side] == 0
    found = []
    for least in np.arange(20) / 20:
        taken = sure > np.maximum(least, probs[:, 1])
        coverage = float(taken[has_side].mean()) if has_side.any() else 0.0
        found.append(
            Risk(float(least), round(coverage, 4), round(float(wrong[taken].mean()) if taken.any() else 0.0, 4))
        )
    return found


def least_probability(found: Sequence[Risk], most: float = MOST_RISK) -> float:
    """The first probability from which on at most so many of the sides taken are not right; 0.9 where none is."""
    return next((one.least for one in found if one.coverage and one.risk <= most), 0.9)
