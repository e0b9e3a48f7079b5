"""Reading an imported corpus: its records streaming, one opinion by its id, tables, and what is inside."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from lawng.corpus.records import CASES, OPINIONS
from lawng.errors import InputError, MissingError
from lawng.io import iter_parts, iter_records, read_table
from lawng.io.parquet import reading
from lawng.pipeline.run import STAGE
from lawng.schema import Case, Opinion, Reject
from lawng.schema.arrow import from_arrow, schema_of

MANIFEST = "manifest.json"


class Corpus:
    """A corpus folder as `lawng corpus import` leaves it: cases, their opinions, and what was dropped.

    Raises MissingError when the folder is no finished corpus.
    """

    def __init__(self, folder: str | Path, temporary: TemporaryDirectory[str] | None = None) -> None:
        self.folder = Path(folder)
        self._temporary = temporary  # which lasts as long as the corpus is held
        for needed in (MANIFEST, STAGE):  # a build has a manifest as well
            if not (self.folder / needed).is_file():
                raise MissingError(f"{folder}: not a corpus (no {needed}); make one with lawng corpus import")

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """The corpus in a folder."""
        return cls(folder)

    @staticmethod
    def is_at(folder: str | Path) -> bool:
        """Whether a folder is a finished corpus."""
        return all(Path(folder, needed).is_file() for needed in (MANIFEST, STAGE))

    def __repr__(self) -> str:
        return f"Corpus({str(self.folder)!r})"

    @property
    def manifest(self) -> dict[str, Any]:
        """Sources, counts and versions of the import.

        Raises InputError when the file is damaged.
        """
        path = self.folder / MANIFEST
        try:
            found = json.loads(path.read_text("utf-8"))
        except ValueError as error:
            raise InputError(f"{path}: damaged ({error}); import the corpus again") from error
        if not isinstance(found, dict) or "fingerprint" not in found:
            raise InputError(f"{path}: damaged (it has no fingerprint); import the corpus again")
        return found

    def parts(self, table: str = OPINIONS) -> list[Path]:
        """The Parquet parts of a table ("cases", "opinions" or "rejects") in order."""
        return list(iter_parts(self.folder / table))

    def cases(self) -> Iterator[Case]:
        """All cases, streaming."""
        return iter_records(self.folder / CASES, Case)

    def opinions(self) -> Iterator[Opinion]:
        """All opinions, streaming; those of a case in a row, cases as in `cases`."""
        return iter_records(self.folder / OPINIONS, Opinion)

    def cases_with_opinions(self) -> Iterator[tuple[Case, list[Opinion]]]:
        """Each case with its opinions, streaming; a case may have none."""
        groups = groupby(self.opinions(), key=lambda opinion: opinion.case_id)
        following = next(groups, None)
        for case in self.cases():
            opinions: list[Opinion] = []
            if following and following[0] == case.case_id:
                opinions = list(following[1])
                following = next(groups, None)
            yield case, opinions

    def rejects(self) -> Iterator[Reject]:
        """All that was dropped at import, streaming."""
        return iter_records(self.folder / "rejects", Reject)

    def opinion(self, opinion_id: str) -> Opinion:
        """One opinion by its id: only the row groups that can hold it are read.

        Raises InputError when it is not in the corpus.
        """
        for part in self.parts(OPINIONS):
            with reading(part):
                rows = pq.read_table(part, filters=pc.field("opinion_id") == opinion_id, schema=schema_of(Opinion))
            if rows.num_rows:
                return next(from_arrow(rows, Opinion))
        raise InputError(f"{self.folder}: no opinion {opinion_id!r}; see lawng corpus info")

    def table(self, name: str = CASES, columns: Sequence[str] | None = None) -> pa.Table:
        """A table ("cases", "opinions" or "rejects") as Arrow, whole or some of its columns, in memory."""
        return read_table(self.folder / name, columns)

    def to_pandas(self, name: str = CASES, columns: Sequence[str] | None = None) -> Any:
        """A table as a pandas DataFrame, whole or some of its columns; needs pandas."""
        return self.table(name, columns).to_pandas()

    def info(self) -> dict[str, Any]:
        """Counts by kind, place and year, the share with page marks, rejects; one part is in memory at a time.

        Raises MissingError or InputError when its tables cannot be read.
        """
        manifest = self.manifest
        tally = manifest["tally"]
        return {
            **_about_cases(self.parts(CASES)),
            **_about_opinions(self.parts(OPINIONS)),
            "citations_of_more_than_one_case": _shared_citations(self.parts(CASES)),
            "sources": [
                f"{source['name']} ({source['format']}, {source['files']} files)" for source in manifest["sources"]
            ],
            "notes": {
                what.removeprefix("note:"): n for what, n in sorted(tally["seen"].items()) if what.startswith("note:")
            },
            "rejects": {
                f"{kind}: {reason}": n
                for kind, reasons in sorted(tally["rejects"].items())
                for reason, n in sorted(reasons.items())
            },
        }


def _about_cases(parts: list[Path]) -> dict[str, Any]:
    places: Counter[str] = Counter()
    formats: Counter[str] = Counter()
    dates: list[str] = []
    one_majority = 0
    for part in parts:
        table = read_table(part, ["jurisdiction", "source", "date", "n_majority"])
        places.update(table["jurisdiction"].to_pylist())
        formats.update(table["source"].to_pylist())
        one_majority += pc.sum(pc.equal(table["n_majority"], 1)).as_py() or 0
        ends = pc.min_max(table.filter(pc.not_equal(table["date"], ""))["date"]).as_py()
        dates += filter(None, ends.values())
    return {
        "cases": places.total(),
        "cases_with_one_majority": one_majority,
        "cases_by_jurisdiction": _ranked(places),
        "cases_by_format": _ranked(formats),
        "first_date": min(dates, default=""),
        "last_date": max(dates, default=""),
    }


def _about_opinions(parts: list[Path]) -> dict[str, Any]:
    kinds: Counter[str] = Counter()
    marked: Counter[str] = Counter()
    for part in parts:
        with reading(part), pq.ParquetFile(part) as file:
            for batch in file.iter_batches(2048, columns=["type", "pages"]):
                has_pages = pc.greater(pc.list_value_length(batch["pages"]), 0)
                kinds.update(batch["type"].to_pylist())
                marked.update(batch["type"].filter(has_pages).to_pylist())
    return {
        "opinions": kinds.total(),
        "opinions_by_type": _ranked(kinds),
        "share_with_page_marks": {kind: round(marked[kind] / n, 4) for kind, n in _ranked(kinds).items()},
    }


def _shared_citations(parts: list[Path]) -> int:
    """How many reporter citations name more than one case: such a citation resolves to none."""
    found = []
    for part in parts:
        cites = pc.list_flatten(read_table(part, ["citations"])["citations"].combine_chunks())
        found.append(hashes_of(pc.struct_field(cites, "cite").to_pylist()))
    _, counts = np.unique(np.concatenate(found), return_counts=True)
    return int((counts > 1).sum())


def hashes_of(texts: list[str]) -> NDArray[np.int64]:
    """Python's hashes of some texts: equal ones are found among them in little memory."""
    return np.fromiter(map(hash, texts), dtype=np.int64, count=len(texts))


def _ranked(counts: Counter[str]) -> dict[str, int]:
    return {key or "unknown": n for key, n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))}
