"""Balancing and twins (LawngNLI, A.1.8).

    analysis_subset(long_tokens, limit=4096) -> frozenset of opinion ids
    balance(items, analysis, seed) -> Iterator[Paired | Reject]     all items of a build at once
    group_of(item) -> Group
    twinned(item, split, analysis) -> tuple[Example, Example]                       original, twin

Order in a build: `balance`, then a split (`lawng.nli.split`), then `twinned`. The split by case drops examples and goes
before `balance`, so that the data set is balanced as a whole whatever the split: `lawng.nli.split.finished` does all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from enum import StrEnum
from operator import attrgetter

from lawng.labels import Label
from lawng.nli.order import shuffled
from lawng.nli.records import Paired
from lawng.records import Example, Reject

STAGE = "balance"
ANALYSIS_TOKENS = 4096


class Group(StrEnum):
    """The label-plus-negation groups that twinning maps to themselves (LawngNLI, A.1.8)."""

    NEGATION_REMOVED = "entail+negation, contradict+no-negation"
    """The judge's own words have pivotal negation."""
    NEGATION_ADDED = "entail+no-negation, contradict+negation"
    """The judge's own words have none."""
    NEUTRAL = "neutral"


def group_of(item: Paired) -> Group:
    """The group of an item and of its twin."""
    if item.item.label == Label.NEUTRAL:
        return Group.NEUTRAL
    return Group.NEGATION_REMOVED if item.item.pivotal_negation else Group.NEGATION_ADDED


def analysis_subset(long_tokens: Mapping[str, int], limit: int = ANALYSIS_TOKENS) -> frozenset[str]:
    """Opinion ids whose long premise has at most so many tokens: the paper's analysis subset (LawngNLI, A.1.8)."""
    return frozenset(opinion_id for opinion_id, tokens in long_tokens.items() if tokens <= limit)


def balance(items: Iterable[Paired], analysis: Container[str], seed: int) -> Iterator[Paired | Reject]:
    """The items, each group down to the smallest group's size within analysis and non-analysis (LawngNLI, A.1.8).

    `analysis` holds the opinion ids of the analysis subset (`analysis_subset`).
    Which ones stay is drawn by seed and id. Where a group is empty, nothing of that subset can stay.
    """
    subsets: dict[bool, dict[Group, list[Paired]]] = {True: defaultdict(list), False: defaultdict(list)}
    for item in items:
        subsets[item.premise.opinion_id in analysis][group_of(item)].append(item)
    for is_analysis, groups in subsets.items():
        size = min(len(groups[group]) for group in Group)
        for group in Group:
            drawn = shuffled(groups[group], seed, STAGE, attrgetter("candidate_id"))
            yield from drawn[:size]
            detail = f"{group}; {'analysis' if is_analysis else 'non-analysis'}; {size} of {len(drawn)} stay"
            yield from (Reject(STAGE, item.candidate_id, "downsampled", detail) for item in drawn[size:])


def twinned(item: Paired, split: str, analysis: bool) -> tuple[Example, Example]:
    """An item as an example, and its contradictory twin: the same premise, hypothesis negated (LawngNLI, A.1.8).

    Entail and contradict change places in the twin, neutral stays.
    """
    return _example(item, split, analysis, is_twin=False), _example(item, split, analysis, is_twin=True)


def _example(item: Paired, split: str, analysis: bool, *, is_twin: bool) -> Example:
    labelled, candidate, premise = item.item, item.item.candidate, item.premise
    original = Label(labelled.label)
    # The judge's words stand in one of the pair, their negation in the other; which is the original, the label says.
    negated = (original == Label.CONTRADICTION) != is_twin
    ids = (f"{candidate.candidate_id}:original", f"{candidate.candidate_id}:twin")
    return Example(
        example_id=ids[is_twin],
        twin_id=ids[not is_twin],
        candidate_id=candidate.candidate_id,
        hypothesis=labelled.flipped if negated else labelled.hypothesis,
        label=str(original.flipped if is_twin else original),
        original_label=str(original),
        pivotal_negation=labelled.pivotal_negation != negated,
        is_twin=is_twin,
        analysis=analysis,
        split=split,
        premise_case_id=premise.case_id,
        premise_opinion_id=premise.opinion_id,
        premise_start=premise.start,
        premise_end=premise.end,
        premise_candidate_id=premise.candidate_id,
        premise_pin_pages=premise.pin_pages,
        jurisdiction=candidate.jurisdiction,
        citing_case_id=candidate.citing_case_id,
        citing_opinion_id=candidate.citing_opinion_id,
        citing_page=candidate.citing_page,
        start=candidate.start,
        end=candidate.end,
        cited_case_id=candidate.cited_case_id,
        pin_cite=candidate.pin_cite,
        steps=[*labelled.steps, *([labelled.change] if negated else [])],
    )
