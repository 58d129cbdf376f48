"""Rows of the audit tables for a run's results, but for scans, of which there are many."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields

from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.findings.rows import finding_row, keyed
from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.columns import Row, listed, map_of, named, signed
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.schemas import (
    COLUMN_HEALTH,
    FINDINGS,
    KEPT_RATIOS,
    SMALL_FINDINGS,
    TABLE_HEALTH,
)
from prunescope.audit_jobs.results.sums import ScanSums, key_of


def run_row(result: AuditResult) -> Row:
    """The run's row of audit_runs."""
    run = result.run
    return dict(result.identity) | {
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "duration_seconds": (run.finished_at - run.started_at).total_seconds(),
        "status": run.status,
        "versions": map_of(run.versions),
        "queries": map_of(run.queries),
        "tables": run.tables,
        **listed("tables_failed", run.tables_failed),
        **listed("tables_set_aside", run.tables_set_aside),
        **listed("tables_unmeasured", run.tables_unmeasured),
        **listed("causes_failed", run.causes_failed),
        "newer_planners": map_of(run.newer_planners),
        "footers_read": run.footers_read,
        "footers_unread": run.footers_unread,
        "metadata": map_of(run.metadata),
        "read_bytes": run.read_bytes,
        "scans": result.rows.count,
        "findings": map_of(_reported(result)),
    }


def table_health_rows(result: AuditResult) -> Iterator[Row]:
    """Yields one row of table_health per measured table."""
    for health in result.health:
        counts = {
            field.name: getattr(health, field.name)
            for field in fields(health)
            if field.name not in ("table", "files_by_spec", "columns")
        }
        counts["snapshot_id"] = signed(health.snapshot_id)
        counts["sort_columns"] = list(health.sort_columns)
        counts["written_bloom_filters"] = list(health.written_bloom_filters)
        if health.partition_fields is not None:
            counts["partition_fields"] = list(health.partition_fields)
        by_spec = {str(spec_id): count for spec_id, count in health.files_by_spec.items()}
        scans = result.sums.tables.get(key_of(health.table), ScanSums())
        rate = scans.false_keep_rate
        rates = rate._asdict() if rate is not None else {}
        ratios = {f"{name}_kept_ratio": _kept_ratio(scans, name) for name in KEPT_RATIOS}
        yield (
            dict(result.identity)
            | named(health.table)
            | counts
            | {
                "files_by_spec": map_of(by_spec),
                "scans": scans.scans,
                "hidden_filters": scans.hidden,
                "false_keep_rate": rates.get("value"),
                "false_keep_rate_low": rates.get("low"),
                "false_keep_rate_high": rates.get("high"),
            }
            | ratios
        )


def column_health_rows(result: AuditResult) -> Iterator[Row]:
    """Yields one row of column_health per measured column. Bounds are values of rows, and stay
    out."""
    for health in result.health:
        for column in health.columns:
            yield (
                dict(result.identity)
                | named(health.table)
                | {
                    "column": column.name,
                    "field_id": column.field_id,
                    "type": column.type,
                    "bounded": column.bounded,
                    "overlap": column.overlap,
                    "depth": column.depth,
                    "common_bounds": column.common_bounds,
                    "impossible": column.impossible,
                    "ranges": [end for pair in column.ranges for end in pair],
                }
            )


def _kept_ratio(sums: ScanSums, name: str) -> float | None:
    """Kept over total, of the scans whose considered and kept counts are both known."""
    found = sums.passes[name]
    return found.kept / found.total if found.total else None


def finding_rows(result: AuditResult) -> Iterator[Row]:
    """Yields one row of findings per finding, in order."""
    return _finding_rows(result, result.findings)


def small_finding_rows(result: AuditResult) -> Iterator[Row]:
    """Yields one row of small_findings per small finding, in order."""
    return _finding_rows(result, result.small_findings)


def _finding_rows(result: AuditResult, findings: Iterable[Finding]) -> Iterator[Row]:
    for rank, (key, finding) in enumerate(keyed(findings), start=1):
        row = finding_row(key, rank, finding)
        yield dict(result.identity) | row | {"evidence": json.dumps(row["evidence"], default=str)}


def _reported(result: AuditResult) -> Mapping[str, int]:
    """The number of findings that are not suppressed, by severity."""
    return Counter(f.severity.value for f in result.findings if f.suppressed is None)


TABLE_ROWS: tuple[tuple[AuditTable, Callable[[AuditResult], Iterator[Row]]], ...] = (
    (TABLE_HEALTH, table_health_rows),
    (COLUMN_HEALTH, column_health_rows),
    (FINDINGS, finding_rows),
    (SMALL_FINDINGS, small_finding_rows),
)
"""The audit tables of tables and findings, in the order in which they are written."""
