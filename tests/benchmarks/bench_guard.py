"""How long `prunescope serve` takes for a dry run of a table that it holds, at a steady rate.

Run `python -m tests.benchmarks.bench_guard`. A server in a process of its own and a client in this
one, on one machine; each request has other literals, of one of some texts, and is sent at its time
whether the one before was answered or not, so that waiting counts. The table has as many files as
is asked for, of 20 columns, 100 in a manifest. Printed: percentiles in milliseconds, the CPU that
the server used of one core, and its memory.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import httpx
import yaml

from tests.benchmarks import synthetic_table
from tests.benchmarks.bench_receiver import peak_memory
from tests.ports import free_port

TEXTS = (
    "SELECT count(*) FROM wide WHERE c2 BETWEEN {low} AND {high}",
    "SELECT c3, sum(c4) FROM wide WHERE c2 >= {low} AND c2 < {high} GROUP BY c3",
    "SELECT * FROM wide WHERE ts >= TIMESTAMP '2024-01-0{day} 00:00:00' AND c5 = {low}",
    "SELECT * FROM wide WHERE date_format(ts, '%Y-%m-%d') = '2024-01-0{day}' AND c2 < {high}",
    "SELECT * FROM wide WHERE c2 IN ({low}, {high}) AND year(ts) = 2024",
)


def sql(number: int) -> str:
    """The text of a request."""
    low = synthetic_table.FIRST_DAY * 1000 + number % 5_000
    return TEXTS[number % len(TEXTS)].format(low=low, high=low + 10, day=1 + number % 9)


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, int]]:
    """A server; its address and its process."""
    port = free_port()
    command = [sys.executable, "-m", "prunescope.audit_jobs.cli", "serve", "--port", str(port)]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            process.stderr.readline()
            yield f"http://127.0.0.1:{port}", process.pid
        finally:
            process.terminate()


def cpu_seconds(pid: int) -> float:
    """Seconds of CPU that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Connections:
    """Connections to a server that are kept open. A client of a library takes as much CPU as the
    server, and they share a machine."""

    def __init__(self, address: str) -> None:
        self._host, port = address.removeprefix("http://").split(":")
        self._port = int(port)
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def post(self, path: str, body: bytes) -> bytes | None:
        """The body of an answer; None if the server has too much to do."""
        if self._idle:
            reader, writer = self._idle.pop()
        else:
            reader, writer = await asyncio.open_connection(self._host, self._port)
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = int(answer.partition("content-length: ")[2].partition("\r\n")[0])
        content = await reader.readexactly(size)
        self._idle.append((reader, writer))
        if answer.startswith("http/1.1 503"):
            return None
        if not answer.startswith("http/1.1 200"):
            raise RuntimeError(f"{answer}{content.decode()}")
        return content


async def asked(address: str, rate: float, seconds: float, *, findings: bool) -> list[float]:
    """Milliseconds of each answer, from the time at which its request was due."""
    took = []
    connections = Connections(address)

    async def one(number: int, due: float) -> None:
        body = {"sql": sql(number), "engine": "trino-482", "schema": "bench", "findings": findings}
        answer = await connections.post("/v1/dry-run", json.dumps(body).encode())
        if answer is None:
            return
        if json.loads(answer)["files"] is None:
            raise RuntimeError(answer.decode())
        took.append(1000 * (time.perf_counter() - due))

    started = time.perf_counter()
    requests = []
    for number in range(int(rate * seconds)):
        due = started + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        requests.append(asyncio.create_task(one(number, due)))
    await asyncio.gather(*requests)
    return sorted(took)


def first_answer(address: str) -> tuple[float, float]:
    """Seconds to the first answer, whatever it says, and to the first one that has numbers."""
    body = {"sql": sql(0), "engine": "trino-482", "schema": "bench"}
    started, first = time.perf_counter(), None
    while True:
        answer = httpx.post(f"{address}/v1/dry-run", json=body, timeout=60)
        first = first or time.perf_counter() - started
        if answer.status_code == 200:
            return first, time.perf_counter() - started
        time.sleep(0.1)


@click.command()
@click.option("--files", default=1_000, show_default=True)
@click.option("--rate", default=100.0, show_default=True, help="Requests a second.")
@click.option("--seconds", default=20.0, show_default=True)
@click.option("--findings", is_flag=True, help="Ask for findings as well.")
def main(files: int, rate: float, seconds: float, findings: bool) -> None:
    """Prints the percentiles."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = synthetic_table.build(folder, manifests=files // 100, files=100, columns=20)
        metadata = table.metadata_location.removeprefix("file://")
        configuration = {"tables": [{"name": "lake.bench.wide", "metadata": metadata}]}
        (folder / "audit.yaml").write_text(yaml.safe_dump(configuration))
        with serving(folder) as (address, process):
            first, known = first_answer(address)
            click.echo(f"first answer in {first:.2f} s, first numbers in {known:.2f} s")
            asyncio.run(asked(address, min(rate, 20.0), 3.0, findings=findings))  # once each text
            before = cpu_seconds(process)
            took = asyncio.run(asked(address, rate, seconds, findings=findings))
            used = (cpu_seconds(process) - before) / seconds
            shown = ", ".join(f"p{p:g} {took[int(len(took) * p / 100)]:.1f}" for p in (50, 90, 99))
            click.echo(
                f"{files:,} files, {rate:g} requests/s, {len(took):,} of {int(rate * seconds):,} "
                f"answered: {shown} ms, "
                f"at most {took[-1]:.1f} ms; {used:.0%} of a core, "
                f"{peak_memory(process) / 2**20:,.0f} MiB"
            )


if __name__ == "__main__":
    main()
