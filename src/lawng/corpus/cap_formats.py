"""The Caselaw Access Project's data in its four forms: two exports with metadata as JSON, and loose files of one case.

*Bulk* is the export of 2021, which LawngNLI used (A.1.1): JSON lines with casebody XML. *Static* is static.case.law as
it is now: JSON joined with HTML by file name. Metadata and the citation network are in the JSON, pages are in the HTML
only. A volume is a zip (`json/`, `html/`, `metadata/`) or a folder (`cases/`, `html/`); a source may be a volume or a
tree of many reporters. A loose file is HTML, or the older vendor XML (CASEMETS).
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath
from typing import Any

from lxml import etree

from lawng.corpus.archives import READING, Container, Zip, open_container, open_packed
from lawng.corpus.body import Part, Source
from lawng.corpus.cap import NOT_A_CASE, cap_case, head_text, read_case, read_casebody, read_plain_opinions
from lawng.corpus.cites import read_cites
from lawng.corpus.courts import jurisdiction_of_court_name
from lawng.corpus.dates import iso_date, written_date
from lawng.corpus.decoding import decode, values_of
from lawng.corpus.markup import Element, parse
from lawng.corpus.records import CASES, FILES, OPINIONS, Item, Unit, broken_off, build_case, note, reject, reject_error
from lawng.io.limits import OverLimitError, load_json, read_whole
from lawng.pipeline import Count
from lawng.schema import Case

BULK, STATIC, HTML, CASEMETS = "cap-bulk", "cap-static", "cap-html", "cap-casemets"
JSON_LINES = (".jsonl", ".jsonl.xz")
JSON_FOLDERS = ("json", "cases")
_ENDINGS = {BULK: (*JSON_LINES, ".zip"), HTML: (".html",), CASEMETS: (".xml",)}
FILES_PER_UNIT = 64
"""Of files of one case each."""
_VOLUME = re.compile(r"(?:^|:)([^:/]+)/(\d[\w-]*)/[^/]*$")
_PAGES = re.compile(r"([^\s()]+)(\([^)]*\))?")


def units_of(form: str, source: Path, _scratch: Path) -> list[Unit]:
    """Units of some files each: a file or volume of an export is streamed, however large it is, and is one unit."""
    if source.is_file() or (form == STATIC and any((source / name).is_dir() for name in JSON_FOLDERS)):
        return [Unit(form, str(source.parent), (source.name,))]
    if form == STATIC:
        folders = {path.parent for name in JSON_FOLDERS for path in source.rglob(name) if path.is_dir()}
        found = sorted([*folders, *source.rglob("*.zip")])
    else:
        found = sorted(path for path in source.rglob("*") if path.name.endswith(_ENDINGS[form]))
    names = [path.relative_to(source).as_posix() for path in found]
    return Unit.several(form, source, names, FILES_PER_UNIT if form in (HTML, CASEMETS) else 1)


def read_bulk(unit: Unit) -> Iterator[Item]:
    """The cases of a file; one that breaks off, or a member of it, gives all before the break and one reject."""
    path = Path(unit.source, *unit.members)
    yield Count(1, FILES)
    if not path.name.endswith(".zip"):
        yield from _read_lines(open_packed(path), path.name)
        return
    try:
        with Zip(path) as bag:
            for member in bag.names:
                if member.endswith(JSON_LINES):
                    yield from _read_lines(bag.open_unpacked(member), f"{path.name}/{member}")
    except (*READING, OverLimitError) as error:
        yield broken_off(path.name, error)


def _read_lines(opened: AbstractContextManager[io.BufferedReader], name: str) -> Iterator[Item]:
    place = "0"
    try:
        with opened as file:
            for found in values_of(file):
                place = found.place
                yield from found.notes
                yield from _read_bulk_case(found.value, f"{name}:{place}")
    except (*READING, OverLimitError) as error:
        yield broken_off(name, error, f"after {place} lines: ")


def _read_bulk_case(meta: Any, where: str) -> Iterator[Item]:
    if isinstance(meta, Exception):
        yield from reject_error(CASES, where, meta, "line-not-json")
        return
    try:
        case = read_case(meta, BULK, where)
        parts, source, notes = _read_body(meta.get("casebody") or {}, case)
    except (*NOT_A_CASE, OverLimitError) as error:
        yield from reject_error(CASES, where, error, "not-a-case")
    else:
        yield from build_case(case, parts, source)
        yield from notes


def _read_body(casebody: dict[str, Any], case: Case) -> tuple[list[Part], Source, list[Item]]:
    """Opinions of either body format; what cannot be read is rejected in the third."""
    status, data = casebody.get("status", "ok"), casebody.get("data")
    if status != "ok" or not data:
        detail = f"casebody status {status!r}"
        return [], Source(), list(reject(OPINIONS, case.case_id, "case-without-body", detail, case.source_path))
    if not isinstance(data, str):
        parts = read_plain_opinions(data, case.case_id, "casebody.text")
        return parts, Source(), [note("body-format-text-has-no-page-marks")]
    tree, mended = parse(data)
    if tree is None:
        return [], Source(), list(reject(OPINIONS, case.case_id, "markup-unreadable", data[:200], case.source_path))
    parts, source = read_casebody(tree, case.case_id, "casebody.xml")
    extra: list[Item] = [note("markup-mended")] if mended else []
    if not parts:
        extra += reject(OPINIONS, case.case_id, "case-without-opinion-element", "", case.source_path)
    return parts, source, extra


def read_static(unit: Unit) -> Iterator[Item]:
    """The cases of a volume, in the order of their file names."""
    path = Path(unit.source, *unit.members)
    yield Count(1, FILES)
    try:
        with open_container(path) as volume:
            yield from _read_volume(volume, unit.members[0])
    except (*READING, OverLimitError) as error:
        yield broken_off(path.name, error)


def _read_volume(volume: Container, name: str) -> Iterator[Item]:
    pages = {PurePosixPath(n).stem: n for n in volume.names if n.endswith(".html")}
    cases = [n for n in volume.names if n.endswith(".json") and PurePosixPath(n).parent.name in JSON_FOLDERS]
    for case in cases:
        html = pages.pop(PurePosixPath(case).stem, None)
        try:
            yield from _read_static_case(volume, case, html, f"{name}/{case}")
        except (*READING, OverLimitError) as error:
            yield from reject_error(CASES, f"{name}/{case}", error, "file-unreadable")
    for left in pages.values():
        yield from reject(CASES, f"{name}/{left}", "html-without-metadata", "no JSON file of the same name")


def _read_static_case(volume: Container, name: str, html: str | None, where: str) -> Iterator[Item]:
    try:
        text, notes = decode(volume.read(name))
        yield from notes
        meta = load_json(text)
    except ValueError as error:
        yield from reject(CASES, where, "file-not-json", str(error))
        return
    try:
        case = read_case(meta, STATIC, where)
        plain = read_plain_opinions(meta.get("casebody") or {}, case.case_id, "casebody.text")
    except NOT_A_CASE as error:
        yield from reject_error(CASES, where, error, "not-a-case")
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


def read_files(unit: Unit) -> Iterator[Item]:
    """One case per file."""
    read = _read_html if unit.format == HTML else _read_casemets
    for name in unit.members:
        try:
            with Path(unit.source, name).open("rb") as file:
                markup, notes = decode(read_whole(file))
                yield from notes
                yield from _read_file(markup, name, read)
        except (OSError, OverLimitError) as error:
            yield from reject_error(CASES, name, error, "file-unreadable")


def _read_file(markup: str, name: str, read: Callable[[Element, str], Case | None]) -> Iterator[Item]:
    tree, mended = parse(markup)
    case = read(tree, name) if tree is not None else None
    if case is None:
        yield from reject(CASES, name, "not-a-case", "no case body, or no metadata of a case in the file")
        return
    parts, source = read_casebody(tree, case.case_id, "casebody")
    if mended:
        yield note("markup-mended")
    yield from build_case(case, parts, source)


def _read_html(tree: Element, name: str) -> Case | None:
    bodies = tree.xpath("//section[contains(concat(' ', @class, ' '), ' casebody ')]")
    if not bodies:
        return None
    parties, court = head_text(tree, "parties"), head_text(tree, "court").rstrip(".")
    ident = bodies[0].get("data-case-id") or ""  # "32044109578716_0010", "FC:A3d/100/100a3d1004.xml"
    return cap_case(
        f"cap:{ident.strip().rpartition('/')[2].removesuffix('.xml') or _ident_of(name)}",
        parties,
        name_full=parties,
        citations=read_cites(_cite_of(ident, bodies[0].get("data-firstpage") or "")),
        court=court,
        jurisdiction=jurisdiction_of_court_name(court),
        date=written_date(head_text(tree, "decisiondate")),
        docket_number=head_text(tree, "docketnumber"),
        cites_to=[],
        source=HTML,
        source_path=name,
    )


def _ident_of(name: str) -> str:
    """The id of a case that has none: where its file lies in the source, for each volume has a 0001-01.html.

    >>> _ident_of("us/410/html/0113-01.html")
    'us-410-0113-01'
    """
    return "-".join(part for part in Path(name).with_suffix("").parts if part != "html")


def _cite_of(case_id: str, page: str) -> list[str]:
    """The citation that a case id such as "FC:A3d/100/100a3d1004.xml" and its first page make."""
    match = _VOLUME.search(case_id)
    return [f"{match[2]} {match[1]} {page}"] if match and page else []


def _read_casemets(tree: Element, name: str) -> Case | None:
    case = tree.find(".//{*}case")
    named = case.find("{*}name") if case is not None else None
    if named is None:
        return None
    _use_printed_pages(tree)
    court, printed = case.find("{*}court"), case.findtext("{*}court") or ""
    place = court.get("jurisdiction") or "" if court is not None else ""
    short = named.get("abbreviation") or named.text or ""
    return cap_case(
        f"cap:{case.get('caseid') or _ident_of(name)}",
        short,
        name_full=named.text or short,
        citations=read_cites(cite.text or "" for cite in case.iterfind("{*}citation")),
        court=printed,
        jurisdiction=jurisdiction_of_court_name(place or printed),
        date=iso_date(case.findtext("{*}decisiondate")),
        docket_number=case.findtext("{*}docketnumber") or "",
        cites_to=[],
        source=CASEMETS,
        source_path=name,
    )


def _use_printed_pages(tree: Element) -> None:
    """`pgmap` counts the sheets of a volume: say the printed page instead, by the structure map."""
    sheets = tree.iterfind(".//{*}div[@TYPE='page']")
    printed = {sheet.get("ORDER"): sheet.get("ORDERLABEL") for sheet in sheets if sheet.get("ORDERLABEL")}
    for element in tree.iter(etree.Element):
        if pgmap := element.get("pgmap"):
            element.set("pgmap", _PAGES.sub(lambda m: f"{printed.get(m[1], m[1])}{m[2] or ''}", pgmap))
