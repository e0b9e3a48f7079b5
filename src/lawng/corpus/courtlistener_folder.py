"""CourtListener opinions as a folder: `raw_opinions/{cluster}_{type}.txt` and two files of metadata in columns."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from lawng.corpus.cap import NOT_A_CASE
from lawng.corpus.courtlistener import RawOpinion, cluster_case, read_cluster
from lawng.corpus.dates import written_date
from lawng.corpus.decoding import decode
from lawng.corpus.records import CASES, OPINIONS, Item, Unit, note, reject, reject_error
from lawng.errors import InputError
from lawng.io.limits import OverLimitError, load_json, read_id, read_whole

FORMAT = "courtlistener-folder"
TEXTS = "raw_opinions"
_CLUSTERS_PER_UNIT = 32
_FILE = re.compile(r"^(\d+)_(\w+)\.txt$")


def units_of(source: Path) -> list[Unit]:
    """Units of some clusters each, in the order of their numbers."""
    clusters = sorted({*_texts(str(source)), *map(int, _metadata(str(source)))})
    return Unit.several(FORMAT, source, [*map(str, clusters)], _CLUSTERS_PER_UNIT)


def read_unit(unit: Unit) -> Iterator[Item]:
    """The clusters of a unit."""
    for cluster in unit.members:
        known = _metadata(unit.source).get(cluster)
        if known is None:
            yield note("case-without-metadata")
        try:
            known = known or {}
            opinions, rejects = _opinions(Path(unit.source), cluster, known)
            row = {"id": cluster, "case_name": known.get("name"), "case_name_full": known.get("name_full")}
            case = cluster_case(row, known.get("citations") or [], "", f"{TEXTS}/{cluster}_*.txt")
            case = replace(case, date=written_date(str(known.get("decision_name") or "")))
        except NOT_A_CASE as error:
            yield from reject_error(CASES, f"cl:{cluster}", error, "not-a-case", "the metadata files")
            continue
        yield from rejects
        yield from read_cluster(case, opinions)


def _opinions(source: Path, cluster: str, known: dict[str, Any]) -> tuple[list[RawOpinion], list[Item]]:
    """The stored opinions in order; several opinions of one type share one file, which holds only one of them."""
    rows = [*(known.get("opinions") or [])]
    named = {row["opinion_filename"] for row in rows}
    # a text that the metadata do not list is one of the case too
    rows += [row for row in _rows_of_files(source, cluster) if row["opinion_filename"] not in named]
    opinions: list[RawOpinion] = []
    rejects: list[Item] = []
    read: set[str] = set()
    for row in sorted(rows, key=lambda row: (row["opinion_type"], row["opinion_id"])):
        name, ident = row["opinion_filename"], f"cl:{cluster}/{row['opinion_id']}"
        path, at = source / TEXTS / name, f"{TEXTS}/{name}"
        if not ((match := _FILE.match(name)) and int(match[1]) == int(cluster)):
            rejects += reject(OPINIONS, ident, "text-not-in-source", f"{name[:80]!r} is no text of the case", TEXTS)
        elif name in read:
            rejects += reject(OPINIONS, ident, "text-not-in-source", f"{name} holds another opinion of this type", at)
        elif not path.is_file():
            rejects += reject(OPINIONS, ident, "text-not-in-source", f"no file {name}", at)
        else:
            read.add(name)
            try:
                with path.open("rb") as file:
                    text, notes = decode(read_whole(file))
                rejects += notes
                opinions.append(RawOpinion(ident, row["opinion_type"], "", row["opinion_source"], text))
            except (OSError, OverLimitError) as error:
                rejects += reject_error(OPINIONS, ident, error, "file-unreadable", at)
    return opinions, rejects


def _rows_of_files(source: Path, cluster: str) -> list[dict[str, Any]]:
    return [
        {"opinion_id": n, "opinion_type": match[2], "opinion_source": "", "opinion_filename": name}
        for n, name in enumerate(_texts(str(source)).get(int(cluster), ()))
        if (match := _FILE.match(name))
    ]


@lru_cache(maxsize=2)
def _texts(source: str) -> dict[int, list[str]]:
    """The names of the texts of each cluster, in order."""
    found = defaultdict(list)
    for path in sorted((Path(source) / TEXTS).iterdir()):
        if match := _FILE.match(path.name):
            found[int(match[1])].append(path.name)
    return found


@lru_cache(maxsize=2)
def _metadata(source: str) -> dict[str, dict[str, Any]]:
    """What the two files say of each cluster, by its number as text; a missing file says nothing.

    Raises InputError when a file is not what it should be.
    """
    known: dict[str, dict[str, Any]] = {}
    for which in ("cited", "citing"):
        path = Path(source) / f"{which}_opinions_metadata.json"
        if path.is_file():
            known |= _rows(path, f"{which}_")
    return known


def _rows(path: Path, prefix: str) -> dict[str, dict[str, Any]]:
    try:
        with path.open("rb") as file:
            columns = load_json(read_whole(file))
        names = [name for name in columns if name.startswith(prefix)]
        numbers: dict[str, Any] = columns[f"{prefix}cluster_id"]
        return {
            str(read_id(cluster)): {name.removeprefix(prefix): columns[name].get(row) for name in names}
            for row, cluster in numbers.items()
        }
    except (ValueError, KeyError, AttributeError, TypeError, OSError) as error:
        why = f"it has no {error.args[0]}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{path}: not the metadata of a folder of opinions ({why}); fetch it again") from error
