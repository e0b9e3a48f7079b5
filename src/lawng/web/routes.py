"""The pages that people read, and the JSON twin of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from lawng.models.find import shown_name
from lawng.models.openai.embeddings import asked_elsewhere
from lawng.schema import Filters
from lawng.web import schemas
from lawng.web.index_service import IndexService, service_of
from lawng.web.links import opinion_url
from lawng.web.opinion_view import page_anchors, read
from lawng.web.page_data import MOST_DESCRIPTIONS, MOST_TREATMENTS, case_page, opinion_page, opinion_with_page
from lawng.web.search_request import SearchRequest, only_known, read_span, search_request
from lawng.web.templating import render

if TYPE_CHECKING:
    from lawng.index.reader import Index


def _problems(about: dict[int, str]) -> dict[int | str, dict[str, Any]]:
    return {status: {"model": schemas.Problem, "description": said} for status, said in about.items()}


_BAD_REQUEST = _problems({413: "The argument is too long.", 422: "This cannot be asked."})
_BUSY = _problems(
    {503: "Too busy, or the index cannot be read: not the same as nothing found.", 504: "The time limit is over."}
)
_NO_RECORD = _problems({404: "No such record."}) | _BUSY

api = APIRouter(dependencies=[Depends(only_known)])
Service = Annotated[IndexService, Depends(service_of)]
OpinionId = Annotated[str, Path(description="Id of an opinion, `CASE_ID/N`.", examples=["cap:9100001/0"])]
CaseId = Annotated[str, Path(description="Id of a case.", examples=["cap:9100001"])]
pages = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@api.get("/api/search", response_model=schemas.Answer, responses=_BAD_REQUEST | _BUSY, summary="Search by an argument")
async def search_json(request: Annotated[SearchRequest, Depends(search_request)], service: Service) -> Any:
    """Cases that support and cases that refute an argument, with the passages and what later courts say of them."""
    return await service.search(request.argument, request.filters, request.k, request.good_law)


@api.get(
    "/api/opinions/{opinion_id:path}",
    response_model=schemas.OpinionPage,
    responses=_NO_RECORD,
    summary="Read an opinion",
)
async def opinion_json(opinion_id: OpinionId, service: Service) -> Any:
    """An opinion's text with pages, footnotes and citations as character offsets, and who describes its case."""
    return await service.read(lambda index: opinion_page(index, opinion_id))


@api.get("/api/cases/{case_id:path}", response_model=schemas.CasePage, responses=_NO_RECORD, summary="Read a case")
async def case_json(case_id: CaseId, service: Service) -> Any:
    """A case and its opinions."""
    return await service.read(lambda index: case_page(index, case_id))


@api.get("/api/index", response_model=schemas.IndexFacts, responses=_BUSY, summary="What is indexed")
async def index_json(service: Service) -> Any:
    """Sizes, models, and the values that can be filtered by."""
    facts = await service.known(describe)
    return facts.model_copy(update={"stance_model": service.stance_model})


@api.get("/healthz", response_model=schemas.Health, responses=_BUSY, summary="Whether a search can be answered")
async def health(service: Service) -> Any:
    """Searches for one word; the answer is kept for some seconds."""
    return schemas.Health(status="ok", version=await service.check())


@pages.get("/")
async def start(service: Service) -> HTMLResponse:
    """The box, and what to type into it."""
    about = await service.known(describe)
    return page("start.html", service, {"request": SearchRequest("", Filters()), "facets": about})


@pages.get("/search")
async def search(request: Annotated[SearchRequest, Depends(search_request)], service: Service) -> HTMLResponse:
    """The cases for and against an argument."""
    answer = await service.search(request.argument, request.filters, request.k, request.good_law)
    about = await service.known(describe)
    return page("search.html", service, {"request": request, "answer": answer, "facets": about})


@pages.get("/opinion/{opinion_id:path}")
async def opinion(
    opinion_id: OpinionId,
    service: Service,
    q: Annotated[str, Query()] = "",
    at: Annotated[str, Query()] = "",
    quote: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """An opinion to read, a passage of it highlighted."""
    data = await service.read(lambda index: opinion_page(index, opinion_id))
    passage = read_span(at)
    reading = read(data.opinion, data.citations, data.cited, passage, read_span(quote))
    values = data._asdict() | {
        "reading": reading,
        "passage": passage,
        "anchor": reading.anchor,
        "pages": page_anchors(data.opinion),
        "argument": q[: service.settings.longest_argument],
        "most": MOST_DESCRIPTIONS,
        "most_treatments": MOST_TREATMENTS,
    }
    return page("opinion.html", service, values)


@pages.get("/case/{case_id:path}")
async def case(case_id: CaseId, service: Service, page: Annotated[str, Query()] = "") -> RedirectResponse:
    """To the opinion of a case that has a page, else to the opinion of the court."""
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 9 else None
    opinion_id, label = await service.read(lambda index: opinion_with_page(index, case_id, number))
    return RedirectResponse(opinion_url(opinion_id) + (f"#page-{label}" if label else ""), 302)


@pages.get("/about")
async def about(service: Service) -> HTMLResponse:
    """What is indexed, what an answer means, and the JSON twins."""
    known = await service.known(describe)
    return page("about.html", service, {"about": known, "log_arguments": service.settings.log_arguments})


@pages.get("/docs")
async def docs(request: Request, service: Service) -> HTMLResponse:
    """The JSON twins, parameter by parameter, as `/openapi.json` has them."""
    return page("docs.html", service, {"described": request.app.openapi()})


def page(template: str, service: IndexService, values: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    """A page with what every page says."""
    model = service.stance_model
    judged = f"Stance judged by the model {model}, not by a person." if model else "No model judged any stance."
    sent = dict.fromkeys(asked_elsewhere(model, service.index.info.encoder) + service.settings.sent_to)
    common = {"stance_line": judged, "stance_model": model, "longest": service.settings.longest_argument, "sent": sent}
    return HTMLResponse(render(template, {"here": template.removesuffix(".html"), **common, **values}), status)


def describe(index: Index) -> schemas.IndexFacts:
    """What is indexed; who judges the stance is not the index's to say."""
    facets, info = index.facets(), index.info
    counted = {
        name: [{"value": value, "n_cases": n} for value, n in getattr(facets, name)]
        for name in ("jurisdictions", "courts", "parts")
    }
    known = {**info._asdict(), **facets._asdict(), **counted, "version": index.version}
    known |= {"encoder": shown_name(info.encoder), "stance_model": None}
    return schemas.IndexFacts.model_validate(known)
