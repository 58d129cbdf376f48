"""Generic SQL records, and the histories of services that have SQL texts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.session_names import unknown_dialect, unknown_engine, unknown_zone
from prunescope.audit_jobs.sources.source import Log, Logs, PassedOver, Record, Source
from prunescope.audit_jobs.suggestions import suggestion
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries import exports, sql_records
from prunescope.collectors.queries.envelopes import opened
from prunescope.collectors.queries.instants import parse_instant
from prunescope.collectors.queries.json_documents import split_documents
from prunescope.collectors.queries.json_input import decode_object
from prunescope.collectors.queries.lines import MAX_LINE
from prunescope.collectors.queries.reading import (
    FromJson,
    FromRecord,
    is_parquet,
    read_lines,
    reader,
)
from prunescope.collectors.storage.files import Storage

_NAMES: Mapping[str, tuple[str, ...]] = {
    "sql": ("sql", "query", "query_text", "sql_text", "statement", "statement_text", "querytxt"),
    "query_id": ("query_id", "statement_id", "id"),
    "started_at": (
        "started_at",
        "start_time",
        "start",
        "begin_time",
        "begin",
        "executed_at",
        "execution_time",
        "submitted_at",
        "submit_time",
        "create_time",
        "created_at",
        "event_time",
        "timestamp",
        "time",
        "ts",
    ),
    "user": ("user", "user_name", "username", "executed_by", "principal"),
    "catalog": ("catalog", "catalog_name"),
    "schema": ("schema", "schema_name", "database", "database_name"),
    "engine": ("engine", "engine_name"),
    "dialect": ("dialect",),
}
"""Other names of the fields of a SQL record, in any case, with underscores or without."""


class SqlRecords(Logs):
    """Generic SQL records, as JSON lines or Parquet (by the file's name): those of a service
    that `export` names, or any others, whose field names `fields` maps from ours.

    `dialect`, `engine` and the session's properties hold for records that say nothing else.
    """

    type: Literal["sql_records"]
    export: str | None = None
    """the service whose history the log is: `athena`, `databricks`, `snowflake`, `redshift`,
    `bigquery`, `starrocks`, `dremio`, `clickhouse`"""
    dialect: str | None = None
    """sqlglot's name of the dialect, for records that do not name one; by default, the dialect of
    the engine, or `trino` if nothing names an engine"""
    engine: str | None = None
    """the engine by whose planner profile scans are planned, for records that name none"""
    engine_version: Annotated[str | None, Field(pattern=r"^(newest|[0-9].*)$")] = None
    """the version of the engine, for records that name none"""
    catalog: str | None = None
    """the catalog of the session, for records that name none"""
    schema_: Annotated[str | None, Field(alias="schema")] = None
    """the schema of the session, for records that name none"""
    time_zone: str | None = None
    """the time zone of the session, for records that name none; by default UTC, but unknown for
    ClickHouse, whose sessions have the server's"""
    fields: dict[str, str] = Field(default={})
    """our name of a field: the record's name, for `sql`, `query_id`, `started_at`, `dialect`,
    `catalog`, `schema`, `user`, `params`, `time_zone`, `engine`, `engine_version`"""

    @field_validator("export")
    @classmethod
    def _known_export(cls, export: str | None) -> str | None:
        if export is not None and export not in exports.EXPORTS:
            raise ValueError(f"{export!r} is not known; {suggestion(export, exports.EXPORTS)}")
        return export

    @field_validator("dialect")
    @classmethod
    def _known_dialect(cls, dialect: str | None) -> str | None:
        if dialect is not None and (problem := unknown_dialect(dialect)) is not None:
            raise ValueError(problem)
        return dialect

    @field_validator("engine")
    @classmethod
    def _known_engine(cls, engine: str | None, info: ValidationInfo) -> str | None:
        # One without a profile may be told by whoever tells its dialect.
        has_dialect = info.data.get("dialect") is not None
        if engine is not None and (problem := unknown_engine(engine, has_dialect)) is not None:
            raise ValueError(problem)
        return engine

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, zone: str | None) -> str | None:
        if zone is not None and (problem := unknown_zone(zone)) is not None:
            raise ValueError(problem)
        return zone

    @field_validator("fields")
    @classmethod
    def _known_fields(cls, fields: dict[str, str]) -> dict[str, str]:
        known = sql_records.DEFAULT_FIELDS
        unknown = sorted(set(fields) - set(known))
        if unknown:
            raise ValueError(f"{unknown[0]!r} is not known; {suggestion(unknown[0], known)}")
        return fields

    @property
    def session_catalog(self) -> str | None:
        """The catalog of queries that name none."""
        return self.catalog

    @property
    def has_assumed_dialect(self) -> bool:
        """True if the section has no export, dialect or engine."""
        return self.export is None and self.dialect is None and self.engine is None

    @property
    def what(self) -> str:
        """The kind of the records, and the mapped fields."""
        kind = self.export or "SQL"
        fields = ", ".join(f"{ours}: {theirs}" for ours, theirs in self.fields.items())
        return f"{kind} records{f' ({fields})' if fields else ''}"


def _read(log: Log, storage: Storage, _: Window, __: PassedOver) -> Iterator[Record]:
    assert isinstance(log.source, SqlRecords)
    return reader(log.paths[0], storage, log.source.type, *_parsers(log.source), log.part)


def _parsers(source: SqlRecords) -> tuple[FromJson, FromRecord]:
    options: dict[str, Any] = {
        "fields": source.fields,
        "defaults": sql_records.RecordDefaults(
            dialect=source.dialect,
            engine=source.engine,
            engine_version=source.engine_version,
            catalog=source.catalog,
            schema=source.schema_,
            time_zone=source.time_zone,
        ),
    }
    if source.export is None:
        return partial(sql_records.from_json, **options), partial(
            sql_records.from_mapping, **options
        )
    options["export"] = exports.EXPORTS[source.export]
    return partial(exports.from_json, **options), partial(exports.from_mapping, **options)


def _guesses(file: str, storage: Storage) -> Iterator[Logs]:
    """The sections as which a file could be read: the history of each service whose own fields the
    first record has, and a mapping by the names of the fields."""
    record = attempt(f"reading the first record of {file}", _first, file, storage)
    if not isinstance(record, PrunescopeError):
        for name, export in exports.EXPORTS.items():
            if exports.is_own(record, export):
                yield SqlRecords(type="sql_records", paths=(file,), export=name)
        fields = dict(_fields(record))
        if "sql" in fields:
            renamed = {ours: name for ours, name in fields.items() if ours != name}
            yield SqlRecords(type="sql_records", paths=(file,), fields=renamed)


def _fields(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Our fields, and the record's names for them. The time of a query is a field with such a name,
    or else the earliest that is written as a time: queries end after they start."""
    theirs = {_folded(name): name for name in reversed(list(record))}
    for ours, known in _NAMES.items():
        found = [theirs[_folded(name)] for name in known if _folded(name) in theirs]
        if ours == "started_at":
            named = [name for name in found if record[name] is None or parse_instant(record[name])]
            found = named or _written_as_times(record)
        if found:
            yield ours, found[0]


def _folded(name: str) -> str:
    return name.lower().replace("_", "")


def _written_as_times(record: Mapping[str, Any]) -> list[str]:
    """The fields that are written as times, the earliest first. Numbers are left out: any of them
    could be an epoch."""
    written = (
        (parse_instant(value), name)
        for name, value in record.items()
        if isinstance(value, dt.datetime) or (isinstance(value, str) and "-" in value)
    )
    return [name for _, name in sorted((time, name) for time, name in written if time is not None)]


def _first(file: str, storage: Storage) -> Mapping[str, Any]:
    """The first record of a file; one without fields if it has none."""
    if is_parquet(file):
        import pyarrow.parquet as pq  # noqa: PLC0415

        with storage.open(file) as stream:
            parquet = pq.ParquetFile(stream)
            rows: list[dict[str, Any]] = next(parquet.iter_batches(1)).to_pylist()
            return rows[0]
    lines = read_lines(file, storage, "sql_records")
    for _, text in split_documents(lines, "sql_records", longest=MAX_LINE):
        if isinstance(text, Rejected):
            return {}
        return opened(decode_object(text, not_an_object=Outcome.MALFORMED_RECORD), _has_sql)
    return {}


def _has_sql(record: Mapping[str, Any]) -> bool:
    return "sql" in dict(_fields(record)) or any(
        exports.is_own(record, export) for export in exports.EXPORTS.values()
    )


SOURCE = Source(SqlRecords, _read, is_in_parts=True, has_parquet=True, guesses=_guesses)
