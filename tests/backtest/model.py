"""A table, and a log of 37 days on it: what is advised after 30 of them is tried on the last 7."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa

from tests.workloads.physical import Layout

TRAINING_DAYS = 30
TEST_DAYS = 7
DAYS = TRAINING_DAYS + TEST_DAYS


class Asked(NamedTuple):
    """A query, and the day on which it ran, from 0."""

    day: int
    sql: str
    engine: str = "trino"


@dataclass(frozen=True)
class Case:
    """`rows` gives all rows that are there after so many days, in the order in which they came, and
    `lay` the layout that the table has then. Queries name the table `t`. `keeps` says that there is
    nothing to win: keeping the table as it is is right. `columns` are those of the workload, which
    the exhaustive search takes."""

    name: str
    says: str
    rows: Callable[[int], pa.Table]
    lay: Callable[[pa.Table], Layout]
    queries: Sequence[Asked]
    columns: Sequence[str]
    keeps: bool = False

    def asked(self, first: int, end: int) -> list[Asked]:
        """The queries of some days, from `first` up to `end`."""
        return [query for query in self.queries if first <= query.day < end]
