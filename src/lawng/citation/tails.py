"""What follows a citation and its pins: the court and year in brackets, then all parentheticals, however nested."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lawng.citation.parentheticals import kind_of
from lawng.schema import Parenthetical

MAX_LENGTH = 6000
"""Longest parenthetical in characters; a bracket that stays open longer is taken for a misprint."""
_BRACKET = {"(": re.compile(r"[()]"), "[": re.compile(r"[\[\]]")}
_CLOSED_BY_SENTENCE = {"(": re.compile(r"\)(?=[.;,]|\s*$|\s[A-Z(])"), "[": re.compile(r"\](?=[.;,]|\s*$|\s[A-Z(])")}
_MISPRINT_LENGTH = 800
_LIST_LABEL = re.compile(r"(?:^|[\s(,;])(?:\d|[a-h]|i{1,3}|iv|v)$")
_YEAR = r"(?:1[6-9]|20)\d\d"
_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?\.?|July?\.?|Aug(?:ust|\.)?"
    r"|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_DATE = re.compile(
    rf"^(?P<court>.*?)\s?(?:{_MONTH}\s?)?(?:\d{{1,2}},?\s?)?(?P<year>{_YEAR})(?:\s?[-–/]\s?\d{{2,4}})?"
    r"(?:\s?T(?:erm|\.)|,?\s(?:unpublished|mem\.?|table|per curiam|en banc|rev\. ed\.|ed\.|Supp\.)[^()]{0,30}"
    # "Tex. App.—Austin 1999, pet. ref'd", "Kan. App. 1999, rev. denied"
    r"|,\s(?P<later>(?:no\s(?:pet|writ|appeal|hist)\b|(?:pet|writ|orig)\b|(?:review|rev\.|cert\.|leave(?:\sto\sappeal)?)"
    r"\s(?:denied|granted|filed|dism|pending|ref))[^()]{0,40}))?\s?$"
)
_COURT_WORD = re.compile(
    r"\b(?:Cir|Ct|App|Dist|Div|Dept|Sup|Super|Bankr|Crim|Civ|Comm|Ch|Cl|Err|Mun|Cty|Term|CA\s?\d|CADC|CAFC|CAF|CCPA|C\.\s?A|C\.\s?C\.\s?A|CCA"
    r"|[NSEWCM]\.?\s?D\.?|D\.\s?C|DC|CD|ED|ND|SD|WD|MD)\b"
)
_STATE_ALONE = re.compile(r"^(?:[A-Z][a-z]{1,5}\.|[A-Z]\.\s?[A-Z]\.|[A-Z][a-z]+|D\.\s?[A-Z][a-z]+\.?)$")
_LOWER = re.compile(r"(?<![\w.])[a-z]{3,}\b")
_LOWER_ALLOWED = frozenset(
    "unpublished per curiam banc mem table order decided filed argued slip for the and reported pet writ ref".split()  # noqa: SIM905
)
_ENUMERATION = re.compile(r"^(?:\d{1,2}|[a-zA-Z]{1,2}|[ivxIVX]{1,5})$")
_SKIPPED = re.compile(
    rf"^(?:Nos?\.\s?[\d,]+.{{0,20}}|\W*|{_YEAR}|\d+\s(?:[A-Z][\w.’' ]{{0,16}}|[A-Z]{{1,4}}\dd)\s\d+.{{0,60}})$"
)
"""Docket numbers, blanks to be filled, stray years, and cites of reporters in no table: nothing said of the case."""
_OPENING = re.compile(r"\s?(?=[(\[])|\s?,\s?(?=\((?:[a-z]|(?:1[6-9]|20)\d\d\)))")
_BRACKETED = re.compile(r"^(?:[a-z]+ing\b|[a-z][\w’'-]+\s+[\w’'-]+)")
_AFTER_STOP = re.compile(
    r"[.”\"]{1,3}\s(?=\((?:Emphas[ie]s|Citations?|Footnotes?|Italics|Internal|Quotation|Alterations?|Underscor|Interpolat)[^()]{0,80}\))"
)


def closing(text: str, opening: int) -> tuple[int, bool] | None:
    """Offset of the bracket that closes the one at `opening` and whether they are balanced; None where none does.

    A list label such as "a)" closes nothing as long as a later bracket does. If a bracket never closes (a misprint
    or an OCR error), the first closing bracket that ends a citation sentence is taken, within 800 characters.

    >>> closing("x (a (b) c) d", 2)
    (10, True)
    >>> closing("(because a) the fee and b) the fine)", 0)
    (35, True)
    >>> closing("(because (a) the fee. Next", 0)
    """
    for labels in (True, False):
        if (end := _balanced(text, opening, labels=labels)) is not None:
            return end, True
    last = min(len(text), opening + _MISPRINT_LENGTH)
    misprint = _CLOSED_BY_SENTENCE[text[opening]].search(text, opening + 1, last)
    return (misprint.start(), False) if misprint else None


def _balanced(text: str, opening: int, *, labels: bool) -> int | None:
    depth = 0
    kind = text[opening]
    for match in _BRACKET[kind].finditer(text, opening, min(len(text), opening + MAX_LENGTH)):
        if match.group() == kind:
            depth += 1
        elif not (labels and depth == 1 and _LIST_LABEL.search(text, max(opening, match.start() - 4), match.start())):
            depth -= 1
        if depth == 0:
            return match.start()
    return None


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a citation: year of decision, its parentheticals, and where it all ends."""

    year: int | None
    parentheticals: list[Parenthetical]
    end: int


def tail_after(text: str, start: int) -> Tail:
    """The tail of the citation whose core and pins end at `start`.

    >>> text = "410 U.S. 113 (1973) (en banc) (holding that (a) x is y). Next."
    >>> [found.text for found in tail_after(text, 12).parentheticals]
    ['en banc', 'holding that (a) x is y']
    """
    year, court_seen, position = None, False, start
    found: list[Parenthetical] = []
    while (bracket := _bracket(text, position)) is not None:
        opening, close, balanced = bracket
        inner = text[opening + 1 : close]
        date = None if found or court_seen else court_and_year(inner)
        if date is not None:
            year, court_seen = date[1], True
        elif _is_parenthetical(text[opening], inner):
            first = opening + 1 + len(inner) - len(inner.lstrip())
            said = inner.strip()
            found.append(Parenthetical(said, first, first + len(said), kind_of(said)))
        elif not _SKIPPED.match(inner.strip()):
            break
        position = close + 1
        if not balanced:
            break  # what follows may be the brackets of citations further on, to the end of the text
    return Tail(year, found, position)


def court_and_year(inner: str) -> tuple[str, int | None] | None:
    """The court and year of a bracket, or None when the bracket says something else (Bluebook R. 10.4, 10.5).

    A bare court has no year.

    >>> court_and_year("1st Cir.1991"), court_and_year("CA9")
    (('1st Cir.', 1991), ('CA9', None))
    >>> court_and_year("holding so in 1991") is None
    True
    """
    date = _DATE.match(inner)
    told = inner[: date.start("later")] if date and date["later"] else inner
    if len(inner) > 90 or not all(word in _LOWER_ALLOWED for word in _LOWER.findall(told)):
        return None
    if date is not None:
        return date["court"].strip(" ,"), int(date["year"])
    court = inner.strip()
    if _STATE_ALONE.match(court) or (_COURT_WORD.search(court) and "," not in court and len(court) < 46):
        return court, None
    return None


def _bracket(text: str, position: int) -> tuple[int, int, bool] | None:
    match = _OPENING.match(text, position) or _AFTER_STOP.match(text, position)
    if match is None:
        return None
    close = closing(text, match.end())
    return None if close is None else (match.end(), *close)


def _is_parenthetical(bracket: str, inner: str) -> bool:
    """Whether a bracket explains: not a list label, and in square brackets only words (California style)."""
    if _SKIPPED.match(inner.strip()) or _ENUMERATION.match(inner.strip()):
        return False
    return bracket == "(" or bool(_BRACKETED.match(inner))
