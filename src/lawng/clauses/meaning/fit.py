"""How clauses answer what a query asks, by the glossary.

fit(taken, wanted) -> array, clauses x len(FIT)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lawng.clauses.meaning.taken import Matrix, Taken
from lawng.clauses.meaning.wanted import Wanted

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

Column = NDArray[np.floating]
Columns = dict[str, Column]


def fit(taken: Taken, asked: Wanted, to_you: Column) -> Matrix:
    """How each clause answers what is asked, clauses x `FIT`; all NaN where the glossary knows no subject of it.

    `to_you` is 1.0 for a clause that speaks to its reader, as terms of service do.
    """
    if not asked.subjects:
        return np.full((taken.n, len(FIT)), np.nan, dtype=np.float32)
    held = _Held(taken, asked)
    columns = {**held.subject(), **held.matters(), **held.manner_asked(), **held.counts(), **held.tilted(to_you)}
    return np.stack([columns[name] for name in FIT], axis=1).astype(np.float32)


class _Held:
    """A query held against clauses; each part is a column, one number a clause."""

    def __init__(self, taken: Taken, asked: Wanted) -> None:
        self._taken = taken
        self._asked = asked
        self._about = taken.about_each(asked.subjects)
        self._or_lifts = [rows | taken.lifts for rows in self._about]
        """Sentences about a subject, and those that lift what such sentences say."""

    def subject(self) -> Columns:
        """Whether a clause is about what is asked, how much of it is, and whether it begins with it."""
        taken = self._taken
        share = [taken.sum(taken.words * rows) / taken.n_words for rows in self._about]
        early = [taken.any(rows & taken.early) for rows in self._about]
        return {"subject": self._has, "subject share": np.mean(share, axis=0), "subject early": np.mean(early, axis=0)}

    def matters(self) -> Columns:
        """Whether a clause says, and takes out, what is asked; and what it should not mention, or takes out instead."""
        found = {"unwanted": self._unwanted, "excepted though asked": self._contrary}
        for name, matters, columns in (
            ("said", self._asked.said, self._said),
            ("excepted", self._asked.excepted, self._excepted),
        ):
            anywhere = self._taken.anywhere(matters)
            found[name] = self._mean(columns, np.nan)
            found[f"{name} all"] = np.min(columns, axis=0) if columns else self._full(np.nan)
            found[f"{name} anywhere"] = self._mean(anywhere, np.nan)
        return found

    def manner_asked(self) -> Columns:
        """Exceptions and mutuality, as they are and as they are asked for; and all in one, `fit`."""
        return {
            "has exceptions": self._carved,
            "exception words": np.log1p(self._words_excepted),
            "exceptions as asked": self._as_asked,
            "mutual": self._mutual,
            "mutual as asked": self._mutual_as_asked,
            "fit": self._whole(),
        }

    def counts(self) -> Columns:
        """How much is asked: the same for each clause."""
        asked = self._asked
        kinds = {"asks subjects": asked.subjects, "asks said": asked.said, "asks excepted": asked.excepted}
        return {name: np.full(self._taken.n, float(len(kind))) for name, kind in kinds.items()}

    def tilted(self, to_you: Column) -> Columns:
        """Whom a clause frees, and what favours whom the query would have favoured."""
        favours, (seller, buyer, both) = np.full(self._taken.n, float(self._asked.favours)), self._freed
        return {
            "favours": favours,
            "favours x mutual": favours * self._mutual,
            "favours x exceptions": favours * self._carved,
            "favours x exception words": favours * np.log1p(self._words_excepted),
            "favours x terms of service": favours * to_you,
            "favours x guards": favours * (seller - buyer),
            "guards seller": seller,
            "guards buyer": buyer,
            "guards both": both,
        }

    def _whole(self) -> Column:
        """An untrained guess of how well a clause fits, from 0 to 1; each factor forgives a little."""
        return np.asarray(
            self._has
            * (0.25 + 0.75 * self._mean(self._said, 1.0))
            * (0.15 + 0.85 * self._mean(self._excepted, 1.0))
            * (0.2 + 0.8 * self._as_asked)
            * (1 - 0.8 * self._unwanted)
            * (0.3 + 0.7 * self._mutual_as_asked)
            * (1 - 0.6 * self._contrary)
            * _tilt(self._asked.favours, self._freed, self._carved)
        )

    @cached_property
    def _has(self) -> Column:
        return np.asarray(np.mean([self._taken.any(rows) for rows in self._about], axis=0))

    @cached_property
    def _said(self) -> list[Matrix]:
        return self._taken.with_each(self._asked.said, self._taken.said, self._about)

    @cached_property
    def _excepted(self) -> list[Matrix]:
        return self._taken.with_each(self._asked.excepted, self._taken.excepted, self._or_lifts)

    @cached_property
    def _unwanted(self) -> Column:
        return self._mean(self._taken.anywhere(self._asked.absent), 0.0)

    @cached_property
    def _contrary(self) -> Column:
        """What must be said, and is taken out instead."""
        return self._mean(self._taken.with_each(self._asked.said, self._taken.excepted, self._or_lifts), 0.0)

    @cached_property
    def _words_excepted(self) -> Column:
        words = [self._taken.sum(self._taken.words_excepted * rows) for rows in self._or_lifts]
        return np.asarray(np.max(words, axis=0) * (self._has > 0))

    @cached_property
    def _carved(self) -> Matrix:
        return (self._words_excepted > 0).astype(np.float32)

    @cached_property
    def _as_asked(self) -> Column:
        return self._answered(self._asked.carve_outs, self._carved)

    @cached_property
    def _mutual(self) -> Column:
        """The share of the sentences about the subject that speak of either, neither or each party."""
        taken = self._taken
        shares = [taken.sum(taken.mutual * rows) / np.maximum(taken.sum(rows), 1) for rows in self._about]
        return np.asarray(np.mean(shares, axis=0))

    @cached_property
    def _mutual_as_asked(self) -> Column:
        """Mutuality where it is asked for, else its lack; a clause that frees both parties is mutual in half."""
        alike = np.asarray((self._mutual + self._freed[2]) / 2)
        asked = self._asked.mutual
        return alike if asked > 0 else self._has - alike if asked < 0 else np.ones(self._taken.n)

    @cached_property
    def _freed(self) -> list[Matrix]:
        """Whether what a clause says of the subject frees the seller, the buyer, both: who indemnifies is not freed."""
        indemnity = any(subject.name == "indemnity" for subject in self._asked.subjects)
        guards = self._taken.guards.T[3:] if indemnity else self._taken.guards.T[:3]
        seller, buyer, both = (np.max([self._taken.any(who & rows) for rows in self._about], axis=0) for who in guards)
        return [buyer, seller, both] if indemnity else [seller, buyer, both]

    def _answered(self, asked: int, found: Column) -> Column:
        """How far a clause has what is asked for (1), or lacks what may not be there (-1); 1 where nothing is asked."""
        return found if asked > 0 else 1 - found if asked < 0 else np.ones(self._taken.n)

    def _mean(self, columns: Sequence[Matrix], otherwise: float) -> Column:
        return np.mean(columns, axis=0) if columns else self._full(otherwise)

    def _full(self, value: float) -> Matrix:
        return np.full(self._taken.n, value, dtype=np.float32)


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
