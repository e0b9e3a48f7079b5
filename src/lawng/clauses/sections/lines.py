"""The lines of a contract, and whether one may begin a paragraph: the places where a section may begin.

lines_of(text) -> list[Line]     is_wrapped(lines) -> bool     opens(lines, n, wrapped) -> bool
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

_LINE = re.compile(r"[^\n\f]*")
_ENDS = re.compile(r"[.:;,?!)\]”\"’'*_–—-]\s*$|\b(?:and|or|and/or|that|following)\s*$", re.IGNORECASE)
"""How a line ends before a list item or a section: with a mark, or the "and" before the last item."""
_REFERS = re.compile(
    r"(?:\b(?:sections?|secs?\.?|articles?|art\.?|clauses?|paragraphs?|subsections?|exhibits?|schedules?|annex|nos?\.?"
    r"|of|to|in|under|with|by|than|least|most|exceed|within|about|approximately|dated|the|an?|through|see|per)|§+|\$)\s*$",
    re.IGNORECASE,
)
"""How a line ends that breaks off before a number that it refers to."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank, without the blanks at its ends."""

    start: int
    end: int
    text: str
    after_blank: bool
    """Whether a blank line, or the beginning of the text or of a page, stands before it."""
    before_blank: bool
    indent: int

    @property
    def n_words(self) -> int:
        """Words by white space."""
        return len(self.text.split())


def lines_of(text: str) -> list[Line]:
    """The lines that are not blank, in order.

    >>> [(line.text, line.after_blank) for line in lines_of("1. Term\\nOne year.\\n\\n2. Fee")]
    [('1. Term', True), ('One year.', False), ('2. Fee', True)]
    """
    spans = [match.span() for match in _LINE.finditer(text) if match.end() > match.start() or _blank(text, match)]
    found = []
    for at, (start, end) in enumerate(spans):
        body = text[start:end]
        bare = body.strip()
        if not bare:
            continue
        first = start + body.index(bare[0])
        before = at == 0 or not text[slice(*spans[at - 1])].strip() or "\f" in text[spans[at - 1][1] : start]
        after = at + 1 == len(spans) or not text[slice(*spans[at + 1])].strip()
        found.append(Line(first, first + len(bare), bare, before, after, first - start))
    return found


def _blank(text: str, match: re.Match[str]) -> bool:
    """Whether an empty match is a blank line, not the seam between a line and its break."""
    return match.start() == 0 or text[match.start() - 1] in "\n\f"


def is_wrapped(lines: Sequence[Line]) -> bool:
    """Whether paragraphs are broken into lines of a fixed width, as in old filings: a line is no paragraph then."""
    inner = [line for line in lines if not line.after_blank]
    lower = sum(line.text[0].islower() for line in inner)
    return len(inner) >= 2 and lower >= 0.2 * len(inner) and median(line.end - line.start for line in lines) < 140


def opens(lines: Sequence[Line], n: int, wrapped: bool) -> bool:
    """Whether line `n` may begin a paragraph, so that a number at its beginning is not the end of a reference.

    >>> lines = lines_of("as set forth in Section\\n12.1 of this Agreement")
    >>> opens(lines, 1, wrapped=True)
    False
    """
    line = lines[n]
    if n == 0:
        return True
    before = lines[n - 1].text
    if line.after_blank:
        return True
    if _REFERS.search(before):
        return False
    return not wrapped or bool(_ENDS.search(before)) or len(before) < 0.6 * _width(lines, n)


def _width(lines: Sequence[Line], n: int) -> int:
    """How wide the lines around one are."""
    return max(len(line.text) for line in lines[max(0, n - 6) : n + 6])
