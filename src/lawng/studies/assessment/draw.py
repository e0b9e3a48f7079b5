"""Which examples are read: as many of each label with and without negation, half with short premises; batches of 28.

draw(examples, n, seed) -> tasks in batches     write_tasks(folder, tasks), read_tasks(folder)
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path

import pyarrow.parquet as pq

from lawng.errors import InputError
from lawng.io import iter_records
from lawng.schema.arrow import to_arrow
from lawng.schema.labels import LABELS
from lawng.schema.views import LONG, SHORT
from lawng.studies.generalization.examples import Example

BATCH, SCREENING = 28, 3
"""Items of a batch, and how many of them the researcher labels beforehand, unmarked among the others."""
TASKS = "tasks.parquet"
PRE_SCREEN = 6
"""Items by which people qualify beforehand."""
VIEWS = (SHORT, LONG)


@dataclass(frozen=True, slots=True)
class Task:
    """An item: a premise and a hypothesis, to be labelled by two people."""

    task_id: str
    """Digest of the example's id and which premise is shown: the id itself may name the label, or tell of a twin."""
    example_id: str
    premise: str
    """`short` or `long`."""
    text1: str
    text2: str
    label: str
    """The automatic label, which nobody is shown."""
    negated: bool
    case_id: str
    batch: int
    """From 1."""
    screening: bool
    cited: list[int]
    """First character and end of the cited pages in `text1`; [] where they do not stand in it as one."""

    @property
    def name(self) -> str:
        """The example and which premise was shown: for tables, never for who reads."""
        return f"{self.example_id}#{self.premise}"


def draw(examples: Sequence[Example], n: int, seed: int) -> list[Task]:
    """A stratified sample in batches, in the order in which they are given out.

    `n` is a multiple of 12: labels x negation x length of the premise. No example comes twice. Of each whole batch of
    28 three are for screening, at random places. Raises InputError naming a stratum that has too few examples.
    """
    if n < 12 or n % 12:
        raise InputError(f"{n} items: give a multiple of 12, for three labels, negation or not, short or long premises")
    rng = random.Random(seed)
    chosen: list[tuple[Example, str]] = []
    strata = {
        (label, negated): [one for one in examples if one.label is label and one.negated is negated]
        for label, negated in product(LABELS, (False, True))
    }
    most = 6 * min(map(len, strata.values())) // 12 * 12
    for (label, negated), own in strata.items():
        if len(own) < n // 6:
            kind = f"{label} {'with' if negated else 'without'} negation"
            advice = f"ask for at most {most}" if most else "that is too few for any assessment"
            raise InputError(f"{kind}: {len(own)} test examples, {n // 6} needed; {advice}")
        drawn = rng.sample(own, n // 6)
        chosen += [(one, VIEWS[at % 2]) for at, one in enumerate(drawn)]
    rng.shuffle(chosen)
    known = _for_screening(len(chosen), rng)
    return [_task(at, one, view, at in known) for at, (one, view) in enumerate(chosen)]


def draw_pre_screen(examples: Sequence[Example], drawn: Sequence[Task], seed: int) -> list[Task]:
    """Six items of examples that were not drawn, two of each label, half with the short premise, all for screening.

    Raises InputError where too few examples are left.
    """
    rng, taken = random.Random(seed), {task.example_id for task in drawn}
    chosen: list[Example] = []
    for label in LABELS:
        left = [one for one in examples if one.label is label and one.key not in taken]
        if len(left) < PRE_SCREEN // len(LABELS):
            raise InputError(f"{label}: {len(left)} test examples are left for the pre-screen; ask for fewer items")
        chosen += rng.sample(left, PRE_SCREEN // len(LABELS))
    rng.shuffle(chosen)
    return [_task(at, one, VIEWS[at % 2], screening=True) for at, one in enumerate(chosen)]


def _for_screening(n: int, rng: random.Random) -> set[int]:
    """Places of three items of each whole batch; of the last one fewer, by its size."""
    found: set[int] = set()
    for start in range(0, n, BATCH):
        size = min(BATCH, n - start)
        found.update(rng.sample(range(start, start + size), size * SCREENING // BATCH))
    return found


def _task(at: int, one: Example, view: str, screening: bool) -> Task:
    text, cited = one.premises[view], one.premises[SHORT]
    start = text.find(cited)
    place = [start, start + len(cited)] if view == LONG and start >= 0 else []
    # with a letter before it, so that no spreadsheet takes it for a number
    key = f"t{sha256(f'{one.key}#{view}'.encode()).hexdigest()[:15]}"
    return Task(
        key,
        one.key,
        view,
        text,
        one.hypothesis,
        str(one.label),
        one.negated,
        one.case_id,
        at // BATCH + 1,
        screening,
        place,
    )


def write_tasks(folder: Path, tasks: Sequence[Task]) -> None:
    """Keep the tasks with their automatic labels, for the tables that come of the answers."""
    partial = folder / f"{TASKS}.partial"
    pq.write_table(to_arrow(tasks, Task), partial)
    partial.replace(folder / TASKS)


def read_tasks(folder: Path) -> list[Task]:
    """The tasks of a folder. Raises InputError where there are none."""
    if not (folder / TASKS).is_file():
        raise InputError(f"{folder}: no assessment here ({TASKS}); make one with `lawng annotate sample`")
    return list(iter_records(folder / TASKS, Task))
