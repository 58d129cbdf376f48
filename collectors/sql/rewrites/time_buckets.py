"""Times that are cut to buckets of one width, compared with a constant, as ranges of the column:
Spark's `window(x, '1 day').start = TIMESTAMP '2026-04-03 00:00:00'` is that day, and Snowflake's
`TIME_SLICE(x, 4, 'HOUR', 'END') <= …` all that is before. No engine unwraps them.

The start of a bucket is a non-decreasing function of the time, so that the ranges are exact. Where
a bucket begins is what the references of the functions say:

| function | a bucket begins with |
|---|---|
| Spark's `window`, without a slide | 1970-01-01 00:00 UTC, or as much later as is said |
| Databricks' `time_bucket` | 1970-01-01, or an origin |
| Snowflake's `TIME_SLICE` | 1970-01-01; weeks as the session says, which is not known |
| BigQuery's `TIMESTAMP_BUCKET`, `DATETIME_BUCKET`, `DATE_BUCKET` | 1950-01-01, or an origin |
| DuckDB's `time_bucket` | 2000-01-03, of months 2000-01-01, or an origin |
| PostgreSQL's `date_bin` | its origin |
| ClickHouse's `toStartOfInterval` | 1970-01-01; a Monday, the year 1900, or the year 0 |
| ClickHouse's `toDate`, `toYear`, `toYYYYMM`, `toYYYYMMDD` | each day, year or month |
| Redshift's `TRUNC` of a time | each day |

Rows of a sliding window are in several, and those of a session window in one that others decide.
What ClickHouse cuts is a date or a time that begins with 1970, and ends before others do: times
beyond come out as any of these.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Interval,
    Unit,
    date_of,
    interval_of,
    nanos_of,
    unit_named,
)
from collectors.predicates.instants import parse_date
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Column, Predicate, Reason
from collectors.predicates.operators import Op
from collectors.sql.constants.casts import to_timestamp
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import term, time_column
from collectors.sql.constants.values import CannotConvert, is_int
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.dates import beside_unheld, is_read_once, of_start, require_range
from collectors.sql.rewrites.grids import Grid, fixed, grid_of
from collectors.sql.rewrites.rewrite import Path, Place, Rewrite

_CLICKHOUSE = "clickhouse"
_EPOCH = 0
_MONDAY = nanos_of(dt.date(1970, 1, 5))
_1900, _1950, _2000 = (nanos_of(dt.date(year, 1, 1)) for year in (1900, 1950, 2000))
_MONDAY_2000 = nanos_of(dt.date(2000, 1, 3))
_OF_CLICKHOUSE = {
    "todate": interval_of(1, Unit.DAY),
    "tostartoffiveminutes": interval_of(5, Unit.MINUTE),
    "tostartoffiveminute": interval_of(5, Unit.MINUTE),
    "tostartoftenminutes": interval_of(10, Unit.MINUTE),
    "tostartoffifteenminutes": interval_of(15, Unit.MINUTE),
    "toyear": interval_of(1, Unit.YEAR),
    "toyyyymm": interval_of(1, Unit.MONTH),
    "toyyyymmdd": interval_of(1, Unit.DAY),
}
_DIGITS = {"toyear": 4, "toyyyymm": 6, "toyyyymmdd": 8}
_BY_NAME: Mapping[str, frozenset[str]] = {
    "databricks": frozenset({"time_bucket"}),
    "bigquery": frozenset({"timestamp_bucket", "datetime_bucket", "date_bucket"}),
    _CLICKHOUSE: frozenset({"tostartofinterval", *_OF_CLICKHOUSE}),
}
_ZONED, _NAIVE = ("timestamptz", "timestamptz_ns"), ("timestamp", "timestamp_ns", "date")


@dataclass(frozen=True, slots=True)
class TimeBucket:
    """The start of the bucket that a column's time is in, or its end, which is the start of the
    next one. `kind` is the type of the column, where it is known. `is_of_instants` tells that the
    buckets of times with a zone do not depend on that of the session, `is_held` that the dialect's
    functions have all of them. With `digits`, the day is a number of so many; it `is_day` where it
    is no time, whatever clocks skip."""

    path: Path
    kind: str | None
    grid: Grid
    is_end: bool
    is_of_instants: bool
    is_held: bool
    digits: int | None = None
    is_day: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """What is cut, and to which buckets; None for those that are none. With `is_cast`, what is none
    is made a time before."""

    operand: exp.Expr
    grid: Grid | None
    is_end: bool = False
    is_of_instants: bool = False
    digits: int | None = None
    is_cast: bool = False


def may_be_bucket(expression: exp.Expr, dialect: str) -> bool:
    """Whether an expression may be one, for some literals in it."""
    match expression:
        case exp.Dot() | exp.Bracket():
            return dialect_of(dialect).has_java_time and _window(expression) is not None
        case exp.TimeSlice():
            return dialect == "snowflake"
        case exp.DateBin():
            return dialect in ("duckdb", "postgres")
        case exp.Trunc():
            return dialect == "redshift"
        case exp.Anonymous(this=str() as name):
            return name.lower() in _BY_NAME.get(dialect, ())
    return False


def time_bucket(expression: exp.Expr, place: Place) -> TimeBucket | None:
    """The bucket that an expression is; None for anything else."""
    if not may_be_bucket(expression, place.dialect):
        return None
    try:
        cut = _cut(expression, place.session)
        if cut is None or cut.grid is None:
            return None
        column = time_column(term(cut.operand, place.path_of, place.dialect))
    except (CannotConvert, SqlglotError, ValueError, OverflowError):
        return None
    kind = None if column is None else place.type_of(column.path)
    is_known = kind in (None, *_ZONED, *_NAIVE) and (kind != "date" or cut.grid.is_of_days)
    if column is None or not is_known or (cut.is_cast and kind is None):
        return None
    is_held = dialect_of(place.dialect).held_days is None
    return TimeBucket(
        column.path,
        kind,
        cut.grid,
        cut.is_end,
        cut.is_of_instants,
        is_held,
        cut.digits,
        is_day=cut.is_cast or cut.digits is not None,
    )


def _cut(expression: exp.Expr, session: Session) -> _Cut | None:
    match expression:
        case exp.Dot() | exp.Bracket():
            return _of_window(expression, session)
        case exp.TimeSlice(this=operand, expression=count):
            return _of_slice(expression, operand, fold(count, session))
        case exp.DateBin(this=width, expression=operand) if not expression.args.get("zone"):
            span, origin = _interval(width, session), expression.args.get("unit")
            if origin is None and session.dialect != "duckdb":
                return None
            default = _2000 if span.months else _MONDAY_2000
            return _Cut(operand, grid_of(span, _origin(origin, default, session)))
        case exp.Trunc(this=operand) if not expression.args.get("decimals"):
            return _Cut(operand, grid_of(interval_of(1, Unit.DAY), _EPOCH), is_cast=True)
        case exp.Anonymous(this=str() as name, expressions=arguments):
            return _of_call(name.lower(), arguments, session)
    return None


def _window(expression: exp.Dot | exp.Bracket) -> exp.Anonymous | None:
    """The call of which an expression is the start or the end."""
    match expression.this:
        case exp.Anonymous(this=str() as name) as call if name.lower() == "window":
            return call if _field(expression) in ("start", "end") else None
    return None


def _field(expression: exp.Dot | exp.Bracket) -> str:
    if isinstance(expression, exp.Dot):
        return str(expression.expression.name).lower()
    keys = expression.expressions
    return str(keys[0].name).lower() if len(keys) == 1 else ""


def _of_window(expression: exp.Dot | exp.Bracket, session: Session) -> _Cut | None:
    call = _window(expression)
    match call.expressions if call is not None else []:
        case [operand, width]:
            slide, later = width, None
        case [operand, width, slide, *rest] if len(rest) < 2:
            later = rest[0] if rest else None
        case _:
            return None
    span, step = (fixed(_interval(each, session)) for each in (width, slide))
    begin = _EPOCH if later is None else fixed(_interval(later, session))
    if span is None or span != step or begin is None:
        return None
    grid = grid_of(Interval(nanos=span), begin)
    return _Cut(operand, grid, is_end=_field(expression) == "end", is_of_instants=True)


def _of_slice(expression: exp.Expr, operand: exp.Expr, count: object) -> _Cut | None:
    unit, kind = unit_named(expression.text("unit")), expression.args.get("kind")
    if unit is None or unit is Unit.WEEK or not is_int(count):
        return None
    is_end = isinstance(kind, exp.Expr) and kind.name.upper() == "END"
    return _Cut(operand, grid_of(interval_of(count, unit), _EPOCH), is_end)


def _of_call(name: str, arguments: Sequence[exp.Expr], session: Session) -> _Cut | None:
    match name, arguments:
        case _, [operand] if name in _OF_CLICKHOUSE:
            grid = grid_of(_OF_CLICKHOUSE[name], _EPOCH)
            return _Cut(operand, grid, digits=_DIGITS.get(name), is_cast=name == "todate")
        case "tostartofinterval", [operand, exp.Interval() as width]:
            unit = unit_named(width.text("unit"))
            return _Cut(operand, _clickhouse_grid(_interval(width, session), unit))
        case "time_bucket", [width, operand, *rest] if len(rest) < 2:
            default = _EPOCH
        case "timestamp_bucket" | "datetime_bucket" | "date_bucket", [operand, width, *rest] if (
            len(rest) < 2
        ):
            default = _1950
        case _:
            return None
    grid = grid_of(_interval(width, session), _origin(next(iter(rest), None), default, session))
    return _Cut(operand, grid, is_of_instants=name == "timestamp_bucket")


def _clickhouse_grid(width: Interval, unit: Unit | None) -> Grid | None:
    """Hours count from each midnight, so that they are known where they fill a day."""
    if unit is Unit.YEAR:
        return Grid(width.months, 0, 0) if width.months > 0 else None
    if unit is None or (unit is Unit.HOUR and NANOS_PER_DAY % max(1, width.nanos)):
        return None
    return grid_of(width, _1900 if width.months else _MONDAY if unit is Unit.WEEK else _EPOCH)


def _interval(written: exp.Expr, session: Session) -> Interval:
    if isinstance(written, exp.Literal) and written.is_string:
        written = exp.to_interval(written)
    found = fold(written, session)
    if not isinstance(found, Interval):
        raise CannotConvert(Reason.FUNCTION)
    return found


def _origin(written: exp.Expr | None, default: int, session: Session) -> int:
    if written is None:
        return default
    found = fold(written, session)
    if not isinstance(found, dt.date | Timestamp) or (isinstance(found, Timestamp) and found.zoned):
        raise CannotConvert(Reason.FUNCTION)  # DuckDB's offset, a zone, a clock of another one
    return to_timestamp(found).nanos


def compare_bucket(op: Op, found: TimeBucket, value: LiteralValue, session: Session) -> Predicate:
    """`start op value` as comparisons of the column; raises CannotConvert for what is no time, and
    where the clock by which buckets begin is not known."""
    if found.kind in (None, "date") and isinstance(value, str) and parse_date(value) is None:
        raise CannotConvert(Reason.FUNCTION)  # text is cast to the type of the other side
    try:
        if found.digits is not None:
            value = _day_of(value, found.digits)
        nanos, is_zoned = _position(found, to_timestamp(value), session)
        index = found.grid.index(nanos)
        is_start = found.grid.start(index) == nanos
        starts = [found.grid.start(index - found.is_end + number) for number in (0, 1)]
        start, following = (_bound(each, is_zoned) for each in starts)
    except (ValueError, OverflowError):
        raise CannotConvert(Reason.FUNCTION) from None
    column = Column(found.path)
    selected = of_start(op, column, (start, following), is_start=is_start)
    return beside_unheld(selected, column, session.dialect)


def _day_of(value: LiteralValue, digits: int) -> dt.date:
    """The first day that a number of so many digits names; raises CannotConvert or ValueError."""
    text = str(value)
    if not is_int(value) or len(text) != digits:
        raise CannotConvert(Reason.FUNCTION)
    return dt.date(int(text[:4]), int(text[4:6] or 1), int(text[6:] or 1))


def _position(found: TimeBucket, moment: Timestamp, session: Session) -> tuple[int, bool]:
    """Where a value lies on the clock by which buckets begin, and whether that is UTC's, of times
    with a zone."""
    if session.time_zone is not None and session.zone == dt.UTC:
        return moment.nanos, found.kind in _ZONED
    if found.kind in _ZONED and found.is_of_instants:
        if moment.zoned:
            return moment.nanos, True
        if session.time_zone is not None and not session.is_ambiguous(moment.nanos):
            return session.instant_nanos(moment.nanos), True
    if dialect_of(session.dialect).plain_are_moments and found.kind in _ZONED:
        return _on_clock(found, moment, session), False
    # Spark's TIMESTAMP beside a time without zone is an instant of the session's clock.
    is_cast = dialect_of(session.dialect).is_spark and not moment.is_ntz
    if found.kind in _NAIVE and not (moment.zoned or is_cast):
        return moment.nanos, False
    raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)


def _on_clock(found: TimeBucket, moment: Timestamp, session: Session) -> int:
    """What the session's clock reads at a moment, where the bucket around that is a range of
    moments; raises CannotConvert for others."""
    grid, wall = found.grid, session.wall_nanos(moment)
    if not (found.is_day or moment.zoned or is_read_once(wall, session)):
        raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)
    if session.time_zone is not None:
        start = grid.start(grid.index(wall))
        bounds = start, grid.start(grid.index(wall) + 1)
        require_range(bounds, session, is_of_days=grid.is_of_days)
    return wall


def _bound(nanos: int, is_zoned: bool) -> LiteralValue:
    """Raises ValueError or OverflowError where some clock reads a year outside 1 to 9999."""
    if is_zoned:
        date_of(nanos - NANOS_PER_DAY)
        date_of(nanos + NANOS_PER_DAY)
    return Timestamp(nanos, is_zoned) if is_zoned or nanos % NANOS_PER_DAY else date_of(nanos)


def _rest(_op: Op, found: TimeBucket, _value: LiteralValue) -> Reason | None:
    return None if found.is_held else Reason.FUNCTION


REWRITE = Rewrite(time_bucket, compare_bucket, _rest, may_be=may_be_bucket)
