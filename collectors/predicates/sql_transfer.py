"""Constants through equalities: `a.k = b.k AND b.k = 5` says `a.k = 5`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from collectors.predicates.sql_boolean import (
    AllOf,
    AnyOf,
    Formula,
    Leaf,
    formula,
    leaves,
)
from collectors.predicates.sql_scopes import Scope
from collectors.predicates.sql_sources import Source

_TYPED = (
    exp.DType.DATE,
    exp.DType.TIMESTAMP,
    exp.DType.TIMESTAMPTZ,
    exp.DType.TIMESTAMPNTZ,
    exp.DType.TIMESTAMPLTZ,
    exp.DType.DATETIME,
)
# Single-precision numbers hold every whole number below this one.
_EXACT_IN_EVERY_NUMBER = 2**24

_Key = tuple[Source, tuple[str, ...]]
"""A column: its source, and its path there in lower case."""


def transferred(conditions: Sequence[Formula], scope: Scope) -> tuple[Formula, ...]:
    """What `conditions`, which hold together for joined rows, say of further columns: those that
    other conditions equate with the one that a condition compares with constants.

    The two columns may be of different types, and the engine converts one of them: what a
    constant is for one it need not be for the other. `a.s = b.i AND b.i = '5'` matches s = '05',
    and a REAL that `= 0.1` is not the DOUBLE 0.1. So only dates, timestamps and whole numbers
    that every type of number holds are transferred; no column of text is compared with these.
    """
    columns, classes = _equalities(conditions, scope)
    if not classes:
        return ()
    found: list[Formula] = []
    for condition in conditions:
        key = _compared_column(condition, scope)
        equal = [] if key is None else classes.get(key, [])
        found += (_replaced(condition, columns[other]) for other in equal if other != key)
    return tuple(found)


def _equalities(
    conditions: Sequence[Formula], scope: Scope
) -> tuple[dict[_Key, exp.Column], dict[_Key, list[_Key]]]:
    """A reference to each equated column, and the columns that are equal to each."""
    columns: dict[_Key, exp.Column] = {}
    classes: dict[_Key, list[_Key]] = {}
    for condition in conditions:
        match condition:
            case Leaf(
                expression=exp.EQ(this=exp.Column() as left, expression=exp.Column() as right),
                negated=False,
            ):
                pair = _key(left, scope), _key(right, scope)
                if pair[0] is None or pair[1] is None:
                    continue
                columns.setdefault(pair[0], left)
                columns.setdefault(pair[1], right)
                merged = dict.fromkeys(
                    [*classes.get(pair[0], [pair[0]]), *classes.get(pair[1], [pair[1]])]
                )
                classes.update((key, list(merged)) for key in merged)
    return columns, classes


def _key(column: exp.Column, scope: Scope) -> _Key | None:
    owners = scope.owners(column)
    path = scope.path(column, owners[0]) if len(owners) == 1 else None
    return None if path is None else (owners[0], tuple(part.lower() for part in path))


def _compared_column(condition: Formula, scope: Scope) -> _Key | None:
    """The column that every leaf of a condition compares with constants."""
    keys = {
        None if column is None else _key(column, scope)
        for column in map(_transferable, leaves(condition))
    }
    return keys.pop() if len(keys) == 1 else None


def _transferable(leaf: Leaf) -> exp.Column | None:
    """The column of a leaf that may be transferred."""
    expression = leaf.expression
    match expression:
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            constants = [expression.expression]
        case exp.In(expressions=[_, *_] as items):
            constants = items
        case exp.Between():
            constants = [expression.args["low"], expression.args["high"]]
        case _:
            return None
    is_known = isinstance(expression.this, exp.Column) and all(map(_is_exact, constants))
    return expression.this if is_known else None


def _is_exact(constant: exp.Expr) -> bool:
    """Whether a constant is the same for every type of column that can be compared with it."""
    match constant.unnest():
        case exp.Neg(this=exp.Literal() as number) | (exp.Literal() as number):
            return bool(number.is_int) and abs(int(number.name)) < _EXACT_IN_EVERY_NUMBER
        case exp.Cast(this=exp.Literal(), to=exp.DataType(this=kind)):
            return kind in _TYPED
    return False


def _replaced(condition: Formula, column: exp.Column) -> Formula:
    match condition:
        case AllOf(parts):
            return AllOf(tuple(_replaced(part, column) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(_replaced(part, column) for part in parts))
        case Leaf():
            expression = condition.expression.copy()
            expression.set("this", column.copy())
            return formula(expression, negated=condition.negated)
