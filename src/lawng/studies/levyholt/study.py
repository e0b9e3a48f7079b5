"""`lawng study levyholt`: systems on LevyHolt and its subsets, stored, then measured (Li et al. 2022, section 3).

study_levyholt(data, folder, settings) -> LevyHoltResult
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lawng.extras import explained
from lawng.io import write_json
from lawng.reports.grid import Grid
from lawng.studies.harness import (
    CACHE,
    CELLS,
    MANIFEST,
    Harness,
    ParquetStore,
    Say,
    plain_settings,
    publish,
    study_folder,
    unsaid,
)
from lawng.studies.levyholt.systems import LevyHoltSettings, PairScore, asked, read_benchmark, systems
from lawng.studies.levyholt.tables import write_tables


class LevyHoltResult(NamedTuple):
    """Where the study lies, its tables, and lines on the rows that could not be read."""

    folder: Path
    tables: dict[str, Grid]
    rejects: Sequence[str]


@explained()
def study_levyholt(
    data: Path, folder: Path, settings: LevyHoltSettings | None = None, say: Say = unsaid
) -> LevyHoltResult:
    """Ask all systems, write predictions, tables and curves to a folder.

    `data` has LevyHolt's `orig` (train, dev, test) and, where the authors' draw is wanted, `dirposi_dirnegi`; or is a
    folder of three files. Raises InputError where they are not there, ConfigError for unknown names, MissingError
    where an encoder is.
    """
    settings = settings or LevyHoltSettings()
    benchmark = read_benchmark(data, settings.seed)
    made = systems(settings, folder / CACHE / "vectors")
    with study_folder(folder):
        harness = Harness(folder / CACHE / CELLS, ParquetStore(PairScore), __name__, say)
        found = harness.run(made, [benchmark], lambda label, _: label.name, strict=True)
        publish((one.cell for one in found.answered), folder / "predictions")
        scores = {one.label: {row.pair_id: row.score for row in one.cell.rows()} for one in found.answered}
        by_key = {key: scores[key.label] for key in asked(settings)}
        tables = write_tables(folder, benchmark, by_key, settings, found.notes)
        write_json(folder / MANIFEST, {"data": benchmark.depends, "settings": plain_settings(settings)})
    return LevyHoltResult(folder, tables, benchmark.splits.rejects)
