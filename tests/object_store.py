"""A real S3 server on loopback, behind a proxy that records requests and can misbehave.

The server is the Versity S3 Gateway over a folder. The proxy forwards what it gets unchanged,
`Host` header included, so that signatures stay valid and the server really checks them.
"""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import patch

from tests.ports import free_port

PROGRAM = "versitygw"
ACCESS_KEY = "AKIDOFTESTS"
SECRET_KEY = "onlyTestsKnowThisSecret"  # noqa: S105  # of a server that ends with its test
BUCKET = "lake"
PLAIN_UPLOADS = {"AWS_REQUEST_CHECKSUM_CALCULATION": "when_required"}
"""The server answers 400 to one in twenty uploads with checksums in trailers, which newer SDKs send
(versitygw 1.8.0, of 400 uploads by Arrow 26)."""

_STARTS_WITHIN = 120.0
"""Seconds: a JVM on a busy machine is slow."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came over the wire; `range` is its header."""

    method: str
    path: str
    range: str | None


@dataclass(frozen=True, slots=True)
class Reply:
    """A fault: this answer in place of the server's; `code` is S3's name of the error."""

    status: int
    code: str


@dataclass(frozen=True, slots=True)
class Cut:
    """A fault: the connection ends after so many bytes of the server's answer to a GET; 0 is
    before its headers."""

    body_bytes: int = 0


Fault = Reply | Cut
SLOW_DOWN = Reply(503, "SlowDown")
"""Of a store that is busy."""
Answer = tuple[int, list[tuple[str, str]], bytes]


@dataclass
class ObjectStore:
    """The server as clients see it. Tests put files into `folder`, and set faults and delays."""

    endpoint: str
    folder: Path
    delay: float = 0.0
    """Seconds before each answer."""
    hanging: tuple[str, ...] = ()
    """Patterns of paths whose requests get no answer until this is empty."""
    requests: list[Request] = field(default_factory=list)
    most_in_flight: int = 0
    _faults: dict[str, deque[Fault]] = field(default_factory=dict)
    _in_flight: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def properties(self) -> dict[str, str]:
        """What PyIceberg's FileIO needs to read from it."""
        return {
            "s3.endpoint": self.endpoint,
            "s3.region": "us-east-1",
            "s3.access-key-id": ACCESS_KEY,
            "s3.secret-access-key": SECRET_KEY,
        }

    def put(self, key: str, content: bytes) -> str:
        """Stores an object; its location."""
        path = self.folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return f"s3://{BUCKET}/{key}"

    def fail(self, key: str, *faults: Fault) -> None:
        """The next requests for an object meet these faults, one each."""
        self._faults[f"/{BUCKET}/{key}"] = deque(faults)

    def forget(self) -> None:
        """As newly started, but for the objects."""
        with self._lock:
            self.delay, self.most_in_flight, self.hanging = 0.0, 0, ()
            self._faults.clear()
            self.requests.clear()

    def of(self, location: str) -> list[tuple[str, str | None]]:
        """Method and range of the requests for an object so far, in order."""
        path = location.removeprefix("s3:/")
        with self._lock:
            return [(one.method, one.range) for one in self.requests if one.path == path]

    @contextmanager
    def serving(self, request: Request) -> Iterator[Fault | None]:
        """Records a request while it is answered; the fault that it is to meet."""
        with self._lock:
            self.requests.append(request)
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
            faults = self._faults.get(request.path)
            fault = faults.popleft() if faults else None
        try:
            time.sleep(self.delay)
            while any(fnmatch(request.path, pattern) for pattern in self.hanging):
                time.sleep(0.05)
            yield fault
        finally:
            with self._lock:
                self._in_flight -= 1


@contextmanager
def serve(program: Path, folder: Path) -> Iterator[ObjectStore]:
    """Runs server and proxy on free ports of the loopback, with one empty bucket."""
    (folder / BUCKET).mkdir(parents=True)
    with (
        _server(program, ("posix", "--nometa", folder)) as port,
        _proxy(port, folder / BUCKET) as store,
    ):
        yield store


@contextmanager
def serve_writable(program: Path, folder: Path, *buckets: str) -> Iterator[str]:
    """Runs the server alone, with empty buckets, for clients that write as well; its endpoint.
    Clients that are made meanwhile, here or in processes that are started, send PLAIN_UPLOADS."""
    for bucket in buckets:
        (folder / "buckets" / bucket).mkdir(parents=True)
    # Uploads in parts need the metadata of objects.
    metadata = folder / "metadata"
    metadata.mkdir()
    with (
        _server(program, ("posix", "--sidecar", metadata, folder / "buckets")) as port,
        patch.dict(os.environ, PLAIN_UPLOADS),
    ):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _server(program: Path, backend: Sequence[str | Path]) -> Iterator[int]:
    port = free_port()
    environment = {"ROOT_ACCESS_KEY": ACCESS_KEY, "ROOT_SECRET_KEY": SECRET_KEY}
    command: Sequence[str | Path] = (
        *(program, "--quiet", "--port", f"127.0.0.1:{port}", "--keep-alive"),
        *backend,
    )
    with subprocess.Popen(
        command,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            wait_for(server, port)
            yield port
        finally:
            server.terminate()


def wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    """Until a server listens."""
    deadline = time.monotonic() + _STARTS_WITHIN
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"the server did not start: exit code {server.poll()}")


@contextmanager
def _proxy(port: int, folder: Path) -> Iterator[ObjectStore]:
    server = _Proxy(port, folder)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.store
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Proxy(ThreadingHTTPServer):
    daemon_threads = True  # a client keeps its connections open for as long as it lives
    request_queue_size = 128

    def __init__(self, upstream: int, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = upstream
        self.store = ObjectStore(f"http://127.0.0.1:{self.server_port}", folder)


class _Handler(BaseHTTPRequestHandler):
    """One connection of a client."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else an answer's body waits 40 ms behind its headers
    server: _Proxy

    def do_GET(self) -> None:
        """Forwards, unless the request is to meet a fault."""
        request = Request(self.command, self.path, self.headers["Range"])
        # Not in flight any more once the client has the answer: it may ask again at once.
        with self.server.store.serving(request) as fault:
            status, headers, body = self._refuse(fault) if isinstance(fault, Reply) else self._ask()
        if isinstance(fault, Cut):
            self.close_connection = True
            if fault == Cut():
                return
            body = body[: fault.body_bytes]
        self._answer(status, headers, body)

    do_HEAD = do_GET  # noqa: N815  # the name that http.server looks for

    def _refuse(self, reply: Reply) -> Answer:
        body = f"<Error><Code>{reply.code}</Code><Message>!</Message></Error>".encode()
        headers = [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))]
        return reply.status, headers, body

    def _ask(self) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.upstream)
        try:
            connection.putrequest(
                self.command, self.path, skip_host=True, skip_accept_encoding=True
            )
            for name, value in self.headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()

    def handle(self) -> None:
        """Until the client hangs up, perhaps before it has its answer."""
        with suppress(ConnectionError):
            super().handle()

    def _answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in {"connection", "keep-alive", "transfer-encoding"}:
                self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
