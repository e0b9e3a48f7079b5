"""Where things are in a build and a corpus folder, and how to read them without holding them whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lawng.engine import aside_file
from lawng.engine.store import reading
from lawng.errors import InputError, StageError

CANDIDATES, NEUTRAL, EXAMPLES, PREMISES = "20-candidates", "60-neutral", "70-balance", "80-premises"
"""The stages whose tables the reports know by name; the others are read as they come."""


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


@dataclass(frozen=True, slots=True)
class Build:
    """A build folder: its stages in order, their tables and tallies."""

    folder: Path

    @property
    def stages(self) -> list[str]:
        """Names of the complete stages, in the order in which they ran."""
        return sorted(path.parent.name for path in self.folder.glob("stages/*/_stage.json"))

    def table(self, stage: str, name: str) -> Table:
        """One table of a stage."""
        return Table(self.folder / "stages" / stage / name)

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


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file. Raises InputError when it is none."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}") from error
    if not isinstance(content, dict):
        raise InputError(f"cannot read {path}: a JSON object was expected")
    return content


def write_text(path: Path, text: str) -> None:
    """A text file, written aside and renamed, so that no reader sees half of it."""
    with aside_file(path) as file:
        file.write(text)
