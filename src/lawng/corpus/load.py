"""Reading an imported corpus: streaming, by part, or one opinion by its id."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lawng.engine import iter_parts, iter_records, read_table
from lawng.engine.run import STAGE
from lawng.engine.store import reading
from lawng.errors import InputError, MissingError
from lawng.records import Case, Opinion, Reject
from lawng.tables import from_arrow, schema_of

MANIFEST = "manifest.json"
_INDEX = ("case_id", "name", "parties", "citations", "court", "jurisdiction", "date", "n_opinions", "n_majority")


class CorpusReader:
    """A corpus folder as `lawng corpus import` leaves it.

    Raises MissingError when the folder is no finished corpus.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        for needed in (MANIFEST, STAGE):  # a build has a manifest as well
            if not (self.folder / needed).is_file():
                raise MissingError(f"{folder}: not a corpus (no {needed}); make one with lawng corpus import")

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

    def parts(self, table: str = "opinions") -> list[Path]:
        """The Parquet parts of a table ("cases", "opinions" or "rejects") in order."""
        return list(iter_parts(self.folder / table))

    def cases(self) -> Iterator[Case]:
        """All cases, streaming."""
        return iter_records(self.folder / "cases", Case)

    def opinions(self) -> Iterator[Opinion]:
        """All opinions, streaming; those of a case in a row, cases as in `cases`."""
        return iter_records(self.folder / "opinions", Opinion)

    def rejects(self) -> Iterator[Reject]:
        """All that was dropped at import, streaming."""
        return iter_records(self.folder / "rejects", Reject)

    def case_index(self) -> pa.Table:
        """What names each case: id, name, parties, citations, court, jurisdiction, date and counts, as Arrow."""
        return read_table(self.folder / "cases", _INDEX)

    def opinion(self, opinion_id: str) -> Opinion:
        """One opinion by its id: only the row groups that can hold it are read.

        Raises InputError when it is not in the corpus.
        """
        for part in self.parts("opinions"):
            with reading(part):
                rows = pq.read_table(part, filters=pc.field("opinion_id") == opinion_id, schema=schema_of(Opinion))
            if rows.num_rows:
                return next(from_arrow(rows, Opinion))
        raise InputError(f"{self.folder}: no opinion {opinion_id!r}; see lawng corpus info")
