"""Random SQL conditions in Spark's words: every operator with every type, and literals as people
write them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.differential.iceberg_java.values import FILLERS, MAX_FILLERS, POOLS
from tests.differential.spark.tables import literal

SCALARS = (
    "n", "i", "l", "f", "d", "dec", "big_dec", "b", "s", "bin", "dt", "ts", "tsn", "st.x", "st.y",
)  # fmt: skip
ZONES = ("UTC", "UTC", "UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata")

_ORDERED = ("=", "==", "<>", "!=", "<", "<=", ">", ">=", "<=>")
_DISTINCT = ("IS DISTINCT FROM", "IS NOT DISTINCT FROM")
_INTEGERS = ("n", "i", "l", "st.x")
_LONG_LISTS = (11, 40, 150, 250)

# Literals of other types than the column's, or of its type in other words.
OTHERS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(
        _INTEGERS,
        (
            "5.5", "1e1", "5L", "5000000000", "-0.5", "10.0", "9.5e0", "'5'", "'-1'", "5BD", "5S",
            "CAST(5 AS BIGINT)", "CAST('5' AS INT)", "2 + 3", "10.00BD", "5.0F", "1D", "int('9')",
        ),
    ),
    "f": ("1", "1.5", "2.5D", "0.1", "1L", "1e300", "0.1F", "'1.5'", "CAST(2.5 AS FLOAT)", "1BD"),
    "d": ("1", "0.1", "0.5F", "3.5", "0L", "'3.5'", "CAST('1.0' AS DOUBLE)", "1e0", "-2.25BD"),
    "dec": ("1", "9.99", "9.995", "0.01D", "10L", "123456789.01", "-100.010", "'9.99'", "10.0"),
    "big_dec": ("0", "1.5", "12345678901234567890.1234567890", "1D", "'1.5'"),
    "b": ("'true'", "(1 = 1)", "(NOT TRUE)"),
    "s": ("CONCAT('a', 'b')", "lower('AB')", "\"ab\"", "'a' || 'b'", "5", "CAST(5 AS STRING)"),
    "bin": ("CAST('a' AS BINARY)", "x'6162'", "'a'"),
    "dt": (
        "'2024-02-29'", "CAST('2024-02-29' AS DATE)", "date('2024-02-29')", "to_date('2024-02-29')",
        "DATE '2024-02-29' + INTERVAL '1' DAY", "date_add(DATE '2024-02-29', 1)",
        "TIMESTAMP '2024-02-29 12:00:00'", "TIMESTAMP_NTZ '2024-02-29 00:00:00'",
        "DATE '2024-03-01' - INTERVAL 1 MONTH", "date_sub('2024-03-01', 1)",
        "'2024-02-29 12:00:00'",
    ),
    "ts": (
        "'2024-02-29 12:30:00'", "DATE '2024-02-29'", "CAST('2024-02-29 12:30:00' AS TIMESTAMP)",
        "TIMESTAMP '2024-02-29 12:30:00 America/New_York'", "to_timestamp('2024-02-29 12:30:00')",
        "TIMESTAMP_NTZ '2024-02-29 12:30:00'", "'2024-02-29'", "TIMESTAMP '2024-02-29'",
        "TIMESTAMP '2024-03-01 00:00:00' - INTERVAL '1' HOUR", "timestamp('2024-02-29')",
        "date_trunc('DAY', TIMESTAMP '2024-02-29 12:30:00')", "'2024-02-29T12:30:00Z'",
        "timestamp_seconds(1709209800)", "TIMESTAMP_LTZ '2024-02-29 12:30:00'",
    ),
    "tsn": (
        "'2024-02-29 12:30:00'", "DATE '2024-02-29'", "TIMESTAMP '2024-02-29 12:30:00'",
        "CAST('2024-02-29 12:30:00' AS TIMESTAMP_NTZ)", "to_timestamp_ntz('2024-02-29 12:30:00')",
        "TIMESTAMP_NTZ '2024-03-01 00:00:00' - INTERVAL '1' DAY", "'2024-02-29'",
    ),
}  # fmt: skip

_PATTERNS = (
    "'a%'", "'ab%'", "'%'", "''", "'abc'", "'a_c%'", "'%b'", "'é%'", "'日本%'", "'a!%%' ESCAPE '!'",
    "'zebra and%'", "'aé%'", "'A%'", "'_'", "'ab%c'", "'%a%'", "'a%b%c'", "'%%'",
)  # fmt: skip
_UNITS = ("MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
_INSTANTS = (
    "1969-12-31 00:00:00", "1970-01-01 00:00:00", "2024-01-01 00:00:00", "2024-02-29 00:00:00",
    "2024-02-29 12:00:00", "2024-02-26 00:00:00", "2024-03-01 00:00:00",
)  # fmt: skip
_YEARS = (1969, 1970, 2023, 2024)
_CASTS = {
    "i": ("BIGINT", "INT", "DECIMAL(12, 2)", "DECIMAL(20, 0)", "DOUBLE", "STRING", "SMALLINT"),
    "l": ("INT", "DECIMAL(22, 2)", "DECIMAL(20, 0)", "DOUBLE", "STRING", "BIGINT"),
    "dec": ("DECIMAL(12, 2)", "DECIMAL(12, 4)", "DECIMAL(10, 1)", "DOUBLE", "INT"),
    "f": ("DOUBLE", "INT"),
    "d": ("INT", "FLOAT"),
}


@dataclass(frozen=True)
class Condition:
    """A condition, and the time zone of the session that asks it."""

    sql: str
    zone: str


def every_form() -> list[Condition]:
    """Each operator with a literal of each form of each type, once."""
    found = []
    for column in SCALARS:
        values = (literal(column, _pool(column)[1]), *OTHERS.get(column, ()))
        for value in values:
            found += [f"{column} {operator} {value}" for operator in (*_ORDERED, *_DISTINCT)]
            found += [
                f"{value} < {column}",
                f"NOT ({column} = {value})",
                f"NOT ({column} < {value})",
                f"{column} IN ({value})",
                f"{column} IN ({value}, {values[0]})",
                f"{column} NOT IN ({value}, {values[0]})",
                f"{column} BETWEEN {value} AND {values[0]}",
                f"{column} NOT BETWEEN {values[0]} AND {value}",
            ]
        found += [f"{column} IS NULL", f"{column} IS NOT NULL", f"NOT ({column} IS NULL)"]
        found += [f"isnull({column})", f"isnotnull({column})", f"{column} <=> NULL"]
    return [Condition(sql, "UTC") for sql in dict.fromkeys(found)]


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
        return f"({_comparison(random_, column)} AND {_comparison(random_, column)})"
    word = "AND" if kind < 0.86 else "OR"
    left, right = (_condition(random_, depth=depth - 1) for _ in range(2))
    return f"({left} {word} {right})"


def _leaf(random_: random.Random) -> str:
    kind = random_.random()
    if kind < 0.6:
        return _comparison(random_, random_.choice(SCALARS))
    if kind < 0.75:
        return _of_times(random_)
    if kind < 0.81:
        return f"s {random_.choice(('LIKE', 'LIKE', 'NOT LIKE'))} {random_.choice(_PATTERNS)}"
    if kind < 0.85:
        return _cast(random_)
    if kind < 0.88:
        return random_.choice(("b", "NOT b", "b IS TRUE", "b IS NOT FALSE", "1 = 0", "st IS NULL"))
    if kind < 0.92:
        return _transform(random_)
    return _of_functions(random_)


def _comparison(random_: random.Random, column: str) -> str:
    kind = random_.random()
    if kind < 0.12:
        return f"{column} {random_.choice(('IS NULL', 'IS NOT NULL'))}"
    if kind < 0.18:
        return f"{column} {random_.choice(_DISTINCT)} {_value(random_, column)}"
    if kind < 0.3:
        word = random_.choice(("BETWEEN", "BETWEEN", "NOT BETWEEN"))
        return f"{column} {word} {_value(random_, column)} AND {_value(random_, column)}"
    if kind < 0.48:
        return f"{column} {random_.choice(('IN', 'NOT IN'))} ({_values(random_, column)})"
    if kind < 0.54:
        return f"{_value(random_, column)} {random_.choice(_ORDERED)} {column}"
    if column in OTHERS and kind < 0.72:
        return f"{column} {random_.choice(_ORDERED)} {random_.choice(OTHERS[column])}"
    return f"{column} {random_.choice(_ORDERED)} {_value(random_, column)}"


def _value(random_: random.Random, column: str) -> str:
    return literal(column, random_.choice(_pool(column)))


def _pool(column: str) -> Sequence[Any]:
    if column == "n":
        return range(-1, 40)
    return (*POOLS[column].values, *POOLS[column].beyond)


def _values(random_: random.Random, column: str) -> str:
    pool = _pool(column)
    values = random_.sample(list(pool), random_.randint(1, min(4, len(pool))))
    filler = FILLERS.get("int" if column == "n" else POOLS[column].type)
    found = [literal(column, value) for value in values]
    if filler is not None and random_.random() < 0.12:
        wanted = random_.choice(_LONG_LISTS)
        found += [literal(column, filler(number)) for number in range(MAX_FILLERS)]
        found = found[:wanted]
    return ", ".join(dict.fromkeys(found))


def _of_times(random_: random.Random) -> str:
    column = random_.choice(("dt", "tsn", "ts", "ts"))
    made: Sequence[Callable[[], str]] = (
        lambda: f"CAST({column} AS DATE) {_against(random_, _date(random_))}",
        lambda: f"date({column}) {_against(random_, _date(random_))}",
        lambda: f"to_date({column}) = {_date(random_)}",
        lambda: (
            f"date_trunc('{random_.choice(_UNITS)}', {column})"
            f" {_against(random_, _instant(random_, column))}"
        ),
        lambda: f"trunc({column}, 'MM') = {_date(random_)}",
        lambda: f"year({column}) {_against(random_, random_.choice(_YEARS))}",
        lambda: f"extract(YEAR FROM {column}) = {random_.choice(_YEARS)}",
        lambda: f"month({column}) = {random_.choice((1, 2, 12))}",
        lambda: f"hour({column}) = 12",
        lambda: f"date_format({column}, 'yyyy-MM-dd') = '2024-02-29'",
        lambda: f"CAST({column} AS STRING) >= '2024'",
        lambda: f"CAST({column} AS DATE) IN (DATE '2024-02-29', DATE '1970-01-01')",
        lambda: f"CAST({column} AS DATE) BETWEEN {_date(random_)} AND {_date(random_)}",
        lambda: f"{column} + INTERVAL '1' DAY > {_instant(random_, column)}",
        lambda: f"{column} >= {_instant(random_, column)} - INTERVAL '1' MONTH",
        lambda: f"datediff({column}, DATE '2024-02-29') > 0",
        lambda: f"unix_timestamp({column}) > 1709209800",
    )
    return random_.choice(made)()


def _instant(random_: random.Random, column: str) -> str:
    instant = random_.choice(_INSTANTS)
    if column == "dt":
        return f"DATE '{instant[:10]}'"
    return f"{'TIMESTAMP_NTZ' if column == 'tsn' else 'TIMESTAMP'} '{instant}'"


def _date(random_: random.Random) -> str:
    return f"DATE '{random_.choice(POOLS['dt'].values)}'"


def _against(random_: random.Random, value: object) -> str:
    return f"{random_.choice((*_ORDERED, *_ORDERED, *_DISTINCT))} {value}"


def _cast(random_: random.Random) -> str:
    column = random_.choice(tuple(_CASTS))
    target = random_.choice(_CASTS[column])
    if target == "STRING":
        return f"CAST({column} AS STRING) = '5'"
    value = random_.choice(("5", "5.5", "10", "5L", "0.01", "9.99", "1D", "5000000000"))
    kind = random_.random()
    cast = f"CAST({column} AS {target})"
    if kind < 0.15:
        return f"{cast} IN ({value}, 7)"
    if kind < 0.3:
        return f"{cast} BETWEEN {value} AND 10"
    return f"{cast} {_against(random_, value)}"


def _transform(random_: random.Random) -> str:
    """A condition on one of Iceberg's own functions."""
    return random_.choice(
        (
            f"lake.system.bucket(4, l) = {random_.randrange(4)}",
            f"lake.system.bucket(4, l) IN (1, {random_.randrange(4)})",
            f"lake.system.truncate(10, i) = {random_.choice((0, 10, 100))}",
            f"lake.system.truncate(2, s) = '{random_.choice(('ab', 'a', 'ze'))}'",
            f"lake.system.days(ts) {_against(random_, _date(random_))}",
            f"lake.system.months(tsn) >= {random_.choice((0, 648, 650))}",
            f"lake.system.years(dt) = {random_.choice((-1, 0, 54))}",
            f"lake.system.hours(ts) < {random_.choice((0, 474000, 474780))}",
        )
    )


def _of_functions(random_: random.Random) -> str:
    number, text = random_.choice((0, 1, 5, 10)), random_.choice(("a", "AB", "ab", "zebra"))
    return random_.choice(
        (
            f"upper(s) = '{text.upper()}'",
            f"substr(s, 1, 2) = '{text}'",
            f"left(s, 1) = '{text[0]}'",
            f"length(s) > {number}",
            f"startswith(s, '{text}')",
            f"endswith(s, '{text}')",
            f"contains(s, '{text}')",
            f"s RLIKE '^{text}'",
            f"s ILIKE '{text}%'",
            f"instr(s, '{text}') > 0",
            f"coalesce(s, '') = '{text}'",
            f"coalesce(i, {number}) = {number}",
            f"nullif(i, {number}) IS NULL",
            f"nvl(i, {number}) > 1",
            f"i + 1 = {number}",
            f"i * 2 > {number}",
            f"-i < {number}",
            f"abs(i) = {number}",
            f"l % 2 = {number % 2}",
            f"i = {number} OR l = 7",
            f"(i = {number} AND s = '{text}') OR (i = 9 AND s = 'b')",
            "i = l",
            "i < n",
            "i <=> n",
            f"CASE WHEN b THEN i ELSE n END = {number}",
            f"if(b, i, 0) = {number}",
            f"i = NULL OR n > {number}",
            f"(i, s) = ({number}, '{text}')",
            f"(i, n) IN ((1, 1), ({number}, 5))",
            f"s IN ('{text}', upper('{text}'))",
            f"s LIKE ANY ('{text}%', 'z%')",
            f"s LIKE ALL ('{text}%', 'a%')",
            "isnan(d)",
            "NOT isnan(f)",
            f"isnan(d) OR d > {number}",
            "d = double('NaN')",
            "d <> double('NaN')",
            "f = float('NaN')",
            "d < double('Infinity')",
            f"round(d) = {number}",
            f"concat(s, 'x') = '{text}x'",
            f"greatest(i, n) > {number}",
            f"st.x + 1 = {number}",
            f"upper(st.y) = '{text.upper()}'",
            f"st = named_struct('x', {number}, 'y', '{text}')",
            f"i BETWEEN n AND {number}",
            f"ts BETWEEN TIMESTAMP '2024-01-01 00:00:00' AND TIMESTAMP '2024-0{number % 2 + 2}-01'",
            f"s BETWEEN '{text}' AND '{text}zz'",
            f"s >= '{text}' AND s < '{text}~'",
            f"NOT (i > {number} AND s = '{text}')",
            f"NOT (i > {number} OR s = '{text}')",
            f"i > {number} = TRUE",
        )
    )
