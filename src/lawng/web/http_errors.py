"""Why a request gets no answer: each refusal has a status, a title and one line for people."""

from __future__ import annotations

from lawng.errors import LawngError

MOST_VALUES = 200
"""Values of all filters of a request together: each is held against everything that is searched."""


class HttpError(LawngError):
    """Base of all refusals; the message is one line."""

    status = 500
    title = "Something went wrong"
    retry_after: int | None = None
    """Seconds after which to ask again."""


class BadRequestError(HttpError):
    """What was asked for cannot be asked: 422, 413, 400, 403 or 405."""

    title = "This cannot be asked"

    def __init__(self, line: str, status: int = 422, logged: str = "") -> None:
        super().__init__(line)
        self.status = status
        self.logged = logged
        """What the log says of it beside the request's line."""


class NotFoundError(HttpError):
    """No such opinion, case or page."""

    status = 404
    title = "Not here"


class OverloadedError(HttpError):
    """Too many searches wait already."""

    status = 503
    title = "Too busy just now"
    retry_after = 5


class TooSlowError(HttpError):
    """The time limit is over."""

    status = 504
    title = "This took too long"


class UnavailableError(HttpError):
    """The index cannot be read, so whether something would be found is not known."""

    status = 503
    title = "Could not look"
    retry_after = 30
