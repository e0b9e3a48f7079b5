"""A contract cut into clauses: sections and subsections with their headings, as ACORD's annotators take them (C.4).

clauses_of(contract, source) -> Cut(clauses, dropped, regions)
single_clause(contract, source) -> Clause     head_of(text) -> (section, heading)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lawng.clauses.sections.lines import Line, is_heading
from lawng.clauses.sections.numbers import ARTICLE, DECIMAL, EXHIBIT, HEADING, PART
from lawng.clauses.sections.outline import Node
from lawng.clauses.sections.regions import TITLE, Region, is_preamble
from lawng.clauses.sections.tree import Sections, sections_of
from lawng.schema import Clause, ContractText
from lawng.text.sentences import trimmed


class Cut(NamedTuple):
    """The clauses of a contract in their order, and what belongs to none.

    The spans of clauses and regions cover the whole text but white space, each character once.
    """

    clauses: list[Clause]
    dropped: dict[str, int]
    """Lines in no clause by kind: table of contents, titles, signature blocks, and what the reader left out."""
    regions: list[Region]
    """Stretches that clauses leave out, ascending."""


def clauses_of(contract: ContractText, source: str) -> Cut:
    """The clauses of a contract; `source` is how people know it.

    A leaf of the first two numbered levels is one clause, with its (a), (b) inside; one of more than 400 words is cut
    at these as well. What has no numbers is cut at headings and into paragraphs of 250 words together.

    >>> text = "1. Term. One year.\\n\\n2. Liability\\n\\n2.1 Cap. At most $5.\\n\\n2.2 Carve-outs. None."
    >>> [(c.section, c.heading, c.headings) for c in clauses_of(ContractText(text), "a.txt").clauses]
    [('1', 'Term', []), ('2.1', 'Cap', ['Liability']), ('2.2', 'Carve-outs', ['Liability'])]
    """
    sections = sections_of(contract)
    regions = list(sections.regions)
    clauses = []
    for unit in units_of(sections):
        pieces = list(_pieces(contract.text, unit, sections.regions))
        if unit.is_title:
            regions += [Region(start, end, TITLE, 1) for start, end in pieces]
        else:
            clauses += [_clause(contract, source, unit, start, end) for start, end in pieces]
    dropped = Counter(contract.dropped)
    for region in regions:
        dropped[region.kind] += region.n_lines
    return Cut(clauses, dict(dropped), sorted(regions))


def _pieces(text: str, unit: Unit, regions: Sequence[Region]) -> Iterator[tuple[int, int]]:
    """The unit without the regions in it, which may part it."""
    start = unit.start
    inside = [region for region in regions if unit.start <= region.start < unit.end]
    for stop, following in [*((region.start, region.end) for region in inside), (unit.end, unit.end)]:
        span = trimmed(text, start, stop)
        if span:
            yield span.start, span.end
        start = following


def _clause(contract: ContractText, source: str, unit: Unit, start: int, end: int) -> Clause:
    text, headings = contract.text[start:end], list(unit.headings)
    page, paragraph = contract.page(start), contract.paragraph(start)
    return Clause(f"{source}#{start}", source, unit.section, unit.heading, headings, page, start, end, text, paragraph)


LONG = 400
"""Words; a section of more is cut at its items as well."""
VERY_LONG = 600
"""Words; a section without items of more is cut between its paragraphs: a list of definitions."""
JOINED = 250
"""Words; paragraphs without a number are joined up to this."""
_LEAD = 60
"""Words of the longest lead-in that stands among the headings of the items."""
_LEADS_IN = re.compile(r"(?:[^.:]|\.(?!\s))*:\s*$")


class Unit(NamedTuple):
    """A stretch that becomes one clause, or a title."""

    start: int
    end: int
    section: str
    heading: str
    headings: tuple[str, ...]
    is_title: bool = False


def units_of(sections: Sections) -> Iterator[Unit]:
    """The units of a contract in their order: between them nothing is left but white space."""
    children = sections.root.children
    yield from _plain(sections, Unit(0, children[0].start if children else len(sections.text), "", "", ()), JOINED)
    yield from _inside(sections, sections.root, len(sections.text), ())


def _inside(sections: Sections, node: Node, end: int, headings: tuple[str, ...]) -> Iterator[Unit]:
    ends = [*(child.start for child in node.children[1:]), end][: len(node.children)]
    for child, stop in zip(node.children, ends, strict=True):
        yield from _section(sections, child, stop, (*headings, child.group) if child.group else headings)


def _section(sections: Sections, node: Node, end: int, headings: tuple[str, ...]) -> Iterator[Unit]:
    whole = Unit(node.start, end, node.number, node.heading, headings)
    n_words = len(sections.text[node.start : end].split())
    opened = _is_opened(node)
    if not node.children:
        yield from _leaf(sections, node, whole, n_words)
        return
    if not opened and n_words <= LONG:
        yield whole
        return
    first = node.children[0].start
    lead = sections.text[node.body : first]
    if any(c.isalnum() for c in lead):
        yield from _leaf(sections, node, whole._replace(end=first), len(lead.split()))
    else:
        yield whole._replace(end=first, is_title=True)
    names = [node.heading, "" if opened else _lead_in(lead)]
    yield from _inside(sections, node, end, (*headings, *filter(None, names)))


def _is_opened(node: Node) -> bool:
    """Whether a section is no clause by itself however short it is: it has subsections."""
    if node.style in (EXHIBIT, PART, HEADING):
        return any(child.style in (DECIMAL, ARTICLE, PART, HEADING) for child in node.children)
    decimals = [child for child in node.children if child.style == DECIMAL]
    if node.style == ARTICLE:
        return bool(decimals)
    is_top = not any(outer.style in (ARTICLE, DECIMAL) for outer in node.above())
    return node.style == DECIMAL and is_top and any(len(child.value) > len(node.value) for child in decimals)


def _leaf(sections: Sections, node: Node, unit: Unit, n_words: int) -> Iterator[Unit]:
    """A section without items inside: one clause, unless it has no text or too much."""
    body = sections.text[node.body : unit.end]
    if not any(c.isalnum() for c in body) and node.style in (EXHIBIT, PART, ARTICLE, HEADING):
        yield unit._replace(is_title=True)
    elif n_words > VERY_LONG or (node.style in (EXHIBIT, PART, HEADING) and n_words > JOINED):
        limit = JOINED if node.style in (EXHIBIT, PART, HEADING) else LONG
        yield from _plain(sections, unit, limit)
    else:
        yield unit


def _lead_in(lead: str) -> str:
    """The words that the items go on with: "Supplier shall not be liable for:"."""
    words = " ".join(lead.split()).strip(" .–—")
    match = _LEADS_IN.search(words)
    said = (match.group() if match else words).strip()
    return said if 0 < len(said.split()) <= _LEAD else ""


def _plain(sections: Sections, unit: Unit, limit: int) -> Iterator[Unit]:
    """A stretch without numbers, cut at headings and between paragraphs that are joined up to `limit` words."""
    found: list[tuple[int, str]] = []
    n_words = 0
    open_heading = False
    for paragraph in _paragraphs(sections, unit.start, unit.end):
        heading = _heading(sections, paragraph) if paragraph[0].start > unit.start or not unit.section else ""
        words = sum(line.n_words for line in paragraph)
        if heading or not found or (n_words + words > limit and not open_heading):
            found.append((paragraph[0].start, heading or (found[-1][1] if found else unit.heading)))
            n_words = 0
        n_words += words
        open_heading = bool(heading)
    ends = [*(start for start, _ in found[1:]), unit.end][: len(found)]
    for (start, heading), end in zip(found, ends, strict=True):
        is_title = bool(heading) and sections.text[start:end].strip().rstrip(".: ") == heading
        yield unit._replace(start=start, end=end, heading=heading, is_title=is_title)


def _paragraphs(sections: Sections, start: int, end: int) -> Iterator[Sequence[Line]]:
    lines = [line for line in sections.lines if start <= line.start < end]
    kept = [line for line in lines if not any(r.start <= line.start < r.end for r in sections.regions)]
    paragraph: list[Line] = []
    for line in kept:
        if paragraph and (not sections.wrapped or line.after_blank):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield paragraph


def _heading(sections: Sections, paragraph: Sequence[Line]) -> str:
    line = paragraph[0]
    if len(paragraph) > 1:
        return ""
    styled = line.start in sections.contract.headings
    alone = (line.after_blank and line.before_blank) or not sections.wrapped
    said = styled or (alone and is_heading(line.text)) or is_preamble(line.text)
    return line.text.rstrip(".: ") if said else ""


def single_clause(contract: ContractText, source: str) -> Clause:
    """A whole text as one clause, without the blanks around it."""
    span = trimmed(contract.text, 0, len(contract.text))
    start, end = (span.start, span.end) if span else (0, 0)
    return _clause(contract, source, Unit(start, end, *head_of(contract.text), ()), start, end)


def head_of(text: str) -> tuple[str, str]:
    """The number and heading that a clause begins with, "" where it has none.

    >>> head_of("12.1 Cap on Liability. In no event shall either party pay more.")
    ('12.1', 'Cap on Liability')
    """
    beginning = text[:2000]
    sections = sections_of(ContractText(beginning))
    children = sections.root.children
    if not children or beginning[: children[0].start].strip():
        return "", ""
    return children[0].number, children[0].heading
