"""Choices among constants, and other expressions that a NULL operand does not make NULL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.literals import Timestamp, is_nan
from prunescope.collectors.sql.constants import arrays
from prunescope.collectors.sql.constants.branches import (
    are_same,
    by_null,
    by_several,
    by_value,
    case,
    if_else,
    kind,
    of_one_type,
)
from prunescope.collectors.sql.constants.call import Fold
from prunescope.collectors.sql.constants.calls import HOLDS, compared, order
from prunescope.collectors.sql.constants.clocks import in_one_type
from prunescope.collectors.sql.constants.constant_times import days_between
from prunescope.collectors.sql.constants.numbers import computed
from prunescope.collectors.sql.constants.patterns import like
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.texts import joined
from prunescope.collectors.sql.constants.values import (
    NULL,
    CannotConvert,
    Fails,
    Folded,
    Null,
    is_int,
    not_constant,
)
from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.law import Law
from prunescope.collectors.sql.functions.laws import ELEMENT, MATCHED
from prunescope.collectors.sql.functions.row import Function, Operation, Operations


def compared_rows(
    comparison: type[exp.Expr], left: Sequence[Folded], right: Sequence[Folded], session: Session
) -> Folded:
    """The result of a comparison of two rows, by the first pair that differs. In Spark a null is
    the least value and equal to itself, in DuckDB the greatest. Elsewhere a row with a null is
    equal to no row for certain, and an order of it raises CannotConvert."""
    if len(left) != len(right):
        raise not_constant()
    dialect = dialect_of(session.dialect)
    if dialect.rows_order_nulls:
        null = -1 if dialect.nulls_are_least else 1
        orders = (_order_of_pair(pair, null, session) for pair in zip(left, right, strict=True))
        return HOLDS[comparison](next(filter(None, orders), 0))
    if comparison not in (exp.EQ, exp.NEQ):
        if NULL in left or NULL in right:
            raise not_constant()
        orders = (_order_of_pair(pair, 0, session) for pair in zip(left, right, strict=True))
        return HOLDS[comparison](next(filter(None, orders), 0))
    found = [compared(exp.EQ, a, b, session) for a, b in zip(left, right, strict=True)]
    if False in found:
        return comparison is exp.NEQ
    return NULL if NULL in found else comparison is exp.EQ


def _order_of_pair(pair: tuple[Folded, Folded], null: int, session: Session) -> int:
    """The order of a pair: -1, 0 or 1."""
    left, right = pair
    if left is NULL or right is NULL:
        return 0 if left is right else null if left is NULL else -null
    if compared(exp.EQ, left, right, session) is True:
        return 0
    return -1 if compared(exp.LT, left, right, session) is True else 1


def _coalesce(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    values = of_one_type([expression.this, *expression.expressions], fold, session)
    return next((value for value in values if value is not NULL), NULL)


def _tried(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    """TRY() and SAFE., which are NULL if the operand fails."""
    try:
        return fold(expression.this)
    except Fails:
        return NULL


def _nullif(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    left, right = fold(expression.this), fold(expression.expression)
    if len({kind(value) for value in (left, right) if value is not NULL}) > 1:
        raise not_constant()
    return NULL if compared(exp.EQ, left, right, session) is True else left


def _extreme(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """LEAST or GREATEST of values of one kind. Some dialects ignore NULLs; raises CannotConvert for
    NaN, on which engines differ."""
    values = of_one_type([expression.this, *expression.expressions], fold, session)
    if NULL in values:
        skips = skips_nulls(expression, dialect_of(session.dialect))
        if skips is None:
            raise not_constant()
        values = [value for value in values if value is not NULL] if skips else [NULL]
    if not values or values == [NULL]:
        return NULL
    found = values[0]
    for value in values:
        if isinstance(value, Null) or is_nan(value):
            raise not_constant()
        way = _order(value, found, session)
        if not way and _zone(value) != _zone(found):
            raise not_constant()  # one moment, of which either clock may be told
        if way and (way < 0) == isinstance(expression, exp.Least):
            found = value
    return found


def skips_nulls(expression: exp.Expr, dialect: Dialect) -> bool | None:
    """True if LEAST or GREATEST ignores NULLs; None if a setting decides."""
    by_default = dialect.extremes_skip_nulls
    return by_default if by_default is None else by_default or bool(expression.args["ignore_nulls"])


def _order(value: Folded, other: Folded, session: Session) -> int:
    if isinstance(value, Timestamp):
        return order(*in_one_type(value, other, session))
    return order(value, other)


def _zone(value: Folded) -> str | None:
    return value.zone if isinstance(value, Timestamp) else None


def _connected(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    """AND and OR. A side that decides does so whatever the other one is: if that fails, no row
    matches, or the decision holds."""
    is_or = isinstance(expression, exp.Or)
    sides, refusal = [], None
    for part in expression.flatten():
        try:
            sides.append(fold(part))
        except CannotConvert as error:
            refusal = error if refusal is None or isinstance(refusal, Fails) else refusal
    if not all(side is NULL or isinstance(side, bool) for side in sides):
        raise not_constant()
    if refusal is not None and is_or not in sides:
        raise refusal
    return _any(sides) if is_or else _all(sides)


def _is(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    """IS NULL, IS TRUE and IS FALSE."""
    value, other = fold(expression.this), expression.expression
    if isinstance(other, exp.Null):
        return value is NULL
    if not isinstance(other, exp.Boolean) or not (value is NULL or isinstance(value, bool)):
        raise not_constant()
    return value is bool(other.this)


def _distinct(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """IS DISTINCT FROM, and its opposite."""
    left, right = fold(expression.this), fold(expression.expression)
    return are_same(left, right, session) == isinstance(expression, exp.NullSafeEQ)


def _comparison(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """A comparison of values, or of rows of them."""
    left, right = expression.this, expression.expression
    if not isinstance(left, exp.Tuple) and not isinstance(right, exp.Tuple):
        return compared(type(expression), fold(left), fold(right), session)
    return compared_rows(type(expression), _row(left, fold), _row(right, fold), session)


def _row(expression: exp.Expr, fold: Fold) -> list[Folded]:
    if not isinstance(expression, exp.Tuple):
        raise not_constant()
    return [fold(each) for each in expression.expressions]


def _between(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    value = fold(expression.this)
    low, high = fold(expression.args.get("low")), fold(expression.args.get("high"))
    if expression.args.get("symmetric"):
        raise not_constant()
    return _all([compared(exp.GTE, value, low, session), compared(exp.LTE, value, high, session)])


def _listed(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    others, unnested = expression.expressions, expression.args.get("unnest")
    if isinstance(unnested, exp.Unnest):
        return _among_elements(fold(expression.this), unnested, fold, session)
    if not others:
        raise not_constant()
    if isinstance(expression.this, exp.Tuple):
        row = _row(expression.this, fold)
        return _any([compared_rows(exp.EQ, row, _row(each, fold), session) for each in others])
    value, values = fold(expression.this), [fold(each) for each in others]
    if dialect_of(session.dialect).leaves_out_nulls:
        values = [each for each in values if each is not NULL]
    return _any([compared(exp.EQ, value, each, session) for each in values])


def _among_elements(value: Folded, unnested: exp.Unnest, fold: Fold, session: Session) -> Folded:
    """BigQuery's IN UNNEST() of an array that is written out, or of days."""
    values: list[Folded] = []
    for array in unnested.expressions:
        if isinstance(array, exp.GenerateDateArray):
            values += days_between(*(fold(array.args.get(name)) for name in _RANGE))
        elif isinstance(array, exp.Array):
            values += map(fold, array.expressions)
        else:
            raise not_constant()
    return _any([compared(exp.EQ, value, each, session) for each in values])


def _holds_element(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """DuckDB's list_contains() of an array that is written out, without nulls."""
    array, value = expression.this, fold(expression.expression)
    if not isinstance(array, exp.Array):
        raise not_constant()
    values = [fold(each) for each in array.expressions]
    if NULL in values:
        raise not_constant()
    return _any([compared(exp.EQ, value, each, session) for each in values])


def _bucket(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """BigQuery's RANGE_BUCKET(): the number of bounds that are not above a number."""
    value, array = fold(expression.this), expression.expression
    if value is NULL or not isinstance(array, exp.Array):
        return value if value is NULL else fold(None)
    bounds = [fold(each) for each in array.expressions]
    return sum(compared(exp.LTE, each, value, session) is True for each in bounds)


def _element(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """An element of an array, or DuckDB's part of a text from a place to another."""
    match expression.expressions:
        case [exp.Slice(this=exp.Expr() as start, expression=exp.Expr() as end)]:
            text, first, last = fold(expression.this), fold(start), fold(end)
            if NULL in (text, first, last):
                return NULL
            if not isinstance(text, str) or not is_int(first) or not is_int(last) or first < 1:
                raise not_constant()
            return text[first - 1 : last] if last >= 0 else fold(None)
    return _ELEMENT.value(expression, session, fold)


def _all(values: Sequence[Folded]) -> Folded:
    """AND in three-valued logic."""
    if False in values:
        return False
    return NULL if NULL in values else True


def _any(values: Sequence[Folded]) -> Folded:
    """OR in three-valued logic."""
    if True in values:
        return True
    return NULL if NULL in values else False


def _joined(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    values = [fold(each) for each in expression.expressions]
    if NULL in values and dialect_of(session.dialect).joins_null_to_null:
        return NULL
    return joined(values, session)


_RANGE = ("start", "end", "step")
_ELEMENT = Function(arrays.element, ("this", "expressions"), frozenset({"offset", "safe"}))


def _chooses(_expression: exp.Expr, session: Session) -> bool:
    dialect = dialect_of(session.dialect)
    return dialect.is_measured or dialect.chooses_constants


def _form(of: Callable[[exp.Expr, Fold, Session], Folded], law: Law | None = None) -> Operation:
    def value(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
        return computed(of(expression, fold, session))

    return Operation(value, law, _chooses, may_fail=False)


def _failing(of: Callable[[exp.Expr, Fold, Session], Folded], law: Law | None = None) -> Operation:
    """An expression that fails if an operand that is reached fails."""
    return replace(_form(of, law), may_fail=True)


CHOICES: Operations = {
    **dict.fromkeys(HOLDS, _failing(_comparison)),
    exp.Like: _failing(like, MATCHED),
    **dict.fromkeys((exp.ILike, exp.Escape), _failing(like)),
    **dict.fromkeys((exp.Try, exp.SafeFunc), _failing(_tried)),
    **dict.fromkeys((exp.And, exp.Or), _failing(_connected)),
    exp.Case: _failing(case),
    exp.If: _failing(if_else),
    exp.DecodeCase: _failing(by_value),
    exp.Nvl2: _failing(by_null),
    "multiif": _failing(by_several),
    exp.Bracket: _form(_element, ELEMENT),
    exp.RangeBucket: _form(_bucket),
    exp.ArrayContains: _form(_holds_element),
    exp.Coalesce: _form(_coalesce),
    exp.Nullif: _form(_nullif),
    **dict.fromkeys((exp.Least, exp.Greatest), _form(_extreme)),
    exp.Is: _form(_is),
    **dict.fromkeys((exp.NullSafeEQ, exp.NullSafeNEQ), _form(_distinct)),
    exp.Between: _form(_between),
    exp.In: _form(_listed),
    exp.ConcatWs: _form(_joined),
}
"""Choices and other expressions of the dialects in which they are known."""
