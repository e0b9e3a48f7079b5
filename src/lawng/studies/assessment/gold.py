"""From answers to gold labels: who guesses is left out, two who agree make a gold label (LawngNLI, A.3).

assess(tasks, answers, screening) -> Assessment     tables_of(assessment) -> the tables 4 and 11
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lawng.errors import InputError
from lawng.evaluation.statistics import Interval, clopper_pearson, mean_recall, resampled
from lawng.reports.grid import Grid
from lawng.schema.labels import LABELS, Label
from lawng.studies.assessment.draw import VIEWS, Task
from lawng.studies.assessment.label_studio import Answer
from lawng.studies.tables import OPEN, share

LEAST, AFTER = 0.5, 5
"""Who is right on fewer screening items than this share, after so many of them, is left out (A.3)."""


class Worker(NamedTuple):
    """A person's record on screening items."""

    name: str
    right: int
    seen: int
    excluded: bool


class Read(NamedTuple):
    """An item that two people have labelled."""

    task: Task
    labels: tuple[Label, Label]
    sure: bool
    """Whether both were."""

    @property
    def gold(self) -> Label | None:
        """What both say, None where they differ."""
        return self.labels[0] if self.labels[0] is self.labels[1] else None


class Assessment(NamedTuple):
    """What was read, and by whom."""

    read: list[Read]
    workers: list[Worker]
    waiting: int
    """Items with fewer than two answers that count."""


def assess(
    tasks: Sequence[Task], answers: Sequence[Answer], screening: Mapping[str, Label], until: int = 0
) -> Assessment:
    """The items with two answers, in the order given out; screening items tell who is left out, and are no items.

    `screening` has the researcher's labels; with `until` reading ends at so many gold labels (300 in A.3). Raises
    InputError where one lacks its label, an item has more than two answers that count, or two of one person.
    """
    known = [task for task in tasks if task.screening]
    if lacking := [task.task_id for task in known if task.task_id not in screening]:
        raise InputError(f"{len(lacking)} screening items have no label of the researcher's, the first {lacking[0]}")
    workers = _workers(known, answers, screening)
    kept = {worker.name for worker in workers if not worker.excluded}
    of: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        if answer.worker in kept:
            of[answer.task_id].append(answer)
    read, waiting = [], 0
    for task in tasks:
        if not task.screening:
            own = of[task.task_id]
            if len(own) > 2 or len({answer.worker for answer in own}) < len(own):
                people = len({answer.worker for answer in own})
                raise InputError(f"{task.task_id}: {len(own)} answers, by {people} people; give two, of two people")
            if len(own) == 2:
                read.append(Read(task, (own[0].label, own[1].label), own[0].sure and own[1].sure))
            waiting += len(own) < 2
        if until and sum(one.gold is not None for one in read) == until:
            break
    return Assessment(read, workers, waiting)


def _workers(known: Sequence[Task], answers: Sequence[Answer], screening: Mapping[str, Label]) -> list[Worker]:
    """Running accuracy in the order of the batches: who falls below it once is left out with all answers."""
    found = []
    for name in sorted({answer.worker for answer in answers}):
        said = {answer.task_id: answer.label for answer in answers if answer.worker == name}
        hits = [said[task.task_id] is screening[task.task_id] for task in known if task.task_id in said]
        running = [sum(hits[:n]) / n for n in range(AFTER, len(hits) + 1)]
        found.append(Worker(name, sum(hits), len(hits), any(accuracy < LEAST for accuracy in running)))
    return found


# ------------------------------------------------------------------ tables


def tables_of(found: Assessment, seed: int = 7) -> dict[str, Grid]:
    """Table 4 with intervals, table 11 (where the automatic label is not the gold one), and the workers."""
    return {"table-4": _table_4(found.read, seed), "table-11": _table_11(found.read), "workers": _of_workers(found)}


def _table_4(read: Sequence[Read], seed: int) -> Grid:
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

    return Grid(
        "Human assessment of the automatic labels",
        ["", *groups],
        [
            row("gold labels: balanced accuracy", lambda name: _accuracy(agreed[name], seed)),
            row("gold labels: N", lambda name: f"{len(agreed[name]):,}"),
            row("both sure: balanced accuracy", lambda name: _accuracy(sure[name], seed)),
            row("both sure: N", lambda name: f"{len(sure[name]):,}"),
            row("agreement", lambda name: _share(len(agreed[name]), len(groups[name]))),
            row("Krippendorff's alpha", lambda name: _alpha(groups[name])),
            row("both sure, if they agree", lambda name: _share(len(sure[name]), len(agreed[name]))),
            row("all read: N", lambda name: f"{len(groups[name]):,}"),
        ],
        note="Balanced accuracy: mean recall of gold labels, 95 % by bootstrap over cases. Shares: Clopper-Pearson.",
    )


def balanced(read: Sequence[Read]) -> float:
    """Mean share, over the gold labels that are there, of automatic labels that are the gold one; NaN without any."""
    known = [one for one in read if one.gold]
    return mean_recall([one.gold for one in known], [one.task.label == one.gold for one in known])


def _accuracy(read: Sequence[Read], seed: int) -> str:
    if not read:
        return OPEN
    cases = [one.task.case_id for one in read]
    return _with(balanced(read), resampled(lambda places: balanced([read[at] for at in places]), cases, seed))


def _share(hits: int, n: int) -> str:
    return _with(hits / n, clopper_pearson(hits, n)) if n else OPEN


def _alpha(read: Sequence[Read]) -> str:
    """Nominal, of two readers."""
    if len({label for one in read for label in one.labels}) < 2:
        return OPEN
    import krippendorff

    codes = np.array([[LABELS.index(label) for label in one.labels] for one in read]).T
    return share(float(krippendorff.alpha(reliability_data=codes, level_of_measurement="nominal")))


def _with(value: float, interval: Interval) -> str:
    return f"{share(value)} ({share(interval.low)}-{share(interval.high)})"


def _table_11(read: Sequence[Read]) -> Grid:
    rows = [
        [one.task.task_id, one.task.label, str(one.gold), "yes" if one.sure else "no", one.task.text2]
        for one in read
        if one.gold and one.gold != one.task.label
    ]
    columns = ["item", "automatic", "gold", "both sure", "text2"]
    return Grid("Where the automatic label is not the gold one", columns, rows, frozenset(range(5)))


def _of_workers(found: Assessment) -> Grid:
    rows = [[one.name, f"{one.right} / {one.seen}", "yes" if one.excluded else "no"] for one in found.workers]
    note = (
        f"Left out: below {LEAST:.0%} of the screening items at any time after {AFTER}. {found.waiting:,} items wait."
    )
    return Grid("Screening items", ["worker", "right", "left out"], rows, note=note)
