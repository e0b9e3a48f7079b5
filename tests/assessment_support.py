"""What the tests of assessments share: examples as a build has them, and a small assessment made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

from lawng.schema.labels import LABELS
from lawng.studies.assessment.draw import Task, write_tasks
from lawng.studies.generalization.examples import Example
from split_support import write_split


def examples(n: int) -> list[Example]:
    """As many of each label, with and without negation."""
    found = []
    for number, (label, negated) in zip(range(n), list(product(LABELS, (False, True))) * n, strict=False):
        premises = {"short": f"Cited {number} & more.", "long": f"Before.\n\nCited {number} & more.\n\nBehind."}
        filtered = {f"bm25-{view}": text for view, text in premises.items()}
        key, case = f"cl:{number}", f"case {number // 4}"
        found.append(
            Example(key, f"said {number}", label, premises | filtered, case, negated, negated, "parenthetical")
        )
    return found


def build_of(folder: Path, n: int = 120) -> Path:
    """A build, as far as its data go."""
    (folder / "data").mkdir(parents=True)
    for split in ("train", "validation", "test"):
        write_split(folder / "data" / f"{split}.parquet", examples(n))
    return folder


def by_hand(n: int = 7) -> list[Task]:
    """Items in three kinds by turns: long with the cited pages far down, short, long with no mark."""
    return [_task(number) for number in range(n)]


def _task(number: int) -> Task:
    kind, cited = number % 3, f"Cited <b>{number}</b> & more.\n\nAnd the rest of page {number}."
    around = [f"Paragraph {at} of opinion {number}. " + "Much was said of it. " * 20 for at in range(40)]
    text = cited if kind == 1 else "\n\n".join([*around[:30], cited, *around[30:]])
    start = text.index(cited)
    place = [start, start + len(cited)] if kind == 0 else []
    view, label = "short" if kind == 1 else "long", str(LABELS[number % 2])
    key = f"cl:{number}:{label}#{view}"
    return Task(
        key,
        f"cl:{number}:{label}",
        view,
        text,
        f"said {number}",
        label,
        number % 2 == 0,
        f"case {number}",
        1,
        number == 3,
        place,
    )


def assessment_of(folder: Path, tasks: Sequence[Task]) -> Path:
    """The folder of an assessment of these items."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tasks(folder, tasks)
    return folder
