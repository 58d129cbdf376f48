"""Records that shippers and services wrap, as these print them, and what is read of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from collectors.observed import ObservedQuery, Rejected
from collectors.queries import exports, sql_records
from collectors.queries.reading import read_json_lines
from collectors.queries.trino import events
from collectors.storage.files import Storage
from tests.collectors.queries.test_damaged_input import EVENT
from tests.collectors.queries.test_exports import ATHENA, DATABRICKS, REDSHIFT

TEXT = json.dumps(EVENT)
TIME = "2026-03-10T10:00:00Z"

SHIPPED: dict[str, Callable[[], str]] = {
    "Kafka's listener": lambda: json.dumps({"eventMetadata": {}, "eventPayload": EVENT}),
    "Vector": lambda: json.dumps({"message": TEXT, "source_type": "http", "timestamp": TIME}),
    "Vector, parsed": lambda: json.dumps({"host": "h", "message": EVENT, "timestamp": TIME}),
    "Fluent Bit": lambda: json.dumps({"date": 1_710_039_600.5, "log": TEXT}),
    "Fluentd's file": lambda: f"{TIME}\ttrino.events\t{TEXT}",
    "Logstash": lambda: json.dumps(
        {"@timestamp": TIME, "@version": "1", "event": {"original": TEXT}, "tags": ["_x"]}
    ),
    "Filebeat": lambda: json.dumps(
        {"@timestamp": TIME, "@metadata": {"beat": "x"}, "message": TEXT}
    ),
    "elasticdump": lambda: json.dumps({"_index": "trino", "_id": "1", "_source": EVENT}),
    "elasticdump of Logstash": lambda: json.dumps(
        {"_index": "trino", "_source": {"@timestamp": TIME, "event": {"original": TEXT}}}
    ),
    "Elasticsearch's answer": lambda: json.dumps(
        {"took": 1, "hits": {"total": {"value": 1}, "hits": [{"_id": "1", "_source": EVENT}]}}
    ),
    "the same, printed": lambda: json.dumps(
        {"took": 1, "hits": {"total": {"value": 1}, "hits": [{"_id": "1", "_source": EVENT}]}},
        indent=2,
    ),
    "of a container, with metadata": lambda: json.dumps(
        {"metadata": {"pod": "trino-0"}, "kubernetes": {"labels": {}}, "log": TEXT + "\n"}
    ),
}


def read(folder: Path, text: str, reader: Callable[[bytes, str], Any]) -> list[Any]:
    """The records of a file with a text."""
    file = folder / "log.jsonl"
    file.write_text(text)
    return list(read_json_lines(str(file), Storage(), "test", reader))


@pytest.mark.parametrize("name", SHIPPED)
def test_an_event_is_read_within_what_ships_it(tmp_path: Path, name: str) -> None:
    (plain,) = read(tmp_path, TEXT, events.from_json)
    assert isinstance(plain, ObservedQuery)
    shipped = SHIPPED[name]()
    assert read(tmp_path, f"{shipped}\n{shipped}\n", events.from_json) == [plain, plain]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"message": "starting"}, "not_a_completed_query"),
        ({"message": '{"cut'}, "not_a_completed_query"),
        ({"eventPayload": 3}, "not_a_completed_query"),
        ({"a": {"b": {"c": {"d": EVENT}}}}, "not_a_completed_query"),
        ({"message": json.dumps({"metadata": {"queryId": "q"}})}, "not_a_completed_query"),
    ],
    ids=["a message", "a text that is cut off", "no object", "too deep", "a query that began"],
)
def test_what_holds_no_event_is_told(tmp_path: Path, document: Any, reason: str) -> None:
    (rejected,) = read(tmp_path, json.dumps(document), events.from_json)
    assert isinstance(rejected, Rejected)
    assert rejected.reason == reason


@pytest.mark.parametrize(
    ("name", "answer", "one"),
    [
        (
            "athena",
            {"QueryExecutions": [ATHENA, ATHENA], "UnprocessedQueryExecutionIds": []},
            ATHENA,
        ),
        ("athena", {"QueryExecution": ATHENA}, ATHENA),
        ("databricks", {"next_page_token": "x", "res": [DATABRICKS, DATABRICKS]}, DATABRICKS),
        ("redshift", {"message": json.dumps(REDSHIFT)}, REDSHIFT),
        ("athena", {"QueryExecutions": []}, None),
    ],
)
@pytest.mark.parametrize("indent", [None, 1, 4])
def test_answers_of_services_are_lists_of_records(
    tmp_path: Path, name: str, answer: Any, one: Any, indent: int | None
) -> None:
    def from_json(text: bytes, location: str) -> Any:
        return exports.from_json(
            text,
            location,
            export=exports.EXPORTS[name],
            fields={},
            defaults=sql_records.RecordDefaults(),
        )

    found = read(tmp_path, json.dumps(answer, indent=indent), from_json)
    assert all(isinstance(query, ObservedQuery) for query in found)
    lists = [value for value in answer.values() if isinstance(value, list) and one in value]
    count = len(lists[0]) if lists else int(one is not None)
    assert len(found) == count


def test_a_record_whose_query_is_null_is_not_looked_for_elsewhere(tmp_path: Path) -> None:
    def from_json(text: bytes, location: str) -> Any:
        return sql_records.from_json(text, location, defaults=sql_records.RecordDefaults())

    (rejected,) = read(tmp_path, '{"sql": null, "plan": {"sql": "SELECT 1"}}', from_json)
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "missing_sql"


@pytest.mark.parametrize(
    ("version", "engine"),
    [("482", "trino"), ("350", "trino"), ("482-e.1", "trino"), ("0.289-4da2e5b", "presto")],
)
def test_the_version_tells_the_engines_of_one_form_apart(
    tmp_path: Path, version: str, engine: str
) -> None:
    event = {**EVENT, "context": {**EVENT["context"], "serverVersion": version}}
    (query,) = read(tmp_path, json.dumps(event), events.from_json)
    assert (query.engine, query.dialect) == (engine, engine)
