"""Audits while everything fails, and counts what readers of the audit tables would be misled by.

Run `make chaos`. What is killed, refused, filled up or made to lie is the real thing: the job as a
process of its own, Spark's executors, catalogs and object stores on loopback, a file system, the
files of tables, the logs. The truth is an audit of the same inputs that nothing disturbs.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from tests.chaos.bomb_faults import BOMB_FAULTS
from tests.chaos.damage import Damage
from tests.chaos.disk_faults import fill_the_disk, small_disk
from tests.chaos.drivers import waiting_drivers
from tests.chaos.executor_faults import EXECUTOR, MASTERS, WORKER, lose_executors
from tests.chaos.fault_runs import by_limited_workers, by_spark, in_process, meet, truth_of
from tests.chaos.kills import forked_moments, kill_forked_drivers, kill_whole_jobs, whole_moments
from tests.chaos.lake import Lake, make_lake
from tests.chaos.log_faults import LOG_FAULTS
from tests.chaos.memory_faults import MEMORY_FAULTS, limited_workers
from tests.chaos.publication import Outcome, publish_in_peace
from tests.chaos.scenes import Fault
from tests.chaos.service_faults import CATALOG_FAULTS, STORE_FAULTS
from tests.chaos.table_faults import TABLE_FAULTS
from tests.chaos.turns import orders, race
from tests.object_store import PROGRAM

_PARTS = ("kills", "executors", "memory", "disk", "races", "faults")
_WHOLE_JOBS = 0.25
"""Of all kills, the share that hits the driver with its JVM and workers; the others hit a driver
that has done Spark's part, and publishes."""


def kills(lake: Lake, folder: Path, number: int, rng: random.Random) -> Iterator[Outcome]:
    """The job, killed at every stage boundary, before and after every commit, at every file, and at
    random."""
    publication = publish_in_peace(lake, folder)
    whole = max(1, round(number * _WHOLE_JOBS))
    forked = forked_moments(number - whole, publication.extent, rng)
    with waiting_drivers(publication) as drivers:
        yield from kill_forked_drivers(publication, drivers, forked)
    yield from kill_whole_jobs(publication, whole_moments(whole, publication.extent, rng))


def executors(lake: Lake, folder: Path) -> Iterator[Outcome]:
    """Executors, and their Python workers, killed while they work."""
    for kind in (EXECUTOR, WORKER):
        spark = {"master": MASTERS[kind]}
        yield from lose_executors(publish_in_peace(lake, folder / kind, spark=spark), kind)


def memory(lake: Lake, folder: Path) -> Iterator[Outcome]:
    """Tables that take more memory than the workers of Spark have, beside each other."""
    truth = truth_of(lake, folder / "truth")
    with limited_workers(folder) as limited:
        if limited is None:
            click.echo("SKIPPED: memory: no control group can be made", err=True)
            return
        yield from meet(MEMORY_FAULTS, lake, truth, folder / "audit", by_limited_workers(limited))


def disk(lake: Lake, folder: Path) -> Iterator[Outcome]:
    """A full disk, at each size of what is left."""
    with small_disk(folder) as mounted:
        publication = publish_in_peace(lake, folder)
        with waiting_drivers(publication) as drivers:
            yield from fill_the_disk(publication, drivers, mounted=mounted)


def races(lake: Lake, folder: Path, number: int, rng: random.Random) -> Iterator[Outcome]:
    """Two runs of one window, in orders of their commits."""
    publication = publish_in_peace(lake, folder)
    with waiting_drivers(publication) as drivers:
        yield from race(publication, drivers, orders(publication.extent.commits, number, rng))


def faults(lake: Lake, folder: Path) -> Iterator[Outcome]:
    """Each fault of tables, logs and services: alone in one process, and all at once in one process
    and by Spark."""
    chosen: tuple[Fault, ...] = (*TABLE_FAULTS, *BOMB_FAULTS, *LOG_FAULTS, *CATALOG_FAULTS)
    if shutil.which(PROGRAM) is None:
        click.echo(f"SKIPPED: faults of object stores: {PROGRAM} is not on the PATH", err=True)
    else:
        chosen = (*chosen, *STORE_FAULTS)
    truth = truth_of(lake, folder / "truth")
    for number, fault in enumerate(chosen):
        yield from meet([fault], lake, truth, folder / f"{number}", in_process)
    yield from meet(chosen, lake, truth, folder / "together", in_process)
    with by_spark(folder / "session") as run:
        yield from meet(chosen, lake, truth, folder / "spark", run)


@click.command()
@click.option("--kills", "number", default=200, show_default=True, help="Kills of the job.")
@click.option(
    "--orders", "raced", default=24, show_default=True, help="Orders of two runs' commits."
)
@click.option("--seed", type=int, help="Of what is random (default: a new one).")
@click.option("--only", type=click.Choice(_PARTS), multiple=True, help="Only these parts.")
def main(number: int, raced: int, seed: int | None, only: tuple[str, ...]) -> None:
    """Prints each fault that misled anybody, or came out otherwise than it should, and sums."""
    seed = time.time_ns() % 2**32 if seed is None else seed
    rng = random.Random(seed)  # noqa: S311  # not for secrets
    click.echo(f"seed {seed}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        lake = make_lake(folder / "lake")
        parts: dict[str, Iterable[Outcome]] = {
            "kills": kills(lake, folder / "kills", number, rng),
            "executors": executors(lake, folder / "executors"),
            "memory": memory(lake, folder / "memory"),
            "disk": disk(lake, folder / "disk"),
            "races": races(lake, folder / "races", raced, rng),
            "faults": faults(lake, folder / "faults"),
        }
        outcomes = [
            outcome
            for name, part in parts.items()
            if name in (only or _PARTS)
            for outcome in _told(name, part)
        ]
    sys.exit(_sum_up(outcomes))


def _told(name: str, part: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes, with a line for each that is not as expected, and one for the part."""
    started, seen, bad = time.monotonic(), 0, 0
    for outcome in part:
        seen += 1
        if not outcome.as_expected:
            bad += 1
            click.echo(f"{name}: {outcome.fault}: {outcome.damage} {outcome.note}")
        yield outcome
    seconds = time.monotonic() - started
    click.echo(f"{name}: {seen} runs, {bad} of them not as expected, {seconds:,.0f} s")


def _sum_up(outcomes: list[Outcome]) -> int:
    damage = sum((outcome.damage for outcome in outcomes), Damage())
    lines = {
        "faults injected": sum(outcome.injected for outcome in outcomes),
        "runs completed": sum(outcome.completed for outcome in outcomes),
        "rows lost": damage.lost,
        "rows doubled": damage.doubled,
        "rows wrong": damage.wrong,
        "secrets leaked": damage.leaked,
        "other than expected": sum(bool(outcome.note) for outcome in outcomes),
    }
    for name, count in lines.items():
        click.echo(f"{name:<20} {count:>6}")
    return int(not all(outcome.as_expected for outcome in outcomes))


if __name__ == "__main__":
    main()
