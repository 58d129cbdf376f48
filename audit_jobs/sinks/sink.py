"""What a sink is: where a run is told once the audit tables have it."""

from __future__ import annotations

from typing import Protocol

from audit_jobs.results.columns import Row
from audit_jobs.sinks.run_rows import RunRows


class Sink(Protocol):
    """One place where runs are told. It knows rows of the audit tables, and no cause."""

    def publish(self, rows: RunRows) -> None:
        """Tells of a run that was published. Raises PublishFailed."""

    def failed(self, run: Row) -> None:
        """Tells of a run that published nothing, by its row of `audit_runs`; what earlier ones
        found stays. Its own failure is told, not raised: the run's is the one to end with."""
