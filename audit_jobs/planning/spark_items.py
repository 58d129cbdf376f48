"""Items of a run on Spark: items that this process made are here, and items that tasks made are
rows of plain columns to group by and a pickled payload."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from prunescope.audit_jobs.planning.items import Found, Item, Items
from prunescope.audit_jobs.planning.runner import LocalItems
from prunescope.audit_jobs.planning.spark_made import Made, is_worker_lost, settled

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ARROW = "spark.sql.execution.arrow.pyspark.enabled"
ITEM_SCHEMA = "kind string, `table` string, place long, `order` long, payload binary"

_ROWS_PER_BATCH = 1024
_BYTES_PER_BATCH = 16 * 1024 * 1024
_COMPRESSED_FROM = 4_096
_COMPRESSION = 1

_ITEM_ARROW = pa.schema(
    [
        ("kind", pa.string()),
        ("table", pa.string()),
        ("place", pa.int64()),
        ("order", pa.int64()),
        ("payload", pa.binary()),
    ]
)


class SparkItems:
    """Items in this process, and others as rows that stages made, each with the kinds that are
    meant (None: all). `parts` is empty if no such rows can exist: a query that finds none takes
    Spark tenths of a second."""

    def __init__(
        self,
        spark: SparkSession,
        own: LocalItems,
        made: Sequence[tuple[Made, frozenset[str] | None]] = (),
    ) -> None:
        self._spark = spark
        self.own = own
        self.parts = tuple(made)

    @property
    def sources(self) -> Iterator[Made]:
        """The results of stages of which some items are meant."""
        return (made for made, _ in self.parts)

    def made(self) -> DataFrame | None:
        """The rows that stages made, or None if there are none."""
        frame: DataFrame | None = None
        for made, kinds in self.parts:
            wanted = ", ".join(map(repr, sorted(kinds or ())))
            rows = made.frame if kinds is None else made.frame.where(f"kind IN ({wanted})")
            frame = together(frame, rows)
        return frame

    def of(self, *kinds: str) -> SparkItems:
        """The items of some kinds."""
        some = frozenset(kinds)
        made = [(one, some if known is None else known & some) for one, known in self.parts]
        meant = [(one, known) for one, known in made if known]
        return SparkItems(self._spark, self.own.of(*kinds), meant)

    def also(self, others: Items) -> SparkItems:
        """These items and others."""
        assert isinstance(others, SparkItems)
        made = (*self.parts, *others.parts)
        return SparkItems(self._spark, self.own.also(others.own), made)

    def here(self) -> Sequence[Item] | None:
        """All items, if no stage on Spark made any; else None."""
        return None if self.parts else self.own.here()

    def found(self, *kinds: str) -> Found:
        """The payloads of some kinds, by kind, in this process."""
        wanted = self.of(*kinds)
        found = wanted.own.found(*kinds)
        for row in wanted.collected("kind", "payload"):
            found.setdefault(row.kind, []).append(loaded(row.payload))
        return found

    def stream(self, kind: str) -> Iterator[Any]:
        """The payloads of one kind, one partition of rows after the other."""
        wanted = self.of(kind)
        yield from wanted.own.stream(kind)
        settled(wanted.sources)
        rows = wanted.made()
        if rows is not None:
            for row in rows.select("payload").toLocalIterator(prefetchPartitions=True):
                yield loaded(row.payload)

    @cached_property
    def brought(self) -> LocalItems:
        """All items, in this process."""
        made = [
            Item(row.kind, loaded(row.payload), row.table, row.place, row.order)
            for row in self.collected(*_ITEM_ARROW.names)
        ]
        return self.own.also(LocalItems(made))

    def collected(self, *columns: str) -> Sequence[Any]:
        """Some columns of the rows that stages made. If the query kills workers, the stages are
        settled first: `instead` then makes the rows of the groups concerned, unless workers survive
        a second attempt, as they mostly do if memory falls short by little."""
        rows = self.made()
        if rows is None:
            return []
        try:
            found = rows.select(*columns).collect()
        except Exception as error:
            if not is_worker_lost(error) or not any(made.may_settle for made in self.sources):
                raise
            settled(self.sources)
            return self.collected(*columns)
        for source in self.sources:
            source.is_settled = True
        return found


def columns_of(items: Sequence[Item]) -> dict[str, Sequence[Any]]:
    """Items as columns of the ITEM_SCHEMA."""
    return {
        "kind": [item.kind for item in items],
        "table": [item.table for item in items],
        "place": [item.place for item in items],
        "order": [item.order for item in items],
        "payload": [dumped(item.payload) for item in items],
    }


def frame(spark: SparkSession, columns: Mapping[str, Sequence[Any]], schema: str) -> DataFrame:
    """Columns of this process as a DataFrame: by Arrow, because rows in other forms travel through
    Python workers."""
    import pandas as pd  # noqa: PLC0415  # slow to import

    with _arrow(spark):
        return spark.createDataFrame(pd.DataFrame(columns), schema)


def together(one: DataFrame | None, other: DataFrame | None) -> DataFrame | None:
    """The union of both, or the one that is not None."""
    if one is None or other is None:
        return other if one is None else one
    return one.unionByName(other)


@contextmanager
def _arrow(spark: SparkSession) -> Iterator[None]:
    """Has a session make DataFrames from pandas' by Arrow, and restores the setting afterwards,
    because the session may be a notebook's. A session that refuses settings, as managed ones do,
    keeps its own."""
    before = spark.conf.get(ARROW, None)
    is_set = before != "true" and _is_set(spark, ARROW, "true")
    try:
        yield
    finally:
        if is_set and before is not None:
            spark.conf.set(ARROW, before)
        elif is_set:
            spark.conf.unset(ARROW)


def _is_set(spark: SparkSession, setting: str, value: str) -> bool:
    """True if the setting was changed; False if the session refuses that."""
    from pyspark.errors import PySparkException  # noqa: PLC0415  # slow to import

    try:
        spark.conf.set(setting, value)
    except PySparkException:
        return False
    return True


def dumped(payload: Any) -> bytes:
    """Pickled, and compressed if it is not small: counts and blocks are mostly repetition."""
    pickled = pickle.dumps(payload)
    return pickled if len(pickled) < _COMPRESSED_FROM else zlib.compress(pickled, _COMPRESSION)


def loaded(data: bytes) -> Any:
    """The object that was `dumped`."""
    pickled = data if data.startswith(pickle.PROTO) else zlib.decompress(data)
    return pickle.loads(pickled)  # noqa: S301  # our own


def batches(items: Iterable[Item]) -> Iterator[pa.RecordBatch]:
    """Batches of items, each with a bounded number of rows and, up to its last item, of bytes."""
    rows: list[dict[str, Any]] = []
    size = 0
    for kind, payload, table, place, order in items:
        pickled = dumped(payload)
        rows.append(
            {"kind": kind, "table": table, "place": place, "order": order, "payload": pickled}
        )
        size += len(pickled)
        if len(rows) == _ROWS_PER_BATCH or size >= _BYTES_PER_BATCH:
            yield pa.RecordBatch.from_pylist(rows, schema=_ITEM_ARROW)
            rows, size = [], 0
    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema=_ITEM_ARROW)
