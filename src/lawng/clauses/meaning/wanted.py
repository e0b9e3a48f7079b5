"""What a query asks of a clause: its subject, and what must be said of it, excepted from it, or not be there.

wanted(query) -> Wanted
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept, lowered

_EXCEPTION = re.compile(r"carve-?\s?outs?|exceptions?|exclud|does not apply|except")
_NO_EXCEPTION = re.compile(r"(?:without|no)\s+(?:carve|exception)|unqualified|without (?:any )?exception")
_NEGATED = re.compile(r"\b(?:does not|do not|not specifically|without|not include|not bound|that lacks?)\b")
_MUTUAL = re.compile(r"\bmutual\b|both parties|each party")
_ONE_SIDED = re.compile(r"unilateral|one[- ]sided|only one party")
_FOR_SELLER = re.compile(r"(?:seller|vendor|supplier|licensor|provider)[- ](?:favou?r|friendly)")
_FOR_BUYER = re.compile(r"(?:buyer|customer|purchaser|licensee)[- ](?:favou?r|friendly)")


class Wanted(NamedTuple):
    """A query, understood as far as the glossary goes."""

    subjects: tuple[Concept, ...]
    said: tuple[Concept, ...]
    """Matters that the clause must say of its subject."""
    excepted: tuple[Concept, ...]
    """Matters that it must take out."""
    absent: tuple[Concept, ...]
    """Matters that it must not mention."""
    carve_outs: int
    """1 when some exception is asked for, -1 when none may be there, 0 when nothing is said of it."""
    mutual: int
    """1 for both parties alike, -1 for one alone, 0 when nothing is said of it."""
    favours: int
    """1 the seller, -1 the buyer, 0 nobody."""

    @property
    def meaning(self) -> str:
        """The sentences of the glossary for all that is asked, "" where it knows nothing of it."""
        concepts = (*self.subjects, *self.said, *self.excepted)
        return " ".join(dict.fromkeys(concept.meaning for concept in concepts))


@lru_cache(maxsize=2_000)
def wanted(query: str) -> Wanted:
    """What a query asks for.

    >>> found = wanted("IP infringement exception to cap on liability")
    >>> [concept.name for concept in found.subjects], [concept.name for concept in found.excepted]
    (['cap'], ['ip infringement'])
    """
    query = lowered(query)
    subjects = _subjects(query)
    matters = [concept for concept in MATTERS if concept.asked.search(query)]
    matters = _most_specific(matters, subjects)
    no_exception, some_exception = bool(_NO_EXCEPTION.search(query)), bool(_EXCEPTION.search(query))
    negated = [concept for concept in matters if _is_negated(query, concept)]
    rest = [concept for concept in matters if concept not in negated]
    outs = rest if some_exception and not no_exception else []
    return Wanted(
        tuple(subjects),
        tuple(concept for concept in rest if concept not in outs),
        tuple(outs),
        tuple(negated),
        -1 if no_exception else int(some_exception),
        -1 if _ONE_SIDED.search(query) else int(bool(_MUTUAL.search(query))),
        int(bool(_FOR_SELLER.search(query))) - int(bool(_FOR_BUYER.search(query))),
    )


def _subjects(query: str) -> list[Concept]:
    found = [concept for concept in SUBJECTS if concept.asked.search(query)]
    names = {concept.name for concept in found}
    if "cap" in names or "non-reliance" in names:
        # "cap on liability for indirect damages" and "... via indemnification" are about the cap
        found = [concept for concept in found if concept.name not in {"damages waiver", "indemnity"}]
    if names & {"damages waiver", "warranty disclaimer", "exclusive remedy"}:
        found = [concept for concept in found if concept.name not in {"indemnity", "product warranty"}]
    return found


def _most_specific(matters: list[Concept], subjects: list[Concept]) -> list[Concept]:
    names = {concept.name for concept in matters}
    dropped = set()
    if "third-party ip infringement" in names:
        dropped |= {"ip infringement", "third party claims"}
    if {"merchantability and fitness", "title and non-infringement"} & names:
        dropped |= {"implied warranties", "ip infringement"}
    if any(subject.name == "indemnity" for subject in subjects):
        dropped |= {"indemnification obligations"}
    if any(subject.name in {"ip assignment", "joint ip ownership"} for subject in subjects):
        dropped |= {"ip infringement", "title and non-infringement"}
    if "trademark or copyright" in names:
        dropped |= {"ip infringement"}
    return [concept for concept in matters if concept.name not in dropped]


def _is_negated(query: str, concept: Concept) -> bool:
    asked = concept.asked.search(query)
    before = query[: asked.start()] if asked else ""
    return bool(_NEGATED.search(before)) and concept.name != "more than twelve months"
