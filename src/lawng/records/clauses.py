"""What a folder of contracts becomes: clauses, each a section or subsection with its headings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clause:
    """A section or subsection of a contract, as ACORD's annotators take it (paper, C.4), or a clause that stands alone.

    The span is half-open and counts characters of the text that was read from the source.
    """

    clause_id: str
    """`SOURCE#START`, or the id that the source gives it."""
    source: str
    """The file, relative to the folder that was read, or what the source calls the contract."""
    section: str
    """Its number as the contract counts, all levels of it ("12.1(a)"); "" where it has none."""
    heading: str
    """Its own heading, "" where it has none."""
    headings: list[str]
    """Headings of the sections around it, outermost first, its own not among them."""
    page: int
    """Of its first character, from 1; 0 where the source has no pages."""
    start: int
    end: int
    text: str
    """Exactly the source's text between start and end: its number and heading stand in it as the contract has them."""
