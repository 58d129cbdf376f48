"""Lifting: comparisons with source columns become comparisons with partition values.

The *inclusive* lift of a predicate is true for every partition that can hold a matching row;
the *strict* lift only for partitions in which every row matches. A column without a partition
field lifts to "every partition" and "no partition". Where both lifts are the same predicate,
partitioning answers the filter completely (Iceberg's ExpressionUtil.selectsPartitions).

The rules are those of Iceberg Java 1.11 (Projections, the `project` and `projectStrict` of
each transform, ProjectionUtil), including its allowance for files of Iceberg 0.10 and older,
which rounded times before 1970 towards zero. A column of literals lifts to a column of partition
values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from prunescope.audit_jobs.pruning.literals import Leaf, Literals, Values, leaf_of, of_singles
from prunescope.audit_jobs.pruning.transforms import (
    TIME_TRANSFORMS,
    apply_all,
    in_range_all,
    reads_texts,
    width,
)
from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    Always,
    BoundComparison,
    Comparison,
    Field,
    Predicate,
    PredicateLeaf,
    Unsupported,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import UNARY, Op
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.types import (
    INT64_RANGE,
    Physical,
    decimal_parameters,
    from_unscaled,
    physical,
    unscaled,
)


class Lifting(NamedTuple):
    """Deviations of a planner from the spec. `old_rounding`: allow for files of Iceberg 0.10 and
    older, which rounded times before 1970 towards zero. `utf16_prefixes`: the length of a prefix is
    measured in UTF-16 units, and the width of `truncate[w]` in characters, so that a prefix with
    characters beyond U+FFFF counts as longer than it is, and strings that begin with it are lost.
    `transforms`: those, without their width, that the planner lifts onto; None stands for all.
    """

    old_rounding: bool = True
    utf16_prefixes: bool = False
    transforms: frozenset[str] | None = None

    def fields(self, spec: PartitionSpec) -> Iterator[PartitionField]:
        """The fields of a spec that comparisons are lifted onto."""
        for field in spec.fields:
            name = field.transform.partition("[")[0]
            if self.transforms is None or name in self.transforms:
                yield field


BY_THE_SPEC = Lifting()
WITHOUT_OLD_FILES = Lifting(old_rounding=False)
NOWHERE = Lifting(transforms=frozenset())
"""The lifting of a reader that does not know partitions: none."""


@dataclass(frozen=True, slots=True, eq=False)
class Lifted:
    """Lifts of some of K comparisons onto one partition field: `leaf` has a row for each of `rows`,
    which ascend; None stands for all K, in order."""

    leaf: Leaf
    rows: IntArray | None = None


def project(leaf: Leaf, spec: PartitionSpec, lifting: Lifting = BY_THE_SPEC) -> tuple[Lifted, ...]:
    """The inclusive lifts of K comparisons onto the fields of a spec, which all hold for every
    partition with a matching row; comparisons in none of them lift to "every partition"."""
    return tuple(
        lifted for field in lifting.fields(spec) for lifted in _inclusive(leaf, field, lifting)
    )


def project_strict(
    leaf: Leaf, spec: PartitionSpec, lifting: Lifting = BY_THE_SPEC
) -> tuple[Lifted, ...]:
    """The strict lifts of K comparisons, each of which holds only for partitions whose rows all
    match; comparisons in none of them lift to "no partition"."""
    return tuple(
        lifted for field in lifting.fields(spec) for lifted in _strict(leaf, field, lifting)
    )


def lift_inclusive(
    predicate: Predicate, spec: PartitionSpec, lifting: Lifting = BY_THE_SPEC
) -> Predicate:
    """A predicate on partition values that holds for every partition with a matching row."""

    def lifted(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case BoundComparison():
                lifts = project(leaf_of(leaf), spec, lifting)
                return all_of(*_single(lifts))
            case Always():
                return leaf
            case Unsupported():
                return TRUE
            case Comparison():
                raise TypeError("a predicate must be bound to field ids before it is lifted")

    return map_leaves(predicate, lifted)


def lift_strict(
    predicate: Predicate, spec: PartitionSpec, lifting: Lifting = BY_THE_SPEC
) -> Predicate:
    """A predicate on partition values that holds only for partitions whose rows all match."""

    def lifted(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case BoundComparison():
                lifts = project_strict(leaf_of(leaf), spec, lifting)
                return any_of(*_single(lifts))
            case Always():
                return leaf
            case Unsupported():
                return FALSE
            case Comparison():
                raise TypeError("a predicate must be bound to field ids before it is lifted")

    return map_leaves(predicate, lifted)


def _single(lifts: tuple[Lifted, ...]) -> list[BoundComparison]:
    return [lifted.leaf.comparison(0) for lifted in lifts]


def _inclusive(leaf: Leaf, field: PartitionField, lifting: Lifting) -> list[Lifted]:
    target = _target(leaf, field)
    if target is None:
        return []
    if leaf.field.transform is not None or leaf.op in UNARY or field.transform == "identity":
        return [Lifted(Leaf(leaf.op, target, leaf.literals))]
    if field.transform.startswith("bucket["):
        return _mapped(leaf, field, Op.IN, target) if leaf.op is Op.IN else []
    match leaf.op:
        case Op.STARTS_WITH | Op.NOT_STARTS_WITH:
            return _prefixes(leaf, field, target, lifting, strict=False)
        case Op.IN:
            lifted = _mapped(leaf, field, Op.IN, target)
        case Op.LT:
            lifted = _mapped(leaf, field, Op.LT_EQ, target, shift=-1)
        case Op.LT_EQ:
            lifted = _mapped(leaf, field, Op.LT_EQ, target)
        case Op.GT:
            lifted = _mapped(leaf, field, Op.GT_EQ, target, shift=1)
        case Op.GT_EQ:
            lifted = _mapped(leaf, field, Op.GT_EQ, target)
        case _:
            return []
    if not (lifting.old_rounding and _rounded_before_1970(field)):
        return lifted
    return [_allow_old_rounding(part, Op.LT_EQ, below=0, listed=Op.IN) for part in lifted]


def _strict(leaf: Leaf, field: PartitionField, lifting: Lifting) -> list[Lifted]:
    target = _target(leaf, field)
    if target is None:
        return []
    if leaf.field.transform is not None or leaf.op in UNARY or field.transform == "identity":
        return [Lifted(Leaf(leaf.op, target, leaf.literals))]
    if field.transform.startswith("bucket["):
        return _mapped(leaf, field, Op.NOT_IN, target) if leaf.op is Op.NOT_IN else []
    match leaf.op:
        case Op.STARTS_WITH | Op.NOT_STARTS_WITH:
            return _prefixes(leaf, field, target, lifting, strict=True)
        case Op.NOT_IN:
            lifted = _mapped(leaf, field, Op.NOT_IN, target)
        case Op.LT:
            lifted = _mapped(leaf, field, Op.LT, target)
        case Op.LT_EQ:
            lifted = _mapped(leaf, field, Op.LT, target, shift=1)
        case Op.GT:
            lifted = _mapped(leaf, field, Op.GT, target)
        case Op.GT_EQ:
            lifted = _mapped(leaf, field, Op.GT, target, shift=-1)
        case _:
            return []
    if not (lifting.old_rounding and _rounded_before_1970(field)):
        return lifted
    return [_allow_old_rounding(part, Op.GT, below=1, listed=Op.NOT_IN) for part in lifted]


def _target(leaf: Leaf, field: PartitionField) -> Field | None:
    """The partition value as a field, or None if the leaf cannot lift onto it at all. A transform
    term lifts only onto a field of exactly that transform, a term that reads strings onto the
    identity field."""
    if field.source_id != leaf.field.field_id or field.result_type is None:
        return None
    if field.transform == "identity" and reads_texts(leaf.field.transform):
        return Field(field.field_id, field.name, field.result_type, leaf.field.transform)
    if leaf.field.transform is not None and leaf.field.transform != field.transform:
        return None
    return Field(field.field_id, field.name, field.result_type)


def _mapped(
    leaf: Leaf, field: PartitionField, op: Op, target: Field, *, shift: int = 0
) -> list[Lifted]:
    """The leaf with the transform of each literal, moved first by `shift` units in the last place.
    Strings and binaries have no neighbours and stay where they are. Comparisons with a literal that
    leads beyond the type's range do not lift: Iceberg's arithmetic wraps there."""
    assert field.source_type is not None
    moved = _neighbours(leaf.literals.values, field.source_type, shift)
    values = apply_all(field.transform, field.source_type, moved)
    literals = Literals(values, leaf.literals.offsets)
    held = in_range_all(values, moved, target.type) if _may_wrap(field) else None
    if held is None or held.all():
        return [Lifted(Leaf(op, target, _tidy(literals)))]
    rows = np.setdiff1d(np.arange(literals.count), literals.owner[~held])
    return [Lifted(Leaf(op, target, _tidy(literals.take(rows))), rows)] if len(rows) else []


def _may_wrap(field: PartitionField) -> bool:
    return field.transform.startswith("truncate[")


def _neighbours(values: Values, type_name: str, shift: int) -> Values:
    if not shift:
        return values
    match physical(type_name):
        case Physical.INTEGER:
            low, high = INT64_RANGE
            return np.where(values == (high if shift > 0 else low), values, values + shift)
        case Physical.DECIMAL:
            scale = decimal_parameters(type_name)[1]
            moved = np.empty(len(values), object)
            moved[:] = [from_unscaled(unscaled(v, scale) + shift, scale) for v in values.tolist()]
            return moved
        case _:
            return values


def _tidy(literals: Literals) -> Literals:
    """The same rows, their values ascending and distinct."""
    if literals.all_single:
        return literals
    if literals.values.dtype == object:
        rows = np.split(literals.values, literals.offsets[1:-1])
        found = [sorted(set(row.tolist())) for row in rows]
        values = np.empty(sum(map(len, found)), object)
        values[:] = [value for row in found for value in row]
        lengths = np.fromiter(map(len, found), np.int64, len(found))
    else:
        order = np.lexsort((literals.values, literals.owner))
        values, owner = literals.values[order], literals.owner
        first = np.ones(len(values), np.bool_)
        first[1:] = (values[1:] != values[:-1]) | (owner[1:] != owner[:-1])
        lengths = np.bincount(owner[first], minlength=literals.count)
        values = values[first]
    return Literals(values, np.concatenate(([0], np.cumsum(lengths))))


def _prefixes(
    leaf: Leaf, field: PartitionField, target: Field, lifting: Lifting, *, strict: bool
) -> list[Lifted]:
    """STARTS WITH and NOT STARTS WITH on a truncated string or binary, by length."""
    if not field.transform.startswith("truncate[") or field.source_type is None:
        return []
    texts = field.source_type == "string"
    prefixes: Values = leaf.literals.values
    measure = partial(_characters, utf16=lifting.utf16_prefixes) if texts else len
    lengths = np.array([measure(prefix) for prefix in prefixes.tolist()], np.int64)
    size = width(field.transform)
    starts = leaf.op is Op.STARTS_WITH
    cut = partial(apply_all, field.transform, field.source_type)
    equal = Op.IN if starts else Op.NOT_IN
    parts: list[tuple[BoolArray, Op, Callable[[Values], Values]]] = [
        (lengths < size, leaf.op, _same),
        (lengths == size, equal, _same),
    ]
    # Of a prefix that is longer than what partitions keep, its beginning says enough one way.
    if starts != strict:
        parts.append((lengths > size, leaf.op, cut))
    return [
        Lifted(Leaf(op, target, of_singles(change(prefixes[chosen]))), np.flatnonzero(chosen))
        for chosen, op, change in parts
        if chosen.any()
    ]


def _characters(text: bytes, *, utf16: bool) -> int:
    return len(text.decode().encode("utf-16-le")) // 2 if utf16 else len(text.decode())


def _same(values: Values) -> Values:
    return values


def _rounded_before_1970(field: PartitionField) -> bool:
    """True if Iceberg 0.10 and older wrote this transform rounded towards zero: all of them but the
    day of a date, which needs no rounding."""
    return field.transform in TIME_TRANSFORMS and (field.transform, field.source_type) != (
        "day",
        "date",
    )


def _allow_old_rounding(lifted: Lifted, range_op: Op, *, below: int, listed: Op) -> Lifted:
    """Moves bounds below `below` up by one, and adds to negative values in lists the next ones."""
    leaf = lifted.leaf
    values = leaf.literals.values
    if leaf.op is range_op:
        moved = np.where(values < below, values + 1, values)
        return Lifted(Leaf(leaf.op, leaf.field, of_singles(moved)), lifted.rows)
    if leaf.op is not listed or not (values < 0).any():
        return lifted
    owner = leaf.literals.owner
    more = values < 0
    owners = np.concatenate((owner, owner[more]))
    order = np.argsort(owners, kind="stable")
    offsets = np.concatenate(([0], np.cumsum(np.bincount(owners, minlength=leaf.literals.count))))
    joined = Literals(np.concatenate((values, values[more] + 1))[order], offsets)
    return Lifted(Leaf(leaf.op, leaf.field, _tidy(joined)), lifted.rows)
