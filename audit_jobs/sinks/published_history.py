"""Reading earlier windows back from the audit tables."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

from prunescope.audit_jobs.errors import HistoryUnreadable
from prunescope.audit_jobs.findings.history import (
    NO_HISTORY,
    History,
    PastFinding,
    PastHealth,
    PastWindow,
)
from prunescope.audit_jobs.findings.rows import first_key, shapes_of
from prunescope.audit_jobs.printing import tell
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.fixed_findings import table_then
from prunescope.audit_jobs.results.scan_schemas import SCAN_PLANS
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, COLUMN_HEALTH, FINDINGS, TABLE_HEALTH
from prunescope.audit_jobs.sinks.published_rows import IS_VISIBLE
from prunescope.collectors.observed import TableName

if TYPE_CHECKING:
    from pyiceberg.table import Table

DAYS = 28
"""The days of history that a query is compared with: four of each weekday."""

_KEY = ("run_id", "window_start", "window_end", "catalog", "namespace", "table")
_SUBJECT = ("cause", "fingerprint", "conjunct", "columns")
_SUMS = ("bytes_kept", "bytes_total", "data_files_total")
_SETS = ("engine_version", "planner", "snapshot_id")
_HEALTH = (
    *("spec_id", "data_files", "small_files", "manifests"),
    *("partition_fields", "sort_columns", "sequence_number", "added_since"),
)


def read_history(catalog: Catalog, namespace: str, before: dt.datetime) -> History:
    """The windows of visible runs that end before a time, and no more than DAYS before it; none if
    there are no audit tables yet. Rows are summed up batch by batch: memory grows with tables ×
    fingerprints × windows, not with scans. Raises HistoryUnreadable."""
    try:
        runs = _open(catalog, namespace, AUDIT_RUNS.name)
        if runs is None:
            return NO_HISTORY
        within = _within(before)
        rows = runs.scan(f"{within} and {IS_VISIBLE}", selected_fields=("run_id",))
        visible = set(rows.to_arrow()["run_id"].to_pylist())
        return History(
            queries=_queries(_open(catalog, namespace, SCAN_PLANS.name), within, visible),
            tables=_tables(
                _open(catalog, namespace, TABLE_HEALTH.name),
                _open(catalog, namespace, COLUMN_HEALTH.name),
                within,
                visible,
            ),
            findings=_findings(_open(catalog, namespace, FINDINGS.name), within, visible),
        )
    except Exception as error:  # catalogs, storage and formats fail in many ways
        raise HistoryUnreadable(
            f"earlier windows in {namespace} of catalog {catalog.name!r} cannot be read "
            f"({type(error).__name__}); nothing is compared with them"
        ) from error


def history_or_none(catalog: Catalog, namespace: str, before: dt.datetime) -> History:
    """The history (see `read_history`); none, and a warning, if it cannot be read."""
    try:
        return read_history(catalog, namespace, before)
    except HistoryUnreadable as error:
        tell(error)
        return NO_HISTORY


def _open(catalog: Catalog, namespace: str, name: str) -> Table | None:
    try:
        return catalog.load_table((*namespace.split("."), name))
    except (NoSuchTableError, NoSuchNamespaceError):
        return None


def _within(before: dt.datetime) -> str:
    start = (before - dt.timedelta(days=DAYS)).astimezone(dt.UTC).isoformat()
    return f"window_start >= '{start}' and window_end <= '{before.astimezone(dt.UTC).isoformat()}'"


def _queries(
    table: Table | None, within: str, visible: set[str]
) -> dict[tuple[TableName, str], tuple[PastWindow, ...]]:
    if table is None:
        return {}
    fields = (*_KEY, "fingerprint", "bytes_considered", *_SUMS, *_SETS)
    replayed = f"{within} and outcome = 'replayed' and fingerprint is not null"
    reader = table.scan(replayed, selected_fields=fields).to_arrow_batch_reader()
    sums: dict[tuple[TableName, str, Window], list[int]] = defaultdict(lambda: [0] * 4)
    sets: dict[tuple[TableName, str, Window], tuple[set[Any], ...]] = defaultdict(
        lambda: tuple(set() for _ in _SETS)
    )
    for row in _grouped(reader):
        if row["run_id"] in visible:
            key = (_name(row), row["fingerprint"], _window(row))
            counts = (row["bytes_kept_count"], *(row[f"{name}_sum"] or 0 for name in _SUMS))
            sums[key] = [known + new for known, new in zip(sums[key], counts, strict=True)]
            for found, column in zip(sets[key], _SETS, strict=True):
                found.update(value for value in row[f"{column}_distinct"] if value is not None)
    windows: dict[tuple[TableName, str], list[PastWindow]] = defaultdict(list)
    for key, (scans, kept, total, files) in sums.items():
        name, fingerprint, window = key
        versions, planners, snapshots = map(frozenset, sets[key])
        windows[name, fingerprint].append(
            PastWindow(window, scans, kept, total, files, versions, planners, snapshots)
        )
    return {key: tuple(sorted(found, key=lambda w: w.start)) for key, found in windows.items()}


def _grouped(batches: Iterable[pa.RecordBatch]) -> Iterator[Mapping[str, Any]]:
    """One row per batch, run, table and fingerprint."""
    for batch in batches:
        table = pa.Table.from_batches([batch])
        total = pc.coalesce(table["bytes_total"], table["bytes_considered"])
        table = table.set_column(table.schema.get_field_index("bytes_total"), "bytes_total", total)
        aggregates: list[tuple[str, str]] = [("bytes_kept", "count")]
        aggregates += [(name, "sum") for name in _SUMS]
        aggregates += [(name, "distinct") for name in _SETS]
        yield from table.group_by([*_KEY, "fingerprint"]).aggregate(aggregates).to_pylist()


def _tables(
    tables: Table | None, columns: Table | None, within: str, visible: set[str]
) -> dict[TableName, tuple[PastHealth, ...]]:
    if tables is None or columns is None:
        return {}
    depth: dict[tuple[TableName, Window], dict[str, float]] = defaultdict(dict)
    for row in _rows(columns, within, (*_KEY, "column", "depth")):
        if row["run_id"] in visible and row["depth"] is not None:
            depth[_name(row), _window(row)][row["column"]] = row["depth"]
    found: dict[TableName, list[PastHealth]] = defaultdict(list)
    for row in _rows(tables, within, (*_KEY, *_HEALTH)):
        if row["run_id"] in visible:
            name = _name(row)
            found[name].append(table_then(row, depth[name, _window(row)]))
    return {name: tuple(sorted(past, key=lambda h: h.window.start)) for name, past in found.items()}


def _findings(table: Table | None, within: str, visible: set[str]) -> dict[str, PastFinding]:
    if table is None:
        return {}
    fields = (*_KEY, *_SUBJECT, "evidence", "bytes_at_stake")
    rows = _rows(table, f"{within} and suppressed is null", fields)
    return past_findings(row for row in rows if row["run_id"] in visible)


def past_findings(rows: Iterable[Mapping[str, Any]]) -> dict[str, PastFinding]:
    """The last occurrence of each finding, by key. Findings of one query that differ in the meaning
    of its literals are one, with all bytes: history has the bytes that a query keeps, and not those
    of each variant."""
    by_run: dict[str, dict[tuple[dt.datetime, str], PastFinding]] = defaultdict(dict)
    for row in rows:
        name, window = _name(row), _window(row)
        subject = (row["cause"], name, row["fingerprint"], row["conjunct"], row["columns"])
        # Windows may overlap, so a start may be that of two runs.
        runs, run = by_run[first_key(*subject)], (window.start, row["run_id"])
        stakes = [row["bytes_at_stake"], *([runs[run].bytes_at_stake] if run in runs else [])]
        known = [stake for stake in stakes if stake is not None]
        stake = sum(known) if known else None
        columns = tuple(row["columns"] or ())
        runs[run] = PastFinding(window, name, row["cause"], shapes_of(row), stake, columns)
    return {key: runs[max(runs)] for key, runs in by_run.items()}


def _rows(table: Table, within: str, fields: tuple[str, ...]) -> list[dict[str, Any]]:
    """Rows with the requested fields that the table has: one of an older version lacks some."""
    present = tuple(name for name in fields if name in table.schema().column_names)
    rows: list[dict[str, Any]] = table.scan(within, selected_fields=present).to_arrow().to_pylist()
    return rows


def _window(row: Mapping[str, Any]) -> Window:
    return Window(row["window_start"], row["window_end"])


def _name(row: Mapping[str, Any]) -> TableName:
    namespace = row["namespace"]
    return TableName(row["catalog"], tuple(namespace.split(".")) if namespace else (), row["table"])
