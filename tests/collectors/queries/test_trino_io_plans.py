"""EXPLAIN (TYPE IO, FORMAT JSON): domains as predicates."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.predicates.model import Predicate
from collectors.predicates.render import redact, render
from collectors.queries.observed import ObservedQuery, Rejected
from collectors.queries.trino_io_plans import from_json, read_plans
from collectors.tables.storage import Storage


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


def test_files_hold_lines_or_one_printed_document(tmp_path: Path) -> None:
    plan = document("bigint", [point("5")])
    lines, printed = tmp_path / "lines.json", tmp_path / "printed.json"
    lines.write_text(f"{json.dumps(plan)}\n\n{json.dumps(plan)}\n")
    printed.write_text(json.dumps(plan, indent=2))
    assert len(list(read_plans(str(lines), Storage()))) == 2
    (query,) = read_plans(str(printed), Storage())
    assert isinstance(query, ObservedQuery)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "malformed_json"),
        ("[]", "malformed_plan"),
        ("{}", "malformed_plan"),
        ('{"plan": 5}', "malformed_plan"),
        ('{"inputTableColumnInfos": [{}]}', "malformed_plan"),
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


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(st.data())
def test_fields_of_any_type_break_nothing(data: st.DataObject) -> None:
    plan = copy.deepcopy(document("bigint", [between(bound("1"), bound("9"))]))
    spots: list[tuple[Any, Any]] = []
    pending: list[Any] = [plan]
    while pending:
        found = pending.pop()
        children = found.items() if isinstance(found, dict) else enumerate(found)
        for key, child in list(children):
            spots.append((found, key))
            if isinstance(child, dict | list):
                pending.append(child)
    parent, key = data.draw(st.sampled_from(spots), label="spot")
    parent[key] = data.draw(_anything, label="value")
    assert isinstance(from_json(json.dumps(plan), "here"), ObservedQuery | Rejected)
