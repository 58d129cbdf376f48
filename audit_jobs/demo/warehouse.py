"""The demo warehouse: four Iceberg tables in a SQL catalog, laid out well and badly."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel
from pyiceberg.catalog import Catalog
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.serializers import ToOutputFile
from pyiceberg.table import Table
from pyiceberg.transforms import BucketTransform, DayTransform, IdentityTransform, Transform
from pyiceberg.types import (
    DateType,
    DecimalType,
    IntegerType,
    LongType,
    NestedField,
    PrimitiveType,
    StringType,
    TimestamptzType,
)

from prunescope.audit_jobs.demo import rows
from prunescope.audit_jobs.demo.position_deletes import delete_first_rows

CATALOG = "lake"
DAY = dt.date(2024, 4, 30)
"""The day whose queries are audited. The tables hold the days before it."""

_SEED = 7
_ORDER_DAYS, _ORDERS_PER_DAY = 60, 6_000
_SESSION_DAYS, _SESSIONS_PER_DAY = 30, 1_200
_EVENT_DAYS, _EVENTS_PER_DAY = 60, 2_000
_HISTORY = dt.timedelta(days=60)


@dataclass(frozen=True, slots=True)
class DemoWarehouse:
    """The demo's tables and their catalog. `properties` open the catalog with PyIceberg."""

    properties: Mapping[str, str]

    def open(self) -> SqlCatalog:
        """The catalog; the caller closes it."""
        return SqlCatalog(CATALOG, **self.properties)


def build(directory: Path) -> DemoWarehouse:
    """Creates catalog and tables in a directory that has none."""
    folder = directory.resolve()
    warehouse = DemoWarehouse(
        {
            "type": "sql",
            "uri": f"sqlite:///{folder / 'catalog.db'}",
            "warehouse": str(folder / "warehouse"),
        }
    )
    with closing(warehouse.open()) as catalog:
        fill(catalog)
    return warehouse


def fill(catalog: Catalog) -> None:
    """Creates the tables in a catalog that has none. The rows are the same every time; snapshot
    ids and file names are not.

    - `sales.orders`: by day, several files a day sorted by customer, and position deletes
    - `sales.customers`: in 8 buckets of the customer
    - `web.events`: not partitioned, not sorted, many small files
    - `web.sessions`: by country and day
    """
    for namespace in ("sales", "web"):
        catalog.create_namespace(namespace)
    rng = np.random.default_rng(_SEED)
    for table in (
        _orders(catalog, rng),
        _customers(catalog, rng),
        _events(catalog, rng),
        _sessions(catalog, rng),
    ):
        _date_snapshots(catalog, table)


def days_before(day: dt.date, count: int) -> list[dt.date]:
    """The `count` days before a day, in order."""
    return [day - dt.timedelta(days=back) for back in range(count, 0, -1)]


def _orders(catalog: Catalog, rng: np.random.Generator) -> Table:
    table = _create(
        catalog,
        "sales.orders",
        {
            "order_id": LongType(),
            "order_ts": TimestamptzType(),
            "customer_id": LongType(),
            "status": StringType(),
            "amount": DecimalType(12, 2),
            "country": StringType(),
            "note": StringType(),
        },
        {"order_ts": DayTransform()},
        {"write.parquet.row-group-limit": "400", "write.target-file-size-bytes": "120000"},
    )
    for days in _batches(days_before(DAY, _ORDER_DAYS), 5):
        table.append(rows.orders(rng, days, _ORDERS_PER_DAY))
    recent = f"order_ts >= '{DAY - dt.timedelta(days=6)}T00:00:00+00:00'"
    files = [task.file for task in table.scan(recent).plan_files()]
    delete_first_rows(table, files[::3], 25)
    return table


def _customers(catalog: Catalog, rng: np.random.Generator) -> Table:
    table = _create(
        catalog,
        "sales.customers",
        {
            "customer_id": LongType(),
            "name": StringType(),
            "email": StringType(),
            "country": StringType(),
            "signup_date": DateType(),
        },
        {"customer_id": BucketTransform(8)},
        {"write.parquet.row-group-limit": "500", "write.target-file-size-bytes": "80000"},
    )
    part = rows.CUSTOMERS // 4
    for first in range(1, rows.CUSTOMERS, part):
        table.append(rows.customers(rng, first, part))
    return table


def _events(catalog: Catalog, rng: np.random.Generator) -> Table:
    table = _create(
        catalog,
        "web.events",
        {
            "event_ts": TimestamptzType(),
            "user_id": LongType(),
            "kind": StringType(),
            "url": StringType(),
            "duration_ms": LongType(),
        },
        {},
        {"write.target-file-size-bytes": "20000"},
    )
    for days in _batches(days_before(DAY, _EVENT_DAYS), 10):
        table.append(rows.events(rng, days, _EVENTS_PER_DAY))
    return table


def _sessions(catalog: Catalog, rng: np.random.Generator) -> Table:
    table = _create(
        catalog,
        "web.sessions",
        {
            "session_id": LongType(),
            "started_at": TimestamptzType(),
            "country": StringType(),
            "user_id": LongType(),
            "pages": IntegerType(),
        },
        {"country": IdentityTransform(), "started_at": DayTransform()},
        {"write.target-file-size-bytes": "16000"},
    )
    for days in _batches(days_before(DAY, _SESSION_DAYS), 3):
        table.append(rows.sessions(rng, days, _SESSIONS_PER_DAY))
    return table


def _create(
    catalog: Catalog,
    name: str,
    columns: Mapping[str, PrimitiveType],
    partitioning: Mapping[str, Transform[Any, Any]],
    properties: Mapping[str, str],
) -> Table:
    fields = [
        NestedField(field_id, column, kind, required=False)
        for field_id, (column, kind) in enumerate(columns.items(), start=1)
    ]
    ids = {field.name: field.field_id for field in fields}
    spec = PartitionSpec(
        *(
            PartitionField(ids[column], 1000 + place, transform, _partition_name(column, transform))
            for place, (column, transform) in enumerate(partitioning.items())
        )
    )
    return catalog.create_table(
        name,
        Schema(*fields),
        partition_spec=spec,
        properties={"format-version": "2", **properties},
    )


def _partition_name(column: str, transform: Transform[Any, Any]) -> str:
    """The name of a partition field as Spark and Trino choose it."""
    if isinstance(transform, IdentityTransform):
        return column
    return f"{column}_{str(transform).partition('[')[0]}"


def _date_snapshots(catalog: Catalog, table: Table) -> None:
    """Spreads the table's snapshots over the days before the audited one: queries without a
    snapshot id are replayed on the snapshot that was current when they ran."""
    metadata = table.metadata
    last = dt.datetime.combine(DAY, dt.time(), dt.UTC) - dt.timedelta(hours=1)
    step = _HISTORY / len(metadata.snapshots)
    moments = [last - step * back for back in range(len(metadata.snapshots))][::-1]
    dates = [{"timestamp_ms": int(moment.timestamp() * 1_000)} for moment in moments]
    location = f"{table.location()}/metadata/dated.metadata.json"
    ToOutputFile.table_metadata(
        metadata.model_copy(
            update={
                "snapshots": _updated(metadata.snapshots, dates),
                "snapshot_log": _updated(metadata.snapshot_log, dates),
                "metadata_log": [],
                "last_updated_ms": dates[-1]["timestamp_ms"],
            }
        ),
        table.io.new_output(location),
    )
    catalog.drop_table(table.name())
    catalog.register_table(table.name(), location)


def _updated(models: Sequence[BaseModel], updates: Sequence[Mapping[str, int]]) -> list[BaseModel]:
    return [model.model_copy(update=update) for model, update in zip(models, updates, strict=True)]


def _batches(days: Sequence[dt.date], size: int) -> list[Sequence[dt.date]]:
    return [days[start : start + size] for start in range(0, len(days), size)]
