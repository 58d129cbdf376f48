"""Connections that do not wait for ever."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol


def impatient_protocol(seconds: float) -> type[H11Protocol]:
    """Uvicorn's HTTP protocol, with a limit in seconds for what comes between requests.

    Uvicorn 0.54 closes a connection that is idle after an answer, but not one that has sent
    nothing yet, sends its headers byte by byte, or goes on with a body that was refused: enough
    of these would keep everybody else out. (Bodies of requests in progress have a limit of their
    own.)
    """

    class Impatient(H11Protocol):
        """Closes the connection if it brings no request in time."""

        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._start()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            # There is no cycle before the first request.
            if not getattr(self.cycle, "response_complete", True):
                self._stop()
            elif self._deadline is None:
                self._start()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        def _start(self) -> None:
            self._deadline = self.loop.call_later(seconds, self._close)

        def _stop(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _close(self) -> None:
            self.transport.close()

    return Impatient
