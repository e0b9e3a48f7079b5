"""The study of ACORD as a whole: systems, runs, tables, one folder.

study_acord(data, folder, settings) -> AcordResult      one_system(data, name, settings) -> AcordResult
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from lawng.clauses.ranking import cache_folder
from lawng.reports.grid import Grid
from lawng.studies.acord.data import read_acord
from lawng.studies.acord.panel import Panel
from lawng.studies.acord.runs import Found, run_panel
from lawng.studies.acord.settings import AcordSettings
from lawng.studies.acord.tables import only_table, table_3
from lawng.studies.acord.task import task_of

Say = Callable[[str], None]


class AcordResult(NamedTuple):
    """What a study found."""

    grid: Grid
    found: Found


def study_acord(
    data: Path, folder: Path | None = None, settings: AcordSettings | None = None, say: Say = lambda _line: None
) -> AcordResult:
    """Run the study."""
    settings = settings or AcordSettings()
    task = task_of(read_acord(data), settings.split)
    cache = cache_folder().with_name("acord")
    found = run_panel(Panel(task, settings, cache), settings, None, say)
    grid = only_table(found.measured[0], settings) if settings.only else table_3(found, settings)
    return AcordResult(grid, found)
