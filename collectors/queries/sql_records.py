"""Queries from generic records: exports of Athena, Databricks, Snowflake, Dremio, ClickHouse
and anything else that can be written as JSON lines or Parquet rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.envelopes import opened
from prunescope.collectors.queries.instants import told_instant
from prunescope.collectors.queries.json_input import (
    UnreadableInput,
    decode_object,
    identifier,
    required_text,
    text,
)
from prunescope.collectors.queries.parameters import sql_literals
from prunescope.collectors.sql.dialects import dialect_named_by, dialect_of

SOURCE = "sql_records"
_DIALECT = "trino"

DEFAULT_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        name: name
        for name in (
            "sql",
            "dialect",
            "started_at",
            "catalog",
            "schema",
            "user",
            "params",
            "query_id",
            "time_zone",
            "engine",
            "engine_version",
        )
    }
)


@dataclass(frozen=True, slots=True)
class RecordDefaults:
    """Defaults for fields that records leave out. `dialect` is sqlglot's name."""

    dialect: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    catalog: str | None = None
    schema: str | None = None
    time_zone: str | None = None


def from_json(
    line: str | bytes,
    location: str,
    *,
    fields: Mapping[str, str] = DEFAULT_FIELDS,
    defaults: RecordDefaults,
) -> ObservedQuery | Rejected:
    """`from_mapping` of the JSON object that `line` holds. Reasons of a Rejected are
    `malformed_json`, `malformed_record` for JSON that is no object, and its own."""
    try:
        record = opened(
            decode_object(line, not_an_object=Outcome.MALFORMED_RECORD),
            has_member(fields.get("sql", "sql")),
        )
    except UnreadableInput as error:
        return Rejected(SOURCE, location, error.code, str(error))
    return from_mapping(record, location, fields=fields, defaults=defaults)


def from_mapping(
    record: Mapping[str, Any],
    location: str,
    *,
    fields: Mapping[str, str] = DEFAULT_FIELDS,
    defaults: RecordDefaults,
) -> ObservedQuery | Rejected:
    """The query that one record describes. Never raises for what a record holds.

    `fields` maps the names of DEFAULT_FIELDS to those of the record, with dots for nested
    fields; names that it leaves out keep their own. `location` says where the record stands:
    it goes into the Rejected, and is the id of a record without one.

    Only the SQL text is needed. Other fields of the wrong type count as absent, except
    `params`: placeholders without their values would be another query; and `started_at`: a query
    without a time is one of every night.

    The dialect is the record's, else that of the engine that it names, else that of `defaults`;
    trino where nothing names any. The time zone is the record's, else that of `defaults`, else the
    one that is assumed in the dialect.

    Reasons of a Rejected: `missing_sql`, `malformed_record` for SQL that is not text, parameters
    that are not a list of scalars and a time that is none, and `unknown_dialect` where all that is
    named is an engine whose dialect is not known: read in another one, a text may become a name.
    """
    values = {name: lookup(record, fields.get(name, name)) for name in DEFAULT_FIELDS}
    query_id = identifier(values["query_id"])
    engine = text(values["engine"])
    try:
        dialect = _dialect(text(values["dialect"]), engine, defaults)
        sql = required_text(
            values["sql"],
            fields.get("sql", "sql"),
            absent=Outcome.MISSING_SQL,
            malformed=Outcome.MALFORMED_RECORD,
        )
        parameters = sql_literals(values["params"], dialect)
        started_at = told_instant(
            values["started_at"],
            fields.get("started_at", "started_at"),
            malformed=Outcome.MALFORMED_RECORD,
        )
    except UnreadableInput as error:
        return Rejected(SOURCE, location, error.code, str(error), query_id)
    return ObservedQuery(
        source=SOURCE,
        query_id=query_id or location,
        place=None if query_id else location,
        sql=sql,
        dialect=dialect,
        started_at=started_at,
        catalog=text(values["catalog"]) or defaults.catalog,
        schema=text(values["schema"]) or defaults.schema,
        user=text(values["user"]),
        engine=engine or defaults.engine,
        engine_version=text(values["engine_version"]) or defaults.engine_version,
        time_zone=(
            text(values["time_zone"]) or defaults.time_zone or dialect_of(dialect).assumed_zone
        ),
        parameters=parameters,
    )


def lookup(record: Mapping[str, Any], path: str) -> object:
    """The value of a field; dots lead into nested records."""
    # Exports that flatten nested fields write the dots into the name.
    if path in record:
        return record[path]
    value: object = record
    for key in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def has_member(path: str) -> Callable[[Mapping[str, object]], bool]:
    """Makes a test for records that have a field, or the first of the nested records that lead to
    it."""
    first = path.partition(".")[0]
    return lambda record: path in record or first in record


def _dialect(own: str | None, engine: str | None, defaults: RecordDefaults) -> str:
    """The dialect of a record. Raises UnreadableInput."""
    named = own or dialect_named_by(engine)
    found = named or defaults.dialect or dialect_named_by(defaults.engine)
    if found is None and (engine or defaults.engine):
        raise UnreadableInput(
            Outcome.UNKNOWN_DIALECT,
            "the dialect of the engine that the record names is not known; set the source's "
            "`dialect`",
        )
    return (found or _DIALECT).strip().lower()
