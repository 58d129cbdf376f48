"""How the groups of a stage become tasks of Spark."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import pytest
from pyspark import TaskContext

from prunescope.audit_jobs.planning.items import Item, ItemGroup
from prunescope.audit_jobs.planning.spark import SparkRunner
from prunescope.audit_jobs.planning.spread import spark_hash

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.spark]


def placed(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """In which partition each group is, and its places."""
    context = TaskContext.get()
    assert context is not None
    for group in groups:
        places = [place for place, _, _ in group.tasks]
        yield Item("placed", (group.table, context.partitionId(), places))


def test_numbers_are_hashed_as_spark_does(spark: SparkSession) -> None:
    numbers = [*range(1000), 2**31 - 1]
    frame = spark.createDataFrame([(n,) for n in numbers], "n int")
    found = {row.n: row.h for row in frame.selectExpr("n", "hash(n) AS h").collect()}
    assert found == {n: spark_hash(n) for n in numbers}


@pytest.mark.parametrize(
    ("groups", "partitions"),
    [({"t": 8}, 8), ({"t": 5, "u": 3}, 8), ({"t": 600}, 9), ({f"t{n}": 1 for n in range(40)}, 8)],
)
def test_groups_of_a_table_are_spread_evenly(
    spark: SparkSession, groups: dict[str, int], partitions: int
) -> None:
    runner = SparkRunner(spark)
    tasks = [Item("task", None, name, place) for name in groups for place in range(groups[name])]
    found = runner.run(placed, runner.items(tasks), groups).found("placed")["placed"]
    runner.done()
    assert sorted((table, place) for table, _, places in found for place in places) == sorted(
        (task.table, task.place) for task in tasks
    )
    for name, count in groups.items():
        used = Counter(partition for table, partition, _ in found if table == name)
        assert sum(used.values()) == count
        assert max(used.values()) <= -(-count // partitions)


def tracked(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """How many objects of a worker the cycle collector looks at, and how many it does not."""
    for group in groups:
        yield Item("tracked", (len(gc.get_objects()), gc.get_freeze_count()), group.table)


def test_workers_do_not_collect_what_libraries_made(spark: SparkSession) -> None:
    runner = SparkRunner(spark)
    tables = [f"t{number}" for number in range(8)]
    tasks = runner.items([Item("task", None, table) for table in tables])
    found = runner.run(tracked, tasks, dict.fromkeys(tables, 1)).found("tracked")["tracked"]
    runner.done()
    assert len(found) == len(tables)
    assert all(looked_at < spared / 4 for looked_at, spared in found)
