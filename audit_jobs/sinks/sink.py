"""Sinks: targets that report a run once the audit tables have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, Protocol

from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.printing import tell
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.sinks.run_rows import RunRows
from prunescope.collectors.errors import PrunescopeError

P = ParamSpec("P")


class Sink(Protocol):
    """A target that reports runs. It knows rows of the audit tables, and no cause."""

    def publish(self, rows: RunRows) -> None:
        """Reports a run that was published, and stays so whatever this raises."""

    def failed(self, run: Row) -> None:
        """Reports a run that published nothing, by its row of `audit_runs`; the results of earlier
        runs stay. A failure here is a message, and not raised: the run ends with its own failure.
        """


def independently(
    doing: str, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs
) -> None:
    """Runs one sink, or one part of it: a failure is a warning, and stops no other."""
    failure = attempt(doing, function, *args, **kwargs)
    if isinstance(failure, PrunescopeError):
        tell(failure)
