"""Distributing an audit over Spark: DataFrames and `mapInArrow` only, so that it runs on
classic clusters, Spark Connect and every managed Spark alike.

Rows carry plain columns to group by and a pickled payload. The driver holds queries, tables
and counts; manifests, files and footers stay in tasks. Each stage groups its input by path, so
each manifest and each footer is read once per run.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from audit_jobs.replay.runner import Function
from audit_jobs.replay.sampling import Sample
from audit_jobs.replay.stages import (
    TASK,
    Item,
    Replay,
    manifest_list_stage,
    manifest_stage,
    replay_of,
    row_group_stage,
)
from audit_jobs.replay.work import TableWork
from audit_jobs.spans import traceparent, within

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ROWS_PER_BATCH = 1024
_PARTITIONS_PER_SLOT = 2
_TASKS_PER_PARTITION = 4

_ITEM_SCHEMA = "kind string, path string, payload binary"
_ITEM_ARROW = pa.schema([("kind", pa.string()), ("path", pa.string()), ("payload", pa.binary())])

_TASKS = "tasks"
"""The kind of rows that tell how many tasks a stage made."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SparkRunner:
    """A Runner over a Spark session."""

    spark: SparkSession

    def map(self, items: Sequence[Any], function: Function) -> dict[str, list[Any]]:
        """See Runner."""
        return collect_items(_map_items(self.spark, items, function)) if items else {}

    def replay(
        self, works: Sequence[TableWork], *, max_footers: int | None = None, seed: int = 0
    ) -> Replay:
        """See Runner."""
        return replay_on_spark(self.spark, works, max_footers=max_footers, seed=seed)


def _map_items(spark: SparkSession, items: Sequence[Any], function: Function) -> DataFrame:
    """Items of the driver, spread over executors; `function` turns an iterator of them into
    (kind, result) pairs. Columns: kind, path (null), payload."""
    partitions = max(1, min(len(items), _slots(spark) * _PARTITIONS_PER_SLOT))
    frame = spark.createDataFrame(
        [(number, pickle.dumps(item)) for number, item in enumerate(items)],
        "number long, payload binary",
    ).repartition(partitions, "number")

    def run(batches: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        rows = (
            {"kind": kind, "path": None, "payload": pickle.dumps(result)}
            for kind, result in function(_payloads(batches))
        )
        yield from _batches(rows, _ITEM_ARROW)

    return frame.mapInArrow(run, _ITEM_SCHEMA)


def collect_items(frame: DataFrame) -> dict[str, list[Any]]:
    """All results, by kind. Rows without a payload are left where they are."""
    found: dict[str, list[Any]] = {}
    for row in frame.where(frame.payload.isNotNull()).select("kind", "payload").collect():
        found.setdefault(row.kind, []).append(pickle.loads(row.payload))  # noqa: S301  # our own
    return found


def replay_on_spark(
    spark: SparkSession,
    works: Sequence[TableWork],
    *,
    max_footers: int | None = None,
    seed: int = 0,
) -> Replay:
    """Runs the passes over all snapshots. A snapshot or manifest that cannot be read fails its
    scans and nothing else. Of more than `max_footers` footers, about so many are read, drawn at
    random by `seed`."""
    by_key = {work.key: work for work in works}
    if not works:
        return replay_of({})
    slots = _slots(spark)
    parent = traceparent()
    lists = _map_snapshots(spark, by_key, parent).persist()
    manifests = _grouped(lists, _tasks(lists), slots).mapInArrow(
        _stage(partial(manifest_stage, works=by_key, parent=parent), parent), _ITEM_SCHEMA
    )
    manifests = manifests.persist()
    footers = _tasks(manifests)
    sample = Sample.of(footers, max_footers, seed)
    judge = partial(row_group_stage, works=by_key, sample=sample, parent=parent)
    row_groups = _grouped(manifests, footers, slots).mapInArrow(_stage(judge, parent), _ITEM_SCHEMA)
    try:
        # By one job: to ask twice would be to run the last pass twice.
        everything = lists.unionByName(manifests).unionByName(row_groups)
        return replay_of(collect_items(everything.where(~everything.kind.isin(TASK, _TASKS))))
    finally:
        manifests.unpersist()
        lists.unpersist()


def _tasks(items: DataFrame) -> int:
    return sum(collect_items(items.where(items.kind == _TASKS)).get(_TASKS, []))


def _grouped(frame: DataFrame, tasks: int, slots: int) -> DataFrame:
    """The tasks among items, those of one path together.

    Partitions are numbered explicitly: Spark would coalesce rows this small into one, and each
    of them takes milliseconds.
    """
    partitions = max(1, min(tasks // _TASKS_PER_PARTITION, slots * _PARTITIONS_PER_SLOT))
    chosen = frame.where(frame.kind == TASK).select("path", "payload")
    return chosen.repartition(partitions, "path").sortWithinPartitions("path")


def _map_snapshots(spark: SparkSession, works: Mapping[int, TableWork], parent: str) -> DataFrame:
    """Pass 1 of every snapshot."""
    # As text: ids are 64 bits without a sign, and Spark's numbers have one.
    snapshots = [(key, str(found)) for key, work in works.items() for found in work.snapshots]
    partitions = max(1, min(len(snapshots), _slots(spark) * _PARTITIONS_PER_SLOT))
    frame = spark.createDataFrame(snapshots, "work_key long, snapshot_id string")

    def run(batches: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        units = (unit for batch in batches for unit in batch.to_pylist())
        found = ((works[unit["work_key"]], int(unit["snapshot_id"])) for unit in units)
        with within(parent):
            yield from _batches(_rows(manifest_list_stage(found, parent)), _ITEM_ARROW)

    return frame.repartition(partitions, "work_key", "snapshot_id").mapInArrow(run, _ITEM_SCHEMA)


def _stage(
    run: Callable[[Iterator[Any]], Iterator[Item]], parent: str
) -> Callable[[Iterable[pa.RecordBatch]], Iterable[pa.RecordBatch]]:
    """A stage as a function of the rows of its tasks."""

    def rows(batches: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        with within(parent):
            yield from _batches(_rows(run(_payloads(batches))), _ITEM_ARROW)

    return rows


def _rows(items: Iterable[Item]) -> Iterator[Row]:
    tasks = 0
    for item in items:
        tasks += item.kind == TASK
        yield {"kind": item.kind, "path": item.path, "payload": pickle.dumps(item.payload)}
    yield {"kind": _TASKS, "path": None, "payload": pickle.dumps(tasks)}


def _payloads(batches: Iterable[pa.RecordBatch]) -> Iterator[Any]:
    for batch in batches:
        for payload in batch.column("payload"):
            yield pickle.loads(payload.as_py())  # noqa: S301  # written by our own driver


def _batches(rows: Iterator[Row], schema: pa.Schema) -> Iterable[pa.RecordBatch]:
    while chunk := list(islice(rows, _ROWS_PER_BATCH)):
        yield pa.RecordBatch.from_pylist(chunk, schema=schema)


def _slots(spark: SparkSession) -> int:
    """About how many tasks run at once; Spark Connect knows only the setting."""
    configured = spark.conf.get("spark.default.parallelism", None)
    shuffle = spark.conf.get("spark.sql.shuffle.partitions", None)
    return int(configured or shuffle or 8)
