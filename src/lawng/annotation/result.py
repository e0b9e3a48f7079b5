"""What became of a table of ratings, in numbers, and how far the raters agreed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lawng.annotation.ratings import GRADES, SPLITS, Key, Pair, Ratings
from lawng.annotation.reconciliation import Judged, Settled


class Settings(NamedTuple):
    """The choices that a benchmark depends on."""

    seed: int
    shares: tuple[float, ...]
    """Of the queries in train, valid and test."""
    min_raters: int
    expand: bool


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark before it is written."""

    table: Ratings
    judged: Judged
    splits: dict[str, str]
    """Of the queries that are kept: those with a relevant clause."""
    zeros: list[Key]
    """Explicit zeros that no rater gave."""
    settings: Settings

    def in_qrels(self) -> list[Settled]:
        """The rated pairs of the queries that are kept."""
        return [row for row in self.judged.settled if row.pair.key.query in self.splits]

    def left_out(self) -> list[str]:
        """Queries without a relevant clause."""
        return [query for query in self.table.queries if query not in self.splits]

    def unsettled(self) -> dict[str, int]:
        """Of queries without a relevant clause, pairs that wait for the panel or for raters."""
        of = Counter(pair.key.query for pair in (*(row.pair for row in self.judged.open), *self.judged.few))
        return {query: of[query] for query in self.left_out() if of[query]}


class Fates(NamedTuple):
    """How many ratings, or pairs of a query and a clause, came to what."""

    judged: int
    """In the qrels."""
    to_reconcile: int
    """Left to the panel."""
    too_few_raters: int
    query_left_out: int
    """Settled, but their query has no relevant clause."""


class Agreement(NamedTuple):
    """How far the raters agreed before the panel met, over pairs with enough raters."""

    n_pairs: int
    n_disputed: int
    """Pairs that needed reconciliation."""
    n_adjusted: int
    """Ratings that the panel changed."""
    alpha: float | None
    """Krippendorff's, ordinal; None where all ratings are equal."""
    difference: float | None
    """Mean absolute difference of two raters, in stars; None where each pair has one."""

    @property
    def disputed_share(self) -> float:
        """ACORD's rate of disagreement, there 21 % (section 1)."""
        return self.n_disputed / self.n_pairs if self.n_pairs else 0.0


@dataclass(frozen=True, slots=True)
class RatingsResult:
    """What a run made of the ratings: `n_read` is the sum of the fates of `ratings` and the rejects."""

    folder: Path
    n_read: int
    n_rejected: int
    ratings: Fates
    pairs: Fates
    n_queries: dict[str, int]
    """By split."""
    n_grades: dict[int, int]
    """Rated pairs in the qrels by grade."""
    n_expanded: int
    """Explicit zeros across categories, which no rater gave."""
    left_out: list[str]
    """Queries without a relevant clause."""
    unsettled: dict[str, int]
    """Of these, pairs that wait for the panel or for raters."""
    agreement: Agreement
    n_unused_panel_rows: int
    ignored: list[str]
    """Columns of the ratings that mean nothing to lawng."""

    def lines(self) -> list[str]:
        """What a person wants to know, a sentence a line."""
        ratings, pairs, agreement = self.ratings, self.pairs, self.agreement
        queries = ", ".join(f"{n} {split}" for split, n in self.n_queries.items())
        found = [
            f"{self.n_read} ratings: {ratings.judged} judge, {ratings.to_reconcile} wait for the panel, "
            f"{ratings.too_few_raters} are of pairs with too few raters, {ratings.query_left_out} of queries without a "
            f"relevant clause, {self.n_rejected} could not be used.",
            f"{pairs.judged} rated pairs and {self.n_expanded} zeros across categories; queries: {queries}.",
            f"{agreement.n_disputed} of {agreement.n_pairs} pairs ({agreement.disputed_share:.0%}) needed "
            f"reconciliation, {pairs.to_reconcile} still do; alpha {number(agreement.alpha)}, "
            f"mean difference {number(agreement.difference)} stars.",
        ]
        found += [f'Left out: the query "{query}" has {self.lack(query)}.' for query in self.left_out]
        found += [f"Rows of the panel that were not used: {self.n_unused_panel_rows}."] * bool(self.n_unused_panel_rows)
        found += [f"Columns that were not used: {', '.join(self.ignored)}."] * bool(self.ignored)
        return found

    def lack(self, query: str) -> str:
        """What a query that is left out has not, and whether it may come."""
        waiting = self.unsettled.get(query)
        return "no clause of three stars or more" + (f" yet: {waiting} of its pairs are not settled" if waiting else "")


def number(value: float | None) -> str:
    """Two decimals, or that there is no value.

    >>> number(0.125), number(None)
    ('0.12', 'not defined')
    """
    return "not defined" if value is None else f"{value:.2f}"


def result_of(made: Benchmark, folder: Path) -> RatingsResult:
    """The numbers of a benchmark."""
    fates = [[row.pair for row in made.in_qrels()], [row.pair for row in made.judged.open], made.judged.few]
    left_out = set(made.left_out())
    fates.append([row.pair for row in made.judged.settled if row.pair.key.query in left_out])
    splits = Counter(made.splits.values())
    grades = Counter(row.grade for row in made.in_qrels())
    return RatingsResult(
        folder=folder,
        n_read=made.table.n_read,
        n_rejected=len(made.table.rejects),
        ratings=Fates(*map(_n_ratings, fates)),
        pairs=Fates(*map(len, fates)),
        n_queries={split: splits[split] for split in SPLITS},
        n_grades={grade: grades[grade] for grade in GRADES},
        n_expanded=len(made.zeros),
        left_out=made.left_out(),
        unsettled=made.unsettled(),
        agreement=_agreement(made.judged),
        n_unused_panel_rows=len(made.judged.unused),
        ignored=made.table.ignored,
    )


def _n_ratings(pairs: Iterable[Pair]) -> int:
    return sum(len(pair.stars) for pair in pairs)


def _agreement(judged: Judged) -> Agreement:
    pairs = [row.pair for row in judged.settled] + [row.pair for row in judged.open]
    units = [list(pair.stars.values()) for pair in sorted(pairs)]
    adjusted = sum(row.stars[rater] != stars for row in judged.settled for rater, stars in row.pair.stars.items())
    alpha, difference = krippendorff_alpha(units), mean_difference(units)
    return Agreement(len(pairs), len(judged.disputed), adjusted, alpha, difference)


def krippendorff_alpha(units: Iterable[Sequence[int]]) -> float | None:
    """Krippendorff's alpha with the ordinal difference: 1 is full agreement, 0 what chance gives.

    A unit is what its raters gave to one thing, in any order; units with fewer than two ratings say nothing.
    None when the ratings that can be compared are all equal or there are none: then chance has no disagreement either.

    >>> krippendorff_alpha([(1, 1), (2, 2), (5, 5)])
    1.0
    """
    import krippendorff

    pairable = [list(unit) for unit in units if len(unit) > 1]
    values = sorted({value for unit in pairable for value in unit})
    if len(values) < 2:
        return None
    counts = np.array([[unit.count(value) for value in values] for unit in pairable])
    return float(krippendorff.alpha(value_counts=counts, value_domain=values, level_of_measurement="ordinal"))


def mean_difference(units: Iterable[Sequence[int]]) -> float | None:
    """Mean absolute difference, in stars, of two raters of the same unit: first within a unit, then over units.

    >>> mean_difference([(3, 3, 5), (4, 4, 4)])
    0.6666666666666666
    """
    means = [np.mean([abs(a - b) for a, b in combinations(unit, 2)]) for unit in units if len(unit) > 1]
    return float(np.mean(means)) if means else None
