"""Pin cites: where they stand after a citation, and which pages and notes they name (Bluebook R. 3.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lawng.io.limits import number_of

_BLANK = r"(?:_{2,}|[-–—]{3,}(?=\s?[,(]))(?:\s?[-–—]\s?_{2,})?"
"""For a page that is not printed yet: "585 U. S. ___, ___-___ (2018)"."""
_PAGE = rf"(?:\*{{0,2}}\d{{1,5}}[a-z]?(?:\s?[-–—‑]{{1,2}}\s?\*{{0,2}}\d{{1,5}}[a-z]?)?|{_BLANK})"
_NOTE_NUMBER = r"\d{1,3}(?:\s?[-–—]\s?\d{1,3})?"
_NOTES = rf"(?:nn\.?|notes|fns\.?)\s?{_NOTE_NUMBER}(?:(?:,\s?|\s?&\s?|\s?,?\s?and\s){_NOTE_NUMBER})*"
_NOTE = rf"{_NOTES}|(?:n\.?|note|fn\.?|ftn\.?)\s?{_NOTE_NUMBER}"
_PARAGRAPH = r"(?:[Ss]yl\.\s(?:[Pp]ts?\.\s)?)?[¶§]{1,2}\s?\d+(?:\s?[-–—]\s?\d+)?|[Ss]yl\.\s[Pp]ts?\.\s\d+"
_ITEM = rf"(?:(?:pp?\.|pages?|pgs?\.)\s?)?{_PAGE}(?:\s+et\s+seq\.?)?|{_NOTE}|{_PARAGRAPH}"
_JOINT = r"(?:\s?,\s?(?:&\s?|and\s)?|\s?&\s?|\s(?:and|to)\s(?:at\s)?|\s(?=n))"
_LIST = rf"(?:{_ITEM})(?:{_JOINT}(?:{_ITEM}))*(?:,?\s(?:passim|ff\.?))?"
# A pin must end where a reader sees it end, so that "113, 93 Foo 12" does not give page 93.
_STOP = r"(?=\s?[,.;:)\]\[(”\"’'—–?!\n]|\s[a-z]|\s?$|\s[A-Z“\"])"
_HARD_STOP = r"(?=\s?[,.;:)\]\[(”\"’'—–?!\n]|\s[a-z]|\s?$)"

_AFTER_FULL = re.compile(
    rf"(?:\s?,\s?(?:at\s)?(?:(?:pp?\.|pages?)\s?)?|\s+at\s(?:(?:pp?\.|pages?)\s?)?|:\s?(?=\d)|\s(?=n[.n]|¶))(?P<pin>{_LIST}){_HARD_STOP}"
)
_AFTER_AT = re.compile(rf"(?P<pin>{_LIST}){_STOP}")
_AFTER_ID = re.compile(
    rf"\s?,?\s?(?:(?:and|&)\s)?(?:at\s(?:(?:pp?\.|pages?)\s?)?|(?=¶|§|nn?[.\s]|pp?\.|pages?\s)|(?<=,\s)(?=\d))(?P<pin>{_LIST}){_STOP}"
)
_AFTER_SUPRA = re.compile(
    rf"(?:\s?,?\s?(?:nn?\.|notes?)\s?\d{{1,3}})?\s?,?\s?(?:at\s(?:(?:pp?\.|pages?)\s?)?|(?=¶)|(?<=,\s)(?:pp?\.\s?)?(?=\d))(?P<pin>{_LIST}){_STOP}"
)
_AFTER = {"full": _AFTER_FULL, "short": _AFTER_AT, "id": _AFTER_ID, "supra": _AFTER_SUPRA, "reference": _AFTER_ID}

_NOTE_PART = re.compile(_NOTE)
_NUMERIC_RANGE = re.compile(r"(?<![\d¶§])\*{0,2}(\d{1,5})(?![\da-z])(?:\s?[-–—‑]{1,2}\s?\*{0,2}(\d{1,5})(?![\da-z]))?")
_MAX_RANGE = 200


@dataclass(frozen=True, slots=True)
class PinCite:
    """A pin cite in a text: as written, its span, its pages as numbers and its note labels."""

    text: str
    start: int
    end: int
    pages: list[int]
    notes: list[str]


def pin_after(text: str, form: str, start: int, stop: int) -> PinCite | None:
    """The pin cite that begins at `start` (for short forms: at the page inside the core), before offset `stop`.

    >>> pin_after("410 U.S. 113, 120-22 & n. 5, 93 S. Ct. 705", "full", 12, 29)
    PinCite(text='120-22 & n. 5', start=14, end=27, pages=[120, 121, 122], notes=['5'])
    """
    match = _AFTER[form].match(text, start, stop)
    if match is None:
        return None
    pin = match.group("pin")
    return PinCite(pin, match.start("pin"), match.end("pin"), pin_pages(pin), pin_notes(pin))


def pin_pages(pin_cite: str) -> list[int]:
    """The pages that a pin cite names, ascending; a shorter second number borrows leading digits (Bluebook R. 3.2(a)).

    >>> pin_pages("482-83"), pin_pages("120, 124"), pin_pages("120 & n.5"), pin_pages("n.5")
    ([482, 483], [120, 124], [120], [])
    """
    without_notes = re.sub(_PARAGRAPH, " ", _NOTE_PART.sub(" ", pin_cite))
    pages: set[int] = set()
    for first, last in _NUMERIC_RANGE.findall(without_notes):
        pages.update(_page_range(first, last))
    return sorted(pages)


def pin_notes(pin_cite: str) -> list[str]:
    """The note labels of a pin cite, ranges spelt out.

    >>> pin_notes("120-22 & nn. 5-7")
    ['5', '6', '7']
    """
    notes: list[str] = []
    for part in _NOTE_PART.findall(pin_cite):
        for first, last in re.findall(r"(\d+)(?:\s?[-–—]\s?(\d+))?", part):
            notes += [str(note) for note in _page_range(first, last)]
    return notes


def _page_range(first: str, last: str) -> range:
    begin = number_of(first)
    if begin is None:  # a run of digits that is no page
        return range(0)
    end = number_of(first[: -len(last)] + last if len(last) < len(first) else last) or begin
    # "120-18" or "113-4120" is a misprint: only the first number can be trusted.
    return range(begin, end + 1) if begin <= end <= begin + _MAX_RANGE else range(begin, begin + 1)
