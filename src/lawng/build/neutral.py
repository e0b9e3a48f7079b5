"""Stage 60-neutral: another premise for each hypothesis, one jurisdiction at a time (LawngNLI, A.1.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lawng.build.candidates import Passage, passage_key
from lawng.build.citations import cite_index
from lawng.build.cites import CiteIndex
from lawng.build.context import Context, Work, depends
from lawng.build.vectors import StoredEmbedder, Vector
from lawng.engine import Seen, Stage, StageResult, iter_parts, iter_records, read_table, regroup, write_lookup
from lawng.nli.neutral import Network, citation_network, neutralise
from lawng.nli.records import Labelled, Paired, Premise
from lawng.records import Reject

NAME = "60-neutral"

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Jurisdiction:
    """A unit: the hypotheses about cases of one state, or of the federal courts."""

    name: str
    part: Path


@dataclass(frozen=True)
class Neutralise:
    """The task: the hypotheses of a jurisdiction, paired."""

    passages: Mapping[str, Passage]
    embedder: StoredEmbedder
    pairs: Pairs
    """(citing case, cited case): sorted, so that the pickled task is the same in every run."""
    top_k: int
    max_overlap: float

    def __call__(self, unit: Jurisdiction) -> Iterator[Paired | Reject | Seen]:
        """Paired hypotheses and rejects."""
        items = list(iter_records(unit.part, Labelled))
        yield Seen(len(items), "labelled")
        yield from neutralise(
            items, self._text_of, self._network, self.embedder, top=self.top_k, max_overlap=self.max_overlap
        )

    @cached_property
    def _network(self) -> Network:
        return citation_network(self.pairs)

    def _text_of(self, premise: Premise) -> str:
        return self.passages[passage_key(premise)].text


def pair_premises(
    context: Context, labelled: StageResult, vectors: StageResult, candidates: StageResult, citations: StageResult
) -> StageResult:
    """Run the stage; one part per jurisdiction."""
    sources = [(labelled, "labelled"), (vectors, "vectors"), (candidates, "passages"), (citations, "citations")]
    overlap = context.config.difficulty.max_overlap
    top_k = context.config.neutral.top_k
    options = {"top_k": top_k, "max_overlap": overlap, "corpus": context.corpus_digests}
    inputs = depends(sources, options, ["faiss-cpu"])

    def work() -> Work:
        table = labelled.table("labelled")
        passages = write_lookup(candidates.table("passages"), Passage, "key", context.scratch("passages.arrow"))
        stored = write_lookup(_distinct(vectors.table("vectors")), Vector, "key", context.scratch("vectors.arrow"))
        model = StoredEmbedder(context.models["embedder"].name, stored)
        pairs = _pairs(context, _cases_of(table), citations.table("citations"))
        task = Neutralise(passages, model, pairs, top_k, overlap)
        return _jurisdictions(table, context.scratch("labelled")), task

    seconds = 0.02 * labelled.tally.out["labelled"]
    return context.run(Stage(NAME, {"paired": Paired}, inputs, ("labelled", "paired")), work, seconds)


def _distinct(vectors: Path) -> pa.Table:
    # one text may stand in several parts; the first vector is as good as the others
    rows = read_table(vectors)
    keys = rows.append_column("at", pa.array(range(rows.num_rows))).group_by("key").aggregate([("at", "min")])
    return rows.take(keys["at_min"])


def _jurisdictions(table: Path, out: Path) -> list[Jurisdiction]:
    names = sorted({name for part in iter_parts(table) for name in _column(part, "jurisdiction").unique().to_pylist()})
    places = pa.array(names, pa.large_string())
    files = regroup(table, lambda rows: pc.index_in(_nested(rows, "jurisdiction"), places), max(1, len(names)), out)
    return [Jurisdiction(name, file) for name, file in zip(names, files, strict=False)]


def _cases_of(table: Path) -> set[str]:
    """The cases whose neighbours matter: those that the hypotheses come from, and those that have a premise."""
    columns = ("citing_case_id", "cited_case_id")
    return {case for part in iter_parts(table) for name in columns for case in _column(part, name).unique().to_pylist()}


def _pairs(context: Context, wanted: set[str], citations: Path) -> Pairs:
    """Who cites whom among the wanted cases, by the citations found and by the source's own network."""
    found = set(_found_pairs(citations, wanted))
    found |= set(_told_pairs(context.corpus / "cases", wanted, cite_index(context)))
    return tuple(sorted(found))


def _found_pairs(citations: Path, wanted: set[str]) -> Iterator[tuple[str, str]]:
    ids = pa.array(sorted(wanted), pa.large_string())
    for part in iter_parts(citations):
        rows = read_table(part, ["opinion_id", "cited_case_id"])
        rows = rows.filter(pc.is_in(rows["cited_case_id"], ids)).group_by(rows.column_names).aggregate([])
        for row in rows.to_pylist():
            citing = row["opinion_id"].rpartition("/")[0]
            if citing in wanted:
                yield citing, row["cited_case_id"]


def _told_pairs(cases: Path, wanted: set[str], cites: CiteIndex) -> Iterator[tuple[str, str]]:
    ids = pa.array(sorted(wanted), pa.large_string())
    for part in iter_parts(cases):
        rows = read_table(part, ["case_id", "cites_to"])
        for row in rows.filter(pc.is_in(rows["case_id"], ids)).to_pylist():
            yield from ((row["case_id"], cited) for cited in _resolved(row["cites_to"], cites) if cited in wanted)


def _resolved(names: Iterable[str], cites: CiteIndex) -> Iterator[str]:
    return (case for cite in names if (case := cites.case_of(cite)))


def _column(part: Path, name: str) -> pa.ChunkedArray:
    return _nested(read_table(part, ["candidate"]), name)


def _nested(rows: pa.Table, name: str) -> pa.ChunkedArray:
    return pc.struct_field(rows["candidate"], name)
