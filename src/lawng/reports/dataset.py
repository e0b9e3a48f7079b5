"""The data files: their columns, and examples joined with their premises and provenance as Parquet and JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

from lawng.errors import StageError
from lawng.io import atomic_folder
from lawng.reports.builds import Build, case_names
from lawng.schema.arrow import schema_of

Record = dict[str, Any]
SPLITS = ("train", "validation", "test")
"""The splits in the order in which they are written and shown."""


@dataclass(frozen=True, slots=True)
class Row:
    """One example of the data set with its premises in all granularities and its provenance."""

    id: Annotated[str, "Example id: citing opinion, start of the parenthetical, original or twin."]
    twin_id: Annotated[str, "The example with the same premise and the negated hypothesis."]
    hypothesis: Annotated[str, "What the citing judge says of the cited case, after normalisation (and negation)."]
    hypothesis_source: Annotated[str, "parenthetical (the paper's), or proposition: what the judge cites the page for."]
    label: Annotated[str, "entailment, neutral or contradiction; stored by name."]
    premise_short: Annotated[str, "The cited pages, extended to whole paragraphs, citations removed."]
    premise_long: Annotated[str, "The whole majority opinion, citations removed."]
    premise_short_raw: Annotated[str, "The cited pages as in the opinion."]
    premise_long_raw: Annotated[str, "The majority opinion as in the source."]
    premise_long_prepended: Annotated[str, "premise_long with its last paragraphs copied to its beginning."]
    premise_bm25_short: Annotated[str, "The best paragraphs of the short premise by BM25, in document order."]
    premise_bm25_long: Annotated[str, "The best paragraphs of the long premise by BM25, in document order."]
    pivotal_negation: Annotated[bool, "Whether the hypothesis contains pivotal negation."]
    is_twin: Annotated[
        bool, "Whether it was made of the other of its pair, by negating the hypothesis or setting it back."
    ]
    analysis: Annotated[bool, "Whether the long premise is within the analysis subset's token limit."]
    split: Annotated[str, "train, validation or test."]
    original_label: Annotated[str, "Label of the original member of the pair."]
    jurisdiction: Annotated[str, "State of the cited case, or us for every federal court."]
    steps: Annotated[list[str], "What was done to the hypothesis, in order."]
    citing_case_id: Annotated[str, "Case whose judge wrote the parenthetical."]
    citing_case_name: Annotated[str, "Its name."]
    citing_opinion_id: Annotated[str, "Opinion that the parenthetical stands in."]
    citing_start: Annotated[int, "First character of the parenthetical in that opinion's text."]
    citing_end: Annotated[int, "End (exclusive) of the parenthetical in that opinion's text."]
    citing_page: Annotated[str, "Reporter page that the parenthetical stands on, empty where not marked."]
    cited_case_id: Annotated[str, "Case that the parenthetical describes."]
    cited_case_name: Annotated[str, "Its name."]
    cited_cite: Annotated[str, "Reporter citation that the pin belongs to."]
    cited_pages: Annotated[list[int], "Pages that the pin names."]
    pin_cite: Annotated[str, "Pin as written."]
    premise_case_id: Annotated[str, "Case of the premise; the cited case, except in neutral examples."]
    premise_case_name: Annotated[str, "Its name."]
    premise_opinion_id: Annotated[str, "Majority opinion that the premises come from."]
    premise_start: Annotated[int, "First character of the short premise in that opinion's text."]
    premise_end: Annotated[int, "End (exclusive) of the short premise in that opinion's text."]
    premise_pages: Annotated[list[int], "Reporter pages of the short premise."]
    overlap: Annotated[float, "Share of the hypothesis's word pairs that premise_short has: the higher, the easier."]
    tokens_hypothesis: Annotated[int, "Tokens of the hypothesis."]
    tokens_short: Annotated[int, "Tokens of premise_short."]
    tokens_long: Annotated[int, "Tokens of premise_long."]
    tokens_short_raw: Annotated[int, "Tokens of premise_short_raw."]
    tokens_long_raw: Annotated[int, "Tokens of premise_long_raw."]


BASES = {
    "hypothesis": "parenthetical",
    "premise_short_raw": "cited-pages",
    "premise_long_raw": "opinion",
    "premise_short": "premise_short_raw",
    "premise_long": "premise_long_raw",
    "premise_long_prepended": "premise_long",
    "premise_bm25_short": "premise_short",
    "premise_bm25_long": "premise_long",
}
"""What each text is made from, in the order of making: a span of an opinion of the corpus, or an earlier text.

A parenthetical's white space is collapsed first, as in `Candidate.hypothesis`."""
TEXTS = tuple(BASES)
"""The columns that hold text of opinions or made from it; a release without text leaves them out."""


@cache
def row_schema() -> pa.Schema:
    """The Arrow schema of the data files.

    Plain strings instead of large ones: `datasets.ClassLabel` reads label names only from those.

    >>> row_schema().field("label").type
    DataType(string)
    """
    return pa.schema([column.with_type(_small(column.type)) for column in schema_of(Row)])


def column_notes() -> dict[str, str]:
    """What each column holds, by name, in column order."""
    return {name: hint.__metadata__[0] for name, hint in get_type_hints(Row, include_extras=True).items()}


def _small(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_large_list(kind):
        return pa.list_(_small(kind.value_type))
    return pa.string() if pa.types.is_large_string(kind) else kind


ROW_GROUP = 1_000
CHARACTERS = 16_000_000
"""A Parquet row group ends after so many rows or characters, which bounds the writers' memory."""

OPINIONS_AT_ONCE = 256
"""Opinions whose premises are held at once."""


def write_dataset(build: Path, corpus: Path) -> dict[str, int]:
    """Write data/{train,validation,test}.{parquet,jsonl} of a build from its stages 70 and 80; rows by split.

    Rows come in the order of the stored premises, so that premises are read once and memory holds
    those of `OPINIONS_AT_ONCE` opinions; beside them only names of the cases that occur are kept.
    The folder `data` appears when it is whole. The bytes depend on the stages alone.

    Raises: StageError, when an example lacks its premise: no example is left out silently.
    """
    source = Build(build)
    with atomic_folder(build / "data") as folder:
        written = write_rows(dataset_rows(source, corpus), folder)
        expected, found = source.table("examples").n_rows, sum(written.values())
        if found != expected:
            raise StageError(
                f"{expected - found} of {expected} examples of {build} lack a premise in stage "
                "80-premises; delete that stage's folder and run `lawng build` again"
            )
    return written


def write_rows(rows: Iterable[dict[str, Any]], folder: Path) -> dict[str, int]:
    """Write rows to one Parquet and one JSON lines file per split, empty ones for an empty split; rows by split."""
    files = {split: _SplitFiles(folder, split) for split in SPLITS}
    try:
        for row in rows:
            files[row["split"]].add(row)
    finally:
        for file in files.values():
            file.close()
    return {split: file.n_rows for split, file in files.items()}


def dataset_rows(build: Build, corpus: Path) -> Iterator[dict[str, Any]]:
    """All rows of the data set, premise by premise; see `lawng.reports.dataset.Row` for the columns."""
    columns = ["citing_case_id", "cited_case_id", "premise_case_id"]
    wanted = {
        case for batch in build.table("examples").batches(columns) for c in columns for case in batch[c].to_pylist()
    }
    names = case_names(corpus, wanted)
    for batch in build.table("long_premises").batches(size=OPINIONS_AT_ONCE):
        longs = {row["opinion_id"]: row for row in batch.to_pylist()}
        yield from _rows_of(build, longs, names)


def _rows_of(build: Build, longs: dict[str, dict[str, Any]], names: dict[str, str]) -> Iterator[dict[str, Any]]:
    examples = build.table("examples").find("premise_opinion_id", longs)
    examples.sort(key=lambda e: (e["premise_opinion_id"], e["premise_start"], e["premise_end"], e["example_id"]))
    shorts = _by(build.table("short_premises").find("opinion_id", longs), "opinion_id", "start", "end")
    views = _by(build.table("views").find("example_id", (e["example_id"] for e in examples)), "example_id")
    columns = ["candidate_id", "cited_cite", "pin_pages"]
    ids = {e["candidate_id"] for e in examples}
    candidates = _by(build.table("candidates").find("candidate_id", ids, columns), "candidate_id")
    for example in examples:
        place = (example["premise_opinion_id"], example["premise_start"], example["premise_end"])
        parts = shorts.get(place), views.get((example["example_id"],)), candidates.get((example["candidate_id"],))
        if None not in parts:  # else counted: `write_dataset` compares the rows with the examples
            yield _row((example, longs[place[0]], *parts), names)  # type: ignore[arg-type]


def _by(rows: Iterable[dict[str, Any]], *key: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {tuple(row[name] for name in key): row for row in rows}


def _row(parts: tuple[Record, Record, Record, Record, Record], names: dict[str, str]) -> Record:
    example, long, short, view, candidate = parts
    row = {
        **{key: example[key] for key in row_schema().names if key in example},
        "id": example["example_id"],
        "premise_short": short["text"],
        "premise_short_raw": short["raw"],
        "premise_long": long["text"],
        "premise_long_raw": long["raw"],
        "premise_long_prepended": long["prepended"],
        "premise_bm25_short": view["bm25_short"],
        "premise_bm25_long": view["bm25_long"],
        "citing_start": example["start"],
        "citing_end": example["end"],
        "cited_cite": candidate["cited_cite"],
        "cited_pages": candidate["pin_pages"],
        "premise_pages": example["premise_pin_pages"],
        "overlap": view["overlap"],
        "tokens_hypothesis": view["hypothesis_tokens"],
        "tokens_short": short["tokens"],
        "tokens_short_raw": short["tokens_raw"],
        "tokens_long": long["tokens"],
        "tokens_long_raw": long["tokens_raw"],
        **{f"{role}_case_name": names.get(example[f"{role}_case_id"], "") for role in ("citing", "cited", "premise")},
    }
    return {name: row[name] for name in row_schema().names}


class _SplitFiles:
    """The Parquet and the JSON lines file of one split, filled row group by row group."""

    def __init__(self, folder: Path, split: str) -> None:
        self.n_rows = 0
        self._rows: list[dict[str, Any]] = []
        self._characters = 0
        self._parquet = pq.ParquetWriter(folder / f"{split}.parquet", row_schema(), compression="zstd")
        self._lines = (folder / f"{split}.jsonl").open("w", encoding="utf-8", newline="\n")

    def add(self, row: dict[str, Any]) -> None:
        self._lines.write(json.dumps(row, ensure_ascii=False) + "\n")
        self._rows.append(row)
        self.n_rows += 1
        self._characters += sum(len(row[name]) for name in TEXTS)
        if len(self._rows) == ROW_GROUP or self._characters >= CHARACTERS:
            self._flush()

    def close(self) -> None:
        if self._rows:
            self._flush()
        self._parquet.close()
        self._lines.close()

    def _flush(self) -> None:
        self._parquet.write_table(pa.Table.from_pylist(self._rows, schema=row_schema()))
        self._rows, self._characters = [], 0
