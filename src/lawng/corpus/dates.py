"""Dates as precise as the source gives them."""

from __future__ import annotations

import re
from datetime import datetime

_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?!\d)")
_WRITTEN = re.compile(r"\b([A-Z][a-z]{2,8})\.? (\d{1,2})(?:st|nd|rd|th)?, ?(\d{4})\b")
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
    return f"{year}-{month}-{day}" if day and _is_date(f"{year}-{month}-{day}", "%Y-%m-%d") else f"{year}-{month}"


def written_date(text: str) -> str:
    """The last date written out in a text such as "Argued May 19, 2014. Decided Sept. 30, 2014.", else its last year.

    >>> written_date("Argued May 19, 2014. Decided Sept. 30, 2014."), written_date("Texas v. White (1869)")
    ('2014-09-30', '1869')
    """
    for match in reversed(list(_WRITTEN.finditer(text))):
        month, day, year = match.groups()
        raw = f"{month[:3]} {day} {year}"
        if _is_date(raw, "%b %d %Y"):
            return datetime.strptime(raw, "%b %d %Y").date().isoformat()
    years = _YEAR.findall(text)
    return years[-1] if years else ""


def _is_date(text: str, form: str) -> bool:
    try:
        datetime.strptime(text, form)
    except ValueError:
        return False
    return True
