"""A run's report as a JSON document for the page's script.

Names of keys are short, and unknown or empty values are left out: a run has hundreds of tables.
"""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from prunescope.audit_jobs.findings.catalogue import title_of
from prunescope.audit_jobs.findings.model import DOCUMENTATION
from prunescope.audit_jobs.report.ranges import pack
from prunescope.audit_jobs.report.timeline import Timelines, packed, timelines_of
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.fixed_findings import FIXED, Mended
from prunescope.audit_jobs.results.stakes import counted_stake
from prunescope.audit_jobs.results.sums import SHOWN, ScanSums, TableKey, table_key
from prunescope.audit_jobs.sinks.run_rows import RunRows

Json = dict[str, Any]

_QUERIES = 5
"""Shapes of queries that are shown of a table: those that read most."""
_EXACT = 2**53
"""Beyond it, numbers of JavaScript are not exact."""

_HEALTH = (
    "measured",
    "manifests",
    "manifest_depth",
    "data_files",
    "small_files",
    "records",
    "bytes",
    "target_file_bytes",
    "position_delete_files",
    "equality_delete_files",
    "deletion_vectors",
    "partitions",
    "partition_files",
    "partition_bytes",
)
_FINDING = (
    "cause",
    "severity",
    "confidence",
    "sentence",
    "scans",
    "bytes_read",
    "bytes_at_stake",
    "fingerprint",
    "conjunct",
    "columns",
    "lost_at",
    "step",
    "fix_spark",
    "fix_trino",
    "rewrite",
    "advice",
    "suppressed",
    "example_query_id",
    "example_user",
    "example_source",
    "example_place",
    "example_link",
)


def report_document(rows: RunRows) -> Json:
    """The document: tables, those with most at stake first, and findings, as they are ranked;
    `table` of a finding is the place of its table. The same rows, in any order, make the same
    document."""
    sums = rows.sums
    stakes: dict[TableKey, list[int]] = {}
    for finding in rows.findings:
        of_table = stakes.setdefault(table_key(finding), [])
        stake = counted_stake(finding)
        if stake is not None:
            of_table.append(stake)
    health = {table_key(row): row for row in rows.table_health}
    columns: dict[TableKey, list[Row]] = {}
    for row in rows.column_health:
        columns.setdefault(table_key(row), []).append(row)
    failed = dict(rows.run["tables_failed"])
    keys = {*sums.tables, *health, *stakes}
    # Names may hold dots: two tables can have the same text, by which those that failed are known.
    keys |= {TableKey(None, None, name) for name in failed.keys() - {str(key) for key in keys}}

    def worst_first(key: TableKey) -> tuple[int, int, str, list[str]]:
        scans = sums.tables.get(key)
        read = 0 if scans is None else scans.passes["bytes"].kept
        return -sum(stakes.get(key, ())), -read, str(key), [part or "" for part in key]

    ordered = sorted(keys, key=worst_first)
    place = {key: number for number, key in enumerate(ordered)}
    timelines = timelines_of(rows)
    fixed = fixed_of(rows)
    causes = sorted({finding["cause"] for finding in rows.findings} | {m.cause for m in fixed})
    return {
        "documentation": DOCUMENTATION,
        "titles": {cause: title_of(cause) for cause in causes},
        "passes": SHOWN,
        "windows": [start.astimezone(dt.UTC).isoformat() for start in timelines.starts],
        "tables": [
            _present(
                {
                    "name": str(key),
                    "stake": sum(stakes[key]) if stakes.get(key) else None,
                    "failed": failed.get(str(key)),
                    "scans": _scans(sums.tables.get(key, ScanSums())),
                    "health": _health(health.get(key)),
                    "columns": [_column(row) for row in sorted(columns.get(key, ()), key=_field)],
                    "timeline": packed(timelines.tables.get(key, {}), timelines.starts),
                    "queries": _queries(key, sums.queries.get(key, {}), timelines),
                }
            )
            for key in ordered
        ],
        "findings": [_finding(row, place[table_key(row)]) for row in rows.findings],
        "fixed": [_fixed(one, place[one.table]) for one in fixed],
    }


def fixed_of(rows: RunRows) -> tuple[Mended, ...]:
    """Findings of earlier windows that are fixed, or in part."""
    return tuple(one for one in rows.promises if one.state in FIXED)


def _scans(sums: ScanSums) -> Json:
    """The counts of each pass: scans whose counts are known, total, considered, kept, allowed."""
    return _present(
        {
            "count": sums.scans,
            "estimated": sums.estimated or None,
            "passes": [
                [p.scans, p.total, p.considered, p.kept, p.allowed]
                for p in (sums.passes[name] for name in SHOWN)
            ],
        }
    )


def _health(row: Row | None) -> Json | None:
    if row is None:
        return None
    by_spec = dict(row["files_by_spec"])
    current = by_spec.get(str(row["spec_id"]), 0)
    return _present(
        {name: _number(row[name]) for name in _HEALTH}
        | {"old_spec_files": sum(by_spec.values()) - current}
    )


def _column(row: Row) -> Json:
    """A measured column; `ranges` are packed."""
    numbers = ("bounded", "overlap", "depth", "common_bounds", "impossible")
    return _present(
        {"name": row["column"], "type": row["type"]}
        | {name: _number(row[name]) for name in numbers}
        | {"ranges": pack(row["ranges"] or ())}
    )


def _field(row: Row) -> int:
    field_id: int = row["field_id"]
    return field_id


def _queries(key: TableKey, by_shape: Mapping[str, ScanSums], timelines: Timelines) -> list[Json]:
    """The queries that read most, by fingerprint."""

    def most_read(item: tuple[str, ScanSums]) -> tuple[int, str]:
        return -item[1].passes["bytes"].kept, item[0]

    shown = sorted(by_shape.items(), key=most_read)[:_QUERIES]
    return [
        _present(
            {
                "fingerprint": shape,
                "where": sums.filter,
                **_scans(sums),
                "timeline": packed(timelines.queries.get((key, shape), {}), timelines.starts),
            }
        )
        for shape, sums in shown
    ]


def _fixed(one: Mended, table: int) -> Json:
    return _present(
        {
            "table": table,
            "cause": one.cause,
            "state": one.state.value,
            "fingerprints": list(one.fingerprints),
            "last": one.last_found.astimezone(dt.UTC).isoformat(),
            "scans": one.scans,
            "before": _number(one.before),
            "promised": _number(one.promised),
            "after": _number(one.after),
            "saved": one.bytes_saved,
        }
    )


def _finding(row: Row, table: int) -> Json:
    started_at = row["example_started_at"]
    evidence = json.loads(row["evidence"], parse_constant=lambda _: None, parse_int=_integer)
    return _present(
        {"key": row["finding_key"], "rank": row["rank"], "table": table}
        | {name: row[name] for name in _FINDING}
        | {"evidence": evidence, "example_started_at": started_at and _minute(started_at)}
    )


def _minute(moment: dt.datetime) -> str:
    return f"{moment.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S} UTC"


def _integer(digits: str) -> int | str:
    """A number, or its digits if JavaScript could not hold it exactly, as with ids of snapshots."""
    number = int(digits)
    return number if abs(number) < _EXACT else digits


def _number(value: float | None) -> float | None:
    """A number rounded for display; None for NaN, which JSON does not have."""
    if isinstance(value, float):
        return round(value, 4) if math.isfinite(value) else None
    return value


def _present(entries: Mapping[str, Any]) -> Json:
    return {name: value for name, value in entries.items() if not _empty(value)}


def _empty(value: object) -> bool:
    return value is None or (isinstance(value, str | Iterable) and not value)
