"""What a Trino event says of tables besides their inputs: views, row filters, masks, dynamic
filters; and the same event as a row of the MySQL listener."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.predicates.model import Reason, Unsupported
from collectors.queries import trino_events, trino_mysql
from collectors.queries.observed import ObservedQuery, Reference, Rejected, TableName

INPUT = {"catalogName": "lake", "schema": "db", "table": "t", "connectorInfo": {"snapshotId": 7}}
TABLE = {
    "catalog": "lake",
    "schema": "db",
    "table": "t",
    "filters": ["day > DATE '2024-01-01'", {"expression": "id = 1"}, 5],
    "columns": [{"column": "name", "mask": "'x'"}, {"column": "id"}, 7],
}
VIEW = {"catalog": "lake", "schema": "db", "table": "v", "viewText": "SELECT * FROM t"}
PLAN = (
    "Fragment 1\n"
    "    ScanFilter[table = lake:db.t$data@77, filterPredicate = (a = 1), "
    "dynamicFilters = {customer_id = #df_370, id_3 = #df_9}]\n"
    "    ScanFilter[table = lake:db.other@5, dynamicFilters = {x = #df_371}]\n"
)
DOMAINS = [
    {
        "dynamicFilterId": "df_370",
        "simplifiedDomain": "[ SortedRangeSet[type=bigint, ranges=3, {[77123], ..., [99]}] ]",
    },
    {"dynamicFilterId": "df_9", "simplifiedDomain": "ALL"},
    {"dynamicFilterId": "df_404", "simplifiedDomain": "[ ranges=1 ]"},
]


def event(**metadata: Any) -> dict[str, Any]:
    return {
        "metadata": {
            "queryId": "q",
            "query": "SELECT 1",
            "queryState": "FINISHED",
            "tables": [TABLE, VIEW, {"table": "plain"}, 3],
            "plan": PLAN,
            **metadata,
        },
        "statistics": {"dynamicFilterDomainStatistics": DOMAINS},
        "ioMetadata": {"inputs": [INPUT, {**INPUT, "table": "other"}]},
    }


def read(document: dict[str, Any]) -> ObservedQuery:
    query = trino_events.from_json(json.dumps(document), "here")
    assert isinstance(query, ObservedQuery)
    return query


def test_references_are_the_tables_of_which_more_is_known() -> None:
    assert read(event()).references == (
        Reference(
            TableName("lake", ("db",), "t"),
            row_filters=("day > DATE '2024-01-01'", "id = 1"),
            masked=("name",),
        ),
        Reference(TableName("lake", ("db",), "v"), "SELECT * FROM t"),
    )


def test_dynamic_filters_are_leaves_without_values() -> None:
    first, second = read(event()).scans
    shown = "customer_id IN dynamic filter (3 ranges)"
    assert first.runtime == (Unsupported(Reason.RUNTIME, shown, shown, ("customer_id",)),)
    assert second.runtime == ()


@pytest.mark.parametrize("metadata", [{"plan": None}, {"plan": "ScanFilter[table = x"}])
def test_without_a_plan_no_filter_has_a_column(metadata: dict[str, Any]) -> None:
    assert [scan.runtime for scan in read(event(**metadata)).scans] == [(), ()]


def test_a_row_of_the_mysql_listener_is_an_event() -> None:
    row = {
        "QUERY_ID": "20240310_030000_00001_abcde",
        "query": "EXECUTE s USING 'a', 5",
        "prepared_query": "SELECT * FROM t WHERE a = ? AND b = ?",
        "query_state": "FINISHED",
        "user": "ana",
        "catalog": "lake",
        "schema": "db",
        "server_version": "482",
        "inputs_json": json.dumps([INPUT]),
    }
    query = trino_mysql.from_json(json.dumps(row), "here")
    assert isinstance(query, ObservedQuery)
    assert query.source == "trino_mysql"
    assert query.parameters == ("'a'", "5")
    assert query.started_at is not None
    assert query.started_at.isoformat() == "2024-03-10T03:00:00+00:00"
    assert (query.catalog, query.schema, query.engine_version) == ("lake", "db", "482")
    assert query.scans[0].snapshot_id == 7


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "malformed_json"),
        ("[]", "malformed_event"),
        ("{}", "not_a_completed_query"),
        ('{"query_state": "FINISHED", "query_id": "q"}', "missing_sql"),
        ('{"query_state": "FAILED", "query_id": "q", "query": "SELECT 1"}', "query_failed"),
    ],
)
def test_rows_that_are_no_query(row: str, reason: str) -> None:
    rejected = trino_mysql.from_json(row, "here")
    assert isinstance(rejected, Rejected)
    assert (rejected.source, rejected.reason) == ("trino_mysql", reason)


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(st.sampled_from(["tables", "plan", "query"]), _anything)
def test_metadata_of_any_type_breaks_nothing(name: str, value: Any) -> None:
    found = trino_events.from_json(json.dumps(event(**{name: value})), "here")
    assert isinstance(found, ObservedQuery | Rejected)


@given(_anything)
def test_statistics_of_any_type_break_nothing(value: Any) -> None:
    document = event()
    document["statistics"] = {"dynamicFilterDomainStatistics": value}
    assert isinstance(trino_events.from_json(json.dumps(document), "x"), ObservedQuery | Rejected)


@given(st.dictionaries(st.sampled_from(["query", "inputs_json", "query_id", "user"]), _anything))
def test_columns_of_any_type_break_nothing(row: dict[str, Any]) -> None:
    found = trino_mysql.from_mapping({"query_state": "FINISHED", **row}, "here")
    assert isinstance(found, ObservedQuery | Rejected)
