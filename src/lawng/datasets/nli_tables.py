"""The NLI data sets that are known: their files and parts, the columns of premise, hypothesis and label, label words.

Parts are those that were published, with these exceptions. A set that has no training part of its own, or whose
training part is seldom at hand, is parted by premise (`BY_PREMISE`). ANLI's development data with its authors' analysis
are for testing alone: they come without the training data, as a check from outside. LingNLI's validation is its test.
Training reads no file of part `test`, but to tell the set by its first row.

SciTail's "neutral" says no more than that the premise does not entail: pairs were judged as supporting the hypothesis
or not, contradiction was not told apart (Khot et al. 2018). So it is read like DocNLI's "not_entailment".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from lawng.datasets.nli_files import (
    Read,
    Row,
    plain_name,
    read_agreements,
    read_csv,
    read_json,
    read_parquet,
    read_tabs,
)
from lawng.datasets.splits import part_of, part_of_case
from lawng.schema.labels import Label, label_of
from lawng.schema.views import COLUMNS, SHORT
from lawng.text.windows import best_window

NOT_ENTAILED = (Label.NEUTRAL, Label.CONTRADICTION)
"""What "not_entailment" of a two-label set means: one of two, not known which."""
NO_GOLD = frozenset({"-", "hidden"})
"""Labels of rows without a gold label: no majority of annotators (SNLI, MultiNLI), or held back (FEVER-NLI)."""
_COMMON = frozenset({"train", "dev", "val", "validation", "test", "dataset"})
"""Names that files of many data sets have: the columns tell which one it is."""
_TWO_LABELS = {"entailment": (Label.ENTAILMENT,), "not_entailment": NOT_ENTAILED}


class Part(NamedTuple):
    """How many per cent of a file's premises are of which part; the rest is test."""

    train: int = 0
    dev: int = 0

    def of(self, premise: str) -> str:
        """The part that a row with this premise belongs to."""
        return part_of(premise, self.train, self.dev)


TRAIN, DEV, TEST = Part(train=100), Part(dev=100), Part()
BY_PREMISE = Part(train=75, dev=5)


class Made(NamedTuple):
    """What a row of a data set says."""

    key: str
    premise: str
    hypothesis: str
    gold: Sequence[Label]
    """Empty where the row has no gold label."""
    part: str


@dataclass(frozen=True, slots=True)
class Table:
    """Files of one data set that have the same columns."""

    name: str
    files: Mapping[str, Part]
    """How the paths end, without ".gz"."""
    read: Read
    premise: tuple[str, ...]
    """Columns, which are joined by an empty line."""
    hypothesis: str
    label: str
    key: str = ""
    """Column with an id of the row, "" where there is none, or it names several rows."""
    labels: Mapping[str, Sequence[Label]] = field(default_factory=dict)
    """What the label words mean, where `label_of` does not know."""
    columns: tuple[str, ...] = ()
    """All columns, where the file does not name them."""
    sign: tuple[str, ...] = ()
    """Further columns that tell a file of this set from those of others."""
    window: bool = False
    """Whether premises are long, and the best window is taken."""
    cases: tuple[str, ...] = ()
    """Columns with cases, which have parts of their own; a row of a file of another part is in none."""
    split: str = ""
    """Column with the part of a row, where one file has all."""
    views: Mapping[str, str] = field(default_factory=dict)
    """Columns of other premises, by view."""

    def file_of(self, path: Path) -> str:
        """Which of the files a path is, "" if none."""
        return next((file for file in self.files if f"/{plain_name(path)}".endswith(f"/{file}")), "")

    def fits(self, row: Row) -> bool:
        """Whether a row has the columns of this set."""
        return {*self.premise, self.hypothesis, self.label, *filter(None, [self.key]), *self.sign} <= set(row)

    def made(self, row: Row, part: Part, whole: bool = False) -> Made:
        """What a row says; with `whole` long premises are not cut to a window.

        Raises ValueError where a column is missing, or the label is not known.
        """
        premise, hypothesis = "\n\n".join(_text(row, name) for name in self.premise), _text(row, self.hypothesis)
        shown = best_window(premise, hypothesis) if self.window and not whole else premise
        key = str(row.get(self.key, ""))
        return Made(key, shown, hypothesis, self._gold(row), self._part(row, part.of(premise)))

    def seen(self, premise: str) -> Table:
        """The table with another premise, whole, where it has it; else as it is."""
        if not (column := self.views.get(premise)):
            return self
        columns = (column, *(name for name in self.columns if name not in self.premise))
        return replace(self, premise=(column,), columns=columns, window=False)

    def _part(self, row: Row, part: str) -> str:
        """The part of a row, "" where its case is of the other half: what one set tests on none may train on."""
        if self.split:
            word = _text(row, self.split)
            if word not in _SPLITS:
                raise ValueError(f"{self.split} {word!r}")
            return _SPLITS[word]
        own = [part_of_case(_text(row, name)) == "test" for name in self.cases]
        return part if all(of_test == (part == "test") for of_test in own) else ""

    def _gold(self, row: Row) -> Sequence[Label]:
        if self.label not in row:
            raise ValueError(f"no {self.label!r}")
        word = row[self.label]
        if word is None or str(word) in NO_GOLD:
            return ()
        label = label_of(str(word))
        gold = self.labels.get(str(word), ()) if self.labels else (label,) if label else ()
        if not gold:
            raise ValueError(f"label {word!r}")
        return gold


def _text(row: Row, name: str) -> str:
    text = row.get(name)
    if not isinstance(text, str):
        raise ValueError(f"no text in {name!r}")
    return text


def is_common(file: str) -> bool:
    """Whether files of other data sets may have this name too."""
    return Path(file).stem in _COMMON


def stem_of(file: str) -> str:
    """A file's name without its ending.

    >>> stem_of("R1/train.jsonl")
    'R1/train'
    """
    return file.rpartition(".")[0]


def _parts(pattern: str, dev: str = "dev") -> dict[str, Part]:
    return {pattern.format(name): part for name, part in (("train", TRAIN), (dev, DEV), ("test", TEST))}


def _everywhere(folders: Sequence[str], pattern: str) -> dict[str, Part]:
    return {folder + file: part for folder in folders for file, part in _parts(pattern).items()}


def _halves(name: str) -> dict[str, Part]:
    return {f"{name}-dev.txt": BY_PREMISE, f"{name}-test.txt": BY_PREMISE}


_STATES = ("Tennessee", "Idaho")
_ROUNDS = _everywhere(["R1/", "R2/", "R3/", ""], "{}.jsonl")
_ANALYSIS = {f"{start}r{n}_dev.csv": TEST for start in ("ANLI_analysis_", "") for n in (1, 2, 3)}
_MULTINLI = {"train": TRAIN, "dev_matched": DEV, "dev_mismatched": DEV}
_WILLS = [f"{state}{end}" for state in _STATES for end in ("/original_datasets/", "__original_datasets__")]
_PLAIN = ("premise",), "hypothesis", "label"
_TWO_COLUMNS = ("label", "premise", "hypothesis")
_SNLI = ("sentence1",), "sentence2", "gold_label"
_SICK = {"SICK_train.txt": TRAIN, "SICK_trial.txt": DEV, "SICK_test_annotated.txt": TEST}
_SPLITS = {"TRAIN": "train", "TRIAL": "dev", "TEST": "test"}
"""SICK's words for the part of a row."""
CHOICES: Mapping[str, Sequence[Label]] = {
    "Entailment": (Label.ENTAILMENT,), "Contradiction": (Label.CONTRADICTION,), "NotMentioned": (Label.NEUTRAL,)
}  # fmt: skip
"""ContractNLI's."""
_SCITAIL = {"entailment": (Label.ENTAILMENT,), "entails": (Label.ENTAILMENT,), "neutral": NOT_ENTAILED}

TABLES = (
    # Nie et al. 2020: a folder for each round
    Table("anli", _ROUNDS, read_json, ("context",), "hypothesis", "label", "uid"),
    Table("anli", _ANALYSIS, read_csv, ("context",), "statement", "gold_label", "uid"),
    # Glockner et al. 2018: one word exchanged
    Table("breaking", {"dataset.jsonl": BY_PREMISE}, read_json, *_SNLI, "pairID"),
    # Koreeda and Manning 2021, with the spans joined
    Table(
        "contract-nli", _parts("{}.csv", "validation"), read_csv, ("concatenated_spans",), "hypothesis", "label",
        labels={"0": (Label.ENTAILMENT,), "1": (Label.CONTRADICTION,), "2": (Label.NEUTRAL,)}, window=True,
    ),
    # the same as published: whole agreements
    Table(
        "contract-nli", _parts("{}.json"), read_agreements, ("text",), "hypothesis", "choice", "id", CHOICES,
        sign=("document",), window=True,
    ),
    # Liu et al. 2021: its ids name several rows
    Table(
        "control", {"train.jsonl": TRAIN, "dev.jsonl": Part(80, 20), "test.jsonl": TEST}, read_json, *_PLAIN,
        sign=("uid",),
    ),
    # Yin et al. 2021: arrays; and MNLI and FEVER as it has them, without ids
    Table("docnli", _parts("{}.json"), read_json, *_PLAIN, labels=_TWO_LABELS, window=True),
    Table("mnli", _halves("mnli"), read_tabs, *_PLAIN, labels=_TWO_LABELS, columns=_TWO_COLUMNS),
    Table("fever", _halves("fever-nli"), read_tabs, *_PLAIN, labels=_TWO_LABELS, columns=_TWO_COLUMNS),
    # Nie et al. 2019: the claim is the query; the labels of dev and test are hidden; no column is known to name one row
    Table("fever-nli", _parts("{}_fitems.jsonl"), read_json, ("context",), "query", "label"),
    # Sarrouti et al. 2021
    Table("healthver", _everywhere(["healthver_", ""], "{}.csv"), read_csv, ("evidence",), "claim", "label", "id"),
    # a data set that `lawng build` made
    Table(
        "lawngnli", _parts("{}.parquet", "validation"), read_parquet, ("premise_short",), "hypothesis", "label", "id",
        window=True, cases=("premise_case_id", "cited_case_id"),
        columns=("id", "premise_short", "hypothesis", "label", "premise_case_id", "cited_case_id"),
        views={view: column for view, column in COLUMNS.items() if view != SHORT},
    ),
    # the adjusted training set of `lawng study training-set` (LawngNLI, footnote 11)
    Table(
        "retrieval-set", {"train.parquet": TRAIN, "validation.parquet": DEV}, read_parquet, ("premise",), "hypothesis",
        "label", "id", columns=("id", "premise", "hypothesis", "label", "cited_case_id"), sign=("cited_case_id",),
        window=True, cases=("cited_case_id",),
    ),
    # Parrish et al. 2021: the rounds in one file; its ids name three rows each
    Table("lingnli", {"train.jsonl": Part(95, 5), "val.jsonl": TEST}, read_json, *_PLAIN, sign=("pairID",)),
    # Williams et al. 2018
    Table("multinli", {f"multinli_1.0_{end}.jsonl": _MULTINLI[end] for end in _MULTINLI}, read_json, *_SNLI, "pairID"),
    # Kwak et al. 2022: wills of two states; what 0, 1 and 2 mean was read off the rows; ids name several rows
    Table(
        "nli4wills", _everywhere([*_WILLS, ""], "{}.csv"), read_csv, ("statement", "law"), "conditions",
        "classification", window=True,
        labels={"0": (Label.CONTRADICTION,), "1": (Label.ENTAILMENT,), "2": (Label.NEUTRAL,)},
    ),
    # Khot et al. 2018: as SNLI and, without a header, as a table
    Table("scitail", _parts("scitail_1.0_{}.txt"), read_json, *_SNLI, labels=_SCITAIL),
    Table(
        "scitail", _parts("scitail_1.0_{}.tsv"), read_tabs, *_PLAIN, labels=_SCITAIL,
        columns=("premise", "hypothesis", "label"),
    ),
    # Marelli et al. 2014: as SemEval had it, whose trial is its dev part, and in one file
    Table("sick", _SICK, read_tabs, ("sentence_A",), "sentence_B", "entailment_judgment", "pair_ID"),
    Table(
        "sick", {"SICK.txt": TRAIN}, read_tabs, ("sentence_A",), "sentence_B", "entailment_label", "pair_ID",
        split="SemEval_set",
    ),
    # Bowman et al. 2015
    Table("snli", _parts("snli_1.0_{}.jsonl"), read_json, *_SNLI, "pairID"),
    # Schuster et al. 2021
    Table("vitaminc", _parts("{}.jsonl"), read_json, ("evidence",), "claim", "label", "unique_id"),
)  # fmt: skip

TEST_FILES = frozenset(
    f"{table.name}/{stem_of(file)}" for table in TABLES for file, part in table.files.items() if part == TEST
)
"""Names of the files that hold test pairs alone."""
