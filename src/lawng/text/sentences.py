"""Where sentences of an opinion begin, so that a text is cut there and not inside a citation."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from lawng.schema import Span

_END = re.compile(r"([.?!])[\"'”’)\]]*\d{0,3}(\s+)(?=[\"'“‘(\[]*[A-Z0-9§\[])")
_WORDS = """
    v vs mr mrs ms dr jr sr inc co cos corp ltd bros st ed eds app ct cir dist div supp stat const cf see e.g i.e id
    ibid rev reg regs fed assn ass'n dept dep't gen gov sen rep reps hon jj j cj ser cong sess mem op ann tit subd
    comm'r int'l nat'l r.r ry jan feb mar apr aug sept oct nov dec nom
"""
_CAPITAL_WORDS = """
    ala ariz ark cal colo conn del fla ga ill ind kan ky la mass md mich minn miss mo mont neb nev okla pa tenn tex va
    vt wash wis wyo penn comp civ crim prac proc rem evid oblig pen prob bus prof saf bankr treas pub
    admin ins mut tr dkt br arg ex exh exs def pl defs pls pet resp sgt det lt capt cpl cmdr orig mun twp ord jur am
    super sup
"""
"""Only with a capital letter: "Ky. Rev. Stat.", but "his pen. Smith"; states, codes, papers of a case, ranks."""
_OPENERS = """
    the a an this that these those he she it they we i you his her its their our there here in on at by for from with
    under when where while after before if as because although but and or so yet nor however thus then that's such no
    not both each all some any neither what who which how why once since until upon see cf id accord therefore moreover
    accordingly furthermore further indeed finally first second third additionally similarly likewise instead also even
    nevertheless nonetheless consequently hence whether during without despite congress counsel plaintiff plaintiffs
    defendant defendants petitioner petitioners respondent respondents appellant appellants appellee appellees claimant
"""
_BEFORE_NUMBERS = "no nos art arts sec secs cl ch chs pt pts par pars n nn p pp vol vols amdt amdts"
_NUMBERED = frozenset(_BEFORE_NUMBERS.split())
"""Words whose full stop a number follows."""
_LONGEST = 20
"""Characters to look back for a word: none is longer."""
_NUMBERS = frozenset("0123456789§")
_ABBREVIATIONS = frozenset(_WORDS.split())
"""Words that a full stop follows without ending a sentence, in lower case; single letters are taken for initials."""
_CAPITALS = frozenset(_CAPITAL_WORDS.split())
_FIRMS = frozenset(("inc", "co", "cos", "corp", "ltd", "bros", "jr", "sr", "assn", "ass'n"))
_OPENING = frozenset(_OPENERS.split())
"""Words that begin sentences and hardly a name: what "Acme, Inc." or "the U.S." ends before them is a sentence."""
_NEXT = re.compile(r"[\"'“‘(\[]*(?!In re\b|AND\b)([A-Za-z’']+)")
_INITIALS = re.compile(r"(?!(?:a\.m|p\.m)$)(?:[a-z]\.)+[a-z]$")
"""Of a country, a court, a person, without the last stop: "u.s"; no "5:30 p.m" and no "12.02"."""


def sentence_spans(text: str, start: int, end: int, kept: Sequence[Span] = ()) -> list[Span]:
    """The sentences of a stretch of text, without the blanks between them; nothing else is left out.

    `kept` are spans that no sentence may end in, ascending, such as whole citations.

    >>> text = "So held. See Roe v. Wade, 410 U.S. 113. We affirm."
    >>> [text[s.start : s.end] for s in sentence_spans(text, 0, len(text))]
    ['So held.', 'See Roe v. Wade, 410 U.S. 113.', 'We affirm.']
    """
    starts = [start, *_breaks(text, start, end, kept)]
    return [span for a, b in zip(starts, [*starts[1:], end], strict=True) if (span := trimmed(text, a, b))]


def trimmed(text: str, start: int, end: int) -> Span | None:
    """The stretch without white space at its ends, None when nothing is left."""
    body = text[start:end]
    first = start + len(body) - len(body.lstrip())
    last = start + len(body.rstrip())
    return Span(first, last) if first < last else None


def inside(place: int, kept: Sequence[Span], ends: Sequence[int]) -> bool:
    """Whether a cut at `place` would part one of the spans; `ends` are theirs, ascending."""
    at = bisect_right(ends, place)
    return at < len(kept) and kept[at].start < place


def _breaks(text: str, start: int, end: int, kept: Sequence[Span]) -> Iterator[int]:
    ends = [span.end for span in kept]
    for match in _END.finditer(text, start, end):
        if not (_is_abbreviation(text, start, match) or inside(match.start(2), kept, ends)):
            yield match.end(2)


def _is_abbreviation(text: str, start: int, match: re.Match[str]) -> bool:
    words = text[max(start, match.start() - _LONGEST) : match.start()].rsplit(maxsplit=1)
    written = words[-1].lstrip("(“‘\"'[—") if words else ""
    bare = written.lower()
    if match[1] != ".":
        return False
    known = bare in _ABBREVIATIONS or (written[:1].isupper() and bare in _CAPITALS)
    if text[match.end() : match.end() + 1] in _NUMBERS:
        return known or "." in bare or bare in _NUMBERED  # "410 U.S. 113", "42 U.S.C. § 1983", "No. 5"
    if bare in _FIRMS or _INITIALS.match(bare):  # "worked for Acme, Inc. He sued"; "the U.S. Constitution"
        following = _NEXT.match(text, match.end())
        return (known and bare not in _FIRMS) or not (following and following[1].lower() in _OPENING)
    return known or (len(bare) == 1 and bare.isalpha())
