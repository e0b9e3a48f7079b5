"""Which sections are one clause, and which are cut further.

units_of(sections) -> Iterator[Unit]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lawng.clauses.sections.headings import is_heading
from lawng.clauses.sections.lines import Line
from lawng.clauses.sections.markers import ARTICLE, DECIMAL, EXHIBIT, HEADING, PART
from lawng.clauses.sections.outline import Node
from lawng.clauses.sections.regions import is_preamble
from lawng.clauses.sections.tree import Sections

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
        group = sections.heads[child].group
        around = (*headings, group) if group else headings
        yield from _section(sections, child, stop, around)


def _section(sections: Sections, node: Node, end: int, headings: tuple[str, ...]) -> Iterator[Unit]:
    head = sections.heads[node]
    whole = Unit(node.start, end, node.number, head.heading, headings)
    n_words = len(sections.text[node.start : end].split())
    opened = _is_opened(node)
    if not node.children:
        yield from _leaf(sections, node, whole, n_words)
        return
    if not opened and n_words <= LONG:
        yield whole
        return
    first = node.children[0].start
    lead = sections.text[head.body : first]
    if any(c.isalnum() for c in lead):
        yield from _leaf(sections, node, whole._replace(end=first), len(lead.split()))
    else:
        yield whole._replace(end=first, is_title=True)
    names = [head.heading, "" if opened else _lead_in(lead)]
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
    body = sections.text[sections.heads[node].body : unit.end]
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
        is_title = bool(heading) and _is_bare(sections.text[start:end], heading)
        yield unit._replace(start=start, end=end, heading=heading, is_title=is_title)


def _is_bare(text: str, heading: str) -> bool:
    """Whether nothing stands below a heading."""
    return text.strip().rstrip(".: ") == heading


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
