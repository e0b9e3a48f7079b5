"""The tables of the study of treatments: each system by label and in all, confusion, calibration, errors, disputes.

tables_of(predicted, draws) -> {name: Grid}
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lawng.evaluation.statistics import Interval, resampled
from lawng.models.training.calibration import calibration_error
from lawng.reports.grid import Grid
from lawng.schema import TREATMENTS
from lawng.studies.tables import Draws, percent
from lawng.studies.treatment.data import Prediction

OURS = "lawng"
FEWEST = 10
"""Labels with fewer rows are left out of macro-F1."""
_NONE = len(TREATMENTS)
"""Stands for an answer that a system did not give."""

Places = NDArray[np.intp]
Counts = NDArray[np.int64]


def tables_of(predicted: Sequence[Prediction], draws: Draws) -> dict[str, Grid]:
    """All tables; intervals are drawn by whole citing cases."""
    gold = _numbers([one.found.pair.label for one in predicted])
    said = {OURS: _numbers([one.predicted for one in predicted])}
    for name in predicted[0].found.pair.answers:
        said[name] = _numbers([one.found.pair.answers[name] for one in predicted])
    clusters = [one.found.pair.citing for one in predicted]
    return {
        "systems": _systems(gold, said, clusters, draws),
        "labels": _labels(gold, said, clusters, draws),
        "confusion": _confusion(gold, said[OURS]),
        "calibration": _calibration(predicted),
        "errors": _errors([one for one in predicted if one.predicted != one.found.pair.label]),
        "disputed": _errors([one for one in predicted if _disputed(one)], "Labels that every system denies"),
    }


def _numbers(labels: Sequence[str]) -> Places:
    return np.array([TREATMENTS.index(one) if one in TREATMENTS else _NONE for one in labels], dtype=np.intp)


def confusion_of(gold: Places, said: Places) -> Counts:
    """How often a label (row) got an answer (column); the last column is of those that got none."""
    flat = np.bincount(gold * (_NONE + 1) + said, minlength=_NONE * (_NONE + 1))
    return np.asarray(flat.reshape(_NONE, _NONE + 1), dtype=np.int64)


def scores_of(counts: Counts, label: int) -> tuple[float, float, float]:
    """Precision, recall and F1 of a label; precision is not a number where nothing got the label."""
    hits, answered, there = counts[label, label], counts[:, label].sum(), counts[label].sum()
    both = answered + there
    return (
        float(hits / answered) if answered else math.nan,
        float(hits / there) if there else math.nan,
        float(2 * hits / both) if both else math.nan,
    )


def accuracy(counts: Counts) -> float:
    """The share of rows that got their label; no answer is a wrong one."""
    return float(np.trace(counts[:, :_NONE]) / counts.sum())


def macro_f1(counts: Counts, labels: Sequence[int]) -> float:
    """The mean F1 over labels."""
    found = [scores_of(counts, label)[2] for label in labels]
    if not found:
        return math.nan
    return float(np.mean([0.0 if math.isnan(one) else one for one in found]))


def _systems(gold: Places, said: Mapping[str, Places], clusters: Sequence[str], draws: Draws) -> Grid:
    common = [label for label in range(_NONE) if (gold == label).sum() >= FEWEST]
    measures: dict[str, Callable[[Counts], float]] = {
        "accuracy": accuracy,
        "macro-F1": lambda counts: macro_f1(counts, common),
        "overruled F1": lambda counts: scores_of(counts, TREATMENTS.index("overruled"))[2],
    }
    rows = []
    for name, answers in said.items():
        cells = [_cell(measure, gold, answers, clusters, draws) for measure in measures.values()]
        rows.append([name, *cells, str(int((answers == _NONE).sum()))])
    names = ", ".join(TREATMENTS[label] for label in common)
    note = (
        f"{len(gold)} pairs of {len(set(clusters))} citing cases, 95 % intervals by citing case; macro-F1 over {names}."
    )
    return Grid("Treatments", ["system", *measures, "no answer"], rows, note=note)


def _cell(measure: Callable[[Counts], float], gold: Places, said: Places, clusters: Sequence[str], draws: Draws) -> str:
    return _shown(measure(confusion_of(gold, said)), _interval(measure, gold, said, clusters, draws))


def _interval(
    measure: Callable[[Counts], float], gold: Places, said: Places, clusters: Sequence[str], draws: Draws
) -> Interval:
    return resampled(lambda at: measure(confusion_of(gold[at], said[at])), clusters, draws.seed, draws.resamples // 10)


def _shown(value: float, interval: Interval) -> str:
    return f"{percent(value)} [{percent(interval.low)}, {percent(interval.high)}]"


def _labels(gold: Places, said: Mapping[str, Places], clusters: Sequence[str], draws: Draws) -> Grid:
    rows = []
    for label, name in enumerate(TREATMENTS):
        there = int((gold == label).sum())
        for system, answers in said.items() if there else ():
            precision, recall, f1 = scores_of(confusion_of(gold, answers), label)

            def measure(counts: Counts, label: int = label) -> float:
                return scores_of(counts, label)[2]

            shown = _shown(f1, _interval(measure, gold, answers, clusters, draws))
            rows.append([name, str(there), system, percent(precision), percent(recall), shown])
    return Grid("By label", ["label", "pairs", "system", "P", "R", "F1"], rows, frozenset({0, 2}))


def _confusion(gold: Places, said: Places) -> Grid:
    counts = confusion_of(gold, said)
    rows = [[name, *map(str, counts[at, :_NONE].tolist())] for at, name in enumerate(TREATMENTS) if counts[at].any()]
    return Grid("Experts' label (row) and lawng's (column)", ["", *TREATMENTS], rows)


def _calibration(predicted: Sequence[Prediction]) -> Grid:
    """How often lawng is right, by how sure it is."""
    sure = np.array([one.probability for one in predicted])
    right = np.array([one.predicted == one.found.pair.label for one in predicted])
    edges = [0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01]
    rows = []
    for low, high in pairwise(edges):
        some = (sure >= low) & (sure < high)
        if some.any():
            shares = [percent(float(values[some].mean())) for values in (sure, right)]
            rows.append([f"{low:g} to {min(high, 1):g}", str(int(some.sum())), *shares])
    pairs = np.log(np.clip(np.stack([sure, 1 - sure], axis=1), 1e-9, 1))
    error = calibration_error(pairs, np.stack([right, ~right], axis=1).astype(np.float64))
    note = f"Expected calibration error {percent(error)}."
    return Grid("Probability of the label", ["probability", "pairs", "mean", "right"], rows, note=note)


def _disputed(one: Prediction) -> bool:
    """Whether lawng and all other systems agree on another label than the experts'."""
    answers = {one.predicted, *one.found.pair.answers.values()}
    return len(answers) == 1 and bool(one.found.pair.answers) and one.predicted != one.found.pair.label


def _errors(wrong: Sequence[Prediction], title: str = "Errors to read") -> Grid:
    answered = list(wrong[0].found.pair.answers) if wrong else []
    rows = [
        [
            *(*one.found.pair.names, one.found.pair.label, one.predicted, f"{one.probability:.2f}"),
            *(one.found.pair.answers[name] for name in answered),
            " ".join(one.sentence.split()),
        ]
        for one in sorted(wrong, key=lambda one: -one.probability)
    ]
    columns = ["citing", "cited", "label", "lawng", "probability", *answered, "sentence"]
    return Grid(title, columns, rows, frozenset(set(range(len(columns))) - {4}))
