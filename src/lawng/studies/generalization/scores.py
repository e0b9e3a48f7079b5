"""From stored predictions to numbers: nothing here asks a model.

scores_of(answers, examples) -> Scores by model, column and subset     biases_of(answers, gold) -> table 16
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, median, pstdev
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.evaluation.statistics import (
    Interval,
    bootstrap,
    bootstrap_recall,
    larger_deviation,
    mean_recall,
    resampled,
)
from lawng.models.training.calibration import calibration_error
from lawng.schema.labels import LABELS, NOT_ENTAILMENT, Label
from lawng.schema.views import HYPOTHESIS, LONG
from lawng.studies.generalization.columns import Column
from lawng.studies.generalization.examples import Example
from lawng.studies.generalization.systems import StudyPrediction
from lawng.studies.tables import Draws

ALL, LENGTHY, NEGATED = "all", "above-median long premise", "hypothesis contains negation"
"""Of tables 14 and 15."""
HARD = "what the hypothesis alone gets wrong"
LENGTH = "words of the long premise: "


class Answer(NamedTuple):
    """What a model, trained with one seed, said to a column's question."""

    model: str
    column: Column
    seed: int
    rows: Mapping[str, StudyPrediction]
    """By example."""
    labels: int = len(LABELS)
    """That the model tells apart."""


TWICE = "#2"
"""After the key of an entailed example that a model with two labels is asked a second time."""


def answer_of(model: str, column: Column, seed: int, rows: Iterable[StudyPrediction]) -> Answer:
    """Predictions as they are counted.

    Those of a model with two labels stand in the first two columns, neutral for all that is not entailed; entailed
    examples count twice, so that both are equally frequent (A.2.1).
    """
    rows = list(rows)
    if all(row.label != NOT_ENTAILMENT for row in rows):
        return Answer(model, column, seed, {row.key: row for row in rows})
    found: dict[str, StudyPrediction] = {}
    for row in rows:
        if row.label == NOT_ENTAILMENT:
            found[row.key] = replace(row, label=str(Label.NEUTRAL))
        else:
            found |= {row.key: row, row.key + TWICE: row}
    return Answer(model, column, seed, found, labels=2)


def examples_by_key(examples: Sequence[Example]) -> dict[str, Example]:
    """By key, and by that of the second time."""
    return {key: one for one in examples for key in (one.key, one.key + TWICE)}


class Score(NamedTuple):
    """How good a model is on a subset; means over seeds."""

    model: str
    column: str
    subset: str
    n: int
    accuracy: float
    deviation: float
    """The larger of the two deviations of the Clopper-Pearson bounds, of the accuracy of so many (table 13)."""
    interval: Interval
    """Bootstrap over cases."""
    balanced: float
    """Mean recall of the labels that are there."""
    ece: float
    seeds: int
    spread: float
    """Standard deviation of the accuracy over the seeds."""
    labels: int = len(LABELS)
    """That the model tells apart."""


Subset = Callable[[Example, StudyPrediction], bool]


def subsets_of(examples: Sequence[Example]) -> dict[str, Subset]:
    """The paper's subsets, then ours: what was read, how long the premise is, where the hypothesis comes from."""
    words = {one.key: len(one.premises[LONG].split()) for one in examples if LONG in one.premises}
    middle = median(words.values()) if words else 0
    found: dict[str, Subset] = {
        ALL: lambda one, row: True,
        LENGTHY: lambda one, row: words.get(one.key, 0) > middle,
        NEGATED: lambda one, row: one.negated,
        "premise read whole": lambda one, row: row.read_share >= 1,
        "premise cut": lambda one, row: 0 < row.read_share < 1,
        "most cited paragraphs read": lambda one, row: row.pin_seen >= 0.5,
        "fewer": lambda one, row: 0 <= row.pin_seen < 0.5,
        "contradiction made by negation": lambda one, row: one.label is Label.CONTRADICTION and one.made,
        "contradiction as written": lambda one, row: one.label is Label.CONTRADICTION and not one.made,
    }
    for source in sorted({one.source for one in examples}):
        found[f"source: {source}"] = lambda one, row, source=source: one.source == source  # type: ignore[misc]
    for low, high in bins_of(list(words.values())):
        name = f"{LENGTH}{low}-{high}"
        found[name] = lambda one, row, low=low, high=high: low <= words.get(one.key, -1) <= high  # type: ignore[misc]
    return found


def bins_of(values: Sequence[int], n: int = 5) -> list[tuple[int, int]]:
    """Bounds, both within, of at most n bins with about equally many of the values.

    >>> bins_of([1, 2, 3, 4, 5, 6], n=3)
    [(1, 2), (3, 4), (5, 6)]
    """
    ordered = sorted(values)
    parts = [part.tolist() for part in np.array_split(np.asarray(ordered), n) if len(part)]
    found: list[tuple[int, int]] = []
    for part in parts:
        low = max(part[0], found[-1][1] + 1) if found else part[0]  # equal values stay together
        if low <= part[-1]:
            found.append((low, part[-1]))
    return found


def scores_of(answers: Sequence[Answer], examples: Sequence[Example], draws: Draws) -> list[Score]:
    """A score for each model, column and subset that has an example; the hard ones where the artefact column is there.

    What is hard is told by the same model with the same seed, trained on hypotheses alone (table 12's first column).
    """
    by_key = examples_by_key(examples)
    blind = {(a.model, a.seed): a.rows for a in answers if a.column.key == HYPOTHESIS}
    found = []
    for (model, column), own in _grouped(answers).items():
        for name, wanted in subsets_of(examples).items():
            found.append(_score((model, column, name), own, by_key, wanted, draws))
        hard = [blind.get((model, a.seed), {}) for a in own]
        if all(hard):
            wrong = [{key for key, row in rows.items() if said(row) != row.label} for rows in hard]
            kept = [
                a._replace(rows={k: row for k, row in a.rows.items() if k in w})
                for a, w in zip(own, wrong, strict=True)
            ]
            found.append(_score((model, column, HARD), kept, by_key, lambda one, row: True, draws))
    return [score for score in found if score.n]


def said(row: StudyPrediction) -> str:
    """The most probable label, the first of equals in the order of `LABELS`.

    >>> said(StudyPrediction("", "", -1.0, -0.5, -2.0, 1.0, 1.0, ""))
    'neutral'
    """
    logs = (row.entailment, row.neutral, row.contradiction)
    return str(LABELS[logs.index(max(logs))])


def hits_of(answer: Answer) -> dict[str, float]:
    """By example, whether the most probable label is the automatic one."""
    return {key: float(said(row) == row.label) for key, row in answer.rows.items()}


def _grouped(answers: Sequence[Answer]) -> dict[tuple[str, str], list[Answer]]:
    found: dict[tuple[str, str], list[Answer]] = {}
    for answer in answers:
        found.setdefault((answer.model, answer.column.key), []).append(answer)
    return found


def _score(
    name: tuple[str, str, str], own: Sequence[Answer], by_key: Mapping[str, Example], wanted: Subset, draws: Draws
) -> Score:
    """Of the examples that are wanted of any seed; each has its share of right seeds."""
    kept = [{key: row for key, row in a.rows.items() if wanted(by_key[key], row)} for a in own]
    hits: dict[str, list[float]] = {}
    for rows in kept:
        for key, row in rows.items():
            hits.setdefault(key, []).append(float(said(row) == row.label))
    n = len(hits)
    if not n:
        return Score(*name, 0, 0.0, 0.0, Interval(0.0, 0.0), 0.0, 0.0, len(own), 0.0, own[0].labels)
    shares = {key: float(np.mean(values)) for key, values in hits.items()}
    accuracy = float(np.mean([*shares.values()]))
    label = {key: row.label for rows in kept for key, row in rows.items()}
    cases = [by_key[key].case_id for key in shares]
    by_seed = [float(np.mean([said(row) == row.label for row in rows.values()])) for rows in kept if rows]
    return Score(
        *name,
        n,
        accuracy,
        larger_deviation(round(accuracy * n), n),
        bootstrap([*shares.values()], draws.seed, cases, draws.resamples),
        mean_recall([label[key] for key in shares], [*shares.values()]),
        float(np.mean([_ece(list(rows.values())) for rows in kept if rows])),
        len(own),
        pstdev(by_seed),
        own[0].labels,
    )


class Bias(NamedTuple):
    """A model's two columns of table 16 on the examples with gold labels of the long premise."""

    model: str
    n: int
    automatic: tuple[float, float]
    """Balanced accuracy of columns 4 and 6 against the automatic labels."""
    gold: tuple[float, float]
    """Against the gold ones."""
    intervals: tuple[Interval, Interval, Interval, Interval]
    """Of these four, in this order, over cases."""
    of_bias: Interval

    @property
    def bias(self) -> float:
        """How much larger the lead of column 6 is by the automatic labels than by the gold ones (section 4.1.2)."""
        return (self.automatic[1] - self.automatic[0]) - (self.gold[1] - self.gold[0])


def biases_of(
    answers: Sequence[Answer],
    gold: Mapping[str, Label],
    test: Iterable[Example],
    draws: Draws,
    columns: tuple[str, str] = ("4", "6"),
) -> list[Bias]:
    """Of each model that has both columns, means over seeds, where gold labels are (table 16)."""
    found, cases = [], {one.key: one.case_id for one in test}
    for model in dict.fromkeys(answer.model for answer in answers):
        own = [a for a in answers if a.model == model and a.labels == len(LABELS)]
        asked = [[a.rows for a in own if a.column.key == key] for key in columns]
        kept = [key for key in asked[0][0] if key in gold] if all(asked) else []
        if kept:
            found.append(_bias(model, asked, {key: gold[key] for key in kept}, [cases[key] for key in kept], draws))
    return found


def _bias(
    model: str,
    asked: Sequence[Sequence[Mapping[str, StudyPrediction]]],
    gold: Mapping[str, Label],
    cases: Sequence[str],
    draws: Draws,
) -> Bias:
    """`asked` are the answers of columns 4 and 6, by seed."""
    automatic = {key: Label(asked[0][0][key].label) for key in gold}
    # a share of the seeds is right for each example: the mean recall of these shares is the mean over seeds
    rows = [
        (
            [*labels.values()],
            [[fmean(said(one[key]) == labels[key] for one in seeds) for key in gold] for seeds in asked],
        )
        for labels in (automatic, gold)
    ]
    four = [(labels, hits) for labels, both in rows for hits in both]

    def lead(at: NDArray[np.intp]) -> float:
        drawn = [mean_recall([labels[n] for n in at], [hits[n] for n in at]) for labels, hits in four]
        return (drawn[1] - drawn[0]) - (drawn[3] - drawn[2])

    values = [mean_recall(labels, hits) for labels, hits in four]
    intervals = [bootstrap_recall(labels, hits, draws.seed, cases, draws.resamples) for labels, hits in four]
    of_bias = resampled(lead, cases, draws.seed, draws.resamples)
    first, second, third, fourth = intervals
    return Bias(
        model, len(gold), (values[0], values[1]), (values[2], values[3]), (first, second, third, fourth), of_bias
    )


def _ece(rows: Sequence[StudyPrediction]) -> float:
    logs = np.array([[row.entailment, row.neutral, row.contradiction] for row in rows])
    right = np.array([[float(label == row.label) for label in LABELS] for row in rows])
    return calibration_error(logs, right)
