"""Lifting: a predicate on source columns becomes one on partition values.

The *inclusive* lift of a predicate is true for every partition that can hold a matching row;
the *strict* lift only for partitions in which every row matches. A column without a partition
field lifts to "every partition" and "no partition". Where both lifts are the same predicate,
partitioning answers the filter completely (Iceberg's ExpressionUtil.selectsPartitions).

The rules are those of Iceberg Java 1.11 (Projections, the `project` and `projectStrict` of
each transform, ProjectionUtil), including its allowance for files of Iceberg 0.10 and older,
which rounded times before 1970 towards zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from functools import partial

from audit_jobs.pruning.transforms import TIME_TRANSFORMS, apply, in_range, width
from collectors.partitioning import PartitionField, PartitionSpec
from collectors.predicates.model import (
    FALSE,
    TRUE,
    UNARY,
    Always,
    And,
    BoundComparison,
    Comparison,
    Field,
    Op,
    Or,
    PhysicalValue,
    Predicate,
    Unsupported,
    all_of,
    any_of,
)
from collectors.types import (
    INT64_RANGE,
    Physical,
    decimal_parameters,
    from_unscaled,
    physical,
    unscaled,
)


def lift_inclusive(
    predicate: Predicate, spec: PartitionSpec, *, old_rounding: bool = True
) -> Predicate:
    """A predicate on partition values that holds for every partition with a matching row.
    Without `old_rounding`, of which files of Iceberg 0.10 and older may not be part."""
    again = partial(lift_inclusive, spec=spec, old_rounding=old_rounding)
    match predicate:
        case And(children):
            return all_of(*(again(child) for child in children))
        case Or(children):
            return any_of(*(again(child) for child in children))
        case BoundComparison():
            lifted = (_inclusive(predicate, field, old_rounding) for field in spec.fields)
            return all_of(*(part for part in lifted if part is not None))
        case Always():
            return predicate
        case Unsupported():
            return TRUE
        case Comparison():
            raise TypeError("a predicate must be bound to field ids before it is lifted")


def lift_strict(
    predicate: Predicate, spec: PartitionSpec, *, old_rounding: bool = True
) -> Predicate:
    """A predicate on partition values that holds only for partitions whose rows all match.
    Without `old_rounding`, of which files of Iceberg 0.10 and older may not be part."""
    again = partial(lift_strict, spec=spec, old_rounding=old_rounding)
    match predicate:
        case And(children):
            return all_of(*(again(child) for child in children))
        case Or(children):
            return any_of(*(again(child) for child in children))
        case BoundComparison():
            lifted = (_strict(predicate, field, old_rounding) for field in spec.fields)
            return any_of(*(part for part in lifted if part is not None))
        case Always():
            return predicate
        case Unsupported():
            return FALSE
        case Comparison():
            raise TypeError("a predicate must be bound to field ids before it is lifted")


def _inclusive(
    leaf: BoundComparison, field: PartitionField, old_rounding: bool
) -> BoundComparison | None:
    target = _target(leaf, field)
    if target is None:
        return None
    if leaf.field.transform is not None or leaf.op in UNARY or field.transform == "identity":
        return BoundComparison(leaf.op, target, leaf.values)
    if field.transform.startswith("bucket["):
        if leaf.op not in (Op.EQ, Op.IN):
            return None
        return _comparison(leaf.op, target, _applied(leaf, field))
    if leaf.op in (Op.STARTS_WITH, Op.NOT_STARTS_WITH):
        return _prefix(leaf, field, target, strict=False)
    match leaf.op:
        case Op.EQ | Op.IN:
            lifted = _comparison(leaf.op, target, _applied(leaf, field))
        case Op.LT:
            lifted = _comparison(Op.LT_EQ, target, _applied(leaf, field, shift=-1))
        case Op.LT_EQ:
            lifted = _comparison(Op.LT_EQ, target, _applied(leaf, field))
        case Op.GT:
            lifted = _comparison(Op.GT_EQ, target, _applied(leaf, field, shift=1))
        case Op.GT_EQ:
            lifted = _comparison(Op.GT_EQ, target, _applied(leaf, field))
        case _:
            return None
    if lifted is None or not (old_rounding and _rounded_before_1970(field)):
        return lifted
    return _allow_old_rounding_inclusive(lifted)


def _strict(
    leaf: BoundComparison, field: PartitionField, old_rounding: bool
) -> BoundComparison | None:
    target = _target(leaf, field)
    if target is None:
        return None
    if leaf.field.transform is not None or leaf.op in UNARY or field.transform == "identity":
        return BoundComparison(leaf.op, target, leaf.values)
    if leaf.op in (Op.NOT_EQ, Op.NOT_IN):
        lifted = _comparison(leaf.op, target, _applied(leaf, field))
    elif field.transform.startswith("bucket["):
        return None
    elif leaf.op in (Op.STARTS_WITH, Op.NOT_STARTS_WITH):
        return _prefix(leaf, field, target, strict=True)
    else:
        match leaf.op:
            case Op.LT:
                lifted = _comparison(Op.LT, target, _applied(leaf, field))
            case Op.LT_EQ:
                lifted = _comparison(Op.LT, target, _applied(leaf, field, shift=1))
            case Op.GT:
                lifted = _comparison(Op.GT, target, _applied(leaf, field))
            case Op.GT_EQ:
                lifted = _comparison(Op.GT, target, _applied(leaf, field, shift=-1))
            case _:
                return None
    if lifted is None or not (old_rounding and _rounded_before_1970(field)):
        return lifted
    return _allow_old_rounding_strict(lifted)


def _target(leaf: BoundComparison, field: PartitionField) -> Field | None:
    """The partition value as a field, if the leaf can lift onto it at all. A transform term
    lifts only onto a field of exactly that transform."""
    if field.source_id != leaf.field.field_id or field.result_type is None:
        return None
    if leaf.field.transform is not None and leaf.field.transform != field.transform:
        return None
    return Field(field.field_id, field.name, field.result_type)


def _applied(leaf: BoundComparison, field: PartitionField, shift: int = 0) -> list[PhysicalValue]:
    """The transform of each literal, moved first by `shift` units in the last place. Strings
    and binaries have no neighbours and stay where they are."""
    assert field.source_type is not None
    return [
        apply(field.transform, field.source_type, _neighbour(value, field.source_type, shift))
        for value in leaf.values
    ]


def _neighbour(value: PhysicalValue, type_name: str, shift: int) -> PhysicalValue:
    match physical(type_name):
        case Physical.INTEGER:
            assert isinstance(value, int)
            low, high = INT64_RANGE
            return min(max(value + shift, low), high)
        case Physical.DECIMAL:
            assert isinstance(value, Decimal)
            scale = decimal_parameters(type_name)[1]
            return from_unscaled(unscaled(value, scale) + shift, scale)
        case _:
            return value


def _comparison(op: Op, target: Field, values: Iterable[PhysicalValue]) -> BoundComparison | None:
    """A leaf with sorted, distinct values; IN of one value is equality, as Iceberg binds it.
    None where a value lies beyond what the type's arrays hold: truncating the smallest long
    (or a decimal of 38 nines) leads there, and Iceberg's arithmetic wraps."""
    distinct = tuple(sorted(set(values)))
    if not all(in_range(value, target.type) for value in distinct):
        return None
    if len(distinct) == 1 and op in (Op.IN, Op.NOT_IN):
        return BoundComparison(Op.EQ if op is Op.IN else Op.NOT_EQ, target, distinct)
    return BoundComparison(op, target, distinct)


def _prefix(
    leaf: BoundComparison, field: PartitionField, target: Field, *, strict: bool
) -> BoundComparison | None:
    """STARTS WITH and NOT STARTS WITH on a truncated string, by length in code points."""
    if not field.transform.startswith("truncate[") or field.source_type is None:
        return None
    (prefix,) = leaf.values
    assert isinstance(prefix, bytes)
    length = len(prefix.decode()) if field.source_type == "string" else len(prefix)
    starts = leaf.op is Op.STARTS_WITH
    if length < width(field.transform):
        return BoundComparison(leaf.op, target, leaf.values)
    if length == width(field.transform):
        return BoundComparison(Op.EQ if starts else Op.NOT_EQ, target, leaf.values)
    # The prefix is longer than what partitions keep of a value.
    if starts != strict:
        return BoundComparison(leaf.op, target, tuple(_applied(leaf, field)))
    return None


def _rounded_before_1970(field: PartitionField) -> bool:
    """Whether Iceberg 0.10 and older wrote this transform rounded towards zero: all of them
    but the day of a date, which needs no rounding."""
    return field.transform in TIME_TRANSFORMS and (field.transform, field.source_type) != (
        "day",
        "date",
    )


def _allow_old_rounding_inclusive(lifted: BoundComparison) -> BoundComparison | None:
    values = [value for value in lifted.values if isinstance(value, int)]
    match lifted.op:
        case Op.LT_EQ if values[0] < 0:
            return BoundComparison(Op.LT_EQ, lifted.field, (values[0] + 1,))
        case Op.EQ | Op.IN if values[0] < 0:
            both = [*values, *(value + 1 for value in values if value < 0)]
            return _comparison(Op.IN, lifted.field, both)
        case _:
            return lifted


def _allow_old_rounding_strict(lifted: BoundComparison) -> BoundComparison | None:
    values = [value for value in lifted.values if isinstance(value, int)]
    match lifted.op:
        case Op.GT if values[0] <= 0:
            return BoundComparison(Op.GT, lifted.field, (values[0] + 1,))
        case Op.NOT_EQ | Op.NOT_IN if values[0] < 0:
            both = [*values, *(value + 1 for value in values if value < 0)]
            return _comparison(Op.NOT_IN, lifted.field, both)
        case _:
            return lifted
