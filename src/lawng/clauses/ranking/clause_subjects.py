"""What a clause is about by its vector, beside the glossary's patterns, which know fewer words and are easily met.

clause_subjects(encoder's name) -> ClauseSubjects or None      ClauseSubjects(weights).of(vectors) -> probabilities
fit_subjects(vectors, labels, sure) -> ClauseSubjects          .write(file)

A logistic regression for each subject of the glossary, distilled from its patterns and from readers' grades
(`lawng train subjects`). It stands in the folder of the encoder that made the vectors.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.glossary import SUBJECTS
from lawng.errors import InputError
from lawng.io import write_text
from lawng.models.find import shipped_model

FILE = "subjects.json"
_STRENGTH = 10.0
"""Of the data against regularisation (C of scikit-learn's LogisticRegression)."""
_FEWEST = 5
"""Clauses about a subject, below which only patterns tell of it."""
_PLACES = 3
"""Decimals of a weight that is kept."""

Matrix = NDArray[np.float64]


class ClauseSubjects(NamedTuple):
    """Weights by the name of a subject: those of a vector, and a last one that stands alone."""

    weights: dict[str, list[float]]

    def of(self, vectors: NDArray[np.float32]) -> Matrix:
        """The probability that a clause is about each subject, n x `SUBJECTS`; NaN of one that it was not taught."""
        unknown = [np.nan] * (vectors.shape[1] + 1)
        weights = np.array([self.weights.get(subject.name, unknown) for subject in SUBJECTS])
        return np.asarray(1 / (1 + np.exp(-(vectors @ weights[:, :-1].T + weights[:, -1]))), dtype=np.float64)

    def write(self, file: Path, told: dict[str, Any]) -> None:
        """Write the weights, and what is told of how they were made."""
        rounded = {name: np.round(row, _PLACES).tolist() for name, row in self.weights.items()}
        write_text(file, json.dumps({"told": told, "weights": rounded}, separators=(",", ":")) + "\n")


def clause_subjects(encoder: str, width: int) -> ClauseSubjects | None:
    """The weights that stand in an encoder's folder, None where there are none.

    Raises InputError when the file is damaged, or made for vectors of another width.
    """
    folder = shipped_model(encoder) or Path(encoder)
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        weights = json.loads(file.read_text("utf-8"))["weights"]
        shape = np.array(list(weights.values()), np.float64).shape
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{file}: no weights of subjects ({error}); run lawng train subjects, or remove it") from error
    if shape != (len(weights), width + 1):
        raise InputError(f"{file}: made for vectors of another width than {width}; run lawng train subjects again")
    return ClauseSubjects(weights)


def fit_subjects(vectors: NDArray[np.float32], labels: NDArray[np.bool_], sure: Matrix) -> ClauseSubjects:
    """Learn which clauses are about a subject: labels and how much each counts, n x `SUBJECTS`."""
    from sklearn.linear_model import LogisticRegression

    found = {}
    for place, subject in enumerate(SUBJECTS):
        if _FEWEST <= labels[:, place].sum() <= len(labels) - _FEWEST:
            model = LogisticRegression(C=_STRENGTH, max_iter=500)
            model.fit(vectors, labels[:, place], sure[:, place])
            found[subject.name] = [*model.coef_[0].tolist(), float(model.intercept_[0])]
    return ClauseSubjects(found)
