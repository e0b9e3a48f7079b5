"""Limits of the server: headers, methods, hosts, queue, time, slow clients, an index that cannot be read."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from dataclasses import replace
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest

from lawng.errors import InputError
from lawng.search.searcher import NOT_DECIDED, NOT_JUDGED
from lawng.web.index_service import BUSY
from lawng.web.server import TimeoutProtocol, is_loopback, listen
from lawng.web.work_queue import WorkQueue
from web_support import HandSearcher, answer, ask, get, hand_index, library, serving

SEARCH = "/search?q=a+landlord"


@pytest.mark.parametrize(
    "url", ["/", SEARCH, "/nowhere", "/search?q=", "/api/index", "/static/lawng.css", "/openapi.json"]
)
def test_every_answer_has_the_security_headers_and_no_cookie(url: str) -> None:
    headers = get(url).headers
    policy = dict(one.strip().split(" ", 1) for one in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert (policy["script-src"], policy["style-src"], policy["form-action"]) == ("'self'", "'self'", "'self'")
    assert (policy["base-uri"], policy["frame-ancestors"]) == ("'none'", "'none'")
    assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")
    assert "set-cookie" not in headers
    assert ("immutable" in headers["cache-control"]) == url.startswith("/static/")
    assert ("no-store" in headers["cache-control"]) != url.startswith("/static/")


def test_pages_load_nothing_from_another_place() -> None:
    for response in ask(library(), "/", SEARCH, "/opinion/cl:1/0", "/about", "/static/lawng.css", "/static/lawng.js"):
        assert "http://" not in response.text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in response.text
        assert "@import" not in response.text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_only_questions_are_answered(method: str) -> None:
    response = ask(library(), "/search?q=a", method=method)[0]
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")


def test_head_is_get_without_a_body() -> None:
    response = ask(library(), SEARCH, method="HEAD")[0]
    assert (response.status_code, response.content) == (200, b"")


def test_a_body_is_refused_unread() -> None:
    assert ask(library(), SEARCH, content=b"x" * 100)[0].status_code == 413


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:8021", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:8021", 200),
        ("LocalHost", 200),
        ("evil.example", 400),
        ("localhost.evil.example", 400),
        ("127.0.0.1.evil.example:8021", 400),
        ("", 400),
    ],
)
def test_only_loopback_names_are_answered(host: str, status: int) -> None:
    assert get("/about", headers={"host": host}).status_code == status


def test_any_host_name_is_answered_when_not_bound_to_loopback() -> None:
    assert get("/about", library(hosts=None), headers={"host": "cases.firm.example"}).status_code == 200


def test_an_index_that_cannot_be_read_is_not_nothing_found() -> None:
    def broken(argument: str, filters: object) -> object:
        raise InputError("index: the index cannot be read (no such file)")

    lib = library(searcher=HandSearcher(broken))  # type: ignore[arg-type]
    page, json = ask(lib, SEARCH, "/api" + SEARCH)
    assert (page.status_code, json.status_code, json.json()["title"]) == (503, 503, "Could not look")
    assert "Nothing found" not in page.text
    assert "retry-after" in page.headers
    health = get("/healthz", library(hand_index(broken=OSError("gone"))))
    assert (health.status_code, "gone" in health.text) == (503, False)


def test_a_failure_is_logged_by_kind_and_place_without_the_argument(caplog: pytest.LogCaptureFixture) -> None:
    def failing(argument: str, filters: object) -> object:
        raise RuntimeError(f"could not parse {argument}")

    with caplog.at_level(logging.INFO, "lawng.web"):
        assert get("/search?q=confidential", library(searcher=HandSearcher(failing))).status_code == 503  # type: ignore[arg-type]
    assert "RuntimeError at" in caplog.text
    assert "confidential" not in caplog.text


def test_the_log_leaves_out_arguments_unless_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "lawng.web"):
        get("/search?q=confidential")
        assert "GET /search 200" in caplog.text
        assert "confidential" not in caplog.text
        get("/search?q=confidential", library(log_arguments=True))
        get("/%0aGET /forged 200")
    assert "confidential" in caplog.text
    assert "/\\x0aGET" in caplog.text
    assert "default" in get("/about", library(log_arguments=True)).text


def test_a_search_over_its_time_limit_is_answered_with_504() -> None:
    searcher = HandSearcher(hold=threading.Event())
    response = ask(library(searcher=searcher, search_seconds=0.05), SEARCH, release=(1, held(searcher)))[0]
    assert response.status_code == 504
    assert "No answer after 0.05 seconds" in response.text


def test_searches_wait_in_a_bounded_queue_and_run_on_so_many_threads() -> None:
    searcher = HandSearcher(hold=threading.Event())
    lib = library(searcher=searcher, workers=2, longest_queue=4)
    answers = ask(lib, *(f"/search?q=argument+{n}" for n in range(10)), release=(6, held(searcher)))
    by_status = [response.status_code for response in answers]
    assert (by_status.count(200), by_status.count(503)) == (4, 6)
    assert searcher.most_at_once == 2
    busy = next(response for response in answers if response.status_code == 503)
    assert int(busy.headers["retry-after"]) > 0
    assert "Too busy just now" in busy.text
    assert f">argument {answers.index(busy)}</textarea>" in busy.text, "what was typed is there to be asked again"


@pytest.mark.parametrize(
    ("models", "spared"),
    [({"model": "rule"}, True), ({"model": None}, False), ({"model": None, "sent_to": ("o4",)}, True)],
    ids=["a judge", "no model", "a language model that re-ranks"],
)
def test_when_many_search_models_are_spared_said_so_and_not_kept(models: dict[str, Any], spared: bool) -> None:
    searcher = HandSearcher(hold=threading.Event())
    lib = library(searcher=searcher, workers=1, calm_queue=2, **models)
    urls = [f"/search?q=argument+{n}" for n in range(6)]
    answers = ask(lib, *urls, release=(lambda: len(lib._searches) == 6, held(searcher)))
    busy = [BUSY in response.text for response in answers]
    assert [response.status_code for response in answers] == [200] * 6
    assert searcher.judged.count(False) == sum(busy)
    assert sum(busy) >= 3 if spared else not any(busy), "the second began while five or six were under way"
    again = ask(lib, urls[busy.index(spared)])[0]
    assert BUSY not in again.text


def test_opinions_are_read_while_searches_wait() -> None:
    searcher = HandSearcher(hold=threading.Event())
    lib = library(searcher=searcher, workers=1)
    found, *read = ask(lib, SEARCH, "/opinion/cl:1/0", "/about", release=(2, held(searcher)))
    assert [response.status_code for response in (found, *read)] == [200] * 3


def test_work_that_nobody_waits_for_is_not_begun() -> None:
    searcher = HandSearcher(hold=threading.Event())
    lib = library(searcher=searcher, workers=1, search_seconds=0.1)
    urls = [f"/search?q=argument+{n}" for n in range(5)]
    assert {response.status_code for response in ask(lib, *urls, release=(5, held(searcher)))} == {504}
    lib._searches._pool.submit(lambda: None).result(60)  # its turn comes after theirs would have
    assert len(searcher.asked) <= 1


def held(searcher: HandSearcher) -> threading.Event:
    assert searcher.hold
    return searcher.hold


def test_whoever_asks_while_work_ends_finds_it_under_way_or_kept() -> None:
    queue: WorkQueue[int] = WorkQueue(1, 5, "test")
    made: list[int] = []
    kept: list[int] = []

    def work() -> int:
        time.sleep(0.02)
        made.append(1)
        return 1

    async def ask_once() -> None:
        if not kept:
            kept.append(await queue.run("key", work, 60))

    async def ask_all_the_time() -> None:
        first = asyncio.create_task(ask_once())
        others = []
        while not first.done():
            others.append(asyncio.create_task(ask_once()))
            await asyncio.sleep(0)
        await asyncio.gather(*others)

    asyncio.run(ask_all_the_time())
    assert (len(made), len(queue)) == (1, 0)
    queue.close()


def test_equal_searches_are_made_once_and_kept() -> None:
    searcher = HandSearcher(seconds=0.1)
    lib = library(searcher=searcher)
    assert [r.status_code for r in ask(lib, SEARCH, SEARCH, "/api" + SEARCH)] == [200] * 3
    assert len(searcher.asked) == 1
    ask(lib, SEARCH + "&explain=1")
    assert len(searcher.asked) == 1
    ask(lib, SEARCH + "&part=dissent")
    assert len(searcher.asked) == 2


def test_few_answers_are_kept() -> None:
    searcher = HandSearcher()
    lib = library(searcher=searcher, kept_answers=2)
    for argument in "abca":
        ask(lib, f"/search?q={argument}")
    assert len(searcher.asked) == 4


@pytest.mark.parametrize("said", [NOT_JUDGED, NOT_DECIDED])
def test_what_an_endpoint_failed_to_do_is_tried_again(said: str) -> None:
    notes = [[f"{said}: it gave no answer."], []]
    searcher = HandSearcher(make=lambda *given: replace(answer(*given), notes=notes[min(len(searcher.asked) - 1, 1)]))
    lib = library(searcher=searcher, model="openai:m")
    assert said in ask(lib, SEARCH)[0].text
    assert said not in ask(lib, SEARCH)[0].text
    ask(lib, SEARCH)
    assert len(searcher.asked) == 2, "what went well is kept"
    here = HandSearcher(make=lambda *given: replace(answer(*given), notes=notes[0]))
    lib = library(searcher=here)
    for _ in range(2):
        assert said in ask(lib, SEARCH)[0].text
    assert len(here.asked) == 1, "a model here would say the same again"


def test_who_asks_whether_it_lives_pays_for_no_answer() -> None:
    searcher = HandSearcher()
    assert get("/healthz", library(searcher=searcher, model="openai:m")).status_code == 200
    assert searcher.judged == [False]


def test_a_newer_version_is_taken_up_and_a_broken_one_is_not() -> None:
    index = hand_index()
    lib = library(index, refresh_seconds=0.0)
    assert get("/healthz", lib).json()["version"] == 1
    index.newer = hand_index(version=2)
    assert get("/healthz", lib).json()["version"] == 2
    index.newer.unfinished = True
    assert get("/healthz", lib).json()["version"] == 2


def test_facts_that_are_kept_are_those_of_the_newest_version() -> None:
    index = hand_index()
    lib = library(index, refresh_seconds=0.0)
    assert get("/api/index", lib).json()["version"] == 1
    index.newer = hand_index(version=2)
    assert get("/api/index", lib).json()["version"] == 2


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TimeoutProtocol, "request_seconds", 0.8)
    monkeypatch.setattr(TimeoutProtocol, "stall_seconds", 0.8)


@pytest.mark.usefixtures("impatient")
def test_a_client_that_dribbles_is_cut_off_and_others_are_served() -> None:
    with serving(library()) as url:
        dribbling = socket.create_connection((urlsplit(url).hostname, urlsplit(url).port))
        start, closed = time.monotonic(), False
        for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"a" * 200:
            try:
                dribbling.sendall(bytes([byte]))
                dribbling.settimeout(0.02)
                closed = dribbling.recv(1) == b""
            except TimeoutError:
                continue
            except OSError:
                closed = True
            if closed:
                break
        assert closed
        assert time.monotonic() - start > 0.5
        assert httpx.get(url + "/about", timeout=60).status_code == 200


@pytest.mark.usefixtures("impatient")
def test_a_form_whose_body_never_comes_is_cut_off() -> None:
    async def waiting(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass

    app: Any = waiting
    with serving(app) as url:
        client = socket.create_connection((urlsplit(url).hostname, urlsplit(url).port))
        client.sendall(b"POST /item/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
        client.settimeout(20)
        assert client.recv(1) == b""


@pytest.mark.usefixtures("impatient")
def test_a_second_request_that_dribbles_is_cut_off_too() -> None:
    with serving(library()) as url:
        client = socket.create_connection((urlsplit(url).hostname, urlsplit(url).port))
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.settimeout(60)
        assert b"200 OK" in client.recv(4096)
        client.sendall(b"GET /healthz HTT")
        while client.recv(4096):  # would wait for a minute, and raise, if it were not cut off
            pass


@pytest.mark.usefixtures("impatient")
def test_a_slow_search_is_not_cut_off_by_the_clock_of_the_request() -> None:
    with serving(library(searcher=HandSearcher(seconds=1.2))) as url:
        assert httpx.get(url + SEARCH, timeout=60).status_code == 200


def test_addresses_up_to_fifty_thousand_characters_of_any_script_get_the_clear_line() -> None:
    with serving(library()) as url:
        asking = HTTPConnection(urlsplit(url).netloc)
        asking.request("GET", "/search?q=" + quote("房" * 50_000))
        response = asking.getresponse()
        assert (response.status, b"50,000 characters" in response.read()) == (413, True)
        client = socket.create_connection((urlsplit(url).hostname, urlsplit(url).port))
        client.sendall(b"GET /" + b"a" * 600_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.settimeout(60)
        assert client.recv(100).startswith(b"HTTP/1.1 4")
        assert httpx.get(url + "/about", timeout=60).status_code == 200


def test_a_taken_port_is_one_line() -> None:
    with listen("127.0.0.1", 0) as place, pytest.raises(InputError, match=r"cannot listen there .*another --port"):
        listen("127.0.0.1", place.getsockname()[1])


def test_a_host_that_is_not_ours_is_one_line() -> None:
    with pytest.raises(InputError, match="cannot listen there"):
        listen("192.0.2.1", 0)


def test_loopback() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "Localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "10.0.0.1", "firm.example")] == [False] * 4
