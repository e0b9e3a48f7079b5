"""The page on which one person reads an assessment: an item, six options, a form that saves the answer.

make_assessment_app(answers) -> an application. Templates get what Label Studio would: never the automatic label, nor an
item's id, which may name it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from lawng.errors import InputError
from lawng.schema.views import SHORT
from lawng.studies.assessment.answer_file import MISSING, AnswerFile
from lawng.studies.assessment.draw import Task
from lawng.studies.assessment.label_studio import CHOICES, INSTRUCTIONS, NEEDED, QUESTION, Answer, project_tasks
from lawng.web.app import guarded
from lawng.web.http_errors import NotFoundError, UnavailableError
from lawng.web.index_service import WebSettings
from lawng.web.schemas import Problem
from lawng.web.templating import render

OTHER = "Nothing was saved: the page showed another item than number {} of this assessment. Read it and choose again."
_SETTINGS = WebSettings(longest_form=1_000_000)
"""A snippet can be a whole opinion, and what is not ASCII takes up to nine bytes in a form."""

pages = APIRouter(default_response_class=HTMLResponse)


def make_assessment_app(answers: AnswerFile) -> FastAPI:
    """The application by which one person answers: `AnswerFile("assessment", "name")` is where it is kept."""
    app = FastAPI(title="lawng", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.answers = answers
    app.include_router(pages)
    return guarded(app, _SETTINGS, _problem_page)


def answers_of(request: Request) -> AnswerFile:
    """What the application was made with."""
    found: AnswerFile = request.app.state.answers
    return found


Kept = Annotated[AnswerFile, Depends(answers_of)]


@pages.get("/")
async def start(kept: Kept) -> RedirectResponse:
    """To the first item without an answer."""
    return _to(kept.next_open(_known(kept)))


@pages.get("/item/{n}")
async def item(n: int, kept: Kept) -> HTMLResponse:
    """An item, with the answer where it has one."""
    answer = _known(kept).get(_task(kept, n).task_id)
    return _item(kept, n, answer.snippet if answer else "")


@pages.post("/item/{n}")
async def answered(n: int, kept: Kept, request: Request) -> Response:
    """Save an answer and go on to the next item without one; else the item again, and what is missing."""
    form = parse_qs((await request.body()).decode("utf-8", "replace"), max_num_fields=8)
    choice, snippet, shown = (form.get(name, [""])[0] for name in ("choice", "snippet", "shown"))
    task = _task(kept, n)
    if shown != _digest(task):  # a page left open while another assessment came to this address
        return _item(kept, n, "", OTHER.format(n))
    try:
        kept.save(task, choice, snippet.replace("\r\n", "\n"))
    except InputError as error:
        return _item(kept, n, snippet, str(error))
    return _to(kept.next_open(_known(kept), n))


@pages.get("/end")
async def end(kept: Kept) -> HTMLResponse:
    """What to do once all are answered."""
    waiting = len(kept.tasks) - len(_known(kept))
    title = f"{waiting} items wait for an answer" if waiting else f"All {len(kept.tasks)} items are answered"
    line = "The tables, as far as you have read, come of this command:" if waiting else "Next, in a terminal:"
    return _note(kept, title, line, command=kept.scoring)


def _known(kept: AnswerFile) -> dict[str, Answer]:
    try:
        return kept.read()
    except InputError as error:
        raise UnavailableError(str(error)) from error


def _task(kept: AnswerFile, n: int) -> Task:
    if not 1 <= n <= len(kept.tasks):
        raise NotFoundError(f"There is no item {n}: they are numbered from 1 to {len(kept.tasks)}.")
    return kept.tasks[n - 1]


def _to(n: int | None) -> RedirectResponse:
    return RedirectResponse(f"/item/{n}" if n else "/end", 303)


def _digest(task: Task) -> str:
    """What tells an item by what is read of it."""
    return sha256(f"{task.text1}\0{task.text2}".encode("utf-8", "replace")).hexdigest()[:16]


def _item(kept: AnswerFile, n: int, snippet: str, problem: str = "") -> HTMLResponse:
    task, known = _task(kept, n), _known(kept)
    data = project_tasks([task])[0]["data"]
    values: dict[str, Any] = {
        "n": n,
        "batch": data["batch"],
        "text1": Markup(data["text1"].replace("</p><p>", "</p>\n<p>").replace("<mark>", '<mark id="cited">', 1)),
        "text2": data["text2"],
        "short": task.premise == SHORT,
        "cited": bool(task.cited),
        "shown": _digest(task),
        "chosen": known[task.task_id].choice if task.task_id in known else "",
        "snippet": snippet,
        "problem": problem,
    }
    fixed = {"question": QUESTION, "choices": CHOICES, "needed": NEEDED, "missing": MISSING, "how": INSTRUCTIONS}
    return _page("assess_item.html", kept, values | fixed, 422 if problem else 200)


def _note(kept: AnswerFile, title: str, line: str, status: int = 200, command: str = "") -> HTMLResponse:
    return _page("assess_note.html", kept, {"title": title, "line": line, "command": command}, status)


def _page(template: str, kept: AnswerFile, values: dict[str, Any], status: int) -> HTMLResponse:
    try:
        n_answered = len(kept.read())
    except InputError:  # the page is then about this very thing
        n_answered = 0
    common = {"total": len(kept.tasks), "answered": n_answered, "file": kept.path.name}
    return HTMLResponse(render(template, common | values), status)


def _problem_page(request: Request, problem: Problem) -> HTMLResponse:
    return _note(answers_of(request), problem.title, problem.detail, problem.status)
