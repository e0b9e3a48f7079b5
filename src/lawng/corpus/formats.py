"""Which format a source is in, by what lies there, whatever it is called; and the sources cut into units of work."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from lawng.corpus import (
    cap_formats,
    courtlistener_api,
    courtlistener_csv,
    courtlistener_folder,
    courtlistener_join,
)
from lawng.corpus.archives import READING, Zip, files_in, open_packed
from lawng.corpus.decoding import decode
from lawng.corpus.reader import Corpus
from lawng.corpus.records import FILES, Item, Unit, reject
from lawng.errors import ConfigError, InputError
from lawng.io.limits import OverLimitError

_CASE_BODY = re.compile(r"class=[\"'][^\"']*\bcasebody\b")
_MARKUP = (".html", ".htm", ".xml")
_JSON = re.compile(r"\.(?:json|jsonl|ndjson)(?:\.(?:gz|bz2|xz))?$")
_LOOK = 1 << 20
_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)("(\s*:)?)?', re.S)
_CAP_KEYS = frozenset(("name_abbreviation", "decision_date", "frontend_url", "cites_to", "reporter"))
_UNKNOWN, _UNKNOWN_PER_UNIT = "unknown", 1000


class Format(NamedTuple):
    """A format of sources: what its files are, and how they are cut into units and read."""

    files: str
    read: Callable[[Unit], Iterator[Item]]
    units: Callable[[Path, Path], list[Unit]]
    """From a source and a scratch folder, which formats whose tables must be joined need."""
    files_per_unit: int = 1
    """Of a folder with files of other formats."""


FORMATS = {
    cap_formats.BULK: Format(
        "JSON lines of cases with `casebody`, plain or packed (.jsonl, .jsonl.xz), or a zip of them",
        cap_formats.read_bulk,
        partial(cap_formats.units_of, cap_formats.BULK),
    ),
    cap_formats.STATIC: Format(
        "volumes of static.case.law, as zips or folders with json/ or cases/ and html/",
        cap_formats.read_static,
        partial(cap_formats.units_of, cap_formats.STATIC),
    ),
    cap_formats.HTML: Format(
        "HTML files of one case each with `casebody`",
        cap_formats.read_files,
        partial(cap_formats.units_of, cap_formats.HTML),
        cap_formats.FILES_PER_UNIT,
    ),
    cap_formats.CASEMETS: Format(
        "XML files of one case each (CASEMETS)",
        cap_formats.read_files,
        partial(cap_formats.units_of, cap_formats.CASEMETS),
        cap_formats.FILES_PER_UNIT,
    ),
    courtlistener_csv.FORMAT: Format(
        "a folder with opinions-*.csv.bz2 and opinion-clusters-*.csv.bz2",
        courtlistener_join.read_unit,
        courtlistener_csv.units_of,
    ),
    courtlistener_folder.FORMAT: Format(
        "a folder with raw_opinions/CLUSTER_TYPE.txt",
        courtlistener_folder.read_unit,
        lambda source, _: courtlistener_folder.units_of(source),
    ),
    courtlistener_api.FORMAT: Format(
        "opinions of the API as JSON (objects, lines, arrays or pages; plain or packed), or tars",
        courtlistener_join.read_unit,
        courtlistener_api.units_of,
    ),
}
"""Every format by its name."""


def format_of(path: Path) -> str | None:
    """The format of a file, None when it is in none that is known; one too damaged to tell goes by its ending."""
    name = path.name.lower()
    if name.endswith(".zip"):
        return _of_zip(path)
    try:
        with open_packed(path) as file:
            start = file.read(_LOOK)
    except (*READING, OverLimitError):
        return _by_ending(name)
    text = decode(start)[0].lstrip()
    if name.endswith(_MARKUP):
        return cap_formats.CASEMETS if "<mets" in text else cap_formats.HTML if _CASE_BODY.search(text) else None
    tar = start[257:262] == b"ustar" or name.endswith(".tar")
    if tar and name.startswith(("clusters", "opinions")):
        return courtlistener_api.FORMAT
    keys = keys_of(text) if tar or text[:1] in ("{", "[") else set()
    return _of_keys(keys) or (None if keys or tar else _by_ending(name))


def keys_of(text: str) -> set[str]:
    """The keys of the JSON objects at the start of a text, at any depth.

    >>> sorted(keys_of('[{"id": 1, "text": "he said: \\\\"no\\\\": so", "more": {"a": "unfinis'))
    ['a', 'id', 'more', 'text']
    """
    keys: set[str] = set()
    for match in _STRING.finditer(text):
        if not match[2]:  # the text ends inside this one
            break
        if match[3]:
            keys.add(match[1])
    return keys


def _of_keys(keys: set[str]) -> str | None:
    if "casebody" in keys or len(_CAP_KEYS & keys) > 2:
        return cap_formats.BULK
    return courtlistener_api.FORMAT if courtlistener_api.kind_of(keys) else None


def _by_ending(name: str) -> str | None:
    if name.endswith(cap_formats.JSON_LINES):
        return cap_formats.BULK
    return courtlistener_api.FORMAT if _JSON.search(name) else None


def _of_zip(path: Path) -> str | None:
    """A bag with JSON lines, or a volume; one too damaged to tell is read as a volume and rejected there."""
    try:
        with Zip(path) as file:
            names = file.names
    except (*READING, OverLimitError):
        return cap_formats.STATIC
    if any(name.endswith(cap_formats.JSON_LINES) for name in names):
        return cap_formats.BULK
    return cap_formats.STATIC if any(Path(name).parent.name in cap_formats.JSON_FOLDERS for name in names) else None


def work_units(sources: list[Path], format: str | None, scratch: Path) -> list[Unit]:
    """The sources as units of work, in a fixed order; a source given twice is read once.

    Formats whose tables must be joined are dealt into the scratch folder. Raises InputError for a source that is not
    there or in no known format, ConfigError for an unknown format name.
    """
    if format is not None and format not in FORMATS:
        raise ConfigError(f"--format {format}: not one of {', '.join(FORMATS)}")
    distinct = dict.fromkeys(source.resolve() for source in sources)
    places = ((source, scratch / f"{number:03d}") for number, source in enumerate(distinct))
    found = [unit for source, place in places for unit in _units(source, format, place)]
    if not found:
        raise InputError(f"{', '.join(map(str, sources))}: no cases here; give a folder or file of opinions")
    return found


def read_unit(unit: Unit) -> Iterator[Item]:
    """What a unit holds: each `Case` directly before its `Opinion`s, with `Reject`s and counts of what came in."""
    if unit.format == _UNKNOWN:
        for name in unit.members:
            yield from reject(FILES, name, "format-not-known")
    else:
        yield from FORMATS[unit.format].read(unit)


def detect(source: Path) -> str:
    """The format of a source by its files.

    Raises InputError when the source is not there or is in no known format.
    """
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    if Corpus.is_at(source):
        raise InputError(f"{source}: is a corpus already; use it as it is: lawng build {source}, lawng index {source}")
    found = _of_folder(source) if source.is_dir() else format_of(source)
    if found is None and source.is_dir() and not files_in(source):
        raise InputError(f"{source}: the folder is empty; give a folder or file of opinions")
    if found is None:
        known = "; ".join(f"{name}: {form.files}" for name, form in FORMATS.items())
        raise InputError(f"{source}: in no format that is known. Known are {known}. Name one with --format")
    return found


def _units(source: Path, format: str | None, scratch: Path) -> list[Unit]:
    if not source.exists():
        raise InputError(f"{source}: no such file or folder")
    form = format or detect(source)
    if format or source.is_file() or _by_structure(source):
        return FORMATS[form].units(source, scratch)
    # each file in its own format: none is passed over because the first was of another kind, or damaged
    forms: dict[str, list[Path]] = {}
    for path in files_in(source):
        forms.setdefault(format_of(path) or _UNKNOWN, []).append(path)
    units: list[Unit] = []
    for form, paths in forms.items():
        if form == courtlistener_api.FORMAT:
            units += courtlistener_api.units_of(source, scratch, paths)
        else:
            names = [path.relative_to(source).as_posix() for path in paths]
            size = _UNKNOWN_PER_UNIT if form == _UNKNOWN else FORMATS[form].files_per_unit
            units += Unit.several(form, source, names, size)
    return units


def _of_folder(source: Path) -> str | None:
    return _by_structure(source) or next((form for path in files_in(source) if (form := format_of(path))), None)


def _by_structure(source: Path) -> str | None:
    """The format of a folder by the files and folders that it must have, None for a folder of loose files."""
    if (source / courtlistener_folder.TEXTS).is_dir():
        return courtlistener_folder.FORMAT
    if courtlistener_api.tars_of(source):
        return courtlistener_api.FORMAT
    if courtlistener_csv.tables_in(source):
        return courtlistener_csv.FORMAT
    volumes = (path for name in cap_formats.JSON_FOLDERS for path in source.rglob(name) if path.is_dir())
    return cap_formats.STATIC if any(map(_is_volume, volumes)) else None


def _is_volume(folder: Path) -> bool:
    """Whether a folder of JSON is that of a volume: its first file is not of the API."""
    first = next(folder.glob("*.json"), None)
    return first is None or format_of(first) != courtlistener_api.FORMAT
