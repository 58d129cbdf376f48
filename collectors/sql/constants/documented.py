"""Functions of constant dates and times in dialects whose engines were not compared with: those of
which the documentation leaves no doubt, for values on which nothing depends that it does not say.
Each function raises what `call.Function` allows for others."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from sqlglot import exp

from collectors.predicates.calendar import (
    NANOS_PER_SECOND,
    Interval,
    Unit,
    date_of,
    interval_of,
    nanos_of,
)
from collectors.predicates.literals import Timestamp
from collectors.sql.constants import buckets, calls, days, epochs
from collectors.sql.constants.bigquery import BIGQUERY
from collectors.sql.constants.call import Call, Function
from collectors.sql.constants.casts import as_text, to_date, to_timestamp
from collectors.sql.constants.clocks import in_zone, instant_of
from collectors.sql.constants.duckdb import DUCKDB
from collectors.sql.constants.moments import shifted
from collectors.sql.constants.values import Folded, is_int, not_constant

_Days = tuple[dt.date, dt.date]
# What ClickHouse's types of dates hold: what is beyond is none of them, or another one.
_DATE: _Days = (dt.date(1970, 1, 1), dt.date(2149, 6, 6))
_DATE_32: _Days = (dt.date(1900, 1, 1), dt.date(2299, 12, 31))
_DATE_TIME: _Days = (dt.date(1970, 1, 2), dt.date(2106, 2, 5))
_UNITS = {
    "second": Unit.SECOND,
    "minute": Unit.MINUTE,
    "hour": Unit.HOUR,
    "day": Unit.DAY,
    "week": Unit.WEEK,
    "month": Unit.MONTH,
    "quarter": Unit.QUARTER,
    "year": Unit.YEAR,
}


def _held(day: dt.date, held: _Days) -> dt.date:
    if not held[0] <= day <= held[1]:
        raise not_constant()
    return day


def _clickhouse_date(held: _Days) -> Callable[[Call, Folded], dt.date]:
    """toDate() of a date, of its text, and of a time on the session's clock."""

    def of(call: Call, value: Folded) -> dt.date:
        if not isinstance(value, str | dt.date | Timestamp):
            raise not_constant()
        return _held(to_date(value, call.session), held)

    return of


def _own_zone(others: Sequence[Folded]) -> str | None:
    """The zone that is named last of what a function is given beside a time."""
    return next((other for other in others[-1:] if isinstance(other, str)), None)


def _clickhouse_time(call: Call, text: Folded, *others: Folded) -> Timestamp:
    """toDateTime() and toDateTime64() of a text, in a zone that is named last, or the session's."""
    if not isinstance(text, str):
        raise not_constant()
    reading, zone = to_timestamp(text), _own_zone(others)
    session = call.session if zone is None else in_zone(zone, call.session)
    is_fine = call.expression.name.lower() == "todatetime64"
    if reading.zoned or (reading.nanos % NANOS_PER_SECOND and not is_fine):
        raise not_constant()
    _held(date_of(reading.nanos), _DATE_32 if is_fine else _DATE_TIME)
    if session.time_zone is None:
        return reading  # on a clock that is not known
    return Timestamp(instant_of(reading, session), zoned=True, zone=zone)


def _clickhouse_moment(call: Call, value: Folded, *others: Folded) -> Timestamp:
    """toDateTime() of a text, or of seconds since 1970, which fromUnixTimestamp() is of, too."""
    if is_int(value):
        moment = Timestamp(value * NANOS_PER_SECOND, zoned=True, zone=_own_zone(others))
        _held(date_of(moment.nanos), _DATE_TIME)
        return moment
    return _clickhouse_time(call, value, *others)


def _seconds(call: Call, value: Folded, *others: Folded) -> int:
    """toUnixTimestamp() of a time, or of its text in the session's zone or another."""
    moment = value if isinstance(value, Timestamp) else _clickhouse_time(call, value, *others)
    return instant_of(moment, call.session) // NANOS_PER_SECOND


def _digits(pattern: str) -> Callable[[Call, Folded], int]:
    """toYYYYMM() and the like, of dates."""

    def of(_call: Call, day: Folded) -> int:
        if not isinstance(day, dt.date):
            raise not_constant()
        return int(day.strftime(pattern))

    return of


def _text(call: Call, value: Folded) -> str:
    """toString()."""
    return as_text(value, call.session)


def _day_after(count: int) -> Callable[[Call], dt.date]:
    """ClickHouse's today(), or the day that is so many days after it."""

    def of(call: Call) -> dt.date:
        today = date_of(call.session.wall_nanos(call.session.now))
        return today + dt.timedelta(count)

    return of


def _moved(unit: Unit, sign: int) -> Callable[[Call, Folded, Folded], Folded]:
    """ClickHouse's addDays() and the like, of dates and times."""

    def of(call: Call, value: Folded, count: Folded) -> Folded:
        if not isinstance(value, dt.date | Timestamp) or not is_int(count):
            raise not_constant()
        moved = shifted(value, interval_of(sign * count, unit), call.session)
        if isinstance(moved, Timestamp):
            _held(date_of(moved.nanos), _DATE_TIME)
        elif isinstance(moved, dt.date):
            _held(moved, _DATE)
        return moved

    return of


def _interval(unit: Unit) -> Callable[[Call, Folded], Interval]:
    """ClickHouse's toIntervalDay() and the like."""

    def of(_call: Call, count: Folded) -> Interval:
        if not is_int(count):
            raise not_constant()
        return interval_of(count, unit)

    return of


def _made_date(call: Call, *parts: Folded) -> dt.date:
    """ClickHouse's makeDate() of a year, month and day."""
    year, month, day = parts
    return _held(days.make_date(call, year, month, day), _DATE)


def made_time(call: Call, *parts: Folded) -> Timestamp:
    """A time without zone of a year, month, day, hour, minute and seconds."""
    year, month, day, hour, minute, seconds = parts
    if not is_int(hour) or not is_int(minute) or isinstance(seconds, bool):
        raise not_constant()
    if not isinstance(seconds, int | Decimal):
        raise not_constant()
    whole, rest = divmod(Decimal(seconds), 1)
    clock = dt.time(hour, minute, int(whole))
    nanos = (clock.hour * 3600 + clock.minute * 60 + clock.second) * NANOS_PER_SECOND
    fraction = rest * NANOS_PER_SECOND
    if fraction != int(fraction):
        raise not_constant()
    midnight = nanos_of(days.make_date(call, year, month, day))
    return Timestamp(midnight + nanos + int(fraction), zoned=False)


_YEAR_TO_DAY = ("year", "month", "day")
_MADE: Mapping[type[exp.Expr] | str, Function] = {
    exp.Pow: Function(calls.power, ("this", "expression")),
    exp.DateFromParts: Function(days.make_date, _YEAR_TO_DAY, frozenset({"allow_overflow"})),
    exp.TimestampFromParts: Function(made_time, (*_YEAR_TO_DAY, "hour", "min", "sec")),
    exp.LastDay: Function(days.last_day),
}
_READ_DAY = Function(epochs.read_day, ignored=frozenset({"format", "safe"}))
_READ_TIME = Function(
    epochs.read_moment, ("this", "format"), ignored=frozenset({"safe", "target_type"})
)

DOCUMENTED: Mapping[str, Mapping[type[exp.Expr] | str, Function]] = {
    "clickhouse": {
        exp.Pow: _MADE[exp.Pow],
        "todate": Function(_clickhouse_date(_DATE)),
        "todate32": Function(_clickhouse_date(_DATE_32)),
        "todatetime": Function(_clickhouse_moment, ("this", "zone"), most_lacking=1),
        "fromunixtimestamp": Function(_clickhouse_moment),
        "tounixtimestamp": Function(_seconds, ("this", "zone"), most_lacking=1),
        "toyyyymm": Function(_digits("%Y%m")),
        "toyyyymmdd": Function(_digits("%Y%m%d")),
        "tostring": Function(_text),
        "todatetime64": Function(_clickhouse_time, ("this", "scale", "zone"), most_lacking=1),
        "today": Function(_day_after(0), ()),
        "yesterday": Function(_day_after(-1), ()),
        "makedate": Function(_made_date, _YEAR_TO_DAY),
        **{f"tointerval{name}": Function(_interval(unit)) for name, unit in _UNITS.items()},
        **{
            f"{word}{name}s": Function(_moved(unit, sign), ("this", "expression"))
            for word, sign in (("add", 1), ("subtract", -1))
            for name, unit in _UNITS.items()
        },
    },
    "bigquery": {
        **_MADE,
        **BIGQUERY,
        **dict.fromkeys(
            ("datetime_bucket", "date_bucket"),
            Function(
                buckets.bucketed(buckets.FROM_1950), ("this", "width", "origin"), most_lacking=1
            ),
        ),
    },
    "snowflake": {
        **_MADE,
        exp.TimeSlice: Function(
            buckets.sliced, ("this", "expression"), frozenset({"unit", "kind"})
        ),
        exp.TsOrDsToDate: _READ_DAY,
        exp.StrToTime: _READ_TIME,
        **dict.fromkeys(
            (exp.TimeToStr, exp.ToChar), Function(epochs.formatted, ("this", "format"))
        ),
    },
    "dremio": {
        exp.LastDay: _MADE[exp.LastDay],
        exp.Pow: _MADE[exp.Pow],
        "to_date": Function(epochs.read_day_by_name, ("this", "format")),
        "to_timestamp": Function(epochs.read_moment_by_name, ("this", "format")),
    },
    "duckdb": {**_MADE, **DUCKDB, exp.StrToTime: _READ_TIME},
}
"""By the names that sqlglot has for dialects."""
