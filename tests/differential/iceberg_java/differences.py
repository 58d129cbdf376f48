"""Where the product plans differently from Iceberg Java 1.9 to 1.12, each as a rule that says
which comparison explains it. Anything that no rule explains is a bug on one side or the other.

Where the product keeps fewer, no row is lost: a rule of Kind.FEWER says why no row that SQL
wants can be there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, auto

from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import And, Comparison, Or, Predicate
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.schema import SchemaColumn
from prunescope.collectors.tables.metadata import TableMetadata
from tests.differential.iceberg_java.filters import Filter, predicate


class Kind(Enum):
    """Whether the product keeps more than Iceberg, or fewer."""

    MORE = auto()
    FEWER = auto()


class Stage(Enum):
    """Where a difference shows: in the plan and in what the reader makes of its files, or only in
    the latter."""

    PLAN = auto()
    READ = auto()


@dataclass(frozen=True)
class Leaf:
    """One comparison of a filter, with negations pushed down to it: its column, the transform
    that it applies to it, and those by which the table partitions it."""

    op: Op
    column: SchemaColumn
    transform: str | None
    values: tuple[LiteralValue, ...]
    partitioned_by: frozenset[str]

    @property
    def type(self) -> str:
        """The type of the column."""
        return self.column.type


@dataclass(frozen=True)
class Difference:
    """A known difference, and the comparisons in which it can show."""

    name: str
    stage: Stage
    kinds: tuple[Kind, ...]
    explains: Callable[[Leaf], bool]


def leaves(filter_: Filter, metadata: TableMetadata) -> Iterator[Leaf]:
    """The comparisons of a filter on columns that the table has."""
    schema = metadata.schema(metadata.current_snapshot())
    by_source: dict[int, set[str]] = {}
    for fields in metadata.raw_specs.values():
        for field in fields:
            by_source.setdefault(field["source-id"], set()).add(field["transform"])
    for leaf in _comparisons(predicate(filter_)):
        for column in schema.by_path(leaf.column.path):
            yield Leaf(
                op=leaf.op,
                column=column,
                transform=leaf.column.transform,
                values=leaf.values,
                partitioned_by=frozenset(by_source.get(column.field_id, ())),
            )


def _comparisons(found: Predicate) -> Iterator[Comparison]:
    match found:
        case And(children) | Or(children):
            for child in children:
                yield from _comparisons(child)
        case Comparison():
            yield found
        case _:
            pass


_MORE = (Kind.MORE,)
_FEWER = (Kind.FEWER,)
_EITHER = (Kind.MORE, Kind.FEWER)

_MAX_FLOAT = 3.5e38
_MAX_DECIMAL = 10**7  # of decimal(9, 2)
_LIMITS = (-(2**63), 2**63 - 1, -(2**31), 2**31 - 1)
_NULLNESS = (Op.IS_NULL, Op.NOT_NULL)
_WITH_ZEROS = (Op.EQ, Op.IN, Op.LT_EQ, Op.GT_EQ)
_PREFIX = (Op.STARTS_WITH, Op.NOT_STARTS_WITH)


def _is_floating(leaf: Leaf) -> bool:
    return leaf.type in ("float", "double")


def _exceeds(leaf: Leaf, limit: float) -> bool:
    return any(
        abs(float(v)) > limit for v in leaf.values if isinstance(v, int | float | Decimal | str)
    )


def _wraps_around(leaf: Leaf) -> bool:
    """Whether the leaf, or the partitioning, truncates integers at the limits of their type."""
    transforms = (*leaf.partitioned_by, leaf.transform or "")
    is_truncated = any(name.startswith("truncate") for name in transforms)
    at_limit = leaf.column.name.startswith("small_") or any(v in _LIMITS for v in leaf.values)
    return leaf.type in ("int", "long") and is_truncated and at_limit


DIFFERENCES = (
    Difference(
        "sorts -0.0 before 0.0 (table spec, bounds), and loses the rows of the other one",
        Stage.PLAN,
        _MORE,
        lambda leaf: _is_floating(leaf) and 0 in leaf.values and leaf.op in _WITH_ZEROS,
    ),
    Difference(
        "tells the zeros of a NOT IN apart, of which one is asked for here",
        Stage.READ,
        _MORE,
        lambda leaf: _is_floating(leaf) and 0 in leaf.values and leaf.op is Op.NOT_IN,
    ),
    Difference(
        "takes numbers beyond single precision for beyond infinity, too",
        Stage.PLAN,
        _EITHER,
        lambda leaf: leaf.type == "float" and _exceeds(leaf, _MAX_FLOAT),
    ),
    Difference(
        "looks for decimals that the column's precision excludes",
        Stage.PLAN,
        _EITHER,
        lambda leaf: leaf.type.startswith("decimal(9") and _exceeds(leaf, _MAX_DECIMAL),
    ),
    Difference(
        "compares UUIDs as two signed numbers (apache/iceberg#14216)",
        Stage.PLAN,
        _MORE,
        lambda leaf: leaf.type == "uuid",
    ),
    Difference(
        "lifts comparisons of transforms onto identity partitions as they are"
        " (apache/iceberg#15502)",
        Stage.PLAN,
        _MORE,
        lambda leaf: leaf.transform is not None and "identity" in leaf.partitioned_by,
    ),
    Difference(
        "wraps around when it truncates the smallest integers (apache/iceberg#9767)",
        Stage.PLAN,
        _EITHER,
        _wraps_around,
    ),
    Difference(
        "judges whether structs are null by ORC's counts",
        Stage.PLAN,
        _MORE,
        lambda leaf: leaf.type == "struct",
    ),
    Difference(
        "asks no bounds whether a transform's result is null or starts with something",
        Stage.PLAN,
        _FEWER,
        lambda leaf: leaf.transform is not None and leaf.op in (*_NULLNESS, *_PREFIX),
    ),
    Difference(
        "does not take NOT STARTS WITH '' for IS NULL",
        Stage.PLAN,
        _EITHER,
        lambda leaf: leaf.op is Op.NOT_STARTS_WITH and leaf.values == ("",),
    ),
    Difference(
        "lifts comparisons onto truncated decimals beyond 38 digits",
        Stage.PLAN,
        _MORE,
        lambda leaf: (
            leaf.type.startswith("decimal(38")
            and any(name.startswith("truncate[") for name in leaf.partitioned_by)
            and any(str(value).startswith("9" * 28) for value in leaf.values)
        ),
    ),
    Difference(
        "judges row groups by the rest of an OR, of which the partition rules out a transform",
        Stage.READ,
        _MORE,
        lambda leaf: leaf.transform is not None,
    ),
    Difference(
        "takes columns with an initial default for null where a file lacks them, though every row"
        " holds the default (apache/iceberg#16690)",
        Stage.READ,
        _EITHER,
        lambda leaf: leaf.column.has_default,
    ),
    Difference(
        "asks dictionaries for all values of NOT IN at once (here, floats one by one)",
        Stage.READ,
        _MORE,
        lambda leaf: leaf.op is Op.NOT_IN and leaf.type == "float",
    ),
)

BEFORE_1_12 = (
    *DIFFERENCES,
    Difference(
        "forgets nulls when a dictionary rules out NOT STARTS WITH (apache/iceberg#17655)",
        Stage.READ,
        _MORE,
        lambda leaf: leaf.op is Op.NOT_STARTS_WITH,
    ),
)

BEFORE_1_10 = (
    *BEFORE_1_12,
    Difference(
        "takes nanoseconds, lifted onto an identity partition, for microseconds"
        " (apache/iceberg#13160)",
        Stage.PLAN,
        _MORE,
        lambda leaf: leaf.type.endswith("_ns") and "identity" in leaf.partitioned_by,
    ),
    Difference(
        "takes required fields for never null, though a struct around them may be",
        Stage.PLAN,
        _EITHER,
        lambda leaf: (
            leaf.op in _NULLNESS and leaf.column.declared_required and not leaf.column.required
        ),
    ),
)
