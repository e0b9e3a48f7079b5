"""CourtListener's API as files: opinions and clusters of version 3 or 4, as JSON however it is written, or tars of it.

The objects of all files are dealt into shards by cluster and joined there. A cluster that has no object of its own is
made of what its opinions say: their keys, and the caption above their text.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawng.corpus.courtlistener_objects import cluster_of, kind_of, opinion_of, opinions_in
from lawng.corpus.courtlistener_tables import CLUSTER_TABLE, OPINION_TABLE, REJECT_TABLE, read_tables
from lawng.corpus.packed import READING, open_packed, tar_documents
from lawng.corpus.shards import ShardWriter, shards_for
from lawng.corpus.units import CASES, FILES, OPINIONS, Item, Unit, broken_off
from lawng.corpus.values import Found, values_of
from lawng.engine import Seen
from lawng.limits import OverLimitError

FORMAT = "courtlistener-api"
_CLUSTERS, _OPINIONS = "clusters.tar", "opinions.tar"
_ENDINGS = (".json", ".jsonl", ".ndjson")
_OBJECTS = "objects"


def tars_of(source: Path) -> list[Path]:
    """The tars of clusters and opinions in a folder, which were the bulk data of the API's first years."""
    return [source / name for name in (_CLUSTERS, _OPINIONS) if (source / name).is_file()]


def units_of(source: Path, files: Sequence[Path], scratch: Path) -> list[Unit]:
    """Deal the objects of files into shards below the scratch folder and give one unit per shard."""
    shards = shards_for(files)
    with ExitStack() as stack:
        tables = {
            table: stack.enter_context(ShardWriter(scratch, table, shards))
            for table in (CLUSTER_TABLE, OPINION_TABLE, REJECT_TABLE)
        }
        dealer = _Dealer(tables)
        for path in files:
            dealer.file(path, path.relative_to(source).as_posix() if source.is_dir() else path.name)
    return [Unit(FORMAT, str(scratch), (str(shard),)) for shard in range(shards)]


def read_unit(unit: Unit) -> Iterator[Item]:
    """The cases of one shard."""
    yield from read_tables(unit)


def is_tar(path: Path) -> bool:
    """Whether a file, packed or not, is a tar."""
    try:
        with open_packed(path) as file:
            return file.read(265)[257:262] == b"ustar"
    except (*READING, OverLimitError):
        return False


@dataclass(frozen=True)
class _Dealer:
    """Deals the objects of files into the tables of a join."""

    tables: dict[str, ShardWriter]

    def file(self, path: Path, name: str) -> None:
        """All objects of a file; one that breaks off gives those before the break and a reject."""
        try:
            if is_tar(path):
                self._tar(path)
            else:
                with open_packed(path) as file:
                    self._values(values_of(file), name, None)
        except (*READING, OverLimitError) as error:
            reject = broken_off(name, error)
            self._drop(FILES, reject.id, reject.reason, reject.detail)

    def _tar(self, path: Path) -> None:
        kind = CASES if path.name.startswith("cluster") else OPINIONS
        for name, data in tar_documents(path, lambda name: name.endswith(_ENDINGS)):
            if isinstance(data, Exception):
                self._reject(kind, name, data)
            else:
                self._values(values_of(io.BufferedReader(io.BytesIO(data))), name, kind)

    def _values(self, values: Iterator[Found], name: str, kind: str | None) -> None:
        """Deal values; a tar's name says what its members are, where they do not say so themselves."""
        for n, found in enumerate(values):
            where = name if n == 0 and found.place == "1" else f"{name}:{found.place}"
            for note in found.notes:
                if isinstance(note, Seen):
                    self.tables[REJECT_TABLE].write(0, {"note": note.what})
            if isinstance(found.value, Exception):
                self._reject(kind or OPINIONS, where, found.value)
            else:
                self._object(found.value, where, kind)

    def _object(self, row: Any, where: str, kind: str | None) -> None:
        kind = kind_of(row) or kind if isinstance(row, dict) else None
        try:
            if kind == OPINIONS:
                self.tables[OPINION_TABLE].write(*opinion_of(row, where))
            elif kind == CASES:
                self.tables[CLUSTER_TABLE].write(*cluster_of(row, where))
                for opinion in opinions_in(row):
                    self._object(opinion, where, OPINIONS)
            else:
                keys = ", ".join(map(str, row)) if isinstance(row, dict) else type(row).__name__
                reason = "neither-opinion-nor-cluster"
                self._drop(_OBJECTS, where, reason, f"its keys: {keys}")
        except OverLimitError as error:
            self._reject(kind or _OBJECTS, where, error)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            reason = "not-a-case" if kind == CASES else "not-an-opinion"
            self._drop(kind or _OBJECTS, where, reason, str(error.args[0] if error.args else error))

    def _reject(self, kind: str, where: str, error: Exception) -> None:
        if isinstance(error, OverLimitError):
            self._drop(kind, where, error.reason, str(error))
        else:
            reason = "file-unreadable" if isinstance(error, READING) else "file-not-json"
            self._drop(kind, where, reason, str(error))

    def _drop(self, kind: str, where: str, reason: str, detail: str) -> None:
        self.tables[REJECT_TABLE].write(0, {"kind": kind, "id": where, "reason": reason, "detail": detail})
