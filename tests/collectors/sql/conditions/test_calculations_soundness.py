"""What conditions around columns are taken for holds the rows that DuckDB selects by them, and no
others where that is claimed. It raises errors where whole numbers overflow, as Trino does."""

from __future__ import annotations

import datetime as dt
import math
import operator
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunescope.collectors.predicates.literals import Timestamp
from tests.collectors.predicates.calculated import values_of
from tests.collectors.predicates.row_evaluator import matches

pytestmark = pytest.mark.slow

SQL_TYPES = {
    "i": "INTEGER",
    "l": "BIGINT",
    "x": "DOUBLE",
    "m": "DECIMAL(10, 2)",
    "s": "VARCHAR",
    "d": "DATE",
    "ts": "TIMESTAMP",
}
_OPS = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])
_SIGNS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_EDGES = [-(2**31), 2**31 - 1, -(2**30), 2**30]
_small = st.integers(-20, 20)
_cents = st.integers(-2_000, 2_000).map(lambda n: Decimal(n).scaleb(-2))
_days = st.dates(dt.date(2023, 12, 20), dt.date(2024, 3, 10))
_moments = st.datetimes(dt.datetime(2024, 2, 26), dt.datetime(2024, 3, 3)).map(
    lambda moment: moment.replace(minute=0, second=0, microsecond=0)
)
_rows = st.fixed_dictionaries(
    {
        "i": st.none() | _small | st.sampled_from(_EDGES),
        "l": st.none() | _small | st.sampled_from([-(2**62), 2**62]),
        "x": st.none() | _small.map(float) | st.floats(-20, 20) | st.floats(allow_nan=False),
        "m": st.none() | _cents,
        "s": st.none() | st.sampled_from(["", "a", "ab", "é"]),
        "d": st.none() | _days,
        "ts": st.none() | _moments,
    }
)


def _text(value: object) -> str:
    match value:
        case dt.datetime():
            return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
        case dt.date():
            return f"DATE '{value.isoformat()}'"
        case str():
            return f"'{value}'"
        case _:
            return str(value)


_numbers = (_small | _cents).map(_text)
_factors = st.integers(-5, 5).filter(lambda n: n not in (0, 1, -1)).map(_text) | st.sampled_from(
    ["1.5", "-0.25"]
)
_intervals = st.builds(
    "INTERVAL '{}' {}".format, st.integers(1, 3), st.sampled_from(["DAY", "MONTH"])
)


def _around(operand: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        operand.map("-({})".format),
        operand.map("abs({})".format),
        st.builds("{}({})".format, st.sampled_from(["round", "floor", "ceil"]), operand),
        st.builds("round({}, {})".format, operand, st.integers(0, 3)),
        st.builds("({}) {} {}".format, operand, st.sampled_from("+-"), _numbers),
        st.builds("{} - ({})".format, _numbers, operand),
        st.builds("({}) * {}".format, operand, _factors),
    )


def _subjects(name: str) -> st.SearchStrategy[str]:
    plain: st.SearchStrategy[str] = st.just(name)
    default = st.builds("coalesce({}, {})".format, plain, _small)
    once = _around(plain | default)
    return st.one_of(default, once, _around(once))


_conditions = st.one_of(
    *(st.builds("{} {} {}".format, _subjects(name), _OPS, _numbers) for name in ("i", "l", "m")),
    st.builds("{} {} {}".format, _subjects("x"), _OPS, _numbers),
    st.builds("{} / {} {} {}".format, st.just("x"), st.integers(2, 5), _OPS, _numbers),
    st.builds(
        "floor((x - {0}) / {1}) * {1} {2} {3}".format,
        _numbers,
        st.sampled_from(["2.5", "12.5", "-0.5", "0.1"]),
        _OPS,
        _numbers,
    ),
    st.builds("{} BETWEEN {} AND {}".format, _subjects("i"), _numbers, _numbers),
    st.builds("{} IN ({}, {})".format, _subjects("i"), _numbers, _numbers),
    st.builds("NOT ({} {} {})".format, _subjects("m"), _OPS, _numbers),
    st.builds("CAST(i AS BIGINT) {} {}".format, _OPS, _numbers),
    st.builds("CAST(m AS DECIMAL(14, 3)) {} {}".format, _OPS, _numbers),
    st.builds("CAST(m AS INTEGER) {} {}".format, _OPS, _small),
    st.builds("coalesce(s, '{}') {} '{}'".format, st.sampled_from("ab"), _OPS, st.just("a")),
    st.builds("coalesce(d, {}) {} {}".format, _days.map(_text), _OPS, _days.map(_text)),
    st.builds("d {} {} {} {}".format, st.sampled_from("+-"), _intervals, _OPS, _days.map(_text)),
    st.builds(
        "ts {} {} {} {}".format, st.sampled_from("+-"), _intervals, _OPS, _moments.map(_text)
    ),
    st.builds("date_diff('day', {}, d) {} {}".format, _days.map(_text), _OPS, _small),
    st.builds("date_diff('day', d, {}) {} {}".format, _days.map(_text), _OPS, _small),
)


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        columns = ", ".join(f"{name} {kind}" for name, kind in SQL_TYPES.items())
        connection.execute(f"CREATE TABLE t ({columns})")
        yield connection


@settings(max_examples=8 * settings().max_examples)
@given(where=_conditions, rows=st.lists(_rows, min_size=1, max_size=12))
def test_the_rows_of_a_condition_are_among_its_values(
    where: str, rows: list[dict[str, Any]], database: duckdb.DuckDBPyConnection
) -> None:
    found = values_of(where, "trino")
    for row in rows:
        database.execute("DELETE FROM t")
        marks = ", ".join("?" for _ in SQL_TYPES)
        database.execute(f"INSERT INTO t VALUES ({marks})", [row[name] for name in SQL_TYPES])
        try:
            selects = bool(database.execute(f"SELECT 1 FROM t WHERE {where}").fetchall())
        except duckdb.OutOfRangeException:
            continue  # as in Trino, where the query fails
        holds = matches(found.predicate, {name: _value(value) for name, value in row.items()})
        assert holds or not selects, row
        if found.is_exact:
            assert holds == selects, row


@pytest.mark.parametrize("unit", [("minute", 60), ("hour", 3_600), ("day", 86_400)])
@pytest.mark.parametrize("op", sorted(_SIGNS))
@pytest.mark.parametrize("is_until", [False, True])
def test_units_that_have_gone_by_are_cut_towards_zero(
    unit: tuple[str, int], op: str, is_until: bool
) -> None:
    name, seconds = unit
    moment = dt.datetime(2026, 1, 10)
    times = [moment + dt.timedelta(seconds=n * seconds / 4) for n in range(-14, 15)]
    sides = "ts, {}" if is_until else "{}, ts"
    for count in (-2, -1, 0, 1, 2):
        sql = f"date_diff('{name}', {sides.format(_text(moment))}) {op} {count}"
        found = values_of(sql, "trino").predicate
        for time in times:
            gone = (time - moment) / dt.timedelta(seconds=seconds)
            number = math.trunc(-gone if is_until else gone)
            assert matches(found, {"ts": _value(time)}) == _SIGNS[op](number, count), (sql, time)


def _value(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        span = value - dt.datetime(1970, 1, 1)
        return Timestamp((span.days * 86_400 + span.seconds) * 10**9, zoned=False)
    return value
