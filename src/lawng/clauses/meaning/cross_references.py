"""What a rule leaves to another section of its contract: "Except as set forth in Section 8.3".

followed(parts, others) -> the parts, answered by the sections that the rule yields to
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lawng.clauses.meaning.explained import BUT_SEE, CARVE_OUT, Part
from lawng.clauses.sections.references import numbers_in

_MOST = 12
"""Clauses of a section that are looked at: one refers to "Article 8" too."""

Sections = Callable[[str], Sequence[tuple[str, Sequence[Part]]]]
"""The clauses of the section with a number, with what each answers to the same query."""


def followed(parts: Sequence[Part], sections: Sections) -> tuple[Part, ...]:
    """The parts of a clause; where its rule yields to another section, what that one takes out answers.

    Such a part has no span in the clause, and says where it was found: "in 8.3: ...".
    """
    return tuple(_followed(part, sections) if part.words.startswith(BUT_SEE) else part for part in parts)


def _followed(part: Part, sections: Sections) -> Part:
    wanted = part.wanted == CARVE_OUT
    for number, other in _answers(part, sections):
        if other.found == wanted and not other.words.startswith(BUT_SEE):
            return Part(part.asked, part.wanted, wanted, f"in {number}: {other.words}", [])
    return part


def _answers(part: Part, sections: Sections) -> Iterator[tuple[str, Part]]:
    """What the sections say that the words of a part refer to, of the same notion."""
    for number in numbers_in(part.words):
        for section, parts in sections(number)[:_MOST]:
            yield from ((section, one) for one in parts if (one.asked, one.wanted) == (part.asked, part.wanted))
