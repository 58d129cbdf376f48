"""An audit result as rows of the audit tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from audit_jobs.findings.rows import finding_row, keyed
from audit_jobs.pruning.conjunct_classes import is_remaining
from audit_jobs.pruning.summary import Funnel, ScanPlanSummary
from audit_jobs.records import AuditResult, Matching, RunRecord, ScanRecord
from audit_jobs.sinks.audit_schemas import ESTIMATED, FUNNELS, KEPT_RATIOS, POTENTIAL, STAGES
from collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Comparison,
    Or,
    Predicate,
    Unsupported,
)
from collectors.queries.observed import TableName

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
        "tables_set_aside": _map(run.tables_set_aside),
        "tables_unmeasured": _map(run.tables_unmeasured),
        "causes_failed": _map(run.causes_failed),
        "footers_read": run.footers_read,
        "footers_unread": run.footers_unread,
        "read_bytes": run.read_bytes,
        "scans": len(result.scans),
        "findings": _map(_reported(result)),
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
                "inputs": scan.inputs,
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
                "agreement": scan.agreement,
            }
            | _table(scan)
            | ({} if scan.summary is None else _summary(scan.summary))
            | ({} if scan.potential is None else _potential(scan.potential))
            | ({} if scan.matching is None else _matching(scan.matching))
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
                "matching_share": None if conjunct.matching is None else conjunct.matching.share,
            }


def table_health_rows(result: AuditResult) -> Iterator[Row]:
    """One row of table_health per table that was measured."""
    plans: dict[TableName | None, list[ScanPlanSummary]] = {}
    for scan in result.scans:
        if scan.summary is not None:
            plans.setdefault(scan.table, []).append(scan.summary)
    for health in result.health:
        counts = {
            field.name: getattr(health, field.name)
            for field in fields(health)
            if field.name not in ("table", "files_by_spec", "columns")
        }
        counts["snapshot_id"] = signed(health.snapshot_id)
        by_spec = {str(spec_id): count for spec_id, count in health.files_by_spec.items()}
        of_table = plans.get(health.table, [])
        ratios = {
            f"{name}_kept_ratio": _kept_ratio([getattr(plan, name) for plan in of_table])
            for name in KEPT_RATIOS
        }
        yield (
            _identity(result.run)
            | _named(health.table)
            | counts
            | {"files_by_spec": _map(by_spec), "scans": len(of_table)}
            | ratios
        )


def column_health_rows(result: AuditResult) -> Iterator[Row]:
    """One row of column_health per measured column. Bounds are values of rows: they stay out."""
    for health in result.health:
        for column in health.columns:
            yield (
                _identity(result.run)
                | _named(health.table)
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


def _kept_ratio(funnels: Sequence[Funnel]) -> float | None:
    """Kept over total, of the scans of which both are known."""
    known = [(f.kept, f.total) for f in funnels if f.kept is not None and f.total is not None]
    total = sum(total for _, total in known)
    return sum(kept for kept, _ in known) / total if total else None


def finding_rows(result: AuditResult) -> Iterator[Row]:
    """One row of findings per finding, in order."""
    for rank, (key, finding) in enumerate(keyed(result.findings), start=1):
        row = finding_row(key, rank, finding)
        yield _identity(result.run) | row | {"evidence": json.dumps(row["evidence"], default=str)}


def _reported(result: AuditResult) -> Mapping[str, int]:
    """Findings that are not suppressed, by severity."""
    return Counter(f.severity.value for f in result.findings if f.suppressed is None)


def _identity(run: RunRecord) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "window_start": run.window.start,
        "window_end": run.window.end,
    }


def _table(scan: ScanRecord) -> dict[str, Any]:
    return {} if scan.table is None else _named(scan.table)


def _named(table: TableName) -> dict[str, Any]:
    return {
        "catalog": table.catalog,
        "namespace": ".".join(table.namespace),
        "table": table.table,
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
    dangling = {f"dangling_{kind}": n for kind, n in summary.dangling_delete_files.items()}
    footers = {
        f"footers_{name}": getattr(summary.footers, name)
        for name in ("needed", "skipped", "unread")
    }
    return (
        counts
        | intervals
        | sources
        | deletes
        | dangling
        | footers
        | {
            "snapshot_id": signed(summary.snapshot_id),
            "schema_id": summary.schema_id,
            "spec_ids": list(summary.spec_ids),
            "old_spec_files": summary.old_spec_files,
            "old_spec_bytes": summary.old_spec_bytes,
            "unread": _map(summary.unread),
        }
    )


def _potential(summary: ScanPlanSummary) -> dict[str, Any]:
    return {f"potential_{funnel}_kept": getattr(summary, funnel).kept for funnel in POTENTIAL}


def _matching(matching: Matching) -> dict[str, Any]:
    return {
        "matching_share": matching.share,
        "matching_share_low": matching.low,
        "matching_share_high": matching.high,
        "matching_rows": matching.rows,
    }


def signed(snapshot_id: int | None) -> int | None:
    """A snapshot id as a signed number of the same 64 bits, as Avro and Java have it: that is what
    a long column holds."""
    if snapshot_id is None or snapshot_id < 1 << 63:
        return snapshot_id
    return snapshot_id - (1 << 64)


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
