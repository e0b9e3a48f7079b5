"""Which format a source is in, by what lies there; and the sources cut into units of work."""

from __future__ import annotations

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
from lawng.corpus.recognise import FILES, format_of
from lawng.corpus.units import FILES as KIND
from lawng.corpus.units import Item, Unit, reject
from lawng.errors import ConfigError, InputError

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
_UNKNOWN = "unknown"
_FILES_PER_UNIT = {
    cap_files.HTML: cap_files.FILES_PER_UNIT,
    cap_files.CASEMETS: cap_files.FILES_PER_UNIT,
    _UNKNOWN: 1000,
}


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
    if unit.format == _UNKNOWN:
        for name in unit.members:
            yield from reject(KIND, name, "format-not-known")
    else:
        yield from FORMATS[unit.format](unit)


def detect(source: Path) -> str:
    """The format of a source by its files.

    Raises InputError when the source is not there or is in no known format.
    """
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    found = _of_folder(source) if source.is_dir() else format_of(source)
    if found is None and source.is_dir() and not _files(source):
        raise InputError(f"{source}: the folder is empty; give a folder or file of opinions")
    if found is None:
        known = "; ".join(f"{form}: {files}" for form, files in FILES.items())
        raise InputError(f"{source}: in no format that is known. Known are {known}. Name one with --format")
    return found


def _units(source: Path, format: str | None, scratch: Path | None, number: int) -> list[Unit]:
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    form = format or detect(source)
    if format is None and source.is_dir() and _by_structure(source) is None:
        return _units_of_loose_files(source, scratch, number)
    if form == courtlistener_api.FORMAT:
        return courtlistener_api.units_of(source, _api_files(source), _scratch(source, scratch, number))
    if form == courtlistener_csv.FORMAT:
        return courtlistener_csv.units_of(source, _scratch(source, scratch, number))
    if form in (cap_files.HTML, cap_files.CASEMETS):
        return cap_files.units_of(source, form)
    if form == courtlistener_folder.FORMAT:
        return courtlistener_folder.units_of(source)
    return cap_static.units_of(source) if form == cap_static.FORMAT else cap_bulk.units_of(source)


def _scratch(source: Path, scratch: Path | None, number: int) -> Path:
    if scratch is None:
        raise ConfigError(f"{source}: needs a scratch folder for its join")
    return scratch / f"{number:03d}"


def _api_files(source: Path) -> list[Path]:
    return courtlistener_api.tars_of(source) or ([source] if source.is_file() else _files(source))


def _units_of_loose_files(source: Path, scratch: Path | None, number: int) -> list[Unit]:
    """Each file in its own format: none is passed over because the first was of another kind, or damaged."""
    forms: dict[str, list[Path]] = {}
    for path in _files(source):
        forms.setdefault(format_of(path) or _UNKNOWN, []).append(path)
    units: list[Unit] = []
    for form, paths in forms.items():
        names = [path.relative_to(source).as_posix() for path in paths]
        if form == courtlistener_api.FORMAT:
            units += courtlistener_api.units_of(source, paths, _scratch(source, scratch, number))
        else:
            size = _FILES_PER_UNIT.get(form, 1)
            units += [Unit(form, str(source), tuple(names[n : n + size])) for n in range(0, len(names), size)]
    return units


def _files(source: Path) -> list[Path]:
    return sorted(path for path in source.rglob("*") if path.is_file())


def _of_folder(source: Path) -> str | None:
    return _by_structure(source) or next((form for path in _files(source) if (form := format_of(path))), None)


def _by_structure(source: Path) -> str | None:
    """The format of a folder by the files and folders that it must have, None for a folder of loose files."""
    if (source / courtlistener_folder.TEXTS).is_dir():
        return courtlistener_folder.FORMAT
    if courtlistener_api.tars_of(source):
        return courtlistener_api.FORMAT
    if courtlistener_csv.tables_in(source):
        return courtlistener_csv.FORMAT
    volumes = (path for name in cap_static.JSON_FOLDERS for path in source.rglob(name) if path.is_dir())
    return cap_static.FORMAT if any(map(_is_volume, volumes)) else None


def _is_volume(folder: Path) -> bool:
    """Whether a folder of JSON is that of a volume: its first file is not of the API."""
    first = next(folder.glob("*.json"), None)
    return first is None or format_of(first) != courtlistener_api.FORMAT
