"""What a sink is: where a run is told once the audit tables have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, Protocol

from audit_jobs.isolation import attempt
from audit_jobs.printing import tell
from audit_jobs.results.columns import Row
from audit_jobs.sinks.run_rows import RunRows
from collectors.errors import PrunescopeError

P = ParamSpec("P")


class Sink(Protocol):
    """One place where runs are told. It knows rows of the audit tables, and no cause."""

    def publish(self, rows: RunRows) -> None:
        """Tells of a run that was published, and stands whatever this raises."""

    def failed(self, run: Row) -> None:
        """Tells of a run that published nothing, by its row of `audit_runs`; what earlier ones
        found stays. Its own failure is told, not raised: the run's is the one to end with."""


def independently(
    doing: str, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs
) -> None:
    """Tells one sink, or one part of it: a failure is a warning, and stops no other."""
    failure = attempt(doing, function, *args, **kwargs)
    if isinstance(failure, PrunescopeError):
        tell(failure)
