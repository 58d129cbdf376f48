"""Rows that DuckDB finds by formatted, cast and dissected dates match the ranges made of them.

DuckDB formats as the engines do, but for the sign and the padding of years, which the texts below
add. Trino formats timestamps with zone in UTC, the others on the session's clock.
"""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Or,
    Predicate,
    Unsupported,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.conditions.convert import convert
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.text.boolean import formula
from prunescope.collectors.sql.text.parse import parse_condition

pytestmark = pytest.mark.slow

DAY = 86_400_000_000
EPOCH = dt.datetime(1970, 1, 1)
ZONES = ("UTC", "America/New_York", "Europe/Berlin", "America/St_Johns", "America/Sao_Paulo")
TYPES = {
    "date": "make_date({})",
    "timestamp": "make_timestamp({})",
    "timestamptz": "make_timestamptz({})",
}
_ORDER: dict[Op, Callable[[PhysicalValue, PhysicalValue], bool]] = {
    Op.LT: operator.lt,
    Op.LT_EQ: operator.le,
    Op.GT: operator.gt,
    Op.GT_EQ: operator.ge,
    Op.EQ: operator.eq,
    Op.NOT_EQ: operator.ne,
}


def _micros(*parts: int) -> int:
    return (dt.datetime(*parts) - EPOCH) // dt.timedelta(microseconds=1)  # type: ignore[arg-type]


BOUNDARIES = (
    _micros(1, 1, 1),
    _micros(1, 1, 1) - 366 * DAY,
    _micros(1, 1, 1) - 40 * 366 * DAY,
    _micros(999, 12, 31),
    _micros(1000, 1, 1),
    _micros(1582, 10, 15),
    _micros(1970, 1, 1),
    _micros(2010, 11, 7, 2, 31),  # Newfoundland goes back over midnight
    _micros(2018, 11, 4, 3),  # Brazil skips midnight
    _micros(2024, 2, 29),
    _micros(2024, 3, 10, 7),  # New York goes forward
    _micros(2024, 3, 31, 1),  # Berlin goes forward
    _micros(2024, 10, 27, 1),  # Berlin goes back
    _micros(2024, 11, 3, 6),  # New York goes back
    _micros(2024, 12, 31, 23, 59, 59),
    _micros(9999, 12, 31),
    _micros(9999, 12, 31) + DAY,
    _micros(9999, 12, 31) + 10_300 * 365 * DAY,
)
_moments = st.builds(
    operator.add,
    st.sampled_from(BOUNDARIES),
    st.sampled_from((-400 * DAY, -31 * DAY, -DAY, -1, 0, 0, 0, 1, DAY, 31 * DAY))
    | st.integers(-3 * 3600, 3 * 3600).map(lambda seconds: seconds * 1_000_000),
)
_dated = _moments.filter(lambda micros: _micros(1, 1, 1) <= micros < _micros(9999, 12, 31))
_operators = st.sampled_from(("=", "<>", "<", "<=", ">", ">="))


@dataclass(frozen=True)
class Text:
    """How a dialect writes the text of column x, and DuckDB that of the value {x}; `pattern` is
    that of its literals."""

    dialect: str
    sql: str
    duckdb: str
    pattern: str


def _formatted(pattern: str) -> str:
    return f"strftime({{x}}, '{pattern}')"


def _rounded(pattern: str) -> str:
    """As Trino 483 formats: it rounds to milliseconds first, halves up."""
    return f"strftime({{x}} + INTERVAL 500 MICROSECOND, '{pattern}')"


def _signed(pattern: str) -> str:
    return f"if(year({{x}}) > 9999, '+', '') || {_formatted(pattern)}"


FORMATS = [
    Text("trino", f"date_format(x, '{mysql}')", _rounded(pattern), pattern)
    for mysql, pattern in {
        "%Y-%m-%d": "%Y-%m-%d",
        "%Y%m": "%Y%m",
        "%Y-%m-01": "%Y-%m-01",
        "%Y-%m-%d %H": "%Y-%m-%d %H",
        "%Y/%m/%d %T": "%Y/%m/%d %H:%M:%S",
    }.items()
]
FORMATS += [
    Text("trino", "format_datetime(x, 'yyyyMMddHHmm')", _rounded("%Y%m%d%H%M"), "%Y%m%d%H%M"),
    Text("spark", "date_format(x, 'yyyy-MM-dd')", _signed("%Y-%m-%d"), "%Y-%m-%d"),
    Text("spark", "date_format(x, 'yyyyMMdd HH')", _signed("%Y%m%d %H"), "%Y%m%d %H"),
    Text("spark", "date_format(x, 'y-MM')", f"ltrim({_formatted('%Y-%m')}, '0')", "%Y-%m"),
    Text("databricks", "to_char(x, 'yyyy-MM-dd HH:mm')", _signed("%Y-%m-%d %H:%M"),
         "%Y-%m-%d %H:%M"),
    Text("snowflake", "to_char(x, 'YYYY-MM-DD HH24')", _formatted("%Y-%m-%d %H"), "%Y-%m-%d %H"),
    Text("duckdb", "strftime(x, '%Y')", _formatted("%Y"), "%Y"),
    Text("duckdb", "strftime(x, '%Y-%m-%d')", _formatted("%Y-%m-%d"), "%Y-%m-%d"),
    Text("duckdb", "strftime(x, '%Y-%m-%dT%H:%M:%S')", _formatted("%Y-%m-%dT%H:%M:%S"),
         "%Y-%m-%dT%H:%M:%S"),
]  # fmt: skip
_ISO = "%Y-%m-%d %H:%M:%S.%f"
_CASTS = {
    ("trino", "date"): _formatted("%Y-%m-%d"),
    ("trino", "timestamp"): _formatted(_ISO),
    ("trino", "timestamptz"): _formatted(_ISO + " UTC"),
    ("spark", "date"): _signed("%Y-%m-%d"),
    ("spark", "timestamp"): f"rtrim(rtrim({_signed(_ISO)}, '0'), '.')",
    ("spark", "timestamptz"): f"rtrim(rtrim({_signed(_ISO)}, '0'), '.')",
}


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def _written(micros: int, pattern: str) -> str:
    """The text of a moment of the years 1 to 9999; Python does not pad years."""
    moment = EPOCH + dt.timedelta(microseconds=micros)
    return moment.strftime(pattern.replace("%Y", f"{moment.year:04}"))


def _bound(sql: str, dialect: str, kind: str, zone: str, is_typed: bool) -> Predicate:
    types = {"x": kind} if is_typed else {}
    reader = Reader(lambda column: (column.name,), Session(dialect, time_zone=zone), types=types)
    schema = Schema(0, (SchemaColumn(1, ("x",), kind, False, False, False),))
    unbound = convert(formula(parse_condition(sql, dialect)), reader)
    return bind(unbound, schema, time_zone=zone)


def _matches(predicate: Predicate, value: int) -> bool:
    match predicate:
        case Always(constant):
            return constant
        case And(children):
            return all(_matches(child, value) for child in children)
        case Or(children):
            return any(_matches(child, value) for child in children)
        case BoundComparison(op, _, values):
            return op is Op.NOT_NULL or _ORDER[op](value, values[0])
    return True


def _is_certain(predicate: Predicate) -> bool:
    if isinstance(predicate, And | Or):
        return all(map(_is_certain, predicate.children))
    return not isinstance(predicate, Unsupported)


@dataclass(frozen=True)
class Case:
    """A condition on a column of a type, which is told if `is_typed`, in a dialect and in DuckDB,
    and the session's zone."""

    sql: str
    duckdb: str
    dialect: str
    kind: str
    zone: str
    is_typed: bool = False


def _check(
    database: duckdb.DuckDBPyConnection, case: Case, rows: list[int], is_exact: bool
) -> None:
    """No row that DuckDB finds is ruled out, and, where the years have four digits and one clock
    is meant, no other row is found."""
    in_utc = dialect_of(case.dialect).keeps_zones
    database.execute(f"SET TimeZone = '{'UTC' if in_utc else case.zone}'")
    values = [row // DAY if case.kind == "date" else row for row in rows]
    for row, value in zip(rows, values, strict=True):
        column = TYPES[case.kind].format(f"{value}::{'INT' if case.kind == 'date' else 'BIGINT'}")
        found = database.execute(f"SELECT {case.duckdb.replace('{x}', column)}").fetchone()
        predicate = _bound(case.sql, case.dialect, case.kind, case.zone, case.is_typed)
        assert found is not None
        assert _matches(predicate, value) or not found[0]
        is_plain = _micros(1001, 1, 1) <= row < _micros(9999, 12, 30)
        is_one_clock = not in_utc or case.zone == "UTC"
        if is_exact and is_plain and is_one_clock and _is_certain(predicate):
            assert _matches(predicate, value) == found[0]


def _comparison(data: st.DataObject, literals: list[str]) -> str:
    """A comparison of {} with literals."""
    first, second = literals
    return data.draw(
        st.one_of(
            _operators.map(lambda op: f"{{}} {op} '{first}'"),
            _operators.map(lambda op: f"NOT ({{}} {op} '{first}')"),
            st.sampled_from(
                [
                    f"{{}} IN ('{first}', '{second}')",
                    f"{{}} NOT IN ('{first}', '{second}')",
                    f"{{}} BETWEEN '{first}' AND '{second}'",
                    f"{{}} NOT BETWEEN '{first}' AND '{second}'",
                ]
            ),
        ),
        label="comparison",
    )


_rows = st.lists(_moments, min_size=1, max_size=5)
_zones = st.sampled_from(ZONES)
# The type of the column, and the session's zone.
_places = st.tuples(st.sampled_from(sorted(TYPES)), _zones)


@pytest.mark.parametrize("text", [pytest.param(t, id=f"{t.dialect} {t.sql}") for t in FORMATS])
@given(data=st.data(), rows=_rows, place=_places)
def test_a_format_keeps_its_rows(
    database: duckdb.DuckDBPyConnection,
    text: Text,
    data: st.DataObject,
    rows: list[int],
    place: tuple[str, str],
) -> None:
    literals = [_written(data.draw(_dated), text.pattern) for _ in range(2)]
    form = _comparison(data, literals)
    sql, engine = form.format(text.sql), form.replace("{}", text.duckdb)
    rows += [row for row in (data.draw(_dated),) if data.draw(st.booleans())]
    _check(database, Case(sql, engine, text.dialect, *place), rows, is_exact=True)


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@given(data=st.data(), rows=_rows, place=_places)
def test_a_cast_keeps_its_rows(
    database: duckdb.DuckDBPyConnection,
    dialect: str,
    data: st.DataObject,
    rows: list[int],
    place: tuple[str, str],
) -> None:
    whole, text = "CAST(x AS varchar)", _CASTS[dialect, place[0]]
    written = [_written(data.draw(_dated), "%Y-%m-%d %H:%M:%S") for _ in range(2)]
    match data.draw(st.sampled_from(("whole", "cut", "pattern")), label="form"):
        case "whole":
            sizes = data.draw(st.tuples(*[st.sampled_from((4, 7, 10, 16))] * 2))
            form = _comparison(data, [t[:n] for t, n in zip(written, sizes, strict=True)])
        case "cut":
            size = data.draw(st.sampled_from((4, 7, 10)))
            whole, text = f"substr({whole}, 1, {size})", f"substr({text}, 1, {size})"
            form = _comparison(data, [literal[:size] for literal in written])
        case _:
            negation = data.draw(st.sampled_from(("", "NOT ")))
            size, end = data.draw(st.integers(3, 13)), data.draw(st.sampled_from(("%", "%0%", "")))
            form = f"{{}} {negation}LIKE '{written[0][:size]}{end}'"
    sql, engine = form.format(whole), form.replace("{}", f"({text})")
    case = Case(sql, engine, dialect, *place, is_typed=data.draw(st.booleans(), label="typed"))
    _check(database, case, rows, is_exact=place[0] == "date")


@pytest.mark.parametrize("text", [pytest.param(t, id=f"{t.dialect} {t.sql}") for t in FORMATS])
@given(data=st.data(), rows=_rows, place=_places)
def test_how_a_format_begins_keeps_its_rows(
    database: duckdb.DuckDBPyConnection,
    text: Text,
    data: st.DataObject,
    rows: list[int],
    place: tuple[str, str],
) -> None:
    row = data.draw(_moments)
    written = _written(data.draw(_dated), text.pattern)
    if _micros(1, 1, 1) <= row < _micros(9999, 12, 31):
        written = data.draw(st.sampled_from((written, _written(row, text.pattern))))
    size = data.draw(st.integers(3, len(written)), label="size")
    more = data.draw(st.sampled_from(("", "", "0", "1", "-", "0-")), label="more")
    negation = data.draw(st.sampled_from(("", "NOT ")))
    end = data.draw(st.sampled_from(("%", "%0%", "")))
    form = f"{{}} {negation}LIKE '{written[:size]}{more}{end}'"
    sql, engine = form.format(text.sql), form.replace("{}", f"({text.duckdb})")
    _check(database, Case(sql, engine, text.dialect, *place), [*rows, row], is_exact=True)


_FRACTIONS = ["", ".0", ".5", ".50", ".000000", ".000001", ".999999", ".9999999", ".5000001", ".x"]


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@given(data=st.data(), rows=_rows, place=_places)
def test_a_cast_that_is_compared_with_a_clock_keeps_its_rows(
    database: duckdb.DuckDBPyConnection,
    dialect: str,
    data: st.DataObject,
    rows: list[int],
    place: tuple[str, str],
) -> None:
    drawn = [data.draw(_dated) for _ in range(2)]
    ends = st.sampled_from(_FRACTIONS) | st.just(" UTC") | st.just(".000000 UTC")
    cut = st.sampled_from((13, 16, 19))
    literals = [
        _written(micros, "%Y-%m-%d %H:%M:%S")[: data.draw(cut)] + data.draw(ends)
        for micros in drawn
    ]
    form = _comparison(data, literals)
    rows += drawn + [micros // 1_000_000 * 1_000_000 + 500_000 for micros in drawn]
    rows = [row for row in rows if row >= _micros(1, 1, 1)]
    engine = form.replace("{}", f"({_CASTS[dialect, place[0]]})")
    sql = form.format("CAST(x AS varchar)")
    _check(database, Case(sql, engine, dialect, *place, is_typed=True), rows, is_exact=True)


@pytest.mark.parametrize("dialect", ["trino", "spark", "duckdb", "snowflake"])
@given(data=st.data(), rows=_rows, place=_places)
def test_parts_of_a_year_keep_their_rows(
    database: duckdb.DuckDBPyConnection,
    dialect: str,
    data: st.DataObject,
    rows: list[int],
    place: tuple[str, str],
) -> None:
    # DuckDB's year of a timestamp with zone has no sign: it is 1 before and after Christ.
    first = _micros(1, 1, 2)
    rows = [row for row in rows if row >= first]
    row = data.draw(_dated.filter(lambda micros: micros >= first), label="row")
    moment = EPOCH + dt.timedelta(microseconds=row)
    month = data.draw(st.just(moment.month) | st.integers(0, 13), label="month")
    week = data.draw(st.just(moment.isocalendar().week) | st.integers(0, 54), label="week")
    parts = [
        f"year({{x}}) = {moment.year}",
        data.draw(
            _operators.map(lambda op: f"month({{x}}) {op} {month}")
            | st.sampled_from((f"month({{x}}) IN (2, {month})", f"month({{x}}) = {moment.month}"))
        ),
        data.draw(st.sampled_from(("=", "<>", "<")).map(lambda op: f"week({{x}}) {op} {week}")),
        data.draw(_operators.map(lambda op: f"day({{x}}) {op} {moment.day}")),
    ]
    parts = data.draw(st.permutations(parts))[: data.draw(st.integers(2, 3))]
    engine = " AND ".join(parts)
    case = Case(engine.replace("{x}", "x"), engine, dialect, *place)
    _check(database, case, [*rows, row], is_exact=True)


_EPOCHS = {
    "trino": ("to_unixtime(x)", "epoch({x})"),
    "spark": ("unix_timestamp(x)", "trunc(epoch({x}))"),
}
# Trino takes what has no zone to be on the session's clock, Spark to be of UTC.
_ON_CLOCK = "epoch(timezone('{zone}', {{x}}))"


@pytest.mark.parametrize("dialect", sorted(_EPOCHS))
@given(
    data=st.data(),
    offsets=st.lists(st.integers(-2_000_001, 2_000_001), min_size=1, max_size=5),
    kind=st.sampled_from(("timestamp", "timestamptz")),
    zone=_zones,
)
def test_seconds_keep_their_rows(
    database: duckdb.DuckDBPyConnection,
    dialect: str,
    data: st.DataObject,
    offsets: list[int],
    kind: str,
    zone: str,
) -> None:
    seconds = data.draw(st.integers(1, 5) | st.integers(1, 2**32 - 1), label="seconds")
    number = data.draw(st.sampled_from(("", ".0", "e0", ".25")).map(f"{seconds}{{}}".format))
    op = data.draw(_operators, label="operator")
    call, engine = _EPOCHS[dialect]
    if (dialect, kind) == ("trino", "timestamp"):
        engine = _ON_CLOCK.format(zone=zone)
    sql, engine = (f"{side} {op} {number}" for side in (call, engine))
    rows = [seconds * 1_000_000 + offset for offset in offsets]
    is_typed = data.draw(st.booleans(), label="is_typed")
    # Of whole microseconds, what is said is all.
    is_exact = (is_typed or zone == "UTC") and not number.endswith(".25")
    _check(database, Case(sql, engine, dialect, kind, zone, is_typed), rows, is_exact=is_exact)
