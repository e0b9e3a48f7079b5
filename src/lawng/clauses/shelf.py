"""The anatomies of many clauses as arrays, so that one query is held against all of them at once.

Shelf(texts).fit(wanted) -> array, clauses x len(FIT)      Shelf(texts).manner -> array, clauses x len(MANNER)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.anatomy import anatomy
from lawng.clauses.glossary import MATTERS, SUBJECTS, Concept
from lawng.clauses.wanted import Wanted

Matrix = NDArray[np.float32]
Flags = NDArray[np.bool_]

FIT = (
    "subject",
    "subject share",
    "subject early",
    "said",
    "said all",
    "said anywhere",
    "excepted",
    "excepted all",
    "excepted anywhere",
    "has exceptions",
    "exception words",
    "exceptions as asked",
    "unwanted",
    "mutual as asked",
    "mutual",
    "fit",
    "asks subjects",
    "asks said",
    "asks excepted",
    "favours",
    "favours x mutual",
    "favours x exceptions",
    "favours x exception words",
    "favours x terms of service",
    "favours x guards",
    "guards seller",
    "guards buyer",
    "guards both",
    "excepted though asked",
)
"""What is known of a clause and a query; NaN where the query does not ask for it or the glossary does not know it."""
MANNER = (
    "words",
    "sentences",
    "omissions",
    "redactions",
    "capitals",
    "numbered",
    "word length",
    "terms of service",
    "subjects",
    "matters",
    "excepted matters",
)
"""What is known of a clause alone: its length and manner, which is what attorneys' stars also go by."""

_NUMBERED = re.compile(r"\W*(?:section|article|clause)?\s*[\dIVX(a-z]{1,6}[.)]", re.IGNORECASE)
_TO_YOU = re.compile(r"\b(?:you|your|we)\b", re.IGNORECASE)
_PLACE = {concept.name: place for kind in (SUBJECTS, MATTERS) for place, concept in enumerate(kind)}


class Shelf:
    """Clauses taken apart."""

    def __init__(self, texts: Sequence[str]) -> None:
        taken = [anatomy(text) for text in texts]
        self._n = len(texts)
        rows = [sentence for sentences in taken for sentence in sentences]
        self._clause = np.repeat(np.arange(self._n), [len(sentences) for sentences in taken])
        self._about = _flags([row.about for row in rows], len(SUBJECTS))
        self._said = _flags([row.said for row in rows], len(MATTERS))
        self._excepted = _flags([row.excepted for row in rows], len(MATTERS))
        self._words = np.array([row.n_words for row in rows], dtype=np.float32)
        self._n_excepted = np.array([row.n_excepted for row in rows], dtype=np.float32)
        self._mutual = np.array([row.mutual for row in rows], dtype=np.float32)
        self._guards = _flags([row.guards for row in rows], 6).astype(np.float32)
        self._lifts = np.array([row.lifts for row in rows], dtype=np.bool_)
        at = np.arange(len(rows)) - np.searchsorted(self._clause, self._clause)
        self._early = at < 2
        self._n_words = np.maximum(self._sum(self._words), 1.0)
        self._anywhere = self._any((self._said | self._excepted).T).T
        self.manner = self._manner(texts)

    def fit(self, asked: Wanted) -> Matrix:
        """How each clause answers what is asked, clauses x `FIT`; all NaN where the glossary knows no subject of it."""
        if not asked.subjects:
            return np.full((self._n, len(FIT)), np.nan, dtype=np.float32)
        about = [self._about[:, _PLACE[subject.name]] for subject in asked.subjects]
        has = np.mean([self._any(rows) for rows in about], axis=0)
        share = np.mean([self._sum(self._words * rows) / self._n_words for rows in about], axis=0)
        early = np.mean([self._any(rows & self._early) for rows in about], axis=0)
        said = self._each(asked.said, about, self._said)
        out = self._each(asked.excepted, [rows | self._lifts for rows in about], self._excepted)
        words = np.max([self._sum(self._n_excepted * (rows | self._lifts)) for rows in about], axis=0) * (has > 0)
        carved = (words > 0).astype(np.float32)
        as_asked = {1: carved, -1: 1 - carved, 0: np.ones(self._n)}[asked.carve_outs]
        unwanted = _mean(self._anywhere_of(asked.absent), 0.0, self._n)
        counts = [np.maximum(self._sum(rows), 1) for rows in about]
        mutual = np.mean([self._sum(self._mutual * rows) / n for rows, n in zip(about, counts, strict=True)], axis=0)
        freed = self._freed(asked, about)
        # "the other party" is said of one-sided rules too: whom the rule frees counts as much
        alike = (mutual + freed[2]) / 2
        both = {1: alike, -1: has - alike, 0: np.ones(self._n)}[asked.mutual]
        contrary = _mean(self._each(asked.said, [rows | self._lifts for rows in about], self._excepted), 0.0, self._n)
        whole = (
            has
            * (0.25 + 0.75 * _mean(said, 1.0, self._n))
            * (0.15 + 0.85 * _mean(out, 1.0, self._n))
            * (0.2 + 0.8 * as_asked)
            * (1 - 0.8 * unwanted)
            * (0.3 + 0.7 * both)
            * (1 - 0.6 * contrary)
            * _tilt(asked.favours, freed, carved)
        )
        log_words = np.log1p(words)
        full = [np.full(self._n, float(len(kind))) for kind in (asked.subjects, asked.said, asked.excepted)]
        favours = np.full(self._n, float(asked.favours))
        tilted = [favours, *(favours * part for part in (mutual, carved, log_words, self.manner[:, 7]))]
        tilted += [favours * (freed[0] - freed[1]), *freed, contrary]
        columns = [has, share, early]
        columns += [_mean(said, np.nan, self._n), _least(said, self._n)]
        columns += [_mean(self._anywhere_of(asked.said), np.nan, self._n)]
        columns += [_mean(out, np.nan, self._n), _least(out, self._n)]
        columns += [_mean(self._anywhere_of(asked.excepted), np.nan, self._n)]
        columns += [carved, log_words, as_asked, unwanted, both, mutual, whole, *full, *tilted]
        return np.stack(columns, axis=1).astype(np.float32)

    def _freed(self, asked: Wanted, about: Sequence[Flags]) -> list[Matrix]:
        """Whether what a clause says of the subject frees the seller, the buyer, both: who indemnifies is not freed."""
        first = [3, 4, 5] if any(subject.name == "indemnity" for subject in asked.subjects) else [0, 1, 2]
        found = [np.max([self._any((self._guards[:, at] > 0) & rows) for rows in about], axis=0) for at in first]
        return [found[1], found[0], found[2]] if first[0] else found

    def _each(self, concepts: Sequence[Concept], about: Sequence[Flags], found: Flags) -> list[Matrix]:
        """For each concept, whether a clause has it in a sentence about the subject."""
        return [
            np.max([self._any(found[:, _PLACE[concept.name]] & rows) for rows in about], axis=0) for concept in concepts
        ]

    def _anywhere_of(self, concepts: Sequence[Concept]) -> list[Matrix]:
        return [self._anywhere[:, _PLACE[concept.name]] for concept in concepts]

    def _sum(self, values: NDArray[Any]) -> Matrix:
        """Sum over the sentences of each clause."""
        return np.bincount(self._clause, weights=values, minlength=self._n).astype(np.float32)

    def _any(self, flags: Flags) -> Matrix:
        """1.0 where some sentence of a clause has the flag; the sentences are the last axis."""
        if flags.ndim == 1:
            return (self._sum(flags.astype(np.float32)) > 0).astype(np.float32)
        return np.stack([self._any(row) for row in flags])

    def _manner(self, texts: Sequence[str]) -> Matrix:
        rows = [
            [
                np.log1p(len(text.split())),
                0.0,
                float("<omitted>" in text),
                float("[*" in text or "**" in text),
                sum(map(str.isupper, text)) / max(1, sum(map(str.isalpha, text))),
                float(bool(_NUMBERED.match(text))),
                len(text) / max(1, len(text.split())),
                float(bool(_TO_YOU.search(text))),
            ]
            for text in texts
        ]
        found = np.array(rows, dtype=np.float32).reshape(self._n, 8)
        found[:, 1] = np.bincount(self._clause, minlength=self._n)
        concepts = [self._any(kind.T).sum(axis=0) for kind in (self._about, self._said, self._excepted)]
        return np.hstack([found, np.stack(concepts, axis=1)]).astype(np.float32)


def _tilt(favours: int, freed: Sequence[Matrix], carved: Matrix) -> Matrix:
    """How much a clause favours whom it should: a seller by freeing it alone and wholly, a buyer by exceptions."""
    seller, buyer, both = freed
    if favours > 0:
        found = (0.3 + 0.7 * np.clip(1 - both - 0.5 * buyer + 0.3 * seller, 0, 1)) * (1 - 0.3 * carved)
    elif favours < 0:
        found = (0.3 + 0.7 * np.clip(0.6 * both + 0.6 * buyer - 0.3 * seller + 0.3, 0, 1)) * (0.6 + 0.4 * carved)
    else:
        found = np.ones_like(carved)
    return np.asarray(found, dtype=np.float32)


def _flags(bits: Sequence[int], width: int) -> Flags:
    """Bits as columns."""
    values = np.array(bits, dtype=np.uint64)
    found: Flags = (values[:, None] >> np.arange(width, dtype=np.uint64)) & np.uint64(1) > 0
    return found


def _mean(columns: Sequence[Matrix], otherwise: float, n: int) -> Matrix:
    return np.mean(columns, axis=0) if columns else np.full(n, otherwise, dtype=np.float32)


def _least(columns: Sequence[Matrix], n: int) -> Matrix:
    return np.min(columns, axis=0) if columns else np.full(n, np.nan, dtype=np.float32)
