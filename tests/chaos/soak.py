"""Whether memory and descriptors stay flat: many audits in one process, and the receiver at its
highest rate.

Run `make soak`. Prints the series, and how much a process grows from half-way to the end: what
comes before is caches that fill.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import click
import numpy as np

from tests.benchmarks.bench_receiver import event, events_per_second, receiver
from tests.chaos.lake import DAY, Lake, make_lake
from tests.chaos.processes import FORKING, audit_arguments, print_to, without_spark

_POINTS = 20
"""Of a series."""
_CLIENTS = 8
_EVENT_BYTES = 4_000
_WARMING_UP = 0.5
"""The share of a series that is not looked at."""


@dataclass(frozen=True, slots=True)
class Point:
    """A process at some time: what has been done by then, resident bytes, open descriptors, and
    threads."""

    done: int
    resident: int
    descriptors: int
    threads: int


def measure(pid: int, done: int) -> Point:
    """A process as it is."""
    process = Path(f"/proc/{pid}")
    resident = int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    descriptors = len(list((process / "fd").iterdir()))
    return Point(done, resident, descriptors, len(list((process / "task").iterdir())))


def growth(points: Sequence[Point], value: Callable[[Point], int]) -> float:
    """What is added by each thing that is done, by the line that fits the later half best."""
    late = points[int(len(points) * _WARMING_UP) :]
    return float(np.polyfit([p.done for p in late], [value(p) for p in late], 1)[0])


def audits(lake: Lake, folder: Path, number: int) -> Iterator[Point]:
    """Audits of one window, one after the other in one process."""
    config = lake.config(folder, lake.logs.first)
    ours, theirs = Pipe()
    process = FORKING.Process(target=_audit, args=(config, folder / "printed", number, theirs))
    process.start()
    theirs.close()
    for done in range(1, number + 1):
        code = ours.recv()
        if code:
            raise RuntimeError(f"audit {done} ended with {code}")
        if done % max(1, number // _POINTS) == 0:
            assert process.pid is not None
            yield measure(process.pid, done)
        ours.send("next")
    process.join()


def _audit(config: Path, log: Path, number: int, harness: Connection) -> None:
    from prunescope.audit_jobs.cli import main  # noqa: PLC0415  # preloaded

    print_to(log)
    without_spark()
    for _ in range(number):
        code: object = 0
        try:
            main(audit_arguments(config, DAY))
        except SystemExit as end:
            code = end.code
        harness.send(code)
        harness.recv()


def received(folder: Path, seconds: float) -> Iterator[Point]:
    """The receiver, with as many events as it takes."""
    body = event(_EVENT_BYTES)
    with receiver(folder) as (port, pid):
        done = 0
        for _ in range(_POINTS):
            rate = events_per_second(port, body, _CLIENTS, seconds / _POINTS)
            done += int(rate * seconds / _POINTS)
            yield measure(pid, done)


def report(name: str, unit: str, points: Sequence[Point]) -> None:
    """Prints a series and its slopes."""
    click.echo(f"\n{name:>12}  resident  descriptors  threads")
    for p in points:
        click.echo(
            f"{p.done:>12,}  {p.resident / 1e6:>5,.0f} MB  {p.descriptors:>11}  {p.threads:>7}"
        )
    by_thousand = 1000 if points[-1].done > 10_000 else 1
    per = f"{by_thousand} {unit}s" if by_thousand > 1 else unit
    memory = growth(points, lambda p: p.resident) * by_thousand
    files = growth(points, lambda p: p.descriptors) * by_thousand
    click.echo(
        f"in the later half, each {per} adds {memory / 1e3:+,.1f} kB and {files:+.3f} descriptors"
    )


@click.command()
@click.option("--audits", "number", default=100, show_default=True, help="Audits in one process.")
@click.option("--seconds", default=600.0, show_default=True, help="Of the receiver.")
def main(number: int, seconds: float) -> None:
    """Prints both series."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if number:
            report(
                "audits", "audit", list(audits(make_lake(folder / "lake"), folder / "a", number))
            )
        if seconds:
            report("events", "event", list(received(folder / "in", seconds)))


if __name__ == "__main__":
    main()
