"""The health of tables as JSON."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.jobs.survey import Surveyed
from prunescope.audit_jobs.results.columns import named, signed

_BY_COLUMN = ("name", "field_id", "type", "bounded", "overlap", "depth", "common_bounds")


def table_document(one: Surveyed) -> dict[str, Any]:
    """A table as JSON: the numbers of the audit tables `table_health` and `column_health` by the
    same names, null if unknown, and facts of its metadata. No bounds: those are values of rows."""
    health = one.health
    known = {
        field.name: None if health is None else getattr(health, field.name)
        for field in fields(TableHealth)
        if field.name not in ("table", "columns", "files_by_spec")
    }
    known["snapshot_id"] = signed(known["snapshot_id"])
    for name, value in known.items():
        known[name] = list(value) if isinstance(value, tuple) else value
    by_spec = None if health is None else {str(k): n for k, n in health.files_by_spec.items()}
    return {
        **named(one.name),
        **known,
        "files_by_spec": by_spec,
        "columns": [{key: getattr(c, key) for key in _BY_COLUMN} for c in one.columns],
        "condition": None if one.condition is None else asdict(one.condition),
        "needless_files": None if health is None else one.needless_files,
        "failure": one.failure,
    }
