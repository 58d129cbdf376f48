"""How many events a second the receiver keeps: acknowledged, so on disk.

Run `make bench`. A receiver of its own process, and clients in threads of this one, all on one
machine; the disk's fsync decides. Printed beside it: fsyncs of one line each, one after the other.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import click
import httpx

EVENT = json.dumps(
    {
        "metadata": {"queryId": "q", "query": "SELECT 1 " * 100, "queryState": "FINISHED"},
        "statistics": {},
        "context": {"user": "bench"},
        "ioMetadata": {"inputs": []},
    }
)


def fsyncs_per_second(folder: Path, seconds: float) -> float:
    """Lines a second, each synced alone."""
    count, started = 0, time.perf_counter()
    with (folder / "alone").open("wb", buffering=0) as file:
        while time.perf_counter() - started < seconds:
            file.write(EVENT.encode() + b"\n")
            os.fsync(file.fileno())
            count += 1
    return count / (time.perf_counter() - started)


def events_per_second(url: str, clients: int, seconds: float) -> float:
    """Events a second that the receiver acknowledges to some clients at once."""
    counts = [0] * clients
    ends = time.perf_counter() + seconds

    def client(number: int) -> None:
        with httpx.Client() as http:
            while time.perf_counter() < ends:
                http.post(f"{url}/v1/trino/events", content=EVENT).raise_for_status()
                counts[number] += 1

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds


@click.command()
@click.option("--seconds", default=5.0, show_default=True)
def main(seconds: float) -> None:
    """Prints the rates."""
    with tempfile.TemporaryDirectory() as folder:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-m", "audit_jobs.cli", "collect", f"{folder}/in"]
        with subprocess.Popen([*command, "--port", str(port), "--rate", "1000000"]) as receiver:
            url = f"http://127.0.0.1:{port}"
            for _ in range(100):
                try:
                    httpx.get(f"{url}/healthz")
                except httpx.TransportError:
                    time.sleep(0.1)
                else:
                    break
            click.echo(f"one fsync a line: {fsyncs_per_second(Path(folder), 1):,.0f} lines/s")
            for clients in (1, 8):
                rate = events_per_second(url, clients, seconds)
                click.echo(f"{clients} clients: {rate:,.0f} events/s")
            receiver.terminate()


if __name__ == "__main__":
    main()
