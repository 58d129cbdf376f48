"""Queries from the table of Trino's MySQL event listener (plugin/trino-mysql-event-listener,
Trino 482), exported as JSON lines or Parquet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.json_input import (
    UnreadableInput,
    decode_json,
    decode_object,
    text,
)
from prunescope.collectors.queries.trino import events as trino_events

SOURCE = "trino_mysql"


def from_json(line: str | bytes, location: str) -> ObservedQuery | Rejected:
    """`from_mapping` of the JSON object that `line` holds; `malformed_json` and
    `malformed_event` for lines that hold none."""
    try:
        record = decode_object(line, not_an_object=Outcome.MALFORMED_EVENT)
    except UnreadableInput as error:
        return Rejected(SOURCE, location, error.code, str(error))
    return from_mapping(record, location)


def from_mapping(record: Mapping[str, Any], location: str) -> ObservedQuery | Rejected:
    """The query that one row describes. Never raises for what a row holds.

    A row is an event with its parts in columns of their own, and is read as one; its time is in
    the query id. Reasons of a Rejected are those of trino_events.
    """
    row = {str(name).lower(): value for name, value in record.items()}
    event: dict[str, object] = {
        "metadata": {
            "queryId": row.get("query_id"),
            "query": row.get("query"),
            "preparedQuery": row.get("prepared_query"),
            "queryState": row.get("query_state"),
            "updateType": row.get("update_type"),
        },
        "statistics": {},
        "context": {
            "user": row.get("user"),
            "catalog": row.get("catalog"),
            "schema": row.get("schema"),
            "serverVersion": row.get("server_version"),
        },
        "ioMetadata": {"inputs": _decoded(row.get("inputs_json"))},
    }
    return replace(trino_events.from_event(event, location), source=SOURCE)


def _decoded(value: object) -> object:
    source = text(value)
    if source is None:
        return value
    try:
        return decode_json(source)
    except UnreadableInput:
        return None
