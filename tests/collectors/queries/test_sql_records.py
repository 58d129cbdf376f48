import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.sql_records import (
    DEFAULT_FIELDS,
    RecordDefaults,
    from_json,
    from_mapping,
)

CANARY = "c4n4ry"
SQL = f"SELECT * FROM orders WHERE name = '{CANARY}' AND id = ?"
DEFAULTS = RecordDefaults(dialect="athena", catalog="lake", schema="sales", time_zone="UTC")
RECORD: dict[str, Any] = {
    "sql": SQL,
    "dialect": "Trino",
    "started_at": "2024-03-02T12:00:00Z",
    "catalog": "c",
    "schema": "s",
    "user": "ann",
    "params": [5, CANARY],
    "query_id": "q-1",
    "time_zone": "Europe/Paris",
    "engine": "trino",
    "engine_version": "482",
}


def query(record: dict[str, Any], **options: Any) -> ObservedQuery:
    result = from_mapping(record, "part-0:7", **({"defaults": DEFAULTS} | options))
    assert isinstance(result, ObservedQuery), result
    return result


def test_a_full_record_becomes_an_observed_query() -> None:
    assert query(RECORD) == ObservedQuery(
        source="sql_records",
        query_id="q-1",
        sql=SQL,
        dialect="trino",
        started_at=dt.datetime(2024, 3, 2, 12, tzinfo=dt.UTC),
        catalog="c",
        schema="s",
        user="ann",
        engine="trino",
        engine_version="482",
        time_zone="Europe/Paris",
        parameters=("5", f"'{CANARY}'"),
    )


@pytest.mark.parametrize("absent", [None, "", [], {"a": 1}])
def test_what_a_record_does_not_say_comes_from_the_defaults(absent: object) -> None:
    record = dict.fromkeys(DEFAULT_FIELDS, absent) | {"sql": SQL, "params": None, "query_id": 7}
    record["started_at"] = None
    expected = ObservedQuery(
        source="sql_records",
        query_id="7",
        sql=SQL,
        dialect="athena",
        catalog="lake",
        schema="sales",
        time_zone="UTC",
    )
    assert query(record) == expected
    assert query({"sql": SQL, "query_id": 7}) == expected


@pytest.mark.parametrize("told", ["20.11.2026 10:00", "2026-11-20", [1], True, "2026-02-30 00:00"])
def test_a_time_that_is_none_is_no_record_of_every_night(told: object) -> None:
    found = from_mapping({"sql": SQL, "started_at": told}, "part-0:7", defaults=DEFAULTS)
    assert isinstance(found, Rejected)
    assert found.reason is Outcome.MALFORMED_RECORD
    assert "'started_at'" in found.message


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({"Query": SQL, "Ctx": {"Db": {"name": "s"}}, "user": "ann"}, id="nested"),
        pytest.param({"Query": SQL, "Ctx.Db.name": "s", "user": "ann"}, id="flattened"),
    ],
)
def test_fields_are_found_under_configured_names(record: dict[str, Any]) -> None:
    result = query(record, fields={"sql": "Query", "schema": "Ctx.Db.name"})
    assert (result.sql, result.schema, result.user) == (SQL, "s", "ann")


@pytest.mark.parametrize("context", [None, "text", 5, ["Db"], {}, {"Db": None}])
def test_a_path_that_leads_nowhere_is_absent(context: object) -> None:
    record = {"sql": SQL, "Ctx": context}
    assert query(record, fields={"schema": "Ctx.Db.name"}).schema == "sales"


def test_params_of_athena_are_taken_as_sql_text() -> None:
    assert query({"sql": SQL, "params": ["'x'", "1"]}).parameters == ("'x'", "1")


@pytest.mark.parametrize(
    "query_id", [None, "", SQL, "x='anna'", "(1)", '"anna"', ["q"], "a\u2028b"], ids=repr
)
def test_what_is_no_id_is_left_out_and_the_place_stands_for_it(query_id: object) -> None:
    found = from_mapping({"sql": SQL, "query_id": query_id}, "a b:1", defaults=DEFAULTS)
    assert found.query_id == "a b:1"


@pytest.mark.parametrize(
    "query_id",
    [
        "20240310_030000_00001_abcde",
        "2f1c8a5e-7d0b-4b57-9d7e-0d2c5d0f0b1a",
        "project:EU.bquxjob_4f2a-1_17c",
        "app-20240101/12",
        "arn:aws:athena:eu-central-1:1:query/7#2",
        "c3VjaCBhbiBpZA==",
    ],
)
def test_ids_of_engines_are_ids(query_id: str) -> None:
    assert query({"sql": SQL, "query_id": query_id}).query_id == query_id


@pytest.mark.parametrize(
    ("changes", "reason", "named"),
    [
        pytest.param({"sql": None}, "missing_sql", "sql", id="null-sql"),
        pytest.param({"sql": "\t"}, "missing_sql", "sql", id="blank-sql"),
        pytest.param({"sql": [CANARY]}, "malformed_record", "sql", id="sql-list"),
        pytest.param({"sql": f"{CANARY}\ud800"}, "malformed_record", "sql", id="no-unicode"),
        pytest.param({"params": [[CANARY]]}, "malformed_record", "params", id="nested-params"),
    ],
)
def test_records_without_a_readable_query_are_rejected(
    changes: dict[str, Any], reason: str, named: str
) -> None:
    result = from_mapping(RECORD | changes, "part-0:7", defaults=DEFAULTS)
    assert isinstance(result, Rejected)
    assert (result.source, result.location, result.query_id) == ("sql_records", "part-0:7", "q-1")
    assert result.reason == reason
    assert f"'{named}'" in result.message
    assert CANARY not in result.message


def test_a_rejection_names_the_field_as_the_record_does() -> None:
    result = from_mapping({}, "part-0:7", fields={"sql": "Query"}, defaults=DEFAULTS)
    assert isinstance(result, Rejected)
    assert "'Query'" in result.message


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param(json.dumps(RECORD)[:-1], "malformed_json", id="cut-off"),
        pytest.param(json.dumps([RECORD]), "malformed_record", id="json-list"),
        pytest.param("null", "malformed_record", id="json-null"),
    ],
)
def test_lines_that_hold_no_record_are_rejected(line: str, reason: str) -> None:
    result = from_json(line, "queries.jsonl:7", defaults=DEFAULTS)
    assert isinstance(result, Rejected)
    assert (result.location, result.reason) == ("queries.jsonl:7", reason)
    assert CANARY not in result.message


def test_a_json_line_reads_like_its_record_and_keeps_the_digits_of_numbers() -> None:
    line = json.dumps(RECORD).replace("[5,", "[12345678901234567890.10,")
    result = from_json(line, "x", defaults=DEFAULTS)
    assert isinstance(result, ObservedQuery)
    assert result.parameters[0] == "12345678901234567890.10"
    assert from_json(json.dumps(RECORD), "x", defaults=DEFAULTS) == query(RECORD)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=8,
)


@given(st.sampled_from(sorted(DEFAULT_FIELDS)), json_values)
def test_any_value_in_any_field_yields_one_result(name: str, value: object) -> None:
    record = RECORD | {name: value}
    result = from_mapping(record, "here", defaults=DEFAULTS)
    assert isinstance(result, ObservedQuery | Rejected)
    if isinstance(result, Rejected):
        assert CANARY not in result.message
    line = json.dumps(record)
    assert type(from_json(line, "here", defaults=DEFAULTS)) is type(result)


@given(st.binary())
def test_arbitrary_bytes_yield_one_result(line: bytes) -> None:
    assert isinstance(from_json(line, "here", defaults=DEFAULTS), ObservedQuery | Rejected)


@pytest.mark.parametrize(
    ("record", "defaults", "expected"),
    [
        pytest.param({"dialect": "Hive", "engine": "spark"}, {}, "hive", id="own"),
        pytest.param({"engine": "spark"}, {}, "spark", id="of its engine"),
        pytest.param({"engine": "Spark SQL 3.5"}, {}, "spark", id="words"),
        pytest.param({"engine": "Amazon Athena"}, {}, "athena", id="a word among others"),
        pytest.param({"engine": "PostgreSQL"}, {}, "postgres", id="another name"),
        pytest.param({"engine": "spark"}, {"dialect": "trino"}, "spark", id="before the source's"),
        pytest.param({"engine": "odd"}, {"dialect": "hive"}, "hive", id="the source's"),
        pytest.param({}, {"engine": "spark"}, "spark", id="of the source's engine"),
        pytest.param({}, {}, "trino", id="nothing named"),
        pytest.param({"engine": "odd"}, {}, "unknown_dialect", id="unknown engine"),
        pytest.param({}, {"engine": "odd"}, "unknown_dialect", id="unknown engine of the source"),
    ],
)
def test_the_dialect_is_that_of_the_engine(
    record: dict[str, str], defaults: dict[str, str], expected: str
) -> None:
    found = from_mapping({"sql": "SELECT 1", **record}, "here", defaults=RecordDefaults(**defaults))
    assert (found.reason if isinstance(found, Rejected) else found.dialect) == expected
