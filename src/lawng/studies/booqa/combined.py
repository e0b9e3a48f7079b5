"""The combined scorer: logistic regression on the scores of a graph, an encoder and hypernymy, learnt on dev alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lawng.studies.booqa.answering import Scores
from lawng.studies.booqa.data import Questions

FOLDS = 5


def combined(
    splits: Sequence[Questions], scores: Mapping[str, Mapping[str, Scores]], members: Sequence[str]
) -> dict[str, Scores]:
    """The probability that a question is true, of both splits, by the members' scores there.

    `splits` are dev and test. Dev's own are those of models that were fitted on its other windows, in `FOLDS` parts.
    """
    from sklearn.model_selection import GroupKFold, cross_val_predict

    dev, test = splits
    train, other = (np.column_stack([scores[name][split.name] for name in members]) for split in (dev, test))
    windows = [one.window for one in dev.questions]
    folds = min(FOLDS, len(set(windows)))
    held_out = np.full(len(windows), 0.5)
    if folds > 1:
        split = GroupKFold(folds)
        told = cross_val_predict(_model(), train, dev.labels, groups=windows, cv=split, method="predict_proba")
        held_out = told[:, 1]
    return {dev.name: held_out, test.name: _model().fit(train, dev.labels).predict_proba(other)[:, 1]}


def _model() -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression())
