"""How far the negations and exceptions of a query reach.

Scope(query, matters, named, restricts)     .at(place) -> Sense     .carve_outs() -> 1, 0 or -1

Cues, and what ends their reach, as NegEx has them (Chapman et al., 2001), with the terms of art of contracts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from lawng.clauses.meaning.glossary import cues


class Sense(IntEnum):
    """What a query asks of a notion that it names."""

    ABSENT = -1
    """It must not be there."""
    EXCEPTED = 0
    """It must be taken out of the rule."""
    SAID = 1
    """It must be there."""


_CUES = cues("query")
CARVE_OUT = _CUES["carve-out"]
"""Words for exceptions."""
_EVENT = re.compile("|".join(f"(?P<{name.replace('-', '_')}>{pattern})" for name, pattern in _CUES.items()))
_SENSE = {
    **dict.fromkeys(("lifts", "lifted", "out"), Sense.EXCEPTED),
    **dict.fromkeys(("missed", "no", "not", "without"), Sense.ABSENT),
}
_NEGATIVE = {"no", "not", "without"}
_BACKWARD = {"lifted", "missed"}
_INERT, _ENDS = {"term", "rule"}, {"end", "that", "and", "comma"}
_SILENT = _INERT | _ENDS
_BESIDE = re.compile(r"(?: |be\b|been\b|being\b|any\b|the\b|an?\b|ha(?:s|ve|ving)\b|contain\w*|includ\w*|\w+ly\b)*")
"""What may stand between two negations of one thing: "does not contain any exclusion"."""
_ITEM = re.compile(r"(?! *(?:with|but|which|that|cover\w*|includ\w*|cap\w*|limit\w*|mutual|for|an?)\b)[^.;:()]{0,200}")
"""What follows the comma of a list, as far as the list may go on."""
_LED = re.compile(r",? ?(?:[:(]|(?:for|of|in|relating|covering|such as|including|that cover\w*)\b)")
"""What leads on from "carve-outs" to what they are."""
_EXAMPLE = re.compile(r" (?:such as|including|in particular|especially)\b")
_FAR, _MANY = 200, 40
"""Characters, and cues and ends together: how far one reaches at most, that a query may be a whole clause."""
_VERB = re.compile(
    r"\b(?:(?P<lifts>appl|exten)|(?P<without>includ|mention|contain|refer|with|ha[sv])|(?P<missed>carv|except|exempt))\w*"
)
"""What "but not" negates: of "missed" an exception."""


Span = tuple[int, int]


class _Event(NamedTuple):
    kind: str
    start: int
    end: int


class _Stretch(NamedTuple):
    """A stretch of a query in which notions are asked for in such a sense."""

    start: int
    end: int
    sense: Sense
    sure: bool = True
    """Whether it speaks of exceptions though it names none: "one party and not the other" does not."""
    denies: bool = False
    """Whether it negates an exception: "not excluding" does."""


class Scope:
    """How a query's cues govern it; in lower case.

    `matters` are the stretches that name matters, in which nothing ends; `named` are those that name the subject, in
    which nothing is a cue either: "excluding lost profits" is a waiver's name. `restricts`: whether the subject holds
    for all that is not taken out of it, as a cap does: what a cap does not cover is an exception to it, and what an
    indemnity does not cover need not be mentioned.

    >>> found = Scope("cap that does not apply to fraud, without a floor", [(27, 32)], [], True)
    >>> [found.at(place).name for place in (0, 27, 44)], found.carve_outs()
    (['SAID', 'EXCEPTED', 'ABSENT'], 1)
    """

    def __init__(self, query: str, matters: Sequence[Span], named: Sequence[Span], restricts: bool) -> None:
        self._text = query.replace("’", "'")
        self._matters = sorted(start for start, _ in matters)
        self._restricts = restricts
        in_subject, in_matter = (
            {place for start, end in spans for place in range(start, end)} for spans in (named, matters)
        )
        found = (_Event((one.lastgroup or "").replace("_", "-"), *one.span()) for one in _EVENT.finditer(self._text))
        self._events = [
            event
            for event in found
            if event.kind not in _INERT
            and event.start not in in_subject
            and not (event.kind in _ENDS and event.start in in_matter)
        ]
        self._senses = [Sense.SAID] * len(query)
        stretches = self._cues()
        self._mark(stretches)
        carved = [1 for one in stretches if one.sense == Sense.EXCEPTED and (one.sure or self._any(one.start, one.end))]
        exceptions = [at for at, event in enumerate(self._events) if event.kind in {"carve-out", "whole"}]
        words = [self._events[at].start for at in exceptions]
        self._denied = [
            (one.start, one.end)
            for one in stretches
            if one.sense == Sense.ABSENT and (one.denies or any(one.start <= at < one.end for at in words))
        ]
        self._asked = carved + [self._carved(self._events[at], stretches) for at in exceptions]
        self._mark([one for at in exceptions for one in self._carved_out(at)])

    def at(self, place: int) -> Sense:
        """What is asked of the notion that is named at a place of the query."""
        return self._senses[place]

    def denies(self, place: int) -> bool:
        """Whether what must not be there is an exception of the notion named at a place: "without a carve-out for"."""
        return self.at(place) == Sense.ABSENT and any(start <= place < end for start, end in self._denied)

    def carve_outs(self) -> int:
        """1 when exceptions are asked for, -1 when none may be there, 0 when nothing is said of them."""
        return min(self._asked, default=0) or max(self._asked, default=0)

    def _cues(self) -> list[_Stretch]:
        """What each cue governs; two that stand together are one."""
        stretches, before = list[_Stretch](), None
        for at, event in enumerate(self._events):
            sense = self._sense(event)
            if sense is None:
                continue
            first, denies = at, self._verb(event) == "missed"
            if before is not None and _BESIDE.fullmatch(self._text, self._events[before].end, event.start):
                outer = stretches.pop().sense
                denies = {outer, sense} == {Sense.ABSENT, Sense.EXCEPTED}
                sense = _composed(outer, sense)
                first = before
            stretches.append(_Stretch(*self._reach(first, at), sense, event.kind != "covers", denies))
            before = at
        return stretches

    def _mark(self, stretches: Sequence[_Stretch]) -> None:
        for one in stretches:
            self._senses[one.start : one.end] = [min(sense, one.sense) for sense in self._senses[one.start : one.end]]

    def _sense(self, event: _Event) -> Sense | None:
        if event.kind != "covers":
            return _SENSE.get(event.kind)
        verb = self._verb(event)
        if verb:
            return _SENSE[verb]
        return Sense.EXCEPTED if self._restricts else Sense.ABSENT

    def _verb(self, event: _Event) -> str:
        """The kind of the verb before a "not" that stands alone, "" where there is none."""
        alone = event.kind == "covers" and event.end - event.start == len("not")
        verbs = [*_VERB.finditer(self._text, max(0, event.start - _FAR), event.start)] if alone else []
        return (verbs[-1].lastgroup or "") if verbs else ""

    def _reach(self, first: int, at: int) -> Span:
        event = self._events[at]
        forward, backward = (event.end, self._end(at)), (self._begin(first), self._events[first].start)
        one, other = (backward, forward) if event.kind in _BACKWARD else (forward, backward)
        # "fraud, to which the cap does not apply", "uncapped liability for fraud": to where there is a matter
        turned = event.kind in {"lifts", "lifted"} and not self._any(*one) and self._any(*other)
        return other if turned else one

    def _any(self, start: int, end: int) -> bool:
        return bisect_left(self._matters, start) < bisect_left(self._matters, end)

    def _carved(self, event: _Event, stretches: Sequence[_Stretch]) -> int:
        """What a word for exceptions asks; "no exception for fraud" forbids that one alone."""
        negated = self._senses[event.start] == Sense.ABSENT
        if event.kind == "whole" or not negated:
            return -1 if event.kind == "whole" and not negated else 1
        return (
            0 if any(self._any(one.start, one.end) for one in stretches if one.start <= event.start < one.end) else -1
        )

    def _carved_out(self, at: int) -> list[_Stretch]:
        """What is named as an exception: before the word ("fraud carve-out") or behind it ("carve-out for fraud")."""
        event = self._events[at]
        if event.kind == "whole" or self._senses[event.start] != Sense.SAID:
            return []
        before, led = (self._begin(at), event.start), _LED.match(self._text, event.end)
        found = [before] if self._any(*before) else []
        if led or not found:
            # past the colon of "carve-outs: fraud"
            behind = at + any(led is not None and later.start < led.end() for later in self._events[at + 1 : at + 2])
            found.append((self._events[behind].end, self._end(behind, "carve-out")))
        return [_Stretch(*reach, Sense.EXCEPTED) for reach in found]

    def _end(self, place: int, kind: str = "") -> int:
        """Where what a cue governs ends behind it."""
        cue, carved = kind or self._events[place].kind, False
        for at, event in enumerate(self._events[place + 1 : place + 1 + _MANY], place + 1):
            led = event.kind == "end" and event.start == self._events[place].end  # "excludes: fraud"
            if event.kind == "carve-out":
                carved = True
            elif not led and event.kind != "whole" and not self._passes(cue, carved, at):
                return event.start
        return self._events[place + _MANY].start if place + _MANY < len(self._events) else len(self._text)

    def _passes(self, cue: str, carved: bool, at: int) -> bool:
        """Whether what a cue governs goes on behind "that", "and" or a comma; after "no exceptions" hardly anything."""
        event, named, negative = self._events[at], carved and cue in _NEGATIVE, cue in _NEGATIVE
        if event.kind == "that":
            return named or cue not in {"no", "without"}
        if event.kind == "and":
            to_carve_out = any(later.kind == "carve-out" for later in self._events[at + 1 : at + 2])
            fresh = negative and self._text.startswith((" a ", " an "), event.end)
            return to_carve_out if named or cue == "no" else not fresh
        if event.kind != "comma":
            return False
        item = _ITEM.match(self._text, event.end)
        joint = ("nor", "or") if cue == "no" or named else ("nor", "or", "and")
        words = item[0].split() if item else []
        goes_on = any(word in joint for word in (words[:1] if named else words))
        return bool(_EXAMPLE.match(self._text, event.end)) or (bool(words) and (goes_on or not negative))

    def _begin(self, place: int) -> int:
        """Where what a cue governs begins before it."""
        for event in reversed(self._events[max(0, place - _MANY) : place]):
            between = self._text[event.end : self._events[place].start]
            listed = event.kind == "comma" and re.search(r"\b(?:n?or|and)\b", between)
            if event.kind not in {"and", "carve-out", "whole"} and not listed:
                return self._which(event.end, place)
        return self._which(self._events[place - _MANY].end if place > _MANY else 0, place)

    def _which(self, begin: int, place: int) -> int:
        """Of "the cap from which fraud is exempt" what is behind "which", if a matter is."""
        which = self._text.rfind(" which ", begin, self._events[place].start)
        return which if which >= 0 and self._any(which, self._events[place].start) else begin


def cue_spans(query: str) -> Iterator[Span]:
    """Where a query in lower case negates or excepts.

    >>> [*cue_spans("cap without fraud, and more")]
    [(4, 11)]
    """
    found = _EVENT.finditer(query.replace("’", "'"))
    return (one.span() for one in found if (one.lastgroup or "") not in _SILENT)


def _composed(outer: Sense, inner: Sense) -> Sense:
    """Two in one: "not without" asks for it, "not excluding" forbids to take it out."""
    if outer == inner != Sense.SAID:
        return Sense.SAID
    return min(outer, inner) if Sense.SAID in {outer, inner} else Sense.ABSENT
