"""Whole queries and workloads."""

from __future__ import annotations

from tests.workloads.pairs.queries import (
    engines,
    families,
    joins,
    logged,
    needs_of_several,
    of_spark_alone,
    people,
    shapes,
    whole,
)

PAIRS = (
    *engines.PAIRS,
    *families.PAIRS,
    *joins.PAIRS,
    *logged.PAIRS,
    *needs_of_several.PAIRS,
    *of_spark_alone.PAIRS,
    *people.PAIRS,
    *shapes.PAIRS,
    *whole.PAIRS,
)
