"""Audits as processes of their own: forked from one that has loaded everything, started with a
Spark of their own, killed with all that they started."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from unittest.mock import patch

from prunescope.audit_jobs.records import Window

FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.chaos.preloaded"])
_ENDS_WITHIN = 300.0
"""Seconds."""
_POLL = 0.005

Preparation = Callable[[], None]
"""What a process does before it audits; pickles."""


class Process(Protocol):
    """What is known of a process."""

    @property
    def pid(self) -> int | None:
        """Its id, which is that of its session too."""

    @property
    def exitcode(self) -> int | None:
        """Negative for the signal that ended it; None while it runs."""

    def is_alive(self) -> bool:
        """Whether it runs."""

    def join(self, timeout: float | None = None) -> None:
        """Waits for its end, for so many seconds."""


@dataclass(frozen=True, slots=True)
class Audit:
    """A running `prunescope audit`."""

    process: Process
    log: Path
    """All that it prints."""

    @property
    def printed(self) -> str:
        """What it has printed so far."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    @property
    def running(self) -> bool:
        """Whether its driver still runs."""
        return self.process.is_alive()

    def reaches(self, stage: str) -> bool:
        """Waits until it says that a stage begins; False if it ended before."""
        deadline = time.monotonic() + _ENDS_WITHIN
        while f"{stage} …" not in self.printed:
            if not self.running:
                return False
            if time.monotonic() > deadline:
                raise TimeoutError(f"the audit hangs; it printed: {self.printed}")
            time.sleep(_POLL)
        return True

    def kill(self) -> None:
        """SIGKILL to the driver and whatever it started, the driver first."""
        while pids := self.tree():
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(_POLL)
        self.process.join()

    def tree(self) -> list[int]:
        """The processes of its session that still run: driver, JVM, workers, executors."""
        session = self.process.pid
        found = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())
        return sorted(pid for pid in found if _session_of(pid) == session)

    def exit_code(self) -> int:
        """Waits for its end, also of what it started; negative for the signal that ended it."""
        self.process.join(_ENDS_WITHIN)
        code = self.process.exitcode
        self.kill()
        if code is None:
            raise TimeoutError(f"the audit hangs; it printed: {self.printed}")
        return code


def start_audit(config: Path, window: Window, log: Path, *preparations: Preparation) -> Audit:
    """Starts the nightly job of a window, as a process that prepares itself first."""
    process = FORKING.Process(target=_run, args=(config, window, log, preparations))
    process.start()
    return Audit(process, log)


def _run(config: Path, window: Window, log: Path, preparations: Sequence[Preparation]) -> None:
    from prunescope.audit_jobs.cli import main  # noqa: PLC0415  # preloaded

    os.setsid()
    print_to(log)
    for prepare in preparations:
        prepare()
    main(audit_arguments(config, window))


def without_spark() -> None:
    """Lets the nightly job of this process do all of its work here."""
    from prunescope.audit_jobs.jobs import runners  # noqa: PLC0415  # preloaded
    from prunescope.audit_jobs.planning.runner import LocalRunner  # noqa: PLC0415

    # Each fails where there is no such name any more.
    patch.object(runners, "open_spark_session", lambda _: (None, False)).start()
    patch.object(runners, "SparkRunner", lambda _: LocalRunner()).start()
    patch.object(runners, "spark_tasks", nullcontext).start()


def audit_arguments(config: Path, window: Window) -> list[str]:
    """Of `prunescope`."""
    start, end = window.start.isoformat(), window.end.isoformat()
    return ["audit", "--config", str(config), "--window-start", start, "--window-end", end]


def print_to(log: Path) -> None:
    """Appends to a file what this process prints, and what it starts."""
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)


def _session_of(pid: int) -> int | None:
    """The session of a process that runs; None for one that has ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    state, _, _, session = stat.rpartition(") ")[2].split()[:4]
    return None if state in "ZX" else int(session)
