"""The lines of a contract: which may begin a paragraph, and which are headings.

lines_of(text) -> list[Line]     is_wrapped(lines) -> bool     opens(lines, n, wrapped) -> bool
is_heading(text) -> bool     run_in(text) -> int     is_capitals(text) -> bool
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

_BREAK = re.compile(r"[\n\f]")
_ENDS = re.compile(r"[.:;,?!)\]”\"’'*_–—-]\s*$|\b(?:and|or|and/or|that|following)\s*$", re.IGNORECASE)
"""How a line ends before a list item or a section: with a mark, or the "and" before the last item."""
_REFERS = re.compile(
    r"(?:\b(?:sections?|secs?\.?|articles?|art\.?|clauses?|paragraphs?|subsections?|exhibits?|schedules?|annex|nos?\.?"
    r"|of|to|in|under|with|by|than|least|most|exceed|within|about|approximately|dated|the|an?|through|see|per"
    r"|art[íi]culos?|cl[áa]usulas?|anexos?|del?|la|el|los|las|en)|§+|\$)\s*$",
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
    breaks = [match.start() for match in _BREAK.finditer(text)]
    spans = list(zip([0, *(at + 1 for at in breaks)], [*breaks, len(text)], strict=True))
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
    width = max(len(around.text) for around in lines[max(0, n - 6) : n + 6])
    return not wrapped or bool(_ENDS.search(before)) or len(before) < 0.6 * width


LONGEST = 14
"""Words; a longer line is a sentence."""
_SMALL_WORDS = """
a an and as at but by for from in into its of on or other than that the this to under upon via vs with within
without not no per between against during after before all any if
de del el la las los y o en por para con al
"""
_SMALL = frozenset(_SMALL_WORDS.split())
_SENTENCE_WORDS = """
shall will may must can is are was were be been has have had does do did agrees agree means hereby acknowledges
represents warrants constitutes includes provided herein thereof hereof it they you we he she
es rige rigen obliga obligan reconoce reconocen declara declaran
"""
_SENTENCE = frozenset(_SENTENCE_WORDS.split())
"""Words that a sentence has and a heading has not."""
_FUTURE = re.compile(r"[aei]rán?$")
"""How a verb ends in Spanish contracts, where English ones say "shall"."""
_WORD = re.compile(r"[^\W\d_][\w’'&/.-]*")
_MARK = re.compile(r"[.:](?=\s|$)|\.-\s|\.?\s?(?:--+|[–—])\s?|\s-\s|[.:](?=[A-Z“\"])")
"""What ends a heading that text runs in after."""
_ABBREVIATED = re.compile(r"\b(?:No|Inc|Ltd|Co|Corp|vs?|e\.g|i\.e|etc|Mr|Dr|St|U\.S|[A-Z])$")


def is_capitals(text: str) -> bool:
    """Whether all letters are capitals, of which there are three at least.

    >>> is_capitals("LIMITATION OF LIABILITY"), is_capitals("Term"), is_capitals("A.")
    (True, False, False)
    """
    letters = [c for c in text if c.isalpha()]
    return len(letters) >= 3 and not any(c.islower() for c in letters)


def is_titled(text: str) -> bool:
    """Whether every word but the small ones begins with a capital.

    >>> is_titled("Limitation of Liability"), is_titled("Time is of the essence")
    (True, False)
    """
    words = [word for word in _WORD.findall(text) if word.lower() not in _SMALL]
    return bool(words) and all(word[0].isupper() for word in words)


def is_heading(text: str, sure: bool = False) -> bool:
    """Whether a line that stands by itself is a heading; `sure` where a number or a style before it says so.

    >>> is_heading("LIMITATION OF LIABILITY"), is_heading("This Agreement ends."), is_heading("Limitation of liability")
    (True, False, False)
    >>> is_heading("Limitation of liability", sure=True)
    True
    """
    bare = text.strip().rstrip(".:")
    words = _WORD.findall(bare)
    if not words or len(bare.split()) > LONGEST or text.rstrip()[-1] in ",;" or re.search(r"[.;:]\s", bare):
        return False
    if "___" in text or bare[0] in '([“"' or re.search(r"\.{3,}|\t\d+$", text):
        return False
    if is_capitals(bare):
        return not text.rstrip().endswith(".") or sure
    if sure:
        return is_titled(bare) or not _has_verb(words)
    return is_titled(bare) and text.rstrip()[-1] not in ".:" and len(words) <= 9


def run_in(text: str) -> int:
    """How long a heading is that the text of a section begins with, its full stop left out; 0 when there is none.

    >>> text = "Cap on Liability. In no event shall either party pay more."
    >>> text[:run_in(text)]
    'Cap on Liability'
    >>> run_in("Customer shall pay. Time is of the essence."), run_in("Fees are due.")
    (0, 0)
    """
    for match in _MARK.finditer(text, 0, 140):
        words = text[: match.start()]
        if match.group()[0] in ".:" and _ABBREVIATED.search(words) and not is_capitals(words):
            continue
        return len(words.rstrip()) if _is_run_in(words, text[match.end() :]) else 0
    return 0


def _is_run_in(words: str, rest: str) -> bool:
    found = _WORD.findall(words)
    if not found or len(words.split()) > 10 or not found[0][0].isupper():
        return False
    following = rest.strip()
    if following and following[0].islower() and not words.rstrip()[-1:].isupper():
        return False
    if is_capitals(words) or is_titled(words):
        return not _has_verb(found) or (is_capitals(words) and len(found) <= 8)
    return len(found) <= 6 and not _has_verb(found)


def _has_verb(words: Sequence[str]) -> bool:
    return any(word in _SENTENCE or _FUTURE.search(word) for word in map(str.lower, words))
