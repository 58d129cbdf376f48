"""Partition transforms on single values and on arrays of bounds (table spec, "Partition
Transforms")."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache, partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.audit_jobs.pruning.literals import Values, as_values
from prunescope.collectors.arrays import BoolArray
from prunescope.collectors.partitioning import result_type
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import Field
from prunescope.collectors.predicates.text_times import sortable, sortable_number
from prunescope.collectors.statistics import ColumnStatistics
from prunescope.collectors.types import (
    INT64_RANGE,
    INTEGER_RANGE,
    MAX_DECIMAL_DIGITS,
    NANOS_PER_UNIT,
    Physical,
    arrow_type,
    decimal_parameters,
    from_unscaled,
    physical,
    unscaled,
)

_PARAMETER = re.compile(r"(bucket|truncate)\[(\d+)\]")
_NANOS_PER_HOUR = 3_600_000_000_000
TIME_TRANSFORMS = ("year", "month", "day", "hour")

ROW_FUNCTIONS: Mapping[str, Callable[[pa.Array], pa.Array]] = {
    "lower": pc.utf8_lower,
    "upper": pc.utf8_upper,
    "trim": pc.utf8_trim_whitespace,
    "second_of_minute": pc.second,
    "minute_of_hour": pc.minute,
    "hour_of_day": pc.hour,
    "day_of_week": partial(pc.day_of_week, count_from_zero=False),
    "day_of_month": pc.day,
    "day_of_year": pc.day_of_year,
    "month_of_year": pc.month,
    "quarter_of_year": pc.quarter,
}
"""Functions that conditions apply to texts, and to times on the clock of UTC (weeks begin on
Monday, its 1), beside the spec's transforms: they apply to single values only."""


_OF_TEXTS = re.compile(r"number|time\[(.*)\]")


def reads_texts(transform: str | None) -> bool:
    """Tells whether a transform reads strings: `number` or `time[%d.%m.%Y]`. It yields the meaning
    of a string, as a string that sorts like it, or null for other strings. As with row functions,
    only of single values."""
    return transform is not None and _OF_TEXTS.fullmatch(transform) is not None


def _of_texts(transform: str, texts: pa.Array) -> pa.Array:
    pattern = _OF_TEXTS.fullmatch(transform)
    assert pattern is not None
    function = partial(sortable, pattern=pattern[1]) if pattern[1] else sortable_number
    encoded = texts.dictionary_encode()
    found = [None if text is None else function(text) for text in encoded.dictionary.to_pylist()]
    return pa.array(found, pa.string()).take(encoded.indices)


def width(transform: str) -> int:
    """The parameter of `bucket[N]` or `truncate[W]`."""
    match = _PARAMETER.fullmatch(transform)
    if match is None:
        raise ValueError(f"{transform!r} has no width")
    return int(match.group(2))


@lru_cache(maxsize=65_536)
def apply(transform: str, source_type: str, value: PhysicalValue) -> PhysicalValue:
    """The partition value of one non-null source value (see `apply_all`)."""
    # As an object, an integer that is truncated keeps all of its bits.
    exact = np.array([value], object) if transform.startswith("truncate[") else None
    values = as_values([value], source_type) if exact is None else exact
    (result,) = apply_all(transform, source_type, values).tolist()
    found: PhysicalValue = result
    return found


def apply_all(transform: str, source_type: str, values: Values) -> Values:
    """The partition values of non-null source values, all in physical form.

    `transform` is identity, `bucket[N]`, `truncate[W]`, year, month, day or hour. Timestamps before
    1970 round down, as in the spec. Truncating the smallest integers leaves the range of their
    type, and wraps around beyond 64 bits (see `in_range_all`).
    """
    if transform == "identity":
        return values
    if transform in TIME_TRANSFORMS:
        return _time_units(transform, source_type, values)
    if transform.startswith("bucket["):
        return _buckets(width(transform), source_type, values)
    return _truncated(width(transform), source_type, values)


def _buckets(count: int, source_type: str, values: Values) -> Values:
    # Imported here: the hash is all that pruning needs from PyIceberg's core.
    from pyiceberg_core import transform as core  # noqa: PLC0415

    if NANOS_PER_UNIT.get(source_type) == 1:
        values = values // 1_000  # hashed as microseconds (table spec, appendix B)
    found = core.bucket(pa.array(values, arrow_type(source_type)), count)
    return np.asarray(found.to_numpy(zero_copy_only=False), np.int64)


def _truncated(size: int, source_type: str, values: Values) -> Values:
    match physical(source_type):
        case Physical.INTEGER:
            return np.asarray(values - values % size)
        case Physical.BINARY:
            texts = source_type == "string"
            cut = [_first(v, size) if texts else v[:size] for v in values.tolist()]
        case _:
            scale = decimal_parameters(source_type)[1]
            whole = [unscaled(v, scale) for v in values.tolist()]
            cut = [from_unscaled(v - v % size, scale) for v in whole]
    return as_values(cut, source_type)


def in_range_all(values: Values, before: Values, type_name: str) -> BoolArray:
    """Mask of the results of a transform that the type can hold. `before` are the source values:
    truncating rounds down, so a result above its source has wrapped around (apache/iceberg#9767).
    """
    if values.dtype == object:
        fits = [in_range(value, type_name) for value in values.tolist()]
        return np.array(fits, np.bool_)
    low, high = INTEGER_RANGE.get(type_name, INT64_RANGE)
    if not np.issubdtype(values.dtype, np.integer):
        return np.ones(len(values), np.bool_)
    return np.asarray((values >= low) & (values <= high) & (values <= before))


def in_range(value: PhysicalValue, type_name: str) -> bool:
    """True if the type can hold the value. Truncating the smallest integers, or a decimal of 38
    nines below zero, leads beyond; Iceberg's own arithmetic wraps there (apache/iceberg#9767)."""
    match value:
        case int():
            low, high = INTEGER_RANGE.get(type_name, INT64_RANGE)
            return low <= value <= high
        case Decimal():
            return len(value.as_tuple().digits) <= MAX_DECIMAL_DIGITS
        case _:
            return True


def transform_bounds(column: ColumnStatistics, field: Field) -> ColumnStatistics | None:
    """Facts about `field.transform` of a column, given those about the column itself.

    Order-preserving transforms keep bounds as bounds (Iceberg Java 1.9 and later evaluates
    transform terms so); for the others only nulls are known. None for transforms that are
    not known.
    """
    assert field.transform is not None
    function = ROW_FUNCTIONS.get(field.transform)
    if reads_texts(field.transform):
        function = partial(_of_texts, field.transform)
    if function is not None:
        values = _made(function, column, field.type)
        return replace(column, lower=values, upper=values)
    if result_type(field.transform, field.type) is None:
        return None
    lower, upper = column.lower, column.upper
    if field.transform in TIME_TRANSFORMS:
        lower, upper = (_time_array(field.transform, field.type, b) for b in (lower, upper))
    elif field.transform.startswith("truncate["):
        lower, upper = (_truncate_array(field, bound) for bound in (lower, upper))
    elif field.transform.startswith("bucket["):
        nothing = pa.nulls(len(lower), pa.int64())
        return replace(column, lower=nothing, upper=nothing)
    return replace(column, lower=lower, upper=upper)


def _made(
    function: Callable[[pa.Array], pa.Array], column: ColumnStatistics, type_name: str
) -> pa.Array:
    """The result of a function for each container that holds a single value; null for the
    others."""
    is_one = pc.fill_null(pc.equal(column.lower, column.upper), False)
    values = pc.if_else(is_one, column.lower, pa.scalar(None, column.lower.type))
    try:
        return function(_read(values, type_name)).cast(values.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        # Arrow has no such function of these values (the hour of a date), or they are no text: what
        # it would make of them is unknown.
        return pa.nulls(len(values), values.type)


def _read(values: pa.Array, type_name: str) -> pa.Array:
    """Physical values of a string or a time in Arrow's own type."""
    match physical(type_name):
        case Physical.BINARY:
            return values.cast(pa.string())
        case _ if type_name == "date":
            return values.cast(pa.int32()).cast(pa.date32())
    return values.cast(pa.timestamp("ns" if NANOS_PER_UNIT[type_name] == 1 else "us"))


def _time_array(transform: str, source_type: str, bounds: pa.Array) -> pa.Array:
    values = np.asarray(pc.fill_null(bounds, 0).to_numpy(zero_copy_only=False), np.int64)
    units = _time_units(transform, source_type, values)
    return pa.array(units, pa.int64(), mask=pc.is_null(bounds).to_numpy(zero_copy_only=False))


def _time_units(
    transform: str, source_type: str, values: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Whole years, months, days or hours since the epoch, rounded down."""
    per_unit = NANOS_PER_UNIT[source_type]
    if transform == "hour":
        return values // (_NANOS_PER_HOUR // per_unit)
    days = values // (NANOS_PER_UNIT["date"] // per_unit)
    if transform == "day":
        return days
    resolution = {"year": "Y", "month": "M"}[transform]
    units = days.astype("datetime64[D]").astype(f"datetime64[{resolution}]")
    return np.asarray(units.astype(np.int64))


def _truncate_array(field: Field, bounds: pa.Array) -> pa.Array:
    assert field.transform is not None
    size = width(field.transform)
    if field.type == "string":
        # A truncated bound can end within a code point; such bounds are dropped, not guessed.
        text = pa.array([_decoded(bound) for bound in bounds.to_pylist()], pa.string())
        return pc.utf8_slice_codeunits(text, 0, size).cast(pa.binary())
    if pa.types.is_binary(bounds.type):
        return pc.binary_slice(bounds, 0, size)
    if pa.types.is_decimal(bounds.type):
        truncated = [
            None if bound is None else apply(field.transform, field.type, bound)
            for bound in bounds.to_pylist()
        ]
        held = [None if t is None or not in_range(t, field.type) else t for t in truncated]
        return pa.array(held, arrow_type(field.type))
    values = np.asarray(pc.fill_null(bounds, 0).to_numpy(zero_copy_only=False), np.int64)
    mask = pc.is_null(bounds).to_numpy(zero_copy_only=False)
    lowered = values - values % size
    return pa.array(lowered, pa.int64(), mask=mask | (lowered > values))


def _decoded(bound: bytes | None) -> str | None:
    try:
        return None if bound is None else bound.decode()
    except UnicodeDecodeError:
        return None


def _first(text: bytes, size: int) -> bytes:
    """The first code points of a string; invalid bytes count as one each."""
    return text.decode(errors="surrogateescape")[:size].encode(errors="surrogateescape")
