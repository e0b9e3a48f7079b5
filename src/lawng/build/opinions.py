"""Opinions with their citations, slice by slice, and in which slice an opinion is."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lawng.build.context import Context
from lawng.engine import Slice, StageResult, iter_parts, iter_records, regroup, slices_of
from lawng.records import Citation, Opinion


@dataclass(frozen=True)
class Source:
    """A slice of the opinions, and the part that has their citations, in the same order."""

    opinions: Slice
    citations: Path

    @property
    def name(self) -> str:
        """How messages name it."""
        return self.opinions.name

    def pairs(self, wanted: Collection[str] | None = None) -> Iterator[tuple[Opinion, list[Citation]]]:
        """Each opinion with its citations; with `wanted` only the opinions of these ids."""
        where = ("opinion_id", wanted) if wanted is not None else None
        groups = groupby(iter_records(self.citations, Citation, where), key=lambda citation: citation.opinion_id)
        waiting = next(groups, None)
        for opinion in self.opinions.records(Opinion, where):
            found: list[Citation] = []
            if waiting and waiting[0] == opinion.opinion_id:
                found = list(waiting[1])
                waiting = next(groups, None)
            yield opinion, found


def sources(context: Context, citations: StageResult) -> list[Source]:
    """All opinions of the corpus as units, with their citations."""
    slices = opinion_slices(context)
    parts = iter_parts(citations.table("citations"))
    return [Source(*pair) for pair in zip(slices, parts, strict=bool(slices))]


def opinion_slices(context: Context) -> list[Slice]:
    """The units of every stage that reads opinions."""
    return slices_of(context.corpus / "opinions")


def to_slices(context: Context, table: Path, column: str, key: str, out: Path) -> list[Path]:
    """Hand the rows of a table to the slices where the majority opinion with their `column` as `key` is."""
    slices = opinion_slices(context)
    places = _places(slices, key)
    return regroup(
        table, lambda rows: places["unit"].take(pc.index_in(rows[column], places[key])), max(1, len(slices)), out
    )


def _places(slices: list[Slice], key: str) -> pa.Table:
    schema = pa.schema({key: pa.large_string(), "unit": pa.int64()})
    found = [_places_in(piece, number, schema) for number, piece in enumerate(slices)]
    return pa.concat_tables([schema.empty_table(), *found]).combine_chunks()


def _places_in(piece: Slice, number: int, schema: pa.Schema) -> pa.Table:
    rows = pa.Table.from_batches(piece.batches([schema.names[0], "type"]))
    keys = rows.filter(pc.field("type") == "majority")[schema.names[0]]
    return pa.table([keys, pa.repeat(number, len(keys))], schema=schema)
