"""What stands where in a clause: its sentences, what each is about and says, and what it takes out of its rule.

anatomy(text) -> tuple of Sentence
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept, lowered

# possessive and bounded, so that long runs of dots or blanks are not gone over again and again
_END = re.compile(r"(?<=[.;!?])[\"”’')\]]*+\s++(?=[\"“(\[]?(?:[A-Z0-9(]|\W{0,200}+[ivx]+\)))|\n+|<omitted>")
"""Where a sentence, or an item of a list, ends; ACORD marks what its annotators left out by <omitted>."""


def _one_of(*patterns: str) -> re.Pattern[str]:
    """Any of the patterns, in lower case."""
    return re.compile("|".join(patterns))


_OPENS = _one_of(
    r"\bexcept(?:ing|ion)?s?\b(?! as (?:expressly |otherwise |specifically )*(?:set|provided|stated))",
    r"\bexclud(?:ing|es?|ed)\b",
    r"\bother than",
    r"\bsave (?:for|as|in)",
    r"\bwith the exception",
    r"\bunless (?:such|caused|due|arising)",
    r"\bnotwithstanding",
    r"\bbut for",
    r"\bapart from",
    r"\bsubject to (?:and )?(?:without|section|article|clause)",
    r"\bwithout limiting",
    r"\bin addition to",
    r"\bprovided,? (?:however,? )?that",
)
"""Opens what is taken out of a rule."""
_RESUMES = _one_of(
    r"\bin no event\b",
    r"\bunder no circumstance\b",
    r"\bneither (?:party|of)\b",
    r"\bno party\b",
    r"\beach party['’]s\b",
    r"\b(?:shall|will) not be liable\b",
    r"\b(?:maximum|total|aggregate|entire|cumulative) (?:\w+ )?liabilit\b",
    r"\bmakes? no\b",
    r"\bdisclaims?\b",
)
"""Where the rule begins, or goes on, after an exception that leads it."""
_LIFTS = _one_of(
    r"(?:shall|will|do|does|is|are|would|may) not (?:\w+ ){0,3}?"
    r"(?:apply|applicable|limit|limited|exclude|restrict|affect|extend|subject|cap)",
    r"(?:nothing|no provision|none of)\b[^.]{0,160}(?:limit|exclude|restrict|affect)",
    r"(?:limit|cap|exclusion|waiver)\w*+[^.]{0,60}(?:inapplicable|not appl)",
    r"(?:don['’]t|doesn['’]t) (?:limit|exclude|apply)",
)
"""A sentence that lifts what others say: "The foregoing shall not apply to ..."."""
_MUTUAL = _one_of(
    r"\b(?:either|neither|each|any|no|both|a|one|such) part(?:y|ies)",
    r"\bthe parties",
    r"\b(?:each|neither) of the parties",
    r"\b(?:either|neither) (?:\w+ ){1,4}(?:or|nor)\b",
    r"\bindemnifying party",
    r"\beach other",
    r"\bthe other party",
)


_PARTY = r"\b(?:(?:the|such|any) )?"
_WHO = (
    r"(?:seller|supplier|licensor|vendor|manufacturer|provider|developer|consultant|contractor|company|we)",
    r"(?:buyer|customer|purchaser|licensee|distributor|client|reseller|user|owner|you)",
    r"(?:(?:either|neither|each|no|any|a|both|one) part(?:y|ies)|(?:either|neither) of us|the parties)",
)
"""Words for the seller, the buyer, both: in the order of `GUARDS`."""
_FREED = "|".join((
    r"(?:not |in no event )?(?:be|have|accept|assume)? ?(?:any |no )?(?:liab|responsib|obligat)",
    r"['’]s? (?:\w+ ){0,4}liabilit",
    r"(?:\w+ ){0,3}(?:disclaims?|makes? no|does not (?:make|warrant)|gives no|excludes?)",
))  # fmt: skip
_GUARDED = tuple(
    _one_of(rf"{_PARTY}{who}\b[^.;]{{0,60}}?(?:{_FREED})", rf"(?:liabilit\w+ of|released?) {_PARTY}{who}\b")
    for who in _WHO
)
_BURDENED = tuple(_one_of(rf"{_PARTY}{who}\b[^.;]{{0,60}}?(?:indemnif|hold|defend|reimburse)") for who in _WHO)
GUARDS = ("seller", "buyer", "both")
"""Whom a sentence frees of liability, and, in the next three bits, whom it makes indemnify."""


class Sentence(NamedTuple):
    """A sentence of a clause. Sets of concepts are bits, in the glossary's order."""

    about: int
    """Subjects that it says."""
    said: int
    """Matters in its rule."""
    excepted: int
    """Matters in what it takes out: after "except for", or all of them where it lifts what other sentences say."""
    n_words: int
    n_excepted: int
    """Words of what it takes out."""
    mutual: bool
    """Whether it speaks of either, neither or each party."""
    guards: int
    """Bits in the order of `GUARDS`, whom it frees; then whom it burdens with an indemnity."""
    lifts: bool
    """Whether it takes something out of what other sentences say."""


@lru_cache(maxsize=50_000)
def anatomy(text: str) -> tuple[Sentence, ...]:
    """The sentences of a clause's text.

    >>> [found] = anatomy("Except for fraud, in no event shall a party's total liability exceed the fees paid.")
    >>> names(SUBJECTS, found.about), names(MATTERS, found.excepted)
    (['cap'], ['fraud'])
    """
    # what the whole clause does not say no sentence of it says, and most concepts are not said
    whole = lowered(text)
    subjects, matters = (_said_in(whole, concepts) for concepts in (SUBJECTS, MATTERS))
    return tuple(_sentence(lowered(part), subjects, matters) for part in parts_of(text))


def parts_of(text: str) -> list[str]:
    """The sentences and items of lists of a clause, as they stand; `anatomy` has one sentence for each.

    >>> parts_of("No liability. (a) Fraud; (b) death.")
    ['No liability.', '(a) Fraud;', '(b) death.']
    """
    return [part.strip() for part in _END.split(text) if part and part.strip()]


def names(concepts: tuple[Concept, ...], bits: int) -> list[str]:
    """The names of a set of concepts."""
    return [concept.name for place, concept in enumerate(concepts) if bits >> place & 1]


def _said_in(text: str, concepts: tuple[Concept, ...]) -> list[tuple[int, Concept]]:
    """The concepts that a text says, each with its bit."""
    return [(1 << place, concept) for place, concept in enumerate(concepts) if concept.said.search(text)]


def _sentence(text: str, subjects: list[tuple[int, Concept]], matters: list[tuple[int, Concept]]) -> Sentence:
    lifts = bool(_LIFTS.search(text))
    excepted = text if lifts else _excepted(text)
    rule = text if lifts or not excepted else text.replace(excepted, " ")
    return Sentence(
        _bits(subjects, text),
        _bits(matters, rule),
        _bits(matters, excepted) if excepted else 0,
        len(text.split()),
        len(excepted.split()),
        bool(_MUTUAL.search(text)),
        _guards(text),
        lifts,
    )


def _bits(concepts: list[tuple[int, Concept]], text: str) -> int:
    return sum(bit for bit, concept in concepts if concept.is_said(text))


def _guards(text: str) -> int:
    return sum(1 << place for place, who in enumerate((*_GUARDED, *_BURDENED)) if who.search(text))


def _excepted(text: str) -> str:
    """The longest stretch from an opening word to where the rule goes on, or to the sentence's end."""
    longest, end = "", -1
    for opens in _OPENS.finditer(text):
        if opens.end() <= end:
            continue  # it ends where the one before it ends, and is shorter
        resumes = _RESUMES.search(text, opens.end())
        end = resumes.start() if resumes else len(text)
        longest = max(longest, text[opens.start() : end].strip(), key=len)
    return longest
