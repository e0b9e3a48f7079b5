"""CourtListener's tables joined cluster by cluster, without the memory that a join needs.

The tables are sorted each in its own way and can be far larger than memory. One pass deals the rows of a table into
Parquet shards by cluster; all that belongs to one cluster then lies in one shard, and each shard is joined on its own.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lawng.corpus.cap import NOT_A_CASE
from lawng.corpus.courtlistener import RawOpinion, choose_text, cluster_case, order_cites, read_cluster
from lawng.corpus.records import CASES, OPINIONS, Item, Unit, reject, reject_error
from lawng.io.limits import CASE_CHARACTERS, CASE_OPINIONS
from lawng.pipeline import Count
from lawng.schema import Reject

_SCHEMA = pa.schema([("key", pa.int64()), ("row", pa.large_string())])
_WAITING = 24_000_000
"""Characters of rows that wait in memory before they are written."""
_PIECE = 24_000_000
"""Characters of a shard that are read at a time; a larger shard is dealt once more."""
_SPREAD = 0x9E3779B97F4A7C15
"""An odd number of 64 bits (Fibonacci hashing), by which keys that are equal modulo the number of shards are parted."""
OPINION_TABLE, CLUSTER_TABLE, CITATION_TABLE, REJECT_TABLE = "opinions", "clusters", "citations", "rejects"
Dealt = tuple[str, int, Mapping[str, Any]]
"""A row for the join: its table, the key that it is joined by, and what it says."""
_Waiting = dict[tuple[str, int], list[tuple[int, str]]]
_TOO_LARGE = f"the case has more than {CASE_OPINIONS:,} opinions or {CASE_CHARACTERS:,} characters before this one"


def deal(rows: Iterable[Dealt | Item], folder: Path, shards: int, spread: int = 1) -> None:
    """Deal rows (as JSON) into the shards of their tables, in the order they come: the same rows give the same shards.

    Counts and rejects that stand among the rows come out of the join.
    """
    files: dict[tuple[str, int], pq.ParquetWriter] = {}
    with ExitStack() as opened:
        for waiting in _by_shard(rows, shards, spread):
            for (table, shard), found in waiting.items():
                if (table, shard) not in files:
                    path = _shard_path(folder, table, shard)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    file = pq.ParquetWriter(path, _SCHEMA, compression="zstd", use_dictionary=False)
                    files[table, shard] = opened.enter_context(file)
                keys, texts = zip(*found, strict=True)
                files[table, shard].write_table(pa.table([keys, texts], schema=_SCHEMA))


def _by_shard(rows: Iterable[Dealt | Item], shards: int, spread: int) -> Iterator[_Waiting]:
    waiting: _Waiting = defaultdict(list)
    size = 0
    for found in rows:
        table, key, row = found if isinstance(found, tuple) else (REJECT_TABLE, 0, asdict(found))
        text = json.dumps(row, ensure_ascii=False)
        waiting[table, (key * spread >> (32 if spread > 1 else 0)) % shards].append((key, text))
        size += len(text)
        if size > _WAITING:
            yield waiting
            waiting, size = defaultdict(list), 0
    yield waiting


def _shard_path(folder: Path, table: str, shard: int) -> Path:
    return folder / table / f"shard-{shard:04d}.parquet"


def read_shard(folder: Path, table: str, shard: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a shard in order, streaming; none when nothing was dealt into it."""
    path = _shard_path(folder, table, shard)
    if not path.is_file():
        return
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            rows = file.read_row_group(group)
            for key, row in zip(rows["key"], rows["row"], strict=True):
                yield key.as_py(), json.loads(row.as_py())


def pieces_of(folder: Path, tables: Sequence[str], shard: int) -> Iterator[tuple[Path, int]]:
    """A shard of some tables in pieces that fit memory, as folders and numbers of shards: itself where it is small."""
    paths = (_shard_path(folder, table, shard) for table in tables)
    size = sum(_size(path) for path in paths if path.is_file())
    if size <= _PIECE:
        yield folder, shard
        return
    apart, pieces = folder / f"apart-{shard:04d}", -(-size // _PIECE)
    rows = ((table, *found) for table in tables for found in read_shard(folder, table, shard))
    deal(rows, apart, pieces, _SPREAD)
    yield from ((apart, piece) for piece in range(pieces))
    shutil.rmtree(apart)


def _size(path: Path) -> int:
    """Uncompressed bytes. A damaged shard, our own, stops the import: a reject would lose its cases."""
    metadata = pq.read_metadata(path)
    return sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))


def shards_for(paths: Iterable[Path]) -> int:
    """How many shards to deal sources into, so that one fits a worker's memory: one per 32 MB packed, 4 to 512."""
    size = sum(path.stat().st_size for path in paths)
    return min(512, max(4, size // 32_000_000))


def opinion_row(row: dict[str, Any], cluster_id: int) -> dict[str, Any]:
    """Of an opinion's row only what is read later: one text of up to seven."""
    field, markup = choose_text(row)
    return {
        "id": row["id"],
        "type": str(row.get("type") or ""),
        "author_str": str(row.get("author_str") or ""),
        "field": field,
        "markup": markup,
        "cluster_id": cluster_id,
    }


def read_unit(unit: Unit) -> Iterator[Item]:
    """The clusters of one shard in the order of their ids, with their opinions and citations."""
    whole, number = Path(unit.source), int(unit.members[0])
    for folder, shard in pieces_of(whole, (CLUSTER_TABLE, CITATION_TABLE, OPINION_TABLE), number):
        yield from _read_piece(folder, shard)
    for _, row in read_shard(whole, REJECT_TABLE, number):
        yield Reject(**row) if "reason" in row else Count(**row)


def _read_piece(folder: Path, shard: int) -> Iterator[Item]:
    clusters: dict[int, dict[str, Any]] = {}
    for key, row in read_shard(folder, CLUSTER_TABLE, shard):
        if key in clusters:
            yield from reject(CASES, f"cl:{key}", "duplicate-case", "the cluster came before", row["source_path"])
        clusters.setdefault(key, row)
    cites: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for key, row in read_shard(folder, CITATION_TABLE, shard):
        cites[key].append(row)
    opinions: dict[int, list[dict[str, Any]]] = defaultdict(list)
    sizes: Counter[int] = Counter()
    for key, row in read_shard(folder, OPINION_TABLE, shard):
        sizes[key] += len(row["markup"])
        if len(opinions[key]) < CASE_OPINIONS and sizes[key] <= CASE_CHARACTERS:
            opinions[key].append(row)
        else:
            yield from reject(OPINIONS, f"cl:{key}/{row['id']}", "case-too-large", _TOO_LARGE, row.get("place"))
    for key in sorted({*clusters, *opinions}):
        # a cluster's texts are let go as soon as it is read
        rows = opinions.pop(key, [])
        if cluster := clusters.get(key) or _said_by(rows):
            yield from _read_cluster(cluster, rows, cites.get(key, []))
        else:
            yield from _without_cluster(key, rows)


def _without_cluster(key: Any, rows: list[dict[str, Any]]) -> Iterator[Item]:
    for row in rows:
        yield from reject(OPINIONS, f"cl:{key}/{row['id']}", "cluster-not-in-source", "", row.get("place"))


def _said_by(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """A cluster as its opinions tell of it, where the source has opinions alone; None for a table's opinions."""
    told: list[dict[str, Any]] = [row["about"] for row in rows if "about" in row]
    if not told:
        return None
    known = {key: value for about in reversed(told) for key, value in about.items() if value}
    return {"id": rows[0]["cluster_id"], "source_path": rows[0]["place"], **known}


def _read_cluster(cluster: dict[str, Any], rows: list[dict[str, Any]], cites: list[dict[str, Any]]) -> Iterator[Item]:
    try:
        listed = order_cites([*(cluster.get("citations") or []), *cites])
        case = cluster_case(cluster, listed, cluster.get("court_id") or "", cluster["source_path"])
    except NOT_A_CASE as error:
        yield from reject_error(CASES, f"cl:{cluster.get('id')}", error, "not-a-case", cluster.get("source_path"))
        yield from _without_cluster(cluster.get("id"), rows)
        return
    known: set[int] = set()
    kept = []
    for row in sorted(rows, key=lambda row: (str(row["type"]), int(row["id"]))):
        ident = f"{case.case_id}/{row['id']}"
        if int(row["id"]) in known:
            yield from reject(OPINIONS, ident, "duplicate-opinion", "", row.get("place"))
        else:
            kept.append(RawOpinion(ident, row["type"], row["author_str"], row["field"], row["markup"]))
        known |= {int(row["id"])} - {0}
    yield from read_cluster(case, kept, cluster.get("slug") or "")
