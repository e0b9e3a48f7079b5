"""Which clauses a search looks at: by the name of their file, their headings, a party or the date of their contract.

chosen(library, ClauseFilters(parties=("acme",), after="2020")) -> rows of the library's clauses, notes
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from lawng.clauses.collection import Library
from lawng.clauses.facts import Facts
from lawng.corpus.dates import may_lie
from lawng.errors import InputError
from lawng.schema import Clause, Filters


@dataclass(frozen=True, slots=True)
class ClauseFilters:
    """What a clause must satisfy to be ranked; an empty field asks for nothing.

    Of several values of a field one is enough, and of a value all words must be there, in any case and order.
    """

    files: tuple[str, ...] = ()
    """Words in the name of its file."""
    headings: tuple[str, ...] = ()
    """Words in its heading and those around it."""
    parties: tuple[str, ...] = ()
    """Words in the name of a party of its contract, or in what the contract calls it."""
    after: str = ""
    """ISO date or year: its contract is of this day or later."""
    before: str = ""
    """ISO date or year: its contract is of this day (or within this year) or earlier."""


_SOME = 5
"""Parties that are named of those that there are."""
EVERY = ClauseFilters()
"""Asks for nothing."""


class _Test(NamedTuple):
    asked: str
    passes: Callable[[Clause], bool]
    advice: Callable[[Sequence[Facts]], str]
    """What to do, by the facts of the contracts that passed the tests before."""
    untold: str = ""
    """What a contract does not tell that cannot pass."""
    is_told: Callable[[Clause], bool] = lambda _: True


def check_dates(filters: ClauseFilters) -> None:
    """See to it that the limits are dates that leave a day. Raises InputError when they are not."""
    if filters.after or filters.before:
        from lawng.search.filters import check_filters  # which knows of courts, and takes a third of a second to load

        check_filters(Filters(after=filters.after, before=filters.before))


def chosen(library: Library, filters: ClauseFilters) -> tuple[list[int], tuple[str, ...]]:
    """The rows of the clauses that pass, ascending, and what was left out because a contract does not tell it.

    A date that is known by its year or month alone passes when it may lie within the limits.
    Raises InputError when a limit is no date, or nothing passes.
    """
    check_dates(filters)
    rows, notes = list(range(len(library.clauses))), []
    for test in _tests(library, filters):
        untold = {library.clauses[row].source for row in rows if not test.is_told(library.clauses[row])}
        one = len(untold) == 1
        told = f"{len(untold):,} contract{' states' if one else 's state'} no {test.untold} that could be read"
        before, rows = rows, [row for row in rows if test.passes(library.clauses[row])]
        if not rows:
            left = {library.clauses[row].source: library.clauses[row] for row in before}
            advice = test.advice([library.facts_of(clause) for clause in left.values()])
            raise InputError("; ".join([test.asked, *([told] if untold else []), advice]))
        if untold:
            notes.append(f"{told}, and {'is' if one else 'are'} left out.")
    return rows, tuple(notes)


def _tests(library: Library, filters: ClauseFilters) -> Iterator[_Test]:
    """The filters that ask for something."""
    facts = library.facts_of
    if filters.files:
        asked = f"no contract has {_either(filters.files)} in its name"
        yield _Test(
            asked, lambda one: _has(filters.files, [one.source], within=True), lambda _: "look at the file names"
        )
    if filters.parties:
        asked = f"no contract has a party {_either(filters.parties)}"
        yield _Test(
            asked,
            lambda one: _has(filters.parties, _names(facts(one))),
            _parties,
            "party",
            lambda one: bool(facts(one).parties),
        )
    if filters.after or filters.before:
        limits = ((filters.after, "or later"), (filters.before, "or earlier"))
        asked = f"no contract is dated {' and '.join(f'{date} {then}' for date, then in limits if date)}"
        asked += " of those that pass the other filters" if filters.files or filters.parties else ""
        yield _Test(
            asked,
            lambda one: may_lie(facts(one).date, filters.after, filters.before),
            _dates,
            "date",
            lambda one: bool(facts(one).date),
        )
    if filters.headings:
        asked = f"no clause has {_either(filters.headings)} in its headings"
        yield _Test(
            asked,
            lambda one: _has(filters.headings, [" ".join([*one.headings, one.heading])]),
            lambda _: "use fewer words, or leave it out",
        )


def _parties(contracts: Sequence[Facts]) -> str:
    known = sorted({party.name for one in contracts for party in one.parties})
    others = " and others" if len(known) > _SOME else ""
    return f"there are {', '.join(known[:_SOME])}{others}" if known else "leave it out"


def _dates(contracts: Sequence[Facts]) -> str:
    dates = sorted(one.date for one in contracts if one.date)
    return f"their dates are {dates[0]} to {dates[-1]}" if dates else "leave it out"


def _names(facts: Facts) -> list[str]:
    return [name for party in facts.parties for name in (party.name, *party.called)]


def _either(values: Sequence[str]) -> str:
    return " or ".join(map(repr, values))


def _has(values: Sequence[str], names: Sequence[str], within: bool = False) -> bool:
    """Whether all words of one of the values begin words of one of the names; with `within` they may stand inside.

    >>> _has(["ing"], ["Holdings Inc.", "ING Bank"]), _has(["ing"], ["Holdings Inc."]), _has(["vant"], ["Vantryl"])
    (True, False, True)
    """
    return any(
        all(word.search(name.casefold()) for word in words) for words in _asked(tuple(values), within) for name in names
    )


@lru_cache(maxsize=16)
def _asked(values: tuple[str, ...], within: bool) -> list[list[re.Pattern[str]]]:
    """The words of each value as patterns: a filter is held against thousands of clauses."""
    begins = "" if within else r"(?<!\w)"
    return [[re.compile(begins + re.escape(word)) for word in value.casefold().split()] for value in values]
