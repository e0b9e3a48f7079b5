"""A folder of contracts or clauses as one list of clauses, and what could not be read.

read_library(place) -> Library     is_library(place) -> bool
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

from lawng.clauses.contract import ContractText
from lawng.clauses.formats.documents import SUFFIXES, read_document
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
def read_library(place: str | Path, whole: bool | None = None, progress: Progress = lambda _done, _of: None) -> Library:
    """The clauses of a file or folder: contracts cut into sections, lists of clauses (JSON lines, BEIR) as they are.

    `whole` says whether each text file is one clause; None tells by the files: a folder of at least five text files of
    which none has more than 2,000 words and the mean has 500 at most.
    Raises InputError when nothing there can be read, MissingError when a library for it is not installed.
    """
    root = Path(place)
    files = _chosen(root)
    reader = _Reader(root if root.is_dir() else root.parent)
    documents: list[tuple[str, ContractText]] = []
    for done, path in enumerate(files):
        progress(done, len(files))
        documents += reader.read(path)
    progress(len(files), len(files))
    single = _are_single(files, [text for _, text in documents]) if whole is None else whole
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


@dataclass
class _Reader:
    root: Path
    clauses: list[Clause] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    names: set[str] = field(default_factory=set)
    """Of contracts that a list of clauses names."""

    def read(self, path: Path) -> list[tuple[str, ContractText]]:
        """What a file holds: a text, or clauses, which are kept; what cannot be read is counted with its reason."""
        source = path.relative_to(self.root).as_posix()
        if path.suffix.lower() in _LISTS:
            self._list(path, source)
            return []
        if path.suffix.lower() not in SUFFIXES:
            self.rejects.append(Reject(STAGE, source, "not-a-contract", f"not one of {', '.join(SUFFIXES)}"))
            return []
        try:
            contract = read_document(path)
        except InputError as error:
            self.rejects.append(Reject(STAGE, source, "contract-unreadable", _bare(error, path)))
            return []
        self.notes += [f"{source}: {note}" for note in contract.notes]
        return [(source, contract)]

    def _list(self, path: Path, source: str) -> None:
        known = {clause.clause_id for clause in self.clauses}
        for found in clauses_of_lines(path, source, known):
            if isinstance(found, Reject):
                self.rejects.append(found)
            else:
                self.clauses.append(found)
                self.names.add(found.source)

    def gathered(self, place: str | Path, documents: list[tuple[str, ContractText]], single: bool) -> Library:
        """What was read, cut into clauses. Raises InputError when no clause came out."""
        n_documents = len(self.names)
        for source, contract in documents:
            n_before = len(self.clauses)
            self._cut(source, contract, single)
            n_documents += len(self.clauses) > n_before
        if single and documents:
            self.notes.append("each text file is taken as one clause")
        if not self.clauses:
            first = f" ({self.rejects[0].id}: {self.rejects[0].detail})" if self.rejects else ""
            raise InputError(f"{place}: no clause could be read{first}; name a folder or file of contracts")
        return Library(
            str(place), self.clauses, self.rejects, n_documents, dict(self.dropped), tuple(dict.fromkeys(self.notes))
        )

    def _cut(self, source: str, contract: ContractText, single: bool) -> None:
        if single:
            self.clauses.append(single_clause(contract, source))
            return
        cut = clauses_of(contract, source)
        self.clauses += cut.clauses
        self.dropped.update(cut.dropped)
        if not cut.clauses:
            self.rejects.append(Reject(STAGE, source, "nothing-but-titles", "no clause, only titles and signatures"))


def _bare(error: InputError, path: Path) -> str:
    """The message without the path, which the reject has already."""
    return str(error).removeprefix(f"{path}: ")


def _are_single(files: list[Path], texts: list[ContractText]) -> bool:
    plain = all(path.suffix.lower() in (".txt", ".text", ".md") for path in files)
    if not plain or len(texts) < _FEWEST_SINGLES:
        return False
    lengths = [len(one.text.split()) for one in texts]
    return max(lengths) <= LONGEST_CLAUSE and mean(lengths) <= _MEAN_WORDS
