"""Conditions on the output of a query, on their way to what it reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.extraction.said import is_plain
from prunescope.collectors.sql.scopes.comparable_types import is_taken_for
from prunescope.collectors.sql.scopes.scopes import Scopes
from prunescope.collectors.sql.scopes.types import OutputRef
from prunescope.collectors.sql.text.boolean import Formula, Leaf, own_columns, weaken
from prunescope.collectors.types import MAX_DECIMAL_DIGITS, decimal_parameters

FieldRef = tuple[OutputRef, tuple[str, ...]]
"""An output column, and the path of a nested field in it."""

_Branch = tuple[str | None, str | None]
"""The name and the type of a column, as far as they are known."""
_UNKNOWN: _Branch = (None, None)

_WHOLE_NUMBERS = frozenset({"int", "long"})
_WIDENED = (
    frozenset({"int", "double"}),
    frozenset({"float", "double"}),
    frozenset({"date", "timestamp"}),
    frozenset({"date", "timestamptz"}),
)
"""Types of which Spark 4.1 converts the first to the second, which holds all of its values."""
_DIGITS, _FLOAT_DIGITS = 15, 6
"""So many digits of a number are told apart as those of a double, and of a float."""
_WHOLE_DIGITS = {"int": 10, "long": 20}
"""So many has the decimal that Spark converts them to."""
_TIMES = (exp.DType.DATE, *exp.DataType.TEMPORAL_TYPES)


@dataclass(frozen=True, slots=True, eq=False)
class OnOutput:
    """A condition on the output of a query: `ref_of` tells which output column, or nested field
    of one, a column of the condition is."""

    condition: Formula
    ref_of: Callable[[exp.Column], FieldRef | None]


def asks_both(query: exp.SetOperation, dialect: str) -> bool:
    """True if a condition on the output of a UNION and the like is pushed to both branches: a row
    that fails it equals none that passes. Spark 4.1 makes joins of INTERSECT and EXCEPT without
    ALL, by equality of nulls as well, and pushes to their first branch alone; Trino 483 pushes to
    both."""
    is_joined = isinstance(query, exp.Intersect | exp.Except) and query.args.get("distinct")
    return not (is_joined and dialect_of(dialect).infers_constraints)


def into_branches(
    pushed: Sequence[OnOutput], query: exp.SetOperation, scopes: Scopes, dialect: str
) -> list[OnOutput]:
    """Conditions on the output of a UNION and the like, as conditions on that of each branch.

    Those on columns that may be of two types say nothing of either: their values are converted to
    one that both have before they are compared, doubles and texts to texts (Spark 4.1). Where Spark
    converts to one that holds all values of both, numbers, dates and times are compared as they
    are."""
    names = scopes.names(query)
    found = [OnOutput(one.condition, _by_position(one.ref_of, names)) for one in pushed]
    infers = dialect_of(dialect).infers_constraints and dialect_of(dialect).has_java_time
    branches = _Branches(query, scopes, infers)
    return [_converted(one, branches) for one in found]


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


@dataclass(frozen=True, slots=True, eq=False)
class _Branches:
    """The context of the branches of a UNION and the like, perhaps of Spark."""

    query: exp.SetOperation
    scopes: Scopes
    infers: bool

    def convert(self, leaf: Leaf, ref: OutputRef) -> bool:
        """True if the values of an output column are converted before a condition reads them."""
        types = self.scopes.types.of_output(self.query, ref)
        if self.infers and _UNKNOWN in types:
            return True  # which may be text, and makes text of dates and times
        is_widened = self.infers and _is_widened(types, leaf)
        return not is_widened and _has_types(types, leaf.expression)


def _converted(pushed: OnOutput, branches: _Branches) -> OnOutput:
    def told(leaf: Leaf) -> Leaf:
        refs = filter(None, map(pushed.ref_of, own_columns(leaf.expression)))
        is_converted = any(branches.convert(leaf, ref) for ref, _ in refs)
        return replace(leaf, is_converted=True) if is_converted else leaf

    return OnOutput(weaken(pushed.condition, told) or pushed.condition, pushed.ref_of)


def _has_types(branches: Collection[_Branch], condition: exp.Expr) -> bool:
    """True if a column may be of several types. Columns of one name in unknown tables are taken to
    be of one type, and those of other names unless the condition tells otherwise."""
    types = {kind for _, kind in branches if kind is not None}
    names = {name for name, _ in branches if name is not None}
    if len(types) > 1:
        return not types <= _WHOLE_NUMBERS
    has_others = len(names) > 1 and any(kind is None for name, kind in branches if name is not None)
    return has_others and not any(is_taken_for(kind, condition) for kind in types)


def _is_widened(branches: Collection[_Branch], leaf: Leaf) -> bool:
    """True if a column, all of whose types are known, is compared with constants that mean the same
    for the values of either type: no texts, which are read by the type beside them."""
    types = frozenset(kind for _, kind in branches if kind is not None)
    if any(kind is None for _, kind in branches) or not is_plain(leaf):
        return False
    if types not in _WIDENED and not _is_whole_or_decimal(types):
        return False
    operands = [*leaf.expression.iter_expressions()]
    constants = [one for one in operands if not isinstance(one, exp.Column)]
    digits = _FLOAT_DIGITS if "float" in types else _DIGITS
    is_one = (_is_of_one_value(one, digits) for one in constants)
    return len(constants) == len(operands) - 1 and all(is_one)


def _is_whole_or_decimal(types: Collection[str]) -> bool:
    """True if types are whole numbers and decimals, for which some decimal holds all values."""
    decimals = [decimal_parameters(kind) for kind in types if kind.startswith("decimal")]
    whole = [_WHOLE_DIGITS[kind] for kind in types if kind in _WHOLE_DIGITS]
    if not decimals or len(decimals) + len(whole) < len(types):
        return False
    digits = max(*whole, *(precision - scale for precision, scale in decimals), 0)
    return digits + max(scale for _, scale in decimals) <= MAX_DECIMAL_DIGITS


def _is_of_one_value(constant: exp.Expr, digits: int) -> bool:
    match constant:
        case exp.Neg(this=exp.Literal() as number) | (exp.Literal() as number):
            return not number.is_string and len(number.name) <= digits
        case exp.Cast(this=exp.Literal(), to=exp.DataType(this=kind)):
            return kind in _TIMES
    return False
