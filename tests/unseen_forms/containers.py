"""Containers of one row each, and which of them the predicate of a condition keeps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.pruning.algebra import Evaluation, evaluate
from prunescope.audit_jobs.pruning.packed import unpack
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import shapes
from prunescope.audit_jobs.pruning.tristate import UNKNOWN
from prunescope.audit_jobs.workload.row_tests import with_row_tests
from prunescope.collectors.errors import QueryError
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.column_domains import tightened
from prunescope.collectors.predicates.model import TRUE, Predicate
from prunescope.collectors.predicates.moments import Clocks
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.statistics import (
    ColumnKey,
    ColumnStatistics,
    Statistics,
    constant,
    from_counts,
)
from prunescope.collectors.types import arrow_type, is_floating
from tests.unseen_forms.arrow_rows import table_of
from tests.unseen_forms.value_sets import Row


def predicate_of(where: str, dialect: str, zone: str, columns: Mapping[str, str]) -> Predicate:
    """The predicate of a condition on a table of such columns (their Iceberg types by name), as a
    scan has it for what statistics allow (`prunescope.audit_jobs.workload.bind`); TRUE where the
    condition cannot be parsed."""
    try:
        unbound = condition(where, dialect, time_zone=zone, types=columns)
    except QueryError:
        return TRUE
    schema = Schema(
        0,
        tuple(
            SchemaColumn(number, (name,), type_name, False, False, False, None)
            for number, (name, type_name) in enumerate(columns.items(), 1)
        ),
    )
    moments = dialect_of(dialect).plain_are_moments
    bound = bind(unbound, schema, time_zone=zone, plain_are_moments=moments)
    return with_row_tests(tightened(bound), schema, Clocks(zone, moments))


def kept_rows(predicate: Predicate, columns: Mapping[str, str], rows: Sequence[Row]) -> list[bool]:
    """Tells whether each row's container can hold a match, by its statistics alone."""
    evaluation = Evaluation(statistics_of(columns, rows))
    return kept_by(predicate, evaluation)


def kept_by(predicate: Predicate, evaluation: Evaluation) -> list[bool]:
    """The same, of containers whose statistics are in order already."""
    (shape,) = shapes([Scan(0, predicate)])
    kept = [True] * evaluation.count
    for tree in shape.conjuncts:
        state = evaluate(
            tree,
            lambda place: evaluation(shape.leaves[place.number], FLOOR.metrics),
            unsupported=UNKNOWN,
        )
        possible = unpack(state.possible, evaluation.count)[0].tolist()
        kept = [a and b for a, b in zip(kept, possible, strict=True)]
    return kept


def statistics_of(
    columns: Mapping[str, str], rows: Sequence[Row], *, sorts_nan: bool = False
) -> Statistics:
    """A container for each row. With `sorts_nan`, an infinity stands beside each NaN: Iceberg rules
    out files of NaN alone by any order, which engines that sort NaN last may match."""
    table = table_of(columns, rows)
    found: dict[ColumnKey, ColumnStatistics] = {}
    for number, (name, type_name) in enumerate(columns.items(), 1):
        values = _physical(table[name].combine_chunks(), type_name)
        is_null = values.is_null()
        nan_count, value_count = None, pa.array([1] * len(rows), pa.int64())
        if is_floating(type_name):
            is_nan = pc.fill_null(pc.is_nan(values), False)
            nan_count = pc.cast(is_nan, pa.int64())
            values = pc.if_else(is_nan, math.inf if sorts_nan else None, values)
            if sorts_nan:
                value_count = pc.add(value_count, nan_count)
        found[number, type_name] = from_counts(
            values,
            values,
            null_count=pc.cast(is_null, pa.int64()),
            nan_count=nan_count,
            value_count=value_count,
        )
    return Statistics(len(rows), constant(False, len(rows)), found)


def _physical(values: pa.Array, type_name: str) -> pa.Array:
    """Values as their physical type: days, microseconds, UTF-8."""
    if type_name == "date":
        values = values.cast(pa.int32())
    return values.cast(arrow_type(type_name))
