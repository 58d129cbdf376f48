"""Operations, and functions that are written with words of their own, which have one meaning in
all dialects, or differ by the dialect's properties."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_SECOND,
    Interval,
    Unit,
    date_of,
    interval_of,
    unit_named,
)
from prunescope.collectors.predicates.instants import cast_text
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.arithmetic import arithmetic, negative, number
from prunescope.collectors.sql.constants.call import Fold
from prunescope.collectors.sql.constants.casts import (
    TRINO_DEFAULT_PRECISION,
    cast,
    to_date,
    to_ntz,
    to_timestamp,
)
from prunescope.collectors.sql.constants.clocks import elapsed
from prunescope.collectors.sql.constants.constant_times import shifted, truncated
from prunescope.collectors.sql.constants.intervals import interval
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.texts import concatenated, unicode_text
from prunescope.collectors.sql.constants.time_texts import UNSAID, time_text
from prunescope.collectors.sql.constants.values import (
    HIDDEN,
    NULL,
    Folded,
    is_int,
    not_constant,
)
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.law import corners
from prunescope.collectors.sql.functions.laws import (
    CONVERTED,
    DIFFERENCE,
    FALLING,
    READ_TIME,
    REMAINDER,
    RISING,
    SUM,
)
from prunescope.collectors.sql.functions.row import Operation, Operations
from prunescope.collectors.sql.text.nodes import given
from prunescope.collectors.sql.text.tokens import DoubledText

# That of texts for which nothing else is said, in Spark.
_OWN_COLLATION = "UTF8_BINARY"

_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.IntDiv)


def _text(text: str, session: Session) -> str:
    if not isinstance(text, DoubledText):
        return str(text)  # no slot, which stands for those of other queries
    if session.doubles_quotes is None:
        raise not_constant()
    return str(text) if session.doubles_quotes else text.joined


def _written(expression: exp.Expr, _fold: Fold, session: Session) -> Folded:
    """The value of a literal that is written in the query."""
    match expression:
        case exp.Null():
            return NULL
        case exp.Boolean(this=value):
            return bool(value)
        case exp.Literal(is_string=True, this=text) if text != HIDDEN:
            return _text(text, session)
        case exp.Literal(is_string=False):
            return number(expression.name, dialect_of(session.dialect))
        case exp.RawString():
            return str(expression.this)
        case exp.UnicodeString(this=text):
            return unicode_text(text, expression.args.get("escape"))
        case exp.HexString(this=digits):
            return bytes.fromhex(digits)
    raise not_constant()


def _chain(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    """A chain of arithmetic, from its first operand on: programs write chains of hundreds."""
    links = []
    while isinstance(expression, _ARITHMETIC):
        links.append(expression)
        expression = expression.this
    value = fold(expression)
    for link in reversed(links):
        right = fold(link.expression)
        if value is NULL or right is NULL:
            value = NULL
        elif isinstance(link, exp.Add | exp.Sub):
            value = _plus(link, value, right, session)
        else:
            value = _product(link, value, right, session)
    return value


def _plus(expression: exp.Add | exp.Sub, left: Folded, right: Folded, session: Session) -> Folded:
    is_sum = isinstance(expression, exp.Add)
    if isinstance(left, Interval) and is_sum and not isinstance(right, Interval):
        return _moved(right, left, session)
    if isinstance(right, Interval):
        moved = right if is_sum else right.times(-1)
        if isinstance(left, Interval):
            return left.plus(moved)
        return _moved(left, moved, session)
    days_apart = dialect_of(session.dialect).subtracts_days
    if days_apart and not is_sum and isinstance(left, dt.date) and isinstance(right, dt.date):
        return (left - right).days
    if not is_sum and all(isinstance(side, dt.date | Timestamp) for side in (left, right)):
        return Interval(nanos=elapsed(left, right, session))
    if isinstance(left, dt.date) and is_int(right) and dialect_of(session.dialect).adds_days:
        return _held(left + dt.timedelta(right if is_sum else -right), session)
    if isinstance(left, Timestamp) and is_int(right) and dialect_of(session.dialect).adds_seconds:
        return replace(left, nanos=left.nanos + (right if is_sum else -right) * NANOS_PER_SECOND)
    return arithmetic(expression, left, right, dialect_of(session.dialect))


def _held(day: dt.date, session: Session) -> dt.date:
    """A day; raises CannotConvert for one that a smaller type of dates does not hold, whose numbers
    wrap around."""
    held = dialect_of(session.dialect).held_days
    if held is not None and not held[0] <= day < held[1]:
        raise not_constant()
    return day


def _moved(value: Folded, interval: Interval, session: Session) -> Folded:
    """A value moved by an interval. Spark moves a text as a time, and returns the result as
    text."""
    if not isinstance(value, str) or not dialect_of(session.dialect).has_java_time:
        return shifted(value, interval, session)
    text = None if interval.months else cast_text(value, is_date=False)
    moved = None if text is None else shifted(to_timestamp(text), interval, session)
    if not isinstance(moved, Timestamp) or moved.nanos % NANOS_PER_SECOND:
        raise not_constant()
    return time_text(moved, exp.Literal.string(UNSAID), session)


def _product(expression: exp.Binary, left: Folded, right: Folded, session: Session) -> Folded:
    if isinstance(expression, exp.Mul):
        if isinstance(left, Interval) and is_int(right):
            return left.times(right)
        if isinstance(right, Interval) and is_int(left):
            return right.times(left)
    return arithmetic(expression, left, right, dialect_of(session.dialect))


def _joined_operands(expression: exp.Expr) -> list[exp.Expr]:
    if isinstance(expression, exp.Concat):
        return expression.expressions
    operands = []
    while isinstance(expression, exp.DPipe):
        operands.append(expression.expression)
        expression = expression.this
    return [expression, *reversed(operands)]


def _inner(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    return fold(expression.this)


def _negated(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    return negative(fold(expression.this), dialect_of(session.dialect))


def _cast(expression: exp.Cast, fold: Fold, session: Session) -> Folded:
    return cast(expression, fold(expression.this), session)


def _is_plain_cast(expression: exp.Expr, _session: Session) -> bool:
    is_typed = isinstance(expression.args.get("to"), exp.DataType)
    return is_typed and not expression.args.get("format")


def _joined(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    values = [fold(operand) for operand in _joined_operands(expression)]
    return concatenated(values, session, skips_nulls=bool(expression.args.get("coalesce")))


def _interval(expression: exp.Interval, fold: Fold, session: Session) -> Folded:
    return interval(expression, fold, session)


def _today(_expression: exp.Expr, _fold: Fold, session: Session) -> dt.date:
    return date_of(session.wall_nanos(session.now))


def _is_bare(expression: exp.Expr, _session: Session) -> bool:
    return expression.this is None


def _has_digits(expression: exp.Expr, _session: Session) -> bool:
    """True for a time of a clock, perhaps with a number of digits of its seconds."""
    digits = expression.this
    is_number = isinstance(digits, exp.Literal) and not digits.is_string
    return digits is None or is_number or bool(expression.args.get("sysdate"))


def _now(expression: exp.Expr, _fold: Fold, session: Session) -> Timestamp:
    if expression.args.get("sysdate"):
        # Snowflake's, which is in UTC and has no zone.
        return Timestamp(session.now.nanos, zoned=False)
    is_named = isinstance(expression, exp.Anonymous)
    return _precise(session.now, None if is_named else expression.this, session)


def _reading(expression: exp.Expr, _fold: Fold, session: Session) -> Timestamp:
    is_ntz = dialect_of(session.dialect).timestamps_are_instants
    wall = Timestamp(session.wall_nanos(session.now), zoned=False, is_ntz=is_ntz)
    return _precise(wall, expression.this, session)


def _without_zone(expression: exp.Expr, fold: Fold, _session: Session) -> Folded:
    value = fold(expression.expressions[0])
    return value if value is NULL else to_ntz(value)


def _is_of_instants(expression: exp.Expr, session: Session) -> bool:
    are_instants = dialect_of(session.dialect).timestamps_are_instants
    return len(expression.expressions) == 1 and are_instants


def _day(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    value = fold(expression.this)
    return NULL if value is NULL else to_date(value, session)


def _is_alone(expression: exp.Expr, _session: Session) -> bool:
    return given(expression) == {"this"} and isinstance(expression.this, exp.Expr)


def _has_no_format(expression: exp.Expr, _session: Session) -> bool:
    return not expression.args.get("format")


def _moved_by(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    unit = expression.text("unit") if expression.args.get("unit") else Unit.DAY.name
    moved = fold(expression.expression)
    return _added(expression, fold(expression.this), moved, unit_named(unit), session)


def _has_count(expression: exp.Expr, _session: Session) -> bool:
    """False for the `INTERVAL 7 DAY` of BigQuery, whose number sqlglot has as a text."""
    count = expression.expression
    return not (isinstance(count, exp.Literal) and count.is_string)


def _moved_by_named(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    unit, count, base = expression.expressions
    moved = fold(count)
    return _added(expression, fold(base), moved, unit_named(unit.name), session)


def _names_unit(expression: exp.Expr, _session: Session) -> bool:
    arguments = expression.expressions
    return len(arguments) == 3 and isinstance(arguments[0], exp.Var)


def _truncated(expression: exp.Expr, fold: Fold, session: Session) -> Folded:
    value = fold(expression.this)
    return NULL if value is NULL else truncated(expression, value, session)


def _precise(value: Timestamp, digits: exp.Literal | None, session: Session) -> Timestamp:
    """A time of a clock, with the requested number of digits of seconds."""
    if digits is not None and value.nanos % 10 ** max(0, 9 - int(digits.name)):
        raise not_constant()
    if not dialect_of(session.dialect).rounds_times:
        return value
    asked = TRINO_DEFAULT_PRECISION if digits is None else int(digits.name)
    return replace(value, digits=asked)


def _added(
    expression: exp.Expr, value: Folded, moved: Folded, named: Unit | None, session: Session
) -> Folded:
    """A date or time, moved by a number of units or by an interval."""
    sign = -1 if isinstance(expression, exp.DateSub) else 1
    if moved is NULL or value is NULL:
        return NULL
    if isinstance(moved, Interval) and not dialect_of(session.dialect).is_measured:
        span = moved.times(sign)
    elif named is not None and is_int(moved):
        span = interval_of(sign * moved, named)
    else:
        raise not_constant()
    if isinstance(expression, exp.TsOrDsAdd) and not isinstance(value, dt.date):
        value = to_date(value, session)
    if isinstance(expression, exp.TimestampAdd) and isinstance(value, dt.date):
        value = to_timestamp(value) if dialect_of(session.dialect).has_java_time else value
    return shifted(value, span, session, is_added=True)


_MOVED = Operation(_moved_by, SUM, _has_count)
OPERATIONS: Operations = {
    **dict.fromkeys(
        (
            *(exp.Literal, exp.Null, exp.Boolean),
            *(exp.RawString, exp.UnicodeString, exp.HexString),
        ),
        Operation(_written),
    ),
    exp.Paren: Operation(_inner, RISING),
    exp.Collate: Operation(
        _inner, takes=lambda node, _session: node.text("expression").upper() == _OWN_COLLATION
    ),
    exp.Neg: Operation(_negated, FALLING),
    exp.Add: Operation(_chain, SUM),
    exp.Sub: Operation(_chain, DIFFERENCE),
    **dict.fromkeys((exp.Mul, exp.Div, exp.IntDiv), Operation(_chain, corners)),
    exp.Mod: Operation(_chain, REMAINDER),
    **dict.fromkeys((exp.Cast, exp.TryCast), Operation(_cast, CONVERTED, _is_plain_cast)),
    exp.JSONCast: Operation(_cast, takes=_is_plain_cast),
    **dict.fromkeys((exp.Concat, exp.DPipe), Operation(_joined)),
    exp.Interval: Operation(_interval),
    exp.CurrentDate: Operation(_today, takes=_is_bare),
    exp.CurrentTimestamp: Operation(_now, takes=_has_digits),
    exp.Localtimestamp: Operation(_reading, takes=_has_digits),
    "now": Operation(_now, takes=lambda node, _session: not node.expressions),
    "to_timestamp_ntz": Operation(_without_zone, RISING, _is_of_instants),
    exp.Date: Operation(_day, READ_TIME, _is_alone),
    exp.TsOrDsToDate: Operation(_day, READ_TIME, _has_no_format),
    exp.FromISO8601Date: Operation(_day, READ_TIME),
    **dict.fromkeys((exp.DateAdd, exp.TsOrDsAdd, exp.TimestampAdd), _MOVED),
    exp.DateSub: replace(_MOVED, law=DIFFERENCE),
    "timestampadd": Operation(_moved_by_named, takes=_names_unit),
    exp.TimestampTrunc: Operation(_truncated, READ_TIME),
    **dict.fromkeys((exp.DateTrunc, exp.DatetimeTrunc), Operation(_truncated, RISING)),
}
"""Operations and functions of all dialects."""
