"""Filters as given checked, courts found by a part of their name, and the same filters on a case at hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from lawng.corpus.courts import jurisdiction_name
from lawng.corpus.dates import may_lie, surely_before
from lawng.errors import InputError
from lawng.index.where import is_date
from lawng.schema import OPINION_TYPES, Filters, IndexedCase

if TYPE_CHECKING:
    from lawng.index.reader import Index

_NAMED = 8
"""Values that are named of those that there are."""


def check_filters(filters: Filters) -> Filters:
    """The filters themselves.

    Raises InputError naming every one that can match nothing by its form: a date that is none, an unknown part.
    """
    wrong = [
        f"{what} {date!r} is no date (YYYY, YYYY-MM or YYYY-MM-DD)"
        for what, date in (("after", filters.after), ("before", filters.before))
        if date and not is_date(date)
    ]
    wrong += [
        f"part {part!r} is none of {', '.join(OPINION_TYPES)}" for part in filters.parts if part not in OPINION_TYPES
    ]
    if not wrong and filters.after and filters.before and surely_before(filters.before, filters.after):
        wrong.append(f"after {filters.after} and before {filters.before} leave no day")
    if wrong:
        raise InputError("filters: " + "; ".join(wrong))
    return filters


def passes(case: IndexedCase, filters: Filters) -> bool:
    """Whether a case passes, one of its opinions being of a part asked for.

    >>> case = IndexedCase("a", "A v. B", [], "", "us", "1973-01", 0, [], ["majority"], 0)
    >>> passes(case, Filters(after="1973", before="1973")), passes(case, Filters(parts=("dissent",)))
    (True, False)
    """
    return (
        (not filters.jurisdictions or case.jurisdiction in filters.jurisdictions)
        and (not filters.courts or case.court in filters.courts)
        and (not (filters.after or filters.before) or may_lie(case.date, filters.after, filters.before))
        and (not filters.parts or any(part in filters.parts for part in case.parts))
    )


def courts_named(index: Index, words: Sequence[str]) -> tuple[str, ...]:
    """The courts of the index that are meant: of exactly this name, else those with these words in their name.

    Raises InputError when the index has none such, naming some that it has.
    """
    known = [value for value, _ in index.facets().courts]
    found: list[str] = []
    for asked in words:
        exact = [court for court in known if court.lower() == asked.lower()]
        parts = asked.lower().split()
        close = [court for court in known if all(part in court.lower() for part in parts)]
        if not (exact or close):
            raise InputError(_none("court", asked, known))
        found += exact or close
    return tuple(dict.fromkeys(found))


def jurisdictions_named(index: Index, given: Sequence[str]) -> tuple[str, ...]:
    """The jurisdictions of the index that are meant, by slug or by name, in any case.

    Raises InputError when the index has none such, naming the nearest and some that it has.
    """
    known = [value for value, _ in index.facets().jurisdictions]
    by_name = {jurisdiction_name(value).lower(): value for value in known} | {value.lower(): value for value in known}
    for asked in given:
        if asked.lower() not in by_name:
            raise InputError(_none("jurisdiction", asked, known))
    return tuple(dict.fromkeys(by_name[asked.lower()] for asked in given))


def not_there(index: Index, filters: Filters) -> list[str]:
    """A sentence for each court and jurisdiction asked for that no case of the index has."""
    facets = index.facets()
    asked = (("jurisdiction", filters.jurisdictions, facets.jurisdictions), ("court", filters.courts, facets.courts))
    return [
        f"{_none(what, value, [one for one, _ in known])}."
        for what, values, known in asked
        for value in values
        if value not in dict(known)
    ]


def _none(what: str, asked: str, known: Iterable[str]) -> str:
    """That there is no such value: the nearest ones by spelling, else the most frequent."""
    names = {name: value for value in known if value for name in (value.lower(), jurisdiction_name(value).lower())}
    near = list(dict.fromkeys(names[name] for name in get_close_matches(asked.lower(), names, _NAMED, 0.7)))
    every = list(dict.fromkeys(names.values()))
    some = "; ".join(every[:_NAMED]) + (" ..." if len(every) > _NAMED else "")
    nearest = f"nearest: {'; '.join(near)}; " if near else ""
    return f"{what} {asked!r}: the index has none of this name ({nearest}it has {some})"
