"""Dates as precise as the source gives them."""

from __future__ import annotations

import re
from datetime import date

_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WRITTEN = re.compile(
    r"\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)[.,]? (\d{1,2})(?:st|d|nd|rd|th)?[., ] ?(\d{4})\b",
    re.I,
)
_YEAR = re.compile(r"\b(1[6-9]\d\d|20\d\d)\b")


def iso_date(raw: str | None) -> str:
    """A date of the source as "1973", "1973-01" or "1973-01-22"; "" when it is none.

    Impossible months and days are left off, so what stays is true.

    >>> iso_date("1973-01-22"), iso_date("1819-12"), iso_date("1887"), iso_date("1900-02-30"), iso_date("unknown")
    ('1973-01-22', '1819-12', '1887', '1900-02', '')
    """
    match = _ISO.match((raw or "").strip())
    if not match:
        return ""
    year, month, day = match.groups()
    if not month or not 1 <= int(month) <= 12:
        return year
    return (day and _day(int(year), int(month), int(day))) or f"{year}-{month}"


def dates_in(text: str) -> list[str]:
    """The dates written out in a text, in order; impossible ones are none.

    >>> dates_in("Argued May 19, 2014. DECIDED SEPT. 30, 2014; Feb. 30, 2015")
    ['2014-05-19', '2014-09-30']
    """
    found = (_day(int(y), _MONTHS.index(m[:3].lower()) + 1, int(d)) for m, d, y in _WRITTEN.findall(text))
    return [day for day in found if day]


def written_date(text: str) -> str:
    """The last date written out in a text such as "Argued May 19, 2014. Decided Sept. 30, 2014.", else its last year.

    >>> written_date("Argued May 19, 2014. Decided Sept. 30, 2014."), written_date("Texas v. White (1869)")
    ('2014-09-30', '1869')
    """
    found = dates_in(text) or _YEAR.findall(text)
    return found[-1] if found else ""


def surely_before(date: str, other: str) -> bool:
    """Whether a date is before another one at the precision that both have; an unknown one never is.

    >>> surely_before("1972-12", "1973-01-22"), surely_before("1973", "1973-01-22"), surely_before("", "1973")
    (True, False, False)
    """
    return date[: len(other)] < other[: len(date)]


def may_lie(date: str, after: str, before: str) -> bool:
    """Whether a date may lie within limits, "" where there is none, as far as it is known; an unknown one never does.

    >>> [may_lie(date, "2001-06", "2002") for date in ("2001", "2001-05-30", "2002-12-31", "")]
    [True, False, True, False]
    """
    early, late = after and surely_before(date, after), before and surely_before(before, date)
    return bool(date) and not early and not late


def _day(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""
