"""Rows in place of those that may not be read: values spread evenly between the bounds that
manifests have of each file. Nothing is known of texts between two bounds, nor of nulls, nor of how
columns of one file depend on each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from audit_jobs.health.sketch import SampledFile
from collectors.statistics import ColumnKey, ColumnStatistics, Statistics, constant, from_values
from collectors.types import arrow_type, is_floating


def rows_of_bounds(
    files: Sequence[SampledFile], columns: Sequence[ColumnKey], seed: int, each: int
) -> list[Statistics]:
    """So many rows for each file, as containers of one row: the columns of numbers and times that
    it has bounds of."""
    generator = np.random.default_rng(seed)
    return [_rows(file, columns, generator, each) for file in files]


def _rows(
    file: SampledFile, columns: Sequence[ColumnKey], generator: np.random.Generator, each: int
) -> Statistics:
    count = min(each, file.records)
    found: dict[ColumnKey, ColumnStatistics] = {}
    for key in columns:
        low, high = file.bounds.get(key, (None, None))
        if not isinstance(low, int | float) or not isinstance(high, int | float):
            continue
        if not low <= high:  # bounds can contradict each other, or be NaN
            continue
        if is_floating(key[1]):
            values = pa.array(np.append(generator.uniform(low, high, count), (low, high))[-count:])
        else:
            drawn = generator.integers(int(low), int(high), count, np.int64, endpoint=True)
            values = pa.array(np.append(drawn, (int(low), int(high)))[-count:])
        found[key] = from_values(values.cast(arrow_type(key[1])))
    return Statistics(count, constant(False, count), found)
