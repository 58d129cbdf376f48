"""How much of a table filters match, by its sampled rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from audit_jobs.advice.rows import Floats, RankedColumn, SampledRows
from audit_jobs.pruning.passes import match
from audit_jobs.pruning.scans import Scan
from audit_jobs.pruning.shapes import shapes
from collectors.statistics import ColumnStatistics, Statistics, columns_of, constant, from_counts
from collectors.types import is_floating


def matching_shares(rows: SampledRows, scans: Sequence[Scan]) -> Floats:
    """The share of rows that match each scan's filter, or could: of conditions that say nothing to
    rows, all do."""
    keys = columns_of(scan.predicate for scan in scans)
    columns = {key: _one_each(rows.columns[key]) for key in keys if key in rows.columns}
    as_containers = Statistics(rows.count, constant(False, rows.count), columns)
    found = np.ones(len(scans))
    share = rows.weight / rows.weight.sum()
    by_shape = [shape for shape in shapes(scans) if shape.leaves]
    for part in match(by_shape, as_containers):
        found[part.scans] = part.kept @ share
    return found


def _one_each(column: RankedColumn) -> ColumnStatistics:
    missing = ~column.has_value
    values = column.distinct.take(pa.array(np.where(missing, 0, column.rank), mask=missing))
    nan = pa.array((column.rank == column.nan).astype(np.int64))
    return from_counts(
        values,
        values,
        null_count=pa.array((column.rank < 0).astype(np.int64)),
        nan_count=nan if is_floating(column.type) else None,
        value_count=pa.array(np.ones(len(column.rank), np.int64)),
    )
