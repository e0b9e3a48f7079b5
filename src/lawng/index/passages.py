"""An opinion in passages: paragraphs joined, or one cut, to fit the encoder.

passages_of(opinion, case, citations, measure) -> list[Passage]

A passage is a stretch of one opinion, of its body or of its footnotes. What is matched in it leaves out the
explanatory parentheticals, which describe other cases and are searched as descriptions of those (CourtListener #6488).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from lawng.citation.citing import merged, whole_citations
from lawng.corpus.pages import page_at
from lawng.schema import Case, Citation, Opinion, Passage, Span
from lawng.text.sentences import inside, sentence_spans, trimmed

TARGET = 200
"""Tokens that passages are filled up to: a judge's paragraph or two, which any encoder reads whole."""
_SLACK = 1.25
"""A paragraph longer than the target by this much stays whole where the encoder reads it."""
_CHARACTERS = 10
"""A token is taken for at least a tenth as long as its text: a tokenizer may see one unknown word in a megabyte."""
DESCRIBING = ("explanatory", "quotation")
"""Kinds of parentheticals that say what another case held or said."""


@dataclass(frozen=True, slots=True)
class Measure:
    """How long passages are: the encoder's tokens (those at the ends not counted), and how many of them it reads."""

    count: Callable[[str], int]
    """Tokens of a text with those at the ends."""
    window: int | None = None
    """Tokens that the encoder reads, those at the ends included; None without a limit."""
    target: int = TARGET

    @property
    def most(self) -> int:
        """Tokens of the longest passage."""
        wanted = int(self.target * _SLACK)
        return max(1, min(wanted, self.window - 2) if self.window else wanted)

    @property
    def goal(self) -> int:
        """Tokens that passages are filled up to."""
        return min(self.target, self.most)

    def __call__(self, text: str) -> int:
        """Tokens of a text without those at the ends."""
        return max(self.count(text) - 2, len(text) // _CHARACTERS, 1)


class _Piece(NamedTuple):
    start: int
    end: int
    tokens: int
    opens_inside: bool = False
    """Whether it begins inside a paragraph."""
    ends_inside: bool = False


def passages_of(opinion: Opinion, case: Case, citations: Sequence[Citation], measure: Measure) -> list[Passage]:
    """The passages of an opinion, in text order: they cover its words exactly once.

    `citations` are the opinion's. Pages are those of the case's official reporter.
    """
    kept = whole_citations(citations)
    reporter = case.citations[0].reporter if case.citations else None
    removed = described_elsewhere(opinion.text, citations)
    runs = [run for half in _halves(opinion) for run in _joined(_pieces(opinion, half, kept, measure), measure)]
    return [_passage(opinion, case, number, run, reporter, removed) for number, run in enumerate(runs)]


def described_elsewhere(text: str, citations: Sequence[Citation]) -> list[Span]:
    """The parentheticals that describe other cases, with their brackets and the blank before them; ascending."""
    found = []
    for citation in citations:
        for p in citation.parentheticals:
            if p.kind in DESCRIBING:
                start, end = max(0, p.start - 1), min(len(text), p.end + 1)
                found.append(Span(start - 1 if text[max(0, start - 1) : start] == " " else start, end))
    return merged(found)


def _halves(opinion: Opinion) -> tuple[list[Span], list[Span]]:
    """The paragraphs of the body and of the footnotes, with whatever stands between paragraphs."""
    whole = _covering(opinion)
    body = [p for p in whole if p.start < opinion.body_end]
    return body, whole[len(body) :]


def _covering(opinion: Opinion) -> list[Span]:
    """The paragraphs, ascending, and stretches of text that no paragraph has: nothing is lost to a wrong mark."""
    found: list[Span] = []
    edge = 0
    for start, end in [*sorted({(p.start, p.end) for p in opinion.paragraphs}), (len(opinion.text),) * 2]:
        for a, b in ((edge, start), (max(start, edge), end)):
            if a < b and (span := trimmed(opinion.text, a, b)):
                found += _parted(span, opinion.body_end)
        edge = max(edge, end)
    return found


def _parted(span: Span, at: int) -> list[Span]:
    return [Span(span.start, at), Span(at, span.end)] if span.start < at < span.end else [span]


def _pieces(opinion: Opinion, paragraphs: Sequence[Span], kept: Sequence[Span], measure: Measure) -> Iterator[_Piece]:
    for paragraph in paragraphs:
        tokens = measure(opinion.text[paragraph.start : paragraph.end])
        if tokens <= measure.most:
            yield _Piece(paragraph.start, paragraph.end, tokens)
        else:
            yield from _cut(opinion.text, paragraph, kept, measure)


def _cut(text: str, paragraph: Span, kept: Sequence[Span], measure: Measure) -> Iterator[_Piece]:
    """A long paragraph in nearly equal pieces of whole sentences."""
    sentences = [
        part
        for sentence in sentence_spans(text, paragraph.start, paragraph.end, kept)
        for part in _short_enough(text, sentence, kept, measure)
    ]
    total = sum(tokens for _, tokens in sentences)
    goal = ceil(total / ceil(total / measure.goal))
    start, tokens = paragraph.start, 0
    for number, (span, n) in enumerate(sentences):
        if tokens and (tokens + n > measure.most or tokens + n / 2 > goal):
            yield _Piece(start, sentences[number - 1][0].end, tokens, start > paragraph.start, True)
            start, tokens = span.start, 0
        tokens += n
    yield _Piece(start, paragraph.end, tokens, start > paragraph.start, False)


def _short_enough(text: str, span: Span, kept: Sequence[Span], measure: Measure) -> list[tuple[Span, int]]:
    """The sentence, or halves of it (cut at a blank) until each fits."""
    tokens = measure(text[span.start : span.end])
    if tokens <= measure.most or span.end - span.start < 2:
        return [(span, tokens)]
    middle = _blank_near_middle(text, span, kept)
    halves = (trimmed(text, span.start, middle), trimmed(text, middle, span.end))
    return [part for half in halves if half for part in _short_enough(text, half, kept, measure)]


def _blank_near_middle(text: str, span: Span, kept: Sequence[Span]) -> int:
    """Where to cut: the blank nearest to the middle, outside citations where there is one."""
    middle = (span.start + span.end) // 2
    ends = [k.end for k in kept]
    blanks = [at for at in range(span.start + 1, span.end - 1) if text[at].isspace()]
    outside = [at for at in blanks if not inside(at, kept, ends)]
    return min(outside or blanks or [middle], key=lambda at: (abs(at - middle), at))


def _joined(pieces: Iterator[_Piece], measure: Measure) -> Iterator[list[_Piece]]:
    """Consecutive pieces together while they fit the target."""
    run: list[_Piece] = []
    for piece in pieces:
        if run and sum(p.tokens for p in run) + piece.tokens > measure.goal:
            yield run
            run = []
        run.append(piece)
    if run:
        yield run


def _passage(  # noqa: PLR0913, PLR0917 (what a passage is made of)
    opinion: Opinion, case: Case, number: int, run: Sequence[_Piece], reporter: str | None, removed: Sequence[Span]
) -> Passage:
    at = Span(run[0].start, run[-1].end)
    text = opinion.text[at.start : at.end]
    return Passage(
        passage_id=f"{opinion.opinion_id}#{number}",
        opinion_id=opinion.opinion_id,
        case_id=case.case_id,
        court=case.court,
        jurisdiction=case.jurisdiction,
        date=case.date,
        part=opinion.type,
        author=opinion.author,
        start=at.start,
        end=at.end,
        first_page=page_at(opinion, at.start, reporter),
        last_page=page_at(opinion, at.end - 1, reporter),
        text=text,
        searched=_without(opinion.text, at, removed),
        n_words=len(text.split()),
        cut=run[0].opens_inside or run[-1].ends_inside,
    )


def _without(text: str, at: Span, removed: Sequence[Span]) -> str:
    kept, place = [], at.start
    for span in removed:
        if span.end > at.start and span.start < at.end:
            kept.append(text[place : max(place, span.start)])
            place = max(place, min(span.end, at.end))
    return "".join([*kept, text[place : at.end]]).strip()
