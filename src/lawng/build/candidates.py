"""Stages 15-sought and 20-candidates: parentheticals, and then the pages that they describe (LawngNLI, A.1.1).

Between the two, the parentheticals are handed to the units where the cited opinions lie, so that an opinion
is read once however often it is cited.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lawng.build.citations import cite_index
from lawng.build.cites import CiteIndex
from lawng.build.context import Context, Work, depends
from lawng.build.opinions import Source, opinion_slices, sources, to_slices
from lawng.engine import Seen, Slice, Stage, StageResult, iter_records, write_lookup
from lawng.nli.candidates import located, n_units, sought
from lawng.nli.records import Premise, Sought, own_premise
from lawng.records import Candidate, Case, Opinion, Reject

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
class Seek:
    """The task of the first half: parentheticals whose cited case and pin are known."""

    cases: Mapping[str, Case]
    ambiguous: CiteIndex

    def __call__(self, unit: Source) -> Iterator[Sought | Reject | Seen]:
        """Sought parentheticals and rejects."""
        for opinion, citations in unit.pairs():
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
        return sources(context, citations), Seek(cases, cite_index(context))

    seconds = 0.0001 * citations.tally.out["citations"]
    return context.run(Stage(SOUGHT, {"sought": Sought}, inputs, ("parentheticals", "sought")), work, seconds)


def find_candidates(context: Context, first: StageResult) -> StageResult:
    """Run the second half."""
    inputs = depends([(first, "sought")], context.corpus_digests)

    def work() -> Work:
        files = to_slices(context, first.table("sought"), "cited_case_id", "case_id", context.scratch("sought"))
        slices = opinion_slices(context)
        return [Cited(*pair) for pair in zip(slices, files, strict=bool(slices))], locate

    stage = Stage(NAME, {"candidates": Candidate, "passages": Passage}, inputs, ("sought", "candidates"))
    return context.run(stage, work, 0.001 * first.tally.out["sought"])


def _located(wanted: list[Sought], opinion: Opinion) -> Iterator[Candidate | Passage | Reject | Seen]:
    yield Seen(len(wanted), "sought")
    kept: set[str] = set()
    for seek in wanted:
        found = located(seek, [opinion])
        yield found
        if isinstance(found, Candidate) and (key := passage_key(own_premise(found))) not in kept:
            kept.add(key)
            yield Passage(key, opinion.text[found.premise_start : found.premise_end])
