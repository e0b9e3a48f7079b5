"""The import of a corpus: sources to a folder of tables, made aside and shown only when whole.

One case twice in the sources: one record of it stays, the others become rejects, so that a case id names one case. The
opinions of a case are taken whole from one record, never mixed: from the one that has exactly one opinion of the court;
of several from the one that marks that opinion's pages; then from the one with most opinions; then from the first, in
the order of the sources. What this record does not say of the case (citations, court, jurisdiction, docket number, a
full date in the same year) is filled in from the others in that order.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow.compute as pc

from lawng import __version__
from lawng.corpus.archives import files_in
from lawng.corpus.cites import official_first
from lawng.corpus.formats import detect, read_unit, work_units
from lawng.corpus.reader import MANIFEST, Corpus, hashes_of
from lawng.corpus.records import CASES, OPINIONS, Item
from lawng.errors import InputError, LawngError, StageError
from lawng.io import atomic_folder, check_place, file_digest, iter_parts, iter_records, read_table, write_json
from lawng.pipeline import Count, Settings, Stage, StageResult, run_stage
from lawng.pipeline.run import STAGE, load_stage
from lawng.schema import Case, Opinion, Reject

_BYTES_PER_WORKER = 32_000_000
_VERSION = 5
"""Counts up when the same sources give other records, so that an old corpus is not taken for a new one."""


_OF = "sources"
"""Beside what an import has dealt: which sources it is of."""


def import_corpus(
    sources: Sequence[Path],
    folder: Path,
    format: str | None = None,
    settings: Settings | None = None,
    *,
    replace_other: bool = False,
) -> StageResult:
    """Import sources into a corpus folder; an import that was killed goes on where it was.

    Raises InputError when a source cannot be used, when the sources have no case or no opinion, or when a corpus of
    other sources is there and is not to be replaced; StageError when the counts do not add up.
    """
    check_place(folder, STAGE, "corpus")
    inputs: dict[str, Any] = {
        "version": _VERSION,
        "format": format,
        "sources": [_source(path, format) for path in sources],
    }
    stage = Stage("import", {CASES: Case, OPINIONS: Opinion}, inputs)
    if (folder / MANIFEST).is_file() and (done := load_stage(stage, folder)):
        return done
    if not replace_other:
        _check_sources(folder, inputs["sources"])
    with atomic_folder(folder) as partial:
        result = _import(sources, format, partial, stage, _workers_for(sources, settings or Settings()))
        write_json(partial / MANIFEST, _manifest(result, inputs))
    return replace(result, folder=folder)


def read_corpus(
    *sources: str | Path, folder: str | Path | None = None, format: str | None = None, workers: int | None = None
) -> Corpus:
    """The corpus in an imported folder; or source files and folders imported, into a folder or a temporary one.

    A temporary corpus is removed with its object. Raises what `import_corpus` raises.
    """
    if len(sources) == 1 and folder is None and Corpus.is_at(sources[0]):
        return Corpus(sources[0])
    temporary = None
    if folder is None:
        temporary = TemporaryDirectory(prefix="lawng-")
        folder = Path(temporary.name, "corpus")
    import_corpus([Path(source) for source in sources], Path(folder), format, Settings(workers=workers))
    return Corpus(folder, temporary)


def _workers_for(sources: Sequence[Path], settings: Settings) -> Settings:
    """No more workers than the sources are worth: one that is begun takes a second and 90 MB."""
    if settings.workers or settings.engine != "native":
        return settings
    size = sum(file.stat().st_size for source in sources for file in _files(source))
    return replace(settings, workers=min(settings.n_workers, 1 + size // _BYTES_PER_WORKER))


def _check_sources(folder: Path, sources: list[dict[str, Any]]) -> None:
    """Whether a corpus that is there, and can be read, is of the same sources, whatever read them then."""
    try:
        there = Corpus(folder).manifest["sources"]
        same = [source["sha256"] for source in there] == [source["sha256"] for source in sources]
        names = ", ".join(source["name"] for source in there)
    except (LawngError, KeyError, TypeError):
        return
    if not same:
        raise InputError(f"{folder}: is a corpus of other sources ({names}); --replace, or name another place with -o")


def _import(
    sources: Sequence[Path], format: str | None, partial: Path, stage: Stage, settings: Settings | None
) -> StageResult:
    scratch, tables = partial / "_scratch", partial / "_tables"
    for left in partial.iterdir():  # of a run that was killed while it put its tables in their place
        if left not in (scratch, tables):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
    of, own = scratch / _OF, str(stage.fingerprint)
    if not of.is_file() or of.read_text("utf-8") != own:  # of a killed import of other sources
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        of.write_text(own, "utf-8")
    units = work_units(list(sources), format, scratch)
    result = _deduplicate(run_stage(stage, units, read_unit, tables, settings), stage, settings)
    _check(result, ", ".join(map(str, sources)))
    # the manifest goes first: without it tables that are half moved are made anew
    for made in sorted(result.folder.iterdir(), key=lambda path: path.name != STAGE):
        os.replace(made, partial / made.name)
    result.folder.rmdir()
    of.unlink(missing_ok=True)  # first, so that what is half removed is not taken for whole
    shutil.rmtree(scratch, ignore_errors=True)
    return result


def _check(result: StageResult, sources: str) -> None:
    """All that came in went out or was rejected; and something did come in."""
    tally = result.tally
    for what in (CASES, OPINIONS):
        dropped = sum(tally.rejects.get(what, {}).values())
        if tally.seen.get(what, 0) != tally.out[what] + dropped:
            came, went = tally.seen.get(what, 0), tally.out[what]
            raise StageError(f"import: {came} {what} in, {went} out, {dropped} rejected; this is a bug, report it")
    reasons = ", ".join(sorted(f"{n} {why}" for by in tally.rejects.values() for why, n in by.items()))
    if not tally.out[CASES]:
        raise InputError(f"{sources}: no case in the sources ({reasons or 'they are empty'}); nothing was imported")
    if not tally.out[OPINIONS]:
        cases = f"{tally.out[CASES]} cases, but no opinion with a text"
        raise InputError(f"{sources}: {cases} ({reasons or 'none is there'}); nothing was imported")


def _manifest(result: StageResult, inputs: dict[str, Any]) -> dict[str, Any]:
    return {
        "lawng": __version__,
        **inputs,
        "fingerprint": result.fingerprint,
        "tally": {"seen": result.tally.seen, "out": result.tally.out, "rejects": result.tally.rejects},
        "digests": result.tally.digests,
    }


def _source(path: Path, format: str | None) -> dict[str, Any]:
    """What a source is, by its content: not where it lies."""
    form = format or detect(path)
    digest = hashlib.sha256()
    files = _files(path)
    for file in files:
        name = file.relative_to(path).as_posix() if path.is_dir() else path.name
        try:
            digest.update(name.encode())
        except UnicodeEncodeError:
            raise InputError(f"{path}: the name {name!a} in it is no UTF-8; rename the file") from None
        digest.update(file_digest(file).encode())
    return {"name": path.name, "format": form, "files": len(files), "sha256": digest.hexdigest()}


def _files(path: Path) -> list[Path]:
    return files_in(path) if path.is_dir() else [path]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The record of a case that stays: where it lies, how good it is, and the case with what the others add."""

    part: int
    at: int
    score: tuple[bool, bool, int]
    case: Case


def _one_of_each(part: int, folder: Path, chosen: dict[str, _Chosen], seen: dict[str, int]) -> Iterator[Item]:
    """One part of an import without records of cases of which another is chosen; the first says what came."""
    yield from (Count(n, what) for what, n in seen.items() if part == 0)
    name = f"part-{part:05d}.parquet"
    opinions = iter_records(folder / OPINIONS / name, Opinion)
    for at, case in enumerate(iter_records(folder / CASES / name, Case)):
        its = islice(opinions, case.n_opinions)
        best = chosen.get(case.case_id)
        if best is None:
            yield case
            yield from its
        elif (best.part, best.at) == (part, at):
            yield replace(best.case, n_opinions=case.n_opinions, n_majority=case.n_majority)
            yield from its
        else:
            for kind, ident in (CASES, case.case_id), *((OPINIONS, opinion.opinion_id) for opinion in its):
                said = "another record of the case is taken"
                yield Reject(kind, ident, "duplicate-case", said, case.source_path)
    yield from iter_records(folder / "rejects" / name, Reject)


def _deduplicate(result: StageResult, stage: Stage, settings: Settings | None) -> StageResult:
    """The import without doubles: as it was when it has none, else its tables written once more."""
    chosen = _choose(result.folder)
    if not chosen:
        return result
    folder = result.folder.with_name(f"{result.folder.name}-best")
    task = partial(_one_of_each, folder=result.folder, chosen=chosen, seen=result.tally.seen)
    again = run_stage(stage, range(result.units), task, folder, settings)
    shutil.rmtree(result.folder)
    folder.rename(result.folder)
    return replace(again, folder=result.folder)


def _choose(folder: Path) -> dict[str, _Chosen]:
    """The record that stays of each case that is there more than once; of all others only hashes are in memory."""
    parts = list(iter_parts(folder / CASES))
    hashes = [hashes_of(read_table(part, ["case_id"])["case_id"].to_pylist()) for part in parts]
    values, counts = np.unique(np.concatenate(hashes), return_counts=True)
    repeated = values[counts > 1]
    found: dict[str, _Chosen] = {}
    times: dict[str, int] = {}
    for number, part in enumerate(parts if len(repeated) else []):
        if np.isin(hashes[number], repeated).any():
            for record in _records(part, folder / OPINIONS / part.name, number, set(repeated.tolist())):
                ident = record.case.case_id
                if first := found.get(ident):
                    best, other = (record, first) if record.score > first.score else (first, record)
                    found[ident] = replace(best, case=_filled(best.case, other.case))
                else:
                    found[ident] = record
                times[ident] = times.get(ident, 0) + 1
    return {ident: record for ident, record in found.items() if times[ident] > 1}


def _records(cases: Path, opinions: Path, number: int, wanted: set[int]) -> Iterator[_Chosen]:
    table = read_table(opinions, ["type", "pages"])
    marked = pc.greater(pc.list_value_length(table["pages"]), 0).to_pylist()
    majority = pc.equal(table["type"], "majority").to_pylist()
    start = 0
    for at, case in enumerate(iter_records(cases, Case)):
        end = start + case.n_opinions
        if hash(case.case_id) in wanted:
            leads = [marked[n] for n in range(start, end) if majority[n]]
            yield _Chosen(number, at, (len(leads) == 1, any(leads), case.n_opinions), case)
        start = end


def _filled(case: Case, other: Case) -> Case:
    known = {cite.cite for cite in case.citations}
    finer = len(other.date) > len(case.date) and other.date.startswith(case.date)
    return replace(
        case,
        name=case.name or other.name,
        name_full=case.name_full or other.name_full,
        parties=case.parties or other.parties,
        citations=official_first([*case.citations, *(cite for cite in other.citations if cite.cite not in known)]),
        court=case.court or other.court,
        jurisdiction=case.jurisdiction or other.jurisdiction,
        date=other.date if finer else case.date,
        docket_number=case.docket_number or other.docket_number,
        cites_to=case.cites_to or other.cites_to,
    )
