"""The sentence that a citation stands to, with the citations in it known, so that they can be left out.

CitingSentences(opinion, citations)     the sentences of one opinion
whole_citations(citations)              the spans of citations as a reader sees them
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache

from lawng.citation.signals import history_between, history_end, history_start, undoing_before
from lawng.schema import Citation, Opinion, Span
from lawng.text.sentences import sentence_spans

_FEWEST_WORDS = 5
"""A sentence with fewer words beside its citations ("See also Roe.") says what the one before it says."""
_MOST_WORDS = 120
"""What is longer is cut there: an encoder reads no more."""
_MOST_BACK = 2
"""Sentences before it that are taken with it, at most."""
_CHARACTERS_BEFORE = 700
_WORD = re.compile(r"\b[a-z]{3,}\b")
"""Words that say something; names, numbers and reporters do not begin with a small letter."""
_BRACKET = re.compile(r"[()]")
_LABEL = re.compile(r"(?<!\w)(?:[A-Za-z]|[ivx]+|\d{1,3})$")
"""Before the bracket of an item in a sentence: "1) the tenant"."""
_JOINED = re.compile(r"\s*(?:,|,?\s*(?:and|&))\s*")
_CUT = "…"
"""Stands where a citation was inside a sentence."""
_TIDY = (
    (re.compile(r"\s+"), " "),
    (re.compile(rf"{_CUT}(?:[\s,;]|{_CUT})*{_CUT}"), _CUT),
    (re.compile(rf"\([\s,;.]*{_CUT}?[\s,;.]*\)"), ""),
    (re.compile(rf"(?<=[.?!”’\"']) ?{_CUT} ?[.,;]?"), ""),
    (re.compile(rf" ?[,;:]? ?{_CUT}[ .,;]*$"), ""),
    (re.compile(rf"^[ .,;:)—–{_CUT}]+"), ""),
    (re.compile(r"(?<=\() | (?=[,;.)])"), ""),
    (re.compile(r"\s+"), " "),
)
"""What to replace in the order given, so that of a string citation nothing is left but the mark where it stood."""


def whole_citations(citations: Sequence[Citation]) -> list[Span]:
    """The spans of citations as a reader sees them, overlapping ones as one; ascending."""
    return merged([Span(min(c.full_start, c.start), max(c.full_end, c.end)) for c in citations])


def _with_history(text: str, spans: Sequence[Span]) -> list[Span]:
    """The spans with the history of their cases: "Roe, 1 U.S. 2, rev'd, 3 U.S. 4" is one, as "Roe, cert. denied" is.

    And as "overruling Roe" is behind a comma.
    """
    found: list[Span] = []
    for span in spans:
        end = history_end(text, span.end)
        gap = text[found[-1].end : span.start] if found else ""
        # "A, rev'd, B" is one; in "A, overruled B" and in the sentence after "A, affirmed." words would be lost
        if gap.rstrip().endswith(",") and history_between(text, found[-1].end, span.start):
            found[-1] = Span(found[-1].start, end)
        else:
            found.append(Span(history_start(text, span.start), end))
    return found


def merged(spans: Sequence[Span]) -> list[Span]:
    """The spans, those that overlap as one, ascending."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if found and span.start < found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def says_something(text: str) -> bool:
    """Whether a text has words enough beside names, numbers and reporters to be what a case is cited for.

    >>> says_something("See also Roe."), says_something("the State may tax all land")
    (False, True)
    """
    return len(_WORD.findall(text)) >= _FEWEST_WORDS


class CitingSentences:
    """The sentences of an opinion, paragraph by paragraph, with their citations known."""

    def __init__(self, opinion: Opinion, citations: Sequence[Citation]) -> None:
        self._text = opinion.text
        self._whole = whole_citations(citations)
        self._kept = _with_history(opinion.text, self._whole)
        self._kept_starts, self._kept_ends = [s.start for s in self._kept], [s.end for s in self._kept]
        self._paragraphs = sorted({(p.start, p.end) for p in opinion.paragraphs})
        self._starts = [start for start, _ in self._paragraphs]
        self._of = lru_cache(maxsize=1)(self._of_paragraph)

    def around(self, place: int) -> Span | None:
        """The sentence at a place, with those before it that it needs; None outside of paragraphs."""
        number = bisect_right(self._starts, place) - 1
        if number < 0 or place >= self._paragraphs[number][1]:
            return None
        sentences = self._of(number)
        last = max((n for n, s in enumerate(sentences) if s.start <= place), default=0)
        for first in range(last, max(last - _MOST_BACK, 0) - 1, -1):
            span = Span(sentences[first].start, sentences[last].end)
            if says_something(self.words_of(span)):
                break
        return span

    def undone(self, place: int) -> str | None:
        """What its sentence does to the case that is cited at a place ("overruling"), or to one joined to it before."""
        at = bisect_right(self._whole, place, key=lambda span: span.start) - 1
        while at >= 0:
            start = self._whole[at].start
            found = undoing_before(self._text, start)
            if found or at == 0 or not _JOINED.fullmatch(self._text[self._whole[at - 1].end : start]):
                return found
            at -= 1
        return None

    def before(self, place: int) -> str:
        """Up to 700 characters of the paragraph before a place, white space collapsed."""
        number = bisect_right(self._starts, place) - 1
        start = max(self._paragraphs[number][0], place - _CHARACTERS_BEFORE) if number >= 0 else place
        return " ".join(self._text[start:place].split())

    def words_of(self, span: Span) -> str:
        """The text of a span, with a mark for each citation that stands inside a sentence; white space collapsed."""
        left = _closed(f" {_CUT} ".join(self._text[gap.start : gap.end] for gap in self.between(span)))
        for found, instead in _TIDY:
            left = found.sub(instead, left)
        words = left.split()
        return " ".join(words) if len(words) <= _MOST_WORDS else " ".join([*words[:_MOST_WORDS], _CUT])

    def between(self, span: Span) -> list[Span]:
        """The stretches of a span between its citations, before the first and behind the last; some may be empty."""
        edges = [span.start]
        for kept in self._citations(span.start, span.end):
            edges += [max(edges[-1], kept.start), min(kept.end, span.end)]
        edges.append(span.end)
        return [Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=True)]

    def _citations(self, start: int, end: int) -> list[Span]:
        """The citations that lie, at least in part, between two places."""
        return self._kept[bisect_right(self._kept_ends, start) : bisect_left(self._kept_starts, end)]

    def _of_paragraph(self, number: int) -> list[Span]:
        start, end = self._paragraphs[number]
        return sentence_spans(self._text, start, end, self._citations(start, end))


def _closed(text: str) -> str:
    """The text without brackets that a citation took the partner of: "in … ), it is" gives "in … , it is".

    A bracket without a partner that stands before any citation, or behind the number of an item ("1) the tenant"), is
    the text's own.
    """
    opened: list[int] = []
    single: set[int] = set()
    for match in _BRACKET.finditer(text):
        if match[0] == "(":
            opened.append(match.start())
        elif opened:
            opened.pop()
        else:
            single.add(match.start())
    lost = {at for at in single.union(opened) if _beside_cut(text, at)}
    lost |= {at for at in single if _CUT in text[:at] and not _LABEL.search(text, 0, at)}
    return "".join(character for at, character in enumerate(text) if at not in lost)


def _beside_cut(text: str, at: int) -> bool:
    return text[:at].rstrip(" ,;.").endswith(_CUT) or text[at + 1 :].lstrip(" ,;.").startswith(_CUT)
