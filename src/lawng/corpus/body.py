"""Building an opinion's text out of pieces of markup: single blanks, paragraphs, and marks taken out of it."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lawng.schema import Footnote, Span
from lawng.text.words import NO_PIN

_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
_MISREAD = re.compile("[\x80-\x9f]")
_BLANK_LINES = re.compile(r"\n[ \t\r\f\v]*\n\s*")
_FOLIO = re.compile(r"\n[ \t]*(?:-[ \t]*)?\d{1,4}[ \t]*(?:-[ \t]*)?\n?\f")
_WORD = re.compile(r"\S+")
_STRETCH = 100_000
BREAK = "\n\n"
BARE = re.compile(rf"(?<![*\d]){NO_PIN}\*(?:Page )?(\d{{1,5}})(?!\d)")
"""What may be such a mark; it may as well be the page of an old citation, "3 Cranch *137"."""


def _readable(raw: str) -> str:
    """Text without invisible characters; what Windows-1252 has at 0x80 to 0x9F was meant where that code stands."""
    return _MISREAD.sub(lambda match: match[0].encode("latin-1").decode("cp1252", "ignore"), _INVISIBLE.sub("", raw))


def _single_blanks(text: str) -> str:
    """Words with single blanks between; a long text in stretches, for a list of its words takes ten times its room."""
    starts = [0]
    while (end := text.find(" ", starts[-1] + _STRETCH)) >= 0:
        starts.append(end)
    stretches = (" ".join(text[a:b].split()) for a, b in zip(starts, [*starts[1:], len(text)], strict=True))
    return " ".join(stretch for stretch in stretches if stretch)


@dataclass(slots=True)
class RawMark:
    """A page mark as found: its reporter is not known yet."""

    label: str
    series: str
    """The source's `citation-index` or number of stars, "" when it has none."""
    start: int


@dataclass(slots=True)
class Body:
    """The text of an opinion with its marks, before it is known whose pages they are."""

    text: str = ""
    body_end: int = 0
    marks: list[RawMark] = field(default_factory=list)
    paragraphs: list[Span] = field(default_factory=list)
    footnotes: list[Footnote] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The paragraphs of the body, without those of its footnotes."""
        return (self.text[p.start : p.end] for p in self.paragraphs if p.end <= self.body_end)


@dataclass(slots=True)
class Part:
    """One opinion of a case as the source has it."""

    type: str
    """One of `lawng.schema.OPINION_TYPES`."""
    author: str
    body: Body
    field: str
    id: str
    """The source's name for it, for rejects."""


@dataclass(slots=True)
class Source:
    """What a reader knows of a case's pages beside its opinions."""

    head_marks: list[RawMark] = field(default_factory=list)
    """Page marks before the first opinion."""
    continuous: bool = False
    """Whether head matter and opinions are all of the case in printed order, so that pages carry over."""
    first_page: int | None = None
    last_page: int | None = None


def bare_labels(text: str) -> set[str]:
    """The labels of bare marks: the longest run of them that counts up by one, if it has two or more.

    >>> sorted(bare_labels("The rule *12 of 5 Cranch *137 is *13 plain"))
    ['12', '13']
    """
    lengths: dict[int, int] = {}
    for match in BARE.finditer(text):
        number = int(match[1])
        lengths[number] = max(lengths.get(number, 0), lengths.get(number - 1, 0) + 1)
    last = max(lengths, key=lambda number: lengths[number], default=0)
    run = range(last - lengths.get(last, 0) + 1, last + 1)
    return set(map(str, run)) if len(run) > 1 else set()


class Flow:
    """One stream of running text: the body, or all footnotes one after the other.

    >>> flow = Flow()
    >>> flow.write(" inno"); flow.page("88", ""); flow.write("cence  or "); flow.write("guilt\\n"); flow.end_paragraph()
    >>> flow.text, [(m.label, m.start) for m in flow.marks]
    ('innocence or guilt', [('88', 4)])
    """

    def __init__(self) -> None:
        self.marks: list[RawMark] = []
        self.paragraphs: list[Span] = []
        self.length = 0
        self._pieces: list[str] = []
        self._start: int | None = None
        self._first_piece = 0
        self._blank = False
        self._waiting: list[RawMark] = []

    @property
    def text(self) -> str:
        """All that was written."""
        return "".join(self._pieces)

    @property
    def in_paragraph(self) -> bool:
        """Whether the current paragraph has text already."""
        return self._start is not None

    def write(self, raw: str) -> None:
        """Add running text; white space becomes single blanks, invisible characters go."""
        if not raw:
            return
        text = raw if raw.isascii() else _readable(raw)
        core = _single_blanks(text)
        if core:
            self._open_or_part(text[0].isspace())
            for mark in self._waiting:
                mark.start = self.length
            self.marks += self._waiting
            self._waiting = []
            self._put(core)
        self._blank = (bool(text) and text[-1].isspace()) or (not core and self._blank)

    def page(self, label: str, series: str) -> None:
        """A page begins with the next character that is written."""
        self._waiting.append(RawMark(label, series, 0))

    def here(self) -> int:
        """The offset right after the last character, or of the next paragraph."""
        return self.length if self.in_paragraph or not self.length else self.length + len(BREAK)

    def end_paragraph(self) -> None:
        """Close the paragraph, if there is one."""
        if self._start is not None:
            self.paragraphs.append(Span(self._start, self.length))
        self._start, self._blank = None, False

    def pages_by_words(self, counts: list[tuple[str, int]]) -> None:
        """Mark pages in the current paragraph of which only the number of words on each is known.

        A page that goes on from the paragraph before is not marked again.
        """
        if self._start is None:
            return
        paragraph = "".join(self._pieces[self._first_piece :]).removeprefix(BREAK)
        starts = [match.start() for match in _WORD.finditer(paragraph)]
        words = 0
        for label, count in counts:
            if words < len(starts) and not (self.marks and self.marks[-1].label == label):
                self.marks.append(RawMark(label, "", self._start + starts[words]))
            words += count

    def _open_or_part(self, blank_before: bool) -> None:
        if self._start is None:
            self._first_piece = len(self._pieces)
            if self.length:
                self._put(BREAK)
            self._start = self.length
        elif self._blank or blank_before:
            self._put(" ")

    def _put(self, piece: str) -> None:
        self._pieces.append(piece)
        self.length += len(piece)


@dataclass(slots=True)
class _Note:
    label: str
    start: int
    first_paragraph: int


class BodyBuilder:
    """Takes what a reader of markup finds, in document order, and gives the `Body`."""

    def __init__(self) -> None:
        self._body, self._notes = Flow(), Flow()
        self._calls: list[tuple[str, int]] = []
        self._open: list[_Note] = []
        self.in_note = False

    @property
    def flow(self) -> Flow:
        """Where text goes now: the body, or inside a footnote the notes."""
        return self._notes if self.in_note else self._body

    def write(self, text: str, lines: bool) -> None:
        """Add text; where its lines count (plain text, `<pre>`) blank ones part paragraphs; folios at page ends go."""
        pieces = _BLANK_LINES.split(_FOLIO.sub("\n", text)) if lines else [text]
        for number, piece in enumerate(pieces):
            if number:
                self.flow.end_paragraph()
            self.flow.write(piece)

    def call(self, label: str) -> None:
        """A footnote mark stands here."""
        if not self.in_note:
            self._calls.append((label, self._body.here()))

    def begin_note(self, label: str) -> None:
        """A footnote begins; its text goes to the end of the opinion."""
        self.flow.end_paragraph()
        self.in_note = True
        self._notes.end_paragraph()
        self._open.append(_Note(label, self._notes.here(), len(self._notes.paragraphs)))

    def name_note(self, label: str) -> None:
        """The label of the open footnote, where its markup gives it inside."""
        if self._open and not self._open[-1].label:
            self._open[-1].label = label

    def without_label(self, text: str) -> str:
        """A footnote's first words without its own label, for sources that print it there."""
        note = self._open[-1] if self.in_note else None
        if note is None or not note.label or self._notes.length > note.start:
            return text
        return text.lstrip().removeprefix(f"{note.label} ") if text.strip() else text

    def end_note(self) -> None:
        """The footnote is over; text goes to the body again."""
        self._notes.end_paragraph()
        self.in_note = False

    def finish(self) -> Body:
        """The whole: body, then notes, all offsets into the joined text."""
        self._body.end_paragraph()
        self._notes.end_paragraph()
        text, notes = self._body.text, self._notes.text
        shift = len(text) + len(BREAK) if text and notes else len(text)
        joined = text + BREAK + notes if text and notes else text + notes
        return Body(
            text=joined,
            body_end=len(text),
            marks=[*self._body.marks, *(replace(mark, start=mark.start + shift) for mark in self._notes.marks)],
            paragraphs=[
                *self._body.paragraphs,
                *(Span(p.start + shift, p.end + shift) for p in self._notes.paragraphs),
            ],
            footnotes=self._footnotes(shift),
        )

    def _footnotes(self, shift: int) -> list[Footnote]:
        calls: dict[str, deque[int]] = defaultdict(deque)
        for label, offset in self._calls:
            calls[label.rstrip(".")].append(min(offset, self._body.length))
        footnotes = []
        ends = [note.first_paragraph for note in self._open] + [len(self._notes.paragraphs)]
        for note, end in zip(self._open, ends[1:], strict=True):
            if end > note.first_paragraph:  # a note without text is no note
                waiting = calls[note.label.rstrip(".")]
                mark = waiting.popleft() if waiting else None
                last = self._notes.paragraphs[end - 1]
                footnotes.append(Footnote(note.label, mark, note.start + shift, last.end + shift))
        return footnotes
