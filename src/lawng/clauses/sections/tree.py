"""The sections of a contract: its lines read for numbers and headings, and the tree that they make.

sections_of(contract) -> Sections
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lawng.clauses.sections.lines import Line, is_capitals, is_heading, is_wrapped, lines_of, opens, run_in
from lawng.clauses.sections.numbers import EXHIBIT, HEADING, Marker, heading_marker, marker_of
from lawng.clauses.sections.outline import Node, outline
from lawng.clauses.sections.regions import TITLE, Region, apart, contents_of, is_preamble, signatures_of, titles_of
from lawng.schema import ContractText


@dataclass
class Sections:
    """A contract read: its lines, the tree of its sections, and what belongs to none."""

    contract: ContractText
    lines: list[Line]
    wrapped: bool
    root: Node
    regions: list[Region]
    """Tables of contents, signature blocks, titles, ascending."""

    @property
    def text(self) -> str:
        """The contract's text."""
        return self.contract.text


@dataclass
class _Reader:
    contract: ContractText
    lines: Sequence[Line]
    wrapped: bool
    markers: dict[int, Marker] = field(default_factory=dict)
    """By line."""
    heads: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Heading, and where the text begins, by line of the marker."""
    used: set[int] = field(default_factory=set)
    """Lines that are the heading of a number on the line before."""

    def read(self) -> None:
        for n, line in enumerate(self.lines):
            made = line.start in self.contract.numbered
            marker = marker_of(line, made) if made or opens(self.lines, n, self.wrapped) else None
            if marker and n not in self.used:
                self.markers[n] = marker
                self.heads[n] = self._head(n, marker)

    def _head(self, n: int, marker: Marker) -> tuple[str, int]:
        line = self.lines[n]
        rest = self.contract.text[marker.end : line.end]
        bare = rest.lstrip(' \t–—:.-"“_*')
        first = line.end - len(bare)
        if not bare:
            return self._below(n, line)
        whole = is_heading(bare, sure=True) and (not self.wrapped or self._ends_alone(n))
        length = run_in(bare)
        if whole and not (length and length < len(bare.rstrip(" .:"))):
            return bare.rstrip(" .:\t*_"), line.end
        return bare[:length].strip(" *_"), first + length

    def _ends_alone(self, n: int) -> bool:
        """Whether a line of broken paragraphs does not go on on the next one."""
        line = self.lines[n]
        return line.before_blank or n + 1 == len(self.lines) or opens(self.lines, n + 1, self.wrapped)

    def _below(self, n: int, line: Line) -> tuple[str, int]:
        """The heading that stands on the line below its number, "ARTICLE IV" and then "TERM"."""
        below = self.lines[n + 1] if n + 1 < len(self.lines) else None
        if below is None or not is_heading(below.text, sure=True) or marker_of(below):
            return "", line.end
        if not (is_heading(below.text) or below.start in self.contract.headings):
            return "", line.end
        self.used.add(n + 1)
        return below.text.rstrip(" .:"), below.end

    def plain_headings(self) -> Iterator[int]:
        """Lines that are headings and have no number."""
        for n, line in enumerate(self.lines):
            if n in self.markers or n in self.used or is_preamble(line.text):
                continue
            if line.start in self.contract.headings or self._stands_alone(n, line):
                yield n

    def _stands_alone(self, n: int, line: Line) -> bool:
        if line.n_words > 10 or not is_capitals(line.text) or not is_heading(line.text):
            return False
        if sum(c.isalpha() for c in line.text) < 4:
            return False
        before = n == 0 or line.after_blank or (not self.wrapped and not is_capitals(self.lines[n - 1].text))
        after = n + 1 == len(self.lines) or line.before_blank or not is_capitals(self.lines[n + 1].text)
        return before and after


def sections_of(contract: ContractText) -> Sections:
    """Read the sections of a contract.

    >>> root = sections_of(ContractText("ARTICLE I\\nTERM\\n\\nSection 1.1 Start. Now.\\n\\n(a) Not later.")).root
    >>> root.children[0].children[0].children[0].number
    '1.1(a)'
    """
    every = lines_of(contract.text)
    contents = contents_of(every)
    lines = [line for line in every if not (contents and contents.start <= line.start < contents.end)]
    signed = signatures_of(lines)
    regions = [*signed, *([contents] if contents else [])]
    lines = [line for line in lines if not any(region.start <= line.start < region.end for region in signed)]
    wrapped = is_wrapped(lines)
    reader = _Reader(contract, lines, wrapped)
    reader.read()
    first = min((marker.start for marker in reader.markers.values()), default=len(contract.text))
    titles = titles_of(lines, contract.headings, first)
    groups = _groups(reader, sum(region.n_lines for region in titles))
    root = outline([marker for _, marker in sorted(reader.markers.items())])
    taken = list(_headed(reader, root, groups))
    return Sections(contract, lines, wrapped, root, apart([*regions, *titles, *taken]))


def _groups(reader: _Reader, n_titles: int) -> dict[int, int]:
    """Headings without a number that stand right before one, by the marker's line; the others become markers."""
    groups = {}
    numbered = any(marker.readings[0].style != HEADING for marker in reader.markers.values())
    for n in [n for n in reader.plain_headings() if n >= n_titles]:
        if n + 1 in reader.markers and reader.markers[n + 1].readings[0].style != HEADING:
            groups[n + 1] = n
        elif numbered:
            line = reader.lines[n]
            reader.markers[n] = heading_marker(line)
            reader.heads[n] = (line.text.rstrip(" .:"), line.end)
    return groups


def _headed(reader: _Reader, root: Node, groups: dict[int, int]) -> Iterator[Region]:
    """Give the sections their headings; what heads several of them is no clause."""
    by_start = {reader.lines[n].start: n for n in reader.markers}
    around = [root]
    while around:
        node, group = around.pop(), ""
        for child in node.children:
            n = by_start[child.start]
            group = "" if child.style == EXHIBIT else group  # it stands beside what the heading is above
            if n in groups:
                line = reader.lines[groups[n]]
                group = line.text.rstrip(" .:")
                yield Region(line.start, line.end, TITLE, 1)
            (child.heading, child.body), child.group = reader.heads[n], group
        around += node.children
