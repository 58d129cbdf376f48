"""Iceberg's scan reports: bodies that a REST catalog receives, rows of Polaris' table
scan_metrics_report, and lines of Iceberg's LoggingMetricsReporter (Iceberg 1.11)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping

from prunescope.collectors.errors import QueryError
from prunescope.collectors.observed import ObservedScan, Rejected, ScanReport, TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.expression_json import parse_expression
from prunescope.collectors.predicates.expression_text import parse_printed_expression
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.queries.instants import told_instant
from prunescope.collectors.queries.json_input import (
    UnreadableInput,
    decode_json,
    decode_object,
    text,
)
from prunescope.collectors.queries.reading import read_lines
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.types import MAX_INT64

SOURCE = "iceberg_reports"

_COUNTERS = (
    "result_data_files",
    "result_delete_files",
    "total_data_manifests",
    "total_delete_manifests",
    "scanned_data_manifests",
    "skipped_data_manifests",
    "scanned_delete_manifests",
    "skipped_delete_manifests",
    "total_file_size_in_bytes",
    "total_delete_file_size_in_bytes",
    "skipped_data_files",
    "skipped_delete_files",
    "indexed_delete_files",
    "equality_delete_files",
    "positional_delete_files",
    "dvs",
)
# Where Polaris names a column otherwise (apache/polaris, JDBC schema version 4).
_POLARIS_COUNTERS = {
    "total_file_size_bytes": "total_file_size_in_bytes",
    "total_delete_file_size_bytes": "total_delete_file_size_in_bytes",
}

_LOGGED = "Received metrics report: ScanReport{"
# log4j's usual `yy/MM/dd HH:mm:ss`; it does not say the zone: taken for UTC.
_LOG_TIME = re.compile(rb"(\d\d/\d\d/\d\d \d\d:\d\d:\d\d) ")
# In order; each ends the field before it. Splitting at the first of each takes linear time.
_LOG_SEPARATORS = (
    ", snapshotId=",
    ", filter=",
    ", schemaId=",
    ", scanMetrics=ScanMetricsResult{",
    "}, metadata={",
)
_SNAPSHOT_ID = re.compile(r"-?[0-9]{1,19}")
_LOG_COUNTER = re.compile(r"(?<!\w)(\w++)=CounterResult\{unit=\w+, value=(\d{1,19})\}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def read_reports(path: str, storage: Storage) -> Iterator[ScanReport | Rejected]:
    """The reports in a file of JSON lines or of a log, streamed; lines of a log that are no scan
    report are passed over."""
    for location, line in read_lines(path, storage, SOURCE):
        if isinstance(line, Rejected):
            yield line
        elif line.lstrip().startswith(b"{"):
            yield from_json(line, location)
        else:
            found = from_log_line(line, location)
            if found is not None:
                yield found


def from_json(line: str | bytes, location: str) -> ScanReport | Rejected:
    """The report in a JSON object: the body of a request, an envelope with the body in `body`
    and perhaps the time in `received_at`, or a row of Polaris' table with the names of catalog
    and table. Never raises for what a line holds.

    Reasons of a Rejected: `malformed_json`, `malformed_report`, and `not_a_scan_report` for
    other reports, such as those of commits. A filter that cannot be read is None in the report.
    """
    try:
        document = decode_object(line, not_an_object=Outcome.MALFORMED_REPORT)
        body = document.get("body", document)
        if not isinstance(body, dict):
            raise _malformed("body is not a JSON object")
        if "report-type" in body:
            return _from_request(body, document, location)
        return _from_polaris({str(key).lower(): value for key, value in body.items()}, location)
    except UnreadableInput as error:
        return Rejected(SOURCE, location, error.code, str(error))


def _from_request(
    body: Mapping[str, object], envelope: Mapping[str, object], location: str
) -> ScanReport:
    if body["report-type"] != "scan-report":
        raise UnreadableInput(
            Outcome.NOT_A_SCAN_REPORT, "the report is of another kind than a scan"
        )
    name = text(body.get("table-name"))
    snapshot_id = _whole(body.get("snapshot-id"))
    metrics = body.get("metrics")
    if name is None or snapshot_id is None or not isinstance(metrics, dict):
        raise _malformed("table-name, snapshot-id or metrics are missing")
    counters = {}
    for counter in _COUNTERS:
        value = metrics.get(counter.replace("_", "-"))
        count = _whole(value.get("value")) if isinstance(value, dict) else None
        if count is not None:
            counters[counter] = count
    metadata = body.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    return ScanReport(
        SOURCE,
        location,
        ObservedScan(_table(name), snapshot_id, counters, pushed=_json_filter(body.get("filter"))),
        text(metadata.get("engine-name")),
        text(metadata.get("engine-version")),
        told_instant(
            envelope.get("received_at"), "received_at", malformed=Outcome.MALFORMED_REPORT
        ),
    )


def _from_polaris(row: Mapping[str, object], location: str) -> ScanReport:
    if "result_data_files" not in row:
        raise UnreadableInput(Outcome.NOT_A_SCAN_REPORT, "the object is no scan report")
    table = text(row.get("table_name"))
    if table is None:
        raise _malformed(
            "table_name is missing: export the table's name and namespace, and catalog_name, "
            "beside its id"
        )
    counters = {}
    for key, value in row.items():
        counter = _POLARIS_COUNTERS.get(key, key)
        count = _whole(value)
        if counter in _COUNTERS and count is not None:
            counters[counter] = count
    namespace = text(row.get("namespace"))
    return ScanReport(
        SOURCE,
        location,
        ObservedScan(
            TableName(
                text(row.get("catalog_name")),
                tuple(namespace.split(".")) if namespace else (),
                table,
            ),
            _whole(row.get("snapshot_id")),
            counters,
            pushed=_text_filter(text(row.get("filter_expression"))),
        ),
        reported_at=told_instant(
            row.get("timestamp_ms"), "timestamp_ms", malformed=Outcome.MALFORMED_REPORT
        ),
    )


def from_log_line(line: bytes, location: str) -> ScanReport | Rejected | None:
    """The report in a line that LoggingMetricsReporter logged; None for other lines, such as
    those of SnapshotScan, which have no counts."""
    decoded = line.decode("utf-8", "replace")
    start = decoded.find(_LOGGED)
    if start < 0:
        return None
    fields = _logged_fields(decoded[start + len(_LOGGED) :].rstrip())
    if fields is None:
        error = _malformed("a logged report is cut off or of an unknown form")
        return Rejected(SOURCE, location, error.code, str(error))
    table, snapshot_id, printed, metrics, rest = fields
    counters = {
        _CAMEL.sub("_", name).lower(): int(value)
        for name, value in _LOG_COUNTER.findall(metrics)
        if int(value) <= MAX_INT64
    }
    metadata = dict(pair.partition("=")[::2] for pair in rest.split(", ") if "=" in pair)
    return ScanReport(
        SOURCE,
        location,
        ObservedScan(
            _table(table),
            _whole(snapshot_id),
            {name: counters[name] for name in _COUNTERS if name in counters},
            pushed=_text_filter(printed),
        ),
        metadata.get("engine-name"),
        metadata.get("engine-version"),
        _logged_at(line),
    )


def _logged_fields(logged: str) -> tuple[str, int, str, str, str] | None:
    """Table, snapshot, filter, metrics and metadata; None for a report that is cut off."""
    parts = []
    for separator in _LOG_SEPARATORS:
        part, found, logged = logged.partition(separator)
        if not found:
            return None
        parts.append(part)
    name, snapshot, printed, _, metrics = parts
    table = name.removeprefix("tableName=")
    if table in ("", name) or not logged.endswith("}}") or not _SNAPSHOT_ID.fullmatch(snapshot):
        return None
    return table, int(snapshot), printed, metrics, logged.removesuffix("}}")


def _logged_at(line: bytes) -> dt.datetime | None:
    found = _LOG_TIME.match(line)
    if found is None:
        return None
    try:
        logged = dt.datetime.strptime(found[1].decode(), "%y/%m/%d %H:%M:%S")
    except ValueError:
        return None
    return logged.replace(tzinfo=dt.UTC)


def _table(name: str) -> TableName:
    """Engines put the catalog's name first; a name of two parts has none. A table that was
    loaded by its path has the path for a name."""
    if "/" in name:
        return TableName(None, (), name)
    *before, table = name.split(".")
    if len(before) < 2:
        return TableName(None, tuple(before), table)
    return TableName(before[0], tuple(before[1:]), table)


def _json_filter(document: object) -> Predicate | None:
    try:
        return None if document is None else parse_expression(document)
    except QueryError:
        return None


def _text_filter(printed: str | None) -> Predicate | None:
    if printed is None:
        return None
    try:
        return parse_printed_expression(printed)
    except QueryError:
        pass
    try:
        return _json_filter(decode_json(printed))
    except UnreadableInput:
        return None


def _whole(value: object) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_INT64
    return value if is_count and isinstance(value, int) else None


def _malformed(problem: str) -> UnreadableInput:
    return UnreadableInput(Outcome.MALFORMED_REPORT, f"{problem}; check what writes the log")
