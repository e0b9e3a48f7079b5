"""The application: pages, their JSON twins, static files, and one way to say no."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from lawng import __version__
from lawng.text.printable import json_text
from lawng.web import routes, schemas
from lawng.web.guard import Guard
from lawng.web.http_errors import BadRequestError, HttpError, NotFoundError
from lawng.web.index_service import IndexService, WebSettings, place_of_error, service_of
from lawng.web.search_request import NO_ARGUMENT, as_typed
from lawng.web.templating import STATIC

_LOG = logging.getLogger("lawng.web")
_ABOUT = (
    "An argument in, supporting and refuting cases out. Each page of the server has its twin here. "
    "No legal advice: whether a case supports or refutes is a model's judgement, where there is a model."
)
_JSON = ("/api/", "/healthz", "/openapi.json")


class SafeJSONResponse(JSONResponse):
    """JSON that is the whole data and safe to print: what would steer a terminal is escaped."""

    def render(self, content: Any) -> bytes:
        """The body."""
        return json_text(content).encode()


def make_app(service: IndexService) -> FastAPI:
    """The application over a service."""
    app = new_app(_ABOUT)
    app.state.service = service
    app.include_router(routes.api)
    app.include_router(routes.pages)
    return guarded(app, service.settings, _problem_page)


def new_app(about: str) -> FastAPI:
    """An application without routes; `about` describes it in `/openapi.json`.

    FastAPI's own `/docs` load scripts from elsewhere; ours are a page made of `/openapi.json`.
    """
    return FastAPI(
        title="lawng",
        version=__version__,
        description=about,
        docs_url=None,
        redoc_url=None,
        default_response_class=SafeJSONResponse,
    )


def guarded(app: FastAPI, settings: WebSettings, page: Callable[[Request, schemas.Problem], Response]) -> FastAPI:
    """An application with the static files, its one way to say no, and the guard around it all.

    A request that gets no answer gets one clear line: JSON for the twins, else what `page` makes of it.
    """
    allowed = "GET, HEAD, POST" if settings.longest_form else "GET, HEAD"

    def refuse(request: Request, error: Exception) -> Response:
        refusal = _refusal(error)
        problem = schemas.Problem(title=refusal.title, detail=str(refusal), status=refusal.status)
        if request.url.path.startswith(_JSON):
            response: Response = SafeJSONResponse(problem.model_dump(), refusal.status)
        elif refusal.status == 400:  # for its host: a page of another site may read the answer, and is told nothing
            response = PlainTextResponse(f"{refusal.title}: {refusal}", refusal.status)
        else:
            response = page(request, problem)
        response.headers.update({"retry-after": str(refusal.retry_after)} if refusal.retry_after else {})
        response.headers.update({"allow": allowed} if refusal.status == 405 else {})
        return response

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    for kind in (HttpError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, refuse)
    # around all that Starlette puts in, which answers by itself where a request fails
    app.middleware_stack = Guard(app.build_middleware_stack(), settings, refuse)
    return app


def _problem_page(request: Request, problem: schemas.Problem) -> Response:
    """With what was typed, to be mended or asked again."""
    service = service_of(request)
    typed = as_typed(request, service.settings.longest_argument) if request.url.path == "/search" else None
    return routes.page("problem.html", service, {"problem": problem, "request": typed}, problem.status)


def _refusal(error: Exception) -> HttpError:
    """An error in words for people."""
    if isinstance(error, HttpError):
        return error
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        if first["type"] == "missing":  # only q must be there
            return BadRequestError(NO_ARGUMENT)
        name = ".".join(str(piece) for piece in first["loc"][1:]) or "address"
        return BadRequestError(f"“{name}”: {first['msg'].lower()}.")
    if isinstance(error, HTTPException):
        missing = error.status_code == 404
        return NotFoundError("There is no such page.") if missing else BadRequestError(error.detail, error.status_code)
    _LOG.error("a request failed: %s", place_of_error(error))
    return HttpError("The server failed at this; its log says where.")
