"""The Caselaw Access Project as it is now, static.case.law: JSON joined with HTML by file name.

Metadata and the citation network are in the JSON, pages are in the HTML only. A volume is a zip (`json/`, `html/`,
`metadata/`) or a folder (`cases/`, `html/`); a source may be a volume or a tree of many reporters.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from lawng.bounded import load_json
from lawng.corpus.assemble import build_case
from lawng.corpus.cap import NOT_A_CASE, read_case, read_plain_opinions
from lawng.corpus.casebody import read_casebody
from lawng.corpus.container import Container, open_container
from lawng.corpus.encoding import decode
from lawng.corpus.markup import parse
from lawng.corpus.packed import READING
from lawng.corpus.units import CASES, FILES, Item, Part, Source, Unit, broken_off, note, reject
from lawng.engine import Seen
from lawng.limits import OverLimitError

FORMAT = "cap-static"
JSON_FOLDERS = ("json", "cases")


def units_of(source: Path) -> list[Unit]:
    """One unit per volume."""
    if source.is_file() or _is_volume(source):
        return [Unit(FORMAT, str(source))]
    volumes = {path.parent for name in JSON_FOLDERS for path in source.rglob(name) if path.is_dir()}
    found = sorted([*volumes, *source.rglob("*.zip")])
    return [Unit(FORMAT, str(source), (path.relative_to(source).as_posix(),)) for path in found]


def _is_volume(folder: Path) -> bool:
    return any((folder / name).is_dir() for name in JSON_FOLDERS)


def read_unit(unit: Unit) -> Iterator[Item]:
    """The cases of a volume, in the order of their file names."""
    path = Path(unit.source, *unit.members)
    yield Seen(1, FILES)
    try:
        with open_container(path) as volume:
            yield from _read_volume(volume, unit.members[0] if unit.members else path.name)
    except (*READING, OverLimitError) as error:
        yield broken_off(path.name, error)


def _read_volume(volume: Container, name: str) -> Iterator[Item]:
    pages = {PurePosixPath(n).stem: n for n in volume.names if n.endswith(".html")}
    cases = [n for n in volume.names if n.endswith(".json") and PurePosixPath(n).parent.name in JSON_FOLDERS]
    for case in cases:
        html = pages.pop(PurePosixPath(case).stem, None)
        try:
            yield from _read_case(volume, case, html, f"{name}/{case}")
        except OverLimitError as error:
            yield from reject(CASES, f"{name}/{case}", error.reason, str(error))
        except READING as error:
            yield from reject(CASES, f"{name}/{case}", "file-unreadable", str(error))
    for left in pages.values():
        yield from reject(CASES, f"{name}/{left}", "html-without-metadata", "no JSON file of the same name")


def _read_case(volume: Container, name: str, html: str | None, where: str) -> Iterator[Item]:
    try:
        text, notes = decode(volume.read(name))
        yield from notes
        meta = load_json(text)
    except ValueError as error:
        yield from reject(CASES, where, "file-not-json", str(error))
        return
    try:
        case = read_case(meta, FORMAT, where)
        plain = read_plain_opinions(meta.get("casebody") or {}, case.case_id, "casebody.text")
    except NOT_A_CASE as error:
        yield from reject(CASES, where, "not-a-case", repr(error))
        return
    parts, source, said = _from_html(volume, html, case.case_id)
    yield from said
    if not parts and plain:
        yield note("no-html-so-no-page-marks")
    yield from build_case(case, parts or plain, source)


def _from_html(volume: Container, html: str | None, ident: str) -> tuple[list[Part], Source, list[Item]]:
    if html is None:
        return [], Source(), []
    text, notes = decode(volume.read(html))
    tree, _ = parse(text)
    parts, source = read_casebody(tree, ident, "html") if tree is not None else ([], Source())
    return parts, source, notes
