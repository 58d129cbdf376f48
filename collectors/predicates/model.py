"""The predicate model: a small tree of frozen dataclasses.

A tree is *unbound* as long as its leaves name columns (`Comparison`), and *bound* once they
name field ids and hold values in Iceberg's physical representation (`BoundComparison`).
Parts of a filter that cannot become a comparison stay in the tree as `Unsupported`: they
never prune, and they say why.

Comparisons are SQL's: none but IS NULL and IS NOT NAN matches a null. What matches nulls beside
others says so (`x != 1 OR x IS NULL`): SQL's IS DISTINCT FROM, and Iceberg's own `!=`, NOT IN and
NOT STARTS WITH (`iceberg_negations`). A predicate is always implied by the SQL filter it came from,
never stronger.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from prunescope.collectors.predicates.calculations import Calculated
from prunescope.collectors.predicates.literals import LiteralValue, PhysicalValue
from prunescope.collectors.predicates.operators import Op


class Reason(StrEnum):
    """The reason why a part of a filter cannot become a comparison."""

    FUNCTION = "function_on_column"
    CAST = "cast_on_column"
    ARITHMETIC = "arithmetic_on_column"
    COLUMN_TO_COLUMN = "column_to_column"
    CROSS_TABLE = "other_tables"
    SUBQUERY = "subquery"
    SUBQUERY_VALUE = "subquery_value"
    LIKE_PATTERN = "like_pattern"
    NOT_CONSTANT = "not_constant"
    UNKNOWN_COLUMN = "unknown_column"
    METADATA_COLUMN = "metadata_column"
    AMBIGUOUS_COLUMN = "ambiguous_column"
    NOT_PRIMITIVE = "not_primitive"
    TYPE_MISMATCH = "type_mismatch"
    TIME_ZONE_UNKNOWN = "time_zone_unknown"
    RUNTIME = "runtime_filter"
    EXPRESSION = "expression"
    KEPT_ABOVE = "kept_above"


# Columns and fields are in the hash of every predicate, and that of a tuple is no Python code.
class Column(NamedTuple):
    """A column by name (a dotted path for nested fields), or by the id of its field, which its path
    then shows; or an Iceberg transform of one."""

    path: tuple[str, ...]
    transform: str | None = None
    field_id: int | None = None

    def __str__(self) -> str:
        name = ".".join(self.path)
        return f"{self.transform}({name})" if self.transform else name


class Field(NamedTuple):
    """A column resolved against a schema: its field id, full name, Iceberg type (as text),
    and a transform applied to it, if any."""

    field_id: int
    name: str
    type: str
    transform: str | None = None

    def __str__(self) -> str:
        return f"{self.transform}({self.name})" if self.transform else self.name


@dataclass(frozen=True, slots=True)
class Always:
    """A constant: every row, or no row."""

    value: bool


TRUE = Always(True)
FALSE = Always(False)


@dataclass(frozen=True, slots=True)
class And:
    """All of `children` (two or more)."""

    children: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Any of `children` (two or more)."""

    children: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A query's own words for a comparison: their SQL with literals, and with `?` for each
    literal."""

    text: str
    redacted: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """An unbound leaf. `values` is empty for unary operators, one value for comparisons, and
    any number for IN and NOT IN. `written` is the condition around the column that it was made
    of, None where the query compares the column itself; it tells no comparisons apart. `or_nan`
    tells that NaN matches as well, if the column's type has it: of `NOT (x >= 1)`, which is
    `x < 1` but for NaN (`sql.conditions.nan`). `of_text` tells that columns of other types are
    compared as text, by LIKE. `of_time` tells that the column is cast to a
    timestamp, `in_list` that it is in a list with text, `casts_text` that texts are cast to dates
    and times as Spark does it, and `beside` are the values of a comparison of which null counts as
    well, of IS NULL and `<=>`: `column_casts` knows what that is for which types."""

    op: Op
    column: Column
    values: tuple[LiteralValue, ...] = ()
    written: Written | None = dataclass_field(default=None, compare=False)
    or_nan: bool = False
    of_text: bool = False
    of_time: bool = False
    in_list: bool = False
    casts_text: bool = False
    beside: tuple[LiteralValue, ...] = ()


@dataclass(frozen=True, slots=True)
class BoundComparison:
    """A bound leaf. `values` are physical values of the field's type (of the transform's result
    type if the field has a transform), sorted and distinct for IN and NOT IN. `written` is that of
    the Comparison."""

    op: Op
    field: Field
    values: tuple[PhysicalValue, ...] = ()
    written: Written | None = dataclass_field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A part of the filter that never prunes.

    `text` is its SQL with literals, `redacted` the same with `?` for each literal. `columns`
    are the columns of this table that it reads. What is `calculated` of a column may be the column
    itself to an engine that undoes casts once it knows its type. `if_required` is what it says
    where the schema has none of these columns null, for a planner that asks.
    """

    reason: Reason
    text: str
    redacted: str
    columns: tuple[str, ...] = ()
    calculated: Calculated | None = None
    if_required: Predicate | None = None


PredicateLeaf = Always | Comparison | BoundComparison | Unsupported
Predicate = And | Or | PredicateLeaf


def all_of(*predicates: Predicate) -> Predicate:
    """The conjunction, flattened, without duplicates and constants."""
    return _combine(And, neutral=TRUE, absorbing=FALSE, predicates=predicates)


def any_of(*predicates: Predicate) -> Predicate:
    """The disjunction, flattened, without duplicates and constants."""
    return _combine(Or, neutral=FALSE, absorbing=TRUE, predicates=predicates)


def _combine(
    node: type[And | Or],
    *,
    neutral: Always,
    absorbing: Always,
    predicates: tuple[Predicate, ...],
) -> Predicate:
    if len(predicates) == 1 and not isinstance(predicates[0], node):
        return predicates[0]
    kept: list[Predicate] = []
    for predicate in predicates:
        for part in predicate.children if isinstance(predicate, node) else (predicate,):
            if not isinstance(part, Always):
                kept.append(part)
            elif part == absorbing:
                return absorbing
    if len(kept) > 1:
        by_meaning: dict[Hashable, Predicate] = {}
        for part in kept:
            by_meaning.setdefault(meaning(part), part)
        kept = list(by_meaning.values())
    if not kept:
        return neutral
    return kept[0] if len(kept) == 1 else node(tuple(kept))


def _kind(value: object) -> type:
    """The type of a literal, which whole numbers and decimals of any size share."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return int if is_whole else Decimal if isinstance(value, Decimal) else type(value)


def meaning(predicate: Predicate) -> Hashable:
    """A key under which parts of a predicate are the same: literals of several types are equal as
    numbers (9.5 as a double and as a decimal), and engines push one and not the other."""
    if isinstance(predicate, Comparison):
        return predicate, tuple(map(_kind, predicate.values))
    return predicate


def conjuncts(predicate: Predicate) -> tuple[Predicate, ...]:
    """The AND-ed parts; none for TRUE."""
    if isinstance(predicate, And):
        return predicate.children
    return () if predicate == TRUE else (predicate,)
