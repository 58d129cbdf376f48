"""When a process is killed."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from typing import Any

from tests.chaos.processes import Audit, Preparation

STAGES = (
    "Starting Spark",
    "Reading query logs",
    "Opening tables",
    "Extracting predicates",
    "Planning scans",
    "Sampling rows",
    "Summing up",
    "Checking",
    "Publishing",
)
"""What the audit prints as it goes."""


@dataclass(frozen=True, slots=True)
class AtStage:
    """So many seconds after a stage was announced."""

    stage: str
    delay: float = 0.0

    def __str__(self) -> str:
        return f"{self.stage} + {self.delay:.1f} s"


@dataclass(frozen=True, slots=True)
class AfterSeconds:
    """So many seconds after the process was started."""

    seconds: float

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s after the start"


@dataclass(frozen=True, slots=True)
class AtCommit:
    """Right before, or right after, the n-th commit to an audit table, counted from 1."""

    number: int
    before: bool

    def __str__(self) -> str:
        return f"{'before' if self.before else 'after'} commit {self.number}"

    def __call__(self) -> None:
        """Makes this process kill itself then."""
        from pyiceberg.catalog.sql import SqlCatalog  # noqa: PLC0415  # not in the harness

        commit, counted = SqlCatalog.commit_table, _Countdown(self.number)

        def commit_or_die(*arguments: Any, **options: Any) -> Any:
            now = counted.is_over()
            if now and self.before:
                die()
            answer = commit(*arguments, **options)
            if now:
                die()
            return answer

        SqlCatalog.commit_table = commit_or_die  # type: ignore[method-assign]


@dataclass(frozen=True, slots=True)
class AtWrite:
    """When the n-th file of an audit table is about to be written, counted from 1."""

    number: int

    def __str__(self) -> str:
        return f"at file {self.number}"

    def __call__(self) -> None:
        """Makes this process kill itself then."""
        from pyiceberg.io.pyarrow import PyArrowFileIO  # noqa: PLC0415

        new_output, counted = PyArrowFileIO.new_output, _Countdown(self.number)

        def write_or_die(*arguments: Any) -> Any:
            if counted.is_over():
                die()
            return new_output(*arguments)

        PyArrowFileIO.new_output = write_or_die  # type: ignore[assignment,method-assign]


Moment = AtStage | AfterSeconds | AtCommit | AtWrite


def preparations(moment: Moment) -> tuple[Preparation, ...]:
    """What the process itself has to do to be killed in time."""
    return (moment,) if isinstance(moment, AtCommit | AtWrite) else ()


def strike(audit: Audit, moment: Moment) -> bool:
    """Kills an audit at its moment, with all that it started; whether it was still running."""
    match moment:
        case AtStage(stage, delay):
            alive = audit.reaches(stage) and _wait(audit, delay)
        case AfterSeconds(seconds):
            alive = _wait(audit, seconds)
        case AtCommit() | AtWrite():
            audit.process.join()
            alive = audit.process.exitcode == -signal.SIGKILL
    audit.kill()
    return alive


def _wait(audit: Audit, seconds: float) -> bool:
    audit.process.join(seconds)
    return audit.running


class _Countdown:
    def __init__(self, number: int) -> None:
        self._left = number

    def is_over(self) -> bool:
        self._left -= 1
        return self._left == 0


def die() -> None:
    """Kills this process, here and now."""
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)
