"""Step 70-balance: balance, split into train, validation and test, and twins (LawngNLI, A.1.8).

A parenthetical has the one label that was drawn for it. A proposition is used twice (`uses`): with the cited pages,
entailed or contradicted, and as neutral with the premise that neutralisation found.

Splits, of which two are stricter than the paper's; validation and test have 5 % each, or the share that is asked for:

* `paper`: random by example, stratified by analysis subset and group. Premises and cases recur across splits.
* `time`: by the citing case's date: the oldest train, the newest test. One date is never divided.
* `case` (default): no two splits share a citing, cited or premise case, or near-duplicate hypotheses (a parallel
  group lies in one citing case). See `lawng.lawngnli.split_case` for the rule where cases hang together too much.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Literal

from lawng.errors import StageError
from lawng.io import iter_parts, iter_records, read_table
from lawng.lawngnli.order import shuffled
from lawng.lawngnli.records import Length, Paired
from lawng.lawngnli.split_case import HELD_OUT_SHARE, split_case
from lawng.pipeline import Count, Inputs, Step, Work
from lawng.schema import Example, Reject
from lawng.schema.dataset import PROPOSITION
from lawng.schema.labels import Label

STAGE = "balance"
SPLIT = "split"
SPLITS = ("train", "validation", "test")

_ID = attrgetter("use_id")

How = Literal["case", "paper", "time"]


class Group(StrEnum):
    """The label-plus-negation groups that twinning maps to themselves (LawngNLI, A.1.8)."""

    NEGATION_REMOVED = "entail+negation, contradict+no-negation"
    """The judge's own words have pivotal negation."""
    NEGATION_ADDED = "entail+no-negation, contradict+negation"
    """The judge's own words have none."""
    NEUTRAL = "neutral"


def finished(  # noqa: PLR0913 (what a split hangs on)
    items: Sequence[Paired],
    analysis: Container[str],
    dates: Mapping[str, str],
    how: How,
    seed: int,
    *,
    share: float = HELD_OUT_SHARE,
) -> Iterator[Example | Reject]:
    """Balanced examples with their split, each followed by its twin; all else as rejects (LawngNLI, A.1.8).

    `analysis` holds the opinion ids of the analysis subset, `dates` are the dates of the citing cases by case id,
    `share` is that of validation and of test.
    The split by case goes before the balancing, since it drops examples. Examples come in the order of their ids.
    """
    parts = split_case(items, seed, share) if how == "case" else {}
    if how == "case":
        for item in items:
            if item.use_id not in parts:
                candidate = item.item.candidate
                cases = {candidate.citing_case_id, candidate.cited_case_id, item.premise.case_id}
                yield Reject(SPLIT, item.use_id, "split-conflict", " ".join(sorted(cases)))
        items = [item for item in items if item.use_id in parts]
    balanced = list(balance(items, analysis, seed))
    yield from (outcome for outcome in balanced if isinstance(outcome, Reject))
    stays = sorted((outcome for outcome in balanced if isinstance(outcome, Paired)), key=_ID)
    if how == "paper":
        parts = split_paper(stays, analysis, seed, share)
    elif how == "time":
        parts = split_time(stays, dates, share)
    for item in stays:
        yield from twinned(item, parts[item.use_id], item.premise.opinion_id in analysis)


def uses(items: Iterable[Paired]) -> Iterator[Paired]:
    """The items, each proposition a second time as neutral: so none of its words tells neutral from the others."""
    for item in items:
        yield item
        if item.item.candidate.hypothesis_source == PROPOSITION:
            yield replace(item, item=replace(item.item, label=str(Label.NEUTRAL)), premise=item.alternative)


def group_of(item: Paired) -> Group:
    """The group of an item and of its twin."""
    if item.item.label == Label.NEUTRAL:
        return Group.NEUTRAL
    return Group.NEGATION_REMOVED if item.item.pivotal_negation else Group.NEGATION_ADDED


def analysis_subset(long_tokens: Mapping[str, int], limit: int = 4096) -> frozenset[str]:
    """Opinion ids whose long premise has at most so many tokens: the paper's analysis subset (LawngNLI, A.1.8)."""
    return frozenset(opinion_id for opinion_id, tokens in long_tokens.items() if tokens <= limit)


def balance(items: Iterable[Paired], analysis: Container[str], seed: int) -> Iterator[Paired | Reject]:
    """The items, each group down to the smallest group's size within analysis and non-analysis (LawngNLI, A.1.8).

    And within each source of hypotheses, for a proposition does not read like a parenthetical: were neutral ones mostly
    propositions, that would give the label away. Where a source has a group empty, too few are there to tell, and the
    sources are balanced together. `analysis` holds the opinion ids of the analysis subset (`analysis_subset`). Which
    ones stay is drawn by seed and id. Where a group is empty in all, nothing of that subset can stay.
    """
    subsets: dict[tuple[bool, str], dict[Group, list[Paired]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        source = item.item.candidate.hypothesis_source
        subsets[item.premise.opinion_id in analysis, source][group_of(item)].append(item)
    for (is_analysis, source), groups in sorted(_joined(subsets).items()):
        size = min(len(groups[group]) for group in Group)
        kept: set[str] = set()
        for group in Group:  # the neutral ones last, and first of them those whose hypothesis has another label too
            drawn = shuffled(groups[group], seed, STAGE, _ID)
            drawn.sort(key=lambda item: item.candidate_id not in kept)
            kept.update(item.candidate_id for item in drawn[:size])
            yield from drawn[:size]
            subset = f"{'analysis' if is_analysis else 'non-analysis'}; {source}"
            detail = f"{group}; {subset}; {size} of {len(drawn)} stay"
            yield from (Reject(STAGE, item.use_id, "downsampled", detail) for item in drawn[size:])


def _joined(
    subsets: Mapping[tuple[bool, str], dict[Group, list[Paired]]],
) -> dict[tuple[bool, str], dict[Group, list[Paired]]]:
    """The subsets, those of all sources as one where one of them lacks a group."""
    found: dict[tuple[bool, str], dict[Group, list[Paired]]] = {}
    for is_analysis in {is_analysis for is_analysis, _ in subsets}:
        own = {source: groups for (part, source), groups in subsets.items() if part == is_analysis}
        if all(groups[group] for groups in own.values() for group in Group):
            found |= {(is_analysis, source): groups for source, groups in own.items()}
        else:
            name = " and ".join(sorted(own))
            found[is_analysis, name] = {g: [item for groups in own.values() for item in groups[g]] for g in Group}
    return found


def split_paper(
    items: Iterable[Paired], analysis: Container[str], seed: int, share: float = HELD_OUT_SHARE
) -> dict[str, str]:
    """Split by candidate id: random by example, 90/5/5 within analysis subset x group (LawngNLI, A.1.8).

    And within each source of hypotheses, of which the paper has one. The second use of a proposition goes where the
    first is.
    """
    every = list(items)
    strata: dict[tuple[bool, str, str], list[Paired]] = defaultdict(list)
    first = {item.candidate_id for item in every if item.use_id == item.candidate_id}
    for item in every:
        if item.use_id == item.candidate_id or item.candidate_id not in first:
            source = item.item.candidate.hypothesis_source
            strata[item.premise.opinion_id in analysis, source, group_of(item)].append(item)
    drawn = {
        item.candidate_id: part
        for stratum in strata.values()
        for item, part in zip(shuffled(stratum, seed, SPLIT, _ID), _parts(len(stratum), share), strict=True)
    }
    return {item.use_id: drawn[item.candidate_id] for item in every}


def split_time(items: Iterable[Paired], dates: Mapping[str, str], share: float = HELD_OUT_SHARE) -> dict[str, str]:
    """Split by candidate id: train before validation before test by the citing case's date.

    All examples of one date are in one split, the later one where a border falls inside; those without a date train.
    """
    ordered = sorted((dates.get(item.item.candidate.citing_case_id, ""), item.use_id) for item in items)
    result: dict[str, str] = {}
    for date, group in groupby(zip(ordered, _parts(len(ordered), share), strict=True), key=lambda pair: pair[0][0]):
        members = list(group)
        part = members[-1][1] if date else "train"
        result.update((candidate_id, part) for (_, candidate_id), _ in members)
    return result


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
    ids = (f"{item.use_id}:original", f"{item.use_id}:twin")
    return Example(
        example_id=ids[is_twin],
        twin_id=ids[not is_twin],
        candidate_id=candidate.candidate_id,
        hypothesis_source=candidate.hypothesis_source,
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


def _parts(n: int, share: float) -> list[str]:
    """Split names for n examples, held-out ones rounded to whole examples; where one alone is held out it is test."""
    test = round(n * share + 1e-9)
    validation = round(2 * n * share + 1e-9) - test
    counts = (n - validation - test, validation, test)
    return [name for name, count in zip(SPLITS, counts, strict=True) for _ in range(count)]


def balance_examples(
    unit: tuple[str, Path, Path, Path], how: How, limit: int, seed: int, share: float
) -> Iterator[Example | Reject | Count]:
    """Groups of one size, a split, and a twin for every example; `limit` is the analysis subset's, in tokens.

    The one unit is all of paired, lengths and cases: balancing needs whole tables, but none of the long texts.
    """
    _, paired, lengths, case_table = unit
    items = list(uses(iter_records(paired, Paired)))
    yield Count(len(items), "uses")
    analysis = analysis_subset({row.opinion_id: row.tokens for row in iter_records(lengths, Length)}, limit)
    citing = {item.item.candidate.citing_case_id for item in items}
    cases = (row for part in iter_parts(case_table) for row in read_table(part, ["case_id", "date"]).to_pylist())
    dates = {row["case_id"]: row["date"] for row in cases if row["case_id"] in citing}
    gone = 0
    for row in finished(items, analysis, dates, how, seed, share=share):
        gone += 1 if isinstance(row, Reject) or row.is_twin else 0
        yield row
    if gone != len(items):
        raise StageError(f"{len(items)} uses in, but {gone} twinned and rejected; this is a bug in a step")


def _prepare(inputs: Inputs) -> Work:
    task = partial(
        balance_examples,
        how=inputs.option("split.method"),
        limit=inputs.option("balance.analysis_tokens"),
        seed=inputs.option("engine.seed"),
        share=inputs.option("split.held_out"),
    )
    return [("all", inputs.table("paired"), inputs.table("lengths"), inputs.corpus / "cases")], task


STEP = Step(
    "70-balance",
    {"examples": Example},
    _prepare,
    tables=("paired", "lengths"),
    corpus=True,
    options=("split.method", "split.held_out", "balance.analysis_tokens", "engine.seed"),
)
