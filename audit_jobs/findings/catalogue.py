"""All causes, in the order of the documentation."""

from __future__ import annotations

from audit_jobs.findings.cause import Cause
from audit_jobs.findings.causes import (
    unclustered_column,
    wrapped_column,
)

CAUSES: tuple[Cause, ...] = (
    wrapped_column.CAUSE,
    unclustered_column.CAUSE,
)

BY_ID = {cause.id: cause for cause in CAUSES}
