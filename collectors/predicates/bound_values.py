"""Comparisons of a column, with literals made physical values of the column's type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import TypeGuard

from prunescope.collectors.predicates.clock_changes import compare_time
from prunescope.collectors.predicates.common_decimals import common_scale, rounded_ends
from prunescope.collectors.predicates.lattices import (
    approximate_ends,
    compare_decimal,
    compare_single,
    compare_whole,
    single,
    widened,
)
from prunescope.collectors.predicates.literals import LiteralValue, PhysicalValue, is_nan
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Field,
    Or,
    Predicate,
    Reason,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.scales import (
    NotOfType,
    Position,
    binary,
    floating,
    number,
    position_of,
    utf8,
)
from prunescope.collectors.types import (
    INT64_RANGE,
    INTEGER_RANGE,
    NANOS_PER_UNIT,
    Physical,
    is_floating,
    physical,
)

PREFIX_OPS = (Op.STARTS_WITH, Op.NOT_STARTS_WITH)
WHOLE = frozenset({"int", "long"})


def bind_values(
    op: Op, field: Field, values: Sequence[LiteralValue], time_zone: str | None
) -> Predicate:
    """A comparison of a column with literals; raises NotOfType."""
    if op in PREFIX_OPS:
        (prefix,) = values
        if not isinstance(prefix, str):
            raise NotOfType(Reason.TYPE_MISMATCH)
        return BoundComparison(op, field, (utf8(prefix),))
    value_type = _value_type(field)
    scale = common_scale(value_type, values)
    one = partial(_bind_one, field=field, type_name=value_type, scale=scale, time_zone=time_zone)
    match op:
        case Op.IN:
            return _any_of(field, [one(Op.EQ, value) for value in _readings(value_type, values)])
        case Op.NOT_IN:
            return _none_of(field, value_type, [one(Op.NOT_EQ, value) for value in values])
    return one(op, values[0])


def is_beyond_whole(value: object) -> TypeGuard[int | Decimal]:
    """True if a literal is an exact number beyond all of 64 bits."""
    low, high = INT64_RANGE
    return isinstance(value, int | Decimal) and not low <= value <= high


def _value_type(field: Field) -> str:
    """The type of the literals that a term is compared with."""
    if field.transform is None or field.transform == "identity":
        return field.type
    if field.transform.startswith("truncate["):
        return field.type
    return "date" if field.transform == "day" else "int"


def _readings(type_name: str, values: Sequence[LiteralValue]) -> Iterator[LiteralValue]:
    """The values of a list. One approximate number makes the others approximate: exact ones also
    count as the nearest double, and the nearest single."""
    is_exact = type_name in WHOLE or physical(type_name) is Physical.DECIMAL
    is_approximate = is_exact and any(isinstance(value, float) for value in values)
    for value in values:
        yield value
        if is_approximate and not isinstance(value, float):
            nearest = floating(value)
            yield from (nearest, single(nearest))


def _any_of(field: Field, parts: Sequence[Predicate]) -> Predicate:
    """An OR with its equalities as one IN leaf, sorted, distinct, and without values that the type
    cannot hold; other parts (NaN, ranges) stay."""
    whole = any_of(*parts)
    values: list[PhysicalValue] = []
    others: list[Predicate] = []
    for part in whole.children if isinstance(whole, Or) else (whole,):
        if isinstance(part, BoundComparison) and part.op in (Op.EQ, Op.IN):
            values += part.values
        else:
            others.append(part)
    return any_of(*others, *_one_of(Op.EQ, Op.IN, field, values))


def _none_of(field: Field, type_name: str, parts: Sequence[Predicate]) -> Predicate:
    """An AND with its inequalities as one NOT IN leaf; for single precision, each stays by
    itself."""
    if type_name == "float":
        return all_of(*parts)
    values: list[PhysicalValue] = []
    others: list[Predicate] = []
    for part in parts:
        if isinstance(part, BoundComparison) and part.op is Op.NOT_EQ:
            values += part.values
        else:
            others.append(part)
    return all_of(*others, *_one_of(Op.NOT_EQ, Op.NOT_IN, field, values))


def _one_of(single: Op, several: Op, field: Field, values: list[PhysicalValue]) -> list[Predicate]:
    if not values:
        return []
    distinct = tuple(sorted(set(values)))
    return [BoundComparison(single if len(distinct) == 1 else several, field, distinct)]


def _bind_one(
    op: Op,
    value: LiteralValue,
    *,
    field: Field,
    type_name: str,
    scale: int | None,
    time_zone: str | None,
) -> Predicate:
    if is_nan(value):
        if not is_floating(type_name):
            raise NotOfType(Reason.TYPE_MISMATCH)
        if op not in (Op.EQ, Op.NOT_EQ):  # of the type, but engines differ in where it is sorted
            raise NotOfType(Reason.NOT_CONSTANT)
        return BoundComparison(Op.IS_NAN if op is Op.EQ else Op.NOT_NAN, field)
    match physical(type_name):
        case Physical.BINARY:
            return BoundComparison(op, field, (binary(value, type_name),))
        case Physical.FLOATING:
            value = floating(value)
            if type_name == "float":
                return compare_single(op, field, value)
            return BoundComparison(op, field, (value,))
        case Physical.DECIMAL:
            return _compare_number(op, field, type_name, value, scale)
    if type_name in WHOLE and isinstance(value, float | Decimal):
        return _compare_number(op, field, type_name, value, scale)
    if type_name in NANOS_PER_UNIT:
        return compare_time(op, field, type_name, value, time_zone)
    limits = INTEGER_RANGE.get(type_name, INT64_RANGE)
    return compare_whole(op, field, limits, position_of(value, type_name))


def _compare_number(
    op: Op, field: Field, type_name: str, value: LiteralValue, scale: int | None
) -> Predicate:
    """A comparison of exact numbers with any number. Engines make the column approximate for an
    approximate number, or the text of one; for an exact one, they round both to the `scale` that
    the types have in common, if there is no room for more."""
    position = number(value)
    if type_name in WHOLE:
        limits = INTEGER_RANGE.get(type_name, INT64_RANGE)
        compare = partial(compare_whole, field=field, limits=limits)
    else:
        compare = partial(compare_decimal, field=field, type_name=type_name)
    if isinstance(position, float):
        return compare(op, position=position)
    exact = Fraction(position)
    low: Position = exact
    high: Position = exact
    if isinstance(value, float | str):
        nearest = floating(value)
        low, high = approximate_ends(nearest, may_be_single=isinstance(value, float))
    elif scale is not None:
        low, high = rounded_ends(exact, type_name, scale)
    return widened(op, position, (min(low, position), max(high, position)), compare)
