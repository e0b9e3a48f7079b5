"""The subject of the glossary that a query means without naming it: the nearest by an encoder.

NearestSubject(encoder).of(vector) -> Concept or None
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.glossary import SUBJECTS, Concept
from lawng.models.kept import KeptEncoder

NEAR = 0.4
"""Least cosine of a query and a subject that it means. Of ACORD's medium and long train and valid queries that name no
subject, NDCG@10 is the same from 0.3 to 0.5 and lower with 0.6."""


class NearestSubject:
    """Subjects by the vectors of their names and of their sentences."""

    def __init__(self, encoder: KeptEncoder, subjects: Sequence[Concept] = SUBJECTS) -> None:
        self._subjects = tuple(subjects)
        self._names = encoder.encode([subject.name for subject in subjects])
        self._meanings = encoder.encode([subject.meaning for subject in subjects])

    def of(self, vector: NDArray[np.float32]) -> Concept | None:
        """The subject nearest to the vector (width,) of a query, by its name or its sentence; None if none is near."""
        alike = np.maximum(self._names @ vector, self._meanings @ vector)
        best = int(np.argmax(alike)) if len(alike) else 0
        return self._subjects[best] if len(alike) and alike[best] >= NEAR else None
