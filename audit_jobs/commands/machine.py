"""Exhausted resources of a machine, in whatever code: no fault of prunescope's."""

from __future__ import annotations

import errno
from collections.abc import Iterator

from prunescope.audit_jobs.planning.spark_made import WORKER_LOST

_NO_SPACE = (
    "a disk is full; make room where temporary files are (TMPDIR, spark.local.dir), and run it "
    "again"
)
_NO_MEMORY = (
    "there is no memory left; give the process more, or Spark's (spark.driver.memory, "
    "spark.executor.memory), and run it again"
)
_NO_ROOM_FOR_RESULTS = (
    "what Spark's tasks answer is more than spark.driver.maxResultSize; raise it, and "
    "spark.driver.memory with it, and run it again"
)
_NO_WORKER = (
    "a worker of Spark was ended from outside, which mostly means that there is no memory left; "
    "give the machine or the container more, or Spark fewer cores (spark.master, "
    "spark.executor.cores), and run it again"
)
_NO_FILES = "too many files are open; raise the limit (ulimit -n), and run it again"
_BY_NUMBER = {
    errno.ENOSPC: _NO_SPACE,
    errno.EDQUOT: _NO_SPACE,
    errno.ENOMEM: _NO_MEMORY,
    errno.EMFILE: _NO_FILES,
    errno.ENFILE: _NO_FILES,
}
_OF_A_JVM = {
    "No space left on device": _NO_SPACE,
    "java.lang.OutOfMemoryError": _NO_MEMORY,
    "SparkOutOfMemoryError": _NO_MEMORY,
    "Not enough memory to build and broadcast": _NO_MEMORY,
    "spark.driver.maxResultSize": _NO_ROOM_FOR_RESULTS,
    "Too many open files": _NO_FILES,
    **dict.fromkeys(WORKER_LOST, _NO_WORKER),
}
"""Texts of JVMs and workers that Spark's exceptions quote, each with what to do."""


def what_ran_out(error: BaseException) -> str | None:
    """The exhausted resource, and a remedy; None for other errors. Quotes nothing of the error."""
    return next(filter(None, map(_of, _chain(error))), None)


def _of(error: BaseException) -> str | None:
    if isinstance(error, MemoryError):
        return _NO_MEMORY
    if isinstance(error, OSError):
        return _BY_NUMBER.get(error.errno or 0)
    if type(error).__module__.partition(".")[0] in ("pyspark", "py4j"):
        said = str(error)
        return next((told for words, told in _OF_A_JVM.items() if words in said), None)
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
