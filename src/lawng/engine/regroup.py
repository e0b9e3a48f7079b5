"""Rows of a table handed out anew, to the units where what they need lies."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lawng.engine.store import iter_parts, read_table

UnitOf = Callable[[pa.Table], pa.Array]
"""The number of the unit that each row goes to."""


def regroup(table: str | Path, unit_of: UnitOf, n: int, out: Path) -> list[Path]:
    """Write the rows of a table to `n` files, one per unit, each in the order of the table; memory: one part.

    Rows whose unit is null go to the last file, so that none is lost.
    """
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    files = [out / f"part-{number:05d}.parquet" for number in range(n)]
    with ExitStack() as stack:
        schema = pq.read_schema(next(iter_parts(table)))
        writers = [stack.enter_context(pq.ParquetWriter(file, schema, compression="zstd")) for file in files]
        for part in iter_parts(table):
            _hand_out(read_table(part), unit_of, writers)
    return files


def _hand_out(rows: pa.Table, unit_of: UnitOf, writers: list[pq.ParquetWriter]) -> None:
    units = pc.fill_null(unit_of(rows).cast(pa.int64()), len(writers) - 1)
    order = pc.sort_indices(units, sort_keys=[("", "ascending")])
    rows, units = rows.take(order), units.take(order)
    start = 0
    for count in pc.value_counts(units).to_pylist():
        writers[count["values"]].write_table(rows.slice(start, count["counts"]))
        start += count["counts"]
