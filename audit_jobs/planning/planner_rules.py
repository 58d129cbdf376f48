"""Rules of each planner, by its profile."""

from __future__ import annotations

from functools import lru_cache

from prunescope.audit_jobs.pruning.rules import (
    ICEBERG_1_10,
    ICEBERG_1_11,
    OWN_RULES,
    PlannerRules,
)
from prunescope.collectors.sql.planners.profiles import Planner


@lru_cache(maxsize=256)
def rules_of(planner: Planner | None) -> PlannerRules:
    """The rules of a planner; those of the newest Iceberg if there is no profile."""
    if planner is None:
        return ICEBERG_1_11
    rules = ICEBERG_1_10 if planner.iceberg and planner.iceberg < (1, 11) else ICEBERG_1_11
    return OWN_RULES[planner.engine](rules) if planner.engine in OWN_RULES else rules
