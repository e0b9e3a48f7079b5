"""The server: a place to listen at, and uvicorn with limits, also on how long a client may take."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from typing import TYPE_CHECKING, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from lawng.errors import InputError

if TYPE_CHECKING:
    from fastapi import FastAPI

_LONGEST_HEAD = 512 * 1024
"""Bytes of a request's first line and headers: an argument that is too long should be told so, in any script."""
_CONNECTIONS = 256
"""One more is answered with 503."""


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach a host name or address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any that is free.

    Raises InputError when the port is taken, or the host is not this computer's.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, proto)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(128)
    except OSError as error:
        raise InputError(
            f"{host}:{port}: cannot listen there ({error.strerror}); try another --port or --host"
        ) from None
    return found


def url_of(place: socket.socket) -> str:
    """The address to type into a browser."""
    host, port = place.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def server_of(app: FastAPI) -> uvicorn.Server:
    """The server of an application; `run(sockets=[listen(...)])` serves until it is told to stop.

    Its log goes through `logging`, and never names what was searched for.
    """
    config = uvicorn.Config(
        app,
        http=TimeoutProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_CONNECTIONS,
        h11_max_incomplete_event_size=_LONGEST_HEAD,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=3,
    )
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # "Invalid HTTP request" for each port scan
    return uvicorn.Server(config)


class TimeoutProtocol(H11Protocol):
    """uvicorn's protocol with two more clocks: by itself it waits without end for the rest of a request.

    A connection on which no request arrives whole in `request_seconds` is closed, however its bytes trickle in; one
    that does not take the answer off for `stall_seconds` is cut.
    """

    request_seconds: ClassVar[float] = 10.0
    stall_seconds: ClassVar[float] = 20.0
    _arriving: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock of the first request."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Stop the clock once a request is whole; start it with the first byte of one."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body:
            _stop(self._arriving)
            self._arriving = None
        elif self._arriving is None and not self.transport.is_closing():
            self._expect()

    def on_response_complete(self) -> None:
        """Forget the clock of the request that was answered."""
        _stop(self._arriving)
        self._arriving = None
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Start the clock of a client that does not read."""
        super().pause_writing()
        _stop(self._stalled)
        self._stalled = self.loop.call_later(self.stall_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop that clock."""
        _stop(self._stalled)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop both clocks."""
        _stop(self._arriving)
        _stop(self._stalled)
        super().connection_lost(exc)

    def _expect(self) -> None:
        self._arriving = self.loop.call_later(self.request_seconds, self.transport.close)


def _stop(clock: asyncio.TimerHandle | None) -> None:
    if clock is not None:
        clock.cancel()
