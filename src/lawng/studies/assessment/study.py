"""An assessment from a build to a project, and from its export to tables (LawngNLI, A.3, tables 4 and 11).

draw_assessment(build, folder) -> tasks     assessment_at(build or folder) -> folder, drawn where it is not yet
score_assessment(folder, exports, screening) -> tables
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow.parquet as pq

from lawng.annotation.ratings import read_table
from lawng.errors import InputError
from lawng.extras import explained
from lawng.io import check_place, write_text
from lawng.reports.grid import Grid, to_csv
from lawng.schema.labels import Label, label_of
from lawng.studies.assessment.draw import TASKS, Task, draw, draw_pre_screen, read_tasks, write_tasks
from lawng.studies.assessment.gold import Assessment, assess, named, qualified_by, tables_of
from lawng.studies.assessment.label_studio import CONFIG, INSTRUCTIONS, Answer, project_tasks, read_export
from lawng.studies.generalization.examples import read_benchmark
from lawng.studies.tables import write_filled

CONFIGURATION, PROJECT, SCREENING = "label-studio.xml", "label-studio-tasks.json", "screening.csv"
INSTRUCTED = "instructions.txt"
PRE = "pre-screen"
"""Folder of the items by which people qualify, in that of the assessment."""


def draw_assessment(build: Path, folder: Path, items: int = 504, seed: int = 7, pre_screen: bool = False) -> list[Task]:
    """Draw items of a build's test split and write a Label Studio project for them to a folder.

    There are its labelling configuration, instructions, the tasks in batches of 28, and `screening.csv`, in which the
    researcher labels the items by which guessing is told. With `pre_screen` the folder `pre-screen` has the same for
    six other items by which people qualify. Raises InputError where a stratum has too few examples, or the folder is
    something else.
    """
    check_place(folder, TASKS, "assessment")
    for place in (folder / SCREENING, folder / PRE / SCREENING):
        if place.is_file() and _researchers(place):
            raise InputError(
                f"{place}: has labels of the researcher's, which would be lost; name another folder with -o"
            )
    for path in sorted(folder.glob("answers-*.json")):
        if path.read_text(encoding="utf-8", errors="replace").strip() not in {"", "[]"}:
            raise InputError(f"{path}: has answers to the items there, which go; name another folder with -o")
    _test_of(build)
    test = read_benchmark(build).splits["test"]
    tasks = draw(test, items, seed)
    first = draw_pre_screen(test, tasks, seed) if pre_screen else []
    _write_project(folder, tasks)
    shutil.rmtree(folder / PRE, ignore_errors=True)  # its items may be among these now
    if first:
        _write_project(folder / PRE, first)
    return tasks


def _known(test: Path) -> set[tuple[str, str, str]]:
    try:
        rows = pq.read_table(test, columns=["id", "hypothesis", "label"]).to_pylist()
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{test}: not a data file of a build ({str(error)[:100]}); run `lawng build` again") from error
    return {(row["id"], row["hypothesis"], row["label"]) for row in rows}


def _test_of(build: Path) -> Path:
    """Where the test examples of a build lie. Raises InputError for other data: they have one premise, not two."""
    test = build / "data" / "test.parquet"
    if not test.is_file():
        made = "name a folder that `lawng build` or `lawng annotate sample` made"
        raise InputError(f"{build}: neither a build nor an assessment; {made}")
    return test


def _write_project(folder: Path, tasks: Sequence[Task]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / CONFIGURATION, CONFIG)
    write_text(folder / INSTRUCTED, "\n".join(INSTRUCTIONS) + "\n")
    write_text(folder / PROJECT, json.dumps(project_tasks(tasks), ensure_ascii=False, indent=1))
    known = [[task.task_id, "", task.text2, task.text1] for task in tasks if task.screening]
    write_text(folder / SCREENING, to_csv(["task_id", "label", "text2", "text1"], known))
    write_tasks(folder, tasks)


def assessment_at(place: Path, output: Path | None = None, items: int = 504, seed: int = 7) -> Path:
    """The folder of an assessment: the place itself, or that of a build, in which one is drawn unless it is there.

    A build's is `output`, else `NAME-assessment` beside it. Raises InputError where the place is neither, what is drawn
    there is of another build, or as `draw_assessment` does.
    """
    if (place / TASKS).is_file():
        if output:
            raise InputError(f"{place}: is an assessment already; -o says where one of a build is drawn")
        return place
    test = _test_of(place)
    build = place if place.name.strip(".") else place.resolve()
    folder = output or build.with_name(f"{build.name}-assessment")
    if not (folder / TASKS).is_file():
        draw_assessment(place, folder, items, seed)
        return folder
    known = _known(test)
    if strange := next((t.name for t in read_tasks(folder) if (t.example_id, t.text2, t.label) not in known), ""):
        raise InputError(f"{folder}: was drawn of another build, {strange} is not in {place}; name another with -o")
    return folder


@explained()
def score_assessment(  # noqa: PLR0913, PLR0917 (the options of the command)
    folder: Path,
    exports: Sequence[Path],
    screening: Path | None = None,
    until: int = 0,
    seed: int = 7,
    alone: bool = False,
    pre_screen: Path | None = None,
) -> tuple[Assessment, dict[str, Grid], list[str]]:
    """Gold labels and tables of Label Studio's exports, written to the folder; lines on answers that do not count.

    `screening` has the researcher's labels, `screening.csv` of the folder unless named; `alone`: the answers of one
    person, who is not screened. `pre_screen` is the export of the folder's pre-screen: only who passed counts. Raises
    InputError as `read_export` and `assess` do.
    """
    if alone and (given := screening or pre_screen):
        raise InputError(f"{given}: who reads alone is not screened; leave out this file, or --alone")
    tasks = read_tasks(folder)
    read = [read_export(path, tasks) for path in exports]
    answers: list[Answer] = [answer for own, _ in read for answer in own]
    known = {} if alone else _of_these(screening or folder / SCREENING, tasks)
    qualified, unread = _qualified(folder / PRE, pre_screen) if pre_screen else (None, [])
    found = assess(tasks, answers, known, until, alone, qualified)
    gold = [
        [one.task.task_id, one.task.name, one.task.label, str(one.gold), str(one.sure), named(one)]
        for one in found.read
        if one.gold
    ]
    write_text(folder / "gold.csv", to_csv(["task_id", "item", "automatic", "gold", "sure", "snippets"], gold))
    none = {name: Grid("", [], []) for name in ("differ", "workers")}  # who reads alone has none, and earlier ones go
    tables = write_filled(folder / "tables", none | tables_of(found, seed))
    return found, tables, [*unread, *(line for _, left in read for line in left)]


def _qualified(folder: Path, export: Path) -> tuple[frozenset[str], list[str]]:
    tasks = read_tasks(folder)
    answers, left = read_export(export, tasks)
    return qualified_by(tasks, answers, _researchers(folder / SCREENING)), left


def _of_these(path: Path, tasks: Sequence[Task]) -> Mapping[str, Label]:
    """The researcher's labels; each must be of one of these tasks, whose ids a spreadsheet may take for numbers."""
    found, known = _researchers(path), {task.task_id for task in tasks}
    for number, ident in enumerate(found, 1):
        if ident not in known:
            raise InputError(
                f"{path}, label {number}: {ident!r} is no task of this assessment; give the file of this one, its "
                "column task_id as text"
            )
    return found


def _researchers(path: Path) -> Mapping[str, Label]:
    """The labels that are filled in, a spreadsheet's too; an empty one is none."""
    found: dict[str, Label] = {}
    for number, row in enumerate(read_table(path, ("task_id", "label")).rows, 2):
        if said := row["label"]:
            label = label_of(said)
            if label is None:
                raise InputError(
                    f"{path}, row {number}: {said!r} is no label; write entailment, neutral or contradiction"
                )
            found[row["task_id"]] = label
    return found
