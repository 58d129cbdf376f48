"""A run as JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

from prunescope.audit_jobs.findings.entries import reported
from prunescope.audit_jobs.records import Elsewhere
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.sums import ScanSums


def run_document(result: AuditResult) -> dict[str, Any]:
    """Its outcome, and per table the sums over all replayed scans, most bytes
    first. A sum is null where some scan's count is not known."""
    tables = [_table_document(str(key), scans) for key, scans in result.sums.tables.items()]
    run = result.run
    return {
        "run_id": run.run_id,
        "status": run.status,
        "window_start": run.window.start.isoformat(),
        "window_end": run.window.end.isoformat(),
        "duration_seconds": (run.finished_at - run.started_at).total_seconds(),
        "queries": dict(sorted(run.queries.items(), key=lambda item: -item[1])),
        "tables_failed": dict(run.tables_failed),
        "tables_set_aside": dict(run.tables_set_aside),
        "tables_unmeasured": dict(run.tables_unmeasured),
        "causes_failed": dict(run.causes_failed),
        "newer_planners": dict(run.newer_planners),
        "elsewhere": None if run.elsewhere is None else _elsewhere_document(run.elsewhere),
        "rejected": [
            {"outcome": one.reason, "location": one.location, "message": one.message}
            for one in run.rejected
        ],
        "footers_read": run.footers_read,
        "footers_unread": run.footers_unread,
        "metadata": dict(run.metadata),
        "findings": dict(Counter(f.severity.value for f in reported(result.findings))),
        "too_small": {"findings": run.too_small, "bytes_at_stake": run.too_small_bytes},
        "false_keep_rate": _rate_document(result.sums.all_scans),
        "tables": sorted(tables, key=lambda row: -(row["bytes"]["kept"] or 0)),
    }


def _elsewhere_document(elsewhere: Elsewhere) -> dict[str, Any]:
    return {
        "queries": elsewhere.queries,
        "first": elsewhere.first.isoformat(),
        "last": elsewhere.last.isoformat(),
    }


def _table_document(name: str, sums: ScanSums) -> dict[str, Any]:
    funnels: dict[str, dict[str, int | None]] = {}
    for funnel in ("manifests", "data_files", "row_groups", "bytes", "records"):
        found = sums.passes[funnel]
        known = found.scans == sums.scans
        funnels[funnel] = {
            "total": found.total if known else None,
            "considered": found.considered if known else None,
            "kept": found.kept if known else None,
        }
    return {
        "table": name,
        "scans": sums.scans,
        **funnels,
        "false_keep_rate": _rate_document(sums),
    }


def _rate_document(sums: ScanSums) -> dict[str, float | None] | None:
    rate = sums.false_keep_rate
    return None if rate is None else rate._asdict()
