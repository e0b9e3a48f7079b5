"""How the cases found stand to the argument: their best premises judged by an NLI model, each case by one of them.

The rule: of a case's judged premises the one decides that has the largest product of max(entailment, contradiction)
and the fourth root of its own relevance as a share of the case's most relevant premise; the case is supporting
(refuting) if entailment (contradiction) is that premise's most probable label, undecided if neutral is. Without the
relevance a passage about something else decides wherever the model errs on it. A dissent, or what is said of one,
decides only where nothing else was judged, and then the case is undecided unless dissents were asked for: it says what
the case did not hold. Undecided too is a case whose premise supports one sentence of the argument and refutes another.
Premises are words around the likeliest sentences of the case, and what later courts say of it; a hit tells which one
decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lawng.index.descriptions import contrary
from lawng.schema import Span
from lawng.schema.labels import Label
from lawng.search.answer import DescriptionHit, Hit, PassageHit, Stance
from lawng.search.passage_selection import DISSENT
from lawng.search.state import SearchSettings
from lawng.text.highlight import spans_of
from lawng.text.windows import JUDGED_WORDS, places_around

if TYPE_CHECKING:
    from lawng.models.protocols import PairModel

_POWER = 0.25
"""Of a premise's relevance beside what the model says of it; chosen on claims of dev cases (`docs/results.md`)."""
_MOST_PARTS = 4
"""Sentences of an argument that are judged one by one, too."""


class Premise(NamedTuple):
    """A text to be judged: of which hit, and what it is in there."""

    hit: int
    id: str
    text: str
    relevance: float
    is_description: bool = False
    words: int = 0
    """Words of the case's opinions in it that no premise before it has."""
    quoted: tuple[int, int] = (0, 0)
    """Of a passage, the sentence that it stands around, as a span of the passage's text."""


Judged = Sequence[tuple[Premise, Stance]]


def judge(hits: Sequence[Hit], argument: str, model: PairModel, settings: SearchSettings) -> list[Hit]:
    """The hits with the stance of their judged premises and their own, in the order given."""
    chosen = choose(hits, settings)
    if not chosen:
        return list(hits)
    stances = stances_of([premise.text for premise in chosen], [argument] * len(chosen), model)
    judged: list[list[tuple[Premise, Stance]]] = [[] for _ in hits]
    for premise, stance in zip(chosen, stances, strict=True):
        judged[premise.hit].append((premise, stance))
    decided = [_decided(hit, some) if some else None for hit, some in zip(hits, judged, strict=True)]
    found = [_judged(hit, some, of) if of else hit for hit, some, of in zip(hits, judged, decided, strict=True)]
    parts = parts_of(argument)
    premises = {hit.case.case_id: of[0].text for hit, of in zip(hits, decided, strict=True) if of}
    return _pulled_apart(found, parts, premises, model) if parts else found


def parts_of(argument: str) -> list[str]:
    """The sentences of an argument that has two to four of them, else [].

    >>> parts_of("A sale binds. Nobody is bound by a sale.")
    ['A sale binds.', 'Nobody is bound by a sale.']
    """
    found = [argument[span.start : span.end] for span in spans_of(argument)]
    return found if 1 < len(found) <= _MOST_PARTS else []


def _pulled_apart(
    hits: Sequence[Hit], parts: Sequence[str], premises: Mapping[str, str], model: PairModel
) -> list[Hit]:
    """The hits; one whose deciding premise, by case, supports a sentence and refutes another is undecided."""
    some = [hit for hit in hits if hit.side is not Label.NEUTRAL]
    asked = [(hit, part) for hit in some for part in parts]
    if not asked:
        return list(hits)
    stances = stances_of([premises[hit.case.case_id] for hit, _ in asked], [part for _, part in asked], model)
    sides: dict[str, set[Label]] = {}
    for (hit, _), stance in zip(asked, stances, strict=True):
        sides.setdefault(hit.case.case_id, set()).add(stance.side)
    both = {case_id for case_id, found in sides.items() if {Label.ENTAILMENT, Label.CONTRADICTION} <= found}
    reason = "it supports one sentence of the argument and refutes another"
    return [replace(hit, reason=reason) if hit.case.case_id in both else hit for hit in hits]


def stances_of(premises: Sequence[str], arguments: Sequence[str], model: PairModel) -> list[Stance]:
    """How each premise stands to its argument."""
    judged = model.judge(premises, arguments)
    rows = np.exp(np.asarray(judged.log_probs, dtype=np.float64))
    least = float(getattr(model, "least", 0.0))  # what lawng did not train has none
    # columns are in the order of LABELS: entailment, neutral, contradiction
    return [
        Stance(float(row[0]), float(row[1]), float(row[2]), float(read), least)
        for row, read in zip(rows, judged.read, strict=True)
    ]


def choose(hits: Sequence[Hit], settings: SearchSettings) -> list[Premise]:
    """The premises to judge: the best one of each hit, then others of the best hits until there are `n_judged`.

    A description is a hit's best premise only where it has no passage; of the others at most
    `n_judged_descriptions` are descriptions, and only such as matched the argument themselves.
    """
    offered = [_offers(number, hit) for number, hit in enumerate(hits)]
    first = [premises[0] for premises in offered if premises]
    # a case that is only named has no score: what it says comes first
    weight = [hit.score if hit.scores else 1.0 for hit in hits]
    rest = sorted(
        (premise for premises in offered for premise in premises[1:]),
        key=lambda premise: (-weight[premise.hit] * premise.relevance, premise.hit, premise.id),
    )
    room = max(0, settings.n_judged - len(first))
    descriptions = [premise for premise in rest if premise.is_description][: settings.n_judged_descriptions]
    allowed = {(premise.hit, premise.id) for premise in descriptions}
    kept = [p for p in rest if not p.is_description or (p.hit, p.id) in allowed]
    return first + kept[:room]


def split(hits: Sequence[Hit]) -> tuple[list[Hit], list[Hit], list[Hit]]:
    """Supporting, refuting and undecided hits, each list by relevance times the probability of its side."""
    ordered = sorted(hits, key=lambda hit: (-hit.standing, hit.case.case_id))
    return (
        [hit for hit in ordered if hit.side is Label.ENTAILMENT],
        [hit for hit in ordered if hit.side is Label.CONTRADICTION],
        [hit for hit in ordered if hit.side is Label.NEUTRAL],
    )


def _offers(number: int, hit: Hit) -> list[Premise]:
    """What of a hit can be judged, its best passage first."""
    passages = [premise for one in hit.passages for premise in _of_passage(number, one)]
    descriptions = [
        Premise(number, one.description.description_id, one.description.text, one.score, is_description=True)
        for one in hit.descriptions
        if (one.score > 0 or not passages) and not contrary(one.description)
    ]
    return passages + descriptions


def _of_passage(number: int, one: PassageHit) -> Iterator[Premise]:
    """What can be judged of a passage: words around each of its likely sentences, where these are known, else all.

    So the model reads what it was trained on, and the sentence after a question is there. A sentence that stands in a
    premise before is read there.
    """
    text, name = one.read, one.passage.passage_id
    if not one.likely:
        yield Premise(number, name, text, one.score, words=len(text.split()), quoted=one.quoted)
        return
    spans = spans_of(one.passage.text) or (Span(0, len(text)),)
    sentences = [" ".join(text[span.start : span.end].split()) for span in spans]
    read = set[int]()
    for start, end, relevance in one.likely:
        at = next((n for n, span in enumerate(spans) if span.end > start), 0)
        if at not in read:
            places = places_around(sentences, at, JUDGED_WORDS)
            words = sum(len(sentences[place].split()) for place in places if place not in read)
            premise = " ".join(sentences[place] for place in places)
            yield Premise(number, name, premise, relevance, words=words, quoted=(start, end))
            read.update(places)


def _dissents(hit: Hit) -> set[str]:
    """Ids of the passages of dissents, and of what is said of one."""
    found = {one.passage.passage_id for one in hit.passages if one.passage.part == DISSENT}
    return found | {one.description.description_id for one in hit.descriptions if one.description.part == DISSENT}


def without_dissents(hits: Sequence[Hit]) -> list[Hit]:
    """The hits; undecided is one of which only a dissent speaks to the argument: it says what the case did not hold."""
    reason = "only a dissent speaks to it"
    return [replace(hit, reason=reason) if hit.decided_by in _dissents(hit) else hit for hit in hits]


def _decided(hit: Hit, judged: Judged) -> tuple[Premise, Stance]:
    """The premise that decides, and its stance."""
    # of equals the first, which is the most relevant; where nothing is relevant all are alike
    top = max(premise.relevance for premise, _ in judged)
    dissents = _dissents(hit)

    def weight(one: tuple[Premise, Stance]) -> tuple[bool, float]:
        premise, stance = one
        share = premise.relevance / top if top > 0 else 1.0
        return premise.id not in dissents, stance.decided * share**_POWER

    return max(judged, key=weight)


def _judged(hit: Hit, judged: Judged, decided: tuple[Premise, Stance]) -> Hit:
    """The hit with the stances of what was judged; first what decided, quoted by the sentence that it stands around."""
    premise, stance = decided
    stances = {one.id: found for one, found in reversed(judged)} | {premise.id: stance}
    passages = [replace(one, stance=stances.get(one.passage.passage_id)) for one in hit.passages]
    passages = [
        replace(one, quoted=premise.quoted) if one.passage.passage_id == premise.id else one for one in passages
    ]
    descriptions = [replace(one, stance=stances.get(one.description.description_id)) for one in hit.descriptions]
    return replace(
        hit,
        passages=sorted(passages, key=lambda one: one.passage.passage_id != premise.id),
        descriptions=sorted(descriptions, key=lambda one: one.description.description_id != premise.id),
        stance=stance,
        decided_by=premise.id,
        words_read=round(sum(one.words * found.read for one, found in judged)),
    )


def deciding(hit: Hit) -> PassageHit | DescriptionHit | None:
    """The passage or description whose stance is the hit's; None when no model judged."""
    premises = {one.description.description_id: one for one in hit.descriptions}
    return ({one.passage.passage_id: one for one in hit.passages} | premises).get(hit.decided_by)
