"""Opinions of a corpus by id, read where they lie: memory holds an index of ids and a few row groups."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lawng.records import Opinion
from lawng.reports.builds import corpus_table
from lawng.tables import from_arrow, schema_of


class _Place(NamedTuple):
    part: Path
    row_group: int


class Opinions:
    """The opinions of a corpus by id. Raises InputError at construction when there is no corpus."""

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

    def get(self, opinion_id: str) -> Opinion | None:
        """The whole opinion, None when the corpus has no such opinion."""
        place = self._places.get(opinion_id)
        if place is None:
            return None
        with pq.ParquetFile(place.part) as file:
            rows = file.read_row_group(place.row_group, schema_of(Opinion).names)
        wanted = rows.filter(pc.equal(rows["opinion_id"], pa.scalar(opinion_id, pa.large_string())))
        return next(from_arrow(wanted, Opinion))


def _texts(place: _Place) -> dict[str, str]:
    with pq.ParquetFile(place.part) as file:
        rows = file.read_row_group(place.row_group, ["opinion_id", "text"])
    return dict(zip(rows["opinion_id"].to_pylist(), rows["text"].to_pylist(), strict=True))
