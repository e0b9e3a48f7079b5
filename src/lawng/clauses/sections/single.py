"""A text that is one clause: a line of a list of clauses, or a file with nothing else in it.

single_clause(contract, source) -> Clause     head_of(text) -> (section, heading)
"""

from __future__ import annotations

from lawng.clauses.contract import ContractText
from lawng.clauses.sections.tree import sections_of
from lawng.records import Clause
from lawng.retrieval.sentences import trimmed


def single_clause(contract: ContractText, source: str) -> Clause:
    """A whole text as one clause, without the blanks around it."""
    span = trimmed(contract.text, 0, len(contract.text))
    start, end = (span.start, span.end) if span else (0, 0)
    section, heading = head_of(contract.text)
    text = contract.text[start:end]
    return Clause(f"{source}#{start}", source, section, heading, [], contract.page(start), start, end, text)


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
    return children[0].number, sections.heads[children[0]].heading
