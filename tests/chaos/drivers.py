"""Drivers of real Spark jobs that wait where a run is about to be published, and are forked there.

What follows is publishing, by the driver alone. It takes a second, and all before takes many. So
one job serves for many ends: each fork goes on as the driver would have, as a run of its own.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TextIO

import pyarrow as pa
from py4j.java_gateway import GatewayClient  # type: ignore[import-untyped]

from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.records import RunRecord, Window
from prunescope.audit_jobs.results.rows import ScanRows
from prunescope.audit_jobs.results.scan_parts import ScanParts
from tests.chaos.lake import DAY
from tests.chaos.processes import FORKING, Audit, Preparation, audit_arguments, print_to
from tests.chaos.publication import Publication

_FORKED_AT = "Publishing …"
_STARTS_WITHIN = 600.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class _Order:
    log: Path
    preparations: Sequence[Preparation]


@dataclass(slots=True)
class Fork:
    """A fork, seen from the harness: as a process that it started itself. `exitcode` is as of a
    process of multiprocessing, once it has been joined: its own, as numbers of processes come
    again."""

    pid: int
    _driver: Connection
    exitcode: int | None = None

    def is_alive(self) -> bool:
        """Whether it runs."""
        self.join(0)
        return self.exitcode is None

    def join(self, timeout: float | None = None) -> None:
        """Waits for its end."""
        if self.exitcode is None and self._driver.poll(timeout):
            self.exitcode = os.waitstatus_to_exitcode(self._driver.recv())


@dataclass(frozen=True, slots=True)
class Driver:
    """A driver that waits to be forked."""

    _connection: Connection

    def fork(self, log: Path, *preparations: Preparation) -> Audit:
        """Goes on in a fork. One at a time: the one before must have ended."""
        self._connection.send(_Order(log, preparations))
        return Audit(Fork(self._connection.recv(), self._connection), log)


Drivers = tuple[Driver, Driver]


@contextmanager
def waiting_drivers(publication: Publication) -> Iterator[Drivers]:
    """A driver for each configuration of a publication, which has audited a day and is about to
    publish it. They start at once, and end with the block."""
    with ExitStack() as stack:
        starting = [
            stack.enter_context(_starting(c, DAY, publication.log(f"driver-of-{c.stem}")))
            for c in publication.configs
        ]
        first, second = (_waiting(*one) for one in starting)
        yield first, second


@contextmanager
def _starting(config: Path, window: Window, log: Path) -> Iterator[tuple[Audit, Connection]]:
    ours, theirs = Pipe()
    process = FORKING.Process(target=_serve, args=(config, window, log, theirs))
    process.start()
    theirs.close()
    audit = Audit(process, log)
    try:
        yield audit, ours
    finally:
        audit.kill()
        ours.close()


def _waiting(audit: Audit, connection: Connection) -> Driver:
    if not connection.poll(_STARTS_WITHIN) or not audit.running:
        raise RuntimeError(f"no driver got to publish; it printed: {audit.printed}")
    connection.recv()
    return Driver(connection)


def _serve(config: Path, window: Window, log: Path, harness: Connection) -> None:
    from prunescope.audit_jobs.cli import main  # noqa: PLC0415  # preloaded
    from prunescope.audit_jobs.planning.spark_session import open_spark_session  # noqa: PLC0415

    os.setsid()
    print_to(log)
    # Opened here, the session is not the audit's to stop: one fork must not stop it for the others.
    open_spark_session(load_config(config).spark)
    sys.stderr = _ForkingStream(sys.stderr, harness)
    main(audit_arguments(config, window))


class _ForkingStream:
    """A stream that forks its process, as often as it is told to, when a certain line comes."""

    def __init__(self, stream: TextIO, harness: Connection) -> None:
        self._stream, self._harness = stream, harness
        self._forked = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Writes; returns in forks only, once the line has come."""
        written = self._stream.write(text)
        if _FORKED_AT in text and not self._forked:
            self._forked = True
            self._harness.send("ready")
            self._serve_forks()
        return written

    def _serve_forks(self) -> None:
        while True:
            order: _Order = self._harness.recv()
            pid = os.fork()
            if pid == 0:
                os.setsid()
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                print_to(order.log)
                _become_another_run()
                for prepare in order.preparations:
                    prepare()
                return
            self._harness.send(pid)
            self._harness.send(os.waitpid(pid, 0)[1])


def _become_another_run() -> None:
    """Gives the run of this process an id of its own, as the rows of no other fork have; and
    connections of its own to the JVM."""
    run_id = uuid.uuid4().hex
    for found in gc.get_objects():
        if isinstance(found, RunRecord):
            object.__setattr__(found, "run_id", run_id)
        elif isinstance(found, ScanParts):
            object.__setattr__(found, "changes", (*found.changes, partial(_of_run, run_id)))
        elif isinstance(found, GatewayClient):
            found.deque.clear()


def _of_run(run_id: str, part: ScanRows) -> ScanRows:
    return replace(
        part, scan_plans=_with(part.scan_plans, run_id), conjuncts=_with(part.conjuncts, run_id)
    )


def _with(rows: pa.Table, run_id: str) -> pa.Table:
    place = rows.schema.get_field_index("run_id")
    field = rows.schema.field(place)
    return rows.set_column(place, field, pa.array([run_id] * len(rows), field.type))
