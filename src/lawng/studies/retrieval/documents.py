"""The documents of the study: majority opinions as they are, "here before dataset processing" (LawngNLI, 4.2.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lawng.errors import InputError
from lawng.reports.builds import corpus_table

Numbers = NDArray[np.int64]
"""Numbers of documents, ascending: their places in `Documents`."""


@dataclass(frozen=True)
class Documents:
    """Majority opinions in the order of their ids; everywhere else a document is its number here."""

    ids: list[str]
    cases: list[str]
    names: list[str]
    sides: list[str]
    """Jurisdiction of each: a state, "us", or "" where the source does not tell."""
    texts: list[str]

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def number(self) -> dict[str, int]:
        """Numbers by id."""
        return {doc: at for at, doc in enumerate(self.ids)}

    @cached_property
    def of_side(self) -> dict[str, Numbers]:
        """Numbers by jurisdiction."""
        return _grouped(self.sides)

    @cached_property
    def of_case(self) -> dict[str, Numbers]:
        """Numbers by case."""
        return _grouped(self.cases)


def read_documents(corpus: Path, sides: Collection[str]) -> Documents:
    """The majority opinions of a corpus in some jurisdictions; their texts are held in memory.

    Raises InputError when the corpus has none.
    """
    cases = {
        row["case_id"]: row
        for batch in corpus_table(corpus, "cases").batches(["case_id", "name", "jurisdiction"])
        for row in batch.to_pylist()
        if row["jurisdiction"] in sides
    }
    rows = [
        (row["opinion_id"], row["case_id"], row["text"])
        for batch in corpus_table(corpus, "opinions").batches(["opinion_id", "case_id", "type", "text"])
        for row in batch.to_pylist()
        if row["type"] == "majority" and row["case_id"] in cases
    ]
    if not rows:
        raise InputError(f"{corpus}: no majority opinion of {', '.join(sorted(sides))}; is it the build's corpus?")
    rows.sort()
    return Documents(
        ids=[opinion for opinion, _, _ in rows],
        cases=[case for _, case, _ in rows],
        names=[cases[case]["name"] for _, case, _ in rows],
        sides=[cases[case]["jurisdiction"] for _, case, _ in rows],
        texts=[text for _, _, text in rows],
    )


def _grouped(names: list[str]) -> dict[str, Numbers]:
    groups: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        groups[name].append(at)
    return {name: np.array(numbers, dtype=np.int64) for name, numbers in groups.items()}
