"""Results of stages on Spark, where the system may kill the workers of some groups.

Spark repeats a lost task a few times, and then gives up the job, without saying which group its
worker had. So the groups are halved until those that kill a worker are alone: this needs no channel
beside the rows, and none that only some kinds of Spark have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from prunescope.audit_jobs.planning.items import Instead, Stage

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

WORKER_LOST = ("Python worker exited unexpectedly", "ExecutorLostFailure")
"""Parts of Spark's messages about tasks whose worker, or executor, has ended."""
_NO_MEMORY = "MemoryError"  # of Python and of Arrow, outside of what is done for one table alone

MOST_FAILED = 64
"""Jobs that may fail while groups are told apart: what is then not told apart is set aside
together."""

Groups = Mapping[str, Sequence[int]]
"""Numbers of groups by table."""


def is_worker_lost(error: BaseException) -> bool:
    """True if a job failed because its workers were lost."""
    is_sparks = type(error).__module__.partition(".")[0] in ("pyspark", "py4j")
    return is_sparks and any(words in str(error) for words in (*WORKER_LOST, _NO_MEMORY))


class Made:
    """The rows that a stage makes. `make` runs a stage over some of its groups; `sources` are the
    results of which the groups consist."""

    def __init__(
        self,
        make: Callable[[Stage, Groups], DataFrame],
        stage: Stage,
        groups: Mapping[str, int],
        instead: Instead | None,
        sources: Iterable[Made],
    ) -> None:
        self._make = make
        self._stage = stage
        self._groups = {table: range(count) for table, count in groups.items()}
        self._instead = instead
        self._sources = tuple(sources)
        self._frames = [make(stage, self._groups).persist()]
        self.is_settled = False
        """True once all tasks have ended."""

    @property
    def frame(self) -> DataFrame:
        """The rows, as items."""
        return reduce(lambda one, other: one.unionByName(other), self._frames)

    @property
    def may_settle(self) -> bool:
        """Tells whether any group, here or in the sources, may still be replaced by `instead`,
        because not all tasks have run."""
        is_open = self._instead is not None and not self.is_settled
        return is_open or any(made.may_settle for made in self._sources)

    def settle(self) -> bool:
        """Runs all tasks, and replaces the groups that kill a worker by the rows of `instead`.
        Returns whether any was replaced, here or in the sources. Without `instead`, tasks run only
        when rows are asked for. Raises what Spark raises for other failures."""
        if self.is_settled:
            return False
        is_other = settled(self._sources)
        if is_other:
            self.done()
            self._frames = [self._make(self._stage, self._groups).persist()]
        if self._instead is not None:
            if not _ends(self.frame):
                self.done()
                self._frames = self._told_apart(self._instead)
                is_other = True
            self.is_settled = True
        return is_other

    def done(self) -> None:
        """Drops the rows."""
        for frame in self._frames:
            frame.unpersist()

    def _told_apart(self, instead: Instead) -> list[DataFrame]:
        made: list[DataFrame] = []
        ending: list[Groups] = []
        failed = 0
        waiting = list(_halves(self._groups, instead)) or [self._groups]
        while waiting:
            some = waiting.pop()
            frame = self._make(self._stage, some).persist()
            if _ends(frame):
                made.append(frame)
                continue
            frame.unpersist()
            failed += 1
            smaller = _halves(some, instead) if failed < MOST_FAILED else ()
            waiting += smaller
            if not smaller:
                ending.append(some)
        return made + [self._make(instead.stage, some).persist() for some in ending]


def settled(made: Iterable[Made]) -> bool:
    """Settles all of them; returns whether any has other rows now."""
    return True in {one.settle() for one in made}


def _ends(frame: DataFrame) -> bool:
    """True if all tasks end; False if they kill workers."""
    try:
        frame.count()
    except Exception as error:
        if not is_worker_lost(error):
            raise
        return False
    return True


def _halves(groups: Groups, instead: Instead) -> tuple[Groups, ...]:
    """Two parts of the groups; empty if they cannot be divided: one group, or one table of
    `of_tables`."""
    if len(groups) > 1:
        tables = sorted(groups)
        half = len(tables) // 2
        return tuple(
            {table: groups[table] for table in part} for part in (tables[:half], tables[half:])
        )
    ((table, numbers),) = groups.items()
    if instead.of_tables or len(numbers) < 2:
        return ()
    half = len(numbers) // 2
    return {table: numbers[:half]}, {table: numbers[half:]}
