"""Rules of each planner, by its profile."""

from __future__ import annotations

from functools import lru_cache

from prunescope.audit_jobs.pruning.rules import (
    ICEBERG_1_10,
    ICEBERG_1_11,
    ICEBERG_1_12,
    OWN_RULES,
    PlannerRules,
)
from prunescope.collectors.sql.planners.profiles import Planner

_OLDER = (((1, 11), ICEBERG_1_10), ((1, 12), ICEBERG_1_11))
"""The rules of Iceberg Java before each of these versions, in ascending order."""


@lru_cache(maxsize=256)
def rules_of(planner: Planner | None) -> PlannerRules:
    """The rules of a planner; those of the newest Iceberg if there is no profile."""
    if planner is None:
        return ICEBERG_1_12
    rules = next((rules for until, rules in _OLDER if () < planner.iceberg < until), ICEBERG_1_12)
    return OWN_RULES[planner.engine](rules) if planner.engine in OWN_RULES else rules
