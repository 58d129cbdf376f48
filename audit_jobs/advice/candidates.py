"""Layouts that a table could have: the fields of its partitions, and the order of its rows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from prunescope.collectors.partitioning import PartitionField, PartitionSpec, result_type
from prunescope.collectors.predicates.model import Field
from prunescope.collectors.statistics import ColumnKey

_FIRST_FIELD_ID = 1_000
"""The first id of a partition field, as Iceberg numbers them."""


class Curve(StrEnum):
    """Order of rows by several columns: one after the other, or all of them at once."""

    SORT = "sort"
    ZORDER = "zorder"


class Term(NamedTuple):
    """A partition field: a transform of a column."""

    transform: str
    column: Field

    @property
    def key(self) -> ColumnKey:
        """The column."""
        return self.column.field_id, self.column.type


class Order(NamedTuple):
    """An order of rows by one or more columns. In a sort by ranges, values of the first are
    `rounded` by a transform, and another one follows."""

    curve: Curve
    columns: tuple[Field, ...]
    rounded: str = "identity"

    @property
    def is_by_ranges(self) -> bool:
        """True if rows of each range of one column are sorted by the next."""
        return self.rounded != "identity"

    @property
    def first(self) -> Term:
        """The first column with its rounding."""
        return Term(self.rounded, self.columns[0])


@dataclass(frozen=True, slots=True)
class Candidate:
    """A layout: partition fields, none if it is not partitioned, and the order of each partition's
    rows over its files."""

    partition: tuple[Term, ...]
    order: Order

    @property
    def columns(self) -> tuple[Field, ...]:
        """All columns of the partition fields and the order."""
        return (*self.order.columns, *(term.column for term in self.partition))

    @property
    def spec(self) -> PartitionSpec:
        """The partition spec."""
        return PartitionSpec(
            0,
            tuple(
                PartitionField(
                    _FIRST_FIELD_ID + number,
                    term.column.field_id,
                    f"{term.column.name}_{term.transform}",
                    term.transform,
                    term.column.type,
                    result_type(term.transform, term.column.type),
                )
                for number, term in enumerate(self.partition)
            ),
        )
