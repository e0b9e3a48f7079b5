"""Data files of a build, made of examples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from lawng.studies.generalization.examples import PREMISES, Example


def write_split(path: Path, rows: Sequence[Example], **more: object) -> None:
    """A data file of a build, as far as the studies of labels read it."""
    columns = dict(
        zip(PREMISES, ("premise_short", "premise_long", "premise_bm25_short", "premise_bm25_long"), strict=True)
    )
    table = [
        {"id": one.key, "hypothesis": one.hypothesis, "label": str(one.label), "premise_case_id": one.case_id}
        | {"pivotal_negation": one.negated, "is_twin": one.made, "hypothesis_source": one.source, "analysis": True}
        | {column: one.premises[view] for view, column in columns.items()}
        | more
        for one in rows
    ]
    pq.write_table(pa.Table.from_pylist(table), path)
