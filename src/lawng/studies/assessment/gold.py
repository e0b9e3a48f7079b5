"""From answers to gold labels: who guesses is left out, two who agree make a gold label (LawngNLI, A.3), or one alone.

assess(tasks, answers, screening) -> Assessment     tables_of(assessment) -> the tables 4 and 11
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawng.errors import InputError
from lawng.evaluation.statistics import Interval, bootstrap_recall, clopper_pearson, mean_recall, resampled
from lawng.reports.grid import Grid
from lawng.schema.labels import LABELS, Label
from lawng.studies.assessment.draw import VIEWS, Task
from lawng.studies.assessment.label_studio import Answer
from lawng.studies.tables import OPEN, share

LEAST, AFTER = 0.5, 5
"""Who is right on fewer screening items than this share, after so many of them, is left out (A.3)."""
QUALIFIES = 4
"""Who is right on so many of the six items of the pre-screen may go on (A.3)."""


class Worker(NamedTuple):
    """A person's record on screening items."""

    name: str
    right: int
    seen: int
    excluded: bool
    qualified: bool = True
    """Whether the pre-screen was passed, where there was one."""


class Read(NamedTuple):
    """An item that as many people have labelled as were to."""

    task: Task
    labels: tuple[Label, ...]
    sure: bool
    """Whether all were."""
    snippets: tuple[str, ...] = ()
    """What of the premise each named, "" for none."""

    @property
    def gold(self) -> Label | None:
        """What all say, None where they differ."""
        return self.labels[0] if len(set(self.labels)) == 1 else None


class Assessment(NamedTuple):
    """What was read, and by whom."""

    read: list[Read]
    workers: list[Worker]
    waiting: int
    """Items with fewer answers that count than they should have."""
    alone: bool = False
    """Whether one person read, whose labels are the gold ones."""


def assess(  # noqa: PLR0913, PLR0917 (what decides whose answers count)
    tasks: Sequence[Task],
    answers: Sequence[Answer],
    screening: Mapping[str, Label],
    until: int = 0,
    alone: bool = False,
    qualified: frozenset[str] | None = None,
) -> Assessment:
    """The items with two answers, in the order given out; screening items tell who is left out, and are no items.

    `screening` has the researcher's labels; with `until` reading ends at so many gold labels (300 in A.3). `alone`: one
    person's answers, each a gold label, to items for screening too, since nobody is screened. With `qualified` the
    answers of all others are left out. Raises InputError where
    a screening item lacks its label, an item has more answers that count than it should, or two of one person, or
    several people read alone.
    """
    n = 1 if alone else 2
    names = sorted({answer.worker for answer in answers})
    if alone and len(names) > 1:
        raise InputError(f"answers of {len(names)} people, {', '.join(names)[:80]}; give one's, or leave out --alone")
    known = [] if alone else [task for task in tasks if task.screening]
    if lacking := [task.task_id for task in known if task.task_id not in screening]:
        raise InputError(f"{len(lacking)} screening items have no label of the researcher's, the first {lacking[0]}")
    workers = [
        one._replace(qualified=qualified is None or one.name in qualified)
        for one in _workers(known, answers, screening)
    ]
    kept = {worker.name for worker in workers if worker.qualified and not worker.excluded}
    of: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        if answer.worker in kept:
            of[answer.task_id].append(answer)
    read, waiting = [], 0
    for task in tasks:
        if alone or not task.screening:
            own = of[task.task_id]
            people = {answer.worker for answer in own}
            if len(own) > n or len(people) < len(own):
                needed = "one" if alone else "two, of two people"
                raise InputError(f"{task.task_id}: {len(own)} answers, by {len(people)} people; give {needed}")
            if len(own) == n:
                labels, sure, snippets = zip(
                    *((answer.label, answer.sure, answer.snippet) for answer in own), strict=True
                )
                read.append(Read(task, labels, all(sure), snippets))
            waiting += len(own) < n
        if until and sum(one.gold is not None for one in read) == until:
            break
    return Assessment(read, workers, waiting, alone)


def _workers(known: Sequence[Task], answers: Sequence[Answer], screening: Mapping[str, Label]) -> list[Worker]:
    """Running accuracy in the order of the batches: who falls below it once is left out with all answers."""
    found = []
    for name in sorted({answer.worker for answer in answers}):
        own = [answer for answer in answers if answer.worker == name]
        times = Counter(answer.task_id for answer in own)
        if twice := next((task.task_id for task in known if times[task.task_id] > 1), None):
            raise InputError(f"{twice}: {times[twice]} answers of {name} to a screening item; give the first alone")
        said = {answer.task_id: answer.label for answer in own}
        hits = [said[task.task_id] is screening[task.task_id] for task in known if task.task_id in said]
        running = [sum(hits[:n]) / n for n in range(AFTER, len(hits) + 1)]
        found.append(Worker(name, sum(hits), len(hits), any(accuracy < LEAST for accuracy in running)))
    return found


def qualified_by(tasks: Sequence[Task], answers: Sequence[Answer], known: Mapping[str, Label]) -> frozenset[str]:
    """Who passed the pre-screen: right on four of its six items. Raises InputError where an item has no label."""
    if lacking := [task.task_id for task in tasks if task.task_id not in known]:
        raise InputError(f"{len(lacking)} items of the pre-screen have no label of the researcher's: {lacking[0]}")
    return frozenset(worker.name for worker in _workers(tasks, answers, known) if worker.right >= QUALIFIES)


# ------------------------------------------------------------------ tables


def tables_of(found: Assessment, seed: int = 7) -> dict[str, Grid]:
    """Table 4 with intervals, table 11 (where the automatic label is not the gold one), where two differ, the workers.

    Where one person read alone there is no agreement, and there are no workers: the notes say so.
    """
    tables = {"table-4": _table_4(found, seed), "table-11": _table_11(found)}
    return tables if found.alone else tables | {"differ": _differ(found), "workers": _of_workers(found)}


def _table_4(found: Assessment, seed: int) -> Grid:
    read, sure_of = found.read, "sure" if found.alone else "both sure"
    groups = {
        f"{view}, {'negation' if negation else 'all'}": [
            one for one in read if one.task.premise == view and (one.task.negated or not negation)
        ]
        for view in VIEWS
        for negation in (False, True)
    }
    agreed = {name: [one for one in own if one.gold] for name, own in groups.items()}
    sure = {name: [one for one in own if one.sure] for name, own in agreed.items()}

    def row(title: str, cell: Callable[[str], str]) -> list[str]:
        return [title, *(cell(name) for name in groups)]

    rows = [
        row("gold labels: balanced accuracy", lambda name: _accuracy(agreed[name], seed)),
        row("gold labels: N", lambda name: f"{len(agreed[name]):,}"),
        row(f"{sure_of}: balanced accuracy", lambda name: _accuracy(sure[name], seed)),
        row(f"{sure_of}: N", lambda name: f"{len(sure[name]):,}"),
        row(f"{sure_of}{'' if found.alone else ', if they agree'}", lambda name: _share_of(sure[name], agreed[name])),
        row("all read: N", lambda name: f"{len(groups[name]):,}"),
    ]
    if not found.alone:
        rows[4:4] = [
            row("agreement", lambda name: _share_of(agreed[name], groups[name])),
            row("Krippendorff's alpha", lambda name: _alpha(groups[name], seed)),
        ]
    note = (
        "Balanced accuracy: mean recall of gold labels. In brackets 95 %, of it and of alpha by bootstrap over cases, "
        "of shares Clopper-Pearson."
    )
    return Grid("Human assessment of the automatic labels", ["", *groups], rows, note=note + _alone(found))


def _alone(found: Assessment) -> str:
    if not found.alone:
        return ""
    who = ", ".join(worker.name for worker in found.workers)
    return f" One person alone read ({who}): those labels are the gold ones, there is no agreement and no screening."


def balanced(read: Sequence[Read]) -> float:
    """Mean share, over the gold labels that are there, of automatic labels that are the gold one; NaN without any."""
    known = [one for one in read if one.gold]
    return mean_recall([one.gold for one in known], [one.task.label == one.gold for one in known])


def _accuracy(agreed: Sequence[Read], seed: int) -> str:
    if not agreed:
        return OPEN
    hits = [float(one.task.label == one.gold) for one in agreed]
    cases = [one.task.case_id for one in agreed]
    return _with(balanced(agreed), bootstrap_recall([one.gold for one in agreed], hits, seed, cases))


def _share_of(some: Sequence[Read], read: Sequence[Read]) -> str:
    hits, n = len(some), len(read)
    return _with(hits / n, clopper_pearson(hits, n)) if n else OPEN


def _alpha(read: Sequence[Read], seed: int) -> str:
    if len({label for one in read for label in one.labels}) < 2:
        return OPEN
    counts = np.array([[one.labels.count(label) for label in LABELS] for one in read])
    cases = [one.task.case_id for one in read]
    return _with(alpha(counts), resampled(lambda places: alpha(counts[places]), cases, seed, resamples=2000))


def alpha(counts: NDArray[np.int_]) -> float:
    """Krippendorff's alpha, nominal, of how often each label was said of each item, items x labels; NaN for one label.

    >>> round(alpha(np.array([[2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 0]])), 3)
    0.667
    """
    import krippendorff

    if np.count_nonzero(counts.any(axis=0)) < 2:
        return float("nan")
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def _with(value: float, interval: Interval) -> str:
    return f"{share(value)} ({share(interval.low)}-{share(interval.high)})"


def _table_11(found: Assessment) -> Grid:
    rows = [
        [one.task.name, one.task.label, str(one.gold), "yes" if one.sure else "no", one.task.text2, named(one)]
        for one in found.read
        if one.gold and one.gold != one.task.label
    ]
    columns = ["item", "automatic", "gold", "sure" if found.alone else "both sure", "text2", "snippets of text1"]
    title = "Where the automatic label is not the gold one"
    return Grid(title, columns, rows, frozenset(range(6)), note=_alone(found).strip())


def _differ(found: Assessment) -> Grid:
    """The items that have no gold label."""
    rows = [
        [one.task.name, one.task.label, ", ".join(one.labels), one.task.text2, named(one)]
        for one in found.read
        if not one.gold
    ]
    columns = ["item", "automatic", "labels", "text2", "snippets of text1"]
    return Grid("Where two people differ", columns, rows, frozenset(range(5)))


def named(one: Read) -> str:
    """What people named of the premise, in one line."""
    return " | ".join(dict.fromkeys(" ".join(text.split()) for text in one.snippets if text))


def _of_workers(found: Assessment) -> Grid:
    rows = [
        [one.name, f"{one.right} / {one.seen}", "yes" if one.excluded else "no" if one.qualified else "not qualified"]
        for one in found.workers
    ]
    note = (
        f"Left out: below {LEAST:.0%} of the screening items at any time after {AFTER}; not qualified: right on fewer "
        f"than {QUALIFIES} of the pre-screen's six. {found.waiting:,} items wait."
    )
    return Grid("Screening items", ["worker", "right", "left out"], rows, note=note)
