"""Loose files of the Caselaw Access Project: one case each, in its HTML or in the older vendor XML (CASEMETS)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from lawng.corpus.assemble import build_case
from lawng.corpus.casebody import head_texts, read_casebody
from lawng.corpus.cites import read_cites
from lawng.corpus.dates import iso_date, written_date
from lawng.corpus.jurisdiction import of_cites, of_court_name
from lawng.corpus.markup import Element, local_name, parse
from lawng.corpus.parties import parties_of
from lawng.corpus.units import CASES, Item, Unit, note, reject
from lawng.records import Case

HTML, CASEMETS = "cap-html", "cap-casemets"
_ENDINGS = {HTML: ".html", CASEMETS: ".xml"}
_FILES_PER_UNIT = 64
_VOLUME = re.compile(r"(?:^|:)([^:/]+)/(\d[\w-]*)/[^/]*$")
_PAGES = re.compile(r"([^\s()]+)(\([^)]*\))?")


def units_of(source: Path, form: str) -> list[Unit]:
    """Units of some files each."""
    if source.is_file():
        return [Unit(form, str(source.parent), (source.name,))]
    names = [path.relative_to(source).as_posix() for path in sorted(source.rglob(f"*{_ENDINGS[form]}"))]
    starts = range(0, len(names), _FILES_PER_UNIT)
    return [Unit(form, str(source), tuple(names[start : start + _FILES_PER_UNIT])) for start in starts]


def read_unit(unit: Unit) -> Iterator[Item]:
    """One case per file."""
    read = _read_html if unit.format == HTML else _read_casemets
    for name in unit.members:
        try:
            yield from _read_file(Path(unit.source, name).read_text("utf-8", "replace"), name, read)
        except OSError as error:
            yield from reject(CASES, name, "file-unreadable", str(error))


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
    cites = _cite_of(bodies[0].get("data-case-id") or "", bodies[0].get("data-firstpage") or "")
    return _case(
        name=_one(tree, "parties"),
        cites=cites,
        court=_one(tree, "court").rstrip("."),
        date=written_date(_one(tree, "decisiondate")),
        docket=_one(tree, "docketnumber"),
        source=(HTML, name, Path(name).stem),
    )


def _cite_of(case_id: str, page: str) -> list[str]:
    """The citation that a case id such as "FC:A3d/100/100a3d1004.xml" and its first page make."""
    match = _VOLUME.search(case_id)
    return [f"{match[2]} {match[1]} {page}"] if match and page else []


def _read_casemets(tree: Element, name: str) -> Case | None:
    meta = {local_name(e): e for e in tree.iterfind(".//{*}case/*")}
    case = tree.find(".//{*}case")
    if case is None or "name" not in meta:
        return None
    _use_printed_pages(tree)
    court = meta["court"].text if "court" in meta else ""
    return _case(
        name=meta["name"].get("abbreviation") or meta["name"].text or "",
        full=meta["name"].text or "",
        cites=[e.text or "" for e in tree.iterfind(".//{*}case/{*}citation")],
        court=court or "",
        place=meta["court"].get("jurisdiction") or "" if "court" in meta else "",
        date=iso_date(meta["decisiondate"].text if "decisiondate" in meta else ""),
        docket=(meta["docketnumber"].text or "") if "docketnumber" in meta else "",
        source=(CASEMETS, name, case.get("caseid") or Path(name).stem),
    )


def _use_printed_pages(tree: Element) -> None:
    """`pgmap` counts the sheets of a volume: say the printed page instead, by the structure map."""
    sheets = tree.iterfind(".//{*}div[@TYPE='page']")
    printed = {sheet.get("ORDER"): sheet.get("ORDERLABEL") for sheet in sheets if sheet.get("ORDERLABEL")}
    for element in tree.iter(etree.Element):
        if pgmap := element.get("pgmap"):
            element.set("pgmap", _PAGES.sub(lambda m: f"{printed.get(m[1], m[1])}{m[2] or ''}", pgmap))


def _case(
    name: str,
    cites: list[str],
    court: str,
    date: str,
    docket: str,
    source: tuple[str, str, str],
    full: str = "",
    place: str = "",
) -> Case:
    known: dict[str, Any] = {"name": name, "name_full": full or name, "court": court, "date": date}
    citations = read_cites(cites)
    return Case(
        case_id=f"cap:{source[2]}",
        parties=parties_of(name),
        citations=citations,
        jurisdiction=of_court_name(place or court) or of_cites(citations),
        docket_number=docket,
        cites_to=[],
        source=source[0],
        source_path=source[1],
        n_opinions=0,
        n_majority=0,
        **known,
    )


def _one(tree: Element, name: str) -> str:
    texts = head_texts(tree, name)
    return texts[0] if texts else ""
