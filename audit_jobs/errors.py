"""Errors of the audit itself; those of queries and tables are in `prunescope.collectors.errors`."""

from __future__ import annotations

from collections.abc import Sequence

from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.safe_text import plain, plain_lines, without_credentials


class _OfLines(PrunescopeError):
    """Base of errors whose text has several lines."""

    def __str__(self) -> str:
        return plain_lines(without_credentials(Exception.__str__(self)))


class BadConfiguration(_OfLines):
    """The configuration cannot be used; nothing was done."""

    code = "bad_configuration"


class InternalError(PrunescopeError):
    """An unforeseen error: the outcome of the scan, file or table for which it was raised."""

    code = Outcome.INTERNAL_ERROR


class OutOfMemory(PrunescopeError):
    """There was no memory left for something that one table, log or query needs."""

    code = Outcome.OUT_OF_MEMORY


class WorkerKilled(PrunescopeError):
    """The processes that worked on one table, log or query ended, each time that it was tried."""

    code = Outcome.WORKER_KILLED

    def __init__(self) -> None:
        super().__init__(
            "each process of Spark that worked on it was ended from outside, or crashed, which "
            "mostly means that it takes more memory than there is; give Spark's workers more (the "
            "limit of the container or the machine), or Spark fewer cores (spark.master, "
            "spark.executor.cores)"
        )


class SparkUnavailable(PrunescopeError):
    """Spark could not be started; nothing was done."""

    code = "spark_unavailable"


class SparkEnded(PrunescopeError):
    """The JVM of Spark ended before the job did."""

    code = "spark_ended"

    def __init__(self) -> None:
        super().__init__(
            "the process of Spark ended before the job did, as one does that the system ends where "
            "memory runs out; see what it says above, give the machine or the container more "
            "memory, or Spark less (spark.driver.memory), and run it again"
        )


class GateClosed(_OfLines):
    """The sums of a run contradict each other, so that none of its rows can be trusted; nothing
    was published."""

    code = "gate_closed"

    def __init__(self, failed: Sequence[object]) -> None:
        checks = "\n".join(f"  {plain(str(check))}" for check in failed)
        super().__init__(
            f"the run was not published, because its sums contradict each other:\n{checks}\n"
            "This is a fault of prunescope; please report it."
        )


class PublishFailed(PrunescopeError):
    """Results could not be written."""

    code = "publish_failed"


class WindowTaken(PrunescopeError):
    """Another run publishes the window; of this one nothing is visible."""

    code = "window_taken"

    def __init__(self, run_id: str, by: str | None) -> None:
        whose = "nobody can tell which run" if by is None else f"run {by}"
        super().__init__(
            f"run {run_id} was not published: since it began to publish, its window was claimed by "
            f"another ({whose}), whose rows stand; run one audit of a window at a time"
        )


class HistoryUnreadable(PrunescopeError):
    """Earlier windows could not be read from the audit tables."""

    code = "history_unreadable"


class NotAudited(PrunescopeError):
    """There is no run to tell of, or the audit tables cannot be read."""

    code = "not_audited"


class MaintenanceFailed(PrunescopeError):
    """An audit table could not be maintained."""

    code = "maintenance_failed"


class BadArgument(PrunescopeError, ValueError):
    """An argument has a value that nothing is known by; nothing was done."""

    code = "bad_argument"


class NotReplayed(PrunescopeError):
    """A filter or query that cannot be answered; `outcome` says why, as docs/audit.md lists it."""

    def __init__(self, outcome: str, message: str) -> None:
        super().__init__(message)
        self.outcome = self.code = outcome

    def __reduce__(self) -> tuple[type[NotReplayed], tuple[str, str]]:
        return NotReplayed, (self.outcome, str(self.args[0]))
