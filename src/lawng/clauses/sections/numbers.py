"""The number that a line of a contract begins with, in every reading it allows: "(i)" is a letter and a roman one.

marker_of(line, made) -> Marker | None
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lawng.clauses.sections.lines import Line, is_capitals, is_heading, is_titled, run_in
from lawng.clauses.sections.numerals import ORDINAL, from_letters, from_roman, from_word, unaccented

DECIMAL, ARTICLE, PART, EXHIBIT, HEADING = "decimal", "article", "part", "exhibit", "heading"
_EXHIBITS = ("exhibit", "schedule", "annex", "annexure", "appendix", "attachment", "addendum", "anexo", "apendice")
_STRUCTURE = {
    **dict.fromkeys(("article", "articulo", "clausula", ""), ARTICLE),
    **dict.fromkeys(("part", "chapter", "title", "capitulo", "titulo"), PART),
    **dict.fromkeys(_EXHIBITS, EXHIBIT),
}
_NUMBER = r"\d{1,3}[A-Z]?(?:\.\d{1,3}[A-Z]?)*"
_KEYWORD = re.compile(
    r"(?P<word>(?i:article|section|clause|part|chapter|exhibit|schedule|annex|annexure|appendix|attachment|addendum"
    r"|art[íi]culo|cl[áa]usula|secci[óo]n|cap[íi]tulo|t[íi]tulo|anexo|ap[ée]ndice)"
    rf"|§{{1,2}})\s*(?P<num>(?<=[\s§])(?:{_NUMBER}|[IVXLC]+|[A-Z](?:-?\d{{1,2}})?|{ORDINAL}|[A-Za-z]{{3,9}}))"
    r"(?P<par>(?:\([A-Za-z0-9]{1,4}\))?)(?P<close>(?:\.?[º°ª])?\s?[.:)–—-]{0,2})(?=\s|$|(?<=[.:)–—-])[A-Z])"
)
_ORDINAL = re.compile(rf"(?P<word>)(?P<num>{ORDINAL})(?P<par>)(?P<close>\s?[.:][–—-]?)(?=\s)")
_DECIMAL = re.compile(
    rf"(?P<num>{_NUMBER})(?P<par>(?:\([A-Za-z0-9]{{1,4}}\))?)(?P<close>[.):]?(?:\s?[–—-]{{1,2}}(?=\s|[A-Z]))?)"
    r"(?=\s|$|[A-Z“\"(])"
)
_PAREN = re.compile(r"\((?P<in>[A-Za-z]{1,6}|\d{1,3})\)(?=\s|$|[A-Z“\"(])")
_CLOSED = re.compile(r"(?P<in>[A-Za-z]{1,5}|\d{1,3})(?P<close>[.)])(?=\s|$)")
_MONTH_NAMES = """
january february march april may june july august september october november december
"""
_MONTHS = frozenset(_MONTH_NAMES.split())
_STREET = re.compile(
    r"\b(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane|drive|suite|floor|square|plaza)\b\.?", re.I
)
_REFERENCE = re.compile(
    r"(?:above|below|hereof|herein|thereof|of\b|through\b|and\b|or\b|to\b|,|shall\b|is\b|are\b|does\b|will\b|;)", re.I
)


class Reading(NamedTuple):
    """One way to read a number: the list that it belongs to, and its place there."""

    style: str
    """`decimal`, `article`, `part`, `exhibit`, or the shape of an item: "(a)", "(i)", "(A)", "(I)", "(1)", "a.", ..."""
    value: tuple[float, ...]
    """All levels of a decimal, one number else; "9A" is 9.01."""


class Marker(NamedTuple):
    """A number at the beginning of a line."""

    start: int
    end: int
    """Past the number and its full stop or colon."""
    label: str
    """The number without keyword and closing mark: "12.1", "(a)", "IV"."""
    keyword: str
    """"article", "section", "exhibit", ... in small letters, "" for none."""
    readings: tuple[Reading, ...]
    under: tuple[float, ...]
    """The decimals before the item in "12.1(a)", else ()."""
    look: tuple[str, bool]
    """How the number is written, and whether capitals follow: numbers of one list look alike."""
    strong: bool
    """Whether it is a section even where nothing came before it."""
    headed: bool
    """Whether a heading follows it on the line."""


def decimal(written: str) -> tuple[float, ...]:
    """The levels of a decimal number.

    >>> decimal("9A.1"), decimal("12.10")
    ((9.01, 1.0), (12.0, 10.0))
    """
    return tuple(_level(part) for part in written.split("."))


def _level(part: str) -> float:
    digits, letter = (part[:-1], part[-1]) if part[-1].isalpha() else (part, "")
    return float(digits) + ((ord(letter) - 64) / 100 if letter else 0.0)


def marker_of(line: Line, made: bool = False) -> Marker | None:
    """The number at the beginning of a line, None where there is none or where it only refers to a section.

    `made`: the word processor counted it, so that whatever follows is a section's text.

    >>> from lawng.clauses.sections.lines import lines_of
    >>> [m.label if (m := marker_of(line)) else None for line in lines_of("12.1 Cap\\n(a) if\\n12 days after\\n5%")]
    ['12.1', '(a)', None, None]
    """
    for read in (_keyword, _decimal, _item):
        found = read(line, made)
        if found:
            return found
    return None


def item_readings(inner: str, shape: str) -> Iterator[Reading]:
    """What stands between parentheses, or before a full stop, as letter, roman numeral or digits; `shape` has one *.

    >>> [reading.style for reading in item_readings("i", "(*)")]
    ['(a)', '(i)']
    """
    if inner.isdigit():
        yield Reading(shape.replace("*", "1"), (float(inner),))
        return
    small = inner.lower()
    if inner not in (small, inner.upper()):
        return
    for sign, value in (("a", from_letters(small)), ("i", from_roman(small))):
        if value is not None:
            yield Reading(shape.replace("*", sign if inner == small else sign.upper()), (float(value),))


def _keyword(line: Line, made: bool) -> Marker | None:
    match = _KEYWORD.match(line.text) or _ORDINAL.match(line.text)
    if not match:
        return None
    word, num, rest = match["word"].lower(), match["num"], line.text[match.end() :]
    style = _STRUCTURE.get(unaccented(word), DECIMAL)
    value = _value(num, style)
    if value is None or (not made and not _begins(rest, match["close"].strip(), line, style)):
        return None
    readings: tuple[Reading, ...] = (Reading(style, value),)
    if style == PART and len(num) == 1 and (letter := from_letters(num.lower())):
        readings = tuple(dict.fromkeys((*readings, Reading(style, (float(letter),)))))  # "Part C" may come after B
    under: tuple[float, ...] = ()
    label = num
    if match["par"] and style == DECIMAL:
        readings, under, label = tuple(item_readings(match["par"][1:-1], "(*)")), value, num + match["par"]
    kind = "section" if style == DECIMAL else word
    return _marker(line, match, label, kind, readings, under)


def _value(num: str, style: str) -> tuple[float, ...] | None:
    if num[0].isdigit():
        return decimal(num)
    roman = from_roman(num.lower()) if num.isupper() else None
    if style == EXHIBIT:
        return (0.0,) if len(num.partition("-")[0]) <= 2 or roman or from_word(num) else None
    value = roman or from_word(num) or (from_letters(num.lower()) if style == PART and len(num) == 1 else None)
    return None if value is None else (float(value),)


def _begins(rest: str, close: str, line: Line, style: str) -> bool:
    """Whether what follows "Section 12" begins a section, and does not go on with a sentence about one."""
    text = rest.strip()
    if not text:
        return True
    if _REFERENCE.match(text) or text[0].islower() or text[0] in ",;()":
        return False
    if style in (EXHIBIT, PART):
        return is_heading(text, sure=True) or is_titled(text.lstrip("–—-: "))
    if close or rest[:1] == "\t" or rest.startswith("  "):
        return True
    return (
        is_heading(text, sure=True) or run_in(text) > 0 or (text[0].isupper() and style == DECIMAL and "," not in text)
    )


def _decimal(line: Line, made: bool) -> Marker | None:
    match = _DECIMAL.match(line.text)
    if not match:
        return None
    num, close, rest = match["num"], match["close"], line.text[match.end() :]
    levels = decimal(num)
    if not made and not _decimal_begins(levels, close, rest):
        return None
    if match["par"]:
        readings = tuple(item_readings(match["par"][1:-1], "(*)"))
        return _marker(line, match, num + match["par"], "", readings, levels) if readings else None
    style = "1)" if close.startswith(")") and len(levels) == 1 else DECIMAL
    return _marker(line, match, num, "", (Reading(style, levels),), ())


def _decimal_begins(levels: tuple[float, ...], close: str, rest: str) -> bool:
    text = rest.strip()
    if not text:
        return bool(close) or len(levels) > 1
    first = text.lstrip("“\"'‘([_*")[:1]
    word = re.split(r"\W", text, maxsplit=1)[0].lower()
    if not first.isupper() or word in _MONTHS or levels[0] == 0:
        return False
    if len(levels) > 1 or close:
        return rest[0].isspace() or bool(close)
    # a bare number is an address or an amount, unless a tab or a heading follows it
    if _STREET.search(text[:60]) or text.startswith("("):
        return False
    return rest[0] == "\t" or rest.startswith("  ") or is_heading(text, sure=True) or is_capitals(text[: run_in(text)])


def _item(line: Line, made: bool) -> Marker | None:
    match = _PAREN.match(line.text) or _CLOSED.match(line.text)
    if not match:
        return None
    bracket, rest = match.group()[0] == "(", line.text[match.end() :].strip()
    shape = "(*)" if bracket else "*" + match["close"]
    readings = tuple(item_readings(match["in"], shape))
    if not made:
        if _REFERENCE.match(rest) and not bracket:
            return None
        if bracket and re.match(r"(?:above|below|hereof|of this|through|,|and \(|or \()", rest):
            return None
        if not bracket and match["close"] == "." and rest and not rest.lstrip('“"[(')[:1].isupper():
            return None
    return _marker(line, match, match.group().rstrip("."), "", readings, ()) if readings else None


def _marker(  # noqa: PLR0913, PLR0917 (the fields of one record)
    line: Line,
    match: re.Match[str],
    label: str,
    keyword: str,
    readings: tuple[Reading, ...],
    under: tuple[float, ...],
) -> Marker:
    rest = line.text[match.end() :].strip()
    head = rest[: run_in(rest)] or (rest if is_heading(rest, sure=True) else "")
    close = match.groupdict().get("close") or ""
    depth = len(readings[0].value) if readings else 1
    look = (f"{keyword}|{depth}|{close.strip()}|{'(' if '(' in label else ''}", is_capitals(head))
    strong = bool(keyword or under or depth > 1 or (close and head))
    end = line.start + match.end()
    return Marker(line.start, end, label, keyword, readings, under, look, strong, bool(head))


def heading_marker(line: Line) -> Marker:
    """A heading without a number as a marker: it ends the section before it."""
    look = ("", is_capitals(line.text))
    return Marker(line.start, line.start, "", "", (Reading(HEADING, (0.0,)),), (), look, True, True)
