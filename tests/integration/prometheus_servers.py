"""Prometheus, a Pushgateway, Alertmanager and a webhook on loopback, each as long as its test."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import yaml

from tests.ports import free_port

_WITHIN = 60.0
"""Seconds within which a server starts, and within which what was pushed has its effect."""


@dataclass(frozen=True)
class Servers:
    """The addresses of running servers, and what the webhook got."""

    pushgateway: str
    prometheus: str
    received: list[dict[str, Any]] = field(default_factory=list)

    def query(self, expr: str) -> list[dict[str, Any]]:
        """The series of an instant query."""
        found: list[dict[str, Any]] = self._get("query", query=expr)["result"]
        return found

    def notified(self, status: str, labels: Mapping[str, str]) -> list[dict[str, Any]]:
        """What the webhook was told of alerts with these labels: `firing` or `resolved`."""
        told = [one for body in list(self.received) for one in body["alerts"]]
        return [
            one
            for one in told
            if one["status"] == status and one["labels"].items() >= labels.items()
        ]

    def _get(self, path: str, **parameters: str) -> Any:
        answer = httpx.get(f"http://{self.prometheus}/api/v1/{path}", params=parameters)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]


def until(condition: Callable[[], object]) -> None:
    """Waits for something to come true."""
    deadline = time.monotonic() + _WITHIN
    while not condition():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.2)


@contextmanager
def serve(require_program: Callable[[str], Path], folder: Path, rules: str) -> Iterator[Servers]:
    """All servers, with a rule file; they scrape and evaluate every second."""
    programs = [
        require_program(name)
        for name in ("prometheus-pushgateway", "prometheus-alertmanager", "prometheus")
    ]
    pushgateway, alertmanager, prometheus = (f"127.0.0.1:{free_port()}" for _ in programs)
    (folder / "rules.yaml").write_text(rules)
    with ExitStack() as running:
        received: list[dict[str, Any]] = []
        webhook = running.enter_context(_webhook(received))
        routes = _write(folder / "alertmanager.yml", _routes(webhook))
        scrapes = _write(folder / "prometheus.yml", _scrapes(pushgateway, alertmanager))
        arguments: Sequence[tuple[Path, str, list[str | Path]]] = (
            (programs[0], pushgateway, []),
            (
                programs[1],
                alertmanager,
                [
                    f"--config.file={routes}",
                    f"--storage.path={folder / 'alertmanager'}",
                    "--cluster.listen-address=",
                ],
            ),
            (
                programs[2],
                prometheus,
                [
                    f"--config.file={scrapes}",
                    f"--storage.tsdb.path={folder / 'prometheus'}",
                ],
            ),
        )
        for program, address, options in arguments:
            running.enter_context(process(program, address, options))
        yield Servers(pushgateway, prometheus, received)


def _routes(webhook: str) -> dict[str, Any]:
    return {
        "route": {
            "receiver": "test",
            "group_by": ["..."],
            "group_wait": "0s",
            "group_interval": "1s",
        },
        "receivers": [{"name": "test", "webhook_configs": [{"url": webhook}]}],
    }


def _scrapes(pushgateway: str, alertmanager: str) -> dict[str, Any]:
    return {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": ["rules.yaml"],
        "alerting": {"alertmanagers": [{"static_configs": [{"targets": [alertmanager]}]}]},
        "scrape_configs": [
            {
                "job_name": "pushgateway",
                "honor_labels": True,
                "static_configs": [{"targets": [pushgateway]}],
            }
        ],
    }


def _write(path: Path, document: dict[str, Any]) -> Path:
    path.write_text(yaml.safe_dump(document))
    return path


@contextmanager
def process(program: Path, address: str, options: Sequence[str | Path]) -> Iterator[None]:
    """One server, from when it is ready to the end of the block."""
    command = [program, f"--web.listen-address={address}", "--log.level=error", *options]
    with subprocess.Popen(command) as process:
        try:
            until(lambda: process.poll() is not None or _ready(address))
            assert process.poll() is None, f"{program.name} ended"
            yield
        finally:
            process.terminate()


def _ready(address: str) -> bool:
    try:
        return httpx.get(f"http://{address}/-/ready").status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def _webhook(received: list[dict[str, Any]]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
