"""Containers that enclose others: their joint statistics."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from prunescope.collectors.statistics import ColumnStatistics, Statistics, constant


def enclosing(parts: Sequence[Statistics]) -> Statistics:
    """Statistics of one container for each of N parts, which encloses all containers of the part.
    Each part has rows. A column that any part lacks is unknown everywhere."""
    keys = [key for key in parts[0].columns if all(key in part.columns for part in parts)]
    return Statistics(
        len(parts),
        constant(False, len(parts)),
        {key: _column([part.columns[key] for part in parts]) for key in keys},
    )


def _column(parts: Sequence[ColumnStatistics]) -> ColumnStatistics:
    return ColumnStatistics(
        lower=pa.array([pc.min(part.lower).as_py() for part in parts], parts[0].lower.type),
        upper=pa.array([pc.max(part.upper).as_py() for part in parts], parts[0].upper.type),
        has_null=_each([pc.any(part.has_null) for part in parts]),
        has_nan=_each([pc.any(part.has_nan) for part in parts]),
        all_null=_each([pc.all(part.all_null, skip_nulls=False) for part in parts]),
        all_nan=_each([pc.all(part.all_nan, skip_nulls=False) for part in parts]),
        none_low=_each([pc.all(part.none_low, skip_nulls=False) for part in parts]),
        none_high=_each([pc.all(part.none_high, skip_nulls=False) for part in parts]),
    )


def _each(facts: Sequence[pa.BooleanScalar]) -> pa.BooleanArray:
    return pa.array([fact.as_py() for fact in facts], pa.bool_())
