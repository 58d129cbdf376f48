"""A row evaluator: whether one row satisfies an unbound predicate.

SQL's: no comparison matches nulls but IS NULL and IS NOT NAN. A NaN is neither
below nor above anything; engines that sort it last (Spark, Trino) find more, which Iceberg's
planners do not support either (apache/iceberg#9130).
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from pyiceberg.schema import Schema
from pyiceberg.transforms import parse_transform
from pyiceberg.types import PrimitiveType, UUIDType

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.predicates.model import Always, And, Comparison, Or, Predicate
from prunescope.collectors.predicates.operators import Op
from tests.property.values import EPOCH, MICROS_PER_DAY, is_nan

Row = Mapping[int, Any]
"""Field id to value, at any depth; absent where the file has no such column."""

_COMPARE: dict[Op, Callable[[Any, Any], bool]] = {
    Op.LT: lambda a, b: a < b,
    Op.LT_EQ: lambda a, b: a <= b,
    Op.GT: lambda a, b: a > b,
    Op.GT_EQ: lambda a, b: a >= b,
    Op.STARTS_WITH: lambda a, b: a.startswith(b),
}


def matches(predicate: Predicate, row: Row, schema: Schema) -> bool:
    """Whether the row satisfies the predicate, by names of `schema`."""
    match predicate:
        case Always(value):
            return value
        case And(children):
            return all(matches(child, row, schema) for child in children)
        case Or(children):
            return any(matches(child, row, schema) for child in children)
        case Comparison():
            return _compare(predicate, row, schema)
    raise TypeError(f"not an unbound predicate: {predicate}")


def _compare(leaf: Comparison, row: Row, schema: Schema) -> bool:
    field = schema.find_field(".".join(leaf.column.path))
    value = row.get(field.field_id)
    type_name = str(field.field_type)
    if leaf.column.transform is not None:
        assert isinstance(field.field_type, PrimitiveType)
        value, type_name = _transformed(leaf.column.transform, field.field_type, value)
    if leaf.op is Op.IS_NULL:
        return value is None
    if leaf.op is Op.NOT_NULL:
        return value is not None
    if leaf.op is Op.IS_NAN:
        return is_nan(value)
    if leaf.op is Op.NOT_NAN:
        return not is_nan(value)
    literals = [_position(literal, type_name) for literal in leaf.values]
    here = None if value is None else _position(value, type_name)
    if leaf.op in (Op.EQ, Op.IN):
        return here is not None and any(_equal(here, literal) for literal in literals)
    if leaf.op in (Op.NOT_EQ, Op.NOT_IN):
        return here is not None and not any(_equal(here, literal) for literal in literals)
    if leaf.op is Op.NOT_STARTS_WITH:
        return here is not None and not here.startswith(literals[0])
    return here is not None and _COMPARE[leaf.op](here, literals[0])


def _equal(value: Any, literal: Any) -> bool:
    """SQL engines hold NaN equal to itself."""
    return bool(value == literal) or (is_nan(value) and is_nan(literal))


def _position(value: Any, type_name: str) -> Any:
    """Rows and literals on one scale: nanoseconds for dates and timestamps, UTF-8 for text."""
    match type_name:
        case "date" | "timestamp" | "timestamptz":
            if isinstance(value, str):
                value = dt.date.fromisoformat(value)
            if isinstance(value, dt.date):
                value = Timestamp((value - EPOCH).days * MICROS_PER_DAY * 1_000, zoned=False)
            if isinstance(value, Timestamp):
                return value.nanos
            return value * (MICROS_PER_DAY if type_name == "date" else 1) * 1_000
        case "time" if isinstance(value, dt.time):
            seconds = (value.hour * 60 + value.minute) * 60 + value.second
            return seconds * 1_000_000 + value.microsecond
        case "uuid" if isinstance(value, str):
            return uuid.UUID(value).bytes
        case "string":
            return value.encode()
        case _:
            return value


def _transformed(transform: str, source: PrimitiveType, value: Any) -> tuple[Any, str]:
    known = parse_transform(transform)
    if isinstance(source, UUIDType) and transform != "identity" and value is not None:
        value = uuid.UUID(bytes=value)
    return known.transform(source)(value), str(known.result_type(source))
