"""Progress of a stage: set by the worker, read by the display.

Only work that is known to take long is counted: items of the driver, and Spark's tasks. Spark is
asked from outside, by the job group of the running work, so that no stage knows of it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_Item = TypeVar("_Item")

Progress = Callable[[str], None]
"""Told what a job does next."""

_TOO_SOON = 2.0
"""Seconds after which there is a speed to speak of."""
_MINUTE = 60
_LAST_WORD = 5.0
"""Seconds that the end waits for who is being shown something just then."""
_GROUP = "spark.jobGroup.id"


@dataclass(frozen=True, slots=True)
class Count:
    """The number done of all. Counts of one `of` follow each other."""

    done: int
    total: int
    unit: str
    of: Hashable = None


class Meter:
    """The count of the running stage. Used by the thread that works and by one that shows."""

    def __init__(self) -> None:
        self._count: Count | None = None
        self._since = 0.0
        self._ask: Callable[[], Count | None] | None = None
        self._is_asked = False
        self._using = Lock()

    def begin(self) -> None:
        """Begins a stage, of which nothing is counted yet."""
        self.set(None)

    def set(self, count: Count | None) -> None:
        """Sets the count."""
        before = self._count
        if before is None or count is None or (before.unit, before.of) != (count.unit, count.of):
            self._since = monotonic()
        self._count = count

    @contextmanager
    def asking(self, ask: Callable[[], Count | None]) -> Iterator[None]:
        """Calls `ask` for the count whenever it is shown, until the block ends."""
        self._ask = ask
        try:
            yield
        finally:
            with self._using:
                self._ask = None

    def text(self) -> str:
        """The count, the speed and the time that is left, in words; empty if unknown."""
        with self._using:
            asked = None if self._ask is None else self._ask()
        # What is over is not shown on.
        if asked is not None or self._is_asked:
            self.set(asked)
        self._is_asked = asked is not None
        count = self._count
        return "" if count is None else told(count, monotonic() - self._since)


def told(count: Count, seconds: float) -> str:
    """A count after some seconds, in words."""
    text = f"{count.done:,} of {count.total:,} {count.unit}"
    if seconds < _TOO_SOON or not 0 < count.done < count.total:
        return text
    speed = count.done / seconds
    return f"{text}, {speed:,.2g}/s, {_time((count.total - count.done) / speed)} left"


def _time(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / _MINUTE)
    if minutes < _MINUTE:
        return f"{minutes} min"
    return f"{minutes // _MINUTE} h {minutes % _MINUTE} min"


METER: ContextVar[Meter] = ContextVar("METER", default=Meter())  # noqa: B039  # nobody shows it
"""The meter of the command that runs."""


@contextmanager
def every(seconds: float, function: Callable[[], None]) -> Iterator[None]:
    """Calls a function every `seconds`, in a thread of its own, until the block ends."""
    ended = Event()

    def run() -> None:
        while not ended.wait(seconds):
            function()

    # What is told there is told as the command was asked to: a new thread has no context.
    thread = Thread(target=copy_context().run, args=(run,), name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(_LAST_WORD)


def counted(items: Iterable[_Item], total: int, unit: str) -> Iterator[_Item]:
    """The items, counted as they come."""
    meter = METER.get()
    of = uuid.uuid4()
    meter.set(Count(0, total, unit, of))
    for done, item in enumerate(items, start=1):
        meter.set(Count(done, total, unit, of))
        yield item


@contextmanager
def spark_tasks(spark: SparkSession) -> Iterator[None]:
    """Counts the tasks that this thread runs on Spark: on classic Spark by its status tracker, over
    Spark Connect by its reports of progress (PySpark 4; with 3.5 they are unknown)."""
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        with _reported_tasks(spark):
            yield
        return
    try:
        context: Any = spark.sparkContext
        tracker, before = context.statusTracker(), context.getLocalProperty(_GROUP)
    except Exception:  # noqa: BLE001  # a managed Spark may refuse both, and runs the audit
        yield
        return
    group = f"prunescope-{uuid.uuid4().hex}"
    context.setLocalProperty(_GROUP, group)
    try:
        with METER.get().asking(lambda: _running_tasks(tracker, group)):
            yield
    finally:
        with suppress(Exception):  # of a Spark that is gone
            context.setLocalProperty(_GROUP, before)


def _running_tasks(tracker: Any, group: str) -> Count | None:
    """The tasks of the running stages; None if there are none, or they are unknown."""
    try:
        active = set(tracker.getActiveJobsIds()) & set(tracker.getJobIdsForGroup(group))
        jobs = [info for job in active if (info := tracker.getJobInfo(job))]
        ours = {stage for job in jobs for stage in job.stageIds}
        running = sorted(ours & set(tracker.getActiveStageIds()))
        stages = [info for stage in running if (info := tracker.getStageInfo(stage))]
    except Exception:  # noqa: BLE001  # of Py4J or of Spark: what is not known is not shown
        return None
    total = sum(stage.numTasks for stage in stages)
    done = sum(stage.numCompletedTasks for stage in stages)
    return Count(done, total, "tasks", tuple(running)) if total else None


@contextmanager
def _reported_tasks(spark: Any) -> Iterator[None]:
    meter = METER.get()

    def report(stages: Iterable[Any] | None, _in_flight: int, query: object, _: bool) -> None:
        running = [stage for stage in stages or () if not stage.done]
        done = sum(stage.num_completed_tasks for stage in running)
        total = sum(stage.num_tasks for stage in running)
        of = str(query), frozenset(stage.stage_id for stage in running)
        meter.set(Count(done, total, "tasks", of) if total else None)

    if not hasattr(spark, "registerProgressHandler"):
        yield
        return
    spark.registerProgressHandler(report)
    try:
        yield
    finally:
        spark.removeProgressHandler(report)
