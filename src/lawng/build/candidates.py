"""Stages 15-sought and 20-candidates: parentheticals, and then the pages that they describe (LawngNLI, A.1.1).

Between the two, the parentheticals are handed to the units where the cited opinions lie, so that an opinion
is read once however often it is cited.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lawng.build.citations import cite_index
from lawng.build.cites import CiteIndex
from lawng.build.context import Context, Work, depends
from lawng.engine import Seen, Slice, Stage, StageResult, iter_parts, iter_records, regroup, slices_of, write_lookup
from lawng.nli.candidates import located, n_units, sought
from lawng.nli.records import Premise, Sought, own_premise
from lawng.records import Candidate, Case, Citation, Opinion, Reject

SOUGHT, NAME = "15-sought", "20-candidates"


@dataclass(frozen=True, slots=True)
class Passage:
    """The text of a short premise, kept once for the steps that compare hypotheses with it."""

    key: str
    """`passage_key` of its premise."""
    text: str


def passage_key(premise: Premise) -> str:
    """What a short premise's text is found by: opinion and span."""
    return f"{premise.opinion_id}[{premise.start}:{premise.end}]"


@dataclass(frozen=True)
class Citing:
    """A unit of the first half: opinions, and the part that has their citations."""

    opinions: Slice
    citations: Path

    @property
    def name(self) -> str:
        """How messages name it."""
        return self.opinions.name


@dataclass(frozen=True)
class Seek:
    """The task of the first half: parentheticals whose cited case and pin are known."""

    cases: Mapping[str, Case]
    ambiguous: CiteIndex

    def __call__(self, unit: Citing) -> Iterator[Sought | Reject | Seen]:
        """Sought parentheticals and rejects."""
        citations = groupby(iter_records(unit.citations, Citation), key=lambda citation: citation.opinion_id)
        waiting = next(citations, None)
        for opinion in unit.opinions.records(Opinion):
            if waiting is None:
                return
            if waiting[0] == opinion.opinion_id:
                yield from self._of(opinion, list(waiting[1]))
                waiting = next(citations, None)

    def _of(self, opinion: Opinion, citations: list[Citation]) -> Iterator[Sought | Reject | Seen]:
        yield Seen(n_units(citations), "parentheticals")
        yield from sought(opinion, self.cases[opinion.case_id], citations, self.cases, self.ambiguous)


@dataclass(frozen=True)
class Cited:
    """A unit of the second half: opinions, and the parentheticals that cite their cases."""

    opinions: Slice
    sought: Path

    @property
    def name(self) -> str:
        """How messages name it."""
        return self.opinions.name


def locate(unit: Cited) -> Iterator[Candidate | Passage | Reject | Seen]:
    """The task of the second half: the short premises of the parentheticals, and each premise's text once."""
    by_case: dict[str, list[Sought]] = defaultdict(list)
    for seek in iter_records(unit.sought, Sought):
        by_case[seek.cited_case_id].append(seek)
    for opinion in unit.opinions.records(Opinion):
        if opinion.type == "majority" and opinion.case_id in by_case:
            yield from _located(by_case.pop(opinion.case_id), opinion)
    for left in by_case.values():
        yield Seen(len(left), "sought")
        yield from (located(seek, []) for seek in left)


def seek_candidates(context: Context, citations: StageResult) -> StageResult:
    """Run the first half."""
    inputs = depends([(citations, "citations")], context.corpus_digests)

    def work() -> Work:
        cases = write_lookup(context.corpus / "cases", Case, "case_id", context.scratch("cases.arrow"))
        slices = slices_of(context.corpus / "opinions")
        parts = iter_parts(citations.table("citations"))
        units = [Citing(piece, part) for piece, part in zip(slices, parts, strict=bool(slices))]
        return units, Seek(cases, cite_index(context))

    return context.run(Stage(SOUGHT, {"sought": Sought}, inputs, ("parentheticals", "sought")), work)


def find_candidates(context: Context, first: StageResult) -> StageResult:
    """Run the second half."""
    inputs = depends([(first, "sought")], context.corpus_digests)

    def work() -> Work:
        slices = slices_of(context.corpus / "opinions")
        places = _places(slices)
        files = regroup(
            first.table("sought"),
            lambda rows: places["unit"].take(pc.index_in(rows["cited_case_id"], places["case_id"])),
            max(1, len(slices)),
            context.scratch("sought"),
        )
        return [Cited(piece, file) for piece, file in zip(slices, files, strict=bool(slices))], locate

    stage = Stage(NAME, {"candidates": Candidate, "passages": Passage}, inputs, ("sought", "candidates"))
    return context.run(stage, work)


def _places(slices: list[Slice]) -> pa.Table:
    """In which slice the majority opinion of each case is."""
    schema = pa.schema({"case_id": pa.large_string(), "unit": pa.int64()})
    return pa.concat_tables(
        [schema.empty_table(), *(_places_in(piece, number, schema) for number, piece in enumerate(slices))]
    ).combine_chunks()


def _places_in(piece: Slice, number: int, schema: pa.Schema) -> pa.Table:
    rows = pa.Table.from_batches(piece.batches(["case_id", "type"]))
    ids = rows.filter(pc.field("type") == "majority")["case_id"]
    return pa.table([ids, pa.repeat(number, len(ids))], schema=schema)


def _located(wanted: list[Sought], opinion: Opinion) -> Iterator[Candidate | Passage | Reject | Seen]:
    yield Seen(len(wanted), "sought")
    kept: set[str] = set()
    for seek in wanted:
        found = located(seek, [opinion])
        yield found
        if isinstance(found, Candidate) and (key := passage_key(own_premise(found))) not in kept:
            kept.add(key)
            yield Passage(key, opinion.text[found.premise_start : found.premise_end])
