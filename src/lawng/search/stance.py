"""How the cases found stand to the argument: their best premises judged by an NLI model, each case by one of them.

The rule: of a case's judged premises the one decides that has the largest product of max(entailment, contradiction)
and its own relevance as a share of the case's most relevant premise; the case is supporting (refuting) if entailment
(contradiction) is that premise's most probable label, undecided if neutral is. Without the relevance a passage about
something else decides wherever the model errs on it. A dissent, or what is said of one, decides only where nothing
else was judged, and then the case is undecided unless dissents were asked for: it says what the case did not hold.
Undecided too is a case whose premise supports one sentence of the argument and refutes another. Premises are passages
of the case and what later courts say of it; a hit tells which one decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lawng.index.descriptions import contrary
from lawng.schema.labels import Label
from lawng.search.answer import DescriptionHit, Hit, PassageHit, Stance
from lawng.search.passage_selection import DISSENT
from lawng.search.state import DECIDES, SearchSettings
from lawng.text.highlight import spans_of
from lawng.text.windows import JUDGED_WORDS, around

if TYPE_CHECKING:
    from lawng.models.protocols import PairModel


_MOST_PARTS = 4
"""Sentences of an argument that are judged one by one, too."""


class Premise(NamedTuple):
    """A text to be judged: of which hit, and what it is in there."""

    hit: int
    id: str
    text: str
    relevance: float
    is_description: bool


def judge(hits: Sequence[Hit], argument: str, model: PairModel, settings: SearchSettings) -> list[Hit]:
    """The hits with the stance of their judged premises and their own, in the order given."""
    chosen = choose(hits, settings)
    if not chosen:
        return list(hits)
    stances = stances_of([premise.text for premise in chosen], [argument] * len(chosen), model)
    judged: list[dict[str, tuple[Stance, float]]] = [{} for _ in hits]
    for premise, stance in zip(chosen, stances, strict=True):
        judged[premise.hit][premise.id] = stance, premise.relevance
    found = [_judged(hit, premises) if premises else hit for hit, premises in zip(hits, judged, strict=True)]
    parts = parts_of(argument)
    return _pulled_apart(found, parts, {premise.id: premise.text for premise in chosen}, model) if parts else found


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
    """The hits; one whose deciding premise supports a sentence of the argument and refutes another is undecided."""
    some = [hit for hit in hits if hit.side is not Label.NEUTRAL]
    asked = [(hit, part) for hit in some for part in parts]
    if not asked:
        return list(hits)
    stances = stances_of([premises[hit.decided_by] for hit, _ in asked], [part for _, part in asked], model)
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
    weight = [hit.score or 1.0 for hit in hits]
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
    passages = [
        Premise(number, one.passage.passage_id, premise_of(one), one.score, is_description=False)
        for one in hit.passages
    ]
    descriptions = [
        Premise(number, one.description.description_id, one.description.text, one.score, is_description=True)
        for one in hit.descriptions
        if (one.score > 0 or not passages) and not contrary(one.description)
    ]
    return passages + descriptions


def _dissents(hit: Hit) -> set[str]:
    """Ids of the passages of dissents, and of what is said of one."""
    found = {one.passage.passage_id for one in hit.passages if one.passage.part == DISSENT}
    return found | {one.description.description_id for one in hit.descriptions if one.description.part == DISSENT}


def without_dissents(hits: Sequence[Hit]) -> list[Hit]:
    """The hits; undecided is one of which only a dissent speaks to the argument: it says what the case did not hold."""
    reason = "only a dissent speaks to it"
    return [replace(hit, reason=reason) if hit.decided_by in _dissents(hit) else hit for hit in hits]


def premise_of(one: PassageHit) -> str:
    """What is judged of a passage: words around the sentence that decides, where that was looked for, else all of it.

    So the model reads what it was trained on, and the sentence after a question is there.
    """
    text = one.passage.text
    if DECIDES not in one.scores:
        return text
    spans = spans_of(text)
    at = next((n for n, span in enumerate(spans) if span.end > one.quoted[0]), 0)
    return around([" ".join(text[span.start : span.end].split()) for span in spans], at, JUDGED_WORDS)


def _judged(hit: Hit, premises: dict[str, tuple[Stance, float]]) -> Hit:
    stances = {one: stance for one, (stance, _) in premises.items()}
    # of equals the first, which is the most relevant; where nothing is relevant all are alike
    top = max(relevance for _, relevance in premises.values())
    weight = {one: found.decided * (own / top if top > 0 else 1.0) for one, (found, own) in premises.items()}
    dissents = _dissents(hit)
    decided_by = max(weight, key=lambda one: (one not in dissents, weight[one]))
    passages = [replace(one, stance=stances.get(one.passage.passage_id)) for one in hit.passages]
    descriptions = [replace(one, stance=stances.get(one.description.description_id)) for one in hit.descriptions]
    return replace(
        hit,
        passages=sorted(passages, key=lambda one: one.passage.passage_id != decided_by),
        descriptions=sorted(descriptions, key=lambda one: one.description.description_id != decided_by),
        stance=stances[decided_by],
        decided_by=decided_by,
        words_read=round(sum(len(premise_of(one).split()) * one.stance.read for one in passages if one.stance)),
    )


def deciding(hit: Hit) -> PassageHit | DescriptionHit | None:
    """The passage or description whose stance is the hit's; None when no model judged."""
    premises = {one.description.description_id: one for one in hit.descriptions}
    return ({one.passage.passage_id: one for one in hit.passages} | premises).get(hit.decided_by)
