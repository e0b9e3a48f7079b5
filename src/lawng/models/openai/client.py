"""One client for every OpenAI-compatible endpoint: OpenAI's own, vLLM, Ollama, llama.cpp.

Client(base_url, key).send(model, request) -> what the endpoint answers      client.map(work, items) -> list
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import urlsplit

from lawng.errors import ConfigError, MissingError
from lawng.extras import explained
from lawng.models.kept import Progress, silent
from lawng.models.openai.failures import Failures

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types import Model

OPENAI = "https://api.openai.com/v1"
"""Where requests go when no other address is named; the only one that cannot do without a key."""
KEY, ADDRESS = "OPENAI_API_KEY", "OPENAI_BASE_URL"
_NO_KEY = "none"
"""Sent to endpoints that want no key, for the library insists on one."""

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


class Client:
    """Requests to one endpoint, retried by the openai library, at most so many at once; the key stays in here.

    Raises MissingError when the library is not installed or OpenAI is asked without a key, ConfigError when the address
    is none.
    """

    def __init__(self, base_url: str | None = None, key: str | None = None, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        address = base_url or os.environ.get(ADDRESS) or OPENAI
        key = key or os.environ.get(KEY) or ""
        self.place = shown_address(address)
        if self.place == shown_address(OPENAI) and not key:
            raise MissingError(
                f"{self.place} wants a key: set {KEY}, or name your own endpoint in {ADDRESS} "
                "(http://localhost:11434/v1 is Ollama's)"
            )
        self._failures = Failures(self.place, self.limits.timeout, self.limits.retries + 1, key)
        self._api = _library_client(address, key or _NO_KEY, self.limits)
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
                raise self._failures.named(error, model, self._models) from None

    def map(self, work: Callable[[Item], Result], items: Sequence[Item], done: Progress = silent) -> list[Result]:
        """`work` of every item, in their order, some at a time; the first error ends it, and the rest is not begun."""
        if not items:
            return []
        with ThreadPoolExecutor(min(self.limits.at_a_time, len(items))) as pool:
            futures = [pool.submit(work, item) for item in items]
            try:
                for count, future in enumerate(as_completed(futures), 1):
                    future.result()
                    done(count, len(items))
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

    def _models(self) -> list[str]:
        """For messages only: an endpoint that fails here too has been reported already."""
        try:
            return sorted(str(entry.id) for entry in _list(self._api))
        except Exception:  # of any kind, for the first failure is what the user must hear of
            return []


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


@explained()
def _library_client(address: str, key: str, limits: Limits) -> OpenAI:
    from openai import OpenAI

    return OpenAI(base_url=address, api_key=key, timeout=limits.timeout, max_retries=limits.retries)
