"""CourtListener's bulk data: bz2 CSV tables of opinions, clusters, dockets and citations.

The dialect is that of the exports: every field quoted, backslash as the escape, line breaks inside fields.
"""

from __future__ import annotations

import bz2
import csv
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawng.corpus.courtlistener_tables import (
    CITATION_TABLE,
    CLUSTER_TABLE,
    OPINION_TABLE,
    REJECT_TABLE,
    opinion_row,
    read_tables,
)
from lawng.corpus.shards import ShardWriter, read_shard, shards_for
from lawng.corpus.units import CASES, FILES, OPINIONS, Item, Unit
from lawng.errors import InputError

FORMAT = "courtlistener-csv"
_TABLES = {
    "opinions": re.compile(r"^opinions(?!-cited)[-.\w]*\.csv(\.bz2)?$"),
    "clusters": re.compile(r"^opinion-clusters[-.\w]*\.csv(\.bz2)?$"),
    "dockets": re.compile(r"^dockets[-.\w]*\.csv(\.bz2)?$"),
    "citations": re.compile(r"^citations[-.\w]*\.csv(\.bz2)?$"),
}
_CLUSTER_FIELDS = ("id", "case_name", "case_name_short", "case_name_full", "date_filed", "docket_id")
_BY_DOCKET = "clusters-by-docket"
_DONE = "_done.json"


def tables_in(source: Path) -> dict[str, Path]:
    """The table files in a folder, the newest by name of each."""
    names = sorted(path for path in source.iterdir() if path.is_file()) if source.is_dir() else []
    return {table: path for table, form in _TABLES.items() for path in names if form.match(path.name)}


def units_of(source: Path, scratch: Path) -> list[Unit]:
    """Deal the tables into shards below the scratch folder, once, and give one unit per shard.

    Raises InputError when the tables of opinions or clusters are not there.
    """
    tables = tables_in(source)
    for needed in ("opinions", "clusters"):
        if needed not in tables:
            raise InputError(f"{source}: no table of {needed} here (such as {needed}-2024-12-31.csv.bz2); fetch it too")
    stamp = [[path.name, path.stat().st_size, path.stat().st_mtime_ns] for path in sorted(tables.values())]
    shards = shards_for(tables.values())
    if not _is_dealt(scratch, stamp):
        with ShardWriter(scratch, REJECT_TABLE, shards) as rejects:
            _Dealer(scratch, shards, rejects).all(tables)
        (scratch / _DONE).write_text(json.dumps(stamp))
    return [Unit(FORMAT, str(scratch), (str(shard),)) for shard in range(shards)]


def read_unit(unit: Unit) -> Iterator[Item]:
    """The cases of one shard."""
    yield from read_tables(unit)


def _is_dealt(scratch: Path, stamp: list[list[Any]]) -> bool:
    done = scratch / _DONE
    return done.is_file() and json.loads(done.read_text()) == stamp


@dataclass(frozen=True)
class _Dealer:
    """Deals the tables of one source into shards."""

    scratch: Path
    shards: int
    rejects: ShardWriter

    def all(self, tables: dict[str, Path]) -> None:
        self.opinions(tables["opinions"])
        self.clusters_by_docket(tables["clusters"])
        if "dockets" in tables:
            self.simple(tables["dockets"], "dockets", "id", ("court_id", "docket_number"))
        self.clusters()
        if "citations" in tables:
            self.simple(tables["citations"], CITATION_TABLE, "cluster_id", ("volume", "reporter", "page", "type"))

    def opinions(self, path: Path) -> None:
        with self._writer(OPINION_TABLE) as out:
            for number, row in _rows(path, self.rejects):
                cluster = _number(row.get("cluster_id"))
                if cluster is None or _number(row.get("id")) is None:
                    _drop(self.rejects, OPINIONS, f"{path.name}:{number}", "row-without-id")
                else:
                    out.write(cluster, opinion_row(row, cluster))

    def clusters_by_docket(self, path: Path) -> None:
        """Clusters get their court from the dockets: dealt by docket first, then joined and dealt by cluster."""
        with self._writer(_BY_DOCKET) as out:
            for number, row in _rows(path, self.rejects):
                where = f"{path.name}:{number}"
                if _number(row.get("id")) is None:
                    _drop(self.rejects, CASES, where, "row-without-id")
                else:
                    kept = {name: row.get(name) for name in _CLUSTER_FIELDS} | {"source_path": where}
                    out.write(_number(row.get("docket_id")) or 0, kept)

    def clusters(self) -> None:
        with self._writer(CLUSTER_TABLE) as out:
            for shard in range(self.shards):
                dockets = dict(read_shard(self.scratch, "dockets", shard))
                for docket, cluster in read_shard(self.scratch, _BY_DOCKET, shard):
                    out.write(int(cluster["id"]), cluster | dockets.get(docket, {}))

    def simple(self, path: Path, table: str, key: str, fields: tuple[str, ...]) -> None:
        with self._writer(table) as out:
            for _, row in _rows(path, self.rejects):
                if (number := _number(row.get(key))) is not None:
                    out.write(number, {name: row.get(name) for name in fields})

    def _writer(self, table: str) -> ShardWriter:
        return ShardWriter(self.scratch, table, self.shards)


def _rows(path: Path, rejects: ShardWriter) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a table, numbered from 1, streaming; a file that breaks off gives what stands before."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    opened = bz2.open if path.suffix == ".bz2" else open
    number = 0
    with opened(path, "rt", encoding="utf-8", errors="replace", newline="") as file:
        lines = (line.replace("\0", "") for line in file)
        rows = csv.DictReader(lines, quotechar='"', escapechar="\\", doublequote=False)
        try:
            for number, row in enumerate(rows, start=1):
                yield number, row
        except (EOFError, OSError, csv.Error) as error:
            _drop(rejects, FILES, path.name, "file-breaks-off", f"after row {number}: {error}; fetch it again")


def _drop(rejects: ShardWriter, kind: str, where: str, reason: str, detail: str = "") -> None:
    rejects.write(0, {"kind": kind, "id": where, "reason": reason, "detail": detail})


def _number(raw: str | None) -> int | None:
    return int(raw) if raw and raw.isascii() and raw.isdigit() else None
