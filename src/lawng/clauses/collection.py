"""A folder of contracts or clauses as one list of clauses, and what could not be read.

read_library(place) -> Library     is_library(place) -> bool
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, field
from pathlib import Path
from statistics import mean

from lawng.clauses.contract import ContractText
from lawng.clauses.formats.documents import MOST_BYTES, SUFFIXES, read_document
from lawng.clauses.kept import Entry, KeptContracts
from lawng.clauses.sections.cut import clauses_of
from lawng.clauses.sections.lists import clauses_of_lines
from lawng.clauses.sections.single import single_clause
from lawng.errors import InputError
from lawng.extras import explained
from lawng.records import Clause, Reject

STAGE = "clauses"
"""The stage that rejects name."""
LONGEST_CLAUSE = 2000
"""Words: the longest clause of ACORD has 1,898 (C.4); a longer file is a contract."""
_FEWEST_SINGLES, _MEAN_WORDS = 5, 500
_LISTS = (".jsonl",)
_ROW = (str, str, list, int, int, int, str)
"""Of a clause, what is kept: all but its id and its source."""
_MOST_OF_A_LIST = 1_000_000_000
"""Bytes of a list of clauses of which headings are kept."""

Progress = Callable[[int, int], None]
"""Called with how many files are read, and of how many."""


@dataclass(frozen=True)
class Library:
    """The clauses of some contracts in the order of their sources' names, and what was left out."""

    place: str
    clauses: list[Clause]
    rejects: list[Reject] = field(default_factory=list)
    """Files and lines that could not be read."""
    n_documents: int = 0
    """Files with a clause; for a list of clauses the contracts that it names."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Lines of documents that belong to no clause, by kind."""
    notes: tuple[str, ...] = ()


def is_library(place: Path) -> bool:
    """Whether a place is a file or folder of contracts or clauses, as far as names tell; an index is none."""
    if place.is_file():
        return True
    return place.is_dir() and next(_files(place), None) is not None


@explained()
def read_library(
    place: str | Path,
    whole: bool | None = None,
    progress: Progress = lambda _done, _of: None,
    cache: Path | None = None,
) -> Library:
    """The clauses of a file or folder: contracts cut into sections, lists of clauses (JSON lines, BEIR) as they are.

    `whole` says whether each text file is one clause; None tells by the files: a folder of at least five text files of
    which none has more than 2,000 words and the mean has 500 at most. In the folder `cache` is kept what was read, the
    clauses' text too; None keeps nothing.
    Raises InputError when nothing there can be read, MissingError when a library for it is not installed.
    """
    root = Path(place)
    files = _chosen(root)
    reader = _Reader(root if root.is_dir() else root.parent, KeptContracts(cache))
    documents: list[_Document] = []
    for done, path in enumerate(files):
        progress(done, len(files))
        documents += reader.read(path)
    progress(len(files), len(files))
    single = _are_single(files, [one.n_words for one in documents]) if whole is None else whole
    return reader.gathered(place, documents, single)


def _chosen(root: Path) -> list[Path]:
    """The files to read, by name; those whose names begin with . or ~$ are a program's own."""
    if root.is_file():
        return [root]
    if not root.is_dir():
        raise InputError(f"{root}: is not there; name a folder or a file of contracts, or an index")
    corpus = root / "corpus.jsonl"
    files = [corpus] if corpus.is_file() else sorted(_every(root), key=lambda path: path.relative_to(root).as_posix())
    if not any(path.suffix.lower() in (*SUFFIXES, *_LISTS) for path in files):
        kinds = ", ".join((*SUFFIXES, *_LISTS))
        raise InputError(f"{root}: no contracts here ({kinds}), and no index; name another folder")
    return files


def _every(root: Path) -> Iterator[Path]:
    """All files of a folder and its folders but hidden ones."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(folder, name) for name in names if not name.startswith((".", "~$")))


def _files(root: Path) -> Iterator[Path]:
    return (path for path in _every(root) if path.suffix.lower() in (*SUFFIXES, *_LISTS))


class _Document:
    """A contract as read now, or as it was read before; it is cut when it is known how."""

    def __init__(self, path: Path, source: str, entry: Entry) -> None:
        """Raises InputError when the file cannot be read."""
        self.source = source
        self._path = path
        self._entry = entry
        self._text: ContractText | None = None
        if isinstance(refused := entry.get("refused"), str):
            raise InputError(refused)
        if not _is_whole(entry):
            entry.clear()
            self._text = self._read()
            entry.update(words=len(self._text.text.split()), notes=list(self._text.notes))

    @property
    def n_words(self) -> int:
        return int(self._entry["words"])

    @property
    def notes(self) -> list[str]:
        return list(self._entry["notes"])

    def _read(self) -> ContractText:
        try:
            return read_document(self._path)
        except InputError as error:
            self._entry.update(refused=_bare(error, self._path))
            self._entry.save()
            raise

    def cut(self, single: bool) -> tuple[list[Clause], dict[str, int]]:
        """The clauses, and what belongs to none; kept for the next time."""
        if self._text is not None or self._entry["single"] != single:
            clauses, dropped = _cut(self._text or read_document(self._path), single)
            rows = [list(astuple(clause)[2:]) for clause in clauses]
            self._entry.update(single=single, clauses=rows, dropped=dropped)
            self._entry.save()
        found = [Clause(f"{self.source}#{row[4]}", self.source, *row) for row in self._entry["clauses"]]
        return found, self._entry["dropped"]


def _is_whole(entry: Entry) -> bool:
    """Whether an entry has all that is kept of a contract that could be read."""
    kinds = {"words": int, "notes": list, "single": bool, "clauses": list, "dropped": dict}
    return all(isinstance(entry.get(name), kind) for name, kind in kinds.items()) and all(
        isinstance(row, list) and len(row) == len(_ROW) and all(map(isinstance, row, _ROW)) for row in entry["clauses"]
    )


def _cut(contract: ContractText, single: bool) -> tuple[list[Clause], dict[str, int]]:
    if single:
        return [single_clause(contract, "")], {}
    cut = clauses_of(contract, "")
    return cut.clauses, cut.dropped


@dataclass
class _Reader:
    root: Path
    kept: KeptContracts
    clauses: list[Clause] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    names: set[str] = field(default_factory=set)
    """Of contracts that a list of clauses names."""

    def read(self, path: Path) -> list[_Document]:
        """What a file holds: a contract, or clauses, which are kept; what cannot be read is counted with its reason."""
        source = path.relative_to(self.root).as_posix()
        if path.suffix.lower() in _LISTS:
            self._list(path, source)
            return []
        if path.suffix.lower() not in SUFFIXES:
            self.rejects.append(Reject(STAGE, source, "not-a-contract", f"not one of {', '.join(SUFFIXES)}"))
            return []
        try:
            contract = _Document(path, source, self.kept.entry(path, MOST_BYTES))
        except InputError as error:
            self.rejects.append(Reject(STAGE, source, "contract-unreadable", _bare(error, path)))
            return []
        self.notes += [f"{source}: {note}" for note in contract.notes]
        return [contract]

    def _list(self, path: Path, source: str) -> None:
        known = {clause.clause_id for clause in self.clauses}
        heads = self.kept.entry(path, _MOST_OF_A_LIST)
        n_kept = len(heads)
        for found in clauses_of_lines(path, source, known, heads):
            if isinstance(found, Reject):
                self.rejects.append(found)
            else:
                self.clauses.append(found)
                self.names.add(found.source)
        if len(heads) > n_kept:
            heads.save()

    def gathered(self, place: str | Path, documents: list[_Document], single: bool) -> Library:
        """What was read, cut into clauses. Raises InputError when no clause came out."""
        n_documents = len(self.names)
        for contract in documents:
            clauses, dropped = contract.cut(single)
            self.clauses += clauses
            self.dropped.update(dropped)
            n_documents += bool(clauses)
            if not clauses:
                self.rejects.append(
                    Reject(STAGE, contract.source, "nothing-but-titles", "no clause, only titles and signatures")
                )
        if single and documents:
            self.notes.append("each text file is taken as one clause")
        if not self.clauses:
            first = f" ({self.rejects[0].id}: {self.rejects[0].detail})" if self.rejects else ""
            raise InputError(f"{place}: no clause could be read{first}; name a folder or file of contracts")
        return Library(
            str(place), self.clauses, self.rejects, n_documents, dict(self.dropped), tuple(dict.fromkeys(self.notes))
        )


def _bare(error: InputError, path: Path) -> str:
    """The message without the path, which the reject has already."""
    return str(error).removeprefix(f"{path}: ")


def _are_single(files: list[Path], lengths: list[int]) -> bool:
    plain = all(path.suffix.lower() in (".txt", ".text", ".md") for path in files)
    if not plain or len(lengths) < _FEWEST_SINGLES:
        return False
    return max(lengths) <= LONGEST_CLAUSE and mean(lengths) <= _MEAN_WORDS
