"""Conditions on the output of a query, on their way to what it reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from sqlglot import exp

from collectors.sql.dialects import dialect_of
from collectors.sql.extraction.said import is_plain
from collectors.sql.scopes.alike import is_taken_for
from collectors.sql.scopes.scopes import Scopes
from collectors.sql.scopes.types import OutputRef
from collectors.sql.text.boolean import Formula, Leaf, leaves, own_columns

FieldRef = tuple[OutputRef, tuple[str, ...]]
"""An output column, and the path of a nested field in it."""

_Branch = tuple[str | None, str | None]
"""The name and the type of a column, as far as they are known."""

_WHOLE_NUMBERS = frozenset({"int", "long"})
_WIDENED = (
    frozenset({"int", "double"}),
    frozenset({"date", "timestamp"}),
    frozenset({"date", "timestamptz"}),
)
"""Types of which Spark 4.1 converts the first to the second, which holds all of its values."""
_DIGITS = 15
"""So many digits of a number are told apart as those of a double."""
_TIMES = (exp.DType.DATE, *exp.DataType.TEMPORAL_TYPES)


@dataclass(frozen=True, slots=True, eq=False)
class OnOutput:
    """A condition on the output of a query: `ref_of` tells which output column, or nested field
    of one, a column of the condition is."""

    condition: Formula
    ref_of: Callable[[exp.Column], FieldRef | None]


def asks_both(query: exp.SetOperation, dialect: str) -> bool:
    """Whether a condition on the output of a UNION and the like is asked of both branches: a row
    that fails it equals none that passes. Spark 4.1 makes joins of INTERSECT and EXCEPT without
    ALL, by equality of nulls as well, and asks their first branch alone; Trino 483 asks both."""
    is_joined = isinstance(query, exp.Intersect | exp.Except) and query.args.get("distinct")
    return not (is_joined and dialect_of(dialect).is_spark)


def into_branches(
    pushed: Sequence[OnOutput], query: exp.SetOperation, scopes: Scopes, dialect: str
) -> list[OnOutput]:
    """Conditions on the output of a UNION and the like, as conditions on that of each branch.

    Left out are those on columns that may be of two types: their values are converted to one that
    both have before they are compared, doubles and texts to texts (Spark 4.1). Where Spark converts
    to one that holds all values of both, numbers, dates and times are compared as they are."""
    names = scopes.names(query)
    found = [OnOutput(one.condition, _by_position(one.ref_of, names)) for one in pushed]
    return [one for one in found if not _is_converted(one, query, scopes, dialect)]


def _by_position(
    ref_of: Callable[[exp.Column], FieldRef | None], names: tuple[str, ...] | None
) -> Callable[[exp.Column], FieldRef | None]:
    def by_position(column: exp.Column) -> FieldRef | None:
        found = ref_of(column)
        if found is None or isinstance(found[0], int):
            return found
        return position(found[0], names, found[1])

    return by_position


def position(name: str, names: tuple[str, ...] | None, fields: tuple[str, ...]) -> FieldRef | None:
    """An output column by its place among all names; None where it has none, or several."""
    is_found = names is not None and names.count(name) == 1
    return (names.index(name), fields) if names is not None and is_found else None


def _is_converted(pushed: OnOutput, query: exp.SetOperation, scopes: Scopes, dialect: str) -> bool:
    widens = dialect_of(dialect).is_spark and dialect_of(dialect).has_java_time
    branches: dict[OutputRef, Collection[_Branch]] = {}
    for leaf in leaves(pushed.condition):
        for ref, _ in filter(None, map(pushed.ref_of, own_columns(leaf.expression))):
            if ref not in branches:
                branches[ref] = scopes.types.of_output(query, ref)
            is_widened = widens and _is_widened(branches[ref], leaf)
            if not is_widened and _has_types(branches[ref], leaf.expression):
                return True
    return False


def _has_types(branches: Collection[_Branch], condition: exp.Expr) -> bool:
    """Whether a column may be of several types. Where tables are not known, those of one name are
    taken to be of one type, and those of others where the condition does not tell otherwise."""
    types = {kind for _, kind in branches if kind is not None}
    names = {name for name, _ in branches if name is not None}
    if len(types) > 1:
        return not types <= _WHOLE_NUMBERS
    has_others = len(names) > 1 and any(kind is None for name, kind in branches if name is not None)
    return has_others and not any(is_taken_for(kind, condition) for kind in types)


def _is_widened(branches: Collection[_Branch], leaf: Leaf) -> bool:
    """Whether a column, all of whose types are known, is compared with constants that say the same
    of the values of either type: no texts, which are read by the type beside them."""
    types = frozenset(kind for _, kind in branches if kind is not None)
    if any(kind is None for _, kind in branches) or types not in _WIDENED or not is_plain(leaf):
        return False
    operands = [*leaf.expression.iter_expressions()]
    constants = [one for one in operands if not isinstance(one, exp.Column)]
    return len(constants) == len(operands) - 1 and all(map(_is_of_one_value, constants))


def _is_of_one_value(constant: exp.Expr) -> bool:
    match constant:
        case exp.Neg(this=exp.Literal() as number) | (exp.Literal() as number):
            return not number.is_string and len(number.name) <= _DIGITS
        case exp.Cast(this=exp.Literal(), to=exp.DataType(this=kind)):
            return kind in _TIMES
    return False
