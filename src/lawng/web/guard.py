"""What is checked before any page is made, what headers every answer has, and what is logged."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lawng.web.http_errors import BadRequestError, HttpError
from lawng.web.index_service import WebSettings

SECURITY = {
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""On every answer; nothing is loaded from another place, and an argument does not leave by a link's referrer."""
_STATIC = "public, max-age=31536000, immutable"
_LONGEST_HOST = 100
"""Characters of a refused host's name that are logged."""
_LOG = logging.getLogger("lawng.web.access")


class Guard:
    """The outermost layer: host, method and body are checked, headers set, and a line logged for each request.

    Only GET and HEAD are answered and no body is read, but for forms of own pages where the settings take them. A host
    name that is not this server's own is refused: a page of another site could else reach a server on loopback by a
    name of its own (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, settings: WebSettings, refuse: Callable[[Request, HttpError], Response]) -> None:
        self._app, self._settings, self._refuse = app, settings, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # a web socket is not accepted
        head = scope["method"] == "HEAD"
        answer = _Answer(scope, send, head)
        try:
            _check(scope, self._settings)
        except BadRequestError as refusal:
            answer.why = refusal.logged
            await self._refuse(Request(scope), refusal)(scope, receive, answer)
        else:
            await self._app({**scope, "method": "GET"} if head else scope, receive, answer)
        finally:
            _LOG.info(answer.line(self._settings.log_arguments))


class _Answer:
    """The sending side of one request: sets headers and remembers what the log needs."""

    def __init__(self, scope: Scope, send: Callable[[Message], Awaitable[None]], head: bool) -> None:
        self._scope, self._send, self._head = scope, send, head
        self._begun, self._status = time.perf_counter(), 0
        self.why = ""

    async def __call__(self, message: Message) -> None:
        """Send a message on."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._set(MutableHeaders(scope=message))
        elif self._head and message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await self._send(message)

    def _set(self, headers: MutableHeaders) -> None:
        headers.update(SECURITY)
        lasting = self._scope["path"].startswith("/static/") and self._status < 400
        headers["cache-control"] = _STATIC if lasting else "no-store"

    def line(self, with_arguments: bool) -> str:
        """Method, path, status and time; what was searched for is left out unless asked for."""
        path = _printable(self._scope["path"])
        if with_arguments and self._scope["query_string"]:
            path += "?" + _printable(self._scope["query_string"].decode("latin-1"))
        seconds = time.perf_counter() - self._begun
        why = f" ({_printable(self.why)})" if self.why else ""
        return f"{_printable(self._scope['method'])} {path} {self._status} {seconds * 1000:.0f} ms{why}"


def _check(scope: Scope, settings: WebSettings) -> None:
    headers = Headers(scope=scope)
    host = _name(headers.get("host", ""))
    if settings.hosts is not None and host not in settings.hosts:
        line = "This server answers only to its own name: ask for localhost or 127.0.0.1."
        raise BadRequestError(line, 400, f"refused host {host[:_LONGEST_HOST] or 'none'}")
    if scope["method"] == "POST" and settings.longest_form:
        _check_form(headers, settings.longest_form)
        return
    if scope["method"] not in ("GET", "HEAD"):
        raise BadRequestError("This server only answers questions (GET): it takes nothing in.", 405)
    if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
        raise BadRequestError("A question has no body: put the argument into the address, ?q=…", 413)


def _check_form(headers: Headers, most: int) -> None:
    """A form comes from this server's own page, as the browser says, which no other site's script can make it say."""
    if headers.get("sec-fetch-site") != "same-origin":
        raise BadRequestError("This form does not come from this server's own page, in a browser that says so.", 403)
    length = headers.get("content-length", "")
    said = length.isascii() and length.isdigit() and len(length) <= 12
    if "transfer-encoding" in headers or not (said and int(length) <= most):
        raise BadRequestError(f"A form has at most {most:,} bytes, and says how many.", 413)


def _name(host: str) -> str:
    """The host without its port, in lower case.

    >>> _name("LOCALHOST:8021"), _name("[::1]:8021"), _name("evil.example")
    ('localhost', '[::1]', 'evil.example')
    """
    bare = host.lower()
    return bare[: bare.find("]") + 1] if bare.startswith("[") else bare.partition(":")[0]


def _printable(text: str) -> str:
    """One line for a log, whatever a client has sent."""
    return text.encode("ascii", "backslashreplace").decode().translate({n: f"\\x{n:02x}" for n in (*range(32), 127)})
