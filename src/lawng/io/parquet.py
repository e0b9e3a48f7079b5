"""Tables as folders of Parquet parts: read in the order of the parts, written part by part, same rows same bytes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lawng.errors import InputError, MissingError
from lawng.schema.arrow import from_arrow, schema_of, to_arrow

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
        with reading(part), pq.ParquetFile(part) as file:
            if missing := [name for name in names if name not in file.schema_arrow.names]:
                raise InputError(
                    f"{part}: has no {', '.join(missing)}; another version of lawng wrote it, make it again"
                )
            for batch in file.iter_batches(_BATCH, columns=names):
                yield from from_arrow(matching(batch, where), record)


def matching(rows: pa.RecordBatch, where: Where | None) -> pa.RecordBatch:
    """The rows whose column has one of the values, all of them without a condition."""
    if where is None:
        return rows
    column, values = where
    return rows.filter(pc.is_in(rows[column], pa.array(sorted(values), pa.large_string())))


def _read_part(part: Path, columns: list[str] | None) -> pa.Table:
    with reading(part), pq.ParquetFile(part) as file:
        return file.read(columns=columns)


@contextmanager
def reading(part: Path) -> Iterator[None]:
    """Turn what Arrow says of a damaged part into an InputError."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the system; Arrow's own have no number
            raise
        what = str(error).splitlines()[0]
        raise InputError(f"{part}: not a readable Parquet part ({what}); make the table again") from error


_ROWS = 5_000
_CHARACTERS = 4_000_000
"""A row group ends after so many rows or characters of text, but never within a case, whose opinions are read
together: it depends on the rows alone, as the bytes must."""


class TableWriter:
    """Writes records of one class, within a block, to a Parquet file that appears whole as the block ends.

    Where the block raises, the unfinished file is removed.
    """

    def __init__(self, path: str | Path, record: type) -> None:
        self.path = Path(path)
        self.record = record
        self.rows = 0
        self._texts = [f.name for f in fields(record) if f.type in ("str", "str | None", str)]
        self._waiting: list[Any] = []
        self._characters = 0
        self._partial = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = pq.ParquetWriter(self._partial, schema_of(record), compression="zstd", write_statistics=True)

    def write(self, row: Any) -> None:
        """Add one record; full row groups go to the file as soon as their last case is whole."""
        full = len(self._waiting) >= _ROWS or self._characters >= _CHARACTERS
        if full and not (hasattr(row, "case_id") and row.case_id == self._waiting[-1].case_id):
            self._flush()
        self._waiting.append(row)
        self._characters += sum(len(getattr(row, name) or "") for name in self._texts)

    def _flush(self) -> None:
        if self._waiting:
            self._file.write_table(to_arrow(self._waiting, self.record), row_group_size=len(self._waiting))
        self.rows += len(self._waiting)
        self._waiting, self._characters = [], 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if kind is None:
            self._flush()
        self._file.close()
        if kind is None:
            os.replace(self._partial, self.path)
        else:
            self._partial.unlink(missing_ok=True)


def group_sizes(part: Path) -> list[int]:
    """Uncompressed bytes of each row group of a part."""
    with reading(part):
        metadata = pq.read_metadata(part)
        return [metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups)]


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
