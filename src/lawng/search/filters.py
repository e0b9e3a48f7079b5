"""Filters as given checked, courts found by a part of their name, and the same filters on a case at hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lawng.errors import InputError
from lawng.records import OPINION_TYPES, Filters, IndexedCase

if TYPE_CHECKING:
    from lawng.retrieval.reader import Index

_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")


def check_filters(filters: Filters) -> Filters:
    """The filters themselves.

    Raises InputError naming every one that can match nothing by its form: a date that is none, an unknown part.
    """
    wrong = [
        f"{what} {date!r} is no date (YYYY, YYYY-MM or YYYY-MM-DD)"
        for what, date in (("after", filters.after), ("before", filters.before))
        if date and not _DATE.fullmatch(date)
    ]
    wrong += [
        f"part {part!r} is none of {', '.join(OPINION_TYPES)}" for part in filters.parts if part not in OPINION_TYPES
    ]
    if not wrong and filters.after and filters.before and filters.after > _last(filters.before):
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
        and (not filters.after or (bool(case.date) and _last(case.date) >= filters.after))
        and (not filters.before or (bool(case.date) and case.date <= _last(filters.before)))
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
            some = "; ".join(known[:5]) + (" ..." if len(known) > 5 else "")
            raise InputError(f"court {asked!r}: the index has none of this name (it has {some})")
        found += exact or close
    return tuple(dict.fromkeys(found))


def _last(date: str) -> str:
    """The last day that a date means, as text that sorts so: "1973" gives "1973~"."""
    return date if len(date) == 10 else date + "~"
