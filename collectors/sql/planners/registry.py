"""All planner profiles."""

from __future__ import annotations

from prunescope.collectors.sql.planners import (
    clickhouse,
    datafusion,
    duckdb,
    polars,
    pyiceberg,
    spark,
    trino,
)
from prunescope.collectors.sql.planners.profile import Profile

PROFILES: tuple[Profile, ...] = (
    spark.PROFILE,
    trino.PROFILE,
    pyiceberg.PROFILE,
    polars.PROFILE,
    duckdb.PROFILE,
    datafusion.PROFILE,
    clickhouse.PROFILE,
)

ENGINES = {name: each for each in PROFILES for name in (each.engine, *each.aliases)}
"""Profiles by the names of engines in logs."""
