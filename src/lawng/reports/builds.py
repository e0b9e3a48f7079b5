"""What stands in a build and a corpus folder, read without holding it whole; every report reads it here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lawng.errors import InputError, StageError
from lawng.io import read_json
from lawng.io.parquet import reading


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a stage or of a corpus: a folder of Parquet parts."""

    folder: Path

    @property
    def parts(self) -> list[Path]:
        """Its part files in order, [] when the table does not exist; a single file is its own part."""
        return [self.folder] if self.folder.is_file() else sorted(self.folder.glob("part-*.parquet"))

    @property
    def n_rows(self) -> int:
        """Number of rows, from the parts' footers."""
        return sum(_rows(part) for part in self.parts)

    @property
    def schema(self) -> pa.Schema:
        """Its Arrow schema. Raises IndexError when it has no part."""
        return pq.read_schema(self.parts[0])

    def batches(self, columns: Sequence[str] | None = None, size: int = 1024) -> Iterator[pa.RecordBatch]:
        """Its rows in order, `size` at a time."""
        for part in self.parts:
            with reading(part), pq.ParquetFile(part) as file:
                yield from file.iter_batches(batch_size=size, columns=list(columns) if columns else None)

    def find(self, path: str, values: Iterable[str], columns: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """The rows whose field at a dotted path ("item.candidate.candidate_id") is one of `values`, as dictionaries.

        Of row groups without such a row only that field is read: finding a few rows among long texts is quick.
        """
        wanted = pa.array(list(values), pa.large_string())
        found: list[dict[str, Any]] = []
        for part in self.parts:
            with reading(part), pq.ParquetFile(part) as file:
                for group in range(file.num_row_groups):
                    hits = pc.is_in(_at(file.read_row_group(group, [path]), path), wanted)
                    if pc.any(hits).as_py():
                        found += file.read_row_group(group, columns and list(columns)).filter(hits).to_pylist()
        return found


def _rows(part: Path) -> int:
    with reading(part):
        return int(pq.read_metadata(part).num_rows)


def _at(table: pa.Table, path: str) -> pa.ChunkedArray:
    first, *inner = path.split(".")
    column = table[first]
    for name in inner:
        column = pc.struct_field(column, name)
    return column


def path_of(schema: pa.Schema, name: str) -> str | None:
    """Where a table has a field: on top, or inside the record that it was made from ("item.candidate.candidate_id")."""
    if name in schema.names:
        return name
    for column in schema:
        if pa.types.is_struct(column.type) and (inner := path_of(pa.schema(list(column.type)), name)):
            return f"{column.name}.{inner}"
    return None


@dataclass(frozen=True, slots=True)
class Build:
    """A build folder: its stages in order, their tables and tallies."""

    folder: Path

    @property
    def stages(self) -> list[str]:
        """Names of the complete stages, in the order in which they ran."""
        return sorted(path.parent.name for path in self.folder.glob("stages/*/_stage.json"))

    def table(self, name: str) -> Table:
        """A table by its name, whichever stage made it: "candidates"; one without parts when there is none."""
        return Table(next(self.folder.glob(f"stages/*/{name}"), self.folder / "stages" / name))

    def rejects(self, stage: str) -> Table:
        """What a stage dropped."""
        return Table(self.folder / "stages" / stage / "rejects")

    def split(self, name: str) -> Table:
        """The data file of a split: "train"."""
        return Table(self.folder / "data" / f"{name}.parquet")

    def counts(self, table: str, column: str) -> Counter[str]:
        """How often each value of a column of a table occurs, on top or inside the record that it was made from."""
        found: Counter[str] = Counter()
        parts = self.table(table)
        path = path_of(parts.schema, column) if parts.parts else None
        for part in parts.parts if path else ():
            with reading(part), pq.ParquetFile(part) as file:
                found.update(_at(file.read([path]), str(path)).to_pylist())
        return found

    def tables(self, stage: str) -> list[str]:
        """Names of a stage's tables, rejects left out."""
        folder = self.folder / "stages" / stage
        return sorted(p.name for p in folder.iterdir() if p.is_dir() and p.name != "rejects" and Table(p).parts)

    def tally(self, stage: str) -> dict[str, Any]:
        """What `_stage.json` of a stage says. Raises StageError when the stage is not complete."""
        path = self.folder / "stages" / stage / "_stage.json"
        if not path.is_file():
            raise StageError(f"stage {stage} of {self.folder} is not complete; run `lawng build` again to finish it")
        return read_json(path)

    def manifest(self) -> dict[str, Any]:
        """The build's manifest, {} before it is written."""
        path = self.folder / "manifest.json"
        return read_json(path) if path.is_file() else {}


def open_build(folder: Path) -> Build:
    """The build in a folder. Raises InputError when there is none, StageError when it is not finished."""
    if not folder.is_dir():
        raise InputError(
            f"no build at {folder}: there is no such folder; make one with `lawng build CORPUS -o {folder}`"
        )
    if not (folder / "stages").is_dir():
        raise InputError(f"{folder} is not a build: it has no folder `stages`; make one with `lawng build`")
    if not (folder / "data").is_dir():
        raise StageError(f"the build in {folder} is not finished: it has no folder `data`; run `lawng build` again")
    return Build(folder)


def corpus_table(corpus: Path, name: str) -> Table:
    """A table (`cases` or `opinions`) of a corpus. Raises InputError when it is not there."""
    table = Table(corpus / name)
    if not table.parts:
        raise InputError(f"no corpus at {corpus}: there are no {name}; make one with `lawng corpus import`")
    return table


def case_names(corpus: Path, wanted: Collection[str]) -> dict[str, str]:
    """The names of cases by id; nothing is read where none is wanted: an empty corpus has no table of cases."""
    names: dict[str, str] = {}
    for batch in corpus_table(corpus, "cases").batches(["case_id", "name"]) if wanted else ():
        pairs = zip(batch["case_id"].to_pylist(), batch["name"].to_pylist(), strict=True)
        names.update((case, name) for case, name in pairs if case in wanted)
    return names


class _Place(NamedTuple):
    part: Path
    row_group: int


class Opinions:
    """The texts of a corpus's opinions by id. Raises InputError at construction when there is no corpus."""

    def __init__(self, corpus: Path) -> None:
        self._places: dict[str, _Place] = {}
        for part in corpus_table(corpus, "opinions").parts:
            with pq.ParquetFile(part) as file:
                for group in range(file.num_row_groups):
                    ids = file.read_row_group(group, ["opinion_id"])["opinion_id"].to_pylist()
                    self._places.update(dict.fromkeys(ids, _Place(part, group)))
        self._texts = lru_cache(maxsize=16)(_texts)

    def text(self, opinion_id: str) -> str | None:
        """The text of an opinion, None when the corpus has no such opinion."""
        place = self._places.get(opinion_id)
        return self._texts(place)[opinion_id] if place else None


def _texts(place: _Place) -> dict[str, str]:
    with pq.ParquetFile(place.part) as file:
        rows = file.read_row_group(place.row_group, ["opinion_id", "text"])
    return dict(zip(rows["opinion_id"].to_pylist(), rows["text"].to_pylist(), strict=True))
