"""Where PyIceberg 0.12 plans differently than its profile, each as a rule that says which
comparison explains it: faults that a plan cannot have in common with it.

`fewer`: the product keeps fewer files than PyIceberg. `more`: it keeps more. `raises`: PyIceberg
fails to plan. Anything that no rule explains is a bug on one side or the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.metadata import TableMetadata
from tests.property.values import DAYS, MICROS

_TIMES = ("year", "month", "day", "hour")
_SMALLEST = {"int": -(2**31), "long": -(2**63)}
_RANGES = (Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ)


class Kind(Enum):
    """What is different."""

    FEWER = auto()
    MORE = auto()
    RAISES = auto()


@dataclass(frozen=True)
class Difference:
    """A known difference, and the comparisons in which it can show."""

    name: str
    kind: Kind
    explains: Callable[[BoundComparison, TableMetadata], bool]


def _transforms(leaf: BoundComparison, table: TableMetadata) -> set[str]:
    return {
        field["transform"]
        for fields in table.raw_specs.values()
        for field in fields
        if field["source-id"] == leaf.field.field_id
    }


def _is_beyond_python(leaf: BoundComparison) -> bool:
    first, last = DAYS if leaf.field.type == "date" else MICROS
    return any(isinstance(v, int) and not first < v < last for v in leaf.values)


DIFFERENCES = (
    Difference(
        "takes -0.0 and 0.0 for one value for != and NOT IN (Iceberg Java does not, so they stay)",
        Kind.MORE,
        lambda leaf, _: leaf.op in (Op.NOT_EQ, Op.NOT_IN) and 0.0 in leaf.values,
    ),
    Difference(
        "fails on ranges over a column with a null partition, in the residual",
        Kind.RAISES,
        lambda leaf, table: leaf.op in _RANGES and bool(_transforms(leaf, table)),
    ),
    Difference(
        "fails where a literal, or its neighbour, lies outside of Python's years 1 to 9999",
        Kind.RAISES,
        lambda leaf, table: (
            _is_beyond_python(leaf) and bool(_transforms(leaf, table) & set(_TIMES))
        ),
    ),
    Difference(
        "truncates to values below the smallest integer (here such literals do not lift)",
        Kind.MORE,
        lambda leaf, table: (
            leaf.field.type in _SMALLEST
            and any(t.startswith("truncate[") for t in _transforms(leaf, table))
            and any(isinstance(v, int) and v < _SMALLEST[leaf.field.type] + 20 for v in leaf.values)
        ),
    ),
    Difference(
        "compares UUID bounds (unknown here: Java orders UUIDs signed, others unsigned)",
        Kind.MORE,
        lambda leaf, _: leaf.field.type == "uuid",
    ),
    *(
        Difference(
            "decodes double partition values with 32 bits (its compiled Avro decoder)",
            kind,
            lambda leaf, table: leaf.field.type == "double" and bool(_transforms(leaf, table)),
        )
        for kind in (Kind.FEWER, Kind.MORE)
    ),
)
