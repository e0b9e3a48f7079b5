"""The table that a panel fills in: pairs on which raters disagree, and the stars that it adjusts (ACORD, A.3).

write_panel(path, lines, delimiter)     read_panel(paths) -> {pair: PanelRow}     is_filled(path)
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lawng.errors import InputError
from lawng.studies.acord.ratings.read import Key, one_line, stars_of
from lawng.studies.acord.ratings.spreadsheet import read_table

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


class Line(NamedTuple):
    """A line of the table."""

    key: Key
    category: str
    text: str
    reasons: Sequence[str]
    stars: Mapping[str, int]
    adjusted: Mapping[str, str]


def write_panel(path: Path, lines: Sequence[Line], delimiter: str) -> None:
    """Write the table for a spreadsheet: with a byte order mark, and the delimiter of the ratings."""
    slots = range(1, max((len(line.stars) for line in lines), default=3) + 1)
    header = ["query", "category", "clause_id", "text", "reasons"]
    header += [f"{name}_{n}" for n in slots for name in ("rater", "stars", "adjusted")]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(header)
        writer.writerows(_cells(line, len(slots)) for line in lines)


def _cells(line: Line, n_slots: int) -> list[str]:
    given = [(rater, str(stars), line.adjusted.get(rater, "")) for rater, stars in line.stars.items()]
    given += [("", "", "")] * (n_slots - len(given))
    return [line.key.query, line.category, line.key.clause_id, line.text, "; ".join(line.reasons), *sum(given, ())]


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
