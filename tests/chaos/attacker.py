"""A server of somebody who would like to be called."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Attacker(socketserver.ThreadingTCPServer):
    """Listens on a free port of the loopback, and remembers whether anybody called."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Call)
        self.heard = False

    @property
    def address(self) -> str:
        """Host and port."""
        host, port = self.server_address[:2]
        return f"{host!s}:{port}"


class _Call(socketserver.BaseRequestHandler):
    server: Attacker

    def handle(self) -> None:
        """Hangs up."""
        self.server.heard = True


@contextmanager
def listening() -> Iterator[Attacker]:
    """A server that ends with the block."""
    with Attacker() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
