"""What the study asks: examples whose premise is there in several lengths, from a build or from ContractNLI.

read_benchmark(folder) -> Benchmark(train, dev, test)     unseen(benchmark) -> its tests ask what no training had
pairs_of(examples, view) -> pairs as a model reads them
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pyarrow.parquet as pq

from lawng.datasets.nli import Pair, find_sources, read_source
from lawng.datasets.nli_files import BROKEN, read_agreements
from lawng.datasets.nli_tables import CHOICES
from lawng.datasets.recipe import TEST_ONLY
from lawng.errors import InputError
from lawng.schema.labels import Label
from lawng.schema.views import COLUMNS, FILTERED, HYPOTHESIS, LONG, ONLY, SHORT, shown
from lawng.studies.harness import Say, unsaid
from lawng.text.paragraphs import BREAK, bm25_view

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, slots=True)
class Example:
    """A hypothesis with its label, and what is there of its premise."""

    key: str
    hypothesis: str
    label: Label
    premises: Mapping[str, str]
    """By view; ContractNLI's training spans have no long one."""
    case_id: str
    """What the premise is of: errors of one case come together."""
    negated: bool
    """Whether the hypothesis has pivotal negation; of ContractNLI, "not"."""
    made: bool
    """Whether the negation algorithm made it."""
    source: str
    """Where the hypothesis comes from."""


@dataclass(frozen=True)
class Benchmark:
    """The examples of a study."""

    name: str
    splits: Mapping[str, Sequence[Example]] = field(default_factory=dict)

    def of(self, split: str, view: str) -> list[Example]:
        """Those of a split that have what a view shows; a test of the hypothesis alone asks those of long premises.

        >>> Benchmark("none").of("test", "long")
        []
        """
        alone = (LONG,) if split == "test" else ()
        needed = alone if view == HYPOTHESIS else (view.removeprefix(ONLY),)
        return [one for one in self.splits.get(split, ()) if all(name in one.premises for name in needed)]


def read_benchmark(folder: Path, whole: bool = False, prepended: bool = False) -> Benchmark:
    """The examples of a folder: a build's `data`, or ContractNLI's files (spans to train on, whole agreements to test).

    Of a build only the analysis subset is taken, premises of at most 4,096 tokens (section 4), unless `whole`. With
    `prepended` its long premises have their last paragraphs, at least 512 tokens, copied to their front (A.1.9).
    Raises InputError when the folder holds neither, or a file is not of its format.
    """
    if (folder / "data" / "test.parquet").is_file():
        columns = COLUMNS if prepended else COLUMNS | {LONG: "premise_long"}
        return Benchmark("lawngnli", {split: list(_built(folder / "data", split, whole, columns)) for split in SPLITS})
    if (folder / "orig_test.json").is_file():
        return _contract_nli(folder)
    raise InputError(f"{folder}: no data set here; name a folder that `lawng build` made, or ContractNLI's files")


def unseen(benchmark: Benchmark) -> Benchmark:
    """A benchmark whose test asks half of its hypotheses, while the rest of it has the other half.

    For data that ask all premises the same few hypotheses, as ContractNLI does (seventeen): else a model trained on
    them knows their answers without a premise. Which half, their SHA-256 says. Raises InputError for one hypothesis.

    >>> unseen(Benchmark("none"))
    Traceback (most recent call last):
    ...
    lawng.errors.InputError: none: it takes two hypotheses at least to ask others than were trained on
    """
    texts = {one.hypothesis for rows in benchmark.splits.values() for one in rows}
    if len(texts) < 2:
        raise InputError(f"{benchmark.name}: it takes two hypotheses at least to ask others than were trained on")
    asked = {*sorted(texts, key=lambda text: sha256(text.encode()).hexdigest())[: len(texts) // 2]}
    return Benchmark(
        f"{benchmark.name}, unseen hypotheses",
        {
            split: [one for one in rows if (one.hypothesis in asked) == (split == "test")]
            for split, rows in benchmark.splits.items()
        },
    )


def pairs_of(examples: Iterable[Example], view: str, part: str = "test") -> list[Pair]:
    """The pairs that a model reads: with the view `hypothesis` the premise is "", with `only-...` the hypothesis is."""
    return [
        Pair(
            one.key,
            *shown(view, "" if view == HYPOTHESIS else one.premises[view.removeprefix(ONLY)], one.hypothesis),
            [str(one.label)],
            one.source,
            part,
        )
        for one in examples
    ]


def intermediate_pairs(place: str, say: Say = unsaid) -> list[Pair]:
    """The pairs of other NLI data that may be trained on, and those of its dev part; `say` is told what is left out.

    Premises are whole: how much a model reads of them is its own affair. Raises InputError where there are none.
    """
    sources = [one for one in find_sources([place]) if one.name not in TEST_ONLY]
    pairs = [pair for source in sources for pair in read_source(source, say, whole=True) if pair.part != "test"]
    if not any(pair.part == "train" for pair in pairs):
        raise InputError(f"{place}: nothing to train on; the data given hold test pairs alone")
    return pairs


def gold_labels(path: str | Path, test: Sequence[Example], say: Say = unsaid) -> dict[str, Label]:
    """What people say of test examples with the long premise, by example: the `gold.csv` of `lawng annotate gold`.

    `say` is told of those that are of no example. Raises InputError when it is no such file, or the automatic label
    that it has beside a gold one is not that of the example: then it is of another build.
    """
    known = {one.key: one.label for one in test}
    found: dict[str, Label] = {}
    n = 0
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key, view = (row.get("item") or row["task_id"]).rsplit("#", 1)
                automatic, gold = Label(row["automatic"]), Label(row["gold"])
                n += view == LONG
                if known.get(key, automatic) is not automatic:
                    raise InputError(f"{path}: {key} is {automatic} there and {known[key]} here; give this build's own")
                if view == LONG and key in known:
                    found[key] = gold
    except (OSError, ValueError, KeyError, AttributeError, csv.Error) as error:
        said = f"{path}: no gold labels ({str(error)[:80]}); give the gold.csv of `lawng annotate gold`"
        raise InputError(said) from error
    if lost := n - len(found):
        say(f"{path}: {lost:,} of {n:,} gold labels left out, of no example that is asked here")
    return found


def _built(data: Path, split: str, whole: bool, columns: Mapping[str, str]) -> Iterator[Example]:
    path = data / f"{split}.parquet"
    try:
        rows = pq.read_table(path).to_pylist()
        for row in rows:
            if whole or row["analysis"]:
                yield Example(
                    row["id"],
                    row["hypothesis"],
                    Label(row["label"]),
                    {view: row[column] for view, column in columns.items()},
                    row["premise_case_id"],
                    row["pivotal_negation"],
                    row["is_twin"] != (row["original_label"] == Label.CONTRADICTION),  # of these the first is made
                    row["hypothesis_source"],
                )
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: not a data file of a build ({str(error)[:100]}); run `lawng build` again") from error


# ------------------------------------------------------------------ ContractNLI

_SPANS = {"0": Label.ENTAILMENT, "1": Label.CONTRADICTION, "2": Label.NEUTRAL}


def _contract_nli(folder: Path) -> Benchmark:
    """Spans joined as short premises, whole agreements as long ones; its dev agreements are there to train on.

    A tenth of them, by name, is the validation set of the long views (there is no other file).
    """
    train = [*_spans(folder / "train.csv"), *_agreements(folder / "orig_dev.json", 0, 10)]
    validation = [*_spans(folder / "validation.csv"), *_agreements(folder / "orig_dev.json", 10, 11)]
    test = [*_agreements(folder / "orig_test.json", 0, 11), *_spans(folder / "test.csv")]
    return Benchmark("contract-nli", dict(zip(SPLITS, (train, validation, test), strict=True)))


def _spans(path: Path) -> Iterator[Example]:
    try:
        with path.open(encoding="utf-8", newline="") as rows:
            for number, row in enumerate(csv.DictReader(rows)):
                text = row["concatenated_spans"]
                yield _contract(f"{path.stem}:{number}", row["hypothesis"], _SPANS[row["label"]], text, SHORT, "")
    except (OSError, ValueError, KeyError, TypeError, csv.Error) as error:
        raise InputError(f"{path}: not ContractNLI's spans ({str(error)[:100]}); give the file as published") from error


def _agreements(path: Path, first: int, end: int) -> Iterator[Example]:
    """Those of the agreements whose number modulo 11 is from `first` to before `end`."""
    try:
        for _, row in read_agreements(path):
            if first <= row["number"] % 11 < end:
                [label] = CHOICES[row["choice"]]
                key, name = (f"{path.stem}:{row[column]}" for column in ("id", "document"))
                yield _contract(key, row["hypothesis"], label, row["text"], LONG, name)
    except (*BROKEN, OSError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: not ContractNLI ({str(error)[:100]}); give the file as published") from error


def _contract(  # noqa: PLR0913, PLR0917 (what an example is made of)
    key: str, hypothesis: str, label: Label, text: str, view: str, name: str
) -> Example:
    premise = text.replace("\n", BREAK)  # its paragraphs are lines
    premises = {view: premise, f"{FILTERED}{view}": bm25_view(premise, hypothesis)}
    return Example(key, hypothesis, label, premises, name or key, " not " in hypothesis, made=False, source="contract")
