"""Receivers as processes of their own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.audits import trino_event
from tests.ports import free_port

TOKEN = "s3cret-token"  # noqa: S105  # of the tests
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
METRICS_PATH = "/v1/warehouse/namespaces/db/tables/t/metrics"
HEAD = b"POST /v1/trino/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n" % TOKEN.encode()

_WITHIN = 120.0
"""Seconds."""


class Receiver:
    """A running receiver."""

    def __init__(self, process: subprocess.Popen[str], url: str, directory: Path) -> None:
        self.process = process
        self.url = url
        self.directory = directory

    def connect(self) -> socket.socket:
        """A connection to it that has sent nothing."""
        host, port = self.url.partition("://")[2].split(":")
        return socket.create_connection((host, int(port)), timeout=30)

    def post_event(self, name: str, **options: Any) -> httpx.Response:
        body = json.dumps(trino_event(name, "SELECT 1"))
        return httpx.post(f"{self.url}/v1/trino/events", content=body, headers=HEADERS, **options)

    def metrics(self) -> str:
        return httpx.get(f"{self.url}/metrics").text

    def is_listening(self) -> bool:
        try:
            self.connect().close()
        except OSError:
            return False
        return True

    def stop(self) -> str:
        """Ends it as a service manager does; what it printed."""
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, errors
        return errors

    def events(self) -> list[str]:
        """The query ids in its files, also in those that it was still writing."""
        files = sorted(self.directory.glob("trino/*.jsonl")) + sorted(
            self.directory.glob("trino/.*.open")
        )
        return [
            json.loads(line)["metadata"]["queryId"]
            for file in files
            for line in file.read_bytes().splitlines()
        ]


def until(condition: Callable[[], bool]) -> None:
    """Waits for something, for as long as a busy machine may need to start a JVM."""
    deadline = time.monotonic() + _WITHIN
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail("it never came to that")
        time.sleep(0.05)


@contextmanager
def running(
    directory: Path, *options: str, token: str = TOKEN, scheme: str = "http"
) -> Iterator[Receiver]:
    """A receiver that answers, or has ended."""
    port = free_port()
    command = [sys.executable, "-m", "prunescope.audit_jobs.cli", "collect", str(directory)]
    process = subprocess.Popen(
        [*command, "--port", str(port), *options],
        env={**os.environ, "PRUNESCOPE_COLLECT_TOKEN": token},
        stderr=subprocess.PIPE,
        text=True,
    )
    receiver = Receiver(process, f"{scheme}://127.0.0.1:{port}", directory)
    try:
        until(lambda: process.poll() is not None or receiver.is_listening())
        yield receiver
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()
