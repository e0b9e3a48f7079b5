"""Case bodies of the Caselaw Access Project, as XML (`casebody`) or HTML (`section.casebody`): opinions and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lxml import etree

from lawng.bounded import number_of
from lawng.corpus.body import RawMark
from lawng.corpus.markup import Element, element_text, local_name, page_mark, read_tree
from lawng.corpus.types import of_cap
from lawng.corpus.units import Part, Source


def read_casebody(root: Element, ident: str, field: str) -> tuple[list[Part], Source]:
    """The opinions of a case body in order, and the page marks that stand before the first."""
    opinions = [*outermost(root, _is_opinion)]
    parts = [_part(element, f"{ident}/{number}", field) for number, element in enumerate(opinions)]
    first, last = _extent(root)
    return parts, Source(_head_marks(root, opinions[0] if opinions else None), True, first, last)


def _extent(root: Element) -> tuple[int | None, int | None]:
    """First and last page of the case, where the case body says so."""
    bodies = (e for e in root.iter(etree.Element) if e.get("firstpage") or e.get("data-firstpage"))
    body = next(bodies, None)
    if body is None:
        return None, None
    pages = (body.get(name) or body.get(f"data-{name}") or "" for name in ("firstpage", "lastpage"))
    first, last = map(number_of, pages)
    return first, last if first is not None and last is not None and last >= first else None


def head_texts(root: Element, name: str) -> list[str]:
    """Texts of the head matter of one name ("court", "decisiondate"), by tag or by class."""
    found = outermost(root, lambda e: local_name(e) == name or name in (e.get("class") or "").split())
    return [text for element in found if (text := element_text(element))]


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


def _part(element: Element, ident: str, field: str) -> Part:
    kind = of_cap(element.get("type") or element.get("data-type"))
    return Part(kind, author_of(element), read_tree(element), field, ident)


def author_of(opinion: Element) -> str:
    """The first author line of an opinion, as printed, without a closing full stop or comma."""
    authors = head_texts(opinion, "author")
    return authors[0].rstrip(" ,:").removesuffix(" delivered the opinion of the court") if authors else ""


def _head_marks(root: Element, first: Any) -> list[RawMark]:
    marks = []
    for element in root.iter(etree.Element):
        if element is first:
            break
        if (mark := page_mark(element)) and mark[0]:
            marks.append(RawMark(*mark, 0))
    return marks
