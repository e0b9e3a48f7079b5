"""Work units over tables: runs of row groups, and rows handed out anew to the units where what they need lies."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lawng.io.parquet import Where, group_sizes, iter_parts, matching, read_table, reading
from lawng.schema.arrow import from_arrow, schema_of

T = TypeVar("T")
UnitOf = Callable[[pa.Table], pa.Array]
"""The number of the unit that each row goes to."""

MAX_UNITS = 256
"""Units per stage at most, unless a table has more parts: many enough for any machine."""
_OPEN_FILES = 128
"""That rows are handed to at one time: a process may often have 256 or 1,024."""

_BATCH = 64


@dataclass(frozen=True, slots=True)
class Slice:
    """Some consecutive row groups of one part."""

    part: Path
    start: int
    end: int
    weight: int = 0
    """Its bytes before compression: heavy units are begun first, so that no worker is left with one at the end."""

    @property
    def name(self) -> str:
        """How messages name it: the part, and which of its row groups."""
        return f"{self.part.name}[{self.start}:{self.end}]"

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Its rows in order, a few at a time.

        Raises InputError when the part cannot be read.
        """
        groups = list(range(self.start, self.end))
        with reading(self.part), pq.ParquetFile(self.part) as file:
            yield from file.iter_batches(_BATCH, row_groups=groups, columns=list(columns) if columns else None)

    def records(self, record: type[T], where: Where | None = None) -> Iterator[T]:
        """Its rows as records, streaming; with `where` only those with one of the values."""
        kind: type = record
        for batch in self.batches(schema_of(kind).names):
            yield from from_arrow(matching(batch, where), record)


def slices_of(table: str | Path, at_most: int = MAX_UNITS) -> list[Slice]:
    """The work units of a table: equal runs of row groups, one a part at least; it depends on the table alone.

    Raises MissingError when there is no such table.
    """
    sizes = [(part, group_sizes(part)) for part in iter_parts(table)]
    run = max(1, -(-sum(len(groups) for _, groups in sizes) // at_most))
    return [
        Slice(part, at, min(at + run, len(groups)), sum(groups[at : at + run]))
        for part, groups in sizes
        for at in range(0, len(groups), run)
    ]


def regroup(table: str | Path, unit_of: UnitOf, n: int, out: Path) -> list[Path]:
    """Write the rows of a table to `n` files, one per unit, each in the order of the table; memory: one part.

    Rows whose unit is null go to the last file, so that none is lost.
    """
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    files = [out / f"part-{number:05d}.parquet" for number in range(n)]
    schema = pq.read_schema(next(iter_parts(table)))
    for first in range(0, n, _OPEN_FILES):
        with ExitStack() as stack:
            some = files[first : first + _OPEN_FILES]
            writers = [stack.enter_context(pq.ParquetWriter(file, schema, compression="zstd")) for file in some]
            for part in iter_parts(table):
                rows = read_table(part)
                units = pc.fill_null(unit_of(rows).cast(pa.int64()), n - 1)
                _hand_out(rows, pc.subtract(units, first), writers)
    return files


def _hand_out(rows: pa.Table, units: pa.Array, writers: list[pq.ParquetWriter]) -> None:
    """Write each row to the writer of its unit; those of units that have none here are of another pass."""
    order = pc.sort_indices(units, sort_keys=[("", "ascending")])
    rows, units = rows.take(order), units.take(order)
    start = 0
    for count in pc.value_counts(units).to_pylist():
        if 0 <= count["values"] < len(writers):
            writers[count["values"]].write_table(rows.slice(start, count["counts"]))
        start += count["counts"]
