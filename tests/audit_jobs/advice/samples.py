"""Rows of tables as samples of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa

from prunescope.audit_jobs.advice.layouts import Layouts
from prunescope.audit_jobs.advice.rows import SampledRows, sampled_rows
from prunescope.collectors.predicates.model import Field
from prunescope.collectors.statistics import ColumnStatistics, Statistics, constant, from_counts
from prunescope.collectors.tables.metrics_modes import MetricsModes
from prunescope.collectors.types import is_floating


def fields(types: Mapping[str, str]) -> dict[str, Field]:
    """Columns by name, numbered in order."""
    return {name: Field(number, name, kind) for number, (name, kind) in enumerate(types.items(), 1)}


def rows_of(
    columns: Mapping[str, pa.Array],
    types: Mapping[str, str],
    *,
    clusters: int = 1,
    times: int = 1,
    row_bytes: int = 100,
    properties: Mapping[str, str] | None = None,
) -> SampledRows:
    """Columns in physical form as rows of so many sampled files, of a table of `times` as many."""
    count = len(next(iter(columns.values())))
    named = fields(types)
    edges = [count * number // clusters for number in range(clusters + 1)]
    samples = [
        Statistics(
            end - start,
            constant(False, end - start),
            {
                (named[name].field_id, named[name].type): _one_each(
                    values.slice(start, end - start), named[name].type
                )
                for name, values in columns.items()
            },
        )
        for start, end in pairwise(edges)
    ]
    return sampled_rows(
        samples,
        [sample.count for sample in samples],
        {(field.field_id, field.type): name for name, field in named.items()},
        table=(count * times * row_bytes, count * times, clusters * times),
        modes=MetricsModes(properties or {}, 100, frozenset(), frozenset()),
    )


def _one_each(values: pa.Array, kind: str) -> ColumnStatistics:
    ones = np.ones(len(values), np.int64)
    null = np.array([value is None for value in values.to_pylist()], np.int64)
    nan = None
    if is_floating(kind):
        is_nan = [value is not None and value != value for value in values.to_pylist()]  # noqa: PLR0124
        nan = pa.array(np.array(is_nan, np.int64))
        kept = [None if n else v for n, v in zip(is_nan, values.to_pylist(), strict=True)]
        values = pa.array(kept, pa.float64())
    return from_counts(
        values, values, null_count=pa.array(null), nan_count=nan, value_count=pa.array(ones)
    )


def layouts(rows: SampledRows, files: float) -> Layouts:
    """Layouts whose files have a part of the table's bytes each."""
    return Layouts(rows, round(rows.bytes / files))


def numbers(values: Sequence[int | None]) -> pa.Array:
    """Whole numbers."""
    return pa.array(values, pa.int64())
