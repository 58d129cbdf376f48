"""The query histories of services, as mappings onto generic SQL records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries import sql_records
from prunescope.collectors.queries.envelopes import opened
from prunescope.collectors.queries.json_input import (
    UnreadableInput,
    decode_json,
    decode_object,
    identifier,
    text,
)
from prunescope.collectors.queries.sql_records import RecordDefaults, has_member, lookup
from prunescope.collectors.sql.dialects import zone_of_session

Record = Mapping[str, Any]
Refusal = tuple[Outcome, str]
"""Why a record is no query that ran: a reason code and a message."""

_FAILED: Refusal = (Outcome.QUERY_FAILED, "the service did not run the query to its end")
_CHILD: Refusal = (Outcome.NOT_A_COMPLETED_QUERY, "a part of a query that is logged by itself")
_SCRIPT: Refusal = (
    Outcome.NOT_A_COMPLETED_QUERY,
    "a script, whose statements are logged by themselves",
)
_OTHER_JOB: Refusal = (Outcome.NOT_A_COMPLETED_QUERY, "a job that runs no query")
_UNFINISHED: Refusal = (
    Outcome.NOT_A_COMPLETED_QUERY,
    "the query had not ended when it was exported",
)
_TRUNCATED: Refusal = (
    Outcome.TRUNCATED_SQL,
    "the service cut the SQL text off; it cannot be replayed",
)


def _is_never_cut(_record: Record, _sql: str) -> bool:
    return False


def _cut_at(characters: int) -> Callable[[Record, str], bool]:
    return lambda _record, sql: len(sql) >= characters


@dataclass(frozen=True, slots=True)
class Export:
    """The query history of a service: the engine, which is also the name of its SQL dialect; the
    service's names for the fields of a SQL record; names that only its records have; which records
    are not queries that ran; and which SQL texts may have lost their end. `prepare` gives a record
    the form that the others expect."""

    engine: str
    fields: Mapping[str, str]
    own: frozenset[str]
    refusal: Callable[[Record], Refusal | None]
    is_cut: Callable[[Record, str], bool] = _is_never_cut
    prepare: Callable[[Record], Record] = dict


def is_own(record: Record, export: Export) -> bool:
    """True if a record has a field that only records of this export have."""
    return any(name in names for names in (record, export.prepare(record)) for name in export.own)


def from_json(
    line: str | bytes,
    location: str,
    *,
    export: Export,
    fields: Mapping[str, str],
    defaults: RecordDefaults,
) -> ObservedQuery | Rejected:
    """`from_mapping` of the JSON object that `line` holds."""
    try:
        record = opened(
            decode_object(line, not_an_object=Outcome.MALFORMED_RECORD),
            lambda inner: has_member({**export.fields, **fields}["sql"])(export.prepare(inner)),
        )
    except UnreadableInput as error:
        return Rejected(sql_records.SOURCE, location, error.code, str(error))
    return from_mapping(record, location, export=export, fields=fields, defaults=defaults)


def from_mapping(
    record: Record,
    location: str,
    *,
    export: Export,
    fields: Mapping[str, str],
    defaults: RecordDefaults,
) -> ObservedQuery | Rejected:
    """The query that one record of a service describes. `fields` overrides the export's names.
    Never raises for what a record holds.

    Reasons of a Rejected are those of sql_records, `query_failed`, `not_a_completed_query` and
    `truncated_sql`: what a text has lost could be a condition that widens it.
    """
    prepared = export.prepare(record)
    names = {**export.fields, **fields}
    refusal = export.refusal(prepared)
    sql = lookup(prepared, names["sql"])
    if refusal is None and isinstance(sql, str) and export.is_cut(prepared, sql):
        refusal = _TRUNCATED
    if refusal is not None:
        query_id = identifier(lookup(prepared, names["query_id"]))
        return Rejected(sql_records.SOURCE, location, *refusal, query_id)
    defaults = replace(
        defaults,
        dialect=defaults.dialect or export.engine,
        engine=defaults.engine or export.engine,
    )
    return sql_records.from_mapping(prepared, location, fields=names, defaults=defaults)


def _by_state(
    field: str, done: frozenset[str], running: frozenset[str]
) -> Callable[[Record], Refusal | None]:
    def refusal(record: Record) -> Refusal | None:
        state = (text(lookup(record, field)) or "").upper()
        if not state or state in done:
            return None
        return _UNFINISHED if state in running else _FAILED

    return refusal


def _of_athena(record: Record) -> Record:
    """Unwraps the execution that GetQueryExecution returns."""
    inner = record.get("QueryExecution")
    return inner if isinstance(inner, Mapping) else record


def _of_databricks(record: Record) -> Record:
    """Renames the fields of the query history's API to those of the system table."""
    return {_DATABRICKS_API.get(name, name): value for name, value in record.items()}


_DATABRICKS_API = {
    "query_id": "statement_id",
    "query_text": "statement_text",
    "query_start_time_ms": "start_time",
    "user_name": "executed_by",
    "status": "execution_status",
}


def _lower(record: Record) -> Record:
    """Lowers the case of column names, which is any in Snowflake."""
    return {str(name).lower(): value for name, value in record.items()}


def _is_dremio_cut(record: Record, _sql: str) -> bool:
    return record.get("isTruncatedQueryText") is True


def _of_dremio(record: Record) -> Record:
    """The context is the path of the current folder, as a list or as its text."""
    context: object = record.get("context")
    if isinstance(context, str):
        try:
            context = decode_json(context)
        except UnreadableInput:
            context = [part.strip(' "') for part in str(context).strip("[]").split(",")]
    parts = (
        [part for part in context if isinstance(part, str) and part]
        if isinstance(context, list)
        else []
    )
    if not parts:
        return record
    return {**record, "catalog": parts[0], "schema": ".".join(parts[1:]) or None}


def _bigquery_refusal(record: Record) -> Refusal | None:
    """A script is a job, and so is each of its statements. A job that fails is done, too."""
    if text(record.get("job_type")) not in (None, "QUERY"):
        return _OTHER_JOB
    if text(record.get("statement_type")) == "SCRIPT":
        return _SCRIPT
    if text(record.get("state")) not in (None, "DONE"):
        return _UNFINISHED
    return None if record.get("error_result") is None else _FAILED


def _clickhouse_refusal(record: Record) -> Refusal | None:
    """A query that ran has two rows, QueryStart and QueryFinish; a distributed one has rows of
    its parts besides."""
    if record.get("is_initial_query") in (0, "0"):
        return _CHILD
    match text(record.get("type")):
        case None | "QueryFinish" | "2":
            return None
        case "QueryStart" | "1":
            return _UNFINISHED
    return _FAILED


def _of_clickhouse(record: Record) -> Record:
    """The session's zone is the server's, unless the query has a setting of it: settings are an
    object, or pairs in Parquet."""
    settings: object = record.get("Settings")
    if isinstance(settings, list):
        settings = dict(pair for pair in settings if isinstance(pair, tuple))
    zone = settings.get("session_timezone") if isinstance(settings, Mapping) else None
    setting, told = text(zone), text(record.get("time_zone"))
    return {**record, "time_zone": zone_of_session("clickhouse", told, setting)}


def _is_clickhouse_cut(_record: Record, sql: str) -> bool:
    # Bytes: the default of log_queries_cut_to_length.
    return len(sql.encode("utf-8", "surrogatepass")) >= 100_000


EXPORTS: Mapping[str, Export] = MappingProxyType(
    {
        # Amazon Athena API, QueryExecution
        "athena": Export(
            "athena",
            {
                "sql": "Query",
                "query_id": "QueryExecutionId",
                "started_at": "Status.SubmissionDateTime",
                "catalog": "QueryExecutionContext.Catalog",
                "schema": "QueryExecutionContext.Database",
                "params": "ExecutionParameters",
                "engine_version": "EngineVersion.EffectiveEngineVersion",
            },
            frozenset({"QueryExecutionId"}),
            _by_state("Status.State", frozenset({"SUCCEEDED"}), frozenset({"QUEUED", "RUNNING"})),
            prepare=_of_athena,
        ),
        # Databricks system tables, system.query.history; and the API of the query history
        "databricks": Export(
            "databricks",
            {
                "sql": "statement_text",
                "query_id": "statement_id",
                "started_at": "start_time",
                "user": "executed_by",
            },
            frozenset({"statement_text", "executed_by", "compute", "query_start_time_ms"}),
            _by_state(
                "execution_status",
                frozenset({"FINISHED"}),
                frozenset({"QUEUED", "STARTED", "COMPILING", "COMPILED", "RUNNING"}),
            ),
            prepare=_of_databricks,
        ),
        # Snowflake, ACCOUNT_USAGE.QUERY_HISTORY
        "snowflake": Export(
            "snowflake",
            {
                "sql": "query_text",
                "query_id": "query_id",
                "started_at": "start_time",
                "catalog": "database_name",
                "schema": "schema_name",
                "user": "user_name",
            },
            frozenset({"execution_status", "schema_name", "warehouse_name", "role_name"}),
            # The statuses of the view and of the table function of the same name.
            _by_state(
                "execution_status",
                frozenset({"SUCCESS"}),
                frozenset({"RUNNING", "QUEUED", "BLOCKED", "RESUMING_WAREHOUSE"}),
            ),
            _cut_at(100_000),  # ACCOUNT_USAGE.QUERY_HISTORY
            _lower,
        ),
        # Amazon Redshift, SYS_QUERY_HISTORY
        "redshift": Export(
            "redshift",
            {
                "sql": "query_text",
                "query_id": "query_id",
                "started_at": "start_time",
                "catalog": "database_name",
                "user": "user_name",
            },
            frozenset({"query_label", "result_cache_hit", "returned_rows", "redshift_version"}),
            _by_state(
                "status",
                frozenset({"SUCCESS"}),
                frozenset({"PLANNING", "QUEUED", "RUNNING", "RETURNING"}),
            ),
            _cut_at(4_000),
            _lower,
        ),
        # BigQuery, INFORMATION_SCHEMA.JOBS
        "bigquery": Export(
            "bigquery",
            {
                "sql": "query",
                "query_id": "job_id",
                "started_at": "start_time",
                "catalog": "project_id",
                "user": "user_email",
            },
            frozenset({"total_slot_ms", "bi_engine_statistics", "query_info"}),
            _bigquery_refusal,
        ),
        # StarRocks, the table that its AuditLoader plugin writes
        "starrocks": Export(
            "starrocks",
            {
                "sql": "stmt",
                "query_id": "queryId",
                "started_at": "timestamp",
                "catalog": "catalog",
                "schema": "db",
                "user": "user",
            },
            frozenset({"stmt"}),
            _by_state("state", frozenset({"EOF", "OK"}), frozenset()),
            _cut_at(1_048_576),
        ),
        # Dremio, queries.json
        "dremio": Export(
            "dremio",
            {
                "sql": "queryText",
                "query_id": "queryId",
                "started_at": "start",
                "catalog": "catalog",
                "schema": "schema",
                "user": "username",
            },
            frozenset({"queryText"}),
            _by_state("outcome", frozenset({"COMPLETED"}), frozenset({"RUNNING"})),
            _is_dremio_cut,
            _of_dremio,
        ),
        # ClickHouse, system.query_log; times are exported in the server's zone, read as UTC
        "clickhouse": Export(
            "clickhouse",
            {
                "sql": "query",
                "query_id": "query_id",
                "started_at": "query_start_time",
                "schema": "current_database",
                "user": "user",
            },
            frozenset({"query_start_time", "query_start_time_microseconds", "is_initial_query"}),
            _clickhouse_refusal,
            _is_clickhouse_cut,
            _of_clickhouse,
        ),
    }
)
"""Every service, by the name that a configuration uses."""
