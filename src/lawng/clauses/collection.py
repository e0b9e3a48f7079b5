"""A folder of contracts or clauses as one list of clauses, and what could not be read.

read_library(place) -> Library     is_library(place) -> bool

What was read and cut is kept on disk by the digest of its file, with the text of the clauses. The folder of it is its
owner's alone, and can be removed at any time; one that cannot be read or written stops nothing, and one of another
edition of lawng goes.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from lawng.clauses.contract_dates import contract_date
from lawng.clauses.facts import Facts, Party, facts_of, facts_of_row
from lawng.clauses.formats.documents import MOST_BYTES, SUFFIXES, read_document
from lawng.clauses.formats.files import LIST, every_file, files_of, is_read
from lawng.clauses.formats.plain import encoding_of, opened
from lawng.clauses.sections.cut import clauses_of, head_of, single_clause
from lawng.corpus.dates import iso_date
from lawng.errors import InputError
from lawng.extras import explained, library_version
from lawng.io.kv_store import KeyValueStore, key_of
from lawng.io.limits import number_of
from lawng.io.progress import Progress, silent
from lawng.schema import Clause, ContractText, Reject
from lawng.text.sentences import trimmed

STAGE = "clauses"
"""The stage that rejects name."""
LONGEST_CLAUSE = 2000
"""Words: the longest clause of ACORD has 1,898 (C.4); a longer file is a contract."""
_FEWEST_SINGLES, _MEAN_WORDS = 5, 500
_MOST_OF_A_LIST = 1_000_000_000
"""Bytes of a list of clauses of which headings are kept."""
UNREADABLE = "contract-unreadable"
_NAMED = 3
"""Files that are named of those with the same note."""
_KEPT = "contracts-"
_ROOMS = ("lawng.clauses.formats", "lawng.clauses.sections")
_LIBRARIES = ("pdfplumber", "pdfminer.six", "python-docx", "lxml")


@dataclass(frozen=True)
class Library:
    """The clauses of some contracts in the order of their sources' names, and what was left out."""

    clauses: list[Clause]
    rejects: list[Reject] = field(default_factory=list)
    """Files and lines that could not be read."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Lines of documents that belong to no clause, by kind."""
    notes: tuple[str, ...] = ()
    facts: dict[str, Facts] = field(default_factory=dict)
    """What contracts tell of their parties and dates, by source, and rows of lists by id."""

    def facts_of(self, clause: Clause) -> Facts:
        """What is known of the contract of a clause."""
        return self.facts.get(clause.clause_id) or self.facts.get(clause.source) or Facts()


class Document(NamedTuple):
    """A contract cut into clauses, and the same text as a single one, for a short file may be either."""

    clauses: list[Clause]
    single: Clause
    n_words: int
    notes: list[str]
    dropped: dict[str, int]
    """Lines that belong to no clause, by kind."""
    facts: Facts


def is_library(place: Path) -> bool:
    """Whether a place is a file or folder of contracts or clauses, as far as names tell; an index is none."""
    return place.is_file() or (place.is_dir() and any(map(is_read, every_file(place))))


@explained()
def read_library(place: str | Path, progress: Progress = silent, cache: Path | None = None) -> Library:
    """The clauses of a file or folder: contracts cut into sections, lists of clauses (JSON lines, BEIR) as they are.

    Each file is one clause in a folder of at least five text files of which none has more than 2,000 words and the mean
    has 500 at most. In the folder `cache` is kept what was read, the clauses' text too; None keeps nothing.
    Raises InputError when nothing there can be read, MissingError when a library for it is not installed.
    """
    root = Path(place)
    paths = files_of(root)
    store = _opened(cache) if cache else None
    documents: dict[str, Document] = {}
    clauses: list[Clause] = []
    rejects: list[Reject] = []
    notes: dict[str, list[str]] = {}
    facts: dict[str, Facts] = {}
    known = set[str]()
    for done, path in enumerate(paths):
        progress(done, len(paths))
        named = path.relative_to(root if root.is_dir() else root.parent).as_posix()
        source = named.encode("utf-8", "backslashreplace").decode()  # an old archive's names may be no UTF-8
        for found in _read(path, source, store, known, facts):
            if isinstance(found, Document):
                documents[source] = found
            elif isinstance(found, Clause):
                clauses.append(found)
            elif isinstance(found, Reject):
                rejects.append(found)
            else:
                notes.setdefault(found, []).append(source)
    progress(len(paths), len(paths))
    single = _are_single(paths, [one.n_words for one in documents.values()])
    library = _gathered(documents, single, clauses, rejects, tuple(_told(notes)))
    library.facts.update(facts | {source: one.facts for source, one in documents.items()})
    if not library.clauses:
        first = f" ({rejects[0].id}: {rejects[0].detail})" if rejects else ""
        raise InputError(f"{place}: no clause could be read{first}; name a folder or file of contracts")
    return library


def _read(
    path: Path, source: str, store: KeyValueStore | None, known: set[str], facts: dict[str, Facts]
) -> Iterator[Document | Clause | Reject | str]:
    """What a file is: a contract, or the clauses of a list; what cannot be read is a reject with its reason.

    Notes are text, those of a contract too.
    """
    try:
        if path.is_dir():
            raise InputError("a link to a folder, or a folder that cannot be entered; name it by itself")
        if not is_read(path):
            yield Reject(STAGE, source, "not-a-contract", f"not one of {', '.join(SUFFIXES)}")
        elif path.suffix.lower() == LIST:
            yield from _list(path, source, store, known, facts)
        else:
            document = _document(path, source, store)
            yield from document.notes
            yield document
    except InputError as error:
        yield Reject(STAGE, source, UNREADABLE, str(error).removeprefix(f"{path}: "))


def _list(
    path: Path, source: str, store: KeyValueStore | None, known: set[str], facts: dict[str, Facts]
) -> Iterator[Clause | Reject | str]:
    key, heads = _entry(store, path, _MOST_OF_A_LIST)
    n_kept, found = len(heads), None
    for found in clauses_of_lines(path, source, known, heads, facts):
        yield found
    if found is None:
        raise InputError("has no line; download or save it again")
    if len(heads) > n_kept:
        _keep(store, key, heads)


def _told(notes: dict[str, list[str]]) -> Iterator[str]:
    """Notes with the files that they are about."""
    for note, sources in notes.items():
        more = f" and {len(sources) - _NAMED:,} more" if len(sources) > _NAMED else ""
        yield f"{', '.join(sources[:_NAMED])}{more}: {note}"


def _gathered(
    documents: dict[str, Document], single: bool, clauses: list[Clause], rejects: list[Reject], notes: tuple[str, ...]
) -> Library:
    """Clauses of lists, then those of documents; with `single` each document is one clause."""
    if single:
        alone = ("each text file is taken as one clause",) if documents else ()
        whole = [found.single for found in documents.values()]
        return Library(clauses + whole, rejects, {}, notes + alone)
    dropped: Counter[str] = Counter()
    for source, found in documents.items():
        clauses += found.clauses
        dropped.update(found.dropped)
        if not found.clauses:
            rejects.append(Reject(STAGE, source, "nothing-but-titles", "no clause, only titles and signatures"))
    return Library(clauses, rejects, dict(dropped), notes)


def _are_single(paths: list[Path], lengths: list[int]) -> bool:
    plain = all(path.suffix.lower() in (".txt", ".text", ".md") for path in paths)
    if not plain or len(lengths) < _FEWEST_SINGLES:
        return False
    return max(lengths) <= LONGEST_CLAUSE and mean(lengths) <= _MEAN_WORDS


def clauses_of_lines(
    path: Path,
    source: str,
    known: set[str],
    heads: dict[str, Any] | None = None,
    facts: dict[str, Facts] | None = None,
) -> Iterator[Clause | Reject | str]:
    """The clauses of a file, in its order; a line that is none is a reject. `known` ids are taken, and grow.

    What a person should know of the file comes first, as text. `heads` are number and heading by the digest of a text
    where they are known, `facts` what rows tell of their contracts by id; both grow. A `title` is the name of the
    contract that a clause is from.
    Raises InputError when the file cannot be opened or is no text.
    """
    heads, facts = ({} if found is None else found for found in (heads, facts))
    with opened(path):
        encoding, notes = encoding_of(path)
        yield from notes
        with path.open(encoding=encoding, errors="replace", newline="\n") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _clause(line, f"{source}:{number}", source, known, heads, facts)


def _clause(  # noqa: PLR0913, PLR0917 (what is known of a file so far)
    line: str, place: str, source: str, known: set[str], heads: dict[str, Any], facts: dict[str, Facts]
) -> Clause | Reject:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return Reject(STAGE, place, "line-not-json", line.strip()[:80])
    if not isinstance(row, dict) or not isinstance(row.get("text"), str) or "_id" not in row:
        return Reject(STAGE, place, "line-without-clause", "no object with `_id` and `text`")
    clause_id, text, title = str(row["_id"]), row["text"].encode("utf-8", "replace").decode("utf-8"), row.get("title")
    if not any(c.isalnum() for c in text):
        return Reject(STAGE, place, "clause-without-text", clause_id)
    if clause_id in known:
        return Reject(STAGE, place, "duplicate-clause", clause_id)
    known.add(clause_id)
    if any(told := facts_of_row(row)):
        facts[clause_id] = told
    section, heading = _head(text, heads)
    named = title if isinstance(title, str) and title.strip() else source
    return Clause(clause_id, named, section, heading, [], 0, 0, len(text), text)


def _head(text: str, heads: dict[str, Any]) -> Sequence[str]:
    key = key_of(text).hex()
    match heads.get(key):
        case [str(section), str(heading)]:
            return section, heading
    found = heads[key] = head_of(text)
    return found


def _document(path: Path, source: str, store: KeyValueStore | None) -> Document:
    """A contract, read now or as it was read before, by what is in it: its name is no part of what is kept.

    Raises InputError when it cannot be read, MissingError when a library for it is not installed.
    """
    key, entry = _entry(store, path, MOST_BYTES)
    found = _kept(entry, source)
    if found is None:
        entry = _parsed(path)
        _keep(store, key, entry)
        found = _kept(entry, source)
    if isinstance(found, Document):
        return found
    raise InputError(str(found))


def _parsed(path: Path) -> dict[str, Any]:
    try:
        contract = read_document(path)
    except InputError as error:
        if isinstance(error.__cause__, OSError | MemoryError):  # of this machine now, not of the file
            raise
        return {"refused": str(error).removeprefix(f"{path}: ")}
    cut = clauses_of(contract, "")
    return {
        # all of a clause but its id and its source
        "clauses": [astuple(clause)[2:] for clause in (*cut.clauses, single_clause(contract, ""))],
        "rest": [len(contract.text.split()), contract.notes, cut.dropped],
        "facts": facts_of(contract.text),
    }


def _kept(entry: dict[str, Any], source: str) -> Document | str | None:
    """A contract as it is kept, why it could not be read, or None for an entry that is damaged or empty."""
    with suppress(KeyError, IndexError, TypeError, ValueError):
        if "refused" in entry:
            return str(entry["refused"])
        *clauses, single = (Clause(f"{source}#{row[4]}", source, *row) for row in entry["clauses"])
        n_words, notes, dropped = entry["rest"]
        parties, date = entry["facts"]
        facts = Facts(tuple(Party(name, tuple(called)) for name, called in parties), date)
        return Document(clauses, single, n_words, notes, dropped, facts)
    return None


def _opened(folder: Path) -> KeyValueStore:
    """What this edition keeps; what others kept goes, for it is of no use and holds what may be confidential."""
    mine = folder / f"{_KEPT}{_edition()}"
    with suppress(OSError):
        for other in () if mine.is_dir() else folder.glob(f"{_KEPT}*"):
            shutil.rmtree(other, ignore_errors=True)
    return KeyValueStore(mine / "documents.sqlite")


@cache
def _edition() -> str:
    """A digest of the code and the libraries that read contracts and cut them: entries of two editions never mix."""
    sources = [source for room in _ROOMS for source in files(room).iterdir() if source.name.endswith(".py")]
    sources += [
        Path(str(sys.modules[one.__module__].__file__))
        for one in (Document, ContractText, trimmed, Facts, contract_date, iso_date, number_of)
    ]
    versions = map(str, map(library_version, _LIBRARIES))
    return key_of(*versions, *sorted(source.read_text("utf-8") for source in sources)).hex()[:16]


def _entry(store: KeyValueStore | None, path: Path, most: int) -> tuple[bytes, dict[str, Any]]:
    """The key of a file, by what is in it and its suffix, and what is kept of it; one of too many bytes has no key."""
    key = b""
    with suppress(OSError, ValueError):  # whoever reads the file says so
        if store is not None and path.stat().st_size <= most:
            with path.open("rb") as file:
                key = hashlib.file_digest(file, "sha256").digest() + path.suffix.lower().encode("utf-8", "replace")
            found = json.loads(store.get([key]).get(key, b""))
            return key, found if isinstance(found, dict) else {}
    return key, {}


def _keep(store: KeyValueStore | None, key: bytes, entry: dict[str, Any]) -> None:
    if store is not None and key:
        store.put({key: json.dumps(entry, separators=(",", ":")).encode()})
