"""HTTP with limits on how long a client may take: uvicorn waits without end for the rest of a request."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol


class PatientProtocol(H11Protocol):
    """uvicorn's protocol with two more clocks.

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
        if self.cycle is not None and not self.cycle.response_complete:
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
