"""EXPLAIN (TYPE IO, FORMAT JSON): domains as predicates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.predicates.render import redact, render
from prunescope.collectors.queries.trino.io_plans import from_json, read_plans
from prunescope.collectors.storage.files import Storage


def bound(value: object, kind: str = "EXACTLY") -> dict[str, Any]:
    return {"value": value, "bound": kind}


def between(low: dict[str, Any], high: dict[str, Any]) -> dict[str, Any]:
    return {"low": low, "high": high}


def point(value: object) -> dict[str, Any]:
    return between(bound(value), bound(value))


NAME = {"catalog": "lake", "schemaTable": {"schema": "db", "table": "t"}}
ANY = {"bound": "ABOVE"}
BELOW = {"bound": "BELOW"}


def document(
    kind: str, ranges: list[dict[str, Any]], *, nulls: bool = False, old: bool = False
) -> dict[str, Any]:
    columns = [
        {"columnName": "c", "type": kind, "domain": {"nullsAllowed": nulls, "ranges": ranges}}
    ]
    if old:
        return {"inputTableColumnInfos": [{"table": NAME, "columnConstraints": columns}]}
    constraint = {"none": False, "columnConstraints": columns}
    return {"inputTableColumnInfos": [{"table": NAME, "constraint": constraint}]}


def pushed(plan: dict[str, Any]) -> Predicate:
    query = from_json(json.dumps(plan), "here")
    assert isinstance(query, ObservedQuery)
    (scan,) = query.scans
    assert query.plan_known
    assert str(scan.table) == "lake.db.t"
    assert scan.pushed is not None
    return scan.pushed  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("kind", "ranges", "expected"),
    [
        pytest.param("bigint", [point("5")], "c = 5", id="point"),
        pytest.param("bigint", [point("1"), point("2")], "c IN (1, 2)", id="points"),
        pytest.param(
            "integer", [between(bound("1"), bound("9", "BELOW"))], "c >= 1 AND c < 9", id="range"
        ),
        pytest.param("integer", [between(bound("1", "ABOVE"), BELOW)], "c > 1", id="open above"),
        pytest.param("integer", [between(ANY, bound("9"))], "c <= 9", id="open below"),
        pytest.param("integer", [between(ANY, BELOW)], "c IS NOT NULL", id="any value"),
        pytest.param(
            "integer",
            [between(ANY, bound("1", "BELOW")), between(bound("9"), BELOW)],
            "c < 1 OR c >= 9",
            id="two ranges",
        ),
        pytest.param("varchar(5)", [point("it's")], "c = 'it''s'", id="text"),
        pytest.param("date", [point("2024-01-02")], "c = DATE '2024-01-02'", id="date"),
        pytest.param(
            "timestamp(6)",
            [between(bound("2024-01-02 03:04:05.000006"), BELOW)],
            "c >= TIMESTAMP '2024-01-02 03:04:05.000006'",
            id="timestamp",
        ),
        pytest.param(
            "timestamp(6) with time zone",
            [point("2024-01-02 03:04:05.000006 UTC")],
            "c = TIMESTAMP '2024-01-02 03:04:05.000006 UTC'",
            id="timestamp with zone",
        ),
        pytest.param("decimal(9,2)", [point("1.50")], "c = 1.50", id="decimal"),
        pytest.param("boolean", [point("true")], "c = TRUE", id="boolean"),
        pytest.param("double", [point("1.5E0")], "c = 1.5", id="double"),
        pytest.param("double", [between(bound("-Infinity"), BELOW)], "c >= -inf", id="infinity"),
        pytest.param(
            "time(6)", [point("01:02:03.000004")], "c = TIME '01:02:03.000004'", id="time"
        ),
        pytest.param(
            "timestamp(6) with time zone",
            [point("2024-07-02 03:04:05.000000 America/New_York")],
            "c = TIMESTAMP '2024-07-02 07:04:05 UTC'",
            id="timestamp in a zone",
        ),
        pytest.param(
            "uuid",
            [point("12151fd2-7586-11e9-8f9e-2a86e4085a59")],
            "c = '12151fd2-7586-11e9-8f9e-2a86e4085a59'",
            id="uuid",
        ),
        pytest.param(
            "bigint",
            [point("1"), between(bound("5", "ABOVE"), bound("9"))],
            "c = 1 OR (c > 5 AND c <= 9)",
            id="point and range",
        ),
    ],
)
def test_domains(kind: str, ranges: list[dict[str, Any]], expected: str) -> None:
    assert render(pushed(document(kind, ranges))) == expected
    assert render(pushed(document(kind, ranges, old=True))) == expected


def test_nulls_may_be_in_a_domain() -> None:
    assert render(pushed(document("bigint", [], nulls=True))) == "c IS NULL"
    found = pushed(document("bigint", [point("5")], nulls=True))
    assert render(found) == "c = 5 OR c IS NULL"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("varbinary", "00"),
        ("char(3)", "a  "),
        ("row(a bigint)", "{1}"),
        ("array(bigint)", "[1]"),
        # Trino's cast of a real keeps 7 digits of up to 9.
        ("real", "1.5E0"),
        ("double", "1E999"),
        ("double", "NaN"),
        ("bigint", "1_0"),
        ("decimal(9,2)", "NaN"),
        ("time(9)", "01:02:03.000000001"),
        ("date", "+12024-01-01"),
        ("timestamp(6)", "2024-01-02 03:04:05 UTC"),
        ("timestamp(6) with time zone", "2024-01-02 03:04:05"),
        ("timestamp(6) with time zone", "2024-01-02 03:04:05 Nowhere/Land"),
        # Clocks were set back: this hour came twice.
        ("timestamp(6) with time zone", "2024-11-03 01:30:00 America/New_York"),
        ("uuid", "12151FD2"),
        ("bigint", "canary"),
        ("date", "canary"),
        ("boolean", "canary"),
        ("geometry", "canary"),
        ("decimal(9,2)", "canary"),
    ],
)
def test_values_that_are_not_read_never_prune_and_do_not_show(kind: str, value: str) -> None:
    found = pushed(document(kind, [point(value)]))
    assert redact(found) == render(found) == "domain of c"


@pytest.mark.parametrize(
    "domain",
    [
        pytest.param({"nullsAllowed": False}, id="no ranges"),
        pytest.param({"ranges": [point("1")]}, id="nulls are not told"),
        pytest.param({"nullsAllowed": False, "ranges": [5]}, id="range of another type"),
        pytest.param({"nullsAllowed": False, "ranges": [{"low": ANY}]}, id="half a range"),
        pytest.param(
            {"nullsAllowed": False, "ranges": [between(bound("1", "BELOW"), BELOW)]},
            id="low value that is no limit",
        ),
        pytest.param({"nullsAllowed": False, "ranges": [point(1)]}, id="value that is no text"),
    ],
)
def test_domains_that_are_not_understood_never_prune(domain: dict[str, Any]) -> None:
    plan = document("bigint", [])
    constraint = plan["inputTableColumnInfos"][0]["constraint"]
    constraint["columnConstraints"][0]["domain"] = domain
    assert render(pushed(plan)) == "domain of c"


def test_columns_are_a_conjunction_but_a_name_that_comes_twice_tells_none() -> None:
    plan = document("bigint", [point("5")])
    columns = plan["inputTableColumnInfos"][0]["constraint"]["columnConstraints"]
    columns.append({**columns[0], "columnName": "d"})
    assert render(pushed(plan)) == "c = 5 AND d = 5"
    columns.append({**columns[0], "type": "varchar"})
    assert render(pushed(plan)) == "domain of c AND d = 5"


def test_old_versions_name_the_type_otherwise() -> None:
    plan = document("bigint", [point("5")], old=True)
    column = plan["inputTableColumnInfos"][0]["columnConstraints"][0]
    column["typeSignature"] = column.pop("type")
    assert render(pushed(plan)) == "c = 5"


def test_a_plan_that_reads_nothing() -> None:
    plan = document("bigint", [])
    plan["inputTableColumnInfos"][0]["constraint"] = {"none": True}
    assert render(pushed(plan)) == "FALSE"


def test_a_plan_in_an_envelope() -> None:
    plan = document("bigint", [point("5")])
    for inner in (plan, json.dumps(plan)):
        envelope = {"query_id": "q", "started_at": "2024-01-02T03:04:05Z", "plan": inner}
        query = from_json(json.dumps(envelope), "here")
        assert isinstance(query, ObservedQuery)
        assert query.query_id == "q"
        assert query.started_at is not None
        assert query.sql is None


def test_files_hold_lines_or_printed_documents_or_arrays(tmp_path: Path) -> None:
    plan = document("bigint", [point("5")])
    path = tmp_path / "plans.json"
    for content, count in (
        (f"{json.dumps(plan)}\n\n{json.dumps(plan)}\n", 2),
        (json.dumps(plan, indent=2), 1),
        (json.dumps([plan, plan, plan], indent=2), 3),
    ):
        path.write_text(content)
        found = list(read_plans(str(path), Storage()))
        assert [type(query) for query in found] == [ObservedQuery] * count


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "malformed_json"),
        ("[]", "malformed_plan"),
        ("{}", "malformed_plan"),
        ('{"plan": 5}', "malformed_plan"),
        ('{"inputTableColumnInfos": [{}]}', "malformed_plan"),
        (json.dumps({"inputTableColumnInfos": [{"table": NAME}]}), "malformed_plan"),
        (
            json.dumps({"inputTableColumnInfos": [{"table": NAME, "constraint": 5}]}),
            "malformed_plan",
        ),
        (
            json.dumps({"inputTableColumnInfos": [{"table": NAME, "columnConstraints": [5]}]}),
            "malformed_plan",
        ),
    ],
)
def test_what_is_no_plan(line: str, reason: str) -> None:
    rejected = from_json(line, "here")
    assert isinstance(rejected, Rejected)
    assert rejected.reason == reason
