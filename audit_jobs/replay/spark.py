"""Distributing an audit over Spark: DataFrames and `mapInArrow` only, so that it runs on
classic clusters, Spark Connect and every managed Spark alike.

Rows carry plain columns to group by and a pickled payload. The driver holds queries, tables
and counts; manifests, files and footers stay in tasks. Each stage groups its input by path, so
each manifest and each footer is read once per run.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from audit_jobs.health.sketch import Sketch
from audit_jobs.pruning.counts import Counts, merge_into
from audit_jobs.replay.file_stage import plan_files
from audit_jobs.replay.manifest_stage import try_manifests
from audit_jobs.replay.row_group_stage import RowGroupPlan, plan_row_groups
from audit_jobs.replay.runner import Function, Replay, layouts
from audit_jobs.replay.sampling import Sample
from audit_jobs.replay.timing import MANIFEST, MANIFEST_LIST, ROW_GROUP, PassClock
from audit_jobs.replay.work import Failure, FooterTask, ManifestTask, TableWork
from audit_jobs.spans import traceparent, within

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ROWS_PER_BATCH = 1024
_PARTITIONS_PER_SLOT = 2
_TASKS_PER_PARTITION = 4

_ITEM_SCHEMA = "kind string, path string, payload binary"
_ITEM_ARROW = pa.schema([("kind", pa.string()), ("path", pa.string()), ("payload", pa.binary())])

(
    _TOTALS,
    _FACTS,
    _SKETCH,
    _TASKS,
    _FAILURE,
    _LATE_FAILURE,
    _MANIFEST,
    _FOOTER,
    _COUNTS,
    _READ,
    _WORK,
) = (
    "totals",
    "facts",
    "sketch",
    "tasks",
    "failure",
    "late_failure",
    "manifest",
    "footer",
    "counts",
    "read",
    "work",
)
"""Kinds of rows: totals of a snapshot, what is measured of a table's health (facts of its manifest
list, sketches of its files), how many tasks follow, what could not be planned in passes 1 and 2,
and in pass 3, tasks of passes 2 and 3, counts of a work's scans, how many manifests and footers
were read and footers could not be, and what a task tells of itself."""

_LAST = (_COUNTS, _READ, _WORK, _LATE_FAILURE)
"""Kinds of rows that are collected when all passes are done."""

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
        return Replay({}, {}, (), {}, ())
    slots = _slots(spark)
    parent = traceparent()
    manifests = _map_snapshots(spark, by_key, parent).persist()
    first = collect_items(manifests.where(~manifests.kind.isin(_MANIFEST, *_LAST)))
    totals = dict(first.get(_TOTALS, []))
    files = _grouped(manifests, _MANIFEST, sum(first.get(_TASKS, [])), slots).mapInArrow(
        lambda batches: _file_rows(batches, by_key, parent), _ITEM_SCHEMA
    )
    files = files.persist()
    second = collect_items(files.where(~files.kind.isin(_FOOTER, *_LAST)))
    footers = sum(second.get(_TASKS, []))
    sketches: dict[int, Sketch] = {}
    for key, sketch in second.get(_SKETCH, []):
        sketches.setdefault(key, Sketch()).add(sketch)
    sample = Sample.of(footers, max_footers, seed)
    row_groups = _grouped(files, _FOOTER, footers, slots).mapInArrow(
        lambda batches: _row_group_rows(batches, by_key, sample, parent), _ITEM_SCHEMA
    )
    try:
        # By one job: to ask twice would be to run the last pass twice.
        everything = manifests.unionByName(files).unionByName(row_groups)
        last = collect_items(everything.where(everything.kind.isin(*_LAST)))
        counts: dict[int, Counts] = {}
        for key, found in last.get(_COUNTS, []):
            merge_into(counts, key, found)
        reads = last.get(_READ, [])
        failures = (first.get(_FAILURE, []), second.get(_FAILURE, []), last.get(_LATE_FAILURE, []))
        return Replay(
            totals=totals,
            counts=counts,
            failures=tuple(chain(*failures)),
            layouts=layouts(dict(first.get(_FACTS, [])), sketches),
            tasks=tuple(last.get(_WORK, [])),
            manifests_read=sum(manifests for manifests, _, _ in reads),
            footers_read=sum(footers for _, footers, _ in reads),
            footers_unread=sum(footers for _, _, footers in reads),
        )
    finally:
        files.unpersist()
        manifests.unpersist()


def _grouped(frame: DataFrame, kind: str, tasks: int, slots: int) -> DataFrame:
    """The tasks of one kind, those of one path together.

    Partitions are numbered explicitly: Spark would coalesce rows this small into one, and each
    of them takes milliseconds.
    """
    partitions = max(1, min(tasks // _TASKS_PER_PARTITION, slots * _PARTITIONS_PER_SLOT))
    chosen = frame.where(frame.kind == kind).select("path", "payload")
    return chosen.repartition(partitions, "path").sortWithinPartitions("path")


def _map_snapshots(spark: SparkSession, works: Mapping[int, TableWork], parent: str) -> DataFrame:
    """Pass 1 of every snapshot."""
    # As text: ids are 64 bits without a sign, and Spark's numbers have one.
    snapshots = [(key, str(found)) for key, work in works.items() for found in work.snapshots]
    partitions = max(1, min(len(snapshots), _slots(spark) * _PARTITIONS_PER_SLOT))
    frame = spark.createDataFrame(snapshots, "work_key long, snapshot_id string")
    return frame.repartition(partitions, "work_key", "snapshot_id").mapInArrow(
        lambda batches: _manifest_rows(batches, works, parent), _ITEM_SCHEMA
    )


def _manifest_rows(
    batches: Iterable[pa.RecordBatch], works: Mapping[int, TableWork], parent: str
) -> Iterable[pa.RecordBatch]:
    def rows() -> Iterator[Row]:
        clock = PassClock(MANIFEST_LIST, parent)
        for batch in batches:
            for unit in batch.to_pylist():
                work, snapshot_id = works[unit["work_key"]], int(unit["snapshot_id"])
                clock.begin(work.table, f"{work.key}/{snapshot_id}")
                yield from _plan_snapshot(work, snapshot_id)
                clock.done()
        yield _item(_WORK, clock.work())

    with within(parent):
        yield from _batches(rows(), _ITEM_ARROW)


def _plan_snapshot(work: TableWork, snapshot_id: int) -> Iterator[Row]:
    plan = try_manifests(work, snapshot_id)
    if isinstance(plan, Failure):
        yield _item(_FAILURE, plan)
        return
    yield _item(_TOTALS, ((work.key, snapshot_id), plan.totals))
    if plan.facts is not None:
        yield _item(_FACTS, (work.key, plan.facts))
    yield _item(_TASKS, len(plan.kept))
    yield _item(_COUNTS, (work.key, plan.counts))
    for task in plan.kept:
        yield _item(_MANIFEST, task, path=task.path)


def _file_rows(
    batches: Iterable[pa.RecordBatch], works: Mapping[int, TableWork], parent: str
) -> Iterable[pa.RecordBatch]:
    def rows() -> Iterator[Row]:
        clock = PassClock(MANIFEST, parent)
        tasks: Iterator[ManifestTask] = _payloads(batches)
        counted: dict[int, Counts] = {}
        manifests_read = 0
        sketches: dict[int, Sketch] = {}
        for plan in plan_files(clock.watch(tasks, works), works):
            clock.batch_done()
            manifests_read += plan.manifests_read
            for key, found in plan.counts.items():
                merge_into(counted, key, found)
            for key, sketch in plan.sketches.items():
                sketches.setdefault(key, Sketch()).add(sketch)
            for failure in plan.failures:
                yield _item(_FAILURE, failure)
            yield _item(_TASKS, len(plan.footers))
            for footer in plan.footers:
                yield _item(_FOOTER, footer, path=footer.path)
        for item in sketches.items():
            yield _item(_SKETCH, item)
        yield from (_item(_COUNTS, item) for item in counted.items())
        yield _item(_READ, (manifests_read, 0, 0))
        yield _item(_WORK, clock.work())

    with within(parent):
        yield from _batches(rows(), _ITEM_ARROW)


def _row_group_rows(
    batches: Iterable[pa.RecordBatch], works: Mapping[int, TableWork], sample: Sample, parent: str
) -> Iterable[pa.RecordBatch]:
    def rows() -> Iterator[Row]:
        clock = PassClock(ROW_GROUP, parent)
        tasks: Iterator[FooterTask] = _payloads(batches)
        looked = RowGroupPlan()
        for plan in plan_row_groups(clock.watch(tasks, works), works, sample):
            clock.batch_done()
            looked.merge(plan)
        yield from (_item(_COUNTS, item) for item in looked.counts.items())
        yield from (_item(_LATE_FAILURE, failure) for failure in looked.failures)
        yield _item(_READ, (0, looked.footers_read, looked.footers_unread))
        yield _item(_WORK, clock.work())

    with within(parent):
        yield from _batches(rows(), _ITEM_ARROW)


def _item(kind: str, payload: Any, path: str | None = None) -> Row:
    return {"kind": kind, "path": path, "payload": pickle.dumps(payload)}


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
