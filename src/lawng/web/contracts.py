"""The pages of a folder of contracts: a box, the clauses found with what each satisfies, a clause with its neighbours.

make_contracts_app(ContractsService(searcher)) -> an application
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request
from fastapi.responses import HTMLResponse

from lawng.clauses.answer import ClauseAnswer, ClauseHit, rows_of, rows_of_parts
from lawng.clauses.facts import Facts
from lawng.clauses.search import MAX_CHARACTERS, NOT_AGAIN, ClauseSearcher
from lawng.errors import InputError
from lawng.schema import Clause, Span
from lawng.text.highlight import Highlighter
from lawng.web import clause_schemas
from lawng.web.app import guarded, new_app
from lawng.web.clause_request import ClauseRequest, as_typed, checked_query, clause_request, sentence
from lawng.web.http_errors import BadRequestError, NotFoundError, UnavailableError
from lawng.web.index_service import WebSettings, place_of_error
from lawng.web.schemas import Problem
from lawng.web.search_request import only_known
from lawng.web.templating import render
from lawng.web.work_queue import WorkQueue

_LOG = logging.getLogger("lawng.web")
_ABOUT = "A query in, clauses of contracts out. Each page of the server has its twin here. No legal advice."
_AROUND = 2
"""Clauses before and behind one that are shown with it."""
MOST_LISTED = 500
"""Contracts that the first page names."""


class Neighbours(NamedTuple):
    """A clause, those around it in its contract, and what is known of the contract."""

    clause: Clause
    before: list[Clause]
    after: list[Clause]
    facts: Facts


class ContractsService:
    """The contracts behind the pages, as they were when they were read; searched one query after the other."""

    def __init__(self, searcher: ClauseSearcher, settings: WebSettings | None = None) -> None:
        self.searcher, self.settings = searcher, settings or WebSettings()
        self._contracts: dict[str, list[Clause]] = {}
        for clause in searcher.collection.clauses:
            self._contracts.setdefault(clause.source, []).append(clause)
        self._place = {
            clause.clause_id: (source, n)
            for source, clauses in self._contracts.items()
            for n, clause in enumerate(clauses)
        }
        self._queue: WorkQueue[ClauseAnswer] = WorkQueue(1, self.settings.longest_queue, "clauses")
        self._answers: OrderedDict[ClauseRequest, ClauseAnswer] = OrderedDict()

    @property
    def contracts(self) -> list[tuple[str, Facts, int]]:
        """Each contract with what is known of it, and how many clauses it has."""
        facts = self.searcher.collection.facts_of
        return [(source, facts(clauses[0]), len(clauses)) for source, clauses in self._contracts.items()]

    async def search(self, request: ClauseRequest) -> ClauseAnswer:
        """The clauses for a request; equal ones are searched for once.

        Raises BadRequestError where the filters leave nothing, OverloadedError, TooSlowError or UnavailableError.
        """
        if request in self._answers:
            return self._answers[request]
        work = partial(self._searched, request)
        answer = await self._queue.run(request, work, self.settings.search_seconds)
        if any(note.startswith(NOT_AGAIN) for note in answer.notes):  # an endpoint that may be back by now
            return answer
        self._answers[request] = answer
        while len(self._answers) > self.settings.kept_answers:
            self._answers.popitem(last=False)
        return answer

    def clause(self, clause_id: str) -> Neighbours:
        """A clause with its neighbours. Raises NotFoundError when there is none such."""
        if clause_id not in self._place:
            raise NotFoundError("There is no such clause here.")
        source, n = self._place[clause_id]
        around = self._contracts[source]
        facts = self.searcher.collection.facts_of(around[n])
        return Neighbours(around[n], around[max(0, n - _AROUND) : n], around[n + 1 : n + 1 + _AROUND], facts)

    def contract(self, source: str) -> list[Clause]:
        """All clauses of a contract. Raises NotFoundError when there is none such."""
        if source not in self._contracts:
            raise NotFoundError("There is no such contract here.")
        return self._contracts[source]

    def close(self) -> None:
        """End the thread; what runs is not waited for."""
        self._queue.close()

    def _searched(self, request: ClauseRequest) -> ClauseAnswer:
        try:
            return self.searcher.search(request.query, request.k, request.filters)
        except InputError as error:
            raise BadRequestError(sentence(error)) from None
        except Exception as error:  # whose message may quote what was asked
            _LOG.error("could not look: %s", place_of_error(error))
        raise UnavailableError("The contracts could not be searched, so it is not known whether they have an answer.")


def make_contracts_app(service: ContractsService) -> FastAPI:
    """The application over contracts: `ContractsService(ClauseSearcher.open("contracts"))` is what it searches."""
    app = new_app(_ABOUT)
    app.state.contracts = service
    app.include_router(api)
    app.include_router(pages)
    return guarded(app, service.settings, _problem_page)


def contracts_of(request: Request) -> ContractsService:
    """What the application was made with."""
    service: ContractsService = request.app.state.contracts
    return service


api = APIRouter(dependencies=[Depends(only_known)])
pages = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
Service = Annotated[ContractsService, Depends(contracts_of)]
Asked = Annotated[ClauseRequest, Depends(clause_request)]
ClauseId = Annotated[str, Path(description="Id of a clause, as a hit has it.")]
Given = Annotated[str, Query(description="A query, to see what of it the clause satisfies.")]


@api.get("/api/clauses", response_model=clause_schemas.Answer, summary="Search for clauses")
async def clauses_json(request: Asked, service: Service) -> Any:
    """The clauses for a query, with what of it each satisfies."""
    answer = await service.search(request)
    told = {name: getattr(answer, name) for name in ("query", "notes", "n_clauses", "n_documents", "ranker", "seconds")}
    return told | {"hits": list(rows_of(answer))}


@api.get("/api/clause/{clause_id:path}", response_model=clause_schemas.ClausePage, summary="Read a clause")
async def clause_json(clause_id: ClauseId, service: Service, q: Given = "") -> Any:
    """A clause with the two before it and the two behind it, and the parties and the date of its contract."""
    found, hit = _read(service, clause_id, q)
    return {
        "clause": asdict(found.clause),
        "before": list(map(asdict, found.before)),
        "after": list(map(asdict, found.after)),
        "parties": [party._asdict() for party in found.facts.parties],
        "date": found.facts.date,
        "parts": rows_of_parts(hit.parts),
    }


@pages.get("/")
async def start(service: Service) -> HTMLResponse:
    """The box, and the contracts that there are."""
    contracts = service.contracts
    values = {"contracts": contracts[:MOST_LISTED], "n_contracts": len(contracts), "answer": None}
    return _page("contracts_search.html", service, {**values, "request": ClauseRequest("")})


@pages.get("/search")
async def search(request: Asked, service: Service) -> HTMLResponse:
    """The clauses for a query."""
    answer = await service.search(request)
    return _page("contracts_search.html", service, {"request": request, "answer": answer})


@pages.get("/clause/{clause_id:path}")
async def clause(clause_id: ClauseId, service: Service, q: Given = "") -> HTMLResponse:
    """A clause among its neighbours, what answers the query marked."""
    found, hit = _read(service, clause_id, q)
    return _page("contracts_clause.html", service, {**found._asdict(), "hit": hit, "query": q})


@pages.get("/contract/{source:path}")
async def contract(source: str, service: Service) -> HTMLResponse:
    """All clauses of a contract."""
    clauses = service.contract(source)
    facts = service.searcher.collection.facts_of(clauses[0])
    return _page("contracts_contract.html", service, {"source": source, "clauses": clauses, "facts": facts})


def _read(service: ContractsService, clause_id: str, query: str) -> tuple[Neighbours, ClauseHit]:
    """A clause and what of a query it satisfies. Raises BadRequestError for a query that is none, NotFoundError."""
    found = service.clause(clause_id)
    if not query:
        return found, ClauseHit(found.clause, 0.0, [], {})
    text = checked_query(query)
    spans = [Span(*span) for span in Highlighter(text).look(found.clause.text).highlights]
    parts = service.searcher.parts(service.searcher.intent(text), found.clause)
    return found, ClauseHit(found.clause, 0.0, spans, {}, (), parts)


def _page(template: str, service: ContractsService, values: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    common = {"here": template, "longest": MAX_CHARACTERS, "sent": service.searcher.sent_to}
    return HTMLResponse(render(template, {**common, **values}), status)


def _problem_page(request: Request, problem: Problem) -> HTMLResponse:
    """With what was typed, to be mended or asked again."""
    values = {"problem": problem, "request": as_typed(request) if request.url.path == "/search" else None}
    return _page("contracts_problem.html", contracts_of(request), values, problem.status)
