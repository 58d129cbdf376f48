"""What audits of the demo and of TPC-H find, reviewed by hand: nothing of it is false."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path

import pytest

from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery
from tests.integration.audits import write_config
from tests.integration.test_tpch import PREFIX, TABLES

pytestmark = pytest.mark.slow

Row = tuple[str, str, str, tuple[str, ...]]


def rows(result: AuditResult) -> list[Row]:
    """Severity, cause, table and columns, in the order of the ranks."""
    return [
        (found.severity.value, found.cause, found.table.table, found.columns)
        for found in result.findings
    ]


def test_the_demo(demo_lake: Path) -> None:
    config = load_config(demo_lake)
    start = dt.datetime.combine(DAY, dt.time(), dt.UTC)
    window = Window(start, start + dt.timedelta(days=1))
    runner = LocalRunner()
    result = run_audit(config, window, read_inputs(config, window, runner), runner, ignore)
    assert rows(result) == [
        # date_format(order_ts, …) = '2024-04-…': a day, and all days are read
        ("high", "wrapped_column", "orders", ("order_ts",)),
        # year(order_ts) = 2024 AND month(order_ts) = 4: Trino unwraps the year only
        ("medium", "wrapped_column", "orders", ("order_ts",)),
        # 120,000 events in no order at all
        ("medium", "unclustered_column", "events", ("user_id",)),
        # hour(order_ts) = … AND day_of_week(order_ts) = 1: no range says that
        ("low", "wrapped_column", "orders", ("order_ts",)),
        # email LIKE '%@example.org'
        ("low", "like_without_prefix", "customers", ("email",)),
        # A join with customers of a day: no fault
        ("info", "runtime_only", "orders", ("customer_id",)),
    ]


@pytest.mark.shared
def test_tpch(shared: Path, tmp_path: Path) -> None:
    texts = sorted((shared / "samples" / "tpch_queries").glob("q*.sql"))
    now = dt.datetime(2100, 1, 1, tzinfo=dt.UTC)
    queries = [
        name_tables(
            ObservedQuery(
                source="test",
                query_id=text.stem,
                sql=text.read_text().replace(PREFIX, '"tpch"."sf1000"."'),
                dialect="trino",
                engine="trino",
                engine_version="482",
                started_at=now,
                time_zone="UTC",
            )
        )
        for text in texts
    ]
    config = load_config(
        write_config(
            tmp_path,
            [{"type": "trino_events", "paths": ["none"]}],
            tables=list(tables(shared)),
            path_map=list(paths(shared, tmp_path)),
            findings={"thresholds": [{"table": "*", "min_scans": 1}]},
        )
    )
    window = Window(now - dt.timedelta(days=1), now + dt.timedelta(days=1))
    runner = LocalRunner()
    result = run_audit(config, window, made_inputs(runner, queries), runner, ignore)
    assert rows(result) == [
        # The eight scans of lineitem by shipdate, and the five of orders by orderdate, read all
        # of tables in no order: partitioning or sorting by these is what everybody does.
        ("high", "unclustered_column", "lineitem", ("shipdate",)),
        ("high", "unclustered_column", "orders", ("orderdate",)),
        ("low", "unclustered_column", "part", ("size",)),
        # q02 and q09: LIKE '%BRASS', LIKE '%green%'
        ("low", "like_without_prefix", "part", ("type",)),
        ("low", "like_without_prefix", "part", ("name",)),
        # Joins and subqueries alone: no fault, and no bytes
        # (l_quantity, ps_availqty and ps_supplycost are compared with subqueries; of ps_suppkey,
        # which is NOT IN one, that says nothing)
        ("info", "runtime_only", "lineitem", ("orderkey", "partkey", "suppkey", "quantity")),
        # Left: the table's order is another one
        ("info", "unclustered_column", "lineitem", ("shipmode",)),
        ("info", "runtime_only", "orders", ("orderkey", "custkey")),
        ("info", "runtime_only", "partsupp", ("partkey", "suppkey", "availqty", "supplycost")),
        ("info", "runtime_only", "customer", ("custkey", "nationkey", "acctbal")),
        ("info", "runtime_only", "part", ("partkey",)),
        ("info", "unclustered_column", "part", ("brand",)),
    ]


def tables(shared: Path) -> Iterable[dict[str, str]]:
    for name in TABLES:
        metadata = shared / "tables" / "trino" / f"tpch_sf1000__{name}" / "metadata"
        found = str(max(metadata.glob("*.metadata.json")))
        yield {"name": f"tpch.sf1000.{name}", "metadata": found}


def paths(shared: Path, absent: Path) -> Iterable[dict[str, str]]:
    """The metadata is here; the data files are not, and must not be looked for elsewhere."""
    yield {"from": "s3://", "to": f"{absent}/absent/"}
    for name in TABLES:
        folder = shared / "tables" / "trino" / f"tpch_sf1000__{name}"
        bucket = "s3://starburst-benchmarks-data/iceberg-tpch-sf1000-parquet"
        yield {"from": f"{bucket}/{name}/", "to": f"{folder}/"}


def ignore(_stage: str) -> None:
    pass
