"""Every parser of what others write, as a function of bytes: whatever they are, it ends with a
value or with the error that its docstring names."""

from __future__ import annotations

import datetime as dt
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.workload.queries import NamedTables, ScanFinder, name_tables
from prunescope.collectors.errors import QueryError, TableError
from prunescope.collectors.observed import ObservedQuery, Rejected, ScanReport, TableName
from prunescope.collectors.parquet.thrift_types import (
    BloomFilterHeader,
    ColumnIndex,
    FileMetaData,
    MalformedParquet,
    OffsetIndex,
    PageHeader,
    decode,
)
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.expression_json import parse_expression
from prunescope.collectors.predicates.expression_text import parse_printed_expression
from prunescope.collectors.predicates.plan_text import parse_plan_filters
from prunescope.collectors.predicates.render import redact, render
from prunescope.collectors.queries import iceberg_reports, sql_records
from prunescope.collectors.queries.spark.events import read_spark_log
from prunescope.collectors.queries.trino import events as trino_events
from prunescope.collectors.queries.trino import io_plans as trino_io_plans
from prunescope.collectors.queries.trino import mysql as trino_mysql
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.file_batches import file_batch
from prunescope.collectors.tables.footers import FooterUnreadable, ParquetFile, read_footers
from prunescope.collectors.tables.manifest_list import read_manifest_list
from prunescope.collectors.tables.manifests import read_manifest
from prunescope.collectors.tables.metadata import Snapshot
from prunescope.collectors.tables.metadata_reading import parse_metadata

Target = Callable[[bytes], None]

_TYPES = ("long", "string", "double", "date", "timestamp", "timestamptz", "decimal(9,2)", "boolean")
_COLUMNS = {name[0] + str(number): name for number, name in enumerate(_TYPES)}
_SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(_COLUMNS.items(), 1)
    ),
)
_KEYS = [(column.field_id, column.type) for column in _SCHEMA.columns]
_DIALECTS = ("trino", "spark", "snowflake", "databricks", "athena", "clickhouse", "dremio")
_TABLE = TableName("lake", ("db",), "t")
_FINDER = ScanFinder({_TABLE: _COLUMNS})


def sql(data: bytes) -> None:
    """The text of a query; the first byte chooses its dialect."""
    dialect = _DIALECTS[data[0] % len(_DIALECTS)] if data else "trino"
    query = ObservedQuery(
        source="fuzz",
        query_id="q",
        sql=data[1:].decode(errors="replace"),
        dialect=dialect,
        catalog="lake",
        schema="db",
        engine=dialect,
        engine_version=None,
        started_at=dt.datetime(2026, 3, 10, tzinfo=dt.UTC),
    )
    named = name_tables(query)
    found = _FINDER.find(query)
    _require_no_fault(named)
    _require_known(found.failure)
    for scan in found.scans:
        render(scan.predicate)
        redact(scan.predicate)


def plan_text(data: bytes) -> None:
    """The filters of a scan node as Spark prints them."""
    with _refused(QueryError):
        render(parse_plan_filters(data.decode(errors="replace"), _SCHEMA))


def trino_event(data: bytes) -> None:
    """A line of Trino's HTTP or Kafka event listener."""
    _record(trino_events.from_json(data, "fuzz:1"))


def trino_mysql_row(data: bytes) -> None:
    """A line of an export of Trino's MySQL event listener."""
    _record(trino_mysql.from_json(data, "fuzz:1"))


def trino_io_plan(data: bytes) -> None:
    """A line with an EXPLAIN (TYPE IO) of Trino."""
    _record(trino_io_plans.from_json(data, "fuzz:1"))


def sql_record(data: bytes) -> None:
    """A line of any query log."""
    fields = {"sql": "sql", "query_id": "id", "started_at": "at", "params": "params"}
    defaults = sql_records.RecordDefaults(dialect="trino")
    _record(sql_records.from_json(data, "fuzz:1", fields=fields, defaults=defaults))


def spark_event_log(data: bytes) -> None:
    """A file of Spark's event log."""
    with _file(data) as path:
        for record in read_spark_log((path,), Storage()):
            _record(record)


def scan_report(data: bytes) -> None:
    """A line of scan reports: a request of Iceberg's REST API, or a line of its log."""
    _record(iceberg_reports.from_json(data, "fuzz:1"))
    _record(iceberg_reports.from_log_line(data, "fuzz:1"))


def expression_json(data: bytes) -> None:
    """An expression as Iceberg writes it in JSON."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return
    with _refused(QueryError):
        render(parse_expression(document))


def expression_text(data: bytes) -> None:
    """An expression as Iceberg prints it."""
    with _refused(QueryError):
        render(parse_printed_expression(data.decode(errors="replace")))


def metadata(data: bytes) -> None:
    """A table metadata file."""
    with _refused(TableError):
        found = parse_metadata(data, "fuzz")
        found.current_snapshot()
        found.schema(None)


def manifest(data: bytes) -> None:
    """A manifest."""
    with _file(data) as path, _refused(TableError):
        entries = read_manifest(path, Storage(), columns=None)
        file_batch([entries], PartitionSpec(0, ()), _KEYS, [])


def manifest_list(data: bytes) -> None:
    """A manifest list."""
    with _file(data) as path, _refused(TableError):
        read_manifest_list(_snapshot(path), Storage())


def parquet_footer(data: bytes) -> None:
    """The end of a Parquet file."""
    with _file(data) as path:
        (footer,) = read_footers([ParquetFile(path, len(data), Storage(), tuple(_KEYS))])
        assert isinstance(footer, FooterUnreadable) or footer.records is not None


def thrift(data: bytes) -> None:
    """A structure of Parquet's; the first byte chooses which."""
    kinds = (FileMetaData, PageHeader, BloomFilterHeader, OffsetIndex, ColumnIndex)
    with _refused(MalformedParquet):
        decode(kinds[data[0] % len(kinds)] if data else FileMetaData, data[1:])


TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (
        sql,
        plan_text,
        trino_event,
        trino_mysql_row,
        trino_io_plan,
        sql_record,
        spark_event_log,
        scan_report,
        expression_json,
        expression_text,
        metadata,
        manifest,
        manifest_list,
        parquet_footer,
        thrift,
    )
}


def _record(record: ObservedQuery | ScanReport | Rejected | None) -> None:
    """A record of a log is to go on as one: to be named, pickled, written."""
    if isinstance(record, ObservedQuery):
        _require_no_fault(name_tables(record))
    elif isinstance(record, Rejected):
        record.message.encode()
        assert record.reason != "internal_error"


def _require_no_fault(named: NamedTables) -> None:
    _require_known(named.failure)


def _require_known(failure: Failed | None) -> None:
    """What nobody foresaw becomes `internal_error`, so that a run survives it: here it counts."""
    if failure is not None and failure.code == "internal_error":
        raise AssertionError(failure.message)


def _snapshot(manifest_list: str) -> Snapshot:
    document = {
        "format-version": 2,
        "table-uuid": "00000000-0000-0000-0000-000000000000",
        "location": "fuzz",
        "last-sequence-number": 1,
        "last-updated-ms": 1,
        "last-column-id": 1,
        "current-schema-id": 0,
        "schemas": [{"type": "struct", "schema-id": 0, "fields": []}],
        "default-spec-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": []}],
        "last-partition-id": 999,
        "default-sort-order-id": 0,
        "sort-orders": [{"order-id": 0, "fields": []}],
        "current-snapshot-id": 1,
        "snapshots": [
            {
                "snapshot-id": 1,
                "sequence-number": 1,
                "timestamp-ms": 1,
                "manifest-list": manifest_list,
                "summary": {"operation": "append"},
                "schema-id": 0,
            }
        ],
    }
    snapshot = parse_metadata(json.dumps(document).encode(), "fuzz").current_snapshot()
    assert snapshot is not None
    return snapshot


@contextmanager
def _refused(kind: type[Exception]) -> Iterator[None]:
    try:
        yield
    except kind as error:
        str(error).encode()


@contextmanager
def _file(data: bytes) -> Iterator[str]:
    """A file with the bytes, in memory where there is such a place."""
    memory = Path("/dev/shm")  # noqa: S108
    folder = memory if memory.is_dir() else None
    handle, path = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        yield path
    finally:
        Path(path).unlink()
