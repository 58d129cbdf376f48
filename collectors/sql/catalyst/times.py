"""Functions of times as Catalyst prints them, in Spark SQL."""

from __future__ import annotations

import re
from collections.abc import Callable

from prunescope.collectors.sql.catalyst.expressions import Call, Expression, Unclear
from prunescope.collectors.sql.catalyst.literals import literal_sql, quoted

_TIMES = ("date", "timestamp", "timestamptz")
_UNIT = re.compile(r"[A-Za-z]{1,12}")


def _date_part(call: Call) -> Expression:
    """Spark casts timestamps to dates first."""
    call.require(1)
    return Expression(f"{call.name.upper()}({_of_time(call.operand(), 'date').sql})", "int")


def _time_part(call: Call) -> Expression:
    call.require(2)
    call.require_zone(1)
    return Expression(f"{call.name.upper()}({call.operand().sql})", "int")


def _of_time(operand: Expression, kind: str) -> Expression:
    """The time below a cast to the type that a function takes, or the operand itself."""
    inner = operand.uncast
    if inner is None or operand.type != kind or inner.type not in _TIMES:
        return operand
    return inner if inner.is_column else operand


def _date_format(call: Call) -> Expression:
    if len(call.printed) < 3 or any(call.arguments[1:-1]):
        raise Unclear
    call.require_zone(-1)
    pattern = ", ".join(call.printed[1:-1])
    operand = _of_time(call.operand(), "timestamptz")
    sql = f"DATE_FORMAT({operand.sql}, {quoted(pattern)})"
    return Expression(sql, "string", has_no_comma=_is_numeric(pattern))


def _date_trunc(call: Call) -> Expression:
    call.require(3)
    call.require_zone(2)
    if not _UNIT.fullmatch(call.printed[0]):
        raise Unclear
    return Expression(f"DATE_TRUNC('{call.printed[0]}', {call.operand(1).sql})", "timestamptz")


def _trunc(call: Call) -> Expression:
    call.require(2)
    if not _UNIT.fullmatch(call.printed[1]):
        raise Unclear
    operand = _of_time(call.operand(), "date")
    return Expression(f"TRUNC({operand.sql}, '{call.printed[1]}')", "date")


def _unix_timestamp(call: Call) -> Expression:
    """The epoch of a time, in seconds; the pattern is not read for times."""
    operand = call.operand()
    if operand.type not in _TIMES or any(call.arguments[1:]):
        raise Unclear
    return Expression(f"UNIX_TIMESTAMP({operand.sql})", "long")


def _unix_seconds(call: Call) -> Expression:
    call.require(1)
    return Expression(f"UNIX_SECONDS({call.operand().sql})", "long")


def _from_unixtime(call: Call) -> Expression:
    call.require(3)
    call.require_zone(2)
    if call.arguments[1] is not None:
        raise Unclear
    sql = f"FROM_UNIXTIME({call.operand().sql}, {quoted(call.printed[1])})"
    return Expression(sql, "string", has_no_comma=_is_numeric(call.printed[1]))


def _from_utc_timestamp(call: Call) -> Expression:
    call.require(2)
    if call.arguments[1] is not None:
        raise Unclear
    operand = call.operand()
    sql = f"FROM_UTC_TIMESTAMP({operand.sql}, {quoted(call.printed[1])})"
    return Expression(sql, "timestamptz", day=f"CAST({sql} AS DATE)")


def _parsed_time(call: Call) -> Expression:
    """The result of to_date, to_timestamp and their like for a text in a format of its own."""
    if len(call.printed) < 5 or any(call.arguments[1:]) or call.printed[2] != "TimestampType":
        raise Unclear
    operand, pattern = call.operand(), quoted(call.printed[1])
    call.require_zone(-2)
    if operand.type != "string":
        raise Unclear
    sql = f"TO_TIMESTAMP({operand.sql}, {pattern})"
    return Expression(sql, "timestamptz", day=f"TO_DATE({operand.sql}, {pattern})")


def _months_between(call: Call) -> Expression:
    """Spark casts dates to timestamps."""
    call.require(4)
    call.require_zone(3)
    sides = []
    for printed, operand in zip(call.printed[:2], call.arguments[:2], strict=True):
        if operand is not None:
            sides.append(_of_time(operand, "timestamptz").sql)
            continue
        day = printed.removesuffix(" 00:00:00")
        literal = literal_sql(day, "date" if day != printed else "timestamptz", call.session)
        if literal is None:
            raise Unclear
        sides.append(literal)
    return Expression(f"MONTHS_BETWEEN({', '.join(sides)})", "double")


def _year_of_week(call: Call) -> Expression:
    call.require(1)
    return Expression(f"EXTRACT(YEAROFWEEK FROM {_of_time(call.operand(), 'date').sql})", "int")


def _is_numeric(pattern: str) -> bool:
    """True if a format makes texts of digits: names of months, days, eras and zones do not."""
    return re.fullmatch("[yMdHms:. -]+", pattern) is not None


TIMES: dict[str, Callable[[Call], Expression]] = {
    "date_format": _date_format,
    "date_trunc": _date_trunc,
    "trunc": _trunc,
    "unix_timestamp": _unix_timestamp,
    "to_unix_timestamp": _unix_timestamp,
    "unix_seconds": _unix_seconds,
    "from_unixtime": _from_unixtime,
    "from_utc_timestamp": _from_utc_timestamp,
    "gettimestamp": _parsed_time,
    "months_between": _months_between,
    "yearofweek": _year_of_week,
    **dict.fromkeys(("year", "month", "day", "dayofmonth", "quarter"), _date_part),
    **dict.fromkeys(("dayofweek", "weekday", "weekofyear", "dayofyear"), _date_part),
    **dict.fromkeys(("hour", "minute", "second"), _time_part),
}
"""Readers by the names that Catalyst prints. They raise Unclear."""
