"""Label split: thirds of Entail, Neutral, Contradict within jurisdiction and pivotal negation (LawngNLI, A.1.4).

label_thirds(items, seed) -> Iterator[Labelled]     all items of a build at once
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from lawng.labels import LABELS
from lawng.nli.order import rank, shuffled
from lawng.nli.records import Labelled, Negatable

STEP = "labels"


def label_thirds(items: Iterable[Negatable], seed: int) -> Iterator[Labelled]:
    """Each item with its label, a third each within every jurisdiction x pivotal negation (LawngNLI, A.1.4).

    Sizes within a stratum differ by at most one; which label gets the odd one is drawn per stratum, since small
    strata would otherwise all favour the first. Order of the items does not matter.
    """
    strata: dict[tuple[str, bool], list[Negatable]] = defaultdict(list)
    for item in items:
        strata[item.candidate.jurisdiction, item.pivotal_negation].append(item)
    for key in sorted(strata):
        offset = rank(seed, STEP, f"{key[0]}/{key[1]}")
        for place, item in enumerate(shuffled(strata[key], seed, STEP, _id)):
            yield _labelled(item, LABELS[(place + offset) % len(LABELS)])


def _id(item: Negatable) -> str:
    return item.candidate.candidate_id


def _labelled(item: Negatable, label: str) -> Labelled:
    return Labelled(
        candidate=item.candidate,
        hypothesis=item.hypothesis,
        flipped=item.flipped,
        pivotal_negation=item.pivotal_negation,
        change=item.change,
        steps=item.steps,
        label=str(label),
    )
