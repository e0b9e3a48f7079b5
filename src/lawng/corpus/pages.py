"""Pages: which reporter a page mark belongs to, where an opinion begins, and what stands on the pages a pin names.

A mark's reporter is told by the numbers: marks that count up together are a *chain*, and a chain belongs to the
citation of the case whose first page it goes on from. Two reporters can be marked in one text, even under one
`citation-index`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from lawng.corpus.body import RawMark
from lawng.corpus.units import Part, Source
from lawng.records import Opinion, PageMark, ReporterCite, Span

_STEP = 30
"""A chain goes on over at most so many pages that are not marked (plates, tables, syllabi left out)."""
_LONGEST = 1500
"""No case has more pages: a mark further on than that from a citation's page is of another reporter."""
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
    begun = []
    assigned = []
    for part in parts:
        body = [mark for mark in part.body.marks if mark.start < max(part.body.body_end, 1)]
        reached = [(chain, chain.last) for chain in chains]
        assigned.append(_assign(body, chains) + _assign_notes(part.body.marks[len(body) :], chains))
        begun.append(reached)
    _name(chains, cites)
    return [
        _page_marks(part, chain_of, reached, source, cites)
        for part, chain_of, reached in zip(parts, assigned, begun, strict=True)
    ]


def page_span(opinion: Opinion, reporter: str, pages: Sequence[int]) -> Span | None:
    """From the start of the first to the end of the last named page, in the body; None unless all are marked.

    A pin's pages are one stretch of text (LawngNLI, A.1.1). Marks without a reporter count when there are no others.
    """
    marks = _marks_of(opinion, reporter)
    starts = {mark.number: position for position, mark in reversed(list(enumerate(marks)))}
    if not pages or any(page not in starts for page in pages):
        return None
    first, last = starts[min(pages)], starts[max(pages)]
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
    inside = [mark for mark in opinion.pages if mark.reporter == reporter and note.start <= mark.start <= offset]
    if inside:
        return inside[-1].label
    return _label_before(_marks_of(opinion, reporter), note.mark) if note.mark is not None else ""


def _marks_of(opinion: Opinion, reporter: str) -> list[PageMark]:
    """The marks in the body of a reporter, else all if no reporter is told."""
    body = [mark for mark in opinion.pages if mark.start < opinion.body_end]
    if all(not mark.reporter for mark in body):
        return body
    return [mark for mark in body if mark.reporter == reporter]


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
    """The chain of each mark; chains grow and new ones are begun."""
    return [_advance(mark, chains) for mark in marks]


def _advance(mark: RawMark, chains: list[_Chain]) -> _Chain:
    number = page_number(mark.label)
    same = [chain for chain in chains if chain.series == mark.series]
    if number is None:  # "12a" or "xii" goes along with the chain that was marked last
        return same[-1] if same else _begin(mark.series, 0, chains)
    near = [chain for chain in same if 0 <= number - chain.last <= _STEP]
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


def _name(chains: list[_Chain], cites: Sequence[ReporterCite]) -> None:
    """Give each chain the reporter of the citation that it fits best: the closest page before, else the official."""
    pages = [(cite, page) for cite in cites if (page := page_number(cite.page)) is not None and _is_printed(cite)]
    for chain in chains:
        fits = [(cite, page) for cite, page in pages if chain.first and 0 <= chain.first - page <= _LONGEST]
        if fits:
            rank = {cite: place for place, (cite, _) in enumerate(pages)}
            chain.reporter = min(fits, key=lambda fit: (fit[1] + _STEP < chain.first, rank[fit[0]]))[0].reporter
    _part_rivals(chains, pages)


def _part_rivals(chains: list[_Chain], pages: list[tuple[ReporterCite, int]]) -> None:
    """Two chains whose numbers overlap in one case are two reporters: the one further off loses a shared name."""
    for chain in chains:
        rivals = [c for c in chains if c is not chain and c.series != chain.series and c.reporter == chain.reporter]
        if chain.reporter and any(_distance(rival, pages) < _distance(chain, pages) for rival in rivals):
            taken = {c.reporter for c in chains if c is not chain}
            others = [cite for cite, page in pages if cite.reporter not in taken and 0 <= chain.first - page <= _LONGEST]
            chain.reporter = others[0].reporter if others else ""


def _distance(chain: _Chain, pages: list[tuple[ReporterCite, int]]) -> int:
    return min(
        (chain.first - page for cite, page in pages if cite.reporter == chain.reporter and page <= chain.first),
        default=_LONGEST,
    )


def _is_printed(cite: ReporterCite) -> bool:
    return not cite.reporter.endswith(_DATABASES)


def _page_marks(
    part: Part,
    chain_of: list[_Chain],
    reached: list[tuple[_Chain, int]],
    source: Source,
    cites: Sequence[ReporterCite],
) -> list[PageMark]:
    marks = [
        PageMark(chain.reporter, mark.label, page_number(mark.label), mark.start)
        for mark, chain in zip(part.body.marks, chain_of, strict=True)
    ]
    firsts = _first_pages(part, chain_of, reached, source, cites) if part.body.text else []
    return [*firsts, *marks]


def _first_pages(
    part: Part,
    chain_of: list[_Chain],
    reached: list[tuple[_Chain, int]],
    source: Source,
    cites: Sequence[ReporterCite],
) -> list[PageMark]:
    """Marks at 0 for the page before each chain's first mark, or for the page reached when there is no mark."""
    before = dict((id(chain), last) for chain, last in reached)
    pages: dict[str, int] = {}
    at_start = {chain.reporter for mark, chain in zip(part.body.marks, chain_of, strict=True) if mark.start == 0}
    for mark, chain in zip(part.body.marks, chain_of, strict=True):
        number = page_number(mark.label)
        if chain.reporter not in pages and number is not None and mark.start < part.body.body_end:
            pages[chain.reporter] = number - 1
    if source.continuous:
        for chain, last in reached:
            if last:
                pages.setdefault(chain.reporter, before[id(chain)])
        if not pages and not reached:
            pages |= {cite.reporter: page for cite in cites[:1] if (page := page_number(cite.page)) is not None}
    return [
        PageMark(reporter, str(number), number, 0)
        for reporter, number in pages.items()
        if reporter not in at_start and number > 0 and not _before_case(reporter, number, cites)
    ]


def _before_case(reporter: str, number: int, cites: Sequence[ReporterCite]) -> bool:
    """Whether a page lies before the page that the case begins on."""
    pages = [page for cite in cites if cite.reporter == reporter and (page := page_number(cite.page)) is not None]
    return bool(pages) and number < min(pages)
