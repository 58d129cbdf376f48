"""Findings in the texts of queries: scans, or why there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prunescope.audit_jobs.isolation import Failed
from prunescope.collectors.observed import TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.table_scans import TableScan

Columns = Mapping[TableName, Sequence[str] | Mapping[str, str]]
"""The top-level columns of every table that is audited, best with their types."""


@dataclass(frozen=True, slots=True)
class FoundScans:
    """The scans of a query; `failure` if its text, or one of its statements, cannot be read."""

    scans: tuple[TableScan, ...] = ()
    failure: Failed | None = None


def internal_error(error: Exception) -> Failed:
    """The failure of a query whose reading raises an unforeseen error."""
    message = f"{type(error).__name__} in prunescope; please report the query's shape"
    return Failed(Outcome.INTERNAL_ERROR, message)
