"""The server: a place to listen at, and uvicorn with limits."""

from __future__ import annotations

import ipaddress
import logging
import socket
from typing import TYPE_CHECKING

import uvicorn

from lawng.errors import InputError
from lawng.web.patience import PatientProtocol

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
        http=PatientProtocol,
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
