"""Stages 65-lengths and 70-balance: long premises counted, then balance, split and twins (LawngNLI, A.1.8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pyarrow.compute as pc

from lawng.build.context import Context, Work, depends
from lawng.build.opinions import Source, sources
from lawng.engine import Seen, Stage, StageResult, iter_parts, iter_records, read_table
from lawng.errors import StageError
from lawng.nli.balance import analysis_subset
from lawng.nli.citation_removal import cuts, without
from lawng.nli.records import Paired
from lawng.nli.split import How, finished
from lawng.nli.tokens import token_counter
from lawng.records import Example, Reject

LENGTHS, NAME = "65-lengths", "70-balance"


@dataclass(frozen=True, slots=True)
class Length:
    """How long a long premise is, its citations removed."""

    opinion_id: str
    tokens: int


@dataclass(frozen=True)
class Count:
    """The task: tokens of the premises among the opinions of a slice."""

    tokenizer: str
    wanted: tuple[str, ...]
    """Opinion ids in order: the pickled task is the same in every run."""

    def __call__(self, unit: Source) -> Iterator[Length | Seen]:
        """One length per premise."""
        for opinion, citations in unit.pairs(self.wanted):
            yield Seen(1, "premises")
            text = without(opinion.text, cuts(opinion.text, citations))
            yield Length(opinion.opinion_id, token_counter(self.tokenizer)(text))


@dataclass(frozen=True)
class Tables:
    """The one unit of the balancing: it needs the whole table, but none of the long texts."""

    paired: Path
    lengths: Path
    cases: Path
    name: str = "all"


@dataclass(frozen=True)
class Balance:
    """The task: groups of one size, a split, and a twin for every example."""

    how: How
    limit: int
    seed: int

    def __call__(self, unit: Tables) -> Iterator[Example | Reject | Seen]:
        """Examples and rejects."""
        items = list(iter_records(unit.paired, Paired))
        yield Seen(len(items), "paired")
        lengths = {row.opinion_id: row.tokens for row in iter_records(unit.lengths, Length)}
        analysis = analysis_subset(lengths, self.limit)
        dates = _dates(unit.cases, {item.item.candidate.citing_case_id for item in items})
        gone = 0
        for row in finished(items, analysis, dates, self.how, self.seed):
            gone += 1 if isinstance(row, Reject) or row.is_twin else 0
            yield row
        if gone != len(items):
            raise StageError(f"{len(items)} paired in, but {gone} twinned and rejected; this is a bug in a step")


def count_lengths(context: Context, paired: StageResult, citations: StageResult) -> StageResult:
    """Run the stage of the lengths; its parts are those of the opinions."""
    model = context.models["tokenizer"]
    tables = [(paired, "paired"), (citations, "citations")]
    inputs = depends(tables, {"tokenizer": model.identity, "corpus": context.corpus_digests}, ["tokenizers"])

    def work() -> Work:
        return sources(context, citations), Count(model.place, _premises_of(paired.table("paired")))

    seconds = 0.02 * paired.tally.out["paired"]
    return context.run(Stage(LENGTHS, {"lengths": Length}, inputs, ("premises", "lengths")), work, seconds)


def balance_examples(context: Context, paired: StageResult, lengths: StageResult) -> StageResult:
    """Run the stage; it is one unit."""
    config = context.config
    options = {"how": config.split.method, "limit": config.balance.analysis_tokens, "seed": context.seed}
    inputs = depends([(paired, "paired"), (lengths, "lengths")], {**options, "corpus": context.corpus_digests})

    def work() -> Work:
        tables = Tables(paired.table("paired"), lengths.table("lengths"), context.corpus / "cases")
        return [tables], Balance(cast(How, config.split.method), config.balance.analysis_tokens, context.seed)

    return context.run(Stage(NAME, {"examples": Example}, inputs), work)


def _premises_of(paired: Path) -> tuple[str, ...]:
    found: set[str] = set()
    for part in iter_parts(paired):
        premises = read_table(part, ["premise"])["premise"]
        found.update(pc.struct_field(premises, "opinion_id").unique().to_pylist())
    return tuple(sorted(found))


def _dates(cases: Path, wanted: set[str]) -> dict[str, str]:
    dates: dict[str, str] = {}
    for part in iter_parts(cases):
        rows = read_table(part, ["case_id", "date"])
        pairs = zip(rows["case_id"].to_pylist(), rows["date"].to_pylist(), strict=True)
        dates.update((case, date) for case, date in pairs if case in wanted)
    return dates
