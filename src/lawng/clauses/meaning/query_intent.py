"""What a query asks of a clause: its subject, and what must be said of it, excepted from it, or not be there.

query_intent(query) -> QueryIntent
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept, lowered
from lawng.clauses.meaning.negation_scope import CARVE_OUT, Scope, Sense, Span, cue_spans
from lawng.text.words import FUNCTION_WORDS

# "by mutual written agreement" says how something comes about, and not for whom the clause holds
_AGREED = r"(?:\w+ ){0,2}(?:agreements?|consents?|approvals?|discussions?|decisions?|negotiations?)\b"
_SIDE = r"(?:part(?:y|ies)|sides?|compan(?:y|ies))"
_MUTUAL = re.compile(
    rf"\bmutual(?:ly)?\b(?! {_AGREED})(?! (?:\w+ )?agreed?\b)|reciprocal|bilateral|\btwo[- ](?:way|sided)\b"
    rf"|\b(?:both|each|either|neither)(?: of)?(?: the)? {_SIDE}\b|\b(?:each other|one another)\b"
)
_ONE_SIDED = re.compile(rf"unilateral|\bone[- ](?:sided|way)\b|\bonly one {_SIDE}\b|\bone {_SIDE} (?:only|alone)\b")
_FAVOURING = r"\b(?:in favou?r of|favou?ring|for the benefit of) (?:the )?"
_SELLER, _BUYER = r"(?:seller|vendor|supplier|licensor|provider)", r"(?:buyer|customer|purchaser|licensee)"
_FOR_SELLER = re.compile(rf"{_SELLER}[- ](?:favou?r|friendly)|{_FAVOURING}{_SELLER}\b")
_FOR_BUYER = re.compile(rf"{_BUYER}[- ](?:favou?r|friendly)|{_FAVOURING}{_BUYER}\b")
_FAVOURS = (_MUTUAL, _ONE_SIDED, _FOR_SELLER, _FOR_BUYER)
_RESTRICTS = {
    *("cap", "damages waiver", "warranty disclaimer", "as is", "exclusive remedy", "non-compete", "exclusivity"),
    *("no solicit of customers", "no solicit of employees", "anti-assignment", "covenant not to sue"),
}
"""Subjects that hold for all that is not taken out of them."""
_WORD = re.compile(r"\w[\w'’-]*")
_NAME_WORDS = 2
"""Words of content that a stretch needs to name something."""
_OF_CONTRACTS = {"clause", "clauses", "provision", "provisions", "section", "language", "contract", "agreement"}
_NO_CONTENT = FUNCTION_WORDS | _OF_CONTRACTS
"""Words that say nothing of what a clause of a contract is about."""
_IP = "ip infringement"
_NAME = 40
"""Characters; what a longer match of a subject reaches over does not belong to its name."""


class Named(NamedTuple):
    """A stretch of a query that names a concept of the glossary, by the concept's name."""

    concept: str
    start: int
    end: int
    sense: Sense | None = None
    """What is asked of the concept, None where the query's negations and exceptions tell."""


class QueryIntent(NamedTuple):
    """A query, understood as far as the glossary goes."""

    subjects: tuple[Concept, ...]
    said: tuple[Concept, ...]
    """Matters that the clause must say of its subject."""
    excepted: tuple[Concept, ...]
    """Matters that it must take out."""
    absent: tuple[Concept, ...]
    """Matters, and subjects, that it must not mention."""
    carve_outs: int
    """1 when some exception is asked for, -1 when none may be there, 0 when nothing is said of it."""
    mutual: int
    """1 for both parties alike, -1 for one alone, 0 when nothing is said of it."""
    favours: int
    """1 the seller, -1 the buyer, 0 nobody."""
    explained: float
    """Share of the query's words of content that say what is asked here; the others are matched as they are."""

    @property
    def named(self) -> tuple[Concept, ...]:
        """All that a clause must have."""
        return *self.subjects, *self.said, *self.excepted

    @property
    def meaning(self) -> str:
        """The sentences of the glossary for all that is asked, "" where it knows nothing of it."""
        return " ".join(dict.fromkeys(concept.meaning for concept in self.named))

    @property
    def plain(self) -> str:
        """The same question in the glossary's own words: one for all queries that are read alike.

        >>> query_intent("IP infringement exception to mutual cap on liability, no fraud").plain
        'mutual cap, with an exception for ip infringement, without fraud'
        """
        sides = {"mutual ": self.mutual > 0, "one-sided ": self.mutual < 0}
        sides |= {"seller-favorable ": self.favours > 0, "buyer-favorable ": self.favours < 0}
        exceptions = ["", "with exceptions", "without exceptions"][self.carve_outs]
        parts = {"": self.said, "with an exception for ": self.excepted, "without ": self.absent}
        told = [f"{before}{_names(concepts)}" for before, concepts in parts.items() if concepts]
        asked = [_names(self.subjects), *told, *([] if self.excepted else [exceptions])]
        return "".join(side for side, there in sides.items() if there) + ", ".join(filter(None, asked))


@lru_cache(maxsize=2_000)
def query_intent(query: str, phrases: tuple[Named, ...] = ()) -> QueryIntent:
    """What a query asks for; `phrases` are stretches that an encoder has read.

    >>> found = query_intent("IP infringement exception to cap on liability")
    >>> [concept.name for concept in found.subjects], [concept.name for concept in found.excepted]
    (['cap'], ['ip infringement'])
    """
    query = lowered(query)
    spans = spans_of(query, phrases)
    named = [concept for concept in SUBJECTS if concept.name in spans]
    told: dict[str, list[Sense]] = {}
    for one in phrases:
        if one.sense is not None:
            told.setdefault(one.concept, []).append(one.sense)
    read = _read(query, spans, told, named, [])
    if not named and (implied := _implied(read, {one.concept for one in phrases})):
        read = _read(query, spans, told, implied, [])
    unwanted = [one for one in read.subjects if one in named and read.sense(one) == Sense.ABSENT]
    if len(unwanted) == len(named):
        unwanted = []  # a clause is about something: "no limitation of liability" is about one
    if unwanted:
        read = _read(query, spans, told, named, unwanted)
    by_sense = {sense: tuple(one for one in read.matters if read.sense(one) == sense) for sense in Sense}
    one_sided = _ONE_SIDED.search(query)
    carve_outs = 1 if by_sense[Sense.EXCEPTED] else read.scope.carve_outs()
    turned = bool(carve_outs or by_sense[Sense.ABSENT] or unwanted)
    explained = _explained(query, [one for own in spans.values() for one in own], turned) if read.subjects else 0.0
    return QueryIntent(
        tuple(read.subjects),
        by_sense[Sense.SAID],
        by_sense[Sense.EXCEPTED],
        (*by_sense[Sense.ABSENT], *unwanted),
        carve_outs,
        -read.asked(one_sided) if one_sided else read.asked(_MUTUAL.search(query)),
        max(0, read.asked(_FOR_SELLER.search(query))) - max(0, read.asked(_FOR_BUYER.search(query))),
        explained,
    )


def affirmed(query: str, phrases: tuple[Named, ...] = ()) -> str:
    """A query without the names of what must not be there, for words and vectors know of no negation.

    >>> affirmed("Indemnity without hold harmless"), affirmed("cap with no exceptions"), affirmed("no fraud")
    ('Indemnity', 'cap with', 'no fraud')
    """
    found = query_intent(query, phrases)
    unwanted = [concept.asked.pattern for concept in found.absent] + [CARVE_OUT] * (found.carve_outs < 0)
    absent = {concept.name for concept in found.absent}
    unwanted += [re.escape(lowered(query)[one.start : one.end]) for one in phrases if one.concept in absent]
    if not unwanted or not found.subjects:
        return query
    for pattern in unwanted:
        query = re.sub(rf"(?i)(?:\b(?:without|no|any|an?|or|nor)\s+){{0,3}}\w{{0,20}}(?:{pattern})\w*+", " ", query)
    return " ".join(query.split())


class _Read(NamedTuple):
    """The notions that a query names, and how far its negations reach."""

    subjects: list[Concept]
    matters: list[Concept]
    spans: dict[str, list[Span]]
    scope: Scope
    told: Mapping[str, list[Sense]]
    """What is asked of notions, where something else than the scope tells."""

    def sense(self, concept: Concept) -> Sense:
        """What is asked of a notion: that it is excepted if it is so anywhere, else what is asked first.

        An exception that is negated is none, whatever else is told: of words alone it looks like one.
        """
        if any(self.scope.denies(start) for start, _ in self.spans[concept.name]):
            return Sense.ABSENT
        found = [self.scope.at(start) for start, _ in self.spans[concept.name]]
        found = [*self.told.get(concept.name, ()), *found]
        return Sense.EXCEPTED if Sense.EXCEPTED in found else found[0]

    def asked(self, found: re.Match[str] | None) -> int:
        """1 for what is asked for, -1 for what is asked not to be so, 0 where it is not spoken of."""
        return 0 if found is None else -1 if self.scope.at(found.start()) == Sense.ABSENT else 1


def spans_of(query: str, phrases: Sequence[Named] = ()) -> dict[str, list[Span]]:
    """Where a query in lower case names which concepts, by the glossary's patterns and by phrases.

    >>> spans_of("cap on liability for fraud")
    {'cap': [(0, 3)], 'fraud': [(21, 26)]}
    """
    found = {one.name: [match.span() for match in one.asked.finditer(query)] for one in (*SUBJECTS, *MATTERS)}
    for phrase in phrases:
        found[phrase.concept] = sorted([*found.get(phrase.concept, []), (phrase.start, phrase.end)])
    return {name: spans for name, spans in found.items() if spans}


def _read(
    query: str,
    spans: dict[str, list[Span]],
    told: Mapping[str, list[Sense]],
    named: list[Concept],
    unwanted: list[Concept],
) -> _Read:
    subjects = _most_specific([concept for concept in named if concept not in unwanted])
    matters = _most_specific([one for one in MATTERS if one.name in spans], [*subjects, *unwanted])
    names = [spans[subject.name][0] for subject in subjects if subject.name in spans]
    read = Scope(
        query,
        [span for matter in matters for span in spans[matter.name]],
        [(start, end) for start, end in names if end - start <= _NAME],
        any(subject.name in _RESTRICTS for subject in subjects),
    )
    return _Read(subjects, matters, spans, read, told)


def _implied(read: _Read, known: Set[str]) -> list[Concept]:
    """The subject that a query means without naming one, by its matters: "control of defence" is of an indemnity.

    By those that are `known` from more than a pattern, which fits a matter's word in any sense: "new york office".
    """
    meant = {one.of for one in read.matters if one.of and one.name in known and read.sense(one) != Sense.ABSENT}
    return [one for one in SUBJECTS if meant == {one.name}]


def _names(concepts: Sequence[Concept]) -> str:
    return " and ".join(concept.name for concept in concepts)


def _explained(query: str, spans: Iterable[Span], turned: bool) -> float:
    """The share of words of content that name what is asked, or tell whom a clause favours.

    Of a longer stretch the words beyond a name's length say more than it: "non-exclusive license of the trademarks".
    Words that negate or except are none of them, but count as unexplained, each one, where nothing is `turned` by them.
    """
    names = _joined([*spans, *(found.span() for pattern in _FAVOURS for found in pattern.finditer(query))])
    cues = [cue for cue in cue_spans(query) if not any(start <= cue[0] < end for start, end in names)]
    words = [word.start() for word in _WORD.finditer(query) if word[0] not in _NO_CONTENT]
    words = [at for at in words if not any(start <= at < end for start, end in cues)]
    told = sum(min(_NAME_WORDS, sum(start <= at < end for at in words)) for start, end in names)
    return told / (len(words) + (0 if turned else len(cues))) if told else 0.0


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Spans from left to right, those that overlap as one."""
    found = list[Span]()
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


_COVERS = {
    # "cap on liability for indirect damages" and "... via indemnification" are about the cap
    **dict.fromkeys(("cap", "non-reliance"), ("damages waiver", "indemnity")),
    **dict.fromkeys(("damages waiver", "warranty disclaimer", "exclusive remedy"), ("indemnity", "product warranty")),
    **dict.fromkeys(("merchantability and fitness", "title and non-infringement"), ("implied warranties", _IP)),
    **dict.fromkeys(("ip assignment", "joint ip ownership"), (_IP, "title and non-infringement")),
    "third-party ip infringement": (_IP, "third party claims"),
    "trademark or copyright": (_IP,),
    "indemnity": ("indemnification obligations",),
}
"""What is not asked for beside a notion, whose words have those of the other."""


def _most_specific(found: list[Concept], around: Sequence[Concept] = ()) -> list[Concept]:
    names = {concept.name for concept in (*found, *around)}
    dropped = {name for one in names for name in _COVERS.get(one, ())}
    if "cap" not in names:
        dropped.add("indirect damages")
    return [concept for concept in found if concept.name not in dropped]
