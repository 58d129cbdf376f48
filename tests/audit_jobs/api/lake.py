"""A small lake that PyIceberg writes: 8 files of 100 rows and 4 row groups each, 2 manifests.

`sales.orders` is partitioned by day. The first commit has 2024-04-28 to 05-01, ids 0 to 399, and no
region; the second 2024-05-02 to 05, ids 1000 to 1399, and the region eu. Row i of a day is at
i × 14 minutes, its amount is i, and its customer is c0 to c4 in turn.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table import Table
from pyiceberg.transforms import DayTransform
from pyiceberg.types import DoubleType, LongType, NestedField, StringType, TimestampType

from tests.scenarios.lake import EVERYTHING

ROWS_OF_A_DAY = 100
ROWS_OF_A_ROW_GROUP = 25
ENGINE = {"engine": "trino", "engine_version": "482"}
FIRST_DAY = datetime(2024, 4, 28)
SCHEMA = Schema(
    NestedField(1, "id", LongType(), required=False),
    NestedField(2, "order_ts", TimestampType(), required=False),
    NestedField(3, "customer", StringType(), required=False),
    NestedField(4, "amount", DoubleType(), required=False),
    NestedField(5, "region", StringType(), required=False),
)
BY_DAY = PartitionSpec(PartitionField(2, 1000, DayTransform(), "order_ts_day"))


def write_lake(folder: Path) -> Table:
    """Writes the lake and its audit.yaml into a folder, and returns `sales.orders`."""
    catalog = catalog_of(folder)
    catalog.create_namespace("sales")
    orders = catalog.create_table(
        "sales.orders",
        SCHEMA,
        partition_spec=BY_DAY,
        properties={"write.parquet.row-group-limit": str(ROWS_OF_A_ROW_GROUP)},
    )
    orders.append(_rows(first_id=0, first_day=0, region=None))
    orders.append(_rows(first_id=1000, first_day=4, region="eu"))
    _write_log(folder)
    (folder / "audit.yaml").write_text(yaml.safe_dump(_configuration(folder)))
    everything = {"findings": {"thresholds": [{"table": "*", **EVERYTHING}]}}
    (folder / "everything.yaml").write_text(
        yaml.safe_dump({**_configuration(folder), **everything})
    )
    return catalog.load_table("sales.orders")


def catalog_of(folder: Path) -> SqlCatalog:
    """The catalog of a lake, as PyIceberg opens it."""
    return SqlCatalog(
        "lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/warehouse"
    )


def _configuration(folder: Path) -> dict[str, Any]:
    properties = {
        "type": "sql",
        "uri": f"sqlite:///{folder}/catalog.db",
        "warehouse": f"file://{folder}/warehouse",
    }
    return {
        "catalogs": {"lake": {"properties": properties}},
        "sources": [{"type": "sql_records", "paths": [f"{folder}/log.jsonl"], **ENGINE}],
        "audit": {"catalog": "lake", "namespace": "ops.audit"},
    }


def _write_log(folder: Path) -> None:
    """A log of 2024-04-30: 20 queries for the day before, all of which Trino reads everything
    for."""
    sql = (
        "SELECT count(*) FROM lake.sales.orders "
        "WHERE date_format(order_ts, '%Y-%m-%d') = '2024-04-29'"
    )
    lines = [
        {"sql": sql, "query_id": f"q{n}", "started_at": f"2024-04-30T12:{n:02}:00Z"}
        for n in range(20)
    ]
    (folder / "log.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def _rows(*, first_id: int, first_day: int, region: str | None) -> pa.Table:
    at = [(day, i) for day in range(4) for i in range(ROWS_OF_A_DAY)]
    return pa.table(
        {
            "id": [first_id + day * ROWS_OF_A_DAY + i for day, i in at],
            "order_ts": [
                FIRST_DAY + timedelta(days=first_day + day, minutes=14 * i) for day, i in at
            ],
            "customer": [f"c{i % 5}" for _, i in at],
            "amount": [float(i) for _, i in at],
            "region": pa.array([region for _ in at], pa.string()),
        }
    )
