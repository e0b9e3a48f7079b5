"""One case twice in the sources: the first stays, later ones become rejects, so that a case id names one case."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from lawng.corpus.units import CASES, OPINIONS, Item
from lawng.engine import Settings, Stage, StageResult, iter_parts, iter_records, run_stage
from lawng.records import Case, Opinion, Reject


@dataclass(frozen=True)
class _KeepFirst:
    """Copies one part of an import without the cases that are doubles of earlier ones."""

    folder: Path
    part_of: dict[str, int]
    """Of each case that is there more than once: the number of the first part that has it."""

    def __call__(self, part: int) -> Iterator[Item]:
        name = f"part-{part:05d}.parquet"
        places: dict[str, str] = {}
        yield from self._unique(iter_records(self.folder / CASES / name, Case), part, places)
        yield from self._unique(iter_records(self.folder / OPINIONS / name, Opinion), part, places)
        yield from iter_records(self.folder / "rejects" / name, Reject)

    def _unique(self, records: Iterator[Case] | Iterator[Opinion], part: int, places: dict[str, str]) -> Iterator[Item]:
        """The records that stay; the last place of each case that is there more than once is kept for its opinions."""
        seen: set[str] = set()
        for record in records:
            first = self.part_of.get(record.case_id)
            ident = record.opinion_id if isinstance(record, Opinion) else record.case_id
            if first is None or (first == part and ident not in seen):
                yield record
            else:
                kind = OPINIONS if isinstance(record, Opinion) else CASES
                place = places.get(record.case_id, "") if isinstance(record, Opinion) else record.source_path
                yield Reject(kind, ident, "duplicate-case", "the sources have this case more than once", place)
            if first is not None:
                seen.add(ident)
                if isinstance(record, Case):
                    places[ident] = record.source_path


def keep_first(result: StageResult, stage: Stage, settings: Settings | None) -> StageResult:
    """The import without doubles: as it was when it has none, else its tables written once more."""
    part_of = _doubles(result.folder)
    if not part_of:
        return result
    folder = result.folder.with_name(f"{result.folder.name}-first")
    task = _KeepFirst(result.folder, part_of)
    again = run_stage(stage, range(result.units), task, folder, settings)
    again.tally.seen = result.tally.seen
    shutil.rmtree(result.folder)
    folder.rename(result.folder)
    return replace(again, folder=result.folder)


def _doubles(folder: Path) -> dict[str, int]:
    """Case ids that are there more than once; of all ids only hashes are in memory at one time."""
    parts = list(iter_parts(folder / CASES))
    hashes = np.concatenate([_hashes(_ids(part)) for part in parts])
    values, counts = np.unique(hashes, return_counts=True)
    repeated = values[counts > 1]
    firsts: dict[str, int] = {}
    times: dict[str, int] = {}
    for number, part in enumerate(parts if len(repeated) else []):
        ids = _ids(part)
        for ident in np.array(ids, dtype=object)[np.isin(_hashes(ids), repeated)]:
            firsts.setdefault(ident, number)
            times[ident] = times.get(ident, 0) + 1
    return {ident: number for ident, number in firsts.items() if times[ident] > 1}


def _ids(part: Path) -> list[str]:
    return pq.read_table(part, columns=["case_id"])["case_id"].to_pylist()  # type: ignore[no-any-return]


def _hashes(texts: list[str]) -> NDArray[np.int64]:
    return np.fromiter(map(hash, texts), dtype=np.int64, count=len(texts))


def shared_citations(folder: Path) -> int:
    """How many reporter citations name more than one case: such a citation resolves to none."""
    found = [_hashes(_cites(part)) for part in iter_parts(folder / CASES)]
    _, counts = np.unique(np.concatenate(found), return_counts=True)
    return int((counts > 1).sum())


def _cites(part: Path) -> list[str]:
    cites = pc.list_flatten(pq.read_table(part, columns=["citations"])["citations"].combine_chunks())
    return pc.struct_field(cites, "cite").to_pylist()  # type: ignore[no-any-return]
