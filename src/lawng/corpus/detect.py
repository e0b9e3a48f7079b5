"""Which format a source is in, by what lies there; and the sources cut into units of work."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from lawng.corpus import (
    cap_bulk,
    cap_files,
    cap_static,
    courtlistener_api,
    courtlistener_csv,
    courtlistener_folder,
)
from lawng.corpus.packed import READING, Zip
from lawng.corpus.units import Item, Unit
from lawng.errors import ConfigError, InputError
from lawng.limits import OverLimitError

FORMATS: dict[str, Callable[[Unit], Iterator[Item]]] = {
    cap_bulk.FORMAT: cap_bulk.read_unit,
    cap_static.FORMAT: cap_static.read_unit,
    cap_files.HTML: cap_files.read_unit,
    cap_files.CASEMETS: cap_files.read_unit,
    courtlistener_csv.FORMAT: courtlistener_csv.read_unit,
    courtlistener_folder.FORMAT: courtlistener_folder.read_unit,
    courtlistener_api.FORMAT: courtlistener_api.read_unit,
}
"""Every format by its name, and how to read a unit of it."""
_CASE_BODY = re.compile(r"class=\"casebody\"")
_LOOK = 4096


def work_units(sources: list[Path], format: str | None = None, scratch: Path | None = None) -> list[Unit]:
    """The sources as units of work, in a fixed order; a source given twice is read once.

    Formats whose tables must be joined need a scratch folder. Raises InputError for a source that is not there or in
    no known format, ConfigError for an unknown format name.
    """
    if format is not None and format not in FORMATS:
        raise ConfigError(f"--format {format}: not one of {', '.join(FORMATS)}")
    distinct = dict.fromkeys(source.resolve() for source in sources)
    found = [unit for number, source in enumerate(distinct) for unit in _units(source, format, scratch, number)]
    if not found:
        raise InputError(f"{', '.join(map(str, sources))}: no cases here; give a folder or file of opinions")
    return found


def read_unit(unit: Unit) -> Iterator[Item]:
    """What a unit holds: each `Case` directly before its `Opinion`s, with `Reject`s and counts of what came in."""
    yield from FORMATS[unit.format](unit)


def detect(source: Path) -> str:
    """The format of a source by its files.

    Raises InputError when the source is not there or is in no known format.
    """
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    found = _of_folder(source) if source.is_dir() else _of_file(source)
    if found is None and source.is_dir() and not _files(source):
        raise InputError(f"{source}: the folder is empty; give a folder or file of opinions")
    if found is None:
        known = ", ".join(FORMATS)
        raise InputError(f"{source}: in no format that is known; name one with --format ({known})")
    return found


def _units(source: Path, format: str | None, scratch: Path | None, number: int) -> list[Unit]:
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    form = format or detect(source)
    if format is None and source.is_dir() and _by_structure(source) is None:
        return _units_of_loose_files(source)
    if form in (courtlistener_csv.FORMAT, courtlistener_api.FORMAT):
        if scratch is None:
            raise ConfigError(f"{source}: {form} needs a scratch folder for its join")
        joined = courtlistener_csv.units_of if form == courtlistener_csv.FORMAT else courtlistener_api.units_of
        return joined(source, scratch / f"{number:03d}")
    if form in (cap_files.HTML, cap_files.CASEMETS):
        return cap_files.units_of(source, form)
    if form == courtlistener_folder.FORMAT:
        return courtlistener_folder.units_of(source)
    return cap_static.units_of(source) if form == cap_static.FORMAT else cap_bulk.units_of(source)


def _units_of_loose_files(source: Path) -> list[Unit]:
    """Each file in its own format: none is passed over because the first was of another kind, or damaged."""
    forms = {path: form for path in _files(source) if (form := _of_file(path))}
    kinds = dict.fromkeys(forms.values())
    units = [unit for form in kinds for unit in _units(source, form, None, 0)]
    return [unit for unit in units if forms.get(source / unit.members[0], unit.format) == unit.format]


def _files(source: Path) -> list[Path]:
    return sorted(path for path in source.rglob("*") if path.is_file())


def _of_folder(source: Path) -> str | None:
    return _by_structure(source) or next((form for path in _files(source) if (form := _of_file(path))), None)


def _by_structure(source: Path) -> str | None:
    """The format of a folder by the files and folders that it must have, None for a folder of loose files."""
    if (source / courtlistener_folder.TEXTS).is_dir():
        return courtlistener_folder.FORMAT
    if courtlistener_api.is_source(source):
        return courtlistener_api.FORMAT
    if courtlistener_csv.tables_in(source):
        return courtlistener_csv.FORMAT
    if any(path.is_dir() for name in cap_static.JSON_FOLDERS for path in source.rglob(name)):
        return cap_static.FORMAT
    return None


def _of_file(path: Path) -> str | None:
    name = path.name.lower()
    if name.endswith((".jsonl", ".jsonl.xz")):
        return cap_bulk.FORMAT
    if name.endswith(".zip"):
        return _of_zip(path)
    if name.endswith((".html", ".htm", ".xml")):
        return _of_markup(path)
    return None


def _of_zip(path: Path) -> str | None:
    """A bag with JSON lines, or a volume; one too damaged to tell is read as a volume and rejected there."""
    try:
        with Zip(path) as file:
            names = file.names
    except (*READING, OverLimitError):
        return cap_static.FORMAT
    if any(name.endswith((".jsonl", ".jsonl.xz")) for name in names):
        return cap_bulk.FORMAT
    return cap_static.FORMAT if any(Path(name).parent.name in cap_static.JSON_FOLDERS for name in names) else None


def _of_markup(path: Path) -> str | None:
    with path.open("rb") as file:
        start = file.read(_LOOK).decode("utf-8", "replace")
    if "<mets" in start:
        return cap_files.CASEMETS
    return cap_files.HTML if _CASE_BODY.search(start) else None
