"""An audit result as rows of the audit tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from audit_jobs.pruning.conjunct_classes import is_remaining
from audit_jobs.pruning.summary import ScanPlanSummary
from audit_jobs.records import AuditResult, RunRecord, ScanRecord
from audit_jobs.sinks.audit_schemas import ESTIMATED, FUNNELS, POTENTIAL, STAGES
from collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Comparison,
    Or,
    Predicate,
    Unsupported,
)

Row = Mapping[str, Any]


def run_row(result: AuditResult) -> Row:
    """The run's row of audit_runs."""
    run = result.run
    return _identity(run) | {
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "duration_seconds": (run.finished_at - run.started_at).total_seconds(),
        "status": run.status,
        "versions": _map(run.versions),
        "queries": _map(run.queries),
        "tables": run.tables,
        "tables_failed": _map(run.tables_failed),
        "footers_read": run.footers_read,
        "scans": len(result.scans),
    }


def scan_plan_rows(result: AuditResult) -> Iterator[Row]:
    """One row of scan_plans per scan record; without a summary, its columns are null."""
    for scan in result.scans:
        yield (
            _identity(result.run)
            | {
                "scan_key": scan.scan_key,
                "source": scan.source,
                "location": scan.location,
                "query_id": scan.query_id,
                "query_outcome": scan.query_outcome,
                "outcome": scan.outcome,
                "message": scan.message,
                "engine": scan.engine,
                "engine_version": scan.engine_version,
                "planner": scan.planner,
                "user": scan.user,
                "started_at": scan.started_at,
                "fingerprint": scan.fingerprint,
                "predicate": scan.predicate,
                "pushed": scan.pushed,
                "observed": None if scan.observed is None else _map(scan.observed),
            }
            | _table(scan)
            | ({} if scan.summary is None else _summary(scan.summary))
            | ({} if scan.potential is None else _potential(scan.potential))
        )


def conjunct_rows(result: AuditResult) -> Iterator[Row]:
    """One row of conjuncts per conjunct of a replayed scan."""
    for scan in result.scans:
        for position, conjunct in enumerate(scan.conjuncts):
            counts = conjunct.counts
            columns, operators = _reads(counts.predicate)
            yield _identity(result.run) | {
                "scan_key": scan.scan_key,
                "position": position,
                "predicate": conjunct.text,
                "class": conjunct.conjunct_class,
                "remaining": is_remaining(conjunct.conjunct_class),
                "pushed": conjunct.pushed,
                "columns": columns,
                "operators": operators,
                "manifests_pruned": counts.manifests_pruned,
                "data_files_pruned": counts.data_files_pruned,
                "row_groups_pruned": counts.row_groups_pruned,
                "manifests_reason": counts.reasons.get("manifests"),
                "data_files_reason": counts.reasons.get("data_files"),
                "row_groups_reason": counts.reasons.get("row_groups"),
            }


def _identity(run: RunRecord) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "window_start": run.window.start,
        "window_end": run.window.end,
    }


def _table(scan: ScanRecord) -> dict[str, Any]:
    if scan.table is None:
        return {}
    return {
        "catalog": scan.table.catalog,
        "namespace": ".".join(scan.table.namespace),
        "table": scan.table.table,
    }


def _summary(summary: ScanPlanSummary) -> dict[str, Any]:
    counts = {
        f"{funnel}_{stage}": getattr(getattr(summary, funnel), stage)
        for funnel in FUNNELS
        for stage in STAGES
    }
    intervals = {
        f"{funnel}_kept_{end}": getattr(getattr(summary, funnel), end)
        for funnel in ESTIMATED
        for end in ("low", "high")
    }
    sources = {f"row_groups_pruned_by_{name}": n for name, n in summary.row_groups_by.items()}
    deletes = {f"{kind}_kept": count for kind, count in summary.delete_files_by.items()}
    footers = {"footers_needed": summary.footers.needed, "footers_skipped": summary.footers.skipped}
    return (
        counts
        | intervals
        | sources
        | deletes
        | footers
        | {
            "snapshot_id": summary.snapshot_id,
            "schema_id": summary.schema_id,
            "spec_ids": list(summary.spec_ids),
            "unread": _map(summary.unread),
        }
    )


def _potential(summary: ScanPlanSummary) -> dict[str, Any]:
    return {f"potential_{funnel}_kept": getattr(summary, funnel).kept for funnel in POTENTIAL}


def _map(entries: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """As Arrow wants its maps."""
    return sorted(entries.items())


def _reads(predicate: Predicate) -> tuple[list[str], list[str]]:
    """The columns and the operators of a predicate, each once, in order of appearance."""
    columns: dict[str, None] = {}
    operators: dict[str, None] = {}
    pending = [predicate]
    while pending:
        match pending.pop(0):
            case And(children) | Or(children):
                pending[:0] = children
            case Comparison(op, column):
                columns[".".join(column.path)] = None
                operators[op.value] = None
            case BoundComparison(op, field):
                columns[field.name] = None
                operators[op.value] = None
            case Unsupported() as leaf:
                columns.update(dict.fromkeys(leaf.columns))
            case Always():
                pass
    return list(columns), list(operators)
