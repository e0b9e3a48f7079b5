"""What goes wrong at an endpoint, in one line that says what to do; keys never stand in it.

Failures(place, timeout, tries, key).named(error, model, models) -> LawngError
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from lawng.errors import InputError, LawngError, MissingError

if TYPE_CHECKING:
    from openai import APIStatusError

_SECRET = re.compile(r"\b(?:sk|pk|gsk|hf)[-_][\w*.-]+|(?i:bearer)\s+\S+")
"""What keys look like: an endpoint may repeat them in what it says."""
_SHOWN = 160
_KEPT = "what was answered is kept where a cache is given, so the same command goes on"


class RefusedError(InputError):
    """The endpoint finds fault with the request itself: asked again, it would refuse again."""

    def __init__(self, message: str, said: str) -> None:
        super().__init__(message)
        self.said = said
        """What the endpoint said, in lower case."""


class Failures(NamedTuple):
    """Turns what the openai library raises into lawng's errors."""

    place: str
    timeout: float
    tries: int
    key: str

    def named(self, error: Exception, model: str, models: Callable[[], Sequence[str]]) -> LawngError:
        """The error to raise instead. `models` gives the endpoint's models, for a helpful message."""
        import openai

        if isinstance(error, LawngError):
            return error
        if isinstance(error, openai.APITimeoutError):
            return MissingError(
                f"{self.place} gave no answer in {self.timeout:g} s, tried {self._times}: wait, or ask less at a time; "
                + _KEPT
            )
        if isinstance(error, openai.APIConnectionError):
            return MissingError(
                f"{self.place} cannot be reached, tried {self._times}: start the server, or set OPENAI_BASE_URL"
            )
        if isinstance(error, openai.APIStatusError):
            return self._of_status(error, model, models)
        return MissingError(
            f"{self.place} answers, but not as OpenAI-compatible endpoints do ({type(error).__name__}): "
            "check the address, most end in /v1"
        )

    def _of_status(self, error: APIStatusError, model: str, models: Callable[[], Sequence[str]]) -> LawngError:
        said, status = self._said(error), error.status_code
        if status == 401:  # here endpoints like to repeat the key, so they are not quoted
            return MissingError(f"{self.place} does not accept the key: set OPENAI_API_KEY to one that it knows")
        if status == 404:
            return MissingError(f"model {model}: not to be had at {self.place}{_others(model, models())}")
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
        return "once" if self.tries == 1 else f"{self.tries} times"

    def _said(self, error: APIStatusError) -> str:
        body = error.body if isinstance(error.body, dict) else {"message": error.body}
        # "detail" is what servers made with FastAPI say
        text = " ".join(str(body.get("message") or body.get("detail") or error.message).split())
        if self.key:
            text = text.replace(self.key, "***")
        return _SECRET.sub("***", text)[:_SHOWN]


def _others(model: str, models: Sequence[str]) -> str:
    if not models:
        return "; name another, and check the address (most end in /v1)"
    near = get_close_matches(model, models, n=5, cutoff=0.3) or list(models[:5])
    return f"; it has {', '.join(near)}{' and more' if len(models) > len(near) else ''}"
