"""The JSON twin of each page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Path

from lawng.web.asked import Asked
from lawng.web.books import open_case, open_opinion
from lawng.web.holdings import Library
from lawng.web.query import asked, library_of, only_known
from lawng.web.wire import AnswerWire, CaseBookWire, FacetWire, HealthWire, IndexWire, OpinionWire, ProblemWire

if TYPE_CHECKING:
    from lawng.retrieval.reader import Index

_UNFIT: dict[int | str, dict[str, Any]] = {
    413: {"model": ProblemWire, "description": "The argument is too long."},
    422: {"model": ProblemWire, "description": "This cannot be asked."},
}
_BUSY: dict[int | str, dict[str, Any]] = {
    503: {"model": ProblemWire, "description": "Too busy, or the index cannot be read: not the same as nothing found."},
    504: {"model": ProblemWire, "description": "The time limit is over."},
}
_MISSING: dict[int | str, dict[str, Any]] = {404: {"model": ProblemWire, "description": "No such record."}}

router = APIRouter(dependencies=[Depends(only_known)])
Desk = Annotated[Library, Depends(library_of)]
OpinionId = Annotated[str, Path(description="Id of an opinion, `CASE_ID/N`.", examples=["cap:9100001/0"])]
CaseId = Annotated[str, Path(description="Id of a case.", examples=["cap:9100001"])]


@router.get("/api/search", response_model=AnswerWire, responses=_UNFIT | _BUSY, summary="Search by an argument")
async def search(request: Annotated[Asked, Depends(asked)], library: Desk) -> Any:
    """Cases that support and cases that refute an argument, with the passages and what later courts say of them."""
    return await library.search(request)


@router.get(
    "/api/opinions/{opinion_id:path}", response_model=OpinionWire, responses=_MISSING | _BUSY, summary="Read an opinion"
)
async def opinion(opinion_id: OpinionId, library: Desk) -> Any:
    """An opinion's text with pages, footnotes and citations as character offsets, and who describes its case."""
    return await library.read(lambda index: open_opinion(index, opinion_id))


@router.get("/api/cases/{case_id:path}", response_model=CaseBookWire, responses=_MISSING | _BUSY, summary="Read a case")
async def case(case_id: CaseId, library: Desk) -> Any:
    """A case and its opinions."""
    return await library.read(lambda index: open_case(index, case_id))


@router.get("/api/index", response_model=IndexWire, responses=_BUSY, summary="What is indexed")
async def index(library: Desk) -> Any:
    """Sizes, models, and the values that can be filtered by."""
    wire = await library.known(describe)
    return wire.model_copy(update={"stance_model": library.stance_model})


@router.get("/healthz", response_model=HealthWire, responses=_BUSY, summary="Whether a search can be answered")
async def health(library: Desk) -> Any:
    """Searches for one word; the answer is kept for some seconds."""
    return HealthWire(status="ok", version=await library.check())


def describe(index: Index) -> IndexWire:
    """What is indexed; who judges the stance is not the index's to say."""
    facets, info = index.facets(), index.info
    return IndexWire(
        version=index.version,
        encoder=info.encoder,
        stance_model=None,
        n_cases=info.n_cases,
        n_opinions=info.n_opinions,
        n_passages=info.n_passages,
        n_descriptions=info.n_descriptions,
        created=info.created,
        changed=info.changed,
        jurisdictions=_facets(facets.jurisdictions),
        courts=_facets(facets.courts),
        parts=_facets(facets.parts),
        first_date=facets.first_date,
        last_date=facets.last_date,
    )


def _facets(values: list[tuple[str, int]]) -> list[FacetWire]:
    return [FacetWire(value=value, n_cases=n) for value, n in values]
