"""Which rules a planner plans by."""

from __future__ import annotations

from functools import lru_cache

from audit_jobs.pruning.rules import (
    ICEBERG_1_10,
    ICEBERG_1_11,
    PYICEBERG,
    PlannerRules,
    trino,
)
from collectors.sql.planners.profiles import Planner


@lru_cache(maxsize=256)
def rules_of(planner: Planner | None) -> PlannerRules:
    """The rules of a planner; those of the newest Iceberg where there is no profile."""
    if planner is None:
        return ICEBERG_1_11
    if planner.engine == "pyiceberg":
        return PYICEBERG
    rules = ICEBERG_1_10 if planner.iceberg and planner.iceberg < (1, 11) else ICEBERG_1_11
    return trino(rules) if planner.engine == "trino" else rules
