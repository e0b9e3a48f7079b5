"""Step 50-labels: labels drawn over the whole table, then the difficulty filters (LawngNLI, A.1.4, A.1.6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from lawng.io import iter_records
from lawng.lawngnli.difficulty import difficulty
from lawng.lawngnli.order import rank, shuffled
from lawng.lawngnli.records import Labelled, Negatable, own_premise, passage_key
from lawng.lawngnli.sources import WithPassages, with_passages
from lawng.pipeline import Count, Inputs, Step, Work
from lawng.schema import Reject
from lawng.schema.dataset import PARENTHETICAL, PROPOSITION
from lawng.schema.labels import LABELS, Label

_DRAW = "labels"


def draw_labels(items: Iterable[Negatable], seed: int) -> dict[str, str]:
    """The label of each item by candidate id, a third each within jurisdiction x pivotal negation (LawngNLI, A.1.4).

    Of propositions half are entailed and half contradicted: every one is neutral too, with another premise (step
    70-balance). `items` are all of a build at once. Sizes within a stratum differ by at most one; which label gets the
    odd one is drawn per stratum, since small strata would otherwise all favour the first. Order does not matter.
    """
    strata: dict[tuple[str, str, bool], list[str]] = defaultdict(list)
    for item in items:
        one = item.candidate
        strata[one.hypothesis_source, one.jurisdiction, item.pivotal_negation].append(one.candidate_id)
    labels: dict[str, str] = {}
    for (source, jurisdiction, negation), ids in sorted(strata.items()):
        of = LABELS if source == PARENTHETICAL else (Label.ENTAILMENT, Label.CONTRADICTION)
        offset = rank(seed, _DRAW, f"{jurisdiction}/{negation}")
        drawn = enumerate(shuffled(ids, seed, _DRAW, str))
        labels.update((one, str(of[(place + offset) % len(of)])) for place, one in drawn)
    return labels


def labelled(item: Negatable, label: str) -> Labelled:
    """The item with its label."""
    shared: dict[str, Any] = {field.name: getattr(item, field.name) for field in fields(item)}
    return Labelled(**shared, label=label)


def label_part(
    unit: WithPassages, labels: Mapping[str, str], min_words: int, max_overlap: Mapping[str, float | None]
) -> Iterator[Labelled | Reject | Count]:
    """The hypotheses of a part with the labels that were drawn for them, past the difficulty filters."""
    texts = unit.texts()
    for item in iter_records(unit.part, Negatable):
        yield Count(1, "negatable")
        premise = texts[passage_key(own_premise(item.candidate))]
        one = labelled(item, labels[item.candidate.candidate_id])
        limit = max_overlap[item.candidate.hypothesis_source]
        yield difficulty(one, premise, min_words=min_words, max_overlap=limit)


def _prepare(inputs: Inputs) -> Work:
    table = inputs.table("negatable")
    task = partial(
        label_part,
        labels=draw_labels(iter_records(table, Negatable), inputs.option("engine.seed")),
        min_words=inputs.option("difficulty.min_words"),
        max_overlap={
            PARENTHETICAL: inputs.option("difficulty.max_overlap"),
            PROPOSITION: inputs.option("difficulty.proposition_overlap"),
        },
    )
    return with_passages(table, inputs.table("passages")), task


STEP = Step(
    "50-labels",
    {"labelled": Labelled},
    _prepare,
    tables=("negatable", "passages"),
    options=("difficulty.min_words", "difficulty.max_overlap", "difficulty.proposition_overlap", "engine.seed"),
    balance=("negatable", "labelled"),
    seconds=0.001,
)
