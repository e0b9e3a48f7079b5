"""The pages that people read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from lawng.records import Filters
from lawng.web.api import CaseId, Desk, OpinionId, describe
from lawng.web.asked import Asked, read_span
from lawng.web.books import MOST_DESCRIPTIONS, open_opinion, opinion_with_page
from lawng.web.holdings import Library
from lawng.web.links import opinion_url
from lawng.web.query import asked, library_of
from lawng.web.reading import page_anchors, read
from lawng.web.showing import lists_of
from lawng.web.templating import render
from lawng.web.wire import FacetWire, IndexWire

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


class _Facets(NamedTuple):
    """What the form offers: values with the number of cases, blank ones left out."""

    jurisdictions: list[tuple[str, int]]
    courts: list[tuple[str, int]]
    parts: list[tuple[str, int]]
    first_date: str
    last_date: str


class _Examples(NamedTuple):
    """What to type, on the start page."""

    plain: str
    phrase: str


@router.get("/")
async def start(library: Desk) -> HTMLResponse:
    """The box, and what to type into it."""
    about = await library.known(describe)
    values = {"asked": Asked("", Filters()), "facets": _facets(about), "info": about, "examples": _EXAMPLES}
    return page("start.html", library, values)


@router.get("/search")
async def search(request: Annotated[Asked, Depends(asked)], library: Desk) -> HTMLResponse:
    """The cases for and against an argument."""
    answer = await library.search(request)
    about = await library.known(describe)
    values = {"asked": request, "answer": answer, "lists": lists_of(answer), "facets": _facets(about)}
    return page("search.html", library, values)


@router.get("/opinion/{opinion_id:path}")
async def opinion(
    opinion_id: OpinionId,
    library: Desk,
    q: Annotated[str, Query()] = "",
    at: Annotated[str, Query()] = "",
    quote: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """An opinion to read, a passage of it highlighted."""
    book = await library.read(lambda index: open_opinion(index, opinion_id))
    passage = read_span(at)
    reading = read(book.opinion, book.citations, book.cited, passage, read_span(quote))
    values = book._asdict() | {
        "reading": reading,
        "passage": passage,
        "anchor": reading.anchor,
        "pages": page_anchors(book.opinion),
        "argument": q[: library.settings.longest_argument],
        "most": MOST_DESCRIPTIONS,
    }
    return page("opinion.html", library, values)


@router.get("/case/{case_id:path}")
async def case(case_id: CaseId, library: Desk, page: Annotated[str, Query()] = "") -> RedirectResponse:
    """To the opinion of a case that has a page, else to the opinion of the court."""
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 9 else None
    opinion_id, label = await library.read(lambda index: opinion_with_page(index, case_id, number))
    return RedirectResponse(opinion_url(opinion_id) + (f"#page-{label}" if label else ""), 302)


@router.get("/about")
async def about(library: Desk) -> HTMLResponse:
    """What is indexed, what an answer means, and the JSON twins."""
    known = await library.known(describe)
    return page("about.html", library, {"about": known, "log_arguments": library.settings.log_arguments})


@router.get("/docs")
async def docs(request: Request, library: Desk) -> HTMLResponse:
    """The JSON twins, parameter by parameter, as `/openapi.json` has them."""
    return page("docs.html", library, {"described": request.app.openapi()})


def page(template: str, library: Library, values: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    """A page with what every page says."""
    model = library.stance_model
    judged = f"Stance judged by the model {model}, not by a person." if model else "No model judged any stance."
    common = {"stance_line": judged, "stance_model": model, "longest": library.settings.longest_argument}
    return HTMLResponse(render(template, {"here": template.removesuffix(".html"), **common, **values}), status)


def typed(request: Request) -> Asked | None:
    """What stood in the box of a search that was refused, to be mended; None on other pages."""
    if request.url.path != "/search":
        return None
    longest = library_of(request).settings.longest_argument
    return Asked(request.query_params.get("q", "")[:longest], Filters())


def _facets(about: IndexWire) -> _Facets:
    jurisdictions, courts, parts = map(_named, (about.jurisdictions, about.courts, about.parts))
    return _Facets(jurisdictions, courts, parts, about.first_date, about.last_date)


def _named(facets: list[FacetWire]) -> list[tuple[str, int]]:
    return [(facet.value, facet.n_cases) for facet in facets if facet.value]


_EXAMPLES = _Examples(
    "An employer's shifting explanations for a dismissal let a jury infer that the reason it gives is a pretext.",
    "The State must prove each element of a crime “beyond a reasonable doubt”.",
)
