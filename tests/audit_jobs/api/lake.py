"""A small lake that PyIceberg writes: 8 files of 100 rows and 4 row groups each, 2 manifests.

`sales.orders` is partitioned by day. The first commit has 2024-04-01 to 04, ids 0 to 399, and no
region; the second 2024-04-05 to 08, ids 1000 to 1399, and the region eu. Row i of a day is at
i × 14 minutes, its amount is i, and its customer is c0 to c4 in turn.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table import Table
from pyiceberg.transforms import DayTransform
from pyiceberg.types import DoubleType, LongType, NestedField, StringType, TimestampType

ROWS_OF_A_DAY = 100
ROWS_OF_A_ROW_GROUP = 25
FIRST_DAY = datetime(2024, 4, 1)
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
    (folder / "audit.yaml").write_text(
        "catalogs:\n"
        "  lake:\n"
        f"    properties: {{type: sql, uri: 'sqlite:///{folder}/catalog.db', "
        f"warehouse: 'file://{folder}/warehouse'}}\n"
    )
    return catalog.load_table("sales.orders")


def catalog_of(folder: Path) -> SqlCatalog:
    """The catalog of a lake, as PyIceberg opens it."""
    return SqlCatalog(
        "lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/warehouse"
    )


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
