"""A table of two years by month, and the configuration to check files of it by."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pyarrow as pa
import yaml
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import MonthTransform
from pyiceberg.types import (
    DateType,
    IntegerType,
    LongType,
    NestedField,
    StringType,
    TimestampType,
)

START, DAYS = dt.date(2025, 1, 1), 730
_SCHEMA = Schema(
    NestedField(1, "id", LongType()),
    NestedField(2, "at", TimestampType()),
    NestedField(3, "d", DateType()),
    NestedField(4, "country", StringType()),
    NestedField(5, "dt", StringType()),
    NestedField(6, "n", IntegerType()),
)
_COUNTRIES = ("de", "fr", "us", "a;b", None)
THRESHOLDS = {
    "table": "*",
    "small_table_bytes": 0,
    "min_bytes_at_stake": 1,
    "min_share": 0.0,
    "medium_bytes": 1,
    "high_bytes": 2,
}
"""Thresholds by which every loss of bytes is high."""


def rows() -> pa.Table:
    """Five rows a day, and one without a time for each country."""
    hours = (0, 3, 12, 23)
    days = [START + dt.timedelta(days=day) for day in range(DAYS)]
    times = [dt.datetime(d.year, d.month, d.day, hour) for d in days for hour in hours]
    last = [dt.datetime(d.year, d.month, d.day, 23, 59, 59, 999999) for d in days]
    stamps = sorted([*times, *last])
    return pa.table(
        {
            "id": pa.array(range(len(stamps)), pa.int64()),
            "at": pa.array(stamps, pa.timestamp("us")),
            "d": pa.array([each.date() for each in stamps], pa.date32()),
            "country": [_COUNTRIES[i % len(_COUNTRIES)] for i in range(len(stamps))],
            "dt": [each.date().isoformat() for each in stamps],
            "n": pa.array([i % 17 for i in range(len(stamps))], pa.int32()),
        }
    )


def make_lake(folder: Path) -> Path:
    """The lake in a folder, with the table web.events; its configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    uri, warehouse = f"sqlite:///{folder}/catalog.db", f"file://{folder}/warehouse"
    catalog = SqlCatalog("lake", uri=uri, warehouse=warehouse)
    catalog.create_namespace("web")
    by_month = PartitionSpec(PartitionField(2, 1000, MonthTransform(), "at_month"))
    table = catalog.create_table("web.events", _SCHEMA, partition_spec=by_month)
    table.append(rows())
    catalog.close()
    config = {
        "catalogs": {"lake": {"properties": {"type": "sql", "uri": uri, "warehouse": warehouse}}},
        "findings": {"thresholds": [THRESHOLDS]},
    }
    path = folder / "audit.yaml"
    path.write_text(yaml.safe_dump(config))
    return path
