"""The date of a contract, among the dates that its opening names.

contract_date(head, behind) -> "2001-01-05"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lawng.corpus.dates import iso_date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ORDINALS = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth
twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first
"""
_DAYS = {word: n for n, word in enumerate(_ORDINALS.split(), 1)}
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)\b\.?"
)
_NUMBER = rf"(?:\d{{1,2}}(?:\s?(?:st|nd|rd|th)\b)?|(?:{'|'.join(sorted(_DAYS, key=len, reverse=True))})\b)"
_BLANK = r"[_.…\[\]•●\s]{1,60}+"
_YEAR = r"(?:19|20)\d\d"
_DATE = re.compile(
    rf"\b(?:(?P<iso>{_YEAR})[-./](?P<iso_month>\d{{1,2}})[-./](?P<iso_day>\d{{1,2}})\b"
    rf"|(?P<one>\d{{1,2}})[-./](?P<other>\d{{1,2}})[-./](?P<slashed>{_YEAR})\b"
    rf"|(?:(?P<day>{_NUMBER})[\s-]+(?:day\s+)?(?:of\s+)?)?(?P<month>{_MONTH})[\s,-]*"
    rf"(?:(?P<late_day>{_NUMBER})\b[\s,]*|{_BLANK},?\s*)?(?:in the year\s+|of\s+)?(?P<year>{_YEAR})\b)"
    rf"|(?<![_.…\[\]•●\s]){_BLANK}(?:day)?\s*(?:of\s+)?{_BLANK},?\s*(?P<alone>{_YEAR})\b",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"\b(?:dated?|made|entered(?: into)?|effective|executed|signed|concluded|as of|as at|this)\b[^;\n]{0,60}$",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"\b(?:(?:a|an|that|those|the) certain|reference is made|pursuant to|originally|in accordance with|amends|amending"
    r"|expires?|until|(?:to|of|under|in) (?:the|that|its)\b[^.;\n]{0,80}\bagreement)\b[^.;\n]{0,120}$",
    re.IGNORECASE,
)
"""What stands before the date of another contract, or of its end."""
_NAMED = re.compile(
    r"[\s,]*\(?(?:the |as the )?[\"“'‘]?(?:effective|commencement|agreement|signing|signature) date", re.IGNORECASE
)
_BEHIND = re.compile(
    r"\beffective date\b[\"”'’)]{0,3}\s*(?:means|is|shall be|shall mean|:)[^.;\n]{0,40}$|\bthis\s*$"
    r"|^[ \t]*date[ \t]*:[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""What tells the date behind the opening: a definition, or "this 30th day of April"."""


class _Dated(NamedTuple):
    start: int
    end: int
    date: str


def contract_date(head: str, behind: int) -> str:
    """The date of a contract of which this is the head; `behind` is where the recitals or the first section begin.

    Of dates in the opening it is the first that the words before it, or behind it, say to be the contract's; else the
    first one that has a line of its own; else one that is defined as the effective date. "" where there is none.

    >>> contract_date("This Lease, dated as of May 1, 2001, amends the one dated June 2, 1999.", 70)
    '2001-05-01'
    """
    found, told_from = [], 0
    for one in _dates(head):
        if not _OF_ANOTHER.search(head[max(told_from, one.start - 200) : one.start]):
            found.append(one)
        told_from = one.end
    opening = [one for one in found if one.start < behind]
    told = [one for one in opening if _is_told(head, one)] or [one for one in opening if _is_alone(head, one)]
    told += [one for one in found if one.start >= behind and _BEHIND.search(head[max(0, one.start - 100) : one.start])]
    return told[0].date if told else ""


def first_date(text: str) -> str:
    """The first date of a text that is written out or ISO, "" where there is none.

    >>> first_date("4th of March, 2024"), first_date("2024-03"), first_date("soon")
    ('2024-03-04', '2024-03', '')
    """
    return next((one.date for one in _dates(text)), iso_date(text))


def _is_told(head: str, one: _Dated) -> bool:
    line = head[max(0, one.start - 80) : one.start]
    return _CUE.search(line) is not None or _NAMED.match(head, one.end) is not None


def _is_alone(head: str, one: _Dated) -> bool:
    before, behind = head[: one.start].rpartition("\n")[2], head[one.end :].partition("\n")[0]
    return not before.strip() and not behind.strip(" \t.,")


def _dates(head: str) -> Iterator[_Dated]:
    for found in _DATE.finditer(head):
        if date := _read(found):
            yield _Dated(found.start(), found.end(), date)


def _read(found: re.Match[str]) -> str:
    """As precise as it is told: of 3/4/2001 the year alone, for it is a day of March or of April."""
    told = found.groupdict()
    if told["iso"]:
        return iso_date(f"{told['iso']}-{int(told['iso_month']):02}-{int(told['iso_day']):02}")
    if told["slashed"]:
        one, other = int(told["one"]), int(told["other"])
        if one <= 12 < other or one == other:
            one, other = other, one
        return iso_date(f"{told['slashed']}-{other:02}-{one:02}" if one > 12 or one == other else told["slashed"])
    if told["alone"]:
        return told["alone"]
    month = _MONTHS.index(told["month"][:3].lower()) + 1
    day = _number(told["day"] or told["late_day"] or "")
    return iso_date(f"{told['year']}-{month:02}" + (f"-{day:02}" if day else ""))


def _number(day: str) -> int:
    digits = re.match(r"\d+", day)
    return int(digits[0]) if digits else _DAYS.get(day.lower(), 0)
