"""Splits into train, validation and test, 90/5/5 (LawngNLI, A.1.8, and two stricter ones of our own).

    finished(items, analysis, dates, how, seed) -> Iterator[Example | Reject]     balance, split and twins in one
    split_paper / split_time / split_case (items, ...) -> dict[candidate_id, split]

* `paper`: random by example, stratified by analysis subset and group. Premises and cases recur across splits.
* `time`: by the citing case's date: the oldest 90 % train, the newest 5 % test. One date is never divided.
* `case` (default): no two splits share a citing, cited or premise case, or near-duplicate hypotheses (a parallel
  group lies in one citing case). See `lawng.nli.split_case` for the rule where cases hang together too much.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Literal

from lawng.nli.balance import balance, group_of, twinned
from lawng.nli.order import shuffled
from lawng.nli.records import Paired
from lawng.nli.split_case import HELD_OUT_SHARE, split_case
from lawng.records import Example, Reject

STAGE = "split"
SPLITS = ("train", "validation", "test")

_ID = attrgetter("candidate_id")

How = Literal["case", "paper", "time"]


def finished(
    items: Sequence[Paired], analysis: Container[str], dates: Mapping[str, str], how: How, seed: int
) -> Iterator[Example | Reject]:
    """Balanced examples with their split, each followed by its twin; all else as rejects (LawngNLI, A.1.8).

    `analysis` holds the opinion ids of the analysis subset, `dates` are the dates of the citing cases by case id.
    The split by case goes before the balancing, since it drops examples. Examples come in the order of their ids.
    """
    parts = split_case(items, seed) if how == "case" else {}
    if how == "case":
        yield from (_conflict(item) for item in items if item.candidate_id not in parts)
        items = [item for item in items if item.candidate_id in parts]
    balanced = list(balance(items, analysis, seed))
    yield from (outcome for outcome in balanced if isinstance(outcome, Reject))
    kept = sorted((outcome for outcome in balanced if isinstance(outcome, Paired)), key=_ID)
    if how == "paper":
        parts = split_paper(kept, analysis, seed)
    elif how == "time":
        parts = split_time(kept, dates)
    for item in kept:
        yield from twinned(item, parts[item.candidate_id], item.premise.opinion_id in analysis)


def split_paper(items: Iterable[Paired], analysis: Container[str], seed: int) -> dict[str, str]:
    """Split by candidate id: random by example, 90/5/5 within analysis subset x group (LawngNLI, A.1.8)."""
    strata: dict[tuple[bool, str], list[Paired]] = defaultdict(list)
    for item in items:
        strata[item.premise.opinion_id in analysis, group_of(item)].append(item)
    return {
        item.candidate_id: part
        for stratum in strata.values()
        for item, part in zip(
            shuffled(stratum, seed, STAGE, attrgetter("candidate_id")), _parts(len(stratum)), strict=True
        )
    }


def split_time(items: Iterable[Paired], dates: Mapping[str, str]) -> dict[str, str]:
    """Split by candidate id: train before validation before test by the citing case's date.

    All examples of one date are in one split, the later one where a border falls inside; those without a date train.
    """
    ordered = sorted(items, key=lambda item: (dates.get(item.item.candidate.citing_case_id, ""), item.candidate_id))
    parts = _parts(len(ordered))
    result: dict[str, str] = {}
    for date, group in groupby(
        zip(ordered, parts, strict=True), key=lambda pair: dates.get(pair[0].item.candidate.citing_case_id, "")
    ):
        members = list(group)
        part = members[-1][1] if date else "train"
        result.update((item.candidate_id, part) for item, _ in members)
    return result


def _parts(n: int) -> list[str]:
    """Split names for n examples, 90/5/5 rounded to whole examples; where only one can be held out it is test."""
    test = round(n * HELD_OUT_SHARE + 1e-9)
    validation = round(2 * n * HELD_OUT_SHARE + 1e-9) - test
    counts = (n - validation - test, validation, test)
    return [name for name, count in zip(SPLITS, counts, strict=True) for _ in range(count)]


def _conflict(item: Paired) -> Reject:
    candidate = item.item.candidate
    cases = " ".join(sorted({candidate.citing_case_id, candidate.cited_case_id, item.premise.case_id}))
    return Reject(STAGE, item.candidate_id, "split-conflict", cases)
