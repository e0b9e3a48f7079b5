"""What the sections are called that a contract refers to: "breach of Section 5" is one of confidentiality.

titles_of(clauses) -> {number: title} of each contract     titled(text, titles) -> text with titles behind the numbers
numbers_in(text), number_of(clause) -> the numbers that a text refers to, and that a clause has, in digits
sections_of(clauses) -> {(contract, number): places}
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from lawng.clauses.sections.numerals import from_roman
from lawng.schema import Clause

OPENS, CLOSES = "⟦", "⟧"
"""Around a title behind a number; contracts have no such brackets."""
TITLE = re.compile(rf" ?{OPENS}[^{CLOSES}]{{0,200}}+{CLOSES}")
# possessive, so that no part of a number is taken for one
_NUMBER = r"(?:\d{1,3}+(?:\.\d{1,3}+){0,4}+|[IVXL]{1,6}+\b)(?:\([A-Za-z0-9]{1,4}\)){0,4}+"
_ELSEWHERE = r"\s++(?i:of)\s++(?!(?i:this\b|these\b|the (?:agreement|contract|terms|lease)\b))"
"""After a number: it is a section of a statute, or of an exhibit."""
_REFERENCE = (
    rf"\b(?:[Ss]ection|SECTION|[Aa]rticle|ARTICLE|[Cc]lause|CLAUSE|[Pp]aragraph)[Ss]?\s{{1,3}}+{_NUMBER}"
    rf"(?:(?:,? (?:and|or|and/or|to|through) |, ){_NUMBER}){{0,20}}+(?!{_ELSEWHERE})"
)
_REFERENCES = re.compile(_REFERENCE)
YIELDS = re.compile(rf"\b(?i:except (?:as|to the extent)|subject to|save as|unless)\b[^.;,]{{0,60}}?{_REFERENCE}")
"""Where a rule yields to what stands in another section."""
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
        # the narrowest first; of headings around it those without a number, of parts, stand outermost
        names = (clause.heading, *reversed(clause.headings))
        for own, name in zip(reversed(_levels(number_of(clause))), names, strict=False):
            words = _NO_WORDS.sub(" ", name).split()
            if 0 < len(words) <= _WORDS:
                found[clause.source][own].add(" ".join(words))
    return {
        source: _whole({number: names.pop() for number, names in own.items() if len(names) == 1})
        for source, own in found.items()
    }


def sections_of(clauses: Sequence[Clause]) -> dict[tuple[str, str], list[int]]:
    """The places of the clauses of each section, by contract and number; those of the sections inside it are there too.

    What two sections have the same number is left out: which one is meant nobody knows.

    >>> sections_of([Clause("a#0", "a", "5.1", "Duty", [], 0, 0, 4, "5.1 Duty", 1)])
    {('a', '5'): [0], ('a', '5.1'): [0]}
    """
    names: dict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
    for clause in clauses:
        names[clause.source, number_of(clause)].add((*clause.headings, clause.heading))
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, clause in enumerate(clauses):
        number = number_of(clause)
        for own in _levels(number) if len(names[clause.source, number]) == 1 else ():
            found[clause.source, own].append(place)
    return dict(found)


def titled(text: str, titles: Titles) -> str:
    """A text with the title of each section that it refers to behind its number, where it is known.

    >>> titled("Except for breach of Sections 5.2(a) and 9, no", {"5": "CONFIDENTIALITY"})
    'Except for breach of Sections 5.2(a) ⟦CONFIDENTIALITY⟧ and 9, no'
    """

    def each(number: re.Match[str]) -> str:
        title = _title(number[0], titles)
        return f"{number[0]} {OPENS}{title}{CLOSES}" if title else number[0]

    return _REFERENCES.sub(lambda found: _EACH.sub(each, found[0]), text) if titles else text


def numbers_in(text: str) -> list[str]:
    """The numbers of the sections that a text refers to, in digits.

    >>> numbers_in("Except as set forth in Sections 8.3(a) and 9")
    ['8.3', '9']
    """
    return [_digits(number) for words in _REFERENCES.findall(text) for number in _EACH.findall(words)]


def number_of(clause: Clause) -> str:
    """The number of a clause in digits, "" for an item, a schedule's, and what was not cut from a contract.

    >>> number_of(Clause("a#0", "a", "Article V", "Duty", [], 0, 0, 4, "Duty", 1))
    '5'
    """
    number = _PLAIN.fullmatch(clause.section) if clause.is_cut else None
    return _digits(number[1]) if number else ""


def _whole(titles: Titles) -> Titles:
    """Each title after those of the sections around its own."""
    return {number: " ".join(titles[own] for own in _levels(number) if own in titles) for number in titles}


def _title(number: str, titles: Titles) -> str:
    """The title of the narrowest section with one that a number is in; "" where there is none."""
    return next((titles[own] for own in reversed(_levels(_digits(number))) if own in titles), "")


def _levels(number: str) -> list[str]:
    """The numbers of the sections that a number is in, the outermost first.

    >>> _levels("8.3.1"), _levels("")
    (['8', '8.3', '8.3.1'], [])
    """
    parts = number.split(".") if number else []
    return [".".join(parts[:n]) for n in range(1, len(parts) + 1)]


def _digits(number: str) -> str:
    """A number in digits, without the items behind it."""
    plain = number.partition("(")[0]
    return plain if plain[0].isdigit() else str(from_roman(plain.lower()) or plain)
