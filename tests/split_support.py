"""Data files of a build, made of examples."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from lawng.schema.labels import LABELS, Label
from lawng.schema.views import PREMISES
from lawng.studies.generalization.examples import Example
from models_support import WORDS


def write_split(path: Path, rows: Sequence[Example], **more: object) -> None:
    """A data file of a build, as far as the studies of labels read it."""
    columns = dict(
        zip(PREMISES, ("premise_short", "premise_long", "premise_bm25_short", "premise_bm25_long"), strict=True)
    )
    table = [
        {"id": one.key, "hypothesis": one.hypothesis, "label": str(one.label), "premise_case_id": one.case_id}
        | {"pivotal_negation": one.negated, **_made(one), "hypothesis_source": one.source, "analysis": True}
        | {column: one.premises[view] for view, column in columns.items()}
        | {"premise_long_prepended": "The end.\n\n" + one.premises["long"]}
        | more
        for one in rows
    ]
    pq.write_table(pa.Table.from_pylist(table), path)


def _made(one: Example) -> dict[str, object]:
    """As a build says that a hypothesis was negated: of a pair, the first of an original contradiction."""
    original = Label.CONTRADICTION if len(one.key) % 2 else Label.ENTAILMENT
    return {"original_label": str(original), "is_twin": one.made != (original is Label.CONTRADICTION)}


def example(number: int, label: Label, words: int = 6, source: str = "parenthetical") -> Example:
    rng = random.Random(number)
    short = " ".join(rng.choices(WORDS[:40], k=words)) + "."
    long = "\n\n".join([" ".join(rng.choices(WORDS[:40], k=12)) + ".", short, "The dog sleeps."])
    premises = {"short": short, "long": long, "bm25-short": short, "bm25-long": f"{short}\n\nThe dog sleeps."}
    negated = number % 2 == 0
    key, hypothesis = f"cl:{number}", f"the tax was {label.value[:1]} void {number}"
    return Example(key, hypothesis, label, premises, f"case {number // 3}", negated, number % 4 == 0, source)


def examples(n: int, first: int = 0) -> list[Example]:
    return [example(first + number, LABELS[number % 3], 4 + number % 5) for number in range(n)]
