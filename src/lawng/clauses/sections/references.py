"""What the sections are called that a contract refers to: "breach of Section 5" is one of confidentiality.

titles_of(clauses) -> {number: title} of each contract     titled(text, titles) -> text with titles behind the numbers
numbers_in(text), number_of(clause) -> the numbers that a text refers to, and that a clause has, in digits
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from lawng.clauses.sections.numerals import from_roman
from lawng.schema import Clause

OPENS, CLOSES = "⟦", "⟧"
"""Around a title behind a number; contracts have no such brackets."""
TITLE = re.compile(rf" ?{OPENS}[^{CLOSES}]{{0,200}}+{CLOSES}")
_NUMBER = r"(?:\d{1,3}(?:\.\d{1,3}){0,4}+|[IVXL]{1,6}+\b)(?:\([A-Za-z0-9]{1,4}\)){0,4}+"
_REFERENCE = re.compile(
    rf"\b(?:[Ss]ection|SECTION|[Aa]rticle|ARTICLE|[Cc]lause|CLAUSE|[Pp]aragraph)[Ss]?\s{{1,3}}+{_NUMBER}"
    rf"(?:(?:,? (?:and|or|and/or|to|through) |, ){_NUMBER}){{0,20}}+"
)
_ELSEWHERE = re.compile(r"\s++of\s++(?!this\b|these\b|the (?:agreement|contract|terms|lease)\b)", re.IGNORECASE)
"""After a number: it is a section of a statute, or of an exhibit."""
_EACH = re.compile(_NUMBER)
_PLAIN = re.compile(r"(?:(?:article|section|clause)\s+)?(\d{1,3}(?:\.\d{1,3})*|[IVXL]+)", re.IGNORECASE)
_NO_WORDS = re.compile(r"[^\w'’-]+")
_WORDS = 12
"""Of a title; what is longer is a sentence that leads into a list."""

Titles = Mapping[str, str]
"""By number, in digits."""


def titles_of(clauses: Iterable[Clause]) -> dict[str, Titles]:
    """The titles of the numbered sections by contract, those of the sections around them first.

    A number that has two titles, as where exhibits begin again at 1, has none.

    >>> text = ("a#0", "a", "5.1", "Duty", ["CONFIDENTIALITY"], 0, 0, 4, "5.1 Duty", 1)
    >>> titles_of([Clause(*text)])["a"]["5.1"]
    'CONFIDENTIALITY Duty'
    """
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for clause in clauses:
        number = number_of(clause)
        levels = number.split(".") if number else []
        names = [*clause.headings, clause.heading][-len(levels) :]
        for at, name in enumerate(reversed(names)):
            words = _NO_WORDS.sub(" ", name).split()
            if at < len(levels) and 0 < len(words) <= _WORDS:
                found[clause.source][".".join(levels[: len(levels) - at])].add(" ".join(words))
    return {
        source: _whole({number: names.pop() for number, names in own.items() if len(names) == 1})
        for source, own in found.items()
    }


def titled(text: str, titles: Titles) -> str:
    """A text with the title of each section that it refers to behind its number, where it is known.

    >>> titled("Except for breach of Sections 5.2(a) and 9, no", {"5": "CONFIDENTIALITY"})
    'Except for breach of Sections 5.2(a) ⟦CONFIDENTIALITY⟧ and 9, no'
    """

    def each(number: re.Match[str]) -> str:
        title = _title(number[0], titles)
        return f"{number[0]} {OPENS}{title}{CLOSES}" if title else number[0]

    def all_of(found: re.Match[str]) -> str:
        return found[0] if _ELSEWHERE.match(text, found.end()) else _EACH.sub(each, found[0])

    return _REFERENCE.sub(all_of, text) if titles else text


def numbers_in(text: str) -> list[str]:
    """The numbers of the sections that a text refers to, in digits.

    >>> numbers_in("Except as set forth in Sections 8.3(a) and 9")
    ['8.3', '9']
    """
    found = (number for words in _REFERENCE.findall(text) for number in _EACH.findall(words))
    return [_digits(number.partition("(")[0]) for number in found]


def number_of(clause: Clause) -> str:
    """The number of a clause in digits, "" for one that is none of the contract's own: an item's, a schedule's.

    >>> number_of(Clause("a#0", "a", "Article V", "Duty", [], 0, 0, 4, "Duty", 1))
    '5'
    """
    number = _PLAIN.fullmatch(clause.section)
    return _digits(number[1]) if number else ""


def _whole(titles: Titles) -> Titles:
    """Each title after those of the sections around its own."""
    return {number: _title(number, titles, every=True) for number in titles}


def _title(number: str, titles: Titles, *, every: bool = False) -> str:
    """The title of the narrowest section with one that a number is in, or all these titles; "" where there is none."""
    levels = _digits(number.partition("(")[0]).split(".")
    known = [titles[own] for n in range(1, len(levels) + 1) if (own := ".".join(levels[:n])) in titles]
    return " ".join(known if every else known[-1:])


def _digits(number: str) -> str:
    return number if number[0].isdigit() else str(from_roman(number.lower()) or number)
