"""The last step of a build: data files, statistics, funnel, rejects and card, from its finished stages."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from lawng.io import write_json, write_text
from lawng.reports.baselines import baselines
from lawng.reports.builds import Build
from lawng.reports.card import card, croissant
from lawng.reports.dataset import write_dataset
from lawng.reports.funnel import funnel_grid, funnel_svg, read_funnel
from lawng.reports.grid import plain
from lawng.reports.retrieval import write_pairs
from lawng.reports.statistics import as_json, dataset_statistics, source_counts, verdict_counts
from lawng.schema import Reject
from lawng.schema.arrow import schema_of

NAME = "lawngnli"
"""Name of the data set in its metadata; the folder's own name would make the bytes depend on the place."""


def write_output(build: Path, corpus: Path) -> dict[str, int]:
    """Write everything that a user takes from a build folder whose stages 10 to 80 are finished; rows by split.

    data/, funnel.txt, funnel.svg, rejects.parquet, statistics.json, README.md and croissant.json, with propositions
    also retrieval/, the pairs for retrieval; the manifest is read for the card where it is there already. The bytes
    depend on the stages and the manifest alone.

    Raises StageError when the funnel does not add up or an example lacks a premise.
    """
    source = Build(build)
    steps = read_funnel(source)
    written = write_dataset(build, corpus)
    by_source = source_counts(source)
    shutil.rmtree(build / "retrieval", ignore_errors=True)  # of a run with propositions that was killed
    pairs = write_pairs(source, corpus, build / "retrieval") if by_source else {}
    write_text(build / "funnel.txt", plain(funnel_grid(steps)) + "\n")
    write_text(build / "funnel.svg", funnel_svg(steps))
    write_rejects(source)
    data = build / "data"
    statistics = replace(
        dataset_statistics(data),
        baselines=baselines(data),
        sources=by_source,
        verdicts=verdict_counts(source),
        retrieval=pairs,
    )
    write_json(build / "statistics.json", as_json(statistics))
    write_text(build / "README.md", card(data, statistics, steps, source.manifest()))
    write_json(build / "croissant.json", croissant(data, NAME))
    return written


def write_rejects(build: Build) -> None:
    """All rejects of all stages as one file `rejects.parquet`, in the order of the stages.

    The stage's folder name stands in front of `Reject.stage`, the step inside it: "30-accuracy/keywords".
    """
    partial = build.folder / "rejects.parquet.partial"
    with pq.ParquetWriter(partial, schema_of(Reject), compression="zstd") as file:
        for stage in build.stages:
            for batch in build.rejects(stage).batches(size=10_000):
                steps = pa.array([f"{stage}/{step}" for step in batch["stage"].to_pylist()], pa.large_string())
                file.write_batch(batch.set_column(0, schema_of(Reject).field("stage"), steps))
    partial.replace(build.folder / "rejects.parquet")
