"""Loose files of the Caselaw Access Project: one case each, in its HTML or in the older vendor XML (CASEMETS)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from lawng.bounded import read_whole
from lawng.corpus.assemble import build_case
from lawng.corpus.casebody import head_texts, read_casebody
from lawng.corpus.cites import read_cites
from lawng.corpus.courts import located
from lawng.corpus.dates import iso_date, written_date
from lawng.corpus.encoding import decode
from lawng.corpus.jurisdiction import of_court_name
from lawng.corpus.markup import Element, parse
from lawng.corpus.names import name_of
from lawng.corpus.parties import parties_of
from lawng.corpus.units import CASES, Item, Unit, note, reject
from lawng.limits import OverLimitError
from lawng.records import Case

HTML, CASEMETS = "cap-html", "cap-casemets"
_ENDINGS = {HTML: ".html", CASEMETS: ".xml"}
FILES_PER_UNIT = 64
_VOLUME = re.compile(r"(?:^|:)([^:/]+)/(\d[\w-]*)/[^/]*$")
_PAGES = re.compile(r"([^\s()]+)(\([^)]*\))?")


@dataclass(frozen=True, slots=True)
class _Known:
    """What such a file says of its case."""

    name: str
    cites: list[str]
    court: str
    date: str
    docket: str
    full: str = ""
    place: str = ""


def units_of(source: Path, form: str) -> list[Unit]:
    """Units of some files each."""
    if source.is_file():
        return [Unit(form, str(source.parent), (source.name,))]
    names = [path.relative_to(source).as_posix() for path in sorted(source.rglob(f"*{_ENDINGS[form]}"))]
    starts = range(0, len(names), FILES_PER_UNIT)
    return [Unit(form, str(source), tuple(names[start : start + FILES_PER_UNIT])) for start in starts]


def read_unit(unit: Unit) -> Iterator[Item]:
    """One case per file."""
    read = _read_html if unit.format == HTML else _read_casemets
    for name in unit.members:
        try:
            with Path(unit.source, name).open("rb") as file:
                markup, notes = decode(read_whole(file))
                yield from notes
                yield from _read_file(markup, name, read)
        except OverLimitError as error:
            yield from reject(CASES, name, error.reason, str(error))
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
    known = _Known(
        name=_one(tree, "parties"),
        cites=_cite_of(bodies[0].get("data-case-id") or "", bodies[0].get("data-firstpage") or ""),
        court=_one(tree, "court").rstrip("."),
        date=written_date(_one(tree, "decisiondate")),
        docket=_one(tree, "docketnumber"),
    )
    return _case(known, HTML, name, Path(name).stem)


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
    court = case.find("{*}court")
    known = _Known(
        name=named.get("abbreviation") or named.text or "",
        full=named.text or "",
        cites=[cite.text or "" for cite in case.iterfind("{*}citation")],
        court=case.findtext("{*}court") or "",
        place=court.get("jurisdiction") or "" if court is not None else "",
        date=iso_date(case.findtext("{*}decisiondate")),
        docket=case.findtext("{*}docketnumber") or "",
    )
    return _case(known, CASEMETS, name, case.get("caseid") or Path(name).stem)


def _use_printed_pages(tree: Element) -> None:
    """`pgmap` counts the sheets of a volume: say the printed page instead, by the structure map."""
    sheets = tree.iterfind(".//{*}div[@TYPE='page']")
    printed = {sheet.get("ORDER"): sheet.get("ORDERLABEL") for sheet in sheets if sheet.get("ORDERLABEL")}
    for element in tree.iter(etree.Element):
        if pgmap := element.get("pgmap"):
            element.set("pgmap", _PAGES.sub(lambda m: f"{printed.get(m[1], m[1])}{m[2] or ''}", pgmap))


def _case(known: _Known, form: str, path: str, ident: str) -> Case:
    citations, name = read_cites(known.cites), name_of(known.name)
    case = Case(
        case_id=f"cap:{ident}",
        name=name,
        name_full=known.full or known.name,
        parties=parties_of(name),
        citations=citations,
        court=known.court,
        jurisdiction=of_court_name(known.place or known.court),
        date=known.date,
        docket_number=known.docket,
        cites_to=[],
        source=form,
        source_path=path,
        n_opinions=0,
        n_majority=0,
    )
    return case if case.court and case.jurisdiction else located(case)


def _one(tree: Element, name: str) -> str:
    texts = head_texts(tree, name)
    return texts[0] if texts else ""
