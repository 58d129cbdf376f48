"""The engine of a group's scans, and how it writes columns."""

from __future__ import annotations

from audit_jobs.findings.statements import spark_identifier, trino_identifier
from audit_jobs.findings.usage import Group
from collectors.predicates.planners import ENGINES


def engine_of(group: Group) -> str | None:
    """The engine whose planner a group's scans have: Athena's is Trino's."""
    return ENGINES.get((group.scans[0].engine or "").strip().lower())


def identifier(group: Group, column: str) -> str:
    """A column as the authors of a group's queries write it."""
    return (spark_identifier if engine_of(group) == "spark" else trino_identifier)(column)
