"""Step 70-sample: bundles of a positive and its negatives, by buckets of frequency and by windows, in two splits."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from math import ceil
from pathlib import Path

from lawng.directional.booqa.records import Negative, Placed, Positive, Question, StarringPair
from lawng.io import iter_records
from lawng.lawngnli.order import shuffled
from lawng.pipeline import Count, Inputs, Step, Work
from lawng.schema import Reject

SPLITS = ("dev", "test")
PER_POSITIVE = 2
"""Negatives of a bundle at the most."""
_STAGE = "sample"


@dataclass(frozen=True)
class Sampling:
    """How questions are drawn."""

    seed: int
    size: int | None
    bounds: tuple[int, ...]
    """Where the buckets of frequency end (footnote 15)."""
    window_days: int


def _prepare(inputs: Inputs) -> Work:
    tables = {name: inputs.table(name) for name in ("negatives", "positives", "pairs", "placed")}
    sampling = Sampling(
        inputs.option("engine.seed"),
        inputs.option("questions.size"),
        bounds_of(inputs.option("questions.buckets")),
        inputs.option("questions.window_days"),
    )
    return ["all"], partial(draw, tables=tables, sampling=sampling)


def bounds_of(buckets: str) -> tuple[int, ...]:
    """The bounds of the buckets, as an option has them. Raises ValueError when they are no rising numbers.

    >>> bounds_of("60,100")
    (60, 100)
    """
    bounds = tuple(int(one) for one in buckets.split(","))
    if list(bounds) != sorted(set(bounds)):
        raise ValueError("not rising")
    return bounds


def draw(unit: str, tables: dict[str, Path], sampling: Sampling) -> Iterator[Question | Reject | Count]:
    """The questions of both splits, a bundle after the other, windows in order."""
    positives = {one.question_id: one for one in iter_records(tables["positives"], Positive)}
    negatives = list(iter_records(tables["negatives"], Negative))
    yield Count(len(positives) + len(negatives), "propositions")
    articles = Counter(row.window for row in iter_records(tables["placed"], Placed))
    free, doubled = _one_of_each(negatives, sampling.seed)
    yield from doubled
    drawn: dict[str, list[Negative]] = defaultdict(list)
    splits = split_windows(Counter(one.window for one in free), sampling.seed)
    for split in SPLITS:
        windows = {window for window, own in splits.items() if own == split}
        population = [one for one in positives.values() if one.window in windows]
        candidates = [one for one in free if one.window in windows]
        for one in choose(candidates, population, articles, sampling):
            if isinstance(one, Negative):
                drawn[one.positive_id].append(one)
            else:
                yield one
    yield from (_reject(_STAGE, one, "no-negative") for name, one in positives.items() if name not in drawn)
    pairs = {one.pair_id: one for one in iter_records(tables["pairs"], StarringPair)}
    yield from _questions(positives, drawn, pairs, splits, sampling.window_days)


def _reject(stage: str, one: Positive | Negative, reason: str) -> Reject:
    return Reject(stage, one.question_id, reason, one.predicate, one.window)


def _one_of_each(negatives: list[Negative], seed: int) -> tuple[list[Negative], list[Reject]]:
    """Each question once, whichever positives it can be made from, in random order."""
    kept: dict[str, Negative] = {}
    doubled = []
    for one in shuffled(
        negatives, seed, "negatives", lambda one: f"{one.question_id} {one.positive_id} {one.span} {one.hyponym}"
    ):
        if one.question_id in kept:
            doubled.append(_reject(_STAGE, one, "negative-twice"))
        else:
            kept[one.question_id] = one
    return list(kept.values()), doubled


def split_windows(negatives: Counter[str], seed: int) -> dict[str, str]:
    """The split of each window, in random order to the one that has fewer negatives so far.

    >>> sorted(split_windows(Counter({"a": 3, "b": 2, "c": 1}), seed=0).values())
    ['dev', 'test', 'test']
    """
    sizes = dict.fromkeys(SPLITS, 0)
    splits = {}
    for window in shuffled(negatives, seed, "windows", str):
        split = min(SPLITS, key=lambda one: (sizes[one], one))
        sizes[split] += negatives[window]
        splits[window] = split
    return splits


def choose(
    negatives: list[Negative], population: list[Positive], articles: Counter[str], sampling: Sampling
) -> Iterator[Negative | Reject]:
    """The negatives of a split that are drawn, and why the others are not.

    A bucket of frequency may have as large a share of the negatives as of all positives, a window as large a one as
    of the articles, and a positive two. Where a bucket has few for its share, they come first, before those of others
    fill the bundles: most hyponyms are rarer than what they replace.
    """

    def bucket_of(one: Positive | Negative) -> int:
        return bisect_right(sampling.bounds, one.frequency)

    wanted = PER_POSITIVE * len({one.positive_id for one in negatives})
    total = min(len(negatives), sampling.size or wanted)
    buckets = quotas(Counter(map(bucket_of, population)), total)
    windows = quotas(Counter({window: articles[window] for window in {one.window for one in negatives}}), total)
    bundles: Counter[str] = Counter()
    there = Counter(map(bucket_of, negatives))
    for one in sorted(negatives, key=lambda one: there[bucket_of(one)] / buckets.get(bucket_of(one), 1)):
        bucket = bucket_of(one)
        if not buckets.get(bucket):
            yield _reject(_STAGE, one, "bucket-full")
        elif not windows[one.window]:
            yield _reject(_STAGE, one, "window-full")
        elif bundles[one.positive_id] == PER_POSITIVE:
            yield _reject(_STAGE, one, "bundle-full")
        else:
            buckets[bucket] -= 1
            windows[one.window] -= 1
            bundles[one.positive_id] += 1
            yield one


def quotas(weights: Counter[int] | Counter[str], total: int) -> dict[int | str, int]:
    """So many things for each, in proportion, rounded up.

    >>> quotas(Counter({"a": 3, "b": 1}), 5)
    {'a': 4, 'b': 2}
    """
    whole = sum(weights.values())
    return {name: ceil(total * weight / whole) for name, weight in weights.items()}


def _questions(
    positives: dict[str, Positive],
    drawn: dict[str, list[Negative]],
    pairs: dict[str, StarringPair],
    splits: dict[str, str],
    window_days: int,
) -> Iterator[Question]:
    for name in sorted(drawn, key=lambda name: (positives[name].window, positives[name].pair_id, name)):
        positive = positives[name]
        last = date.fromisoformat(positive.window) + timedelta(window_days - 1)
        pair, split = pairs[positive.pair_id], splits[positive.window]
        members: list[Positive | Negative] = [positive, *sorted(drawn[name], key=lambda one: one.question_id)]
        yield from (_question(one, positive, pair, split, last.isoformat()) for one in members)


def _question(one: Positive | Negative, positive: Positive, pair: StarringPair, split: str, last: str) -> Question:
    negative = one if isinstance(one, Negative) else None
    return Question(
        question_id=one.question_id,
        split=split,
        bundle=positive.question_id,
        label=negative is None,
        window=one.window,
        last_day=last,
        pair_id=pair.pair_id,
        subject=pair.subject,
        predicate=one.predicate,
        object=pair.object,
        subject_type=pair.subject_type,
        object_type=pair.object_type,
        frequency=one.frequency,
        exclude=positive.sources,
        span=negative.span if negative else "",
        replacement=negative.replacement if negative else "",
        synset=negative.synset if negative else "",
        hyponym=negative.hyponym if negative else "",
    )


SAMPLE = Step(
    "70-sample",
    {"questions": Question},
    _prepare,
    tables=("negatives", "positives", "pairs", "placed"),
    options=("engine.seed", "questions.size", "questions.buckets", "questions.window_days"),
    balance=("propositions", "questions"),
    seconds=0.001,
)
