"""Descriptive statistics of a data set, as the paper's Table 2 has them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from lawng.errors import InputError
from lawng.io import read_table
from lawng.reports.builds import Build
from lawng.reports.dataset import SPLITS
from lawng.reports.grid import Grid
from lawng.schema.dataset import HYPOTHESIS_SOURCES, PARENTHETICAL, PROPOSITION, VERDICTS
from lawng.schema.labels import LABELS

NEGATION_WORDS = ("no", "not", "never", "none", "nobody", "nothing", "neither", "nor", "cannot")
"""The words that count as negation in the paper's Table 2, beside whatever contains "n't"."""

PERCENTILES = (10, 25, 50, 75, 90)

_NEGATION = re.compile(rf"\b(?:{'|'.join(NEGATION_WORDS)})\b|n['’]t\b", re.IGNORECASE)
_COLUMNS = [
    *("id", "hypothesis", "label", "analysis", "pivotal_negation", "is_twin", "premise_opinion_id"),
    *("premise_start", "premise_end", "tokens_hypothesis", "tokens_short", "tokens_long"),
    *("hypothesis_source", "overlap"),
]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of Table 2: long or short premises, the analysis subset or the full set."""

    premises: str
    """`long` or `short`."""
    subset: str
    """`analysis` or `full`."""
    premise_tokens: list[float]
    """Percentiles 10, 25, 50, 75 and 90 over all examples; [] without examples."""
    hypothesis_tokens: float | None
    """Mean over all examples."""
    negation: dict[str, float | None]
    """Share of hypotheses with a negation word, by label."""
    unique_training_premises: int
    unique_training_hypotheses: int
    training_examples: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """What `statistics.json` holds: Table 2, counts by split, label and pivotal negation, baselines."""

    examples: dict[str, int]
    """By split."""
    labels: dict[str, dict[str, int]]
    """By split and label."""
    pivotal_negation: dict[str, int]
    """By label: hypotheses with pivotal negation."""
    twins: int
    table_2: list[Column]
    baselines: list[dict[str, Any]] = field(default_factory=list)
    sources: dict[str, dict[str, int]] = field(default_factory=dict)
    """Rows by source of the hypothesis and table, from the candidates to the examples; {} with parentheticals alone."""
    verdicts: dict[str, dict[str, int]] = field(default_factory=dict)
    """Propositions that stand alone, by who judged them (`reader`, `verifier`) and verdict; {} without propositions."""
    overlap: dict[str, list[float]] = field(default_factory=dict)
    """By label: the column `overlap` of propositions, least, at the ends of its thirds, and most; {} without them."""
    retrieval: dict[str, Any] = field(default_factory=dict)
    """What `lawng.reports.retrieval.write_pairs` tells, {} without propositions."""


_PAPER = tomllib.loads(Path(__file__).with_name("paper_table_2.toml").read_text("utf-8"))
PAPER = tuple(Column(**column) for column in _PAPER["column"])
"""LawngNLI's own numbers (Table 2 of the paper)."""


def has_negation(hypothesis: str) -> bool:
    """Whether a hypothesis contains a negation word in the sense of the paper's Table 2.

    >>> has_negation("the court didn't err"), has_negation("the notice was late")
    (True, False)
    """
    return _NEGATION.search(hypothesis) is not None


def dataset_statistics(data: Path) -> Statistics:
    """Statistics of the data files in a folder `data` (paper, Table 2); texts of premises are not read.

    Raises InputError when a split's Parquet file is not there.
    """
    splits = {split: _read(data, split) for split in SPLITS}
    everything = pa.concat_tables(splits.values())
    return Statistics(
        examples={split: table.num_rows for split, table in splits.items()},
        labels={split: _counts(table["label"]) for split, table in splits.items()},
        pivotal_negation=_counts(everything.filter(everything["pivotal_negation"])["label"]),
        twins=sum(everything["is_twin"].to_pylist()),
        table_2=[_column(everything, splits["train"], paper.premises, paper.subset) for paper in PAPER],
        overlap=_thirds(everything.filter(pa.compute.equal(everything["hypothesis_source"], PROPOSITION))),
    )


def as_json(statistics: Statistics) -> dict[str, Any]:
    """Statistics as plain JSON values, the paper's own numbers beside ours."""
    return {**asdict(statistics), "paper_table_2": [asdict(column) for column in PAPER]}


def from_json(stored: dict[str, Any]) -> Statistics:
    """Statistics as `as_json` wrote them. Raises InputError when something is missing."""
    try:
        columns = [Column(**column) for column in stored["table_2"]]
        given = {f.name: stored[f.name] for f in fields(Statistics) if f.default_factory is MISSING or f.name in stored}
        return Statistics(**given | {"table_2": columns})
    except (KeyError, TypeError) as error:
        raise InputError(f"statistics.json is not complete ({error}); run `lawng build` again") from error


def _read(data: Path, split: str) -> pa.Table:
    path = data / f"{split}.parquet"
    if not path.is_file():
        raise InputError(f"cannot read {path}: there is no such file; make the data set with `lawng build`")
    table = read_table(path, _COLUMNS)
    return table.append_column("negated", pa.array([has_negation(h.as_py()) for h in table["hypothesis"]], pa.bool_()))


def _counts(labels: pa.ChunkedArray) -> dict[str, int]:
    found = labels.to_pylist()
    return {str(label): found.count(label) for label in LABELS}


def _column(everything: pa.Table, train: pa.Table, premises: str, subset: str) -> Column:
    if subset == "analysis":
        everything, train = (table.filter(table["analysis"]) for table in (everything, train))
    key = ["premise_opinion_id"] if premises == "long" else ["premise_opinion_id", "premise_start", "premise_end"]
    tokens = everything[f"tokens_{premises}"]
    return Column(
        premises,
        subset,
        premise_tokens=np.percentile(tokens.to_numpy(), PERCENTILES).tolist() if len(tokens) else [],
        hypothesis_tokens=_mean(everything["tokens_hypothesis"]),
        negation={label: _mean(rows["negated"].cast(pa.int8())) for label, rows in _by_label(everything).items()},
        unique_training_premises=train.group_by(key).aggregate([]).num_rows,
        unique_training_hypotheses=train.group_by("hypothesis").aggregate([]).num_rows,
        training_examples=train.num_rows,
    )


def _thirds(propositions: pa.Table) -> dict[str, list[float]]:
    shares = (0, 100 / 3, 200 / 3, 100)
    return {
        label: [round(float(p), 4) for p in np.percentile(rows["overlap"].to_numpy(), shares)]
        for label, rows in _by_label(propositions).items()
        if len(rows)
    }


def _mean(values: pa.ChunkedArray) -> float | None:
    return float(np.mean(values.to_numpy())) if len(values) else None


def _by_label(table: pa.Table) -> dict[str, pa.Table]:
    return {str(label): table.filter(pa.compute.equal(table["label"], str(label))) for label in LABELS}


def table_2(statistics: Statistics) -> Grid:
    """Table 2 with this data set's numbers, and under each the paper's."""
    pairs = list(zip(statistics.table_2, PAPER, strict=True))
    rows = []
    for name, cell in _ROWS:
        rows.append([name, *(cell(ours) for ours, _ in pairs)])
        rows.append(["  in the paper", *(cell(paper) for _, paper in pairs)])
    columns = ["", *(f"{ours.premises}, {ours.subset}" for ours, _ in pairs)]
    note = f"Percentiles {', '.join(map(str, PERCENTILES))} of premise tokens; negation by label: " + ", ".join(LABELS)
    return Grid("Table 2: this data set and the paper's", columns, rows, note=note + ".")


def sizes(statistics: Statistics) -> Grid:
    """Examples by split and label."""
    rows = [[s, str(statistics.examples[s]), *(str(statistics.labels[s][x]) for x in LABELS)] for s in SPLITS]
    totals = [sum(int(row[i]) for row in rows) for i in range(1, len(LABELS) + 2)]
    rows.append(["all", *map(str, totals)])
    return Grid("Examples", ["split", "all", *LABELS], rows)


def source_counts(build: Build) -> dict[str, dict[str, int]]:
    """Rows by source in the tables of a build, in the order of its steps; {} with parentheticals alone."""
    counts = {table: build.counts(table, "hypothesis_source") for table in _BY_SOURCE}
    found = [source for source in HYPOTHESIS_SOURCES if any(count[source] for count in counts.values())]
    if found in ([], [PARENTHETICAL]):
        return {}
    return {source: {table: count[source] for table, count in counts.items()} for source in found}


_BY_SOURCE = ("sought", "candidates", "screened", "negatable", "labelled", "paired", "examples")


def verdict_counts(build: Build) -> dict[str, dict[str, int]]:
    """Propositions that stand alone by who judged them and what was said; {} without propositions."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for part in build.table("verdicts").parts:
        for row in read_table(part, ["label", "was_read"]).to_pylist():
            found["reader" if row["was_read"] else "verifier"][row["label"]] += 1
    return {who: dict(sorted(counts.items())) for who, counts in sorted(found.items())}


def sources(statistics: Statistics) -> list[Grid]:
    """Hypotheses by source from step to step, and the pairs for retrieval; [] with parentheticals alone."""
    if not statistics.sources:
        return []
    rows = [[source, *(f"{counts[table]:,}" for table in _BY_SOURCE)] for source, counts in statistics.sources.items()]
    pairs = statistics.retrieval
    told = [f"{pairs[name]:,}" for name in ("queries", "documents")]
    told += [f"{pairs['pairs'][split]:,}" for split in ("train", "test")] + [f"{pairs['left_out']:,}"]
    columns = ["queries", "documents", "pairs of train", "of test", "left out, cases of both sides"]
    judged = [[who, *(f"{counts.get(v, 0):,}" for v in VERDICTS)] for who, counts in statistics.verdicts.items()]
    thirds = [[label, *(_number(end, 2) for end in ends)] for label, ends in statistics.overlap.items()]
    return [
        Grid("Hypotheses by source", ["", *_BY_SOURCE], rows),
        Grid("Propositions that stand alone, by who judged them", ["", *VERDICTS], judged),
        Grid(
            "Overlap of propositions with their premises: easy and hard thirds",
            ["", "least", "end of the first third", "of the second", "most"],
            thirds,
        ),
        Grid("Pairs for retrieval, in BEIR's layout, parted by cited case", columns, [told]),
    ]


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def _many(values: Iterable[float | None], digits: int) -> str:
    return " ".join(_number(value, digits) for value in values) or "-"


_ROWS: tuple[tuple[str, Callable[[Column], str]], ...] = (
    ("Premise tokens", lambda c: _many(c.premise_tokens, 0)),
    ("Hypothesis tokens, mean", lambda c: _number(c.hypothesis_tokens, 0)),
    ("Hypothesis negation", lambda c: _many((c.negation[x] for x in LABELS), 3)),
    ("Unique training premises", lambda c: f"{c.unique_training_premises:,}"),
    ("Unique training hypotheses", lambda c: f"{c.unique_training_hypotheses:,}"),
    ("Training examples", lambda c: f"{c.training_examples:,}"),
)
