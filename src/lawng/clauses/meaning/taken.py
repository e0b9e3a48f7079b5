"""Clauses taken apart, as arrays over all of their sentences.

Taken(anatomies)     taken.any(flags), taken.sum(values) -> array, one number a clause
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.anatomy import Sentence
from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept

Matrix = NDArray[np.float32]
Flags = NDArray[np.bool_]

_PLACE = {concept.name: place for kind in (SUBJECTS, MATTERS) for place, concept in enumerate(kind)}
_COLUMN = {concept.name: place for place, concept in enumerate((*MATTERS, *SUBJECTS))}
_EARLY = 2
"""The sentences that a clause begins with: its heading, and what it is about."""


class Taken:
    """The sentences of n clauses."""

    def __init__(self, anatomies: Sequence[Sequence[Sentence]]) -> None:
        rows = [sentence for sentences in anatomies for sentence in sentences]
        self.n = len(anatomies)
        self._clause = np.repeat(np.arange(self.n), [len(sentences) for sentences in anatomies])
        self.n_sentences = np.bincount(self._clause, minlength=self.n)
        self.about, self.said, self.excepted = (
            _flags([row[part] for row in rows], len(kind)) for part, kind in enumerate((SUBJECTS, MATTERS, MATTERS))
        )
        numbers = [(row.n_words, row.n_excepted, row.mutual) for row in rows]
        self.words, self.words_excepted, self.mutual = np.array(numbers, dtype=np.float32).reshape(-1, 3).T
        self.guards = _flags([row.guards for row in rows], 6)
        self.lifts = np.array([row.lifts for row in rows], dtype=np.bool_)
        self.early = np.arange(len(rows)) - np.searchsorted(self._clause, self._clause) < _EARLY
        self.n_words = np.maximum(self.sum(self.words), 1.0)
        self._anywhere = self.any(np.hstack([self.said | self.excepted, self.about]).T).T

    def sum(self, values: NDArray[Any]) -> Matrix:
        """Sum over the sentences of each clause."""
        return np.bincount(self._clause, weights=values, minlength=self.n).astype(np.float32)

    def any(self, flags: Flags) -> Matrix:
        """1.0 where some sentence of a clause has the flag; the sentences are the last axis."""
        if flags.ndim == 1:
            return (self.sum(flags) > 0).astype(np.float32)
        return np.stack([self.any(row) for row in flags])

    def about_each(self, subjects: Sequence[Concept]) -> list[Flags]:
        """For each subject, the sentences about it."""
        return [self.about[:, _PLACE[subject.name]] for subject in subjects]

    def anywhere(self, concepts: Sequence[Concept]) -> list[Matrix]:
        """For each matter or subject, whether a clause mentions it in any sentence."""
        return [self._anywhere[:, _COLUMN[concept.name]] for concept in concepts]

    def with_each(self, matters: Sequence[Concept], found: Flags, about: Sequence[Flags]) -> list[Matrix]:
        """For each matter, whether a clause has it, as `found` says, in a sentence about one of the subjects."""
        columns = [found[:, _PLACE[matter.name]] for matter in matters]
        return [np.max([self.any(column & rows) for rows in about], axis=0) for column in columns]

    def n_concepts(self) -> Matrix:
        """How many subjects, matters and excepted matters a clause mentions, n x 3."""
        kinds = (self.about, self.said, self.excepted)
        return np.stack([self.any(kind.T).sum(axis=0) for kind in kinds], axis=1)


def _flags(bits: Sequence[int], width: int) -> Flags:
    """Bits as columns."""
    values = np.array(bits, dtype=np.uint64)
    found: Flags = (values[:, None] >> np.arange(width, dtype=np.uint64)) & np.uint64(1) > 0
    return found
