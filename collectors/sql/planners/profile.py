"""Planner profiles: the part of a filter that an engine hands to Iceberg's planner.

An engine keeps for itself what its connector interface cannot express: Spark does not push
`year(ts) = 2024`, Trino pushes no OR over two columns. A profile is decided in three steps:
per SQL condition, while the filter is extracted (`refusal`); over the whole filter (`as_pushed`);
and per comparison, once the types of its columns are known (`typed`, `convertible`). What
Iceberg's library then plans by may be worded otherwise (`as_expression`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.predicates.column_domains import Domains
from prunescope.collectors.predicates.model import (
    TRUE,
    BoundComparison,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
    all_of,
    conjuncts,
)
from prunescope.collectors.predicates.walks import leaves, map_leaves
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.text.boolean import AnyOf, Formula, Leaf

Version = tuple[int, ...]
"""Empty for the newest one that is known."""

UNKNOWN: Version = (0,)
"""A version that is not told: older than all, so that nothing is claimed that a version began to
do. What versions ceased to do is to be asked of those that are known."""

Change = Callable[[Predicate], Predicate]

TypeOf = Callable[[exp.Expr], str | None]
"""The Iceberg type of the column that an expression is, where it is one and known."""

ValueOf = Callable[[exp.Expr], object]
"""The value of a constant expression, NULL for null; None for any other expression."""


def whole_conjuncts(predicate: Predicate) -> Predicate:
    """The conjuncts of which every part can be pushed."""
    return all_of(*filter(is_whole, conjuncts(predicate)))


def known_parts(predicate: Predicate) -> Predicate:
    """The filter with TRUE in place of each part that cannot be pushed: an engine that judges the
    parts of AND and OR one by one takes any that it does not know for met."""
    return map_leaves(predicate, lambda leaf: TRUE if _is_unsupported(leaf) else leaf)


def is_whole(predicate: Predicate) -> bool:
    """True if every part of a filter can be pushed, as far as that is known without types."""
    return not any(map(_is_unsupported, leaves(predicate)))


def _is_unsupported(leaf: PredicateLeaf) -> bool:
    match leaf:
        case Unsupported(Reason.UNKNOWN_COLUMN):
            return False  # an error of the query, which must show
        case Unsupported(calculated=calculated, if_required=if_required):
            return calculated is None and if_required is None  # else its columns decide
        case _:
            return False


def _as_it_is(predicate: Predicate) -> Predicate:
    return predicate


def _as_written(
    condition: exp.Expr, _version: Version, _type_of: TypeOf, _value_of: ValueOf
) -> exp.Expr:
    return condition


@dataclass(frozen=True, slots=True)
class Rewording:
    """The conditions of SQL as an engine reads them before it pushes any; by default as written."""

    simplified: Callable[[exp.Expr, Version, TypeOf, ValueOf], exp.Expr] = _as_written
    """A single SQL condition as it is planned, without parts that change nothing."""
    reads_lists: bool = False
    """True if `simplified` depends on the values of lists, of functions and of the rows of
    queries."""
    alternatives: Callable[[AnyOf, bool], Formula] = lambda condition, _: condition
    """An OR as it is planned; the flag tells whether the OR is a whole filter."""
    reads_alternatives: Callable[[AnyOf], bool] = lambda _: False
    """True if the planned condition may differ from the OR of its planned parts."""
    doubles_quotes: Callable[[Version], bool | None] = lambda _: None
    """True if doubled quotes in a text are one quote, if dialects leave that to the version."""
    reads_patterns: bool = False
    """True if what is pushed depends on the pattern of a LIKE. It depends on no other literal that
    is an operand of a condition."""
    unwraps_casts: bool = False
    """True if a cast of a number that is not refused is pushed, for some types of its column."""
    simplifies_truths: bool = False
    """True if a comparison of a condition with true or false is the condition, or its negation."""
    knows_required: bool = False
    """True if the engine drops the part of conditions on nulls of columns that the schema
    requires."""
    knows_sole_cases: Callable[[Version], bool] = lambda _: False
    """True if a version pushes the condition that selects the only constant of a choice (such as
    CASE) for which a comparison holds, outside of OR."""
    knows_values: bool = False
    """True if the planner evaluates queries without tables in conditions."""
    knows_rows: bool = False
    """True if the planner evaluates the rows of such queries as well, in IN and `= ANY`."""
    keeps_empty_periods: bool = False
    """True if `period of a column = value` stays a condition on the column if no period starts at
    the value."""
    orders_nan: bool = False
    """True if the engine sorts NaN among numbers, or its library turns comparisons around."""


@dataclass(frozen=True, slots=True)
class Pushdown:
    """The part of a filter that an engine hands over; by default, the conjuncts of which it refuses
    no part."""

    refusal: Callable[[Leaf, Version], Reason | None]
    """Why the engine keeps a single SQL condition to itself; None if it can push the condition."""
    never_null: Callable[[Leaf], Iterable[exp.Expr]] = lambda _: ()
    """The columns of which the engine infers IS NOT NULL from a condition, and pushes that as
    well."""
    as_pushed: Change = whole_conjuncts
    """The part of a filter, extracted with its refusals, that is pushed."""
    typed: Callable[[Predicate, Schema, Version], Predicate] = lambda pushed, _, __: pushed
    """The pushed part for columns of these types, before it is bound."""
    convertible: Change = _as_it_is
    """The pushed part once it is bound, without the comparisons that are not pushed."""
    pushes: Callable[[BoundComparison], bool] = lambda _: True
    """True if the engine pushes a comparison of a column as it is, with values of its type."""
    domains: Callable[[Predicate], Domains | None] | None = None
    """The domains of the pushed part, for an engine that pushes one condition per column, which all
    conditions on the column make together, and so no OR over several columns. The result is None if
    nothing can match."""
    pushes_any_text: bool = True
    """True if the engine pushes LIKE '%', as IS NOT NULL of the text."""
    pushes_partition_functions: bool = False
    """True if the engine pushes Iceberg's own functions of columns, such as `system.days(ts)`."""
    refuses_marks: bool = False
    """True if the engine pushes no LIKE with `%`, `_` or `\\` as text, escaped or not."""
    casts_plain_times: bool = False
    """True if the engine casts a column without time zone to meet a TIMESTAMP literal, which has
    one."""


@dataclass(frozen=True, slots=True)
class Planning:
    """The way in which a plan is made of what is pushed; by default, by Iceberg's Java library."""

    iceberg_version: Callable[[Version], Version | None] = lambda _: None
    """The version of the Iceberg library that a version of the engine plans with, if known."""
    by_pyiceberg: bool = False
    """True if PyIceberg plans, which itself folds comparisons that every value satisfies, and takes
    a required field for never null, whatever is around the field."""
    as_expression: Change = _as_it_is
    """The expression that the engine's library evaluates for the pushed part; both are bound."""
    asks_partition_values: bool = False
    """True if the engine evaluates conditions of which it pushes no part on the values of identity
    partition fields, once files are planned, and reads matching files alone."""
    reads_heads: bool = False
    """True if the engine reads a branch under the schema of the branch's last commit, as it reads
    every snapshot that a query names, and not under the table's."""
    logs_plans: bool = False
    """True if the engine's logs count the files that planning keeps, not the files that were read:
    files that runtime filters skip are unknown."""
    drops_partitions: bool = False
    """True if a DELETE drops the files of partitions, and reads none, if partitioning answers its
    condition, whatever the spec of a file."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The known behaviour of an engine's planner."""

    engine: str
    pushdown: Pushdown
    rewording: Rewording = Rewording()
    planning: Planning = Planning()
    newest: Version = ()
    """The newest version with known behaviour, as far as versions count; empty if there is none."""
    aliases: tuple[str, ...] = ()
    """Other names in logs of engines that plan like this one; their version numbers are others."""
    runs_queries: bool = True
    """True if `explain` shows the engine unasked."""
    in_logs: bool = True
    """True if audits plan the queries of its logs by it; False if only `--planner` does."""
