"""The receiver as a process of its own, when something fails: what it acknowledges survives."""

from __future__ import annotations

import json
import resource
import signal
import threading
import time
from pathlib import Path

import httpx
import pytest

from tests.integration.audits import trino_event
from tests.integration.receivers import HEAD, HEADERS, Receiver, running, until

pytestmark = pytest.mark.slow


def test_what_was_acknowledged_survives_kill(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    stopped = threading.Event()

    def client(number: int, receiver: Receiver) -> None:
        with httpx.Client(headers=HEADERS) as http:
            for count in range(100_000):
                name = f"c{number}n{count}"
                body = json.dumps(trino_event(name, "SELECT 1"))
                try:
                    answer = http.post(f"{receiver.url}/v1/trino/events", content=body)
                except httpx.TransportError:
                    return
                if answer.status_code == 200:
                    acknowledged.append(name)
                if stopped.is_set():
                    return

    with running(tmp_path / "in", "--rate", "100000", "--roll-bytes", "20000") as receiver:
        clients = [threading.Thread(target=client, args=(n, receiver)) for n in range(4)]
        for thread in clients:
            thread.start()
        while len(acknowledged) < 300:
            time.sleep(0.05)
        receiver.process.kill()
        receiver.process.wait()
        stopped.set()
        for thread in clients:
            thread.join()
    with running(tmp_path / "in") as receiver:
        receiver.stop()
        found = receiver.events()
    assert set(acknowledged) <= set(found)
    assert len(found) == len(set(found))
    assert not list((tmp_path / "in").glob("*/.*.open"))


def test_bodies_that_are_not_there_yet_take_room(tmp_path: Path) -> None:
    """Nobody can make it hold more than it may; who comes too much is told to come back."""
    options = ("--max-body", "4096", "--waiting", "8192")
    body = json.dumps(trino_event("slow", "SELECT 1")).encode().ljust(4096)
    sent = HEAD + b"Content-Length: 4096\r\n\r\n" + body
    with running(tmp_path / "in", *options) as receiver:
        slow = [receiver.connect() for _ in range(2)]
        for connection in slow:
            connection.sendall(sent[:-1])
        until(lambda: "prunescope_receiver_waiting_bytes 8190.0" in receiver.metrics())
        refused = receiver.post_event("refused")
        assert (refused.status_code, refused.json()["error"]) == (503, "full")
        assert refused.headers["Retry-After"] == "2"
        for connection in slow:
            connection.sendall(sent[-1:])
            assert b" 200 " in connection.recv(1024)
            connection.close()
        assert receiver.post_event("later").status_code == 200
        receiver.stop()
        assert receiver.events() == ["slow", "slow", "later"]


def test_a_disk_that_fails_refuses_and_recovers_by_itself(tmp_path: Path) -> None:
    with running(tmp_path / "in") as receiver:
        assert receiver.post_event("before").status_code == 200
        _, hard = resource.prlimit(receiver.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(receiver.process.pid, resource.RLIMIT_FSIZE, (0, hard))
        refused = receiver.post_event("refused")
        assert (refused.status_code, refused.json()) == (503, {"error": "not_written"})
        assert refused.headers["Retry-After"]
        assert httpx.get(f"{receiver.url}/readyz").status_code == 503
        assert httpx.get(f"{receiver.url}/healthz").status_code == 200
        assert "prunescope_receiver_writable 0.0" in receiver.metrics()
        resource.prlimit(receiver.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        until(lambda: httpx.get(f"{receiver.url}/readyz").status_code == 200)
        assert receiver.post_event("after").status_code == 200
        logged = [json.loads(line) for line in receiver.stop().splitlines()]
        assert receiver.events() == ["before", "after"]
    assert [line["message"] for line in logged] == [
        "listening",
        "the disk fails; nothing is accepted",
        "the disk works again",
        "ended",
    ]


def test_a_request_in_progress_is_finished_before_the_end(tmp_path: Path) -> None:
    body = json.dumps(trino_event("last", "SELECT 1")).encode()
    with running(tmp_path / "in") as receiver:
        with receiver.connect() as connection:
            connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body[:9])
            until(lambda: "prunescope_receiver_waiting_bytes 9.0" in receiver.metrics())
            receiver.process.send_signal(signal.SIGTERM)
            until(lambda: not receiver.is_listening())
            connection.sendall(body[9:])
            assert b" 200 " in connection.recv(1024)
        receiver.stop()
        assert receiver.events() == ["last"]
