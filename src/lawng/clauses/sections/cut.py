"""A contract cut into clauses: sections and subsections with their headings, as ACORD's annotators take them (C.4).

clauses_of(contract, source) -> Cut(clauses, dropped, regions)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lawng.clauses.contract import ContractText
from lawng.clauses.sections.regions import TITLE, Region
from lawng.clauses.sections.tree import sections_of
from lawng.clauses.sections.units import Unit, units_of
from lawng.records import Clause
from lawng.retrieval.sentences import trimmed


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
    return Clause(
        clause_id=f"{source}#{start}",
        source=source,
        section=unit.section,
        heading=unit.heading,
        headings=list(unit.headings),
        page=contract.page(start),
        start=start,
        end=end,
        text=contract.text[start:end],
    )
