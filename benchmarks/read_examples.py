"""Draw final examples to be read without their labels, and say how often the labels are right.

python benchmarks/read_examples.py draw BUILD -o FOLDER      two rounds of 60 propositions' examples of each label
python benchmarks/read_examples.py score BUILD FOLDER        right by round and label, and by third of overlap

No candidate comes twice. A reader gets `round-R-N.md` and writes a line of `round-R-N.jsonl` for each item: {"id",
"label": "entailment", "neutral" or "contradiction", "grammatical": true or false, "why"}.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binomtest

from lawng.datasets.splits import hash_of
from lawng.io import read_table
from lawng.reports.dataset import SPLITS
from lawng.schema.dataset import PROPOSITION, candidate_of
from lawng.schema.labels import LABELS

_EACH, _BATCH, _ROUNDS = 60, 60, (1, 2)
Row = dict[str, Any]


def examples(build: Path) -> list[Row]:
    """The examples of propositions, in a fixed random order."""
    rows = [row for split in SPLITS for row in read_table(build / "data" / f"{split}.parquet").to_pylist()]
    ours = [row for row in rows if row["hypothesis_source"] == PROPOSITION]
    return sorted(ours, key=lambda row: hash_of(f"final:{row['id']}"))


def drawn(build: Path) -> dict[int, list[Row]]:
    """The rows of each round: as many of each label, each candidate once in all rounds."""
    seen: set[str] = set()
    rounds: dict[int, list[Row]] = {number: [] for number in _ROUNDS}
    for number, label in [(number, str(label)) for number in _ROUNDS for label in LABELS]:
        for row in examples(build):
            candidate = candidate_of(row["id"])
            full = sum(r["label"] == label for r in rounds[number]) == _EACH
            if row["label"] == label and candidate not in seen and not full:
                seen.add(candidate)
                rounds[number].append(row)
    return {n: sorted(rows, key=lambda row: hash_of(f"mixed:{row['id']}")) for n, rows in rounds.items()}


def draw(build: Path, output: Path) -> None:
    """Write the batches of both rounds."""
    output.mkdir(parents=True, exist_ok=True)
    for number, rows in drawn(build).items():
        for start in range(0, len(rows), _BATCH):
            text = "\n\n".join(_shown(row) for row in rows[start : start + _BATCH])
            (output / f"round-{number}-{start // _BATCH}.md").write_text(text + "\n", "utf-8")


def _name(row: Row) -> str:
    """What an item is called: its id would say whether it is neutral."""
    return f"{hash_of('item:' + row['id']):x}"[:10]


def _shown(row: Row) -> str:
    return f"# ITEM {_name(row)}\n\n## HYPOTHESIS\n\n{row['hypothesis']}\n\n## PREMISE\n\n{row['premise_short']}"


def score(build: Path, folder: Path) -> None:
    """Print how many labels are right, with Clopper-Pearson intervals."""
    for number, rows in drawn(build).items():
        files = sorted(folder.glob(f"round-{number}-*.jsonl"))
        said = {r["id"]: r for file in files for r in map(json.loads, file.read_text("utf-8").splitlines())}
        read = [{**row, **{f"read_{k}": v for k, v in said[_name(row)].items()}} for row in rows if _name(row) in said]
        for label in map(str, LABELS):
            of = [row for row in read if row["label"] == label]
            print(f"round {number}, {label}: {_share([row['read_label'] == label for row in of])}")
            for third, part in _thirds(of).items():
                print(f"    overlap {third}: {_share([row['read_label'] == label for row in part])}")
        print(f"round {number}, grammatical: {_share([row['read_grammatical'] for row in read])}")
        for row in read:
            if row["read_label"] != row["label"]:
                print("   ", row["id"], row["label"], "read as", row["read_label"], "|", row["read_why"])


def _thirds(rows: list[Row]) -> dict[str, list[Row]]:
    ends = np.quantile([row["overlap"] for row in rows], [0, 1 / 3, 2 / 3, 1]) if rows else []
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        place = int(np.searchsorted(ends[1:3], row["overlap"]))
        found[f"{ends[place]:.2f}-{ends[place + 1]:.2f}"].append(row)
    return dict(sorted(found.items()))


def _share(right: list[bool]) -> str:
    low, high = binomtest(sum(right), len(right)).proportion_ci() if right else (0.0, 1.0)
    return f"{sum(right)} of {len(right)} ({100 * low:.1f} to {100 * high:.1f})"


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("draw", "score"))
    parser.add_argument("places", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    {"draw": draw, "score": score}[given.what](*given.places, *([given.output] if given.output else []))


if __name__ == "__main__":
    main()
