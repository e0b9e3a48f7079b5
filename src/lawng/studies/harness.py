"""The harness of the studies: systems answer data, each answer is a stored file, and files are what is scored.

    study_folder(folder)                                       a context: the folder of a study, alone
    Harness(folder, store, code).run(systems, data) -> Results every system on every data: the cells
    Harness(folder, store, code).cell(file, depends, answer)   one of them
    cell.rows()                                                read again: scoring asks no model
    publish(cells, folder)                                     the files where a reader finds them

A *cell* is what one system answers to one data: a TREC run, or a Parquet file of predictions. It is made anew when what
it depends on has changed - the data, the options, the state of the model, the code - and read back where it has not, so
that a killed study goes on. How a study is written is told in docs/how-to/add-a-study.md.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar
from urllib.parse import quote, unquote

from lawng import __version__
from lawng.errors import ConfigError, LawngError, MissingError
from lawng.evaluation.runs import read_run, write_run
from lawng.extras import library_version
from lawng.io import check_place, write_json
from lawng.io.atomic_io import alone as held
from lawng.io.progress import Progress, progress_bar
from lawng.models.openai.client import RefusedError
from lawng.pipeline.closure import code_digest
from lawng.pipeline.stage import digest
from lawng.schema import ScoredDoc
from lawng.schema.arrow import from_arrow, to_arrow

D = TypeVar("D", bound="Data")
R = TypeVar("R")
D_contra = TypeVar("D_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)

Depends = Mapping[str, Any]
"""Plain JSON values that an answer depends on: options, digests of data, states of models; no paths, no times."""
Notes = Mapping[str, Sequence[str]]
"""What whoever reads the numbers should know, by whom it is about; a later note about the same takes its place."""
Say = Callable[[str], None]
"""Called with a line for whoever waits."""


CACHE, MANIFEST = "cache", "manifest.json"
CELLS = "cells"
"""In the cache: what the systems answered."""


def unsaid(_line: str) -> None:
    """A line that nobody hears."""


class Data(Protocol):
    """What systems are asked."""

    @property
    def name(self) -> str:
        """As files have it."""

    @property
    def depends(self) -> Depends:
        """Digests of all that a system is given of it."""


class Answerer(Protocol[D_contra, R_co]):
    """A system whose model is at hand. What is slow is done at the first answer, not before: it may not be needed."""

    @property
    def depends(self) -> Depends | None:
        """What the answers depend on besides the data and the code; None says nothing, and nothing is read back."""

    def answer(self, data: D_contra, progress: Progress, /) -> Iterable[R_co]:
        """The rows of a run, or the predictions."""

    def notes(self) -> Notes:
        """What is to be said after the last answer."""


@dataclass
class Answers(Generic[D, R]):
    """An answerer that is made of functions."""

    answer: Callable[[D, Progress], Iterable[R]]
    depends: Depends | None
    notes: Callable[[], Notes] = dict


class SystemLabel(NamedTuple):
    """What a system is called."""

    name: str
    """Without blanks: of its files, and what `--only` takes."""
    shown: str = ""
    """As messages have it, in one line."""
    system: str = ""
    """As tables show it."""
    other: str = ""
    """What tables show beside it: what re-ranks it, or what it reads."""
    paper: tuple[str, str] | None = None
    """The row of the paper's tables that it makes again, None where there is none."""


@dataclass(frozen=True)
class System(Generic[D, R]):
    """A system before its model is loaded."""

    label: SystemLabel
    load: Callable[[], Answerer[D, R]]
    """Raises MissingError when its model cannot be had; what else makes a hole, `Harness.run` says."""


class Store(Protocol[R]):
    """How the rows of a cell lie in a file."""

    ending: str

    def write(self, path: Path, rows: Iterable[R], tag: str) -> None:
        """Write them; the file appears whole. `tag` is the system's name."""

    def read(self, path: Path) -> list[R]:
        """Read them."""


class TrecStore:
    """TREC runs; with `quoted` the ids, which may have blanks, are percent-encoded."""

    def __init__(self, ending: str = ".run", quoted: bool = False) -> None:
        self.ending = ending
        self._quoted = quoted

    def write(self, path: Path, rows: Iterable[ScoredDoc], tag: str) -> None:
        """Scores as rounded by `write_run`."""
        if self._quoted:
            rows = (ScoredDoc(quoted(row.query_id), quoted(row.doc_id), row.score) for row in rows)
        write_run(path, rows, tag)

    def read(self, path: Path) -> list[ScoredDoc]:
        """The ids as they were."""
        rows = read_run(path)
        if self._quoted:
            rows = [ScoredDoc(unquote(row.query_id), unquote(row.doc_id), row.score) for row in rows]
        return rows


class ParquetStore(Generic[R]):
    """Predictions: a Parquet file of one record class."""

    ending = ".parquet"

    def __init__(self, record: type[R]) -> None:
        self._record = record

    def write(self, path: Path, rows: Iterable[R], tag: str) -> None:
        """A row for each record."""
        import pyarrow.parquet as pq

        partial = path.with_name(f".{path.name}.{os.getpid()}")
        pq.write_table(to_arrow(list(rows), self._record), partial)
        partial.replace(path)

    def read(self, path: Path) -> list[R]:
        """The records."""
        import pyarrow.parquet as pq

        return list(from_arrow(pq.read_table(path), self._record))


class Cell(NamedTuple, Generic[R]):
    """What one system answered to one data."""

    file: str
    path: Path
    notes: Notes
    store: Store[R]

    def rows(self) -> list[R]:
        """The stored answer."""
        return self.store.read(self.path)


class Answered(NamedTuple, Generic[D, R]):
    """A cell, and of what it is."""

    label: SystemLabel
    data: D
    cell: Cell[R]


@dataclass
class Results(Generic[D, R]):
    """The cells of a study."""

    answered: list[Answered[D, R]] = field(default_factory=list)
    missing: list[tuple[SystemLabel, str, Sequence[D]]] = field(default_factory=list)
    """Labels of systems that could not be had or asked, why, and at which data: holes in the tables."""

    def fail(self, label: SystemLabel, data: Sequence[D], error: LawngError) -> None:
        """Note a hole. Raises the error again where it is of an option: all would fail so."""
        if isinstance(error, ConfigError):
            raise error
        self.missing.append((label, str(error), data))

    @property
    def notes(self) -> list[str]:
        """All notes, the last about each."""
        last = {about: lines for one in self.answered for about, lines in one.cell.notes.items()}
        return [line for lines in last.values() for line in lines]


@dataclass(frozen=True)
class Harness(Generic[R]):
    """Makes cells in a folder."""

    folder: Path
    store: Store[R]
    code: str
    """A module of lawng: answers hang on its code, and on that of all that it imports."""
    say: Say = unsaid

    def run(
        self,
        systems: Iterable[System[D, R]],
        data: Sequence[D],
        file: Callable[[SystemLabel, D], str] = lambda label, data: f"{label.name}.{data.name}",
        *,
        strict: bool = False,
        apart: bool = False,
    ) -> Results[D, R]:
        """Every system on every data.

        One whose model cannot be had, or whose endpoint refuses a question, is missing; with `strict` that is raised.
        With `apart` one that cannot be loaded or asked for any other reason but an option is missing too, and for the
        data alone that it fails at.
        """
        found: Results[D, R] = Results()
        kinds = () if strict else LawngError if apart else (MissingError, RefusedError)
        for system in systems:
            self.say(system.label.shown)
            groups = [[each] for each in data] if apart else [data]
            try:
                loaded = system.load()
            except kinds as error:
                found.fail(system.label, data, error)
                continue
            for some in groups:
                try:
                    cells = [self._answered(system.label, loaded, each, file(system.label, each)) for each in some]
                except kinds as error:
                    found.fail(system.label, some, error)
                else:
                    found.answered += cells
        return found

    def _answered(self, label: SystemLabel, loaded: Answerer[D, R], data: D, file: str) -> Answered[D, R]:
        def answer() -> Iterable[tuple[str, R]]:
            with progress_bar(file) as progress:
                yield from ((file, row) for row in loaded.answer(data, progress))

        own = loaded.depends
        depends = None if own is None else {"system": own, "data": data.depends}
        [cell] = self.cells({file: label.name}, depends, answer, loaded.notes)
        return Answered(label, data, cell)

    def cell(
        self, file: str, depends: Depends | None, answer: Callable[[], Iterable[R]], notes: Callable[[], Notes] = dict
    ) -> Cell[R]:
        """The cell of a file name (without its ending): as it is stored, or made now.

        `depends` is compared with that of the stored one; with None it is always made.
        """
        [cell] = self.cells({file: ""}, depends, lambda: ((file, row) for row in answer()), notes)
        return cell

    def cells(
        self,
        files: Mapping[str, str],
        depends: Depends | None,
        answer: Callable[[], Iterable[tuple[str, R]]],
        notes: Callable[[], Notes] = dict,
    ) -> list[Cell[R]]:
        """Several cells that are made in one go: `answer` gives each row with the name of its file.

        `files` has the tag of each, the last part of its name where it is "".
        """
        needed = None if depends is None else digest({"code": code_digest(self.code), "depends": depends})
        paths = {file: self.folder / f"{file}{self.store.ending}" for file in files}
        stored = [_stored(path, needed) for path in paths.values()]
        if not all(stored):
            rows: dict[str, list[R]] = {file: [] for file in files}
            for file, row in answer():
                rows[file].append(row)
            manifest = {"depends": needed, "notes": {about: list(lines) for about, lines in notes().items()}}
            for file, path in paths.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                _manifest(path).unlink(missing_ok=True)
                self.store.write(path, rows[file], files[file] or file.rpartition("/")[2])
                write_json(_manifest(path), manifest | {"bytes": path.stat().st_size})
            stored = [manifest] * len(files)
        return [
            Cell(file, path, of["notes"], self.store) for (file, path), of in zip(paths.items(), stored, strict=True)
        ]


def publish(cells: Iterable[Cell[Any]], folder: Path) -> None:
    """Copy the files of cells, without their manifests, to a folder for whoever reads the study."""
    for cell in cells:
        to = folder / f"{cell.file}{cell.store.ending}"
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(cell.path, to)


def _manifest(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def _stored(path: Path, needed: str | None) -> dict[str, Any]:
    """The manifest of a stored cell; {} where there is none, it depends on something else, or either file was cut."""
    try:
        found = json.loads(_manifest(path).read_text("utf-8")) if needed else {}
        whole = isinstance(found, dict) and found.get("bytes") == path.stat().st_size
    except (OSError, ValueError):
        return {}
    return found if whole and found.get("depends") == needed and isinstance(found.get("notes"), dict) else {}


def texts_digest(texts: Iterable[str]) -> str:
    """Digest of some texts in their order.

    >>> texts_digest(["a", "bc"]) == texts_digest(["ab", "c"])
    False
    """
    total = sha256()
    for text in texts:
        raw = text.encode()
        total.update(len(raw).to_bytes(8, "little") + raw)
    return total.hexdigest()


def quoted(name: str) -> str:
    """An id as TREC files have it: percent-encoded, for ids of queries may have blanks and quotation marks.

    >>> quoted('"as-is" clause')
    '%22as-is%22%20clause'
    """
    return quote(name, safe="")


@contextmanager
def study_folder(folder: Path) -> Iterator[Path]:
    """The folder to write a study to, alone; what an earlier study wrote there is removed, except its cache.

    A study is complete when `manifest.json` is there, written last. A killed one goes on from the cache.
    Raises InputError when something else is there, StageError when another process is making a study there.
    """
    check_place(folder, f"{CACHE}/{CELLS}", "study")  # what else has a cache must not be cleared
    with alone(folder / CACHE):
        (folder / MANIFEST).unlink(missing_ok=True)  # first: without it the folder counts as unfinished
        for path in folder.iterdir():
            if path.name != CACHE:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        yield folder


@contextmanager
def alone(cache: Path, *, wait: bool = False) -> Iterator[Path]:
    """A study's cache, for this process alone. Raises StageError where another one has it, unless told to wait."""
    (cache / CELLS).mkdir(parents=True, exist_ok=True)
    with held(cache, cache.parent, "a study there", wait=wait):
        yield cache


def versions(libraries: Iterable[str]) -> dict[str, str]:
    """lawng's own version and that of each library that the numbers hang on, where it is installed."""
    return {"lawng": __version__} | {name: found for name in libraries if (found := library_version(name))}


def plain_settings(settings: Any) -> dict[str, Any]:
    """The options of a study, a dataclass, as JSON has them; models by name."""

    def plain(value: Any) -> Any:
        if isinstance(value, tuple):
            return [plain(one) for one in value]
        if isinstance(value, str | int | float | type(None)):
            return value
        return getattr(value, "name", type(value).__name__)

    return {name: plain(getattr(settings, name)) for name in settings.__dataclass_fields__}
