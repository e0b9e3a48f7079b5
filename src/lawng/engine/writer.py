"""Writing one table part: streaming, in bounded memory, aside and then renamed, same rows same bytes."""

from __future__ import annotations

import hashlib
import os
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow.parquet as pq

from lawng.tables import schema_of, to_arrow

_ROWS = 5_000
_CHARACTERS = 4_000_000
"""A row group ends after so many rows or characters of text, but never within a case, whose opinions are read
together: it depends on the rows alone, as the bytes must."""


class TableWriter:
    """Writes records of one class to a Parquet file that appears, whole, when the writer closes.

    As a context manager it removes the unfinished file when the block raises.
    """

    def __init__(self, path: str | Path, record: type) -> None:
        self.path = Path(path)
        self.record = record
        self.rows = 0
        self._texts = [f.name for f in fields(record) if f.type in ("str", "str | None", str)]
        self._waiting: list[Any] = []
        self._characters = 0
        self._aside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = pq.ParquetWriter(self._aside, schema_of(record), compression="zstd", write_statistics=True)

    def write(self, row: Any) -> None:
        """Add one record; full row groups go to the file as soon as their last case is whole."""
        full = len(self._waiting) >= _ROWS or self._characters >= _CHARACTERS
        if full and not (hasattr(row, "case_id") and row.case_id == self._waiting[-1].case_id):
            self._flush()
        self._waiting.append(row)
        self._characters += sum(len(getattr(row, name) or "") for name in self._texts)

    def close(self) -> None:
        """Finish the file and make it visible."""
        self._flush()
        self._file.close()
        os.replace(self._aside, self.path)

    def discard(self) -> None:
        """Leave nothing behind."""
        self._file.close()
        self._aside.unlink(missing_ok=True)

    def _flush(self) -> None:
        if self._waiting:
            self._file.write_table(to_arrow(self._waiting, self.record), row_group_size=len(self._waiting))
        self.rows += len(self._waiting)
        self._waiting, self._characters = [], 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
