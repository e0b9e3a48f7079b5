"""What an opinion says around each mention of a case: the sentences, with the case masked in them.

statements_of(cited, every, opinions) -> list[Statement]

A sentence is read from one case's side: its mentions are TARGET, those of others CASE, and cases joined by commas and
"and" are one ("Swift, Tyson and TARGET are overruled"). So the words around TARGET are of what is done to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lawng.citation.citing import merged
from lawng.schema import Opinion, Span
from lawng.text.sentences import sentence_spans
from lawng.treatment.mentions import Cited, Mention

TARGET, CASE = "TARGET", "CASE"
_POINTING = re.compile(
    r"\b(?:(?:that|this|the|those|these|both|such) (?:\w+ )?(?:cases?|decisions?|holdings?|rulings?|precedents?|opinions?"
    r"|judgments?|doctrines?|rules?|analys[ie]s|approach|views?)|its (?:holding|reasoning|rule|rationale))\b"
    r"|^(?:\W|(?:But|And|Thus|Yet|Moreover|Nor|Indeed|Rather|Instead|So|Hence|Accordingly|Although|Insofar as|Because"
    r"|To the extent(?: that)?|Nevertheless|Therefore|Also|Here|Nonetheless|However)\b)*(?:it|its|they)\b",
    re.IGNORECASE,
)
"""Words of a sentence that speak of the case before it, without naming it."""
_FEWEST_WORDS = 5
"""A sentence with fewer words beside its citations ("See Roe.") is read with the one before it."""
_SAYING = re.compile(r"\b[a-z]{3,}\b")
_MANY = re.compile(r"\b(?:those|these|both|they)\b", re.IGNORECASE)
_SAME = re.compile(rf"{TARGET}(?: v\.? [\w.’'& ]{{0,40}}?{TARGET})+|{CASE}(?: v\.? [\w.’'& ]{{0,40}}?{CASE})+")
_LIST = re.compile(rf"(?:{CASE}|{TARGET})(?:(?:,? (?:and|&|or|nor) |[,;] (?:and |see also |cf\. |see )?)(?:{CASE}|{TARGET}))+")
_SAID = re.compile(r"\b(?:overrul|abrogat|revers|disapprov|vacat|affirm|reject|supersed|limit|criticiz|distinguish)")
_DISSENT = re.compile(r"dissent|concur")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that speaks of a case."""

    opinion_id: str
    part: str
    """Type of the opinion."""
    start: int
    end: int
    """Of the sentence, in the opinion's text."""
    masked: str
    how: str
    """`cited`, `named`, or `pointed` where a word of the sentence points to the case of the sentence before."""
    at: float
    """How far in the opinion it stands, 0 to 1."""
    in_note: bool
    """Whether it stands in a footnote."""


@dataclass(frozen=True, slots=True)
class _Placed:
    mention: Mention
    cited: Cited


def statements_of(every: Sequence[Cited], opinions: Sequence[Opinion]) -> dict[int, list[Statement]]:
    """What the opinions of a case say of each case that they cite, by its place in `every`, in the order of the texts."""
    places = {id(one): at for at, one in enumerate(every)}
    found: dict[int, list[Statement]] = {at: [] for at in range(len(every))}
    for opinion in opinions:
        own = [_Placed(m, one) for one in every for m in one.mentions if m.opinion_id == opinion.opinion_id]
        own.sort(key=lambda placed: (placed.mention.start, -placed.mention.whole_end))
        for cited, statement in _of_opinion(opinion, own):
            found[places[id(cited)]].append(statement)
    return found


def _of_opinion(opinion: Opinion, placed: list[_Placed]) -> Iterator[tuple[Cited, Statement]]:
    starts = [one.mention.start for one in placed]
    kept = merged([Span(one.mention.start, one.mention.whole_end) for one in placed])
    kept_starts, kept_ends = [span.start for span in kept], [span.end for span in kept]
    before: list[_Placed] = []
    for paragraph in sorted({(p.start, p.end) for p in opinion.paragraphs}):
        whole = kept[bisect_right(kept_ends, paragraph[0]) : bisect_left(kept_starts, paragraph[1])]
        last: Span | None = None
        for span in sentence_spans(opinion.text, *paragraph, whole):
            own = placed[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
            if own:
                yield from _cited(opinion, span, own, last)
                before = own
            elif before:
                yield from _pointed(opinion, span, before)
                if not _POINTING.search(opinion.text[span.start : span.end]):
                    before = []
            last = span


def _cited(opinion: Opinion, span: Span, own: list[_Placed], last: Span | None) -> Iterator[tuple[Cited, Statement]]:
    """A sentence from the side of each case in it; where it says little, with the sentence before."""
    for cited in dict((id(one.cited), one.cited) for one in own).values():
        whole, masked = span, _masked(opinion.text, span, own, cited)
        if last and len(_SAYING.findall(masked)) < _FEWEST_WORDS:
            whole = Span(last.start, span.end)
            masked = f"{_blank(opinion.text[last.start : last.end])} {masked}"
        named = all(one.mention.form == "name" for one in own if one.cited is cited)
        yield cited, _statement(opinion, whole, masked, "named" if named else "cited")


def _pointed(opinion: Opinion, span: Span, before: list[_Placed]) -> Iterator[tuple[Cited, Statement]]:
    """A sentence without a case, that speaks of the last one, or of all, of the sentence before."""
    text = opinion.text[span.start : span.end]
    pointing = _POINTING.search(text)
    if not pointing:
        return
    cases = list(dict((id(one.cited), one.cited) for one in before).values())
    masked = _blank(text[: pointing.start()] + TARGET + text[pointing.end() :])
    for cited in cases if _MANY.search(pointing[0]) else cases[-1:]:
        yield cited, _statement(opinion, span, masked, "pointed")


def _statement(opinion: Opinion, span: Span, masked: str, how: str) -> Statement:
    at = span.start / max(opinion.body_end, 1)
    return Statement(opinion.opinion_id, opinion.type, span.start, span.end, masked, how, min(at, 1.0), at >= 1.0)


def _masked(text: str, span: Span, own: list[_Placed], cited: Cited) -> str:
    """The sentence from a case's side."""
    words = _blank(_rendered(text, span.start, span.end, own, cited))
    words = _SAME.sub(lambda found: found[0][: len(TARGET)] if found[0].startswith(TARGET) else CASE, words)
    return _LIST.sub(lambda found: TARGET if TARGET in found[0] else CASE, words)


def _rendered(text: str, start: int, end: int, own: Sequence[_Placed], cited: Cited) -> str:
    pieces: list[str] = []
    at = start
    for one in own:
        mention = one.mention
        if mention.start < at or mention.start >= end:
            continue
        pieces += [text[at : mention.start], f" {TARGET if one.cited is cited else CASE} "]
        pieces += [f" {mention.history} "] if mention.history and mention.history not in text[at : mention.start] else []
        pieces += [_parenthetical(text, inner, own, cited) for inner in mention.kept]
        at = max(mention.end, mention.whole_end)
    return "".join([*pieces, text[at:end]])


def _parenthetical(text: str, inner: Span, own: Sequence[_Placed], cited: Cited) -> str:
    """What is left of a parenthetical: whose opinion is cited, what it does to another case."""
    nested = [one for one in own if inner.start <= one.mention.start < inner.end]
    words = text[inner.start : inner.end]
    if nested or _SAID.search(words):
        return f" ({_rendered(text, inner.start, inner.end, nested, cited)}) "
    return " (separately) " if _DISSENT.search(words) and len(words) < 80 else ""


def _blank(words: str) -> str:
    return _BLANKS.sub(" ", words).strip()
