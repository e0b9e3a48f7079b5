"""A join that does not need memory: rows are dealt into shards by a number, then each shard is joined on its own.

CourtListener's tables are sorted each in its own way and can be far larger than memory. One pass deals the rows of a
table into Parquet shards by cluster; all that belongs to one cluster then lies in one shard.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

_SCHEMA = pa.schema([("key", pa.int64()), ("row", pa.large_string())])
_WAITING_PER_SHARD = 1_000_000
"""Characters that wait in memory for one shard before they are written."""
_WAITING = 24_000_000
"""Characters that wait for all shards together."""
_PIECE = 24_000_000
"""Characters of a shard that are read at a time; a larger shard is dealt once more."""
_SPREAD = 0x9E3779B97F4A7C15
"""An odd number of 64 bits (Fibonacci hashing), by which keys that are equal modulo the number of shards are parted."""

Row = Mapping[str, Any]


class ShardWriter:
    """Deals rows (as JSON) into the shards of one table, in the order they come.

    The same rows give the same shards. Used as a context manager.
    """

    def __init__(self, folder: Path, table: str, shards: int, spread: int = 1) -> None:
        self._spread = spread
        self._paths = [shard_path(folder, table, number) for number in range(shards)]
        self._files: dict[int, Any] = {}
        self._waiting: list[list[tuple[int, str]]] = [[] for _ in range(shards)]
        self._sizes = [0] * shards
        self._all = 0

    def write(self, key: int, row: Row) -> None:
        """Put a row where its key belongs."""
        shard = (key * self._spread >> (32 if self._spread > 1 else 0)) % len(self._paths)
        text = json.dumps(row, ensure_ascii=False)
        self._waiting[shard].append((key, text))
        self._sizes[shard] += len(text)
        self._all += len(text)
        if self._sizes[shard] > _WAITING_PER_SHARD:
            self._flush(shard)
        elif self._all > _WAITING:  # all at once, so that no shard gets many small row groups
            self._flush_all()

    def _flush_all(self) -> None:
        for shard, waiting in enumerate(self._waiting):
            if waiting:
                self._flush(shard)

    def _flush(self, shard: int) -> None:
        if shard not in self._files:
            self._paths[shard].parent.mkdir(parents=True, exist_ok=True)
            self._files[shard] = pq.ParquetWriter(self._paths[shard], _SCHEMA, compression="zstd", use_dictionary=False)
        keys, rows = zip(*self._waiting[shard], strict=True)
        self._files[shard].write_table(pa.table([keys, rows], schema=_SCHEMA))
        self._all -= self._sizes[shard]
        self._waiting[shard], self._sizes[shard] = [], 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if kind is None:
            self._flush_all()
        for file in self._files.values():
            file.close()


def shard_path(folder: Path, table: str, shard: int) -> Path:
    """Where a shard of a table lies."""
    return folder / table / f"shard-{shard:04d}.parquet"


def read_shard(folder: Path, table: str, shard: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a shard in order, streaming; none when nothing was dealt into it."""
    path = shard_path(folder, table, shard)
    if not path.is_file():
        return
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            rows = file.read_row_group(group)
            for key, row in zip(rows["key"], rows["row"], strict=True):
                yield key.as_py(), json.loads(row.as_py())


def pieces_of(folder: Path, tables: Sequence[str], shard: int) -> Iterator[tuple[Path, int]]:
    """A shard of some tables in pieces that fit memory, as folders and numbers of shards: itself where it is small."""
    size = sum(_size(shard_path(folder, table, shard)) for table in tables)
    if size <= _PIECE:
        yield folder, shard
        return
    apart, pieces = folder / f"apart-{shard:04d}", -(-size // _PIECE)
    for table in tables:
        with ShardWriter(apart, table, pieces, _SPREAD) as out:
            for key, row in read_shard(folder, table, shard):
                out.write(key, row)
    yield from ((apart, piece) for piece in range(pieces))
    shutil.rmtree(apart)


def _size(path: Path) -> int:
    if not path.is_file():
        return 0
    metadata = pq.read_metadata(path)
    return sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))


def shards_for(paths: Iterable[Path]) -> int:
    """How many shards to deal sources into, so that one fits a worker's memory: one per 32 MB packed, 4 to 512."""
    size = sum(path.stat().st_size for path in paths)
    return min(512, max(4, size // 32_000_000))
