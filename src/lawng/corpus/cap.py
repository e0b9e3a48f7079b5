"""What all forms of the Caselaw Access Project's data have in common: metadata of a case as JSON, and case bodies.

A case body is XML (`casebody`) or HTML (`section.casebody`), with pages, or plain text without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lxml import etree

from lawng.corpus.body import Part, RawMark, Source
from lawng.corpus.cites import read_cites
from lawng.corpus.courts import jurisdiction_of_cap, with_court
from lawng.corpus.dates import iso_date
from lawng.corpus.markup import Element, element_text, local_name, page_mark, read_plain, read_tree
from lawng.corpus.names import case_name, parties_of
from lawng.io.limits import number_of, read_id
from lawng.schema import Case

NOT_A_CASE = (KeyError, TypeError, AttributeError, ValueError, OverflowError)
"""What reading a case raises when its JSON has not the form of one."""
_SAYS = {"name", "name_abbreviation", "casebody"}
_TYPES = {
    "majority": "majority",
    "lead": "majority",
    "unanimous": "majority",
    "per-curiam": "majority",
    "opinion": "majority",
    "plurality": "plurality",
    "concurrence": "concurrence",
    "concurring": "concurrence",
    "concurring-in-part-and-dissenting-in-part": "concurrence-in-part",
    "dissent": "dissent",
    "dissenting": "dissent",
    "combined": "combined",
}
_OFFICIAL_FIRST = {"official": 0, "nominative": 2, "vendor": 3}


def read_case(meta: Mapping[str, Any], source: str, path: str) -> Case:
    """The record of a case from its metadata; its opinions are counted later.

    Raises what is in `NOT_A_CASE` when the metadata has not the form of a case.
    """
    ident = read_id(meta["id"])
    if not (_SAYS & meta.keys()):
        raise KeyError(f"no case of the Caselaw Access Project: none of {', '.join(sorted(_SAYS))}")
    cites = sorted(meta.get("citations") or [], key=lambda cite: _OFFICIAL_FIRST.get(str(cite.get("type")), 1))
    return cap_case(
        f"cap:{ident}",
        str(meta.get("name_abbreviation") or meta.get("name") or ""),
        citations=read_cites(str(cite.get("cite") or "") for cite in cites),
        name_full=str(meta.get("name") or ""),
        court=str((meta.get("court") or {}).get("name") or ""),
        jurisdiction=jurisdiction_of_cap(meta.get("jurisdiction")),
        date=iso_date(meta.get("decision_date")),
        docket_number=str(meta.get("docket_number") or ""),
        cites_to=[
            cite.cite for cite in read_cites(str(cited.get("cite") or "") for cited in meta.get("cites_to") or [])
        ],
        source=source,
        source_path=path,
    )


def cap_case(case_id: str, name: str, **known: Any) -> Case:
    """A case with the name as it is written, and its court by its citations where the source does not say."""
    short = case_name(name)
    case = Case(case_id, short, parties=parties_of(short), **known)
    return case if case.court and case.jurisdiction else with_court(case)


def read_plain_opinions(casebody: Mapping[str, Any], ident: str, field: str) -> list[Part]:
    """The opinions of a case body in text form, which has no page marks."""
    opinions = casebody.get("opinions") or []
    return [
        Part(
            cap_opinion_type(opinion.get("type")),
            (opinion.get("author") or "").rstrip(" ,:"),
            read_plain((opinion.get("text") or "").replace("\n", "\n\n")),  # in this form a line is a paragraph
            field,
            f"{ident}/{number}",
        )
        for number, opinion in enumerate(opinions)
    ]


def read_casebody(root: Element, ident: str, field: str) -> tuple[list[Part], Source]:
    """The opinions of a case body in order, and the page marks that stand before the first."""
    opinions = [*outermost(root, _is_opinion)]
    parts = [
        Part(
            cap_opinion_type(element.get("type") or element.get("data-type")),
            author_of(element),
            read_tree(element),
            field,
            f"{ident}/{number}",
        )
        for number, element in enumerate(opinions)
    ]
    first, last = _extent(root)
    return parts, Source(_head_marks(root, opinions[0] if opinions else None), True, first, last)


def _extent(root: Element) -> tuple[int | None, int | None]:
    bodies = (e for e in root.iter(etree.Element) if e.get("firstpage") or e.get("data-firstpage"))
    body = next(bodies, None)
    if body is None:
        return None, None
    pages = (body.get(name) or body.get(f"data-{name}") or "" for name in ("firstpage", "lastpage"))
    first, last = map(number_of, pages)
    return first, last if first is not None and last is not None and last >= first else None


def head_text(root: Element, name: str) -> str:
    """The first text of the head matter of one name ("court", "decisiondate"), by tag or by class; "" without one."""
    found = outermost(root, lambda e: local_name(e) == name or name in (e.get("class") or "").split())
    return next(filter(None, map(element_text, found)), "")


def outermost(root: Element, fits: Callable[[Element], bool]) -> Iterator[Element]:
    """The elements that fit and lie in no other that does: thousands that are never closed are read once, as one."""
    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        if fits(element):
            yield element
            walk.skip_subtree()


def _is_opinion(element: Element) -> bool:
    name = local_name(element)
    return name == "opinion" or (name == "article" and "opinion" in (element.get("class") or "").split())


def author_of(opinion: Element) -> str:
    """The first author line of an opinion, as printed, without a closing full stop or comma."""
    return head_text(opinion, "author").rstrip(" ,:").removesuffix(" delivered the opinion of the court")


def _head_marks(root: Element, first: Any) -> list[RawMark]:
    marks = []
    for element in root.iter(etree.Element):
        if element is first:
            break
        if (mark := page_mark(element)) and mark[0]:
            marks.append(RawMark(*mark, 0))
    return marks


def cap_opinion_type(name: str | None) -> str:
    """The kind for the Caselaw Access Project's type; rehearing, remittitur and the like are "other".

    >>> cap_opinion_type("majority"), cap_opinion_type("on-the-merits"), cap_opinion_type(None)
    ('majority', 'other', 'other')
    """
    return _TYPES.get((name or "").strip().lower(), "other")
