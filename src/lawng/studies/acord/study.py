"""The study of ACORD as a whole: systems, runs, tables, one folder.

study_acord(data, folder, settings) -> AcordResult
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lawng.clauses.ranking.rankers import cache_folder
from lawng.engine.aside import check_place
from lawng.engine.unit import write_json
from lawng.extras import explained
from lawng.reports.builds import write_text
from lawng.reports.grid import Grid, latex, markdown
from lawng.reports.recall import to_csv
from lawng.studies.acord.card import card, plain_settings, versions
from lawng.studies.acord.data import read_acord
from lawng.studies.acord.panel import Panel
from lawng.studies.acord.results import results
from lawng.studies.acord.runs import Found, Say, run_panel, write_judgements
from lawng.studies.acord.settings import AcordSettings
from lawng.studies.acord.sizes import sizes_of
from lawng.studies.acord.tables import own, paper
from lawng.studies.acord.tables.layout import only_table, shown, table_3
from lawng.studies.acord.task import Task, task_of
from lawng.studies.place import CACHE, MANIFEST, study_folder


class AcordResult(NamedTuple):
    """What a study found: the table to show first, and all of it."""

    grid: Grid
    found: Found


@explained()
def study_acord(
    data: Path, folder: Path | None = None, settings: AcordSettings | None = None, say: Say = lambda _line: None
) -> AcordResult:
    """Run the systems of the settings on a folder or ZIP in ACORD's layout, and write all tables where `folder` is.

    What models computed is kept in the folder's `cache/`, without a folder in $LAWNG_CACHE/acord, so a killed study
    goes on. With `settings.only` nothing but the cache is written. `manifest.json` is written last.

    Raises InputError, ConfigError, StageError, or MissingError where the only system cannot be had.
    """
    settings = settings or AcordSettings()
    task = task_of(read_acord(data), settings.split)
    if settings.only or folder is None:
        return _shown(task, settings, _cache(folder), say)
    with study_folder(folder):
        found = run_panel(Panel(task, settings, folder / CACHE), settings, folder / "runs", say)
        grid = table_3(found, settings)
        _write(folder, task, settings, found, grid)
    return AcordResult(grid, found)


def _shown(task: Task, settings: AcordSettings, cache: Path, say: Say) -> AcordResult:
    found = run_panel(Panel(task, settings, cache), settings, None, say)
    return AcordResult(only_table(found.measured, settings) if settings.only else table_3(found, settings), found)


def _cache(folder: Path | None) -> Path:
    if folder is None:
        return cache_folder().with_name("acord")
    check_place(folder, CACHE, "study")
    return folder / CACHE


def _write(folder: Path, task: Task, settings: AcordSettings, found: Found, main: Grid) -> None:
    write_judgements(folder / "runs" / "qrels", task)
    grids = {"table-3": main, **_tables(task, settings, found)}
    for name, grid in grids.items():
        write_grid(folder / "tables", name, grid)
    write_json(folder / "results.json", results(task, settings, found))
    write_text(folder / "README.md", card(task, settings, found, main, list(grids)))
    write_json(folder / MANIFEST, _manifest(task, settings, found))


def _tables(task: Task, settings: AcordSettings, found: Found) -> Mapping[str, Grid]:
    sizes = sizes_of(settings, {row.label.name for row in found.measured})
    return {
        "table-d1": paper.table_d1(found, task, settings),
        "table-d2": paper.table_d2(found, task, settings),
        "table-d3": paper.table_d3(found, sizes, settings),
        "table-d4": paper.table_d4(found, settings),
        "table-d5": paper.table_d5(found, settings),
        "table-e2": paper.table_e2(found, task),
        "variants": own.variants(found, settings),
        "recall": own.recall(found, settings),
        "normalised": own.normalised(found, settings),
        "differences": own.differences(found, settings),
        "leakage": own.leakage(found, task, settings),
    }


def write_grid(folder: Path, name: str, grid: Grid) -> None:
    """A table as text, CSV, LaTeX and Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / f"{name}.txt", shown(grid) + "\n")
    write_text(folder / f"{name}.csv", to_csv(grid.columns, grid.rows))
    write_text(folder / f"{name}.tex", latex(grid) + "\n")
    write_text(folder / f"{name}.md", markdown(grid) + "\n")


def _manifest(task: Task, settings: AcordSettings, found: Found) -> dict[str, Any]:
    return {
        "versions": versions(),
        "settings": plain_settings(settings),
        "data": task.acord.name,
        "licences": list(task.acord.licences),
        "not_to_be_had": [f"{label.shown}: {why}" for label, why in found.missing],
        "notes": found.notes,
    }
