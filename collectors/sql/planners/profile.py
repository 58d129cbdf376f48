"""What a planner profile tells: which part of a filter an engine hands to Iceberg's planner.

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

from collectors.predicates.column_domains import Domains
from collectors.predicates.model import (
    BoundComparison,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
    all_of,
    conjuncts,
)
from collectors.predicates.walks import leaves
from collectors.schema import Schema
from collectors.sql.text.boolean import AnyOf, Formula, Leaf

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


def is_whole(predicate: Predicate) -> bool:
    """Whether every part of a filter can be pushed, as far as that is known without types."""
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
class Profile:
    """What is known of an engine's planner; by default, that it hands over the conjuncts of which
    it refuses no part, and that Iceberg's Java library plans by them."""

    engine: str
    refusal: Callable[[Leaf, Version], Reason | None]
    """Why it keeps a single SQL condition to itself; None if it can push it."""
    newest: Version = ()
    """The newest version of which anything is known, as far as it counts; empty where none is."""
    aliases: tuple[str, ...] = ()
    """Other names of engines in logs that plan like it; their versions are others."""
    runs_queries: bool = True
    """Whether `explain` tells of it unasked."""
    iceberg_version: Callable[[Version], Version | None] = lambda _: None
    """The version of the library that a version of it plans with, where that is one and known."""
    by_pyiceberg: bool = False
    """Whether PyIceberg plans, which itself folds comparisons that every value satisfies, and takes
    a required field for never null, whatever is around it."""

    simplified: Callable[[exp.Expr, Version, TypeOf, ValueOf], exp.Expr] = _as_written
    """A single SQL condition as it is planned, without what changes nothing."""
    reads_lists: bool = False
    """Whether that depends on the values of lists, of functions and of the rows of queries."""
    alternatives: Callable[[AnyOf, bool], Formula] = lambda condition, _: condition
    """An OR as it is planned, which is a whole filter or not."""
    reads_alternatives: Callable[[AnyOf], bool] = lambda _: False
    """Whether that may be another one than the OR of its parts."""
    doubles_quotes: Callable[[Version], bool | None] = lambda _: None
    """Whether doubled quotes in a text are one, where dialects leave that to the version."""
    reads_patterns: bool = False
    """Whether `refusal`, or `pushes_any_text`, depends on the pattern of a LIKE. Neither depends on
    any other literal that is an operand of a condition."""
    pushes_any_text: bool = True
    """Whether it pushes LIKE '%', as that the text is not null."""
    unwraps_casts: bool = False
    """Whether a cast of a number that is not refused is pushed, for some types of its column."""
    simplifies_truths: bool = False
    """Whether a condition that is compared with true or false is the condition, or its negation."""
    knows_required: bool = False
    """Whether it leaves out what conditions say of nulls of columns that the schema requires."""
    knows_sole_cases: Callable[[Version], bool] = lambda _: False
    """Whether a version pushes how the only constant of a choice is chosen that a condition holds
    of, outside of OR."""
    knows_values: bool = False
    """Whether it knows the value of a query without tables, in conditions, when it plans."""
    knows_rows: bool = False
    """Whether it knows the rows of one as well, in IN and `= ANY`."""
    orders_nan: bool = False
    """Whether it sorts NaN among numbers, or its library turns comparisons around."""
    never_null: Callable[[Leaf], Iterable[exp.Expr]] = lambda _: ()
    """The columns of which it infers from a condition that they are not null, and pushes that as
    well."""

    as_pushed: Change = whole_conjuncts
    """The part of a filter, extracted with its refusals, that is pushed."""
    typed: Callable[[Predicate, Schema, Version], Predicate] = lambda pushed, _, __: pushed
    """That part for columns of these types, before it is bound."""
    convertible: Change = _as_it_is
    """The same once it is bound, without the comparisons that are not pushed."""
    pushes: Callable[[BoundComparison], bool] = lambda _: True
    """Whether it pushes a comparison of a column as it is, with values of its type."""
    as_expression: Change = _as_it_is
    """The expression that its library evaluates for what is pushed; both are bound."""
    domains: Callable[[Predicate], Domains | None] | None = None
    """Of one that pushes one condition for each column, which all conditions on it make together,
    and so no OR over several columns: these, of what is pushed; None where nothing can match."""

    asks_partition_values: bool = False
    """Whether it asks conditions that it pushes no part of of the values of identity partition
    fields, once files are planned, and reads those alone that match."""
    pushes_partition_functions: bool = False
    """Whether it pushes Iceberg's own functions of columns, such as `system.days(ts)`."""
    keeps_empty_periods: bool = False
    """Whether a period of a column that equals what starts none stays a condition on the column."""
    logs_plans: bool = False
    """Whether its logs count the files that planning keeps, and not those that were read: what
    runtime filters skip is not told."""
    casts_plain_times: bool = False
    """Whether it casts a column without time zone to meet a TIMESTAMP literal, which has one."""
    reads_heads: bool = False
    """Whether it reads a branch under the schema of the branch's last commit, as it reads every
    snapshot that a query names, and not under the table's."""
    refuses_marks: bool = False
    """Whether it pushes no LIKE with `%`, `_` or `\\` as text, escaped or not."""
