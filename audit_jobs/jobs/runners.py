"""Runners of a job's stages, for as long as the job needs them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.errors import SparkEnded
from prunescope.audit_jobs.planning.items import Runner
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.planning.spark import SparkRunner
from prunescope.audit_jobs.planning.spark_session import is_gone, open_spark_session
from prunescope.audit_jobs.progress import Progress, spark_tasks

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OpenRunner = Callable[[AuditConfig, Progress], AbstractContextManager[Runner]]
"""Opens the runner of a job's stages, for as long as the job needs it."""


@contextmanager
def spark_runner(config: AuditConfig, progress: Progress) -> Iterator[Runner]:
    """A runner over Spark, in a Spark session of its own if none is running. Raises SparkEnded if
    the JVM of that session ends before the job does."""
    progress("Starting Spark")
    with _interrupts_later():
        spark, ours = open_spark_session(config.spark)
    runner = SparkRunner(spark)
    with ExitStack() as at_last:
        at_last.callback(partial(_stop, spark) if ours else runner.done)
        try:
            with spark_tasks(spark):
                yield runner
        except KeyboardInterrupt:
            if ours:
                # Its connection may be in the middle of an answer: it ends with this process.
                at_last.pop_all()
            raise
        except Exception as error:
            if ours and is_gone(spark):
                raise SparkEnded from error
            raise


@contextmanager
def local_runner(_config: AuditConfig, progress: Progress) -> Iterator[Runner]:
    """A runner in this process, without Spark: for windows of some thousand queries, on tables
    whose metadata one machine can hold."""
    progress("Starting")
    yield LocalRunner()


RUNNERS: Mapping[str, OpenRunner] = {"spark": spark_runner, "local": local_runner}
"""The runners of an audit, by the names that people give them."""


def _stop(spark: SparkSession) -> None:
    """Stops the session, which may be gone: that is no fault of a job that has finished."""
    try:
        spark.stop()
    except Exception:  # of Py4J, of the operating system
        if not is_gone(spark):
            raise


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Delays interrupts, and restores their handler afterwards. A JVM that nobody waits for while
    it starts stays for ever; and PySpark's own handler asks Spark to cancel its jobs, which fails
    in the middle of another answer, and hides why."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            raise KeyboardInterrupt  # whatever failed meanwhile, as processes beside this one end
