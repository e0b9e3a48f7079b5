"""Reading tables that stages wrote: folders of Parquet parts, always in the order of the parts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lawng.errors import InputError, MissingError
from lawng.tables import from_arrow, schema_of

T = TypeVar("T")
Where = tuple[str, Collection[str]]
"""A text column, and the values that are wanted."""

_BATCH = 256  # records that are Python objects at one time: an opinion can be five megabytes


def iter_parts(folder: str | Path) -> Iterator[Path]:
    """The Parquet parts of a table in order; a single file is its own part.

    Raises MissingError when there is no such table.
    """
    path = Path(folder)
    if path.is_file():
        yield path
        return
    parts = sorted(path.glob("part-*.parquet"))
    if not parts:
        raise MissingError(f"{path}: no table here (no part-*.parquet); run the command that makes it first")
    yield from parts


def read_table(folder: str | Path, columns: Sequence[str] | None = None) -> pa.Table:
    """The whole table, or some of its columns, in memory.

    Raises MissingError when there is no such table, InputError when a part cannot be read.
    """
    wanted = list(columns) if columns is not None else None
    return pa.concat_tables(_read_part(part, wanted) for part in iter_parts(folder))


def iter_records(folder: str | Path, record: type[T], where: Where | None = None) -> Iterator[T]:
    """The rows of a table or of one part as records, streaming; with `where` only those with one of the values.

    Raises MissingError when there is no such table, InputError when a part cannot be read.
    """
    kind: type = record
    names = schema_of(kind).names
    for part in iter_parts(folder):
        for batch in _batches(part, names):
            yield from from_arrow(matching(batch, where), record)


def matching(rows: pa.RecordBatch, where: Where | None) -> pa.RecordBatch:
    """The rows whose column has one of the values, all of them without a condition."""
    if where is None:
        return rows
    column, values = where
    return rows.filter(pc.is_in(rows[column], pa.array(sorted(values), pa.large_string())))


def _batches(part: Path, columns: list[str]) -> Iterator[pa.RecordBatch]:
    with reading(part), pq.ParquetFile(part) as file:
        yield from file.iter_batches(_BATCH, columns=columns)


def _read_part(part: Path, columns: list[str] | None) -> pa.Table:
    with reading(part), pq.ParquetFile(part) as file:
        return file.read(columns=columns)


@contextmanager
def reading(part: Path) -> Iterator[None]:
    """Turn what Arrow says of a damaged part into an InputError."""
    try:
        yield
    except pa.ArrowException as error:
        what = str(error).splitlines()[0]
        raise InputError(f"{part}: not a readable Parquet part ({what}); make the table again") from error
