"""A DELETE of whole partitions drops their files, and scans none."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import BucketTransform, DayTransform, IdentityTransform
from pyiceberg.types import DateType, LongType, NestedField, StringType, TimestamptzType

from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery
from tests.audit_jobs.jobs.lakes import WINDOW, config_of

pytestmark = pytest.mark.slow

SCHEMA = Schema(
    NestedField(1, "id", LongType()),
    NestedField(2, "dt", DateType()),
    NestedField(3, "ts", TimestamptzType()),
    NestedField(4, "cat", StringType()),
)
DAY = "ts >= TIMESTAMP '2024-03-01 00:00:00 UTC' AND ts < TIMESTAMP '2024-03-02 00:00:00 UTC'"

DROPPED = (
    "DELETE FROM t WHERE dt = DATE '2024-03-01'",
    "DELETE FROM t WHERE dt < DATE '2024-03-01' OR dt IS NULL",
    f"DELETE FROM t WHERE {DAY}",
    "DELETE FROM t WHERE dt = DATE '2024-03-01' AND ts >= TIMESTAMP '2024-03-01 00:00:00 UTC'",
    "DELETE FROM t AS x WHERE x.dt IN (DATE '2024-03-01', DATE '2024-03-05')",
)
SCANNED = (
    "SELECT * FROM t WHERE dt = DATE '2024-03-01'",
    "UPDATE t SET cat = 'b' WHERE dt = DATE '2024-03-01'",
    "DELETE FROM t WHERE dt = DATE '2024-03-01' AND cat = 'a'",
    "DELETE FROM t WHERE dt = DATE '2024-03-01' AND upper(cat) = 'A'",
    "DELETE FROM t WHERE dt = DATE '2024-03-01' AND rand() < 0.5",
    "DELETE FROM t WHERE dt = DATE '2024-03-01' AND id IN (SELECT id FROM u)",
    "DELETE FROM t WHERE dt = DATE '2024-03-01' OR cat = 'a'",
    "DELETE FROM t WHERE ts >= TIMESTAMP '2024-03-01 10:00:00 UTC'",
    "DELETE FROM t WHERE id = 5",
    "DELETE FROM u WHERE dt = DATE '2024-03-01'",
)
OF_SPARK = ("DELETE FROM t WHERE year(dt) = 2024",)
"""Spark does not push these."""


def write_tables(folder: Path) -> dict[str, Path]:
    """`t` by day, identity and bucket; `u` with files from before it had partitions."""
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/c.db", warehouse=f"file://{folder}/w")
    catalog.create_namespace("db")
    found = {}
    spec = PartitionSpec(
        PartitionField(2, 1000, IdentityTransform(), "dt"),
        PartitionField(3, 1001, DayTransform(), "day"),
        PartitionField(1, 1002, BucketTransform(4), "bucket"),
    )
    tables = {
        "t": catalog.create_table("db.t", SCHEMA, partition_spec=spec),
        "u": catalog.create_table("db.u", SCHEMA),
    }
    with tables["u"].update_spec() as update:
        update.add_field("dt", IdentityTransform())
    for name, table in tables.items():
        found[name] = Path(table.metadata_location.removeprefix("file://"))
    catalog.close()
    return found


@pytest.mark.parametrize(
    ("engine", "version"), [("spark", "4.1.4"), ("spark", None), ("trino", "483"), ("duckdb", None)]
)
def test_what_deletes_scan(tmp_path: Path, engine: str, version: str | None) -> None:
    expected = {
        **dict.fromkeys(DROPPED, "replayed" if engine == "duckdb" else "not_scanned"),
        **dict.fromkeys(SCANNED, "replayed"),
        **dict.fromkeys(OF_SPARK, "not_scanned" if engine == "trino" else "replayed"),
    }
    queries = [
        ObservedQuery(
            "test",
            sql,
            sql,
            engine,
            catalog="lake",
            schema="db",
            engine=engine,
            engine_version=version,
            time_zone="UTC",
        )
        for sql in expected
    ]
    runner = LocalRunner()
    inputs = made_inputs(runner, [name_tables(query) for query in queries])
    config = config_of(write_tables(tmp_path))
    rows = run_audit(config, WINDOW, inputs, runner, lambda _: None).scan_plans()
    assert {row["query_id"]: row["outcome"] for row in rows} == expected
