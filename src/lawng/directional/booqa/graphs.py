"""Entailment graphs for a build of BoOQA: for each split one of all that its questions' windows do not say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lawng.directional.booqa.records import Mention, Question
from lawng.directional.booqa.sample import SPLITS
from lawng.directional.graph import Graph
from lawng.directional.graph_build import build_graph
from lawng.directional.records import Relation
from lawng.errors import InputError
from lawng.extras import explained
from lawng.io import iter_parts, iter_records
from lawng.io.atomic_io import check_place
from lawng.reports.builds import Build


@explained()
def build_split_graphs(
    build: str | Path, output: str | Path, *, replace_other: bool = False, **options: Any
) -> dict[str, Graph]:
    """Make a graph for `dev` and one for `test`, in folders of these names, each of the other windows' relations.

    So a graph may be asked about a split without having read what its questions are made of (Li et al. 2022, section
    4.1, removes such articles too). `options` as those of `build_graph`, which says what is raised; InputError also
    where there is no build of BoOQA.
    """
    place, folder = Path(build), Path(output)
    if missing := [name for name in SPLITS if not (place / "data" / f"{name}.parquet").is_file()]:
        raise InputError(f"{place}: neither a file of relations nor a build of BoOQA ({missing[0]}.parquet is missing)")
    check_place(folder, SPLITS[0], "entailment graphs")
    folder.mkdir(parents=True, exist_ok=True)
    return {
        split: build_graph(relations_outside(place, split), folder / split, replace_other=replace_other, **options)
        for split in SPLITS
    }


def relations_outside(build: Path, split: str) -> Iterator[Relation]:
    """What the articles of windows without a question of the split say.

    Near-duplicates are left out, and sentences that the split's windows have too: news are printed again days later.
    """
    asked = {row.window for row in iter_records(build / "data" / f"{split}.parquet", Question)}
    parts = list(iter_parts(Build(build).table("mentions").folder))
    known = {row.sentence for part in parts for row in iter_records(part, Mention) if row.window in asked}
    for row in (row for part in parts for row in iter_records(part, Mention)):
        if row.window not in asked and not row.repeat and row.sentence not in known:
            yield row.relation
