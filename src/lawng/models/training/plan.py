"""In which order pairs are trained on, as places in what is given: drawn beforehand, the same for the same seed.

planned_epochs(lengths, options) -> every pair once an epoch, batches of about one length
planned_updates(texts, options, run) -> grades equally frequent, or lists of a query's texts, for each update
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lawng.errors import InputError
from lawng.models.training.options import RelevanceOptions, Run, StanceOptions

Stream = Iterator[int]


def begin(work: Path, state: Mapping[str, Any]) -> None:
    """Clear what a killed run with other settings or data left in its folder of work; `state` goes into JSON."""
    mark = work / "state.json"
    wanted = json.dumps(state, sort_keys=True)
    if not mark.is_file() or mark.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        mark.write_text(wanted, encoding="utf-8")


def digest_of(rows: Iterable[object]) -> str:
    """What rows are trained on, as a number: SHA-256 of what they print."""
    total = hashlib.sha256()
    for row in rows:
        total.update(repr(row).encode())
    return total.hexdigest()


class GradedText(NamedTuple):
    """A text with how relevant it is for a query."""

    query: str
    text: str
    grade: int
    """0 is irrelevant; texts are drawn so that grades are equally frequent."""
    target: float
    """0 to 1: the probability, or the gain, that the model is trained towards."""
    hard: bool = False
    """Whether an irrelevant text looks relevant: to BM25, say."""


_BATCHES = 50
"""Batches of pairs that are drawn at random and then sorted by length, so that padding costs little."""


def planned_epochs(lengths: Sequence[int], options: StanceOptions) -> list[int]:
    """The places of the pairs in the order in which they are read: each once an epoch, the longest of a stretch first.

    >>> planned_epochs([3, 1, 2], StanceOptions(epochs=2, batch=4))
    [0, 2, 1, 0, 2, 1]
    """
    rng = np.random.default_rng(options.seed)
    size = options.batch * max(1, min(_BATCHES, len(lengths) // (4 * options.batch)))
    plan: list[int] = []
    for _ in range(options.epochs):
        order = rng.permutation(len(lengths)).tolist()
        for at in range(0, len(order), size):
            plan += sorted(order[at : at + size], key=lambda place: -lengths[place])
    return plan


def planned_updates(texts: Sequence[GradedText], options: RelevanceOptions, run: Run) -> list[int]:
    """The places of the texts in the order in which they are read, the same for the same seed.

    With the loss `soft` each grade comes as often as any other (ACORD, F.2), and all texts of a grade once before any
    comes again; with `listwise` each query does, and of its texts every grade in turn. A plan of more updates begins
    with that of fewer, so that one run serves every number. Raises InputError when there is nothing to learn from.
    """
    if len({row.grade for row in texts}) < 2:
        raise InputError("nothing to train on: the texts are all of one grade; give texts of two grades or more")
    stream = _by_grade(texts, options, run.seed) if options.group == 1 else _by_query(texts, options, run.seed)
    size = options.batch // options.group
    plan: list[int] = []
    for _ in range(run.updates[-1]):
        groups = [list(islice(stream, options.group)) for _ in range(size)]
        # pairs of about the same length stand together; characters tell that well enough
        groups.sort(key=lambda group: max(_length(texts[place], options) for place in group))
        plan += [place for group in groups for place in group]
    return plan


def without_contrast(texts: Sequence[GradedText]) -> list[str]:
    """Queries whose texts are all of one grade: lists leave them out.

    >>> without_contrast([GradedText("q", "a", 0, 0.0), GradedText("p", "a", 0, 0.0), GradedText("p", "b", 1, 0.25)])
    ['q']
    """
    grades = defaultdict(set)
    for row in texts:
        grades[row.query].add(row.grade)
    return [query for query, found in grades.items() if len(found) < 2]


def _length(row: GradedText, options: RelevanceOptions) -> int:
    return min(len(row.query) + len(row.text), 6 * options.max_length)


def _by_grade(texts: Sequence[GradedText], options: RelevanceOptions, seed: int) -> Stream:
    streams = _streams(texts, range(len(texts)), options, (seed,))
    for grade in cycle(sorted(streams)):
        yield next(streams[grade])


def _by_query(texts: Sequence[GradedText], options: RelevanceOptions, seed: int) -> Stream:
    single = set(without_contrast(texts))
    places = defaultdict(list)
    for place, row in enumerate(texts):
        if row.query not in single:
            places[row.query].append(place)
    if not places:
        raise InputError("nothing to train on: no query has texts of two grades; take the loss soft, or more texts")
    streams = [_streams(texts, own, options, (seed, number)) for number, own in enumerate(places.values())]
    rng = np.random.default_rng((seed, 1))
    for number in _shuffled(range(len(streams)), rng):
        yield from _list(streams[number], options)


def _list(streams: Mapping[int, Stream], options: RelevanceOptions) -> list[int]:
    """Texts of a query, every grade in turn and none twice, but where the query has too few."""
    chosen: list[int] = []
    for grade in islice(cycle(sorted(streams)), 4 * options.list_size):
        place = next(streams[grade])
        if place not in chosen and len(chosen) < options.list_size:
            chosen.append(place)
    return list(islice(cycle(chosen), options.list_size))


def _streams(
    texts: Sequence[GradedText], places: Sequence[int], options: RelevanceOptions, seed: tuple[int, ...]
) -> dict[int, Stream]:
    """An endless stream of places by grade."""
    of: dict[int, list[int]] = defaultdict(list)
    for place in places:
        of[texts[place].grade].append(place)
    found = {grade: _shuffled(own, np.random.default_rng((*seed, grade, 2))) for grade, own in of.items()}
    hard = [place for place in of.get(0, ()) if texts[place].hard]
    if hard and options.hard_zeros:
        rng = np.random.default_rng((*seed, 3))
        found[0] = _mixed(_shuffled(hard, np.random.default_rng((*seed, 4))), found[0], options.hard_zeros, rng)
    return found


def _mixed(one: Stream, other: Stream, share: float, rng: np.random.Generator) -> Stream:
    while True:
        yield next(one if rng.random() < share else other)


def _shuffled(places: Sequence[int], rng: np.random.Generator) -> Stream:
    """All of them in random order, and again in another."""
    while True:
        yield from rng.permutation(np.asarray(places)).tolist()
