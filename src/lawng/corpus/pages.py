"""Pages: which reporter a page mark belongs to, where an opinion begins, and what stands on the pages a pin names.

A mark's reporter is told by the numbers: marks that count up together are a *chain*, and a chain belongs to the
citation of the case whose first page it goes on from. Two reporters can be marked in one text, even under one
`citation-index`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from lawng.corpus.body import Part, RawMark, Source
from lawng.schema import Opinion, PageMark, ReporterCite, Span

_STEP = 30
"""A chain goes on over at most so many pages that are not marked (plates, tables, syllabi left out)."""
_AHEAD = 8
"""How many marks to look ahead for the next page of a chain."""
_SURE, _FAR = 5, 100
"""A citation at most so many pages back goes before the official one further back than this."""
_LONGEST = 1500
"""No case has more pages: a mark further on than that from a citation's page is of another reporter."""
_NOMINATIVE = frozenset(("Dall.", "Cranch", "Wheat.", "Pet.", "How.", "Black", "Wall."))
"""Early U.S. reports by the reporter's name: the U.S. Reports of later print have the same pages."""
_DATABASES = ("LEXIS", "WL")


@dataclass(slots=True)
class _Chain:
    """Marks that count up together; `last` is the page that was reached in the body."""

    series: str
    first: int
    last: int
    numbers: set[int] = field(default_factory=set)
    reporter: str = ""


def resolve_pages(parts: Sequence[Part], source: Source, cites: Sequence[ReporterCite]) -> list[list[PageMark]]:
    """The page marks of each opinion of a case, with their reporters and with the page that it begins on."""
    chains: list[_Chain] = []
    _assign(source.head_marks, chains)
    begun, assigned = [], []
    for part in parts:
        body = [mark for mark in part.body.marks if mark.start < max(part.body.body_end, 1)]
        begun.append([(chain, chain.last) for chain in chains])
        assigned.append(_assign(body, chains) + _assign_notes(part.body.marks[len(body) :], chains))
    _name(chains, cites, source)
    found = []
    for part, chain_of, reached in zip(parts, assigned, begun, strict=True):
        marks = [
            PageMark(chain.reporter, mark.label, page_number(mark.label), mark.start)
            for mark, chain in zip(part.body.marks, chain_of, strict=True)
        ]
        first = _first_pages(part, marks, reached if source.continuous else None, cites)
        found.append([*first, *marks] if part.body.text else [])
    return found


def page_span(opinion: Opinion, reporter: str, pages: Sequence[int]) -> Span | None:
    """From the start of the first to the end of the last named page, in the body; None unless all are marked.

    A pin's pages are one stretch of text (LawngNLI, A.1.1). Marks without a reporter count when there are no others.
    A page that is marked twice in the body is not taken, for one of the marks is wrong.
    """
    marks = _marks_of(opinion, reporter)
    times = Counter(mark.number for mark in marks)
    if not pages or any(times[page] != 1 for page in pages):
        return None
    place = {mark.number: position for position, mark in enumerate(marks)}
    first, last = place[min(pages)], place[max(pages)]
    end = marks[last + 1].start if last + 1 < len(marks) else opinion.body_end
    return Span(marks[first].start, end) if marks[first].start < end else None


def page_at(opinion: Opinion, offset: int, reporter: str | None = None) -> str:
    """Label of the page that an offset stands on, of a reporter or of the one first marked; "" when not marked.

    A footnote stands on the page of its mark, unless a page begins inside it.
    """
    if reporter is None:
        reporter = opinion.pages[0].reporter if opinion.pages else ""
    if offset < opinion.body_end or not opinion.footnotes:
        return _label_before(_marks_of(opinion, reporter), offset)
    note = next((note for note in opinion.footnotes if note.start <= offset < note.end), None)
    if note is None:
        return ""
    inside = _printed([mark for mark in opinion.pages if note.start <= mark.start <= offset], reporter)
    if inside:
        return inside[-1].label
    return _label_before(_marks_of(opinion, reporter), note.mark) if note.mark is not None else ""


def _marks_of(opinion: Opinion, reporter: str) -> list[PageMark]:
    """The marks in the body of a reporter, else all if no reporter is told."""
    return _printed([mark for mark in opinion.pages if mark.start < opinion.body_end], reporter)


def _printed(marks: list[PageMark], reporter: str) -> list[PageMark]:
    if all(not mark.reporter for mark in marks):
        return marks
    return [mark for mark in marks if _printed_in(mark.reporter) == _printed_in(reporter)]


def _printed_in(reporter: str) -> str:
    return "U.S." if reporter in _NOMINATIVE else reporter


def _label_before(marks: list[PageMark], offset: int) -> str:
    at = bisect_right(marks, offset, key=lambda mark: mark.start)
    return marks[at - 1].label if at else ""


def page_number(label: str) -> int | None:
    """A page label as a number where it is one.

    >>> page_number("113"), page_number("xii"), page_number("12a")
    (113, None, None)
    """
    return int(label) if label.isascii() and label.isdigit() and len(label) < 10 else None


def _assign(marks: Sequence[RawMark], chains: list[_Chain]) -> list[_Chain]:
    numbers = [page_number(mark.label) for mark in marks]
    return [_advance(mark, chains, numbers[at + 1 : at + 1 + _AHEAD]) for at, mark in enumerate(marks)]


def _advance(mark: RawMark, chains: list[_Chain], ahead: list[int | None]) -> _Chain:
    """The chain that a mark goes on: the next page of it, or a later one if the next is not still to come."""
    number = page_number(mark.label)
    same = [chain for chain in chains if chain.series == mark.series]
    if number is None:  # "12a" or "xii" goes along with the chain that was marked last
        return same[-1] if same else _begin(mark.series, 0, chains)
    steps = ((chain, number - chain.last) for chain in same)
    near = [c for c, step in steps if step in (0, 1) or (1 < step <= _STEP and c.last + 1 not in ahead)]
    chain = min(near, key=lambda chain: number - chain.last) if near else _begin(mark.series, number, chains)
    chain.last = number
    chain.first = chain.first or number
    chain.numbers.add(number)
    return chain


def _begin(series: str, number: int, chains: list[_Chain]) -> _Chain:
    chain = _Chain(series, number, number)
    chains.append(chain)
    return chain


def _assign_notes(marks: Sequence[RawMark], chains: list[_Chain]) -> list[_Chain]:
    """Marks inside footnotes repeat or fill the body's numbers: they do not move a chain on."""
    found = []
    for mark in marks:
        number = page_number(mark.label)
        same = [chain for chain in chains if chain.series == mark.series] or chains
        inside = [c for c in same if number is not None and c.first - 1 <= number <= c.last + 1]
        found.append(inside[0] if inside else _begin(mark.series, number or 0, chains))
    return found


def _name(chains: list[_Chain], cites: Sequence[ReporterCite], source: Source) -> None:
    """Give each chain the reporter of a citation whose pages it can be: the official, unless another is far closer."""
    for chain in chains:
        fits = [cite for cite in cites if _can_be(chain, cite, source)]
        if fits:
            backs = [chain.first - int(cite.page) for cite in fits]
            # editions of the U.S. Reports are what is marked wherever they are cited
            closer = fits[0].reporter != "U.S." and min(backs) <= _SURE and backs[0] > _FAR
            chain.reporter = fits[backs.index(min(backs)) if closer else 0].reporter
    _part_rivals(chains, cites, source)


def _can_be(chain: _Chain, cite: ReporterCite, source: Source) -> bool:
    page = page_number(cite.page)
    if page is None or not chain.first or cite.reporter.endswith(_DATABASES):
        return False
    last = source.last_page if source.last_page and page == source.first_page else page + _LONGEST
    return page <= chain.first <= last


def _part_rivals(chains: list[_Chain], cites: Sequence[ReporterCite], source: Source) -> None:
    """Two series in one case are two reporters: of those with one name, the series further off takes another."""
    for chain in chains:
        rivals = [c for c in chains if c.series != chain.series and c.reporter == chain.reporter]
        if chain.reporter and any(rival.first < chain.first for rival in rivals):
            taken = {c.reporter for c in chains if c is not chain}
            others = [c for c in cites if c.reporter not in taken and _can_be(chain, c, source)]
            chain.reporter = others[0].reporter if others else ""


def _first_pages(
    part: Part, marks: list[PageMark], reached: list[tuple[_Chain, int]] | None, cites: Sequence[ReporterCite]
) -> list[PageMark]:
    """Marks at 0 for the page before each reporter's first mark, or for the page reached when it has no mark."""
    pages: dict[str, int] = {}
    for mark in marks:
        if mark.number is not None and mark.start < part.body.body_end:
            pages.setdefault(mark.reporter, mark.number - 1)
    if reached is not None:
        for chain, last in reached:
            pages.setdefault(chain.reporter, last)
        if not pages:
            pages |= {cite.reporter: page for cite in cites[:1] if (page := page_number(cite.page)) is not None}
    marked = {mark.reporter for mark in marks if mark.start == 0}
    return [
        PageMark(reporter, str(number), number, 0)
        for reporter, number in pages.items()
        if reporter not in marked and number >= max(1, _first_cited(reporter, cites))
    ]


def _first_cited(reporter: str, cites: Sequence[ReporterCite]) -> int:
    """The page of a reporter that the case begins on, 0 where it is not known."""
    pages = (page_number(cite.page) for cite in cites if cite.reporter == reporter)
    return min((page for page in pages if page is not None), default=0)
