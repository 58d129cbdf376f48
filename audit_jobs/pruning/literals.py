"""Literals as columns: the constants of K comparisons of one operator and one field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.partitioning import result_type
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import BoundComparison, Field
from prunescope.collectors.predicates.operators import UNARY, Op
from prunescope.collectors.types import Physical, physical

_FAMILY = {Op.EQ: Op.IN, Op.NOT_EQ: Op.NOT_IN}
_SINGLE = {single: many for many, single in _FAMILY.items()}

CELLS = 1 << 20
"""Cells of K comparisons × what they are compared with that are made at once, a byte each."""

Values = npt.NDArray[Any]
"""Physical values: int64, float64, or objects (bytes, Decimal)."""


@dataclass(frozen=True, eq=False)
class Literals:
    """K rows of values: row k is `values[offsets[k]:offsets[k + 1]]`, ascending and distinct; one
    value a row for ranges and prefixes, none for unary operators."""

    values: Values
    offsets: IntArray

    @property
    def count(self) -> int:
        """K."""
        return len(self.offsets) - 1

    @cached_property
    def lengths(self) -> IntArray:
        """The number of values of each row."""
        return np.diff(self.offsets)

    @cached_property
    def owner(self) -> IntArray:
        """The row of each value."""
        return np.repeat(np.arange(self.count), self.lengths)

    @cached_property
    def all_single(self) -> bool:
        """True if every row has exactly one value."""
        return len(self.values) == self.count and bool((self.lengths == 1).all())

    def slice(self, start: int, stop: int) -> Literals:
        """The rows from `start` up to `stop`."""
        if start == 0 and stop >= self.count:
            return self
        offsets = self.offsets[start : stop + 1]
        return Literals(self.values[offsets[0] : offsets[-1]], offsets - offsets[0])

    def take(self, rows: IntArray | BoolArray) -> Literals:
        """Some of the rows, in the order given."""
        if self.all_single:
            return of_singles(self.values[rows])
        lengths = self.lengths[rows]
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
        return Literals(self.values[np.repeat(self.offsets[:-1][rows], lengths) + within], offsets)


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """K comparisons. Equality stands as IN of one value, and inequality as NOT IN of one, because
    binding turns each into the other; a row of one value is judged as the comparison that it was.
    """

    op: Op
    field: Field
    literals: Literals

    def slice(self, start: int, stop: int) -> Leaf:
        """The comparisons from `start` up to `stop`."""
        return Leaf(self.op, self.field, self.literals.slice(start, stop))

    def take(self, rows: IntArray) -> Leaf:
        """Some of the comparisons, in the order given."""
        return Leaf(self.op, self.field, self.literals.take(rows))

    def comparison(self, row: int) -> BoundComparison:
        """One of the comparisons, by itself."""
        literals = self.literals.slice(row, row + 1)
        op = _SINGLE.get(self.op, self.op) if literals.all_single else self.op
        return BoundComparison(op, self.field, tuple(literals.values.tolist()))


def of_singles(values: Values) -> Literals:
    """Rows of one value each."""
    return Literals(values, np.arange(len(values) + 1))


def joined(parts: Sequence[Literals]) -> Literals:
    """The rows of all parts, one part's after the other's."""
    if len(parts) == 1:
        return parts[0]
    lengths = np.concatenate([part.lengths for part in parts])
    values = np.concatenate([part.values for part in parts])
    return Literals(values, np.concatenate(([0], np.cumsum(lengths))))


def literals_of(rows: Iterable[Sequence[PhysicalValue]], type_name: str) -> Literals:
    """Rows of physical values of a type."""
    found = list(rows)
    lengths = np.fromiter(map(len, found), np.int64, len(found))
    flat = [value for row in found for value in row]
    return Literals(as_values(flat, type_name), np.concatenate(([0], np.cumsum(lengths))))


def leaf_of(comparison: BoundComparison) -> Leaf:
    """One comparison as a leaf of one row."""
    op, field = family(comparison.op), comparison.field
    return Leaf(op, field, literals_of([comparison.values], compared_type(op, field)))


def family(op: Op) -> Op:
    """The operator under which comparisons are judged together."""
    return _FAMILY.get(op, op)


def compared_type(op: Op, field: Field) -> str:
    """The type of the values that a field, or its transform, is compared with."""
    if field.transform is None or op in UNARY:
        return field.type
    return result_type(field.transform, field.type) or field.type


def as_values(values: Sequence[PhysicalValue], type_name: str) -> Values:
    """Physical values as an array that sorts as they do."""
    match physical(type_name):
        case Physical.INTEGER:
            return np.array(values, np.int64)
        case Physical.FLOATING:
            return np.array(values, np.float64)
        case _:
            found = np.empty(len(values), object)
            found[:] = values
            return found
