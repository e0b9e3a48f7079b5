"""What of a rule stands elsewhere in its contract: "except as set forth in Section 8.3", "nothing in this Agreement".

followed(parts, sections) -> the parts, answered by the sections that the rule yields to
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from lawng.clauses.meaning.explained import BUT_SEE, CARVE_OUT, WITHOUT, Part
from lawng.clauses.sections.references import numbers_in

_MOST = 12
"""Clauses of a section that are looked at: one refers to "Article 8" too."""

LIFTS_ALL = re.compile(
    r"\b(?:nothing|no provision|none of the (?:provisions|limitations|exclusions))\b[^.;:]{0,60}?"
    r"\b(?:this|these|the) (?:agreement|contract|terms|lease|licen[cs]e)\b[^.;:]{0,40}?\b(?:limit|exclude|restrict)",
    re.IGNORECASE,
)
"""A clause that takes something out of every limit of its contract."""
ALL = ""
"""The number that stands for these clauses."""
_LIMITS = frozenset(("cap", "damages waiver"))

Sections = Callable[[str], Iterable[tuple[str, Sequence[Part]]]]
"""The clauses of the section with a number, or those that lift all limits, with what each answers to the query."""


def followed(parts: Sequence[Part], sections: Sections) -> tuple[Part, ...]:
    """The parts of a clause; where its rule yields to another section, what that one takes out answers.

    So does a clause that lifts all limits of the contract where the clause is about one. Such a part has no span in the
    clause, and says where it was found: "in 8.3: ...".
    """
    limits = any(part.found and part.wanted == "about" and part.asked in _LIMITS for part in parts)
    return tuple(_followed(part, sections, limits) for part in parts)


def _followed(part: Part, sections: Sections, limits: bool) -> Part:
    wanted = part.wanted == CARVE_OUT
    unsaid = part.found != wanted and (not part.words or part.words.startswith(BUT_SEE))
    if part.wanted not in {CARVE_OUT, WITHOUT} or not unsaid:
        return part
    for section, other in _answers(part, sections, [*numbers_in(part.words), *([ALL] if limits else [])]):
        if other.found == wanted:
            return Part(part.asked, part.wanted, wanted, f"in {section}: {other.words}", [])
    return part


def _answers(part: Part, sections: Sections, numbers: Sequence[str]) -> Iterator[tuple[str, Part]]:
    """What the sections with such numbers say of the same notion."""
    for number in numbers:
        for section, parts in islice(sections(number), _MOST):
            yield from ((section, one) for one in parts if (one.asked, one.wanted) == (part.asked, part.wanted))
