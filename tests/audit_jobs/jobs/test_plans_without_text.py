"""Queries of which the log has plans and no text are told apart by the conditions that are shown
there, not by what these imply."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import (
    ObservedQuery,
    ObservedScan,
    PlanText,
    RowFilter,
    TableName,
)
from tests.audit_jobs.jobs.lakes import WINDOW, config_of

_DAY = 86_400_000_000
_FROM = 20_000 * _DAY
"""A midnight in UTC, in microseconds: 2024-10-04."""

Plan = tuple[str, str]
"""What a scan node has of filters, and the condition of the Filter above it."""


@pytest.fixture(scope="module")
def metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake")
    warehouse = f"file://{folder}/warehouse"
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=warehouse)
    catalog.create_namespace("db")
    schema = pa.schema(
        [("ts", pa.timestamp("us", "UTC")), ("name", pa.string()), ("id", pa.int64())]
    )
    table = catalog.create_table("db.t", schema)
    table.append(pa.table({"ts": [_FROM], "name": ["a"], "id": [1]}, schema))
    location = table.metadata_location
    catalog.close()
    return Path(location.removeprefix("file://"))


def fingerprints(metadata: Path, *plans: Plan) -> list[str]:
    runner = LocalRunner()
    queries = []
    for number, (pushed, condition) in enumerate(plans):
        above = RowFilter((condition,) if condition else ())
        scan = ObservedScan(
            TableName("lake", ("db",), "t"), None, {}, None, PlanText(pushed), (), above
        )
        queries.append(
            ObservedQuery(
                source="spark_event_logs",
                query_id=f"q{number}",
                sql=None,
                dialect="spark",
                engine="spark",
                engine_version="4.1.0",
                time_zone="UTC",
                scans=(scan,),
                plan_known=True,
            )
        )
    inputs = made_inputs(runner, [name_tables(query) for query in queries])
    result = run_audit(config_of({"t": metadata}), WINDOW, inputs, runner, lambda _: None)
    found = {row["query_id"]: row["fingerprint"] for row in result.scan_plans()}
    return [found[f"q{number}"] for number in range(len(plans))]


def of_day(day: int) -> Plan:
    """`date_trunc('day', ts) = …`"""
    text = f"2024-10-{4 + day:02} 00:00:00"
    return "ts IS NOT NULL", f"(isnotnull(ts#) AND (date_trunc(day, ts#, Some(UTC)) = {text}))"


def of_range(first: int, until: int) -> Plan:
    """`ts >= … AND ts < …`"""
    start, end = _FROM + first * _DAY, _FROM + until * _DAY
    texts = [f"2024-10-{4 + day:02} 00:00:00" for day in (first, until)]
    return (
        f"ts IS NOT NULL, ts >= {start}, ts < {end}",
        f"((isnotnull(ts#) AND (ts# >= {texts[0]})) AND (ts# < {texts[1]}))",
    )


def of_format(pattern: str, text: str) -> Plan:
    """`date_format(ts, …) = …`"""
    formatted = f"date_format(ts#, {pattern}, Some(UTC)) = {text}"
    return "ts IS NOT NULL", f"(isnotnull(ts#) AND ({formatted}))"


def of_upper(name: str) -> Plan:
    """`upper(name) = …`"""
    return "name IS NOT NULL", f"(isnotnull(name#) AND (upper(name#) = {name}))"


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        pytest.param(of_day(0), of_day(1), True, id="another day"),
        pytest.param(of_day(0), of_range(0, 1), False, id="the range that a day is"),
        pytest.param(of_range(0, 1), of_range(1, 5), True, id="another range"),
        pytest.param(of_upper("A"), of_upper("B"), True, id="another text"),
        pytest.param(of_upper("A"), ("name IS NOT NULL", ""), False, id="no condition"),
        pytest.param(
            of_format("yyyy-MM-dd", "2024-10-04"),
            of_format("yyyy-MM-dd", "2024-10-05"),
            True,
            id="another formatted day",
        ),
        pytest.param(
            of_format("yyyy-MM-dd", "2024-10-04"),
            of_format("yyyy-MM", "2024-10"),
            True,
            id="another format, which is a literal",
        ),
        pytest.param(
            ("id IS NOT NULL, id = 1", "(isnotnull(id#) AND (id# = 1))"),
            ("id IS NOT NULL, id = 2", ""),
            True,
            id="a condition that partitions answer, once they do",
        ),
    ],
)
def test_what_is_shown_tells_queries_apart(
    metadata: Path, one: Plan, other: Plan, *, is_same: bool
) -> None:
    found = fingerprints(metadata, one, other)
    assert (found[0] == found[1]) == is_same
