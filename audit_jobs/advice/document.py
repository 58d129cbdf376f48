"""Advice as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from audit_jobs.advice.candidates import Candidate
from audit_jobs.advice.inside_document import inside_document
from audit_jobs.advice.inside_statements import advised_migration
from audit_jobs.advice.limits import limits
from audit_jobs.advice.manifest_document import manifest_document
from audit_jobs.advice.model import Advice, Prediction
from collectors.observed import TableName

_EFFECTS = 50
"""Shapes of queries that are told."""


def document(table: TableName, advice: Advice) -> dict[str, Any]:
    """What is advised for one table. Bytes are means per scan, but for those of the table."""
    now, best = advice.now, advice.best
    told: dict[str, Any] = {
        "table": str(table),
        "advised": None if best is None else _prediction(best),
        "now": {
            "bytes": now.bytes,
            "files": now.files,
            "records": now.records,
            "partition": None if now.partition is None else [str(term) for term in now.partition],
            "kept_bytes": asdict(advice.kept),
            "kept_files": advice.files_kept,
        },
        "least_bytes": advice.least,
        "break_even_days": advice.break_even_days,
        "statements": None,
        "scans": advice.scans,
        "runs": advice.runs,
        "days": advice.days,
        "scored": advice.scored,
        "others": [_prediction(other) for other in advice.others],
        "fingerprints": [asdict(effect) for effect in advice.effects[:_EFFECTS]],
        "losers": [effect.fingerprint for effect in advice.losers],
        "row_groups": inside_document(advice),
        "manifests": manifest_document(advice.manifests),
        "drift": None if advice.drift is None else asdict(advice.drift),
        "sampled": {"files": advice.sampled_files, "rows": advice.sampled_rows},
        "of_bounds": advice.of_bounds,
        "limits": list(limits(advice)),
    }
    found = advised_migration(table, advice)
    if found is not None:
        told["statements"] = {"spark": list(found.spark), "trino": list(found.trino)}
        told["limits"] += found.notes
    return told


def _prediction(prediction: Prediction) -> dict[str, Any]:
    return {
        **_candidate(prediction.candidate),
        "kept_bytes": asdict(prediction.bytes),
        "kept_files": prediction.files,
        "gain_bytes": asdict(prediction.gain),
        **asdict(prediction.sizes),
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "partition": [str(term) for term in candidate.partition],
        "order": candidate.order.curve.value,
        "columns": [column.name for column in candidate.order.columns],
        "terms": candidate.order.terms,
    }
