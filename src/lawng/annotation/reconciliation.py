"""From the stars of several raters to one judgement: the panel's table, reconciliation, scores, explicit zeros.

judge(pairs, panel, min_raters) -> Judged     expanded(...) -> zeros     read_panel(paths)     write_panel(path, ...)

By ACORD's labelling process (section 3, A.3): a panel sees the pairs on which raters disagree and adjusts their stars.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from lawng.annotation.ratings import Key, Pair, Ratings, one_line, read_table, stars_of
from lawng.errors import InputError

RELEVANT = 3
"""Stars from which a clause is relevant (table A-1)."""
USEFUL = 2
"""Stars from which a clause belongs to the query's category."""
WIDEST = 2
"""Stars by which the ratings of a pair may differ."""
_SLOT = re.compile(r"rater_(\d+)")


class PanelRow(NamedTuple):
    """A pair as the panel saw it."""

    stars: dict[str, int | None]
    """By rater; None for what are no stars."""
    adjusted: dict[str, str]
    """By rater, as written; "" where the panel left the stars as they were."""

    @property
    def filled(self) -> bool:
        """Whether the panel wrote anything."""
        return any(self.adjusted.values())

    def final(self) -> dict[str, int] | None:
        """The stars by rater, adjusted where the panel did so; None when it wrote something else than stars."""
        cells = {rater: stars_of(cell) if cell else self.stars[rater] for rater, cell in self.adjusted.items()}
        known = {rater: stars for rater, stars in cells.items() if stars is not None}
        return known if len(known) == len(cells) else None


def write_panel(path: Path, rows: Sequence[Open], table: Ratings) -> None:
    """Write the panel's table for a spreadsheet: with a byte order mark, and the delimiter of the ratings."""
    slots = range(1, max((len(row.pair.stars) for row in rows), default=3) + 1)
    header = ["query", "category", "clause_id", "text", "reasons"]
    header += [f"{name}_{n}" for n in slots for name in ("rater", "stars", "adjusted")]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=table.delimiter)
        writer.writerow(header)
        writer.writerows(_cells(row, table, len(slots)) for row in rows)


def _cells(row: Open, table: Ratings, n_slots: int) -> list[str]:
    query, clause = row.pair.key
    given = [(rater, str(stars), row.adjusted.get(rater, "")) for rater, stars in row.pair.stars.items()]
    given += [("", "", "")] * (n_slots - len(given))
    category, text = table.queries[query].category, table.texts[clause]
    return [query, category, clause, text, "; ".join(row.reasons), *sum(given, ())]


def read_panel(paths: Iterable[Path]) -> dict[Key, PanelRow]:
    """The panel's rows of several tables; of a pair in two of them the later table counts.

    Raises InputError when a table cannot be read, or has a pair twice.
    """
    found: dict[Key, PanelRow] = {}
    for path in paths:
        found |= _panel(path)
    return found


def is_filled(path: Path) -> bool:
    """Whether a panel has written anything into a table; a file that is no such table counts as filled."""
    try:
        return any(row.filled for row in _panel(path).values())
    except InputError:
        return True


def _panel(path: Path) -> dict[Key, PanelRow]:
    table = read_table(path, ["query", "clause_id", "rater_1", "stars_1", "adjusted_1"])
    slots = [match[1] for name in table.columns if (match := _SLOT.fullmatch(name))]
    missing = [f"{name}_{n}" for n in slots for name in ("stars", "adjusted") if f"{name}_{n}" not in table.columns]
    if missing:
        raise InputError(f"{path}: no column {', '.join(missing)}; give the table back with all its columns")
    found: dict[Key, PanelRow] = {}
    for cells in table.rows:
        key = Key(one_line(cells["query"]), cells["clause_id"])
        if key in found:
            raise InputError(f'{path}: the query "{key.query}" has the clause {key.clause_id} twice; keep one line')
        raters = {one_line(cells[f"rater_{n}"]): n for n in slots if cells[f"rater_{n}"]}
        stars = {rater: stars_of(cells[f"stars_{n}"]) for rater, n in raters.items()}
        found[key] = PanelRow(stars, {rater: cells[f"adjusted_{n}"] for rater, n in raters.items()})
    return found


class Settled(NamedTuple):
    """A pair with the ratings that count."""

    pair: Pair
    stars: dict[str, int]
    """By rater: the panel's where it met, else those given."""
    by_panel: bool

    @property
    def grade(self) -> int:
        """Relevance 0-4: whole stars less one."""
        return whole_stars(final_score(list(self.stars.values()))) - 1


class Open(NamedTuple):
    """A pair that a panel has to reconcile, or to reconcile again."""

    pair: Pair
    reasons: list[str]
    adjusted: dict[str, str]
    """By rater, what the panel wrote so far."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Pairs by what became of them."""

    settled: list[Settled]
    open: list[Open]
    few: list[Pair]
    """With fewer raters than needed."""
    unused: list[tuple[Key, str, dict[str, str]]]
    """Pairs of the panel that could not be used, each with the reason and what the panel wrote, by rater."""

    @property
    def disputed(self) -> list[Pair]:
        """Pairs that needed reconciliation, whether the panel has met or not."""
        return [row.pair for row in self.open] + [row.pair for row in self.settled if row.by_panel]


def reasons_to_reconcile(stars: Sequence[int]) -> list[str]:
    """Why a panel must see a pair; [] when it need not.

    On a scale of five with relevance from three up, stars that differ by more than two also disagree on relevance.

    >>> reasons_to_reconcile([2, 5, 5])
    ['differ by 3 stars', 'disagree on relevance']
    >>> reasons_to_reconcile([3, 4, 5])
    []
    """
    reasons = []
    if max(stars) - min(stars) > WIDEST:
        reasons.append(f"differ by {max(stars) - min(stars)} stars")
    if min(stars) < RELEVANT <= max(stars):
        reasons.append("disagree on relevance")
    return reasons


def final_score(stars: Sequence[int]) -> Fraction:
    """The mean of the ratings, exactly."""
    return Fraction(sum(stars), len(stars))


def whole_stars(score: Fraction) -> int:
    """The score as whole stars: 4 2/3 is 5, 4 1/3 is 4 (ACORD, section 3).

    Halves, which three raters cannot give, go up: two raters with 4 and 5 make 5.

    >>> whole_stars(Fraction(14, 3)), whole_stars(Fraction(13, 3)), whole_stars(Fraction(9, 2))
    (5, 4, 5)
    """
    return int(score + Fraction(1, 2))


def judge(pairs: Iterable[Pair], panel: Mapping[Key, PanelRow], min_raters: int) -> Judged:
    """Sort pairs into settled ones, those for the panel, and those with too few raters."""
    judged = Judged([], [], [], [])
    for pair in pairs:
        reasons = reasons_to_reconcile(list(pair.stars.values()))
        if len(pair.stars) < min_raters:
            judged.few.append(pair)
        elif not reasons:
            judged.settled.append(Settled(pair, pair.stars, by_panel=False))
        elif isinstance(row := _reconciled(pair, reasons, panel.get(pair.key)), Settled):
            judged.settled.append(row)
        else:
            judged.open.append(row)
    disputed = {pair.key for pair in judged.disputed}
    for key in sorted(panel):
        if key not in disputed:
            judged.unused.append((key, "the pair is not to be reconciled", panel[key].adjusted))
    for row in judged.open:  # what the panel wrote for raters of other names has no place in its next table
        if lost := {name: cell for name, cell in row.adjusted.items() if cell and name not in row.pair.stars}:
            judged.unused.append((row.pair.key, "the ratings have no such rater", lost))
    return judged


def _reconciled(pair: Pair, reasons: list[str], row: PanelRow | None) -> Settled | Open:
    """What the panel made of a pair: settled, or still open and why."""
    if row is None or not row.filled:
        return Open(pair, reasons, {})
    if row.stars != pair.stars:
        return Open(pair, [*reasons, "the ratings are not those that the panel saw"], row.adjusted)
    stars = row.final()
    if stars is None:
        return Open(pair, [*reasons, "adjusted: stars are whole numbers from 1 to 5"], row.adjusted)
    left = reasons_to_reconcile(list(stars.values()))
    if left:
        return Open(pair, [*reasons, *(f"adjusted: still {reason}" for reason in left)], row.adjusted)
    return Settled(pair, stars, by_panel=True)


def expanded(
    category_of: Mapping[str, str], queries: Iterable[str], settled: Iterable[Settled], unsettled: Iterable[Key]
) -> list[Key]:
    """Explicit zeros: clauses of two stars or more, for the queries of categories to which they do not belong (C.5.2).

    A clause belongs to every category in which a pair of it has two whole stars or more, and to those in which a pair
    of it is not settled: there nothing is known of it. `category_of` has all rated queries, `queries` those that get
    zeros.
    """
    categories: defaultdict[str, set[str]] = defaultdict(set)
    judged = set[Key]()
    for row in settled:
        judged.add(row.pair.key)
        if row.grade >= USEFUL - 1:
            categories[row.pair.key.clause_id].add(category_of[row.pair.key.query])
    useful = sorted(categories)
    for key in unsettled:
        categories[key.clause_id].add(category_of.get(key.query, ""))
    across = (Key(query, id_) for query in queries for id_ in useful if category_of[query] not in categories[id_])
    return [key for key in across if key not in judged]
