"""Iceberg's REST catalog over a SQL catalog, on loopback, which can be busy, slow or ahead of
itself."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import NoSuchTableError

from tests.chaos.lake import TOKEN


@dataclass
class Weather:
    """What the catalog is to do next; all of it may change while it runs."""

    answers: int | None = None
    """A status in place of every answer."""
    delay: float = 0.0
    """Seconds before each answer."""
    delays: Mapping[str, float] = field(default_factory=dict)
    """Seconds before the answer for a table, by its name; `inf` is never."""
    after_load: Callable[[str], None] = field(default=lambda _: None)
    """Is called with the name of each table that was given out."""


class RestCatalog(ThreadingHTTPServer):
    """Answers what an audit asks: the configuration, and tables."""

    daemon_threads = True

    def __init__(self, behind: Catalog) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind = behind
        self.weather = Weather()
        self.lock = threading.Lock()
        self.closing = threading.Event()

    @property
    def properties(self) -> dict[str, str]:
        """Of the catalog, for a configuration."""
        return {"type": "rest", "uri": f"http://127.0.0.1:{self.server_port}", "token": TOKEN}


class _Handler(BaseHTTPRequestHandler):
    server: RestCatalog

    def do_GET(self) -> None:
        """Answers as the weather is."""
        weather = self.server.weather
        time.sleep(weather.delay)
        if weather.answers is not None:
            self._answer(weather.answers, _error("ServiceUnavailableException", weather.answers))
        elif self.headers["Authorization"] != f"Bearer {TOKEN}":
            self._answer(401, _error("NotAuthorizedException", 401))
        elif self.path.startswith("/v1/config"):
            self._answer(200, {"defaults": {}, "overrides": {}})
        else:
            self._load(*self.path.partition("/namespaces/")[2].partition("/tables/")[::2])

    do_HEAD = do_GET  # noqa: N815  # the name that http.server looks for

    def _load(self, namespace: str, table: str) -> None:
        delay = self.server.weather.delays.get(table.partition("?")[0], 0.0)
        if self.server.closing.wait(delay if math.isfinite(delay) else None):
            return
        try:
            with self.server.lock:
                loaded = self.server.behind.load_table((namespace, table.partition("?")[0]))
        except NoSuchTableError:
            self._answer(404, _error("NoSuchTableException", 404))
            return
        metadata = loaded.metadata.model_dump(mode="json", by_alias=True)
        location = loaded.metadata_location
        self._answer(200, {"metadata-location": location, "metadata": metadata, "config": {}})
        self.server.weather.after_load(table)

    def _answer(self, status: int, document: dict[str, Any]) -> None:
        body = json.dumps(document, default=str).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


def _error(kind: str, status: int) -> dict[str, Any]:
    return {"error": {"message": "no", "type": kind, "code": status}}


@contextmanager
def serving(behind: Catalog) -> Iterator[RestCatalog]:
    """A catalog that ends with the block."""
    with RestCatalog(behind) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            server.shutdown()
            thread.join()
