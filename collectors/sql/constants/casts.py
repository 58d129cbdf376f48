"""CAST of a constant, as Trino and Spark compute it."""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

from sqlglot import exp

from prunescope.collectors.predicates.calendar import NANOS_PER_SECOND, date_of, nanos_of
from prunescope.collectors.predicates.instants import (
    cast_text,
    parse_date,
    parse_reading,
    parse_time,
    parse_timestamp,
)
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.clocks import (
    ZONED_TIMESTAMPS,
    at_digits,
    clock_reading,
    instant_of,
    moment,
)
from prunescope.collectors.sql.constants.number_casts import decimal, double, integer
from prunescope.collectors.sql.constants.numbers import (
    single,
)
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.time_texts import cast_text_of
from prunescope.collectors.sql.constants.unreadable import no_day
from prunescope.collectors.sql.constants.values import (
    NULL,
    Exact,
    Fails,
    Folded,
    Overflows,
    Padded,
    Single,
    fails,
    is_int,
    not_constant,
)
from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.sql.dialects import UNKNOWN_ZONE, dialect_of

_T = TypeVar("_T")
# CAST(… AS TIMESTAMP) without a precision is TIMESTAMP(3) in Trino.
TRINO_DEFAULT_PRECISION = 3
_NANOSECONDS = 9
_MICROSECONDS, _MICROSECOND = 6, 1_000
_HELD_BY_DOUBLES = (1 << 33) * NANOS_PER_SECOND
_DAY_TEXT = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_NAIVE_TIMESTAMPS = (exp.DType.TIMESTAMP, exp.DType.TIMESTAMPNTZ, exp.DType.DATETIME)
TIMESTAMPS = (*_NAIVE_TIMESTAMPS, *ZONED_TIMESTAMPS)


def cast(expression: exp.Cast, value: Folded, session: Session) -> Folded:
    """CAST(), and TRY_CAST(), which is NULL if it fails."""
    try:
        return _cast(expression, value, session)
    except (Fails, Overflows):
        if isinstance(expression, exp.TryCast) and expression.args.get("safe"):
            return NULL
        raise


def _cast(expression: exp.Cast, value: Folded, session: Session) -> Folded:
    """`value`, cast to the type that `expression` names. Raises CannotConvert, and the errors of
    int(), float() and Decimal(), if the engines' results differ or are errors."""
    if value is NULL:
        return NULL
    target = expression.to
    if target.this is exp.DType.BOOLEAN and isinstance(value, int):
        is_truth = isinstance(value, bool)
        return value if is_truth else _truth(value, dialect_of(session.dialect))
    kind = target.this
    sizes = [int(size.name) for size in target.expressions]
    match kind:
        case exp.DType.DATE:
            result: Folded = to_date(value, session)
        case exp.DType.DECIMAL:
            value = _exact_seconds(value, session)
            result = decimal(expression, value, sizes, dialect_of(session.dialect))
        case exp.DType.DOUBLE:
            result = double(_seconds(value, session), dialect_of(session.dialect))
        case exp.DType.FLOAT if dialect_of(session.dialect).is_measured:
            result = single(double(value, dialect_of(session.dialect)))
        case _ if kind in TIMESTAMPS:
            result = _to_precise_timestamp(expression, value, sizes, session)
        case _ if kind in exp.DataType.INTEGER_TYPES:
            result = integer(value, kind, session)
        case exp.DType.CHAR if isinstance(value, str) and dialect_of(session.dialect).pads_texts:
            result = Padded(value[: sizes[0] if sizes else 1].rstrip(" "))
        case _ if isinstance(value, Padded):
            raise not_constant()
        case exp.DType.TEXT | exp.DType.VARCHAR if not isinstance(value, str):
            result = _text(value, kind, sizes, session)
        case _ if isinstance(value, str):
            result = _from_text(value, target, sizes)
        case _:
            raise not_constant()
    held = dialect_of(session.dialect).held_days
    if held is not None and kind in (exp.DType.DATE, *TIMESTAMPS):
        _require_held(result, held)
    return result


def _seconds(value: Folded, session: Session) -> Folded:
    """The seconds of a moment in Spark; other values unchanged."""
    is_moment = isinstance(value, Timestamp) and dialect_of(session.dialect).timestamps_are_instants
    return instant_of(value, session) / NANOS_PER_SECOND if is_moment else value


def _exact_seconds(value: Folded, session: Session) -> Folded:
    """The seconds of a moment in Spark; other values unchanged. Raises CannotConvert unless a
    double holds the moment to the microsecond, because versions before 4 go through a double."""
    if not isinstance(value, Timestamp) or not dialect_of(session.dialect).has_java_time:
        return value
    instant = instant_of(value, session)
    if abs(instant) >= _HELD_BY_DOUBLES:
        raise not_constant()
    return Decimal(instant // _MICROSECOND).scaleb(-_MICROSECONDS)


def _text(value: Folded, kind: exp.DType, sizes: list[int], session: Session) -> str:
    if isinstance(value, bytes) and kind is exp.DType.TEXT:
        if not dialect_of(session.dialect).has_java_time:
            raise not_constant()
        return value.decode()
    text = as_text(value, session)
    if sizes and len(text) > sizes[0]:
        raise not_constant()
    return text


def _truth(value: int, dialect: Dialect) -> bool:
    if not dialect.has_known_functions:
        raise not_constant()
    return value != 0


def _require_held(value: Folded, held: tuple[dt.date, dt.date]) -> None:
    """Raises CannotConvert for values that a type of days and whole seconds does not hold."""
    is_whole = not isinstance(value, Timestamp) or value.nanos % NANOS_PER_SECOND == 0
    day = date_of(value.nanos) if isinstance(value, Timestamp) else value
    if not (is_whole and isinstance(day, dt.date) and held[0] <= day < held[1]):
        raise not_constant()


def as_text(value: Folded, session: Session) -> str:
    """A text, number, truth, date or time as a text; raises CannotConvert for values that engines
    write in several ways: numbers without a type, or with a floating point."""
    if isinstance(value, Padded):
        raise not_constant()
    if isinstance(value, str):
        return value
    if is_int(value):
        return str(int(value))
    dialect = dialect_of(session.dialect)
    if isinstance(value, Exact):
        # Without ANSI types, Spark writes small ones with an exponent.
        if dialect.has_hive_functions and str(value) != f"{value:f}":
            raise not_constant()
        return f"{value:f}"
    if isinstance(value, bool) and dialect.has_known_functions:
        return str(value).lower()
    if isinstance(value, Timestamp) and (dialect.has_known_functions or dialect.has_strftime):
        return cast_text_of(value, session)
    is_known = dialect.has_known_functions or dialect.writes_iso_dates
    if is_known and isinstance(value, dt.date):
        return value.isoformat()
    raise not_constant()


def _from_text(value: str, target: exp.DataType, sizes: list[int]) -> Folded:
    match target.this:
        case exp.DType.VARCHAR | exp.DType.TEXT | exp.DType.UUID:
            return value[: sizes[0]] if sizes else value
        case exp.DType.BINARY | exp.DType.VARBINARY:
            return value.encode()
        case exp.DType.BOOLEAN if value.strip().lower() in ("true", "false"):
            return value.strip().lower() == "true"
        case exp.DType.TIME:
            return _known(parse_time(value))
    raise not_constant()


def _to_precise_timestamp(
    expression: exp.Cast, value: Folded, sizes: list[int], session: Session
) -> Timestamp:
    if dialect_of(session.dialect).has_java_time and isinstance(value, int | float):
        value = _moment_of_seconds(value)
    target = expression.to.this
    is_naive = target in _NAIVE_TIMESTAMPS
    dialect = dialect_of(session.dialect)
    if isinstance(value, str) and dialect.has_java_time:
        value = _known(cast_text(value, is_date=False))
    is_ntz = target is exp.DType.TIMESTAMPNTZ and dialect.timestamps_are_instants
    if is_ntz and isinstance(value, str):
        return to_ntz(value)
    result = to_timestamp(value)
    if result.is_ntz and not is_ntz:
        result = replace(result, is_ntz=False)  # Spark's other timestamps are moments
    if isinstance(value, str) and dialect.has_java_time:
        result = in_microseconds(result)
    if result.zoned and is_naive and not dialect.timestamps_are_instants:
        if not dialect.keeps_zones:
            raise not_constant()
        result = Timestamp(clock_reading(result, session), zoned=False, digits=result.digits)
    elif dialect.plain_are_moments and (result.zoned or session.time_zone is not None):
        result = Timestamp(instant_of(result, session), zoned=True)
    elif result.zoned:
        # Of others it is not known whether they keep the zone that is written.
        has_zones = dialect.keeps_zones or dialect.timestamps_are_instants
        if not has_zones:
            result = replace(result, zone=None if dialect.forgets_zones else UNKNOWN_ZONE)
    elif dialect.keeps_zones and not is_naive and session.time_zone is not None:
        day = value if isinstance(value, dt.date) else result
        result = Timestamp(instant_of(day, session), zoned=True)
    if dialect.rounds_times:
        result = at_digits(result, sizes[0] if sizes else TRINO_DEFAULT_PRECISION)
        digits = result.digits or 0
    else:
        digits = _MICROSECONDS if dialect.timestamps_are_instants else (*sizes, _NANOSECONDS)[0]
    if result.nanos % 10 ** max(0, _NANOSECONDS - digits):  # the engines would round it
        raise not_constant()
    return replace(result, is_ntz=True) if is_ntz and not result.zoned else result


def _moment_of_seconds(value: float) -> Timestamp:
    """Spark's time of a number of seconds; a double is truncated to microseconds."""
    if isinstance(value, bool | Single):
        raise not_constant()
    if isinstance(value, int):
        return moment(value * NANOS_PER_SECOND)
    if not math.isfinite(value):
        raise fails()
    return moment(int(value * 1_000_000) * _MICROSECOND)


def with_session_zone(value: Timestamp, session: Session) -> Timestamp:
    """A time, with the session's zone if it has none and that is known, as Trino casts it. Raises
    CannotConvert if the clock skips or repeats it."""
    if value.zoned or session.time_zone is None:
        return value
    return Timestamp(instant_of(value, session), zoned=True, digits=value.digits)


def _known(value: _T | None) -> _T:
    if value is None:
        raise not_constant()
    return value


def to_date(value: Folded, session: Session) -> dt.date:
    """The day of a value, on its clock; raises CannotConvert for a value that is no time."""
    match value:
        case dt.date():
            return value
        case str():
            dialect = dialect_of(session.dialect)
            text = cast_text(value, is_date=True) if dialect.has_java_time else value
            day = None if text is None else parse_date(text)
            if day is None:
                is_written = text is not None and _DAY_TEXT.fullmatch(text)
                raise fails() if is_written else no_day(value, dialect)
            return day
        case Timestamp(nanos, zoned=True):
            return date_of(clock_reading(value, session))
        case Timestamp(nanos, zoned=False):
            # Spark's plain timestamps are instants: what the clock skips is moved.
            is_moved = (
                dialect_of(session.dialect).timestamps_are_instants
                and session.time_zone is not None
            )
            if is_moved and date_of(session.moved_wall(nanos)) != date_of(nanos):
                raise not_constant()
            return date_of(nanos)
    raise not_constant()


def to_timestamp(value: Folded) -> Timestamp:
    """A date, a timestamp or its text as a timestamp; raises CannotConvert for other values."""
    match value:
        case Timestamp():
            return value
        case dt.date():
            return Timestamp(nanos_of(value), zoned=False)
        case str():
            date = parse_date(value)
            if date is not None:
                return Timestamp(nanos_of(date), zoned=False)
            return _known(parse_timestamp(value))
    raise not_constant()


def implied_time(value: Folded, session: Session) -> Folded:
    """The argument of Spark's functions of times: a text without a zone as a time, other values
    unchanged. Raises CannotConvert for other texts."""
    if not isinstance(value, str) or not dialect_of(session.dialect).has_java_time:
        return value
    found = in_microseconds(to_timestamp(_known(cast_text(value, is_date=False))))
    if found.zoned:
        raise not_constant()
    return found


def to_ntz(value: Folded) -> Timestamp:
    """Spark's TIMESTAMP_NTZ of a value; for a text it is the clock reading, whichever zone is
    written after it (stringToTimestampWithoutTimeZone of Spark 4.1)."""
    if isinstance(value, str) and parse_date(value) is None:
        value = in_microseconds(_known(parse_reading(value)))
    return replace(to_timestamp(value), is_ntz=True)


def in_microseconds(value: Timestamp) -> Timestamp:
    """A time truncated to microseconds, as Spark 4.1 reads a text with more digits."""
    return replace(value, nanos=value.nanos - value.nanos % _MICROSECOND)
