"""Where the stages of a job run, for as long as it needs that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from audit_jobs.config import AuditConfig
from audit_jobs.planning.items import Runner
from audit_jobs.planning.spark import SparkRunner
from audit_jobs.planning.spark_session import open_spark_session
from audit_jobs.progress import Progress, spark_tasks

OpenRunner = Callable[[AuditConfig, Progress], AbstractContextManager[Runner]]
"""Where stages run, for as long as one job needs it."""


@contextmanager
def spark_runner(config: AuditConfig, progress: Progress) -> Iterator[Runner]:
    """A runner over Spark, in a Spark session of its own where none is running."""
    progress("Starting Spark")
    spark, ours = open_spark_session(config.spark)
    runner = SparkRunner(spark)
    try:
        with spark_tasks(spark):
            yield runner
    finally:
        if ours:
            spark.stop()
        else:
            runner.done()
