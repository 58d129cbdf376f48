"""Distributing an audit over Spark: DataFrames and `mapInArrow` only, so that it runs on
classic clusters, Spark Connect and every managed Spark alike.

Rows carry plain columns to group by and a pickled payload. The driver holds queries, tables
and counts; manifests, files and footers stay in tasks. Each stage groups its tasks by table and by
path, so each manifest and each footer is read once per run; the scans of a table come in blocks
with each group. No function that is sent to executors holds any of them.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from audit_jobs.replay.driver import Found, Stages
from audit_jobs.replay.runner import Function
from audit_jobs.replay.stages import TASK, Group, Item, Stage
from audit_jobs.replay.work import Block, PlannedTable, TableContext, TableWork
from audit_jobs.spans import traceparent, within

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ROWS_PER_BATCH = 1024
_BYTES_PER_BATCH = 16 * 1024 * 1024
_PARTITIONS_PER_SLOT = 2
_GROUPS_PER_SLOT = 4
_BYTES_PER_PARTITION = 64 * 1024 * 1024
"""Of the blocks of scans that a task gets, about."""
_COMPRESSED_FROM = 4_096
_COMPRESSION = 1

_RANK_OF_CONTEXTS, _RANK_OF_TASKS, _RANK_OF_BLOCKS = 0, 1, 2
"""In which order the rows of a group come."""

_ITEM_SCHEMA = "kind string, table string, place long, payload binary"
_ITEM_ARROW = pa.schema(
    [
        ("kind", pa.string()),
        ("table", pa.string()),
        ("place", pa.int64()),
        ("payload", pa.binary()),
    ]
)


@dataclass(frozen=True, slots=True)
class SparkRunner:
    """A Runner over a Spark session."""

    spark: SparkSession

    def map(self, items: Sequence[Any], function: Function) -> dict[str, list[Any]]:
        """See Runner."""
        return collect_items(_map_items(self.spark, items, function)) if items else {}

    @property
    def slots(self) -> int:
        """See StageRunner."""
        return _slots(self.spark)

    @contextmanager
    def stages(self, works: Sequence[TableWork]) -> Iterator[Stages]:
        """See StageRunner."""
        run = _Grouped(self.spark, works)
        try:
            yield run
        finally:
            run.done()


def _map_items(spark: SparkSession, items: Sequence[Any], function: Function) -> DataFrame:
    """Items of the driver, spread over executors; `function` turns an iterator of them into
    (kind, result) pairs."""
    partitions = max(1, min(len(items), _slots(spark) * _PARTITIONS_PER_SLOT))
    frame = spark.createDataFrame(
        [(number, _dumped(item)) for number, item in enumerate(items)],
        "number long, payload binary",
    ).repartition(partitions, "number")

    def run(batches: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        yield from _batches(Item(*found) for found in function(_payloads(batches)))

    return frame.mapInArrow(run, _ITEM_SCHEMA)


def collect_items(frame: DataFrame) -> dict[str, list[Any]]:
    """All results, by kind."""
    found: dict[str, list[Any]] = {}
    for row in frame.select("kind", "payload").collect():
        found.setdefault(row.kind, []).append(_loaded(row.payload))
    return found


class _Grouped:
    """Runs stages over tables, whose contexts and blocks of scans travel with each group."""

    def __init__(self, spark: SparkSession, works: Sequence[TableWork]) -> None:
        self._spark = spark
        self._slots = _slots(spark)
        self._shared = [(name, *row) for name, rows in _shared(works).items() for row in rows]
        self._persisted: list[DataFrame] = []

    def __call__(
        self,
        stage: Stage,
        tasks: Any,
        groups: Mapping[str, int],
        *,
        scans: bool = True,
        last: bool = False,
    ) -> tuple[Found, Any]:
        """See `driver.Stages`."""
        if not groups:
            return {}, []
        frame = self._frame(tasks) if isinstance(tasks, list) else tasks
        items = self._of_groups(frame, groups, scans).mapInArrow(
            _arrow_stage(stage, traceparent()), _ITEM_SCHEMA
        )
        if not last:
            items = items.persist()
            self._persisted.append(items)
        return collect_items(items.where(items.kind != TASK)), items

    def done(self) -> None:
        """Lets go of what stages made."""
        for frame in self._persisted:
            frame.unpersist()

    def _frame(self, tasks: Sequence[Item]) -> DataFrame:
        rows = [(t.kind, t.table, t.place, _dumped(t.payload)) for t in tasks]
        return self._spark.createDataFrame(rows, _ITEM_SCHEMA)

    def _of_groups(self, tasks: DataFrame, groups: Mapping[str, int], scans: bool) -> DataFrame:
        """Tasks by table and group, with what all groups of a table share.

        Partitions are numbered explicitly: Spark would coalesce rows this small into one, and each
        of them takes milliseconds.
        """
        from pyspark.sql import functions as sql  # noqa: PLC0415  # slow to import

        rows = [
            (name, groups[name], rank, number, payload)
            for name, rank, number, payload in self._shared
            if name in groups and (scans or rank == _RANK_OF_CONTEXTS)
        ]
        shared = self._spark.createDataFrame(
            rows, "table string, groups long, rank int, place long, payload binary"
        ).select(
            "table",
            sql.explode(sql.sequence(sql.lit(0), sql.col("groups") - 1)).alias("group"),
            "rank",
            "place",
            "payload",
        )
        several = [sql.lit(x) for pair in groups.items() if pair[1] > 1 for x in pair]
        count = sql.lit(1)
        if several:
            count = sql.coalesce(sql.element_at(sql.create_map(*several), sql.col("table")), count)
        chosen = tasks.where(tasks.kind == TASK).select(
            "table",
            (sql.col("place") % count).cast("long").alias("group"),
            sql.lit(_RANK_OF_TASKS).alias("rank"),
            "place",
            "payload",
        )
        size = sum(count * len(payload) for _, count, _, _, payload in rows)
        most = max(self._slots * _GROUPS_PER_SLOT, size // _BYTES_PER_PARTITION)
        partitions = max(1, min(sum(groups.values()), most))
        return (
            shared.unionByName(chosen)
            .repartition(partitions, "table", "group")
            .sortWithinPartitions("table", "group", "rank", "place")
        )


def _shared(works: Sequence[TableWork]) -> dict[str, list[tuple[int, int, bytes]]]:
    """The contexts and the blocks of each table: rank, number, payload."""
    contexts: dict[str, dict[int, TableContext]] = {}
    found: dict[str, list[tuple[int, int, bytes]]] = {}
    for work in works:
        contexts.setdefault(work.table, {})[work.context.schema_id] = work.context
        payload = _dumped(work.block)
        found.setdefault(work.table, []).append((_RANK_OF_BLOCKS, work.key, payload))
    for table, of_table in contexts.items():
        found[table].insert(0, (_RANK_OF_CONTEXTS, 0, _dumped(of_table)))
    return found


class _PackedBlocks(Mapping[int, Block]):
    """Blocks by key, of which the one that was asked for last is in memory as such."""

    def __init__(self, payloads: Mapping[int, bytes]) -> None:
        self._payloads = payloads
        self._last: Block | None = None

    def __getitem__(self, key: int) -> Block:
        if self._last is None or self._last.key != key:
            self._last = _loaded(self._payloads[key])
        return self._last

    def __iter__(self) -> Iterator[int]:
        return iter(self._payloads)

    def __len__(self) -> int:
        return len(self._payloads)


def _arrow_stage(
    stage: Stage, parent: str
) -> Callable[[Iterable[pa.RecordBatch]], Iterable[pa.RecordBatch]]:
    """A stage as a function of the rows of its groups."""

    def rows(batches: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        with within(parent):
            yield from _batches(stage(_groups(batches)))

    return rows


def _groups(batches: Iterable[pa.RecordBatch]) -> Iterator[Group]:
    """The groups that have tasks. Groups of one table share its contexts, and so its clock."""
    contexts: tuple[str, Mapping[int, TableContext]] | None = None
    rows = (row for batch in batches for row in batch.to_pylist())
    for (name, _), of_group in groupby(rows, key=itemgetter("table", "group")):
        blocks: dict[int, bytes] = {}
        tasks = []
        for row in of_group:
            if row["rank"] == _RANK_OF_BLOCKS:
                blocks[row["place"]] = row["payload"]
            elif row["rank"] == _RANK_OF_TASKS:
                tasks.append(_loaded(row["payload"]))
            elif contexts is None or contexts[0] != name:
                contexts = name, _loaded(row["payload"])
        if tasks:
            assert contexts is not None
            yield Group(PlannedTable(contexts[1], _PackedBlocks(blocks)), tasks)


def _dumped(payload: Any) -> bytes:
    """Pickled, and compressed if it is not small: counts and blocks are mostly repetition."""
    pickled = pickle.dumps(payload)
    return pickled if len(pickled) < _COMPRESSED_FROM else zlib.compress(pickled, _COMPRESSION)


def _loaded(data: bytes) -> Any:
    pickled = data if data.startswith(pickle.PROTO) else zlib.decompress(data)
    return pickle.loads(pickled)  # noqa: S301  # our own


def _payloads(batches: Iterable[pa.RecordBatch]) -> Iterator[Any]:
    for batch in batches:
        for payload in batch.column("payload"):
            yield _loaded(payload.as_py())


def _batches(items: Iterable[Item]) -> Iterator[pa.RecordBatch]:
    """Items as batches of a bounded number of rows and, but for the last of each, of bytes."""
    rows: list[dict[str, Any]] = []
    size = 0
    for kind, payload, table, place in items:
        pickled = _dumped(payload)
        rows.append({"kind": kind, "table": table, "place": place, "payload": pickled})
        size += len(pickled)
        if len(rows) == _ROWS_PER_BATCH or size >= _BYTES_PER_BATCH:
            yield pa.RecordBatch.from_pylist(rows, schema=_ITEM_ARROW)
            rows, size = [], 0
    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema=_ITEM_ARROW)


def _slots(spark: SparkSession) -> int:
    """About how many tasks run at once; Spark Connect knows only the setting."""
    configured = spark.conf.get("spark.default.parallelism", None)
    shuffle = spark.conf.get("spark.sql.shuffle.partitions", None)
    return int(configured or shuffle or 8)
