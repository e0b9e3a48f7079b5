"""An index as LanceDB keeps it: connecting, commits, indices, and the lock against a second writer.

A *commit* names the version of every table. Readers open the tables at the versions of the last complete commit;
writers go on from the last one of any kind. What a killed writer left behind it is in no commit: nobody sees it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa

from lawng.errors import InputError, MissingError, StageError
from lawng.index.lance import fixed, lancedb
from lawng.index.tables import TABLES, VECTOR, TableSpec
from lawng.io.atomic_io import alone
from lawng.schema.arrow import from_arrow, schema_of, to_arrow

Tables = dict[str, Any]
"""LanceDB's tables by name."""
FORM = 3
"""Counts up when the tables change so that older indices cannot be read."""
_COMMITS = "commits"
_CODE_PLACE = re.compile(r",?\s?(?:/|rust/|[A-Z]:\\)[^\s,]*\.rs(?::\d+){0,2}")
_LIBRARY = re.compile(r"\b(?:lance error|LanceError\(\w+\)|(?:Generic \w+|External|Execution|internal) error): ?")
_FOREVER = timedelta(days=36500)
_MARGIN = timedelta(seconds=60)
"""LanceDB drops versions by age at the moment that it comes to it: so late it may be, and keep what is to be kept."""

_IVF_FROM = 10_000
"""Vectors from which an index of them pays; fewer are compared one by one."""
_PER_PARTITION, _FEWEST_PARTITIONS, _MOST_PARTITIONS = 2048, 16, 256
_MOST_ADDITIONS = 8
"""Additions after which the index of vectors is made anew."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A state of the index that can be gone back to."""

    number: int
    complete: bool
    """Whether readers may see it: everything that came is linked and indexed."""
    time: str
    """ISO, UTC."""
    versions: str
    """Version by table, as JSON."""
    corpus: str
    """Fingerprint of the corpus that was being read."""
    corpus_name: str
    encoder: str
    encoder_source: str
    """Name or folder that the encoder is loaded from."""
    encoder_state: str
    width: int
    target: int
    """Tokens that passages were filled up to."""
    form: int
    lawng: str
    created: str
    n_cases: int = 0
    n_opinions: int = 0
    n_passages: int = 0
    n_descriptions: int = 0
    n_shortened: int = 0
    """Passages and descriptions of which the encoder read only the beginning."""
    n_undescribed: int = 0
    """Explanatory parentheticals on a citation of which nobody can tell the case."""

    @property
    def version_of(self) -> dict[str, int]:
        """Version by table."""
        found: dict[str, int] = json.loads(self.versions)
        return found


@contextmanager
def reading(place: str) -> Iterator[None]:
    """Turn what LanceDB says of a damaged or vanished index into an InputError, with the table where it can be told."""
    try:
        yield
    except (RuntimeError, OSError, ValueError) as error:
        where = "".join(f"table {name}: " for name in _damaged(place)[:1])
        advice = f"open it again, or delete it and run lawng index CORPUS -o {place}"
        raise InputError(f"{place}: the index cannot be read ({where}{_plain(error)}); {advice}") from error


@contextmanager
def writing(place: str) -> Iterator[None]:
    """Turn what LanceDB says of a full disk or a damaged index into a StageError; other errors go on."""
    try:
        yield
    except (RuntimeError, OSError, ValueError) as error:
        full = "No space left" in str(error)
        if not full and "lance" not in str(error).lower():
            raise
        advice = "make room and run the same command again, which goes on" if full else "delete it and make it anew"
        raise StageError(f"{place}: the index cannot be written ({_plain(error)}); {advice}") from error


def _plain(error: Exception) -> str:
    """What an error of LanceDB says, without the names of its libraries and the places in their code."""
    said = _CODE_PLACE.sub("", " ".join(str(error).split()))
    return _LIBRARY.sub("", said).strip(" ,.:")[:200]


def _damaged(place: str) -> list[str]:
    """The tables of an index that cannot even be opened, or have no readable first row."""
    import lancedb

    bad = []
    for name in (_COMMITS, *(spec.name for spec in TABLES)):
        try:
            lancedb.connect(place).open_table(name).head(1)  # type: ignore[attr-defined]
        except (RuntimeError, OSError, ValueError):
            bad.append(name)
    return bad


class Store:
    """The tables of an index, at a place that LanceDB knows: a folder, or s3://, gs://, az://."""

    def __init__(self, place: str | Path) -> None:
        self.place = str(place)
        self.local = None if "://" in self.place else Path(self.place)
        self.connection = lancedb().connect(self.place)

    @classmethod
    def existing(cls, place: str | Path) -> Store:
        """The store of an index that is there.

        Raises MissingError when there is none, InputError when something else is there.
        """
        if "://" not in str(place) and not Path(place).is_dir():
            raise MissingError(f"{place}: no index here; make one with lawng index CORPUS -o {place}")
        with reading(str(place)):
            store = cls(place)
            is_index = store.has(_COMMITS)
        if not is_index:
            raise InputError(f"{place}: not an index (no table of commits); make one with lawng index")
        return store

    def has(self, name: str) -> bool:
        """Whether a table is there."""
        return name in self.connection.list_tables(limit=1000).tables

    def commits(self) -> list[Commit]:
        """All commits, ascending by number.

        Raises InputError when they are of another form than this version of lawng reads.
        """
        rows: pa.Table = self.connection.open_table(_COMMITS).to_arrow()
        if not set(schema_of(Commit).names) <= set(rows.column_names):
            raise InputError(f"{self.place}: the index is of another version of lawng; make it again with lawng index")
        found = sorted(from_arrow(rows, Commit), key=lambda commit: commit.number)
        if any(commit.form != FORM for commit in found):
            forms = ", ".join(sorted({str(c.form) for c in found}))
            raise InputError(f"{self.place}: the index has form {forms}, this lawng reads {FORM}; make it again")
        return found

    def complete(self) -> Commit:
        """The last complete commit.

        Raises StageError when there is none: the index is not finished.
        """
        with reading(self.place):
            complete = [commit for commit in self.commits() if commit.complete]
        if not complete:
            raise StageError(f"{self.place}: the index is not finished yet; run the lawng index that makes it again")
        return complete[-1]

    def append(self, commit: Commit) -> None:
        """Write a commit behind the last one.

        Raises StageError when another writer has written one meanwhile.
        """
        last = max((c.number for c in self.commits()), default=0)
        if last != commit.number - 1:
            raise StageError(f"{self.place}: another process is writing this index; wait for it, and run this again")
        self.connection.open_table(_COMMITS).add(to_arrow([commit], Commit))

    def create(self, width: int) -> None:
        """Make the empty tables, in place of what a run left that was killed before its first commit."""
        there = set(self.connection.list_tables(limit=1000).tables)
        if _COMMITS not in there:
            self.connection.create_table(_COMMITS, schema=schema_of(Commit))
        for spec in TABLES:
            if spec.name in there:
                self.connection.drop_table(spec.name)
            self.connection.create_table(spec.name, schema=spec.schema(width))

    def at(self, versions: Mapping[str, int]) -> dict[str, Any]:
        """The tables as a commit has them, to read."""
        tables = {name: self.connection.open_table(name) for name in versions}
        for name, version in versions.items():
            tables[name].checkout(version)
        return {name: fixed(table) for name, table in tables.items()}

    def back_to(self, versions: Mapping[str, int]) -> dict[str, Any]:
        """The tables to write on from a commit; what came after it is undone."""
        tables = {name: self.connection.open_table(name) for name in versions}
        for name, version in versions.items():
            if tables[name].version != version:
                tables[name].checkout(version)
                tables[name].restore()
        return tables

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the index against other writers.

        A folder is locked; object storage has no locks, there `append` refuses when another commit came between.
        Raises StageError when another process holds it.
        """
        with alone(self.local, self.local) if self.local else nullcontext():
            yield


def compact(table: Any, keep_from: int | None) -> None:
    """Join small files and bring the indices up to date; versions before `keep_from` go, all stay with None."""
    age = _FOREVER
    if keep_from is not None:
        times = [v["timestamp"] for v in table.list_versions() if v["version"] >= keep_from]
        age = datetime.now() - min(times, default=datetime.now()) + _MARGIN
    table.optimize(cleanup_older_than=age)


def refresh(table: Any, spec: TableSpec) -> None:
    """Make the indices that are missing, and bring the others up to date."""
    n_rows = table.count_rows()
    if not n_rows:
        return
    there = {column for index in table.list_indices() for column in index.columns}
    for column, config in _indices(spec, n_rows):
        stats = table.index_stats(f"{VECTOR}_idx") if column == VECTOR else None
        if column not in there or (stats and (stats.num_indices or 0) > _MOST_ADDITIONS):
            table.create_index(column, config=config, replace=True)
    compact(table, None)


def _indices(spec: TableSpec, n_rows: int) -> Iterable[tuple[str, Any]]:
    from lancedb.index import Bitmap, BTree, IvfFlat, LabelList

    yield from ((column, BTree()) for column in spec.btree)
    yield from ((column, Bitmap()) for column in spec.bitmap)
    yield from ((column, LabelList()) for column in spec.labels)
    if spec.words:
        yield spec.words, full_text(spec)
    if spec.vectors and n_rows >= _IVF_FROM:
        # exact: all partitions are read in a search, they only part the work
        n_partitions = min(_MOST_PARTITIONS, max(_FEWEST_PARTITIONS, n_rows // _PER_PARTITION))
        yield VECTOR, IvfFlat(distance_type="dot", num_partitions=n_partitions)


def full_text(spec: TableSpec) -> Any:
    """The index of a table's column of full text."""
    from lancedb.index import FTS

    return FTS(with_position=spec.phrases, stem=True, remove_stop_words=False)
