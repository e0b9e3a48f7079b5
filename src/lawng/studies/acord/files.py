"""Files as ACORD has them: a folder or a ZIP file, read alike, wordings told apart, and the finer scores.

open_files(path) -> Files, a context     letters(text), same_wording(text, known) -> str
read_fine(files, clauses, queries, judgements) -> {(query id, clause id): mean stars}

The supplement's finer scores are mean stars in thirds, where the qrels have whole stars (ACORD, README). Its workbook
has texts and no ids: clauses are found by their letters and digits, queries by theirs.
"""

from __future__ import annotations

import csv
import difflib
import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from lawng.annotation.layout import TABLE
from lawng.errors import InputError
from lawng.schema import Judgement

WORKBOOK = "supplemental/clause_pairs_2_5_stars.xlsx"
_HEADER_ROWS = 4
LARGEST = 1 << 30
"""Bytes of one file of a ZIP that are unpacked: ACORD's largest has 8 MB."""
_FINE = re.compile(r"[1-4](\.\d+)?|5(\.0+)?")
_ALIKE = 0.97
"""Similarity above which two wordings of a query are the same: the supplement writes "excludes" for "exclude"."""


class Files(NamedTuple):
    """Files by their names below the place, with `/`."""

    path: Path
    archive: zipfile.ZipFile | None
    root: str
    """Of the archive: the folder that holds the files, ending in `/`, or ""."""

    @property
    def name(self) -> str:
        """As the user gave it."""
        return str(self.path)

    def at(self, name: str) -> str:
        """Where a file is, for messages."""
        return f"{self.path}/{name}"

    def names(self) -> list[str]:
        """All files, sorted."""
        if self.archive is None:
            return sorted(path.relative_to(self.path).as_posix() for path in self.path.rglob("*") if path.is_file())
        inside = (name for name in self.archive.namelist() if name.startswith(self.root) and not name.endswith("/"))
        return sorted(name.removeprefix(self.root) for name in inside)

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return (self.path / name).is_file() if self.archive is None else self.root + name in self.archive.namelist()

    def bytes(self, name: str) -> bytes:
        """A file's bytes. Raises InputError when it cannot be read."""
        try:
            if self.archive is None:
                return (self.path / name).read_bytes()
            if self.archive.getinfo(self.root + name).file_size > LARGEST:
                raise InputError(f"{self.at(name)}: larger than 1 GiB; this is no ACORD file")
            return self.archive.read(self.root + name)
        except (OSError, KeyError, zipfile.BadZipFile, EOFError) as error:
            needed = "corpus.jsonl, queries.jsonl and qrels/{train,valid,test}.tsv"
            raise InputError(f"{self.at(name)}: cannot be read ({_why(error)}); ACORD has {needed}") from error

    def text(self, name: str) -> str:
        """A file's text. Raises InputError when it is not UTF-8."""
        try:
            return self.bytes(name).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"{self.at(name)}: not UTF-8 (byte {error.start}); convert it, e.g. with iconv") from None

    def words(self, name: str) -> str:
        """A file's text as far as it is UTF-8."""
        return self.bytes(name).decode("utf-8-sig", "replace")

    def table(self, name: str) -> list[list[str]]:
        """The rows of a file, whose cells tabs part. Raises InputError when it is no such table."""
        try:
            return list(csv.reader(io.StringIO(self.text(name)), delimiter="\t"))
        except csv.Error as error:
            raise InputError(f"{self.at(name)}: no table ({error}); end its lines with a line feed") from None


@contextmanager
def open_files(path: Path) -> Iterator[Files]:
    """Open a folder or a ZIP file. Raises InputError when it is neither, or the ZIP is broken."""
    if path.is_dir():
        yield Files(path, None, "")
        return
    if not path.is_file():
        raise InputError(f"{path}: not there; name the folder or the ZIP file of ACORD")
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(f"{path}: no ZIP file that can be read ({_why(error)}); download it again") from error
    with archive:
        inner = [name for name in archive.namelist() if name.endswith("corpus.jsonl")]
        yield Files(path, archive, min(inner, key=len).removesuffix("corpus.jsonl") if inner else "")


def _why(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).splitlines()[0]


def letters(text: str) -> str:
    """The letters and digits of a text, lower case: what is left when quotation marks and blanks differ.

    >>> letters('"As-Is" clause')
    'asisclause'
    """
    return re.sub(r"[\W_]+", "", text.lower())


def same_wording(text: str, known: Mapping[str, object]) -> str:
    """Which of the known wordings (by their letters) a text is, "" when none is nearly the same."""
    own = letters(text)
    near = [own] if own in known else difflib.get_close_matches(own, known, 1, _ALIKE)
    return near[0] if near else ""


def read_fine(
    files: Files, clauses: Mapping[str, str], queries: Mapping[str, str], judgements: Sequence[Judgement]
) -> dict[tuple[str, str], float]:
    """Mean stars of the judged pairs that the supplement scores, {} without a supplement.

    A clause text that stands twice in the corpus gives its score to the copy that is judged. Raises InputError when the
    supplement is there and cannot be read.
    """
    judged = {(row.query_id, row.doc_id) for row in judgements}
    if files.has(TABLE):
        rows = [row for row in files.table(TABLE) if len(row) == 3 and (row[0], row[1]) in judged]
        if wrong := next((row for row in rows if not _FINE.fullmatch(row[2])), None):
            raise InputError(f"{files.at(TABLE)}: {wrong[2][:20]!r} is no mean of 1 to 5 stars; mend the cell")
        return {(row[0], row[1]): float(row[2]) for row in rows}
    if not files.has(WORKBOOK):
        return {}
    return _of_workbook(files, clauses, queries, judged)


def _of_workbook(
    files: Files, clauses: Mapping[str, str], queries: Mapping[str, str], judged: set[tuple[str, str]]
) -> dict[tuple[str, str], float]:
    ids = defaultdict(list)
    for clause, text in clauses.items():
        ids[letters(text)].append(clause)
    by_wording = {letters(text): query for query, text in queries.items()}
    found = {}
    for wording, scored in _columns(files):
        query = by_wording.get(same_wording(wording, by_wording), "")
        for text, stars in scored:
            found.update({(query, clause): stars for clause in ids[letters(text)] if (query, clause) in judged})
    return found


def _columns(files: Files) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    """The wording of each query, its clauses' texts and stars: two columns a query, headed by it and by `Rating`."""
    import openpyxl

    try:
        book = openpyxl.load_workbook(io.BytesIO(files.bytes(WORKBOOK)), read_only=True, data_only=True)
    except (zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise InputError(f"{files.at(WORKBOOK)}: no workbook that can be read ({error}); take it anew") from error
    for sheet in book:
        rows = list(sheet.iter_rows(values_only=True))
        head = next((at for at, row in enumerate(rows[:_HEADER_ROWS]) if _is_header(row)), None)
        if head is not None:
            yield from _of_sheet(rows[head], rows[head + 1 :])


def _of_sheet(head: Sequence[Any], rows: Sequence[Sequence[Any]]) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    for column in range(len(head) - 1):
        if head[column] and str(head[column + 1]).strip() == "Rating":
            cells = ((row[column], _stars(row[column + 1])) for row in rows)
            yield str(head[column]), [(str(text), stars) for text, stars in cells if text and stars is not None]


def _stars(value: Any) -> float | None:
    """Mean stars in exact thirds: the workbook rounds them to one decimal."""
    try:
        stars = float(value)
    except (TypeError, ValueError):
        return None
    return round(stars * 3) / 3 if 1 <= stars <= 5 else None


def _is_header(row: Sequence[Any]) -> bool:
    return any(str(cell).strip() == "Rating" for cell in row)
