"""One client for every OpenAI-compatible endpoint: OpenAI's own, vLLM, Ollama, llama.cpp.

Client(base_url, key).send(model, request) -> what the endpoint answers      client.map(work, items) -> list
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from difflib import get_close_matches
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from lawng.errors import ConfigError, InputError, LawngError, MissingError
from lawng.extras import explained

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI
    from openai.types import Model

OPENAI = "https://api.openai.com/v1"
"""Where requests go when no other address is named; the only one that cannot do without a key."""
KEY, ADDRESS = "OPENAI_API_KEY", "OPENAI_BASE_URL"
_NO_KEY = "none"
"""Sent to endpoints that want no key, for the library insists on one."""

_SECRET = re.compile(r"\b(?:sk|pk|gsk|hf)[-_][\w*.-]+|(?i:bearer)\s+\S+")
"""What keys look like: an endpoint may repeat them in what it says."""
_SHOWN = 160
_KEPT = "what was answered is kept where a cache is given, so the same command goes on"

Said = TypeVar("Said")
Item = TypeVar("Item")
Result = TypeVar("Result")


class Limits(NamedTuple):
    """How patient a client is, and how much it asks at a time."""

    timeout: float = 120.0
    """Seconds to wait for one answer."""
    retries: int = 5
    """How often a request is tried again after 429, 5xx, a lost connection or no answer in time; the waits grow."""
    at_a_time: int = 8
    """Requests under way at once, all threads together."""


def for_a_search() -> Limits:
    """Of one that answers a search: somebody waits, and has the cases without it."""
    return Limits(timeout=20.0, retries=1)


class RefusedError(InputError):
    """The endpoint finds fault with the request itself: asked again, it would refuse again."""

    def __init__(self, message: str, said: str) -> None:
        super().__init__(message)
        self.said = said
        """What the endpoint said, in lower case."""


class Client:
    """Requests to one endpoint, retried by the openai library, at most so many at once; the key stays in here.

    Raises MissingError when the library is not installed or OpenAI is asked without a key, ConfigError when the address
    is none.
    """

    @explained()
    def __init__(self, base_url: str | None = None, key: str | None = None, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        address = base_url or os.environ.get(ADDRESS) or OPENAI
        self._key = key or os.environ.get(KEY) or ""
        self.place = shown_address(address)
        if self.place == shown_address(OPENAI) and not self._key:
            raise MissingError(
                f"{self.place} wants a key: set {KEY}, or name your own endpoint in {ADDRESS} "
                "(http://localhost:11434/v1 is Ollama's)"
            )
        from openai import OpenAI

        patience: dict[str, Any] = {"timeout": self.limits.timeout, "max_retries": self.limits.retries}
        self._api = OpenAI(base_url=address, api_key=self._key or _NO_KEY, **patience)
        self._turn = BoundedSemaphore(self.limits.at_a_time)

    def send(self, model: str, request: Callable[[OpenAI], Said]) -> Said:
        """What the endpoint answers to one request.

        Raises RefusedError when it finds fault with the request itself, MissingError when it gives no answer.
        """
        with self._turn:
            try:
                return request(self._api)
            except Exception as error:
                # "from None": what the endpoint said may have the key in it, and chained errors are printed
                raise self._named(error, model) from None

    def map(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """`work` of every item, in their order, some at a time; the first error ends it, and the rest is not begun."""
        with ThreadPoolExecutor(self.limits.at_a_time) as pool:
            futures = [pool.submit(work, item) for item in items]
            try:
                for future in as_completed(futures):
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return [future.result() for future in futures]

    def max_length(self, model: str) -> int | None:
        """Tokens that the model reads, where the endpoint tells (vLLM does), else None.

        Raises MissingError when the endpoint gives no answer.
        """
        found = self.send(model, lambda api: {entry.id: entry for entry in _list(api)}).get(model)
        length = getattr(found, "max_model_len", None)
        return length if isinstance(length, int) and length > 0 else None

    def _named(self, error: Exception, model: str) -> LawngError:
        """lawng's error for what the openai library raises."""
        import openai

        if isinstance(error, LawngError):
            return error
        if isinstance(error, openai.APIStatusError):
            return self._of_status(error, model)
        if isinstance(error, openai.APITimeoutError):
            seconds = f"{self.limits.timeout:g} s"
            said = f"gave no answer in {seconds}, tried {self._times}: wait, or ask less at a time; {_KEPT}"
        elif isinstance(error, openai.APIConnectionError):
            said = f"cannot be reached, tried {self._times}: start the server, or set {ADDRESS}"
        else:
            return self.strange(f" ({type(error).__name__})")
        return MissingError(f"{self.place} {said}")

    def strange(self, what: str = "") -> MissingError:
        """The error for an answer of another form than the library's."""
        return MissingError(
            f"{self.place} answers, but not as OpenAI-compatible endpoints do{what}: check the address, most end in /v1"
        )

    def _of_status(self, error: APIStatusError, model: str) -> LawngError:
        said, status = self._said(error), error.status_code
        if status == 401:  # here endpoints like to repeat the key, so they are not quoted
            return MissingError(f"{self.place} does not accept the key: set {KEY} to one that it knows")
        if status == 404:
            return MissingError(f"model {model}: not to be had at {self.place}{self._others(model)}")
        if status == 429:
            return MissingError(f"{self.place} still refuses for now, tried {self._times} ({said}): wait; {_KEPT}")
        if status >= 500 or status in {408, 409}:
            return MissingError(f"{self.place} fails with {status}, tried {self._times} ({said}): look there; {_KEPT}")
        return RefusedError(
            f"model {model}: {self.place} refuses the request ({said}): give it what it takes, or name another",
            said.lower(),
        )

    @property
    def _times(self) -> str:
        return f"{self.limits.retries + 1} times" if self.limits.retries else "once"

    def _said(self, error: APIStatusError) -> str:
        body = error.body if isinstance(error.body, dict) else {"message": error.body}
        # "detail" is what servers made with FastAPI say
        text = " ".join(str(body.get("message") or body.get("detail") or error.message).split())
        if self._key:
            text = text.replace(self._key, "***")
        return _SECRET.sub("***", text)[:_SHOWN]

    def _others(self, model: str) -> str:
        """What to name instead; an endpoint that fails here too has been reported already."""
        models: list[str] = []
        with suppress(Exception):
            models = sorted(str(entry.id) for entry in _list(self._api))
        if not models:
            return "; name another, and check the address (most end in /v1)"
        near = get_close_matches(model, models, n=5, cutoff=0.3) or models[:5]
        return f"; it has {', '.join(near)}{' and more' if len(models) > len(near) else ''}"


def _list(api: OpenAI) -> list[Model]:
    """The endpoint's models; many endpoints have no list, another one, or fail to make it."""
    from openai import APIStatusError, AuthenticationError

    try:
        return list(api.with_options(max_retries=0).models.list())
    except AuthenticationError:
        raise
    except (APIStatusError, AttributeError, TypeError, ValueError):
        return []


def shown_address(address: str) -> str:
    """An address as messages show it: without user, password and query.

    >>> shown_address("https://me:secret@example.org:8000/v1/?key=secret")
    'https://example.org:8000/v1'

    Raises ConfigError when it is no address of the web.
    """
    try:
        parts = urlsplit(address)
        host = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname or "")
    except ValueError:
        host = ""
    if not host or parts.scheme not in {"http", "https"}:
        raise ConfigError(f"{ADDRESS}: not an address; write it like http://localhost:8000/v1")
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}"
