"""Records by key from a memory-mapped file, shared by all workers of a machine and not in anybody's heap."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow as pa

from lawng.io.parquet import read_table
from lawng.schema.arrow import from_arrow, schema_of

T = TypeVar("T")


@dataclass(frozen=True)
class Lookup(Mapping[str, T], Generic[T]):
    """The records of a table by a text column, as a read-only mapping; picklable: it travels as its path."""

    path: Path
    record: type[T]
    key: str

    def __getitem__(self, key: str) -> T:
        return self._find(key)

    def __iter__(self) -> Iterator[str]:
        return map(self._key_at, range(len(self)))

    def __len__(self) -> int:
        return len(self._keys)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.path, self.record, self.key))

    @cached_property
    def _find(self) -> Callable[[str], T]:
        # opinions cite the same few cases again and again; a small memory saves most of the building
        return lru_cache(4096)(self._read)

    def _read(self, key: str) -> T:
        at = bisect_left(range(len(self)), key, key=self._key_at) if isinstance(key, str) else len(self)
        if at == len(self) or self._key_at(at) != key:
            raise KeyError(key)
        return next(iter(from_arrow(self._table.slice(at, 1), self.record)))

    def _key_at(self, at: int) -> str:
        return str(self._keys[at])

    @cached_property
    def _table(self) -> pa.Table:
        return pa.ipc.open_file(pa.memory_map(str(self.path))).read_all()

    @cached_property
    def _keys(self) -> Any:
        column = self._table.column(self.key)
        return column.chunk(0) if column.num_chunks else column


def write_lookup(table: str | Path | pa.Table, record: type[T], key: str, path: Path) -> Lookup[T]:
    """Sort a table by a text column that has no value twice, for `Lookup`; the file appears whole."""
    kind: type = record
    rows = table if isinstance(table, pa.Table) else read_table(table, schema_of(kind).names)
    # code-point order, which is Python's: Arrow compares UTF-8 bytes, and the two agree
    rows = rows.sort_by(key).combine_chunks()
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    with pa.OSFile(str(partial), "wb") as sink, pa.ipc.new_file(sink, rows.schema) as writer:
        writer.write_table(rows)
    partial.replace(path)
    return Lookup(path, record, key)
