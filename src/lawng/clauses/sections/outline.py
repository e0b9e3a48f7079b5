"""The sections of a contract as a tree, read off its own numbering: what follows what, and what stands inside what.

A number becomes a section only where it goes on with an open list (12.1, 12.2, 13.) or begins one (1., (a), (i)):
amounts, dates and references at the beginning of a line do neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lawng.clauses.sections.numbers import ARTICLE, DECIMAL, EXHIBIT, HEADING, PART, Marker, Reading

GAP = 3
"""A list may leave out so many numbers: a section that is not recognised must not lose those after it."""
_AHEAD = 60
"""Numbers to look ahead for the second one of a list."""
_STRUCTURAL = (EXHIBIT, PART, ARTICLE, HEADING)


@dataclass(eq=False)
class Node:
    """A section, with what stands inside it."""

    marker: Marker | None
    style: str
    value: tuple[float, ...]
    parent: Node | None
    children: list[Node] = field(default_factory=list)
    heading: str = ""
    """Its own heading, "" where it has none."""
    body: int = 0
    """Where its text begins, past number and heading."""
    group: str = ""
    """The heading without a number that stands before it, and before its next siblings."""

    @property
    def start(self) -> int:
        """Where its number begins; the root begins with the text."""
        return self.marker.start if self.marker else 0

    @property
    def label(self) -> str:
        """Its number as written, without keyword."""
        return self.marker.label if self.marker else ""

    def above(self) -> Iterator[Node]:
        """The sections around it, innermost first, without the root."""
        node = self.parent
        while node and node.marker:
            yield node
            node = node.parent

    @property
    def number(self) -> str:
        """All levels of its number, as a lawyer would cite it: "12.1(a)", "Article IV, Section 2", "Exhibit A, 2.1"."""
        own, outer = self._own(), self.parent.number if self.parent and self.parent.marker else ""
        if self.marker and self.marker.under:
            return self._in_exhibit(own)
        if self.style == EXHIBIT or not outer or not own:
            return own or outer
        assert self.parent is not None
        if self.parent.style in (EXHIBIT, PART, HEADING):
            return f"{outer}, {own}"
        if self.style == DECIMAL and len(self.value) > 1:
            return self._in_exhibit(own)
        if self.parent.style == ARTICLE and self.style == DECIMAL and self.marker:
            return f"{outer}, {'Section ' if self.marker.keyword == 'section' else ''}{own}"
        return outer + own if own.startswith("(") else f"{outer}.{own}"

    def _in_exhibit(self, own: str) -> str:
        """A number that has all its levels, after the exhibit that it counts in."""
        exhibit = next((node.number for node in self.above() if node.style == EXHIBIT), "")
        return f"{exhibit}, {own}" if exhibit else own

    def _own(self) -> str:
        assert self.marker is not None
        if self.style in (EXHIBIT, PART, ARTICLE):
            return f"{self.marker.keyword.capitalize()} {self.label}".strip()
        return self.label


class _Place(NamedTuple):
    parent: Node
    reading: Reading


def outline(markers: Sequence[Marker]) -> Node:
    """The tree of sections; its root stands for the whole text. Markers that fit nowhere are no sections."""
    builder = _Builder(markers)
    for at, marker in enumerate(markers):
        builder.take(at, marker)
    return builder.root


def follows(last: tuple[float, ...], new: tuple[float, ...], gap: int = GAP) -> bool:
    """Whether a decimal number comes after another in one list: its next, its first inside, or the next further out.

    `gap` is how far the next one may be.

    >>> [follows((12, 1), new) for new in [(12, 2), (12, 1, 1), (13,), (13, 1), (12,), (40,), (14, 7)]]
    [True, True, True, True, False, False, False]
    """
    shared = 0
    while shared < min(len(last), len(new)) and last[shared] == new[shared]:
        shared += 1
    rest = new[shared + 1 :]
    if shared == len(last):
        return len(new) > shared and new[shared] <= 2 and all(level <= 1 for level in rest)
    return shared < len(new) and 0 < new[shared] - last[shared] <= gap and all(level <= 1 for level in rest)


class _Builder:
    def __init__(self, markers: Sequence[Marker]) -> None:
        self.root = Node(None, "", (), None)
        self._markers = markers
        self._stack = [self.root]
        self._closed: tuple[float, ...] = ()
        """The last decimal before the article that is open: sections may count on over articles."""

    def take(self, at: int, marker: Marker) -> None:
        """Give a marker its place, if it has one."""
        place = self._structural(marker) or self._next(at, marker) or self._first(at, marker)
        if place is None:
            return
        node = Node(marker, place.reading.style, place.reading.value, place.parent)
        place.parent.children.append(node)
        if node.style in _STRUCTURAL:
            decimals = [open_.value for open_ in self._stack if open_.style == DECIMAL]
            before = decimals[-1] if decimals else self._closed
            self._closed = before if node.style in (ARTICLE, HEADING) else ()
        self._stack = [*self._stack[: self._stack.index(place.parent) + 1], node]

    def _structural(self, marker: Marker) -> _Place | None:
        """Exhibits stand beside the contract, parts around articles, articles around sections."""
        reading = marker.readings[0]
        if reading.style not in _STRUCTURAL:
            return None
        outer = _STRUCTURAL[: _STRUCTURAL.index(reading.style)]
        parent = next((node for node in reversed(self._stack) if node.style in outer), self.root)
        if reading.style in (EXHIBIT, HEADING):
            return _Place(self.root if reading.style == EXHIBIT else parent, reading)
        before = next((node for node in reversed(parent.children) if node.style == reading.style), None)
        # the first may be any where the text begins in the middle, not where other sections were seen
        any_first = not any(node.style != HEADING for node in parent.children)
        for one in marker.readings:
            if one.value[0] == 1 or any_first if before is None else 0 < one.value[0] - before.value[0] <= GAP:
                return _Place(parent, one)
        return None

    def _next(self, at: int, marker: Marker) -> _Place | None:
        """Its place in a list that is open; of several the one that looks alike, then the innermost."""
        found = []
        for reading in marker.readings:
            for depth in range(len(self._stack) - 1, 0, -1):
                node = self._stack[depth]
                if self._goes_on(node, reading, marker):
                    alike = self._looks_alike(depth, reading, marker)
                    exact = follows(node.value, reading.value, gap=1)
                    found.append((exact, alike, depth, reading))
        if not found:
            return self._counts_on(marker)
        _, _, depth, reading = max(found, key=lambda one: one[:3])
        if self._is_roman_one(at, marker, reading):
            return None
        return _Place(self._parent_of(depth, reading), reading)

    def _goes_on(self, node: Node, reading: Reading, marker: Marker) -> bool:
        if node.style == reading.style == DECIMAL:
            # not the first of a list inside ("1." under 12.)
            inner = len(reading.value) == 1 and reading.value[0] <= node.value[0]
            return follows(node.value, reading.value) and not inner
        if node.style == ARTICLE and reading.style == DECIMAL:
            return len(reading.value) > 1 and reading.value[0] == node.value[0] and reading.value[1] <= 2
        if node.style != reading.style or node.style in _STRUCTURAL:
            return False
        if marker.under and not self._is_under(node, marker):
            return False
        return 0 < reading.value[0] - node.value[0] <= GAP

    def _looks_alike(self, depth: int, reading: Reading, marker: Marker) -> bool:
        """Whether a number is written as the one of its own level in the list that is open at `depth`."""
        for node in reversed(self._stack[: depth + 1]):
            if node.style == reading.style and len(node.value) == len(reading.value):
                return node.marker is not None and node.marker.look == marker.look
        return False

    def _is_under(self, node: Node, marker: Marker) -> bool:
        beside = node.marker is not None and node.marker.under == marker.under
        return beside or any(outer.style == DECIMAL and outer.value == marker.under for outer in node.above())

    def _counts_on(self, marker: Marker) -> _Place | None:
        """The next section of a list that an article or a heading ended: inside the article, beside the heading."""
        reading = marker.readings[0]
        if reading.style != DECIMAL or not self._closed or not follows(self._closed, reading.value):
            return None
        around = next((node for node in reversed(self._stack) if node.style in (ARTICLE, HEADING, DECIMAL)), None)
        if around is None or around.style == DECIMAL:
            return None
        return _Place(around if around.style == ARTICLE else around.parent or self.root, reading)

    def _is_roman_one(self, at: int, marker: Marker, reading: Reading) -> bool:
        """Whether "(i)" after "(h)" begins a list of roman numerals: then "(ii)" comes before "(j)"."""
        other = next((one for one in marker.readings if one.value == (1.0,) and one != reading), None)
        if other is None:
            return False
        for ahead in self._markers[at + 1 : at + 1 + _AHEAD]:
            if Reading(other.style, (2.0,)) in ahead.readings:
                return True
            if Reading(reading.style, (reading.value[0] + 1,)) in ahead.readings or ahead.readings[0].style == DECIMAL:
                return False
        return False

    def _parent_of(self, depth: int, reading: Reading) -> Node:
        """What stands around the next number of the list to which the open section at `depth` belongs."""
        if reading.style != DECIMAL:
            return self._stack[depth - 1]
        while depth > 0:
            node = self._stack[depth]
            if node.style != DECIMAL:
                return node
            if len(node.value) == len(reading.value):
                return node.parent or self.root
            if len(node.value) < len(reading.value) and reading.value[: len(node.value)] == node.value:
                return node
            depth -= 1
        return self.root

    def _first(self, at: int, marker: Marker) -> _Place | None:
        """A list that begins here."""
        top = self._stack[-1]
        for reading in sorted(marker.readings, key=lambda one: one.value):
            if marker.under:
                around = [n for n in self._stack if n.style == DECIMAL and n.value == marker.under[: len(n.value)]]
                if around or len(self._stack) == 1:  # 12 and 12.1 are around 12.1(a)
                    return _Place(around[-1] if around else self.root, reading)
                if beside := self._beside(marker):  # 12.2(a) after 12.1(b)
                    return _Place(beside, reading)
                continue
            if not self._may_begin(reading, marker):
                continue
            if reading.style == DECIMAL and top.style not in (ARTICLE, PART) and self._begins_again(at, marker):
                return _Place(self._outermost(), reading)
            if (top is self.root and marker.strong) or self._is_certain(marker) or self._has_second(at, reading):
                return _Place(top, reading)
        return None

    def _beside(self, marker: Marker) -> Node | None:
        """What stands around the item that is open, where a number in full goes on with the section that it names."""
        last = self._stack[-1]
        goes_on = last.marker is not None and last.marker.under and follows(last.marker.under, marker.under)
        return last.parent if goes_on else None

    def _may_begin(self, reading: Reading, marker: Marker) -> bool:
        if len(self._stack) == 1 and not self.root.children:
            return marker.strong or reading.value[-1] == 1
        if reading.style == DECIMAL and len(reading.value) > 1:
            # 2.1 where no "2." was seen: headings without numbers stand between
            return reading.value[-1] <= 1 and self._stack[-1].style in ("", *_STRUCTURAL)
        return reading.value == (1.0,)

    def _is_certain(self, marker: Marker) -> bool:
        # "(i)" alone may be a letter of a list that began inside a paragraph
        alone = len(marker.readings) == 1 and marker.readings[0].style.startswith("(")
        return alone or (self._stack[-1].style in _STRUCTURAL and marker.strong)

    def _has_second(self, at: int, reading: Reading) -> bool:
        second = Reading(reading.style, (*reading.value[:-1], reading.value[-1] + 1))
        return any(second in ahead.readings for ahead in self._markers[at + 1 : at + 1 + _AHEAD])

    def _outermost(self) -> Node:
        return next((node for node in reversed(self._stack) if node.style == EXHIBIT), self.root)

    def _begins_again(self, at: int, marker: Marker) -> bool:
        """Whether terms of their own begin here: numbers from 1 again that look like the contract's sections."""
        sections = [node for node in self._outermost().children if node.style == DECIMAL]
        if not sections or marker.readings[0].value != (1.0,) or not self._has_second(at, marker.readings[0]):
            return False
        first, last = sections[0].marker, sections[-1].value
        if first is None or first.look != marker.look or not (first.headed and marker.headed):
            return False
        return last[0] >= GAP and not self._is_gone_on_with(at, last[0])

    def _is_gone_on_with(self, at: int, last: float) -> bool:
        """Whether the number after `last` comes before `last` comes again: then a list inside a section begins."""
        for ahead in self._markers[at + 1 :]:
            for reading in ahead.readings:
                if reading.style == DECIMAL and reading.value in ((last,), (last + 1,)):
                    return reading.value == (last + 1,)
        return False
