"""Layouts that a table could have: what it is partitioned by, and how rows are ordered."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from collectors.partitioning import PartitionField, PartitionSpec, result_type
from collectors.predicates.model import Field

_FIRST_FIELD_ID = 1_000
"""Of partition fields, as Iceberg numbers them."""


class Curve(StrEnum):
    """How rows are ordered by columns: one after the other, or all of them at once."""

    SORT = "sort"
    ZORDER = "zorder"
    HILBERT = "hilbert"


class Term(NamedTuple):
    """A partition field: a transform of a column."""

    transform: str
    column: Field

    def __str__(self) -> str:
        name, _, width = self.transform.rstrip("]").partition("[")
        if name == "identity":
            return self.column.name
        return f"{name}({width}, {self.column.name})" if width else f"{name}({self.column.name})"


class Order(NamedTuple):
    """An order of rows by one or more columns. Of a sort by ranges, values of the first are
    `rounded` by a transform, and another one follows."""

    curve: Curve
    columns: tuple[Field, ...]
    rounded: str = "identity"

    @property
    def is_by_ranges(self) -> bool:
        """Whether rows of each range of one column are in order of the next."""
        return self.rounded != "identity"

    @property
    def first(self) -> Term:
        """What the first column counts by."""
        return Term(self.rounded, self.columns[0])

    @property
    def terms(self) -> list[str]:
        """What rows are in order of, as it is told."""
        first = [str(self.first)] if self.columns else []
        return [*first, *(column.name for column in self.columns[1:])]

    def __str__(self) -> str:
        names = ", ".join(self.terms)
        return names if self.curve is Curve.SORT else f"{self.curve}({names})"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A layout: partition fields, none where it is not partitioned, and the order of the rows of
    each partition over its files."""

    partition: tuple[Term, ...]
    order: Order

    def __str__(self) -> str:
        parts = ", ".join(map(str, self.partition))
        return (
            f"partitioned by {parts}, sorted by {self.order}"
            if parts
            else (f"not partitioned, sorted by {self.order}")
        )

    @property
    def columns(self) -> tuple[Field, ...]:
        """All columns that it goes by."""
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

    def complexity(self, current: tuple[Term, ...]) -> tuple[int, ...]:
        """How much there is to do and to understand: of two layouts as good as each other, the one
        with less of it is advised."""
        return (
            self.partition != current,
            len(self.partition),
            self.order.curve is not Curve.SORT,
            self.order.is_by_ranges,
            len(self.order.columns),
            self.order.curve is Curve.HILBERT,
        )
