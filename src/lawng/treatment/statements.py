"""What an opinion says around each mention of a case: the sentences, with the cases in them numbered or masked.

sentences_of(every, opinions) -> list[Sentence]      every sentence that speaks of a case
Sentence.masked(number) -> str                       the same from the side of one case
told_in(sentence) -> list[Told]                      that one case overruled or reversed another, as a third tells

Seen from one case's side its mentions are TARGET, those of others CASE, and cases joined by commas and "and" are one
("Swift, Tyson and TARGET are overruled"). So the words around TARGET are of what is done to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from lawng.citation.citing import merged
from lawng.citation.signals import history_between
from lawng.schema import Opinion, Span
from lawng.text.sentences import sentence_spans
from lawng.treatment.governed import CASE, TARGET, clause_before, is_framed
from lawng.treatment.mentions import Cited, Mention

_NUMBERED = re.compile(r"@(\d+)@")
_POINTING = re.compile(
    r"\b(?:(?:that|this|the|those|these|both|such) (?:\w+ )?(?:cases?|decisions?|holdings?|rulings?|precedents?"
    r"|opinions?|judgments?|doctrines?|rules?|analys[ie]s|approach|views?)|its (?:holding|reasoning|rule|rationale))\b"
    r"(?! (?:below|under review|appealed)\b| of (?:the (?:\w+ )?court|the board|the commission)\b)"
    r"|^(?:\W|(?:But|And|Thus|Yet|Moreover|Nor|Indeed|Rather|Instead|So|Hence|Accordingly|Although|Insofar as|Because"
    r"|To the extent(?: that)?|Nevertheless|Therefore|Also|Here|Nonetheless|However)\b)*"
    r"(?:it(?! is (?:\w+ ){0,2}(?:ordered|adjudged|decreed)\b)|its|they)\b",
    re.IGNORECASE,
)
"""Words of a sentence that speak of the case before it, without naming it."""
_DOING_SO = re.compile(r"(?:And |Today,? )?we (?:\w+,? )?do so(?: now| today| here)?\.", re.IGNORECASE)
"""A sentence that does what the one before it speaks of."""
_MANY = re.compile(r"\b(?:those|these|both|they)\b", re.IGNORECASE)
_SAYING = re.compile(r"\b[a-z]{2,}\b")
_SIGNALS = frozenset(
    str.split(
        "see also cf accord and but compare with in at generally contra contrast ibid supra infra note eg citing"
        " quoting for example"
    )
)
"""A sentence with no other words beside its citations ("See also Roe.") is read with the one before it."""
_SAME = re.compile(r"@(\d+)@(?: v\.? [\w.’'& ]{0,40}?@\1@)+")
"""Both parties of one name."""
_ONE = rf"(?:{CASE}|{TARGET})(?: \([^()]*\))?"
_LIST = re.compile(rf"{_ONE}(?:(?:,? (?:and|&|or|nor) |[,;] (?:and )?){_ONE})+")
"""Cases that one verb is about; behind "; see" stands what supports it."""
_SAID = re.compile(r"\b(?:overrul|abrogat|revers|disapprov|vacat|affirm|reject|supersed|limit|criticiz|distinguish)")
_SEPARATELY = re.compile(r"dissent|concur")
_NAMES = frozenset(("name", "own"))
"""Forms of mentions that are no citations."""
_LONGEST_WEIGHT = 80
_LONGEST = 3000
"""Characters of a sentence that are looked at: what is longer is a table, or was not read well."""
_BLANKS = re.compile(r"\s+")
_NEXT = r"@\d+@(?!,? (?:in part |in effect )?(?:overrul|abrogat))"
_PART = r"(?: \([^()]*\))?"
_NUMBERS = rf"@\d+@(?:{_PART}(?:,? (?:and|&|or) |, ){_NEXT})*"
_WITHIN = rf"@\d+@(?:(?:,? (?:and|&|or) |[,;] (?:and |see also )?){_NEXT})*"
"""In brackets a semicolon parts what is overruled; outside it begins what another case did."""
_HOW = (
    r"(?:,? ?(?:in part|in effect|in substance|expressly|explicitly|implicitly|thereby|effectively|sub silentio"
    r"|on (?:an)?other (?:grounds?|points?)|pro tanto|which|that|part of|the holding (?:of|in)"
    r"|(?:our|its|the) (?:(?:earlier|prior|previous) )?(?:decisions?|holdings?|rule) (?:in|of)))*"
)
_DONE = r"\b(?:overrul(?:ed|es|ing)|abrogat(?:ed|es|ing))"
_NAME = r"(?:,? [“\"]?(?:[A-Z][\w.’']*|v\.|of|and))*"
"""What is left of a name before its number."""
_UNSAID = re.compile(
    r"\b(?:not|never|neither|nor|whether|if|declin\w*|refus\w*|ask\w*|urg\w*"
    r"|would|could|might|nearly|all but|had we|argu\w*|should|must|call\w*"
    r"|reconsider\w*|be)\b",
    re.IGNORECASE,
)
_WHEN = (
    r"(?:,? (?:(?!and\b|but\b|as\b)\w+ ){0,4}(?:later|afterwards?|thereafter|recently|finally|terms?|years?|in \d{4}))?"
)
_PASSIVE = re.compile(
    rf"({_NUMBERS}){_PART}[^.;@]{{0,60}}?(?:\b(?:overruled|abrogated)|(?<=@, )disapproved(?: of)?){_HOW}{_WHEN}"
    r"(?:,? (?:by|in)|,) (@\d+@)"
)
_IN_A_CASE = re.compile(
    rf"(?<!\b[Nn]o )\b(?:[Ww]e|[Cc]ourts?|[Jj]ustices)\b[^.;@]{{0,40}}?\b(?:overruled|abrogated){_HOW}{_NAME}"
    rf" ({_NUMBERS}){_PART}{_WHEN},? in (@\d+@)"
)
_BRACKETED = re.compile(rf"(@\d+@) \({_HOW} ?{_DONE}{_HOW}{_NAME} ({_WITHIN})")
_ACTIVE = re.compile(
    rf"(@\d+@){_PART}[^.;@]{{0,40}}?(?<!\bbe )(?<!\bbeen )(?<!\bwas )(?<!\bwere )(?<!\bis )(?<!\bare )(?<!\bnot )"
    rf"{_DONE}{_HOW}{_NAME} ({_NUMBERS})"
)
_REVERSED = re.compile(
    rf"(@\d+@){_PART}, (?:aff[’']d in part,? (?:and )?)?(?:rev[’']d|reversed|vacated)\b[^.;@]{{0,40}}"
    r"(?:(?<=sub nom)\.?,? [^;]{3,120}?, )?(@\d+@)"
)
_REVERSING = re.compile(rf"(@\d+@){_PART}, (?:rev[’']g|reversing|vacating) (?:in part )?(@\d+@)")
_IN_PART = "in part"
_TELLING = (
    (_PASSIVE, 2, 1, "overruled"),
    (_BRACKETED, 1, 2, "overruled"),
    (_ACTIVE, 1, 2, "overruled"),
    (_IN_A_CASE, 2, 1, "overruled"),
    (_REVERSED, 2, 1, "reversed"),
    (_REVERSING, 1, 2, "reversed"),
)
"""Each with the groups of the case that did it and of those that it was done to."""
_BEHIND = re.compile(rf"(?:{_NUMBERS}){_PART}, (?!(?:was|is|has|had|were)\b)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or two, that speaks of cases."""

    opinion_id: str
    part: str
    """Type of the opinion."""
    start: int
    end: int
    """In the opinion's text."""
    text: str
    """With the cases as @NUMBER@, white space collapsed, parentheticals that treat no case left out."""
    cases: tuple[int, ...]
    """The numbers of the cases that it speaks of."""
    how: str
    """`cited`, `named`, or `pointed` where a word of the sentence points to a case of the sentence before."""
    at: float
    """How far in the opinion it stands, 0 to 1."""
    in_note: bool
    """Whether it stands in a footnote."""

    def masked(self, number: int) -> str:
        """The sentence from the side of a case.

        >>> one = Sentence("x", "majority", 0, 9, "We overrule @1@, @4@ and @2@.", (1, 2, 4), "cited", 0.5, False)
        >>> one.masked(2), Sentence.masked(one, 7)
        ('We overrule TARGET.', 'We overrule CASE.')
        """
        text = self.text
        if len(text) > _LONGEST:
            at = max(text.find(f"@{number}@"), 0)
            text = text[max(0, at - _LONGEST // 2) : at + _LONGEST // 2]
        words = _NUMBERED.sub(lambda found: TARGET if int(found[1]) == number else CASE, text)
        return _LIST.sub(lambda found: TARGET if TARGET in found[0] else CASE, words)


class Told(NamedTuple):
    """That a case overruled or reversed another, as a third one tells: by number."""

    by: int
    case: int
    what: str
    """`overruled` or `reversed`."""
    in_part: bool


class _Placed(NamedTuple):
    mention: Mention
    number: int


def sentences_of(every: Sequence[Cited], opinions: Sequence[Opinion]) -> list[Sentence]:
    """The sentences that speak of cases, in the order of the texts; cases are numbered by their place in `every`."""
    found: list[Sentence] = []
    for opinion in opinions:
        own = [
            _Placed(m, at) for at, one in enumerate(every) for m in one.mentions if m.opinion_id == opinion.opinion_id
        ]
        own.sort(key=lambda placed: (placed.mention.start, -placed.mention.whole_end))
        found += _of_opinion(opinion, own)
    return found


def told_in(sentence: Sentence) -> list[Told]:
    """Which case overruled or reversed which, where a sentence says it of two others than its own.

    >>> text = "See @0@ (overruling @1@; @2@). But @3@, overruled in part by @4@. Cf. @5@, rev'd, @6@."
    >>> found = told_in(Sentence("x", "majority", 0, 9, text, (), "cited", 0.5, False))
    >>> sorted((told.by, told.case, told.in_part) for told in found)
    [(0, 1, False), (0, 2, False), (4, 3, True), (6, 5, False)]
    """
    found: list[Told] = []
    taken: list[tuple[int, int]] = []
    text = sentence.text[:_LONGEST]
    for pattern, by, of, what in _TELLING:
        for match in pattern.finditer(text):
            if _UNSAID.search(match[0]) or any(a < match.end(of) and match.start(of) < b for a, b in taken):
                continue
            if not _is_history(match) and is_framed(clause_before(text, match.start())):
                continue
            taken.append(match.span(of))
            agent = int(match[by].strip("@"))
            cases = (int(number) for number in _NUMBERED.findall(match[of]))
            found += [Told(agent, case, what, _IN_PART in match[0]) for case in cases if case != agent]
    return found


def _is_history(match: re.Match[str]) -> bool:
    """Whether it stands behind a cite without a verb of its own: whatever the clause asks or denies, it is so."""
    if match.re is _PASSIVE:
        return _BEHIND.match(match[0]) is not None
    return match.re not in {_ACTIVE, _IN_A_CASE}


def _of_opinion(opinion: Opinion, placed: list[_Placed]) -> Iterator[Sentence]:
    starts = [one.mention.start for one in placed]
    cited = [one.mention for one in placed if one.mention.form not in _NAMES]
    kept = _with_later(opinion.text, merged([Span(one.start, one.whole_end) for one in cited]))
    kept_starts, kept_ends = [span.start for span in kept], [span.end for span in kept]
    before: list[int] = []
    found: Sentence | None = None
    for paragraph in sorted({(p.start, p.end) for p in opinion.paragraphs}):
        whole = kept[bisect_right(kept_ends, paragraph[0]) : bisect_left(kept_starts, paragraph[1])]
        last: Span | None = None
        for span in sentence_spans(opinion.text, *paragraph, whole):
            own = placed[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
            near = found if last else None
            found = _cited(opinion, span, own, last) if own else _pointed(opinion, span, before, near)
            if found:
                yield found
            before = list(dict.fromkeys(one.number for one in own)) or (before if found else [])
            last = span


def _with_later(text: str, spans: Sequence[Span]) -> list[Span]:
    """The spans, those of a case and of the one that decided it later as one: no sentence ends at "sub nom."."""
    found: list[Span] = []
    for span in spans:
        gap = text[found[-1].end : span.start] if found else ""
        later = gap.rstrip().endswith(",") and history_between(text, found[-1].end, span.start)
        found[-1:] = [Span(found[-1].start, span.end)] if later else [*found[-1:], span]
    return found


def _cited(opinion: Opinion, span: Span, own: list[_Placed], last: Span | None) -> Sentence:
    """A sentence with cases in it; where it says little, with the sentence before."""
    text = _SAME.sub(r"@\1@", _blank(_rendered(opinion.text, span.start, span.end, own)))
    if last and _SIGNALS.issuperset(_SAYING.findall(text.casefold())):
        text = f"{_blank(opinion.text[last.start : last.end])} {text}"
        span = Span(last.start, span.end)
    how = "named" if all(one.mention.form in _NAMES for one in own) else "cited"
    return _sentence(opinion, span, text, tuple(dict.fromkeys(one.number for one in own)), how)


def _pointed(opinion: Opinion, span: Span, before: list[int], near: Sentence | None) -> Sentence | None:
    """A sentence without a case, that speaks of the last one, or of all, of the sentence before.

    With the one before in its paragraph, where it does what that one speaks of: "We do so today."
    """
    text = opinion.text[span.start : span.end]
    if near and _DOING_SO.fullmatch(text):
        return replace(near, end=span.end, text=f"{near.text} {text}")
    pointing = _POINTING.search(text) if before else None
    if not pointing:
        return None
    cases = before if _MANY.search(pointing[0]) else before[-1:]
    listed = " and ".join(f"@{number}@" for number in cases)
    return _sentence(
        opinion, span, _blank(f"{text[: pointing.start()]}{listed}{text[pointing.end() :]}"), tuple(cases), "pointed"
    )


def _sentence(opinion: Opinion, span: Span, text: str, cases: tuple[int, ...], how: str) -> Sentence:
    at = span.start / max(opinion.body_end, 1)
    return Sentence(opinion.opinion_id, opinion.type, span.start, span.end, text, cases, how, min(at, 1.0), at >= 1.0)


def _rendered(text: str, start: int, end: int, own: Sequence[_Placed]) -> str:
    """A stretch of text with its cases as numbers."""
    pieces: list[str] = []
    at = start
    for mention, number in own:
        if at <= mention.start < end:
            pieces += [text[at : mention.start], f" @{number}@"]
            pieces += [_parenthetical(text, inner, own) for inner in mention.kept]
            at = max(mention.end, mention.whole_end)
    return "".join([*pieces, text[at:end]])


def _parenthetical(text: str, inner: Span, own: Sequence[_Placed]) -> str:
    """What is left of a parenthetical: what is done to a case in it, or that a separate opinion is cited."""
    nested = [one for one in own if inner.start <= one.mention.start < inner.end]
    words = text[inner.start : inner.end]
    if nested or _SAID.search(words):
        return f" ({_rendered(text, inner.start, inner.end, nested)})"
    return " (separately)" if len(words) < _LONGEST_WEIGHT and _SEPARATELY.search(words) else ""


def _blank(words: str) -> str:
    return _BLANKS.sub(" ", words).replace(" ,", ",").replace(" .", ".").replace(" ;", ";").strip()
