"""A release without text: ids, spans, labels, what was done and digests; and the data set made from it again."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from lawng import __version__
from lawng.engine import aside
from lawng.errors import InputError
from lawng.reports.builds import Build, write_text
from lawng.reports.dataset import write_rows
from lawng.reports.delta import Delta, delta_of, patched, written_out
from lawng.reports.opinions import Opinions
from lawng.reports.rows import SPLITS, TEXTS, row_schema

KIND = "lawng-ids"

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
"""What each text is made from, in the order of making: a span of an opinion of the corpus, or an earlier text."""

STATUSES = ("same", "differs", "missing")


@dataclass(frozen=True, slots=True)
class Exported:
    """How many examples a release has, and how much of their texts it had to write out."""

    n: int
    characters: int
    """Of all texts."""
    written_out: int
    """Of those, characters in the release: words that the construction put in, such as "did not"."""


@dataclass(slots=True)
class Rebuilt:
    """What became of the rows of a release, one status each."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[dict[str, Any]] = field(default_factory=list)
    """Rows that are not the same: id, status, and which texts differ or what is missing."""


def export_ids(build: Build, corpus: Path, output: Path) -> Exported:
    """Write a release without text of a build: JSON lines, a header and then one line per example.

    A line has the row's columns without the texts, and for each text its SHA-256 and how it is made
    (`lawng.reports.delta`) from the corpus.

    Raises InputError when the corpus lacks an opinion: it is not the one that the build was made from.
    """
    counts: Counter[str] = Counter()
    opinions = Opinions(corpus)
    partial = output.with_name(output.name + ".partial")
    with partial.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_line({"kind": KIND, "version": __version__, "seed": build.manifest().get("seed")}))
        for row in data_rows(build):
            file.write(_line(_stripped(row, opinions, counts)))
    partial.replace(output)
    return Exported(counts["n"], counts["characters"], counts["written_out"])


def data_rows(build: Build) -> Iterator[dict[str, Any]]:
    """The rows of the data files, split by split, streaming."""
    for split in SPLITS:
        with pq.ParquetFile(build.folder / "data" / f"{split}.parquet") as file:
            for batch in file.iter_batches(64):
                yield from batch.to_pylist()


def rebuild(ids: Path, corpus: Path, output: Path) -> Rebuilt:
    """Make the data set of a release again from a corpus: `output` gets data/ and differences.jsonl.

    Rows whose texts all have the digests of the release are written; the others are listed with what differs.

    Raises InputError when `ids` is not a release; nothing is written then.
    """
    rebuilt, opinions = Rebuilt(), Opinions(corpus)
    with aside(output) as folder:
        (folder / "data").mkdir(exist_ok=True)
        write_rows(_same_rows(ids, opinions, rebuilt), folder / "data")
        write_text(folder / "differences.jsonl", "".join(map(_line, rebuilt.differences)))
    return rebuilt


def _same_rows(ids: Path, opinions: Opinions, rebuilt: Rebuilt) -> Iterator[dict[str, Any]]:
    for line in _read_ids(ids):
        row, fault = _restored(line, opinions)
        rebuilt.counts[fault["status"] if fault else "same"] += 1
        if fault:
            rebuilt.differences.append({"id": line["id"], **fault})
        else:
            yield {name: row[name] for name in row_schema().names}


def _stripped(row: dict[str, Any], opinions: Opinions, counts: Counter[str]) -> dict[str, Any]:
    sources = _sources(row, opinions)
    if None in sources.values():
        raise InputError(f"the corpus lacks an opinion of {row['id']}; name the corpus that the build was made from")
    texts = {**sources, **{name: row[name] for name in TEXTS}}
    deltas: dict[str, Delta] = {name: delta_of(texts[base], texts[name]) for name, base in _MAKING}
    counts["n"] += 1
    counts["characters"] += sum(len(row[name]) for name in TEXTS)
    counts["written_out"] += sum(map(written_out, deltas.values()))
    made = {name: {"sha256": _digest(row[name]), "from": delta} for name, delta in deltas.items()}
    return {**{name: value for name, value in row.items() if name not in TEXTS}, "texts": made}


_MAKING = tuple(BASES.items())


def _restored(line: dict[str, Any], opinions: Opinions) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The row, and what is wrong with it if anything."""
    sources = _sources(line, opinions)
    if lost := [name for name, text in sources.items() if text is None]:
        where = {line["citing_opinion_id"] if name == "parenthetical" else line["premise_opinion_id"] for name in lost}
        return {}, {"status": "missing", "opinions": sorted(where)}
    texts: dict[str, Any] = dict(sources)
    for name, base in _MAKING:
        texts[name] = _made(texts[base], line["texts"][name]["from"])
    changed = [name for name in BASES if _digest(texts[name]) != line["texts"][name]["sha256"]]
    if changed:
        return {}, {"status": "differs", "texts": changed}
    return {**{key: value for key, value in line.items() if key != "texts"}, **texts}, None


def _made(base: str, delta: list[Any]) -> str:
    try:
        return patched(base, delta)
    except ValueError:
        return ""  # the base is another one: the digest tells


def _sources(row: dict[str, Any], opinions: Opinions) -> dict[str, str | None]:
    citing, premise = opinions.text(row["citing_opinion_id"]), opinions.text(row["premise_opinion_id"])
    return {
        "parenthetical": citing and citing[row["citing_start"] : row["citing_end"]],
        "cited-pages": premise and premise[row["premise_start"] : row["premise_end"]],
        "opinion": premise,
    }


def _read_ids(path: Path) -> Iterator[dict[str, Any]]:
    with _opened(path) as file:
        header = _parsed(path, 1, file.readline())
        if header.get("kind") != KIND:
            raise InputError(
                f"{path} is not a release of ids: its first line is no header; make one with `lawng export`"
            )
        for number, line in enumerate(file, start=2):
            row = _parsed(path, number, line)
            if lacking := [name for name in (*_PLAIN, "texts") if name not in row]:
                raise InputError(f"{path}, line {number}: {', '.join(lacking)} missing; export the release again")
            yield row


_PLAIN = tuple(name for name in row_schema().names if name not in TEXTS)


def _opened(path: Path) -> Any:
    try:
        return path.open(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; name a file made by `lawng export --ids`") from error


def _parsed(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except ValueError as error:
        raise InputError(f"{path}, line {number}: not JSON ({error}); export the release again") from error
    if not isinstance(content, dict):
        raise InputError(f"{path}, line {number}: a JSON object was expected; export the release again")
    return content


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"
