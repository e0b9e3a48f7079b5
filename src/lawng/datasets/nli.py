"""NLI data sets as pairs, one small reader each; what may be trained on is decided here once for all."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from lawng.datasets.splits import part_of
from lawng.errors import InputError
from lawng.schema.labels import Label, label_of
from lawng.text.windows import best_window

NOT_ENTAILED = (Label.NEUTRAL, Label.CONTRADICTION)
"""What "not_entailment" of a two-label set means: one of two, not known which."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A premise and a hypothesis with the labels that are right."""

    pair_id: str
    premise: str
    hypothesis: str
    gold: list[str]
    """One label; or two, where the source does not tell which of them it is."""
    source: str
    part: str
    """`train`, `dev` or `test`."""
    twin_id: str = ""
    """Of the pair with the same premise and the negated hypothesis, "" when there is none."""
    negated: bool = False
    """Whether the hypothesis is one that the negation algorithm made."""


class Source(NamedTuple):
    """A file of NLI data."""

    name: str
    path: Path


def find_sources(paths: Iterable[str | Path]) -> list[Source]:
    """The files of known data sets at or under the paths, by name; ConTRoL's test file is for evaluation alone.

    Raises InputError when a path is not there, or holds none.
    """
    found: list[Source] = []
    for path in map(Path, paths):
        if not path.exists():
            raise InputError(f"{path}: is not there; name a file or folder of NLI data with --data")
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        known = [Source(name, file) for file in files for name in [_name(file)] if name]
        if not known:
            names = ", ".join(sorted(name for names in _READERS.values() for name in names.files))
            raise InputError(f"{path}: no NLI data known here; known are files named {names}")
        found += known
    return sorted(set(found))


def read_source(source: Source) -> Iterator[Pair]:
    """The pairs of a file, in its order.

    Raises InputError naming file and line where a line is not of its format.
    """
    reader = _READERS[source.name.partition("/")[0]].read
    try:
        for number, (key, premise, hypothesis, gold, part) in enumerate(reader(source.path), 1):
            yield Pair(f"{source.name}:{key or number}", premise, hypothesis, [*gold], source.name.split("/")[0], part)
    except (ValueError, KeyError, pa.ArrowInvalid) as error:
        said = (str(error).splitlines() or [""])[0][:100]
        raise InputError(f"{source.path}: not a file of {source.name} ({said}); give it as published") from error


Row = tuple[str, str, str, tuple[Label, ...], str]
"""Key, premise, hypothesis, right labels, part."""


def read_sick(path: Path) -> Iterator[Row]:
    """SICK (Marelli et al. 2014): tab-separated with a header; trial is its dev part."""
    part = {"SICK_train.txt": "train", "SICK_trial.txt": "dev"}.get(path.name, "test")
    for line in _lines(path)[1:]:
        key, premise, hypothesis, _, label = line.split("\t")
        yield key, premise, hypothesis, (_label(label),), part


def read_two_label(path: Path) -> Iterator[Row]:
    """MNLI and FEVER as DocNLI (Yin et al. 2021) has them: label, premise, hypothesis; the part is by premise."""
    for line in _lines(path):
        label, premise, hypothesis = line.split("\t")
        if label not in ("entailment", "not_entailment"):
            raise ValueError(f"label {label!r}")
        gold = (Label.ENTAILMENT,) if label == "entailment" else NOT_ENTAILED
        yield "", premise, hypothesis, gold, part_of(premise)


def read_breaking(path: Path) -> Iterator[Row]:
    """Breaking NLI (Glockner et al. 2018): one word exchanged; the part is by premise."""
    for row in _json_lines(path):
        premise = str(row["sentence1"])
        yield str(row["pairID"]), premise, str(row["sentence2"]), (_label(str(row["gold_label"])),), part_of(premise)


def read_control(path: Path) -> Iterator[Row]:
    """ConTRoL (Liu et al. 2021): dev is parted by premise 80 to 20 into train and dev, test is test."""
    labels = {"e": Label.ENTAILMENT, "n": Label.NEUTRAL, "c": Label.CONTRADICTION}
    for number, row in enumerate(_json_lines(path), 1):
        premise = str(row["premise"])
        part = "test" if path.name == "test.jsonl" else part_of(premise, train=80, dev=20)
        yield f"{number}", premise, str(row["hypothesis"]), (labels[str(row["label"])],), part  # uids are not unique


def read_lingnli(path: Path) -> Iterator[Row]:
    """LingNLI (Parrish et al. 2021): gzipped JSON lines; the part is by premise, its own validation is test."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, filter(str.strip, lines)):
            premise = str(row["premise"])
            part = "test" if path.name.startswith("val") else part_of(premise, train=95, dev=5)
            yield f"{row['pairID']}", premise, str(row["hypothesis"]), (_label(str(row["label"])),), part


def read_contract_nli(path: Path) -> Iterator[Row]:
    """ContractNLI (Koreeda and Manning 2021) with its spans joined: a window of them; validation is its dev part."""
    labels = {"0": Label.ENTAILMENT, "1": Label.CONTRADICTION, "2": Label.NEUTRAL}
    part = "dev" if path.stem == "validation" else path.stem
    with path.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            premise = best_window(row["concatenated_spans"], row["hypothesis"])
            yield "", premise, row["hypothesis"], (labels[row["label"]],), part


def read_lawngnli(path: Path) -> Iterator[Row]:
    """A data set that `lawng build` made: the best window of the short premise; validation is its dev part."""
    part = "dev" if path.stem == "validation" else path.stem
    for row in pq.read_table(path, columns=["id", "premise_short", "hypothesis", "label"]).to_pylist():
        premise = best_window(row["premise_short"], row["hypothesis"])
        yield row["id"], premise, row["hypothesis"], (_label(row["label"]),), part


class _Reader(NamedTuple):
    files: frozenset[str]
    read: Callable[[Path], Iterator[Row]]
    sign: str = ""
    """What the first line must hold, where the file's name is a common one."""


_READERS: Mapping[str, _Reader] = {
    "sick": _Reader(frozenset({"SICK_train.txt", "SICK_trial.txt", "SICK_test_annotated.txt"}), read_sick),
    "mnli": _Reader(frozenset({"mnli-dev.txt", "mnli-test.txt"}), read_two_label),
    "fever": _Reader(frozenset({"fever-nli-dev.txt", "fever-nli-test.txt"}), read_two_label),
    "breaking": _Reader(frozenset({"dataset.jsonl"}), read_breaking, '"gold_label"'),
    "control": _Reader(frozenset({"dev.jsonl", "test.jsonl"}), read_control, '"hypothesis"'),
    "lingnli": _Reader(frozenset({"train.jsonl.gz", "val.jsonl.gz"}), read_lingnli),
    "contract-nli": _Reader(
        frozenset({"train.csv", "validation.csv", "test.csv"}), read_contract_nli, "concatenated_spans"
    ),
    "lawngnli": _Reader(frozenset({"train.parquet", "validation.parquet", "test.parquet"}), read_lawngnli),
}


def _name(file: Path) -> str:
    for name, reader in _READERS.items():
        if file.name in reader.files and file.is_file() and (not reader.sign or reader.sign in _first_line(file)):
            return f"{name}/{file.stem}"
    return ""


def _first_line(file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as lines:
        return lines.readline()


def _lines(path: Path) -> list[str]:
    # not splitlines(): the texts hold other separators that Unicode counts as line ends
    return [line.rstrip("\r") for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def _json_lines(path: Path) -> Iterator[dict[str, object]]:
    for line in _lines(path):
        yield json.loads(line)


def _label(word: str) -> Label:
    label = label_of(word)
    if label is None:
        raise ValueError(f"label {word!r}")
    return label
