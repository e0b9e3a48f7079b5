"""What of a query a clause satisfies, part by part, with the words that decide it.

explain(query_intent(query), text) -> list of Part     told(part) -> "carve-out for fraud: yes (…)"

It goes by what `ClauseMatcher` goes by, and beyond it where a person does: the items of a list are read with the words
that lead into it, and a clause is about what the headings around it say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lawng.clauses.meaning.clause_annotation import ITEM, Sentence, annotate
from lawng.clauses.meaning.clause_sentences import Place, ReadSentence, joined, read_sentences
from lawng.clauses.meaning.glossary import MATTERS, SUBJECTS, Concept, cues, lowered
from lawng.clauses.meaning.query_intent import QueryIntent
from lawng.clauses.sections.references import YIELDS
from lawng.schema import Span
from lawng.text.sentences import trimmed

MOST_WORDS = 20
_HEADING = 6
"""Words that a heading in a clause has at most."""
_MUTUAL = 0.8
"""Share of the words about the subject from which a clause is mutual: a heading among them is short."""
_BEFORE = 6
"""Words shown before what decides, where a sentence is longer."""
_BIT = {concept.name: 1 << place for kind in (SUBJECTS, MATTERS) for place, concept in enumerate(kind)}
_CUES = {name: re.compile(pattern) for name, pattern in cues("clause").items()}
_WHO = {"seller": "the supplier", "buyer": "the customer", "both": "both parties"}
CARVE_OUT, WITHOUT = "carve-out", "without"
"""Of `Part.wanted`."""
BUT_SEE = "but see: "
"""Before where a rule yields to another section."""
MEANT = "by its meaning: "
"""Before the words of a clause that is about a subject as a whole, as its vector tells, while no words say so."""
_AFTER_ITEM = re.compile(r"[,;:](?: (?:and|or))?\Z", re.IGNORECASE)
_TO_A_STOP = re.compile(
    r"(?:[^.;:]|[.:](?=\d)){1,400}?(?=[.;:](?!\d)|,? (?:whether|regardless|even if|provided|except|in no event)\b|\Z)"
)
_LIMIT = re.compile(
    r"(?:\b(?:not|never) (?:\w+ ){0,2}exceed|\blimited (?:solely |in the aggregate )?to|\b(?:more|greater) than|\bup to"
    r"|\bexceed(?:ing|s)?|\bin excess of|\ba maximum of|\bcapped at)\b"
)
_COUNT = (
    r"(?:\d[\d,.]{0,15}|one|two|three|four|five|six|seven|nine|ten|twelve|fifteen|eighteen|twenty|thirty|sixty|ninety)"
)
_PERIOD = re.compile(rf"\b{_COUNT}\b[\s-]*(?:\(\d+\)[\s-]*)?(?:\w+ )?(?:day|week|month|year)s?\b")
_AMOUNT = re.compile(
    r"(?:us)?[$€£]\s?\d[\d,.]{0,15}|\b(?:usd|eur|gbp)\s?\d[\d,.]{0,15}"
    r"|\b\d[\d,.]{0,15}\s?(?:%|percent|per cent|dollars|euros?)"
)
_MEASURES = {
    "cap": _LIMIT,
    **dict.fromkeys(("liquidated damages", "minimum commitment", "revenue sharing", "insurance"), _AMOUNT),
    **dict.fromkeys(("non-compete", "exclusivity", "no solicit of customers", "no solicit of employees"), _PERIOD),
    **dict.fromkeys(("renewal", "termination for convenience", "audit rights", "product warranty"), _PERIOD),
    **dict.fromkeys(("right of first refusal", "non-disparagement"), _PERIOD),
}
"""How much or how long a clause of a subject says."""
_NEVER = re.compile(r"(?!)")
_WHOLE: Place = (0, 1 << 30)


class Part(NamedTuple):
    """One thing that a query asks of a clause, and whether the clause is so."""

    asked: str
    """The notion, by its name in the glossary."""
    wanted: str
    """`about`, `says`, `carve-out`, `without`, `carve-outs`, `mutual` or `favours`."""
    found: bool
    """Whether the clause is as asked; for `without` whether the notion is not there."""
    words: str
    """The words of the clause that decide it, on one line, or what they come to; "" where there are none."""
    spans: list[Span]
    """Where whole words of the clause's text decide it."""

    @property
    def answer(self) -> str:
        """Yes or no; `probably` where it goes by the clause's meaning alone."""
        return ("probably" if self.words.startswith(MEANT) else "yes") if self.found else "no"


def explain(
    intent: QueryIntent, text: str, headings: Sequence[str] = (), annotated: Sequence[Sentence] | None = None
) -> list[Part]:
    """What a query asks, in the order of its kinds, each with whether a clause under such headings is so.

    `annotated` is as in `read_sentences`.

    >>> from lawng.clauses.meaning.query_intent import query_intent
    >>> cap = "Except for fraud, in no event shall the Supplier's total liability exceed $5,000."
    >>> for part in explain(query_intent("mutual cap on liability with a carve-out for fraud and for death"), cap):
    ...     print(told(part))
    cap: yes ($5,000)
    carve-out for fraud: yes (Except for fraud)
    carve-out for personal injury: no
    mutual: no (frees the supplier alone)
    """
    return list(_Explained(intent, list(read_sentences(text, headings, annotated)), headings).parts())


def told(part: Part, most: int = MOST_WORDS) -> str:
    """A part on one line, as a person reads it, with so many words of the clause: "carve-out for fraud: yes (…)"."""
    words = part.words.split(" ")
    shown = " ".join(words[:most]) + (" …" if len(words) > most else "")
    return f"{label(part)}: {part.answer}" + (f" ({shown})" if shown else "")


def label(part: Part) -> str:
    """What is asked, in words."""
    before = {CARVE_OUT: "carve-out for ", WITHOUT: "without "}
    return before.get(part.wanted, "") + part.asked


class _Explained:
    """A query held against the sentences of one clause."""

    def __init__(self, intent: QueryIntent, sentences: Sequence[ReadSentence], headings: Sequence[str]) -> None:
        self._intent, self._sentences, self._headings = intent, sentences, headings
        subjects = joined(_BIT[subject.name] for subject in intent.subjects)
        self._indemnity = any(subject.name == "indemnity" for subject in intent.subjects)
        # of a query without a subject everything is about it
        self._about = [one for one in sentences if not subjects or one.about & subjects]
        self._stated = [one for one in self._about if one.own.about & subjects] or self._about
        self._taken_out = [one for one in sentences if one.stretch and (one in self._about or one.lifts)]

    def parts(self) -> Iterator[Part]:
        """All parts."""
        intent = self._intent
        yield from map(self._is_about, intent.subjects)
        yield from map(self._says, intent.said)
        yield from map(self._takes_out, intent.excepted)
        yield from map(self._is_without, intent.absent)
        if intent.carve_outs and not intent.excepted:
            yield self._has_carve_outs()
        if intent.mutual:
            yield self._is_mutual()
        if intent.favours:
            yield self._favours()

    def _is_about(self, subject: Concept) -> Part:
        bit = _BIT[subject.name]
        stated = [one for one in self._sentences if one.own.about & bit]
        in_words = any(map(subject.is_said, [*(one.low for one in stated), *map(lowered, self._headings)]))
        before = "" if in_words else MEANT
        for one in stated:
            if found := _MEASURES.get(subject.name, _NEVER).search(one.low):
                base = _TO_A_STOP.match(one.low, found.end()) if _MEASURES[subject.name] is _LIMIT else None
                return _part(subject.name, "about", True, one, (base or found).span(), base and base.span(), before)
        if stated:
            one = _telling(stated)
            return _part(subject.name, "about", True, one, _place(subject, one), before=before)
        heading = next((one for one in self._headings if joined(s.about for s in annotate(one)) & bit), "")
        # what a ranker tells of the whole clause no sentence of it need say
        around = bool(heading) or any(one.about & bit for one in self._sentences)
        return Part(subject.name, "about", around, _on_one_line(heading), [])

    def _says(self, matter: Concept) -> Part:
        bit = _BIT[matter.name]
        if said := [one for one in self._about if one.said & bit]:
            one = _telling(said)
            return _part(matter.name, "says", True, one, _place(matter, one, outside=one.stretch))
        for one in self._taken_out:
            if one.excepted & bit:
                return _part(
                    matter.name, "says", False, one, _place(matter, one, one.stretch), one.stretch, "taken out: "
                )
        return self._elsewhere(matter, "says")

    def _takes_out(self, matter: Concept) -> Part:
        bit = _BIT[matter.name]
        for one in self._taken_out:
            if one.excepted & bit:
                return _part(matter.name, CARVE_OUT, True, one, _place(matter, one, one.stretch), one.stretch)
        for one in self._about:
            if one.said & bit:
                return _part(matter.name, CARVE_OUT, False, one, _place(matter, one), before="in the rule: ")
        return self._elsewhere(matter, CARVE_OUT)

    def _elsewhere(self, matter: Concept, wanted: str) -> Part:
        """What the clause says in no sentence about the subject."""
        for one in self._sentences:
            if (one.said | one.excepted) & _BIT[matter.name]:
                return _part(matter.name, wanted, False, one, _place(matter, one), before="elsewhere: ")
        return self._not_here(matter, wanted, found=False)

    def _not_here(self, concept: Concept, wanted: str, *, found: bool) -> Part:
        """What no sentence says: where the rule yields to another section, that one may say it."""
        for one in self._about if wanted in {CARVE_OUT, WITHOUT} else ():
            if yields := YIELDS.search(one.text):
                return _part(concept.name, wanted, found, one, yields.span(), yields.span(), BUT_SEE)
        return Part(concept.name, wanted, found, "", [])

    def _is_without(self, concept: Concept) -> Part:
        bit, is_matter = _BIT[concept.name], concept in MATTERS
        for one in self._sentences:
            if (one.said | one.excepted if is_matter else one.own.about) & bit:
                return _part(concept.name, WITHOUT, False, one, _place(concept, one))
        return self._not_here(concept, WITHOUT, found=True)

    def _has_carve_outs(self) -> Part:
        wanted = self._intent.carve_outs > 0
        asked = "carve-outs" if wanted else "no carve-outs"
        if self._about and self._taken_out:
            one = self._taken_out[0]
            return _part(asked, "carve-outs", wanted, one, one.stretch or _WHOLE, one.stretch)
        return Part(asked, "carve-outs", not wanted, "", [])

    def _is_mutual(self) -> Part:
        """By the share of sentences, in words, that speak of each party, and whether one frees both, each half."""
        wanted, whom = self._intent.mutual > 0, self._whom()
        alike = sum(one.own.n_words for one in self._stated if one.own.mutual)
        share = alike / max(1, sum(one.own.n_words for one in self._stated))
        mutual = share + bool(whom["both"]) >= _MUTUAL
        found = bool(self._about) and mutual == wanted
        asked = "mutual" if wanted else "one-sided"
        if mutual:
            one = whom["both"] or next(one for one in self._stated if one.own.mutual)
            cue = _CUES["mutual"] if one.own.mutual else self._guard("both")
            return _part(asked, "mutual", found, one, _found(cue, one))
        return self._freed(asked, "mutual", found, whom)

    def _favours(self) -> Part:
        """A seller by not freeing the buyer, a buyer by freeing it or both, or by exceptions where nobody is named."""
        whom, seller = self._whom(), self._intent.favours > 0
        # who indemnifies is not freed
        frees_seller, frees_buyer = (
            whom["buyer" if self._indemnity else "seller"],
            whom["seller" if self._indemnity else "buyer"],
        )
        if seller:
            found = not (whom["both"] or frees_buyer)
        else:
            found = bool(whom["both"] or frees_buyer or (self._taken_out and not frees_seller))
        asked = f"favours {_WHO['seller' if seller else 'buyer']}"
        return self._freed(asked, "favours", bool(self._about) and found, whom)

    def _guard(self, who: str) -> re.Pattern[str]:
        return _CUES[f"{'burdens' if self._indemnity else 'frees'}-{who}"]

    def _whom(self) -> dict[str, ReadSentence | None]:
        """The first sentence that frees, or makes indemnify, the seller, the buyer and both."""
        return {who: next((one for one in self._stated if self._guard(who).search(one.low)), None) for who in _WHO}

    def _freed(self, asked: str, wanted: str, found: bool, whom: dict[str, ReadSentence | None]) -> Part:
        """What it comes to, by who is named: the words alone would not tell."""
        named = [who for who in _WHO if whom[who]]
        if not named:
            return Part(asked, wanted, found, "", [])
        does = "makes indemnify" if self._indemnity else "frees"
        alone = " alone" if len(named) == 1 and named != ["both"] else ""
        words = f"{does} {' and '.join(_WHO[who] for who in named)}{alone}"
        spans = [span for who in named if (one := whom[who]) for span in _spans(one, _found(self._guard(who), one))]
        return Part(asked, wanted, found, words, spans)


def _telling(sentences: Sequence[ReadSentence]) -> ReadSentence:
    """The first that is no heading, if there is one."""
    return next((one for one in sentences if one.own.n_words > _HEADING), sentences[0])


def _found(pattern: re.Pattern[str], one: ReadSentence) -> Place:
    found = pattern.search(one.low)
    return found.span() if found else _WHOLE


def _place(concept: Concept, one: ReadSentence, within: Place | None = None, outside: Place | None = None) -> Place:
    """Where a sentence says a concept: inside a stretch of it or outside, if it can be told; else anywhere in it."""
    low = one.low
    if outside:
        low = low[: outside[0]] + " " * (outside[1] - outside[0]) + low[outside[1] :]
    found = concept.said.search(low, *(within or _WHOLE))
    return found.span() if found else _found(concept.said, one)


def _part(  # noqa: PLR0913, PLR0917 (the fields of a part, and where it stands)
    asked: str, wanted: str, found: bool, one: ReadSentence, place: Place, within: Place | None = None, before: str = ""
) -> Part:
    """A part that a place of a sentence decides, shown with the words around it within a stretch of the sentence."""
    spans = _spans(one, place)
    around = (_spans(one, within) if within else []) or [Span(one.start, one.start + len(one.text))]
    start, end = around[0].start - one.start, around[0].end - one.start
    at = spans[0].start - one.start if spans else start
    return Part(asked, wanted, found, before + _fragment(one.text[start:end], max(0, at - start)), spans)


def _spans(one: ReadSentence, place: Place) -> list[Span]:
    """A place of a sentence as it is read, as whole words of the clause's text; empty where it has no words."""
    text, (start, end) = one.text, place if len(one.low) == len(one.text) else _WHOLE
    end = min(end, len(text))
    while 0 < start < end and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while start < end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    span = trimmed(text, start, end)
    return [Span(one.start + span.start, one.start + span.end)] if span else []


def _fragment(text: str, at: int) -> str:
    """At most twenty words of a text, on one line, around a place of it; what is left out is marked."""
    item = ITEM.match(text)
    words = [found.span() for found in re.finditer(r"\S+", text) if not item or found.start() >= item.end()]
    if len(words) <= MOST_WORDS:
        return _on_one_line(text[words[0][0] :] if words else text)
    first = next((n for n, (_, end) in enumerate(words) if end > at), 0) - _BEFORE
    first = max(0, min(first, len(words) - MOST_WORDS))
    last = first + MOST_WORDS
    shown = _on_one_line(text[words[first][0] : words[last - 1][1]])
    return ("… " if first else "") + shown + (" …" if last < len(words) else "")


def _on_one_line(text: str) -> str:
    return _AFTER_ITEM.sub("", " ".join(text.split()))
