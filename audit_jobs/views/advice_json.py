"""Advice as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from prunescope.audit_jobs.advice.beyond_filters_document import beyond_document
from prunescope.audit_jobs.advice.unneeded_statistics_document import diet_document
from prunescope.audit_jobs.findings.entries import document
from prunescope.audit_jobs.jobs.advise import Advised, TableAdvice


def advice_document(found: Advised, *, literals: bool) -> dict[str, Any]:
    """The advice for all tables. Values of rows are told with `literals` only."""
    return {
        "tables": [_of_table(one, literals=literals) for one in found.tables],
        "failed": [
            {"table": str(name), "code": why.code, "message": why.message}
            for name, why in found.failed.items()
        ],
        "left_out": dict(found.left_out),
    }


def _of_table(one: TableAdvice, *, literals: bool) -> dict[str, Any]:
    health = one.health
    return {
        "table": str(one.table),
        "bytes": None if health is None else health.bytes,
        "files": None if health is None else health.data_files,
        "scans": one.sums.scans,
        "bytes_kept": one.sums.passes["bytes"].kept,
        "bytes_at_stake": one.remedy.bytes_at_stake,
        "steps": [document(entry) for entry in one.remedy.entries],
        "left": [document(entry) for entry in one.remedy.left],
        "bloom_filters": [asdict(index) for index in one.indexes],
        "diet": diet_document(one.table, one.diet),
        "beyond": beyond_document(one.table, one.beyond, literals=literals),
    }
