"""Distributing an audit over Spark: DataFrames and `mapInArrow` only, so that it runs on classic
clusters, Spark Connect and every managed Spark alike.

Items are rows of plain columns to group by and a pickled payload. Each stage groups its tasks by
table and by place, so that each manifest and each footer is read once per run; items beside the
tasks of a table come with each of its groups. No function that is sent to executors holds queries,
scans or rows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from zipimport import zipimporter

import pyarrow as pa

from prunescope.audit_jobs.planning.collection import collected_seldom, spare_libraries
from prunescope.audit_jobs.planning.items import SHARED, Instead, Item, ItemGroup, Items, Stage
from prunescope.audit_jobs.planning.runner import LocalItems, LocalRunner
from prunescope.audit_jobs.planning.spark_items import (
    ITEM_SCHEMA,
    SparkItems,
    batches,
    columns_of,
    frame,
    loaded,
    together,
)
from prunescope.audit_jobs.planning.spark_made import Groups, Made
from prunescope.audit_jobs.planning.spread import keys
from prunescope.audit_jobs.spans import traceparent, within

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NEAR = 1.0
"""Seconds of work that tasks are not made for: Spark's jobs for a stage, and the way there of what
stands beside it, take half of them, and two slots the other half."""

_PARTITIONS_PER_SLOT = 4
_GROUPS_PER_PARTITION = 64

_RANK_OF_SHARED, _RANK_OF_BESIDE, _RANK_OF_TASKS = 0, 1, 2
"""Ranks of the rows of a group, in the order in which they come."""
_RANKED = "rank int, groups long"


class SparkRunner:
    """A Runner over a Spark session."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._kept: list[Made] = []

    @property
    def slots(self) -> int:
        """The default parallelism or the number of shuffle partitions, from the settings: Spark
        Connect exposes nothing else."""
        configured = self._spark.conf.get("spark.default.parallelism", None)
        shuffle = self._spark.conf.get("spark.sql.shuffle.partitions", None)
        return int(configured or shuffle or 8)

    def near(self, seconds: Iterable[float]) -> SparkRunner | _Near:
        """This process for work of at most NEAR seconds together, else this runner."""
        is_little = all(total <= NEAR for total in accumulate(seconds))
        return _Near(self) if is_little else self

    def items(self, items: Sequence[Item]) -> SparkItems:
        """Items that this process made."""
        return SparkItems(self._spark, LocalItems(items))

    def run(
        self,
        stage: Stage,
        tasks: Items,
        groups: Mapping[str, int],
        beside: Items | None = None,
        instead: Instead | None = None,
    ) -> SparkItems:
        """The items that a stage makes, as rows that Spark computes when they are asked for. Tasks
        in this process restrict `groups` to their tables."""
        assert isinstance(tasks, SparkItems)
        assert beside is None or isinstance(beside, SparkItems)
        with_them = self.items([]) if beside is None else beside
        if tasks.here() is not None:
            there = {item.table for item in tasks.own}
            groups = {table: count for table, count in groups.items() if table in there}
        if not groups:
            return self.items([])
        parent = traceparent()

        def make(of_some: Stage, some: Groups) -> DataFrame:
            rows = self._ranked(tasks, {table: groups[table] for table in some}, with_them)
            assert rows is not None
            grouped = self._grouped(rows, some)
            return grouped.mapInArrow(_arrow_stage(of_some, parent), ITEM_SCHEMA)

        made = Made(make, stage, groups, instead, (*tasks.sources, *with_them.sources))
        self._kept.append(made)
        return SparkItems(self._spark, LocalItems([]), ((made, None),))

    def done(self) -> None:
        """Drops the rows of all stages."""
        for made in self._kept:
            made.done()
        self._kept.clear()

    def _grouped(self, rows: DataFrame, groups: Groups) -> DataFrame:
        """Rows of the given groups, ranked, by table and group, each with the items beside its
        table.

        Partitions are numbered explicitly: Spark would coalesce rows this small into one, and each
        partition takes milliseconds. Groups of one table come in partitions that follow each other.
        Expressions are strings, because each call of a function is several requests to Spark's
        process.
        """
        from pyspark.sql import functions as sql  # noqa: PLC0415  # slow to import

        total = sum(map(len, groups.values()))
        most = max(self.slots * _PARTITIONS_PER_SLOT, total // _GROUPS_PER_PARTITION)
        partitions = max(1, min(total, most))
        of_partition = ",".join(map(str, keys(partitions)))
        number = f"cast(pmod(hash(`table`) + `group`, {partitions}) AS int)"
        key = sql.expr(f"cast(element_at(split('{of_partition}', ','), {number} + 1) AS int)")
        own, every = "array(place % groups)", "sequence(0L, groups - 1)"
        spread = rows.selectExpr(
            "`table`",
            f"explode(if(rank = {_RANK_OF_TASKS}, {own}, {every})) AS `group`",
            *("rank", "place", "kind", "`order`", "payload"),
        )
        # Parts of groups are made of one table alone.
        if len(groups) == 1:
            ((_, numbers),) = groups.items()
            spread = spread.where(f"`group` BETWEEN {numbers[0]} AND {numbers[-1]}")
        return spread.repartition(partitions, key).sortWithinPartitions(
            "table", "group", "rank", "place", "kind", "order"
        )

    def _ranked(
        self, tasks: SparkItems, groups: Mapping[str, int], beside: SparkItems
    ) -> DataFrame | None:
        """The items of tables that have groups, with their rank and the number of groups of their
        table."""
        ranked = [(item, _RANK_OF_TASKS) for item in tasks.own if item.table in groups]
        ranked += [
            (item, _RANK_OF_SHARED if item.kind == SHARED else _RANK_OF_BESIDE)
            for item in beside.own
            if item.table in groups
        ]
        columns: dict[str, Sequence[Any]] = {
            **columns_of([item for item, _ in ranked]),
            "rank": [rank for _, rank in ranked],
            "groups": [groups[item.table] for item, _ in ranked],
        }
        own = frame(self._spark, columns, f"{ITEM_SCHEMA}, {_RANKED}") if ranked else None
        rank = f"if(kind = '{SHARED}', {_RANK_OF_SHARED}, {_RANK_OF_BESIDE})"
        made = together(_with(tasks.made(), f"{_RANK_OF_TASKS}"), _with(beside.made(), rank))
        if made is not None:
            # Joined, not written into the plan: of ten thousand tables that takes Spark twenty
            # seconds.
            counts: dict[str, Sequence[Any]] = {
                "table": list(groups),
                "groups": list(groups.values()),
            }
            known = frame(self._spark, counts, "`table` string, groups long")
            made = made.join(known.hint("broadcast"), "table")
        return together(own, made)


def _with(made: DataFrame | None, rank: str) -> DataFrame | None:
    """The rows with a column `rank`."""
    return None if made is None else made.selectExpr("*", f"{rank} AS rank")


class _Near:
    """A Runner over the items of a SparkRunner, for work that this process finishes sooner."""

    slots = LocalRunner.slots

    def __init__(self, spread: SparkRunner) -> None:
        self._spread = spread

    def near(self, seconds: Iterable[float]) -> SparkRunner | _Near:
        """The runner that suits work of other `seconds`."""
        return self._spread.near(seconds)

    def items(self, items: Sequence[Item]) -> SparkItems:
        """Items that this process made."""
        return self._spread.items(items)

    def run(
        self,
        stage: Stage,
        tasks: Items,
        groups: Mapping[str, int],
        beside: Items | None = None,
        instead: Instead | None = None,  # noqa: ARG002  # there is no other process
    ) -> SparkItems:
        """The items that a stage makes in this process, of tasks that are brought here first."""
        assert isinstance(tasks, SparkItems)
        assert beside is None or isinstance(beside, SparkItems)
        if not groups:
            return self.items([])
        with_them = None if beside is None else beside.brought
        return self.items(LocalRunner().run(stage, tasks.brought, groups, with_them).here())

    def done(self) -> None:
        """Drops the items of the runner on Spark."""
        self._spread.done()


@lru_cache(maxsize=1)
def _last(payload: bytes) -> Any:
    """The object that was dumped, cached for the tasks that this process runs next: groups of one
    table follow each other, and data derived from a block of scans stays with it."""
    return loaded(payload)


class _Packed(Mapping[int, Any]):
    """Pickled payloads by place; only the last one that was asked for is kept unpickled."""

    def __init__(self) -> None:
        self.payloads: dict[int, bytes] = {}

    def __getitem__(self, place: int) -> Any:
        return _last(self.payloads[place])

    def __iter__(self) -> Iterator[int]:
        return iter(self.payloads)

    def __len__(self) -> int:
        return len(self.payloads)


def _arrow_stage(
    stage: Stage, parent: str
) -> Callable[[Iterable[pa.RecordBatch]], Iterable[pa.RecordBatch]]:
    """A stage as a function of Arrow batches with the rows of its groups."""

    def rows(found: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        spare_libraries()
        try:
            with within(parent), collected_seldom():
                yield from batches(stage(_groups(found)))
        finally:
            _forget_zip_finders()

    return rows


def _forget_zip_finders() -> None:
    """Lets no finder of a zip file outlive a task.

    PySpark's worker invalidates all finders when a task begins, and each finder of a zip file then
    rereads the file's directory: pyspark.zip's, once for each of its packages that was imported
    from, takes 0.3 s of CPU (PySpark 4.1, Python 3.11). Missing finders are made again, from
    directories that were read before.
    """
    finders = sys.path_importer_cache
    for path in [path for path, found in finders.items() if isinstance(found, zipimporter)]:
        del finders[path]


def _groups(batches: Iterable[pa.RecordBatch]) -> Iterator[ItemGroup]:
    """The groups that have tasks. Groups of one table share the objects of kind SHARED, and so its
    clock."""
    shared: tuple[str, Any] | None = None
    for (table, _), of_group in groupby(_rows(batches), key=itemgetter("table", "group")):
        beside: dict[str, Mapping[int, Any]] = {}
        for row in of_group:
            if row["rank"] == _RANK_OF_TASKS:
                yield ItemGroup(table, _tasks(row, of_group), beside)  # noqa: B031  # and breaks
                break
            if row["rank"] == _RANK_OF_BESIDE:
                of_kind = beside.setdefault(row["kind"], _Packed())
                assert isinstance(of_kind, _Packed)
                of_kind.payloads[row["place"]] = row["payload"]
                continue
            if shared is None or shared[0] != table:
                shared = table, loaded(row["payload"])
            beside[SHARED] = {0: shared[1]}


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    for batch in batches:
        for number in range(batch.num_rows):
            yield {name: batch.column(name)[number].as_py() for name in batch.schema.names}


def _tasks(
    first: Mapping[str, Any], others: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[int, str, Any]]:
    yield first["place"], first["kind"], loaded(first["payload"])
    for row in others:
        yield row["place"], row["kind"], loaded(row["payload"])
