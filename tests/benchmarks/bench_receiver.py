"""How many events a second the receiver keeps: acknowledged, so on disk; and how long it takes to
answer /healthz, and how much memory it takes, while six clients post bodies of 12 MB made to
cost the most.

Run `python -m tests.benchmarks.bench_receiver`. A receiver of its own process, and clients in
threads of this one, all on one machine. Printed beside it: how many fsyncs of one event each the
disk does, one after the other. A client waits for its answer, and so for an fsync; those of several
clients are shared.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from tests.ports import free_port

SIZES = (1_000, 32_000)
CLIENTS = (1, 8, 64)


def event(size: int) -> bytes:
    """A completed query of about `size` bytes."""
    return json.dumps(
        {
            "metadata": {"queryId": "q", "query": "SELECT 1 ", "queryState": "FINISHED"},
            "statistics": {},
            "context": {"user": "bench"},
            "ioMetadata": {
                "inputs": [{"table": f"t{n}", "columns": []} for n in range(size // 32)]
            },
        }
    ).encode()


def fsyncs_per_second(folder: Path, line: bytes, seconds: float) -> float:
    """Lines a second, each synced alone."""
    count, started = 0, time.perf_counter()
    with (folder / "alone").open("wb", buffering=0) as file:
        while time.perf_counter() - started < seconds:
            file.write(line)
            os.fsync(file.fileno())
            count += 1
    return count / (time.perf_counter() - started)


def events_per_second(port: int, body: bytes, clients: int, seconds: float) -> float:
    """Events a second that the receiver acknowledges to some clients at once."""
    counts = [0] * clients
    started = time.perf_counter()

    def client(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        while time.perf_counter() - started < seconds:
            connection.request("POST", "/v1/trino/events", body)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise RuntimeError(f"the receiver answered {answer.status}")
            counts[number] += 1
        connection.close()

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - started)


HOSTILE = {
    "empty arrays, [],": b'{"a":[' + b"[]," * 4_000_000 + b"0]}",
    "strings of a quote": b'{"a":[' + b'"\\"",' * 2_400_000 + b"0]}",
    "as many values as are built": b'{"a":['
    + b",".join(b'{"%d":{}}' % number for number in range(240_000))
    + b"]}",
    "one text": b'{"a":"' + b"x" * 12_000_000 + b'"}',
}


def seconds_of_health(port: int, body: bytes, clients: int, seconds: float) -> list[float]:
    """What each answer to /healthz took while some clients posted a body over and over."""
    ends = time.perf_counter() + seconds

    def client() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        while time.perf_counter() < ends:
            try:
                connection.request("POST", "/v1/trino/events", body)
                connection.getresponse().read()
            except OSError:
                connection.close()  # answered before all of the body had come

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    took = []
    while time.perf_counter() < ends:
        started = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/healthz")
        connection.getresponse().read()
        connection.close()
        took.append(time.perf_counter() - started)
        time.sleep(0.01)
    for thread in threads:
        thread.join()
    return took


def peak_memory(pid: int) -> int:
    """Bytes that a process had in memory at most (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


@contextmanager
def receiver(folder: Path) -> Iterator[tuple[int, int]]:
    """A receiver without a rate limit; its port, and its process."""
    port = free_port()
    command = [sys.executable, "-m", "prunescope.audit_jobs.cli", "collect", str(folder)]
    options = ["--port", str(port), "--rate", "1000000"]
    with subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(100):
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                except OSError:
                    time.sleep(0.1)
                else:
                    break
            yield port, process.pid
        finally:
            process.terminate()


@click.command()
@click.option("--seconds", default=4.0, show_default=True, help="For each rate.")
def main(seconds: float) -> None:
    """Prints the rates."""
    with tempfile.TemporaryDirectory() as folder, receiver(Path(folder) / "in") as (port, _):
        for size in SIZES:
            body = event(size)
            alone = fsyncs_per_second(Path(folder), body, seconds / 4)
            click.echo(f"{len(body):,} bytes: {alone:,.0f} fsyncs/s of one event each")
            for clients in CLIENTS:
                rate = events_per_second(port, body, clients, seconds)
                megabytes = rate * len(body) / 1e6
                click.echo(f"{clients:>6} clients: {rate:>6,.0f} events/s, {megabytes:>5,.1f} MB/s")
    for name, body in HOSTILE.items():
        with tempfile.TemporaryDirectory() as folder, receiver(Path(folder)) as (port, process):
            took = seconds_of_health(port, body, 6, seconds)
            peak = peak_memory(process)
        click.echo(
            f"six bodies of {len(body) / 1e6:.0f} MB, {name}: health in {max(took):.2f} s at most, "
            f"{peak / 2**20:,.0f} MiB"
        )


if __name__ == "__main__":
    main()
