"""A contract as text: what every reader of a format makes, and all that the cutting into sections knows of it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ContractText:
    """The text of a contract, with what its format told beside the characters."""

    text: str
    page_starts: tuple[int, ...] = ()
    """Where each page begins, ascending, the first at 0; empty where the format has no pages."""
    headings: frozenset[int] = frozenset()
    """Where lines begin that the format marks as headings."""
    numbered: frozenset[int] = frozenset()
    """Where lines begin whose number the word processor counted: no doubt that they are sections."""
    dropped: dict[str, int] = field(default_factory=dict)
    """What the reader left out, by kind: running headers and footers, tables of contents."""
    notes: tuple[str, ...] = ()
    """What a person should know: pages without text."""

    def page(self, place: int) -> int:
        """The page of a character, from 1; 0 where there are no pages.

        >>> ContractText("one\\ftwo", (0, 4)).page(5)
        2
        """
        return bisect_right(self.page_starts, place)
