"""Random SQL conditions in Trino's words: every type with every operator, written as people do."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.differential.iceberg_java.values import FILLERS, MAX_FILLERS, POOLS
from tests.differential.trino.tables import literal

SCALARS = (
    "n", "i", "l", "f", "d", "dec", "big_dec", "b", "s", "bin", "dt", "tsn", "ts", "t", "u",
    "st.x", "st.y",
)  # fmt: skip
ZONES = ("UTC", "UTC", "UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata")

_ORDERED = ("=", "<>", "<", "<=", ">", ">=")
_DISTINCT = ("IS DISTINCT FROM", "IS NOT DISTINCT FROM")
_INTEGERS = ("n", "i", "l", "st.x")
_LONG_LISTS = (150, 250, 1005, 1200)

# Literals of other types than the column's, which Trino converts, or converts the column for.
_OTHERS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(
        _INTEGERS, ("5.5", "1e1", "BIGINT '5'", "5000000000", "-0.5", "DECIMAL '10.0'", "9.5e0")
    ),
    "f": ("1", "1.5", "2.5e0", "0.1", "BIGINT '1'", "1e300", "0.1e0"),
    "d": ("1", "0.1", "REAL '0.5'", "3.5", "BIGINT '0'"),
    "dec": ("1", "9.99", "9.995", "0.01e0", "BIGINT '10'", "123456789.01", "-100.010"),
    "big_dec": ("0", "1.5", "12345678901234567890.1234567890", "1e0"),
    "s": ("CAST('ab' AS char(4))", "'a' || 'b'", "lower('AB')"),
    "dt": (
        "TIMESTAMP '2024-02-29 12:00:00'",
        "TIMESTAMP '2024-02-29 00:00:00 UTC'",
        "CAST('2024-02-29' AS date)",
        "DATE '2024-02-29' + INTERVAL '1' DAY",
    ),
    "tsn": (
        "DATE '2024-02-29'",
        "TIMESTAMP '2024-02-29 12:30:00 Europe/Berlin'",
        "TIMESTAMP '2024-02-29 12:30:00.1234567'",
        "DATE '2024-03-01' - INTERVAL '1' DAY",
        "CAST('2024-02-29 12:30:00' AS timestamp)",
    ),
    "ts": (
        "DATE '2024-02-29'",
        "TIMESTAMP '2024-02-29 12:30:00'",
        "TIMESTAMP '2024-02-29 12:30:00 America/New_York'",
        "TIMESTAMP '2024-02-29 13:30:00 +01:00'",
        "TIMESTAMP '2024-03-01 00:00:00 UTC' - INTERVAL '1' HOUR",
        "from_iso8601_timestamp('2024-02-29T12:30:00Z')",
    ),
    "t": ("TIME '11:59:59.9999995'", "TIME '12:00:00'"),
}  # fmt: skip

_PATTERNS = (
    "'a%'", "'ab%'", "'%'", "''", "'abc'", "'a_c%'", "'%b'", "'é%'", "'日本%'", "'a!%%' ESCAPE '!'",
    "'zebra and%'", "'aé%'", "'A%'", "'_'", "'ab%c'",
)  # fmt: skip
_UNITS = {
    "dt": ("day", "week", "month", "quarter", "year"),
    "tsn": ("minute", "hour", "day", "week", "month", "quarter", "year"),
    "ts": ("minute", "hour", "day", "week", "month", "quarter", "year"),
}
_INSTANTS = (
    "1969-12-31 00:00:00", "1970-01-01 00:00:00", "2024-01-01 00:00:00", "2024-02-29 00:00:00",
    "2024-02-29 12:00:00", "2024-02-26 00:00:00", "2024-03-01 00:00:00",
)  # fmt: skip
_YEARS = (1969, 1970, 2023, 2024, 9999)


@dataclass(frozen=True)
class Condition:
    """A condition, and the time zone of the session that asks it."""

    sql: str
    zone: str


def random_condition(random_: random.Random) -> Condition:
    """A condition over some of the tables' columns."""
    return Condition(_condition(random_, depth=2), random_.choice(ZONES))


def _condition(random_: random.Random, *, depth: int) -> str:
    kind = random_.random()
    if depth == 0 or kind < 0.5:
        return _leaf(random_)
    if kind < 0.58:
        return f"NOT ({_condition(random_, depth=depth - 1)})"
    if kind < 0.66:  # often excluding each other
        column = random_.choice(SCALARS)
        return f"({comparison(random_, column)} AND {comparison(random_, column)})"
    word = "AND" if kind < 0.86 else "OR"
    left, right = (_condition(random_, depth=depth - 1) for _ in range(2))
    return f"({left} {word} {right})"


def _leaf(random_: random.Random) -> str:
    kind = random_.random()
    if kind < 0.6:
        return comparison(random_, random_.choice(SCALARS))
    if kind < 0.8:
        return _of_times(random_)
    if kind < 0.87:
        return f"s {random_.choice(('LIKE', 'LIKE', 'NOT LIKE'))} {random_.choice(_PATTERNS)}"
    if kind < 0.9:
        return random_.choice(
            ("b", "NOT b", "b = (1 = 1)", "1 = 0", "st IS NULL", "st IS NOT NULL")
        )
    return _of_functions(random_)


def comparison(random_: random.Random, column: str) -> str:
    """A condition on one column."""
    kind = random_.random()
    if kind < 0.12:
        return f"{column} {random_.choice(('IS NULL', 'IS NOT NULL'))}"
    if kind < 0.2:
        return f"{column} {random_.choice(_DISTINCT)} {_value(random_, column)}"
    if kind < 0.32:
        word = random_.choice(("BETWEEN", "BETWEEN", "NOT BETWEEN"))
        return f"{column} {word} {_value(random_, column)} AND {_value(random_, column)}"
    if kind < 0.5:
        return f"{column} {random_.choice(('IN', 'NOT IN'))} ({_values(random_, column)})"
    if kind < 0.56:
        return f"{_value(random_, column)} {random_.choice(_ORDERED)} {column}"
    if column in _OTHERS and kind < 0.68:
        return f"{column} {random_.choice(_ORDERED)} {random_.choice(_OTHERS[column])}"
    return f"{column} {random_.choice(_ORDERED)} {_value(random_, column)}"


def _value(random_: random.Random, column: str) -> str:
    return literal(column, random_.choice(_pool(column)))


def _pool(column: str) -> Sequence[Any]:
    if column == "n":
        return range(-1, 40)
    # Trino reads no integer literal of the smallest integers.
    return (*POOLS[column].values, *(value for value in POOLS[column].beyond if column == "l"))


def _values(random_: random.Random, column: str) -> str:
    pool = _pool(column)
    values = random_.sample(list(pool), random_.randint(1, min(4, len(pool))))
    filler = FILLERS.get("int" if column == "n" else POOLS[column].type)
    found = [literal(column, value) for value in values]
    if filler is not None and random_.random() < 0.12:
        wanted = random_.choice(_LONG_LISTS)
        many = wanted if column in ("n", "i", "l", "s", "st.x", "st.y") else MAX_FILLERS
        found = [*found, *(literal(column, filler(number)) for number in range(many))][:wanted]
    return ", ".join(dict.fromkeys(found))


def _of_times(random_: random.Random) -> str:
    column = random_.choice(("dt", "tsn", "ts", "ts"))
    made: Sequence[Callable[[], str]] = (
        lambda: f"CAST({column} AS date) {_against(random_, _dates(random_))}",
        lambda: f"date({column}) {_against(random_, _dates(random_))}",
        lambda: _truncated(random_, column),
        lambda: f"year({column}) {_against(random_, random_.choice(_YEARS))}",
        lambda: f"CAST(year({column}) AS bigint) {_against(random_, random_.choice(_YEARS))}",
        lambda: f"year({column}) IN ({random_.choice(_YEARS)}, {random_.choice(_YEARS)})",
        lambda: f"extract(YEAR FROM {column}) = {random_.choice(_YEARS)}",
        lambda: f"month({column}) = {random_.choice((1, 2, 12))}",
        lambda: f"date_format({_time(column)}, '%Y-%m-%d') = '2024-02-29'",
        lambda: f"CAST({column} AS varchar) >= '2024'",
        lambda: f"CAST({column} AS date) IN (DATE '2024-02-29', DATE '1970-01-01')",
        lambda: f"CAST({column} AS date) BETWEEN {_dates(random_)} AND {_dates(random_)}",
        lambda: f"CAST({column} AS timestamp(0)) = TIMESTAMP '2024-02-29 12:30:00'",
        lambda: f"{column} + INTERVAL '1' DAY > {_literal_of(random_, column)}",
        lambda: f"{column} >= {_literal_of(random_, column)} - INTERVAL '1' MONTH",
    )
    return random_.choice(made)()


def _time(column: str) -> str:
    return "CAST(dt AS timestamp)" if column == "dt" else column


def _truncated(random_: random.Random, column: str) -> str:
    unit = random_.choice(_UNITS[column])
    return f"date_trunc('{unit}', {column}) {_against(random_, _literal_of(random_, column))}"


def _literal_of(random_: random.Random, column: str) -> str:
    instant = random_.choice(_INSTANTS)
    if column == "dt":
        return f"DATE '{instant[:10]}'"
    return f"TIMESTAMP '{instant}{' UTC' if column == 'ts' and random_.random() < 0.6 else ''}'"


def _dates(random_: random.Random) -> str:
    return f"DATE '{random_.choice(POOLS['dt'].values)}'"


def _against(random_: random.Random, value: object) -> str:
    operator = random_.choice((*_ORDERED, *_ORDERED, *_DISTINCT))
    return f"{operator} {value}"


def _of_functions(random_: random.Random) -> str:
    number, text = random_.choice((0, 1, 5, 10)), random_.choice(("a", "AB", "ab", "zebra"))
    return random_.choice(
        (
            f"upper(s) = '{text.upper()}'",
            f"lower(s) = '{text}'",
            f"substr(s, 1, 2) = '{text}'",
            f"substring(s, 1, 1) = '{text[0]}'",
            f"length(s) > {number}",
            f"starts_with(s, '{text}')",
            f"regexp_like(s, '^{text}')",
            f"strpos(s, '{text}') > 0",
            f"coalesce(s, '') = '{text}'",
            f"coalesce(i, {number}) = {number}",
            f"nullif(i, {number}) IS NULL",
            f"i + 1 = {number}",
            f"i * 2 > {number}",
            f"-i < {number}",
            f"abs(i) = {number}",
            f"l % 2 = {number % 2}",
            f"CAST(i AS bigint) = {number}",
            f"CAST(i AS double) > {number}.5e0",
            f"CAST(i AS varchar) = '{number}'",
            f"TRY_CAST(s AS integer) = {number}",
            f"CAST(l AS decimal(20, 2)) <= {number}.50",
            f"CAST(f AS double) = {number}e0",
            f"round(d) = {number}e0",
            f"i = {number} OR i + l > 5",
            "i = l",
            "i < n",
            f"CASE WHEN b THEN i ELSE n END = {number}",
            f"CASE WHEN i < {number} THEN 'a' WHEN n = {number} THEN 'b' END = 'b'",
            f"CASE WHEN s = '{text}' THEN NULL WHEN b THEN 0 ELSE 1 END = 1",
            f"IF(d < {number}e0, 1) > 0",
            f"if(b, i, 0) = {number}",
            f"i = NULL OR n > {number}",
            f"cardinality(ARRAY[i, n]) = {number}",
            f"s IN ('{text}', upper('{text}'))",
            f"(i, s) = ({number}, '{text}')",
            f"(i, n) IN ((1, 1), ({number}, 5))",
            f"is_nan(d) OR d > {number}e0",
            "d = nan()",
            "d <> nan()",
            "at_timezone(ts, 'Asia/Tokyo') >= TIMESTAMP '2024-03-01 09:00:00 Asia/Tokyo'",
            "ts AT TIME ZONE 'Europe/Berlin' < TIMESTAMP '2024-01-01 00:00:00 Europe/Berlin'",
            f"to_unixtime(ts) > {number}",
            f"concat(s, 'x') = '{text}x'",
            f"greatest(i, n) > {number}",
            f"st = ROW({number}, '{text}')",
            f"upper(st.y) = '{text.upper()}'",
            f"i IN (SELECT {number})",
            f"i BETWEEN n AND {number}",
        )
    )
