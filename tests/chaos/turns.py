"""Two publishing processes that commit in the order that the harness wants."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

from tests.chaos.drivers import Drivers
from tests.chaos.publication import CLEAN, Outcome, Publication

Order = tuple[int, ...]
"""Whose turn it is to commit, 0 or 1; who has ended is passed over, and then all go on."""

_LOST = 1
"""The exit code of a run that another has overtaken."""
_WAITS_AT_MOST = 120.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class InTurn:
    """Lets this process, the racer of a number, commit only when it is told to."""

    address: str
    racer: int

    def __call__(self) -> None:
        """From now on."""
        from pyiceberg.catalog.sql import SqlCatalog  # noqa: PLC0415  # not in the harness

        commit, harness = SqlCatalog.commit_table, Client(self.address, "AF_UNIX")
        harness.send(self.racer)

        def commit_in_turn(*arguments: Any, **options: Any) -> Any:
            harness.send("asks")
            harness.recv()
            try:
                return commit(*arguments, **options)
            finally:
                harness.send("done")

        SqlCatalog.commit_table = commit_in_turn  # type: ignore[method-assign]


def orders(commits: int, number: int, rng: random.Random) -> list[Order]:
    """Orders of so many commits of each of two: one after the other, one within the other at each
    place, in turns, and then any."""
    found: list[Order] = []
    for first, second in ((0, 1), (1, 0)):
        found.append((first,) * commits + (second,) * commits)
        found.append((first, second) * commits)
        for before in range(1, commits):
            within = (second,) * commits
            found.append((first,) * before + within + (first,) * (commits - before))
    both = [0] * commits + [1] * commits
    while len(found) < number:
        rng.shuffle(both)
        found.append(tuple(both))
    rng.shuffle(found)
    return list(itertools.islice(dict.fromkeys(found), number))


def race(publication: Publication, drivers: Drivers, chosen: Sequence[Order]) -> Iterator[Outcome]:
    """Two runs of one window at once, of logs that differ, in each order of their commits: one of
    them is there, whole; the other says that it lost, or came before."""
    for number, order in enumerate(chosen):
        logs = [publication.log(f"race-{number}-{racer}") for racer in (0, 1)]
        with _turns(publication.folder) as (listener, address):
            audits = [
                driver.fork(log, InTurn(address, racer))
                for racer, (driver, log) in enumerate(zip(drivers, logs, strict=True))
            ]
            _take_turns(listener, order)
            codes = [audit.exit_code() for audit in audits]
        completed = CLEAN in codes
        note = "" if completed and set(codes) <= {CLEAN, _LOST} else f"ended with {codes}"
        name = f"two runs, commits in the order {''.join(map(str, order))}"
        yield publication.judged(name, logs[0], injected=True, completed=completed, note=note)


@contextmanager
def _turns(folder: Path) -> Iterator[tuple[Listener, str]]:
    address = str(folder / "turns")
    with suppress(FileNotFoundError):
        Path(address).unlink()
    with Listener(address, "AF_UNIX") as listener:
        yield listener, address


def _take_turns(listener: Listener, order: Order) -> None:
    callers = [listener.accept(), listener.accept()]
    waiting = {connection.recv(): connection for connection in callers}
    over = [False, False]
    for racer in itertools.chain(order, itertools.cycle((0, 1))):
        if all(over):
            break
        if not over[racer]:
            over[racer] = not _commit(waiting[racer])
    for connection in callers:
        connection.close()


def _commit(connection: Connection) -> bool:
    """Lets a process commit once; False where it has ended."""
    try:
        if not connection.poll(_WAITS_AT_MOST):
            raise TimeoutError("a process neither commits nor ends")
        connection.recv()
        connection.send("go")
        connection.recv()
    except (EOFError, ConnectionError):
        return False
    return True
