"""Citations taken out of a premise so that the text reads on naturally (LawngNLI, A.1.9).

    cuts(text, citations) -> list[Span]                 what is taken out of an opinion's text
    without(text, cuts, within=None) -> str             the text, or a stretch of it, without them

Nothing is put in, so what is left can be traced to its place. By where a citation stands:

    sentence   "... so held. See Roe v. Wade, 410 U.S. 113 (1973). But"     ->  "... so held. But"
    clause     "The rule is old, Roe v. Wade, 410 U.S. 113 (1973), and"     ->  "The rule is old, and"
    in-line    "In Roe v. Wade, 410 U.S. 113 (1973), the Court held"        ->  "In Roe v. Wade, the Court held"
    left       "as we said in 410 U.S., at 120, n. 5"                       ->  stays: without it "in" would hang
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lawng.citations.signals import signal_before
from lawng.nli.paragraphs import BREAK
from lawng.records import Citation, Span

# Between two citations of one string: separators, a signal, a case-history phrase.
_HISTORY = (
    r"(?:aff(?:'|’)?[dg]|rev(?:'|’)?[dg]|cert\.|certiorari|reh(?:'|’)?g|vacated|affirmed|reversed|overruled|modified)"
)
_SIGNAL = (
    r"(?:(?:but\s+|and\s+)?see|cf\.|accord|contra|compare|with|e\.\s?g\.|also|generally|especially|quoting|citing)"
)
_LINK = re.compile(
    rf"^[\s,;]*(?:(?:{_SIGNAL}[\s,]*)+|{_HISTORY}[^.;()\n]{{0,60}}(?:denied|granted|dismissed|by|sub\s+nom\.)?[\s,]*)?$",
    re.IGNORECASE,
)
_SENTENCE_BEFORE = re.compile(r"(?:^|[.?!:—][\"'”’)\]]*|[.?!][\"'”’)\]]*\d{1,3})\s*$")
_SENTENCE_AFTER = re.compile(r"^\s*[.?!]?(?=$|\s+[\"'“‘(\[]*[A-Z0-9§]|\s*\n)")
_CLAUSE_BEFORE = re.compile(r"(?:[,;—–-]|[\"”’])\s*$")
_BARE_WORD_BEFORE = re.compile(
    r"(?:^|\s)(?:in|of|by|at|with|from|to|under|on|see|and|or|than|that|is|the|as|for|cf\.)\s*$", re.I
)
_TAIL_PARENTHETICAL = re.compile(r"\s*\((?:[^()\n]|\([^()\n]*\))*\)")
# After these a comma would part subject and verb: "Roe v. Wade, [cite], held".
_VERB_AFTER = re.compile(
    r"^,\s+(?=(?:is|was|are|were|has|have|had|does|did|do|may|must|can|could|should|would|shall|will|that|which|and|or|nor"
    r"|holds?|held|[a-z]+ed)\b)"
)
_PREPOSITION = re.compile(
    r"^[\"“(\[]*(?:but |and |yet |thus,? |as |even |only |moreover, |similarly, |likewise, )?"
    r"(?:in|under|after|before|since|until|unlike|like|following|to|from|by|with|for|at|on)\b",
    re.IGNORECASE,
)
_BRACKETS = {"(": ")", "[": "]"}


class _String(NamedTuple):
    """Citations that stand together: one, a parallel group, or a string cite."""

    start: int
    end: int
    first: Citation


def cuts(text: str, citations: Iterable[Citation]) -> list[Span]:
    """What is taken out of the text, in order, without overlaps (LawngNLI, A.1.9; units: characters).

    `citations` are all citations of the text. As many go "as it can": one that the sentence leans on stays.
    """
    found: list[Span] = []
    for string in _strings(text, sorted(citations, key=lambda c: (c.full_start, c.start))):
        cut = _cut(text, string)
        if cut and cut.start < cut.end:
            found.append(Span(max(cut.start, found[-1].end) if found else cut.start, cut.end))
    return [cut for cut in found if cut.start < cut.end]


def without(text: str, removed: Sequence[Span], within: Span | None = None) -> str:
    """The text, or a stretch of it, without the cuts; paragraphs that were nothing but citations go too.

    >>> without("So held. Id., at 3. Reversed.", [Span(8, 19)])
    'So held. Reversed.'
    """
    place, end = (within.start, within.end) if within else (0, len(text))
    pieces = []
    for cut in removed:
        if cut.end <= place or cut.start >= end:
            continue
        pieces.append(text[place : max(place, cut.start)])
        place = min(cut.end, end)
    pieces.append(text[place:end])
    paragraphs = (paragraph.strip() for paragraph in "".join(pieces).split(BREAK))
    return BREAK.join(paragraph for paragraph in paragraphs if re.search(r"\w", paragraph))


def _strings(text: str, citations: Sequence[Citation]) -> Iterable[_String]:
    string: _String | None = None
    for citation in citations:
        start, end = _start(text, citation), _end(text, citation)
        if string and (start <= string.end or _LINK.match(text[string.end : start])):
            string = string._replace(end=max(string.end, end))
            continue
        if string:
            yield string
        string = _String(start, end, citation)
    if string:
        yield string


def _start(text: str, citation: Citation) -> int:
    signal = signal_before(text, citation.full_start)
    return signal[1] if signal else citation.full_start


def _end(text: str, citation: Citation) -> int:
    """The citation's end, further brackets right behind it included."""
    end = max(citation.full_end, citation.end)
    while found := _TAIL_PARENTHETICAL.match(text, end):
        end = found.end()
    return end


def _cut(text: str, string: _String) -> Span | None:
    before = text[_paragraph_start(text, string.start) : string.start]
    after = text[string.end : _paragraph_end(text, string.end)]
    if bracketed := _in_brackets(text, string):
        return bracketed
    ends = bool(_SENTENCE_AFTER.match(after)) or (text[string.end - 1] == "." and not after.strip())
    if _SENTENCE_BEFORE.search(before):
        return _sentence(text, string) if ends else _in_line(text, string, before, after)
    if _CLAUSE_BEFORE.search(before) and (ends or re.match(r"\s*[,;.]", after)):
        return _clause(text, string, after)
    return _in_line(text, string, before, after)


def _sentence(text: str, string: _String) -> Span:
    """The whole sentence with its full stop, and the blank before it."""
    end = string.end
    if found := re.compile(r"\s*[.?!]").match(text, end):
        end = found.end()
    return _with_blank(text, string.start, end)


def _with_blank(text: str, start: int, end: int) -> Span:
    if start > 0 and text[start - 1] == " ":
        return Span(start - 1, end)
    return Span(start, end + 1 if text[end : end + 1] == " " else end)


def _clause(text: str, string: _String, after: str) -> Span:
    """From the comma before the citations; the comma behind stays unless a verb follows."""
    start = len(text[: string.start].rstrip(" ,;—–-"))
    found = _VERB_AFTER.match(after)
    # ", and": the comma was there before the citation was.
    drop = found is not None and not re.match(r",\s+(?:and|or|nor|which)\b", after)
    return Span(start, string.end + 1 if drop else string.end)


def _in_line(text: str, string: _String, before: str, after: str) -> Span | None:
    """The cite without the name: the sentence is about the case."""
    core = string.first
    name_end = _name_end(text, core)
    if name_end is None:
        if _BARE_WORD_BEFORE.search(before) or _SENTENCE_BEFORE.search(before):
            return None
        return Span(len(text[: string.start].rstrip(" ")), string.end)
    end = string.end
    if after.startswith(",") and not _opens_with_preposition(text, string.start, name_end):
        end += 1
    return Span(name_end, end)


def _name_end(text: str, citation: Citation) -> int | None:
    """Where the case name before the cite ends, its comma not included; None without a name."""
    if not citation.name:
        return None
    lead = text[citation.full_start : citation.start]
    found = lead.rfind(citation.name)
    if found < 0:
        return citation.full_start + len(lead.rstrip(" ,")) if re.search(r"\w", lead) else None
    return citation.full_start + found + len(citation.name.rstrip(" ,"))


def _opens_with_preposition(text: str, start: int, name_end: int) -> bool:
    """Whether the sentence opens with "In Roe v. Wade": the comma behind that phrase must stay."""
    paragraph = text[_paragraph_start(text, start) : name_end]
    opening = re.split(r"(?<=[a-z)\]”\"]\.)\s+(?=[A-Z])", paragraph)[-1]
    return len(opening) < 160 and bool(_PREPOSITION.match(opening))


def _in_brackets(text: str, string: _String) -> Span | None:
    """The citations with the brackets that hold nothing else: "(See Roe v. Wade, 410 U.S. 113.)"."""
    opening = text[string.start - 1 : string.start]
    found = re.compile(r"\s*\.?\s*([)\]])").match(text, string.end)
    if opening not in _BRACKETS or not found or found[1] != _BRACKETS[opening]:
        return None
    return _with_blank(text, string.start - 1, found.end())


def _paragraph_start(text: str, place: int) -> int:
    found = text.rfind(BREAK, 0, place)
    return 0 if found < 0 else found + len(BREAK)


def _paragraph_end(text: str, place: int) -> int:
    found = text.find(BREAK, place)
    return len(text) if found < 0 else found
