"""A stand-in for OpenAI-compatible endpoints, on this machine: its "model" judges by words in common, for all to see."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

import pytest

from encoder_support import HashingEncoder
from lawng.models.openai.client import Client, Limits

MODEL = "overlap-1"
QUERY = "cap on liability with carve outs"
TEXTS = [
    "This agreement is governed by the laws of Ohio.",
    "A cap on liability with carve outs for fraud.",
    "Liability is limited.",
    "A cap applies on liability.",
    "On notice, with cause, liability ends.",
]
"""They share 0, 6, 1, 3 and 3 words with the query."""
_WORD = re.compile(r"\w+")
_TAG = r"<{0}>\s*(.*?)\s*</{0}>"


def between(tag: str, prompt: str) -> str:
    """What stands between two tags of a prompt, else nothing."""
    found = re.search(_TAG.format(tag), prompt, re.DOTALL)
    return found[1] if found else ""


def overlap(query: str, text: str) -> int:
    """Different words that a query and a text share."""
    return len(set(_WORD.findall(query.lower())) & set(_WORD.findall(text.lower())))


def by_overlap(prompt: str) -> str:
    """One star and one more for each shared word; of two passages the one that shares more, A when they share as many."""
    query = between("search", prompt)
    if clause := between("clause", prompt):
        return str(min(5, 1 + overlap(query, clause)))
    a, b = between("passage_a", prompt), between("passage_b", prompt)
    return "Passage A" if overlap(query, a) >= overlap(query, b) else "Passage B"


class StandIn:
    """One endpoint. `script` holds what it does instead of answering, request by request; `requests` what it was asked."""

    def __init__(self) -> None:
        self.answer: Callable[[str], str] = by_overlap
        self.logprobs = True
        self.key = ""
        self.script: list[str] = []
        self.refuses: dict[str, str] = {}
        """Parameters that it refuses, with what it says then."""
        self.max_model_len: int | None = None
        self.no_list = 0
        """Status with which it refuses to list its models."""
        self.longest_text = 10**6
        self.requests: list[dict[str, Any]] = []
        self.keys: set[str] = set()
        self.at_once = self.most_at_once = 0
        self.lock = Lock()
        self.url = ""

    def client(self, retries: int = 3, timeout: float = 20.0, at_a_time: int = 8, key: str | None = None) -> Client:
        """A client that asks here."""
        return Client(self.url, key, Limits(timeout, retries, at_a_time))

    def reply(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Status and body of the answer to one request."""
        if path.endswith("/models"):
            if self.no_list:
                return self.no_list, {"detail": "no list"}
            return 200, {
                "object": "list",
                "data": [{"id": MODEL, "object": "model", "max_model_len": self.max_model_len}],
            }
        with self.lock:
            self.requests.append(body)
            act = self.script.pop(0) if self.script else "answer"
        if act == "hang":
            time.sleep(1.0)
        elif act != "answer":
            return self.failed(act)
        if body["model"] != MODEL:
            return 404, {"error": {"message": f"model {body['model']} not found"}}
        if refused := [said for name, said in self.refuses.items() if name in body]:
            return 400, {"error": {"message": refused[0]}}
        return self.embeddings(body) if path.endswith("/embeddings") else self.chat(body)

    def failed(self, act: str) -> tuple[int, Any]:
        """What it says when it fails: errors by status, those of two other kinds of servers, or half an answer."""
        said = "too long by far"
        other = {
            "detail": (400, {"detail": said}),
            "plain": (400, {"error": said}),
            "malformed": (200, '{"id": "x", "ch'),
        }
        if act in other:
            return other[act]
        return int(act), {"error": {"message": f"no, {act}; your key is {' '.join(self.keys)}"}}

    def embeddings(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Counts of hashed words, last text first: the client must go by `index`."""
        if any(not text.strip() or len(text) > self.longest_text for text in body["input"]):
            return 400, {"error": {"message": "input is empty or longer than the maximum context length"}}
        rows = HashingEncoder(width=body.get("dimensions", 64), max_tokens=None).encode(body["input"]).vectors
        data = [{"object": "embedding", "index": at, "embedding": row.tolist()} for at, row in enumerate(rows)]
        return 200, {"object": "list", "model": MODEL, "data": data[::-1], "usage": {}}

    def chat(self, body: dict[str, Any]) -> tuple[int, Any]:
        """The rule's answer; with probabilities, 0.6 for the rating, 0.2 for the one below, and 0.2 for no rating."""
        said = self.answer("\n".join(message["content"] for message in body["messages"]))
        choice: dict[str, Any] = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": said},
        }
        if self.logprobs and body.get("logprobs"):
            below = str(max(1, int(said) - 1)) if said.isdigit() else "?"
            top = [{"token": text, "logprob": math.log(p)} for text, p in ((said, 0.6), (below, 0.2), ("I", 0.2))]
            choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
        return 200, {"id": "x", "object": "chat.completion", "created": 1, "model": MODEL, "choices": [choice]}


@contextmanager
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """A stand-in that listens until the block ends; what the environment says of real endpoints is forgotten."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    place = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.respond({})

        def do_POST(self) -> None:
            self.respond(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def respond(self, body: dict[str, Any]) -> None:
            given = self.headers.get("Authorization", "").removeprefix("Bearer ")
            place.keys.add(given)
            with place.lock:
                place.at_once += 1
                place.most_at_once = max(place.most_at_once, place.at_once)
            if place.key and given != place.key:
                status, answer = 401, {"error": {"message": f"Incorrect API key provided: {given}"}}
            else:
                status, answer = place.reply(self.path, body)
            with place.lock:
                place.at_once -= 1
            self.write(status, answer)

        def write(self, status: int, answer: Any) -> None:
            raw = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.send_header("Retry-After-Ms", "1")
                self.end_headers()
                self.wfile.write(raw)
            except BrokenPipeError:  # the client waited no longer
                pass

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 64  # with the library's 5, connections at once wait a second
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    place.url = f"http://127.0.0.1:{server.server_port}/v1"
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield place
    server.shutdown()
    server.server_close()
