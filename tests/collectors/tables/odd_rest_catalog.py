"""A REST catalog on loopback that answers what a test says, word for word."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CONFIG = "/v1/config"
TABLE = "/v1/namespaces/db/tables/{}"
LISTED = "/v1/namespaces/db/tables"
NAMESPACES = "/v1/namespaces"
TOKENS = "/v1/oauth/tokens"


@dataclass(frozen=True)
class Answer:
    """A status and a body, JSON but for bytes. `length` is what the header says of it where that
    is a lie; `pause` are seconds between its bytes, and before them where there are none. It waits
    until as many askers as `together` has parties wait for such an answer."""

    status: int = 200
    body: Any = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    pause: float = 0.0
    together: threading.Barrier | None = None


@dataclass
class OddCatalog:
    """What is answered by path; of several answers each in turn, the last one for ever. `asked` are
    the paths, in order."""

    uri: str
    answers: dict[str, list[Answer]]
    asked: list[str]

    @property
    def properties(self) -> dict[str, str]:
        """Of the catalog, for a configuration."""
        return {"type": "rest", "uri": self.uri}


def refusal(status: int, **headers: str) -> Answer:
    """As the REST protocol words one."""
    error = {"message": "no, Bearer SECRET will not do", "type": "X", "code": status}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"error": error}, named)


@contextmanager
def odd_catalog(answers: Mapping[str, Answer | Sequence[Answer]]) -> Iterator[OddCatalog]:
    """A catalog that opens, unless it is told otherwise, and ends with the block."""
    ended = threading.Event()
    opens = {CONFIG: Answer(body={"defaults": {}, "overrides": {}})}
    told = {
        path: [answer] if isinstance(answer, Answer) else list(answer)
        for path, answer in (opens | dict(answers)).items()
    }

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            catalog.asked.append(path)
            waiting = catalog.answers.get(path, [refusal(404)])
            answer = waiting[0] if len(waiting) == 1 else waiting.pop(0)
            body = answer.body
            raw = body if isinstance(body, bytes) else json.dumps(body).encode()
            length = len(raw) if answer.length is None else answer.length
            if not raw and ended.wait(answer.pause):
                return
            if answer.together is not None:
                answer.together.wait()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            if not answer.pause:
                self.wfile.write(raw)
                return
            for byte in raw:
                self.wfile.write(bytes([byte]))
                if ended.wait(answer.pause):
                    return

        do_POST = do_GET  # noqa: N815  # the name that http.server looks for

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Whoever asked has hung up."""

    with Server(("127.0.0.1", 0), Handler) as server:
        catalog = OddCatalog(f"http://127.0.0.1:{server.server_port}", told, [])
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield catalog
        finally:
            ended.set()
            server.shutdown()
            thread.join()
