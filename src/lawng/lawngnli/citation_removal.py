"""Citations taken out of a premise so that the text reads on naturally (LawngNLI, A.1.9).

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

from lawng.citation.signals import signal_before
from lawng.schema import Citation, Span
from lawng.text.paragraphs import BREAK

# Between two citations of one string: separators, a signal, a case-history phrase.
_HISTORY = (
    r"(?:(?:summarily\s+)?(?:aff(?:'|’)?[dg]|affirmed)|rev(?:'|’)?[dg]|cert\.|certiorari|reh(?:'|’)?g|vacated|reversed"
    r"|overruled|modified|(?:lv\.?|leave|rev\.|trans\.|pet\.)\s+(?:to\s+appeal\s+)?(?=denied|granted|dism|ref)|appeal\s+(?:dismissed|docketed)|appeal\s+dism(?:'|’)d|probable\s+jurisdiction)"
)
_SIGNAL = (
    r"(?:(?:but\s+|and\s+)?see|cf\.|accord|contra(?:st)?|compare|with|e\.\s?g\.|also|generally|especially"
    r"|quoting|citing(?:,\s+among\s+other\s+(?:cases|authorities)\b)?)"
)
_LINK = re.compile(
    rf"^\s*(?:[,;]\s*(?:and\s+)?(?<!,\sand\s))?(?:(?:{_SIGNAL}[\s,]*)+|{_HISTORY}[^.;()\n]{{0,60}}(?:denied|granted|dismissed|by|sub\s+nom\.)?[\s,]*)?$",
    re.IGNORECASE,
)
_SENTENCE_BEFORE = re.compile(r"(?:^|[.?!:—](?:\s?[\"'”’)\]])*|[.?!][\"'”’)\]]*\d{1,3})\s*$")
_SENTENCE_AFTER = re.compile(r"^\s*[.?!]?(?=$|\s+[\"'“‘(\[]*[A-Z0-9§]|\s*\n)|^\s*[.?!](?=[\"'”’]{1,2}(?:$|\s))")
_CLAUSE_BEFORE = re.compile(r"(?:[,;—–-]|[\"”’])\s*$")
_TAIL = re.compile(
    r"\s*\((?:[^()\n]|\([^()\n]*\))*\)"
    r"|(?<=\))[,;]\s*\d+(?:[-–]\d+)?(?=\s\()"
    r"|,?\s+at\s+[A-Z]?\d+[a-z]?(?:[-–]\w+)?"
    r"|,?\s*(?:§+|¶+)\s*\d+[\w()-]*"
    r"|,?\s+and\s+(?:other\s+|the\s+)?(?:cases|authorities)\s+(?:there\s+|therein\s+)?cited(?:\s+therein|\s+there)?"
)
_SWALLOWED = re.compile(
    r"[\s.,;:\"”’)]*(?:(?:[A-Z]\w+,?\s+)(?:\w+,?\s+){0,3}?in\s+(?=[A-Z])|[Ii]n\s+(?=[A-Z])|and\s+(?=[A-Z]))?"
)
# Before these the comma behind a cite parts what belongs together: "Roe v. Wade, [cite], held".
_GOES_ON = re.compile(
    r"^,\s+(?:(?:is|was|are|were|has|have|had|does|did|do|may|must|can|could|should|would|shall|will|that"
    r"|holds?|(?:up)?held|[a-z]+ed|found|made|gave|took|struck|left|says?|said|sets?"
    r"|(?:contain|involve|stand|make|give|show|require|support|control|present|rest|suggest|hold|establishe|teache|applie)s"
    r"|in|for|to|as|on|by|with|at|from|of)\b|(?:and|or|nor)\s+[A-Z])"
)
_PREPOSITION = re.compile(
    r"^[\s\"“(\[]*(?:but |and |yet |even |only |thus |similarly |likewise )?"
    r"(?:in|under|after|before|since|until|unlike|like|following|to|from|by|with|for|at|on|as)\b",
    re.IGNORECASE,
)
# The citing opinion's own parts and notes: "See n. 15, supra".
_OWN_PART = re.compile(
    r"\b(?:Parts?|Sections?|Chapters?|[Nn]otes?|nn?\.|pp?\.)\s[\w.&–-]+(?:,?\s(?:and|&)\s[\w.–-]+)*,?\s+$"
)
_COMMA_IN_QUOTATION = re.compile(r",(?=[\"'”’](?:\s?[\"'”’])?$)")
# As old opinions write: "Roe v. Wade, (1812) 1 Gallison, 5".
_YEAR = re.compile(r",?\s*[(\[]\d{4},?[)\]]$")
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
        for part in [*_comma_in_quotation(text, cut), cut] if cut else []:
            found.append(Span(max(part.start, found[-1].end) if found else part.start, part.end))
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
        if _stays(text, citation):
            continue
        start, end = _start(text, citation), _end(text, citation)
        gap = text[string.end : start] if string else ""
        if string and (start <= string.end or (gap.strip() and _LINK.match(gap))):
            string = string._replace(end=max(string.end, end))
            continue
        if string:
            yield string
        string = _String(start, end, citation)
    if string:
        yield string


def _stays(text: str, citation: Citation) -> bool:
    """Whether a mention is none of a case ("See n. 15, supra"), or only the half of a name ("Roe v. Wade, at 120")."""
    before = text[max(0, citation.start - 40) : citation.start]
    if citation.form == "reference":
        return before.endswith((" v. ", " vs. "))
    return citation.form == "supra" and (before.endswith("op. cit. ") or bool(_OWN_PART.search(before)))


def _start(text: str, citation: Citation) -> int:
    """Where the citation begins, its signal included, words that the name has swallowed not: "Similarly, in Roe"."""
    swallowed = _SWALLOWED.match(text[citation.full_start : citation.start])
    start = citation.full_start + (swallowed.end() if swallowed else 0)
    signal = signal_before(text, start)
    return signal[1] if signal else start


def _end(text: str, citation: Citation) -> int:
    """The citation's end, with pins that are no pages, further brackets and "and cases cited" right behind it."""
    # "Id." and "Ibid." have their own full stop, "supra." has the sentence's.
    stops = " ,;" if citation.form == "id" else " ,;."
    end = len(text[: max(citation.full_end, citation.end)].rstrip(stops))
    while found := _TAIL.match(text, end):
        end = found.end()
    return end


def _cut(text: str, string: _String) -> Span | None:
    paragraph, end = text.rfind(BREAK, 0, string.start), text.find(BREAK, string.end)
    before = text[0 if paragraph < 0 else paragraph + len(BREAK) : string.start]
    after = text[string.end : None if end < 0 else end]
    if bracketed := _in_brackets(text, string):
        return bracketed
    ends = bool(_SENTENCE_AFTER.match(after)) or (text[string.end - 1] == "." and not after.strip())
    if _SENTENCE_BEFORE.search(before):
        if after.startswith(";"):
            return _first_of_list(text, string)
        return _sentence(text, string) if ends else _in_line(text, string, before, after)
    if _CLAUSE_BEFORE.search(before) and (ends or re.match(r"\s*[,;.:—–]", after)):
        return _clause(text, string, after)
    if ends and string.first.form == "id":  # its sentence before has lost its full stop
        return Span(len(text[: string.start].rstrip()), string.end)
    return _in_line(text, string, before, after)


def _sentence(text: str, string: _String) -> Span:
    """The whole sentence with its full stop, and the blank before it."""
    stop = re.compile(r"\s*[.?!]").match(text, string.end)
    return _with_blank(text, string.start, stop.end() if stop else string.end)


def _with_blank(text: str, start: int, end: int) -> Span:
    if start > 0 and text[start - 1] == " ":
        return Span(start - 1, end)
    return Span(start, end + 1 if text[end : end + 1] == " " else end)


def _first_of_list(text: str, string: _String) -> Span:
    """The citations with their semicolon, without the signal: it is that of the statute or book behind them too."""
    name = text.find(string.first.name, string.start, string.end) if string.first.name else string.first.start
    end = string.end + 1
    return Span(name if name >= 0 else string.first.start, end + 1 if text[end : end + 1] == " " else end)


def _clause(text: str, string: _String, after: str) -> Span:
    """From the comma before the citations; the comma behind stays unless a verb follows."""
    start = len(text[: string.start].rstrip(" ,;—–-"))
    quoted = re.search(r",[\"'”’]\s*$", text[: string.start])  # has its comma already
    # ", and": the comma was there before the citation was.
    runs_on = _GOES_ON.match(after) and not re.match(r",\s+(?:and|or|nor)\b", after)
    return Span(start, string.end + 1 if after.startswith(",") and (quoted or runs_on) else string.end)


def _comma_in_quotation(text: str, cut: Span) -> list[Span]:
    """The comma that a quotation has only for the citation's sake, where a stop follows: "is basic,” Roe, supra." """
    if text[cut.end : cut.end + 1] not in (".", ";", ":"):
        return []
    comma = _COMMA_IN_QUOTATION.search(text[: cut.start], max(0, cut.start - 4))
    return [Span(comma.start(), comma.end())] if comma else []


def _in_line(text: str, string: _String, before: str, after: str) -> Span | None:
    """The cite without the name: the sentence is about the case."""
    first, end = string.first, string.end
    if not first.name:
        return None
    # where the name before the cite ends, its comma not included
    lead = _YEAR.sub("", text[first.full_start : first.start].rstrip(" ,([")).rstrip(" ,")
    name_end = first.full_start + len(lead)
    if "(" in text[name_end : first.start] and (closing := re.match(r"\s*\)", after)):
        return Span(name_end, end + closing.end())
    if after.startswith(",") and not _keeps_comma(before, after):
        end += 1
    return Span(name_end, end)


def _keeps_comma(before: str, after: str) -> bool:
    """Whether the comma behind a cite that goes is the sentence's own: "In Roe v. Wade, [cite], the Court"."""
    phrase = re.split(r",|(?<=[a-z)\]”\"]\.)\s+(?=[A-Z]|$)", before)[-1]
    if re.match(r",\s+(?:and|or|nor)\s+[A-Z]", after):
        return False
    return (bool(_PREPOSITION.match(phrase)) and (phrase != before or len(phrase) < 60)) or not _GOES_ON.match(after)


def _in_brackets(text: str, string: _String) -> Span | None:
    """The citations with the brackets that hold nothing else: "(See Roe v. Wade, 410 U.S. 113.)"."""
    opening = re.search(r"[(\[]\s*$", text[: string.start])
    closing = re.compile(r"\s*\.?\s*([)\]])").match(text, string.end)
    if not opening or not closing or closing[1] != _BRACKETS[opening[0].strip()]:
        return None
    return _with_blank(text, opening.start(), closing.end())
