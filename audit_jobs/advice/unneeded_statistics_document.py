"""Advice on column statistics as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from prunescope.audit_jobs.advice.unneeded_statistics import Diet
from prunescope.audit_jobs.findings.statements import spark_properties, splits
from prunescope.audit_jobs.isolation import Failed
from prunescope.collectors.observed import TableName


def diet_document(table: TableName, diet: Diet | Failed) -> dict[str, Any]:
    """The diet of a table, or why none is known."""
    if isinstance(diet, Failed):
        return {"failed": asdict(diet)}
    return {
        **asdict(diet),
        "saved_bytes": diet.bytes,
        "properties": diet.properties,
        "statements": {"spark": list(diet_statements(table, diet)), "trino": []},
        "limits": list(diet.limits),
    }


def diet_statements(table: TableName, diet: Diet) -> tuple[str, ...]:
    """Statements of Spark that set the properties, to be run before a rewrite; none if a client
    could misread part of a name."""
    statement = spark_properties(table, diet.properties)
    return (statement,) if diet.properties and not splits(statement) else ()
