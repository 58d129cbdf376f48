"""Scan records as rows of scan_plans and of conjuncts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from audit_jobs.pruning.conjunct_classes import is_remaining
from audit_jobs.pruning.summary import ScanPlanSummary
from audit_jobs.records import Matching, ScanRecord
from audit_jobs.results.columns import Row, map_of, named, signed
from audit_jobs.results.schemas import ESTIMATED, FUNNELS, POTENTIAL, STAGES
from collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Comparison,
    Or,
    Predicate,
    Unsupported,
)


def scan_plan_row(run: Row, scan: ScanRecord) -> Row:
    """The row of scan_plans of a record, of a run of these columns; without a summary, its columns
    are null."""
    return (
        dict(run)
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
            "observed": None if scan.observed is None else map_of(scan.observed),
            "agreement": scan.agreement,
        }
        | _table(scan)
        | ({} if scan.summary is None else _summary(scan.summary))
        | ({} if scan.potential is None else _potential(scan.potential))
        | ({} if scan.matching is None else _matching(scan.matching))
    )


def conjunct_rows(run: Row, scan: ScanRecord) -> Iterator[Row]:
    """One row of conjuncts per conjunct of a replayed scan."""
    for position, conjunct in enumerate(scan.conjuncts):
        counts = conjunct.counts
        columns, operators = _reads(counts.predicate)
        yield dict(run) | {
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


def _table(scan: ScanRecord) -> dict[str, Any]:
    return {} if scan.table is None else named(scan.table)


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
            "unread": map_of(summary.unread),
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
