"""The subject of the glossary that a query means without naming it: the nearest by an encoder.

NearestSubject(encoder).of(query, vector) -> Concept or None
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.glossary import SUBJECTS, Concept
from lawng.models.kept import KeptEncoder

NEAR = 0.5
"""Least cosine of a description and a subject that it means. Of ACORD's medium and long train and valid queries that
name no subject, NDCG@10 is the same from 0.3 to 0.5 and lower with 0.6."""
DESCRIBES = 8
"""Words from which a query is a description. A shorter one that names no subject names one that the glossary lacks:
"arbitration" is nearest to an indemnity."""


class NearestSubject:
    """Subjects by the vectors of their names and of their sentences."""

    def __init__(self, encoder: KeptEncoder, subjects: Sequence[Concept] = SUBJECTS) -> None:
        self._subjects = tuple(subjects)
        self._names = encoder.encode([subject.name for subject in subjects])
        self._meanings = encoder.encode([subject.meaning for subject in subjects])

    def of(self, query: str, vector: NDArray[np.float32]) -> Concept | None:
        """The subject nearest to a description and its vector (width,), by name or sentence; None if none is near."""
        if len(query.split()) < DESCRIBES or not self._subjects:
            return None
        alike = np.maximum(self._names @ vector, self._meanings @ vector)
        best = int(np.argmax(alike))
        return self._subjects[best] if alike[best] >= NEAR else None
