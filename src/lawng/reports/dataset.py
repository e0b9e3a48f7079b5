"""The data files: examples joined with their premises and provenance, as Parquet and JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from lawng.engine import aside
from lawng.errors import StageError
from lawng.reports.builds import CANDIDATES, EXAMPLES, PREMISES, Build, corpus_table
from lawng.reports.rows import SPLITS, TEXTS, row_schema

ROW_GROUP = 1_000
CHARACTERS = 16_000_000
"""A Parquet row group ends after so many rows or characters, which bounds the writers' memory."""

OPINIONS_AT_ONCE = 256
"""Opinions whose premises are held at once."""


@dataclass(frozen=True, slots=True)
class Written:
    """Rows written per split."""

    rows: dict[str, int]

    @property
    def total(self) -> int:
        """Rows in all splits."""
        return sum(self.rows.values())


def write_dataset(build: Path, corpus: Path) -> Written:
    """Write data/{train,validation,test}.{parquet,jsonl} of a build from its stages 70 and 80.

    Rows come in the order of the stored premises, so that premises are read once and memory holds
    those of `OPINIONS_AT_ONCE` opinions; beside them only names of the cases that occur are kept.
    The folder `data` appears when it is whole. The bytes depend on the stages alone.

    Raises: StageError, when an example lacks its premise: no example is left out silently.
    """
    source = Build(build)
    with aside(build / "data") as folder:
        written = write_rows(dataset_rows(source, corpus), folder)
        _check_complete(source, written)
    return written


def write_rows(rows: Iterable[dict[str, Any]], folder: Path) -> Written:
    """Write rows to one Parquet and one JSON lines file per split; an empty split gets empty files."""
    files = {split: _SplitFiles(folder, split) for split in SPLITS}
    try:
        for row in rows:
            files[row["split"]].add(row)
    finally:
        for file in files.values():
            file.close()
    return Written({split: file.n_rows for split, file in files.items()})


def dataset_rows(build: Build, corpus: Path) -> Iterator[dict[str, Any]]:
    """All rows of the data set, premise by premise; see `lawng.reports.rows.Row` for the columns."""
    names = _case_names(build, corpus)
    premises = build.table(PREMISES, "long_premises")
    for batch in premises.batches(size=OPINIONS_AT_ONCE):
        longs = {row["opinion_id"]: row for row in batch.to_pylist()}
        yield from _rows_of(build, longs, names)


def _rows_of(build: Build, longs: dict[str, dict[str, Any]], names: dict[str, str]) -> Iterator[dict[str, Any]]:
    examples = build.table(EXAMPLES, "examples").find("premise_opinion_id", longs)
    examples.sort(key=lambda e: (e["premise_opinion_id"], e["premise_start"], e["premise_end"], e["example_id"]))
    shorts = _by(build.table(PREMISES, "short_premises").find("opinion_id", longs), "opinion_id", "start", "end")
    views = _by(build.table(PREMISES, "views").find("example_id", (e["example_id"] for e in examples)), "example_id")
    columns = ["candidate_id", "cited_cite", "pin_pages"]
    ids = {e["candidate_id"] for e in examples}
    candidates = _by(build.table(CANDIDATES, "candidates").find("candidate_id", ids, columns), "candidate_id")
    for example in examples:
        place = (example["premise_opinion_id"], example["premise_start"], example["premise_end"])
        parts = shorts.get(place), views.get((example["example_id"],)), candidates.get((example["candidate_id"],))
        if None not in parts:  # else counted: `_check_complete` compares the rows with the examples
            yield _row(_Parts(example, longs[place[0]], *parts), names)  # type: ignore[arg-type]


class _Parts(NamedTuple):
    """The five records that one row is joined from."""

    example: dict[str, Any]
    long: dict[str, Any]
    short: dict[str, Any]
    view: dict[str, Any]
    candidate: dict[str, Any]


def _by(rows: Iterable[dict[str, Any]], *key: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {tuple(row[name] for name in key): row for row in rows}


def _row(parts: _Parts, names: dict[str, str]) -> dict[str, Any]:
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
        "tokens_hypothesis": view["hypothesis_tokens"],
        "tokens_short": short["tokens"],
        "tokens_short_raw": short["tokens_raw"],
        "tokens_long": long["tokens"],
        "tokens_long_raw": long["tokens_raw"],
        **{f"{role}_case_name": names.get(example[f"{role}_case_id"], "") for role in ("citing", "cited", "premise")},
    }
    return {name: row[name] for name in row_schema().names}


def _case_names(build: Build, corpus: Path) -> dict[str, str]:
    columns = ["citing_case_id", "cited_case_id", "premise_case_id"]
    wanted: set[str] = set()
    for batch in build.table(EXAMPLES, "examples").batches(columns):
        for column in columns:
            wanted.update(batch[column].to_pylist())
    names: dict[str, str] = {}
    if not wanted:
        return names  # an empty corpus has no table of cases
    for batch in corpus_table(corpus, "cases").batches(["case_id", "name"]):
        pairs = zip(batch["case_id"].to_pylist(), batch["name"].to_pylist(), strict=True)
        names.update((case, name) for case, name in pairs if case in wanted)
    return names


def _check_complete(build: Build, written: Written) -> None:
    expected = build.table(EXAMPLES, "examples").n_rows
    if written.total != expected:
        raise StageError(
            f"{expected - written.total} of {expected} examples of {build.folder} lack a premise in stage "
            f"{PREMISES}; delete that stage's folder and run `lawng build` again"
        )


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
