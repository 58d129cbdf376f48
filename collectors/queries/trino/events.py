"""Trino's QueryCompletedEvent: JSON lines of the HTTP or Kafka event listener."""

from __future__ import annotations

import datetime as dt
import re

from prunescope.collectors.errors import QueryError
from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.envelopes import opened
from prunescope.collectors.queries.instants import parse_instant, told_instant
from prunescope.collectors.queries.json_input import (
    UnreadableInput,
    decode_object,
    required_text,
    text,
)
from prunescope.collectors.queries.prepared import parse_execute
from prunescope.collectors.queries.trino.dynamic_filters import with_dynamic_filters
from prunescope.collectors.queries.trino.inputs import read_scans
from prunescope.collectors.queries.trino.references import read_references
from prunescope.collectors.queries.trino.states import COMPLETED

SOURCE = "trino_events"

_TRACEPARENT = re.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
# Trino's QueryIdGenerator: creation time in UTC, a counter, the coordinator's id.
_QUERY_ID = re.compile(r"(?P<created>[0-9]{8}_[0-9]{6})_[0-9]{5,}_\w+", re.ASCII)


def from_json(line: str | bytes, location: str) -> ObservedQuery | Rejected:
    """The query that one event describes. `location` says where the line stands; it only goes
    into the Rejected. Never raises for what a line holds.

    Accepts the body that the HTTP listener posts, and envelopes around it, such as the Kafka
    listener's `{"eventMetadata", "eventPayload"}`. Unknown fields are ignored; a field of the
    wrong type is rejected where it is needed and absent where it is not. EXECUTE statements
    become the prepared text with its parameters. Events of PrestoDB, which have the same form, are
    queries of the engine presto.

    A DELETE that reports no input planned no scan, and says so (`plan_known`).

    The start is `createTime`, else `executionStartTime`, else the time in the query id.

    Reasons of a Rejected:
    - `malformed_json`, `malformed_event`: not an event, or a needed field of the wrong type
    - `not_a_completed_query`: another kind of event, or a query that still runs
    - `missing_sql`: no query text, or EXECUTE without `metadata.preparedQuery`
    - `unparseable`: an EXECUTE statement that cannot be taken apart
    - `query_failed`: the query failed and reports no input. One that reports inputs did read
      them and is kept; its counts reach up to the failure.
    """
    try:
        event = opened(decode_object(line, not_an_object=Outcome.MALFORMED_EVENT), _is_event)
    except UnreadableInput as error:
        return _rejected(error, location, query_id=None)
    return from_event(event, location)


def from_event(event: dict[str, object], location: str) -> ObservedQuery | Rejected:
    """The query that a decoded event describes; as `from_json`."""
    try:
        return _completed_query(event)
    except QueryError as error:
        metadata = event.get("metadata")
        query_id = text(metadata.get("queryId")) if isinstance(metadata, dict) else None
        return _rejected(error, location, query_id)


def _is_event(record: dict[str, object]) -> bool:
    metadata = record.get("metadata")
    return isinstance(metadata, dict) and "queryId" in metadata


def _engine(version: str | None) -> str:
    """The engine by its version: PrestoDB's are 0.300 and the like, Trino's whole numbers."""
    return "presto" if version is not None and version.startswith("0.") else "trino"


def _completed_query(event: dict[str, object]) -> ObservedQuery:
    metadata = _required_section(event, "metadata")
    # QueryCreatedEvent has no statistics, SplitCompletedEvent no metadata.
    _required_section(event, "statistics")
    state = required_text(
        metadata.get("queryState"),
        "metadata.queryState",
        absent=Outcome.NOT_A_COMPLETED_QUERY,
        malformed=Outcome.MALFORMED_EVENT,
    )
    if state not in COMPLETED:
        raise UnreadableInput(
            Outcome.NOT_A_COMPLETED_QUERY,
            "the query had not ended; only completed queries are read",
        )
    query_id = required_text(
        metadata.get("queryId"),
        "metadata.queryId",
        absent=Outcome.MALFORMED_EVENT,
        malformed=Outcome.MALFORMED_EVENT,
    )
    sql, parameters = _statement(metadata)
    scans = with_dynamic_filters(read_scans(event), event)
    if state == "FAILED" and not scans:
        raise UnreadableInput(
            Outcome.QUERY_FAILED, "the query failed and reports no input, so it read nothing"
        )
    found = event.get("context")
    context = found if isinstance(found, dict) else {}
    version = text(context.get("serverVersion"))
    engine = _engine(version)
    return ObservedQuery(
        source=SOURCE,
        query_id=query_id,
        sql=sql,
        dialect=engine,
        started_at=_started_at(event, query_id),
        catalog=text(context.get("catalog")),
        schema=text(context.get("schema")),
        user=text(context.get("user")),
        engine=engine,
        engine_version=version,
        time_zone=text(context.get("timezone")),
        parameters=parameters,
        scans=scans,
        references=read_references(metadata),
        plan_known=_deletes_by_metadata(event, metadata),
        traceparent=_traceparent(context),
    )


def _deletes_by_metadata(event: dict[str, object], metadata: dict[str, object]) -> bool:
    """True if the query is a DELETE that read no table: Iceberg drops whole files, or nothing can
    match. Trino reports each table that it planned a scan of, its target as well."""
    found = event.get("ioMetadata")
    inputs = found.get("inputs") if isinstance(found, dict) else None
    return metadata.get("updateType") == "DELETE" and inputs == []


def _traceparent(context: dict[str, object]) -> str | None:
    """The token that a client sent with the query (X-Trino-Trace-Token), if it is a span of
    W3C's Trace Context: it may be anything."""
    token = text(context.get("traceToken"))
    return token if token is not None and _TRACEPARENT.fullmatch(token) else None


def _required_section(event: dict[str, object], name: str) -> dict[str, object]:
    section = event.get(name)
    if section is None:
        raise UnreadableInput(
            Outcome.NOT_A_COMPLETED_QUERY,
            f"the event has no {name!r}, so it is no QueryCompletedEvent; "
            "only completed queries are read",
        )
    if not isinstance(section, dict):
        raise _malformed(name)
    return section


def _statement(metadata: dict[str, object]) -> tuple[str, tuple[str, ...]]:
    query = required_text(
        metadata.get("query"),
        "metadata.query",
        absent=Outcome.MISSING_SQL,
        malformed=Outcome.MALFORMED_EVENT,
    )
    execute = parse_execute(query)
    if execute is None:
        return query, ()
    if execute.statement is not None:
        return execute.statement, execute.parameters
    prepared = required_text(
        metadata.get("preparedQuery"),
        "metadata.preparedQuery",
        absent=Outcome.MISSING_SQL,
        malformed=Outcome.MALFORMED_EVENT,
    )
    return prepared, execute.parameters


def _started_at(event: dict[str, object], query_id: str) -> dt.datetime | None:
    return (
        parse_instant(event.get("createTime"))
        or parse_instant(event.get("executionStartTime"))
        or _created_at(query_id)
        or told_instant(event.get("createTime"), "createTime", malformed=Outcome.MALFORMED_EVENT)
    )


def _created_at(query_id: str) -> dt.datetime | None:
    found = _QUERY_ID.fullmatch(query_id)
    if found is None:
        return None
    try:
        created = dt.datetime.strptime(found["created"], "%Y%m%d_%H%M%S")
    except ValueError:
        return None
    return created.replace(tzinfo=dt.UTC)


def _malformed(field: str) -> UnreadableInput:
    return UnreadableInput(
        Outcome.MALFORMED_EVENT, f"field {field!r} is not a JSON object; check what writes the log"
    )


def _rejected(error: QueryError, location: str, query_id: str | None) -> Rejected:
    return Rejected(SOURCE, location, error.code, str(error), query_id)
