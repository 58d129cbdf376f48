"""What conditions around columns are taken for holds the rows that Spark selects by them, also
where it wraps whole numbers around, and no others where that is claimed."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.predicates.model import And, Comparison, Or, Predicate
from prunescope.collectors.predicates.operators import Op
from tests.collectors.predicates.calculated import values_of
from tests.collectors.predicates.row_evaluator import matches

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_SMALL = [-7, -6, -5, -3, -2, -1, 0, 1, 2, 3, 5, 6, 7]
VALUES: dict[str, list[Any]] = {
    "i": [*_SMALL, -(2**31), 1 - 2**31, -(2**30), 2**30, 2**31 - 2, 2**31 - 1, None],
    "l": [*_SMALL, -(2**63), 1 - 2**63, -(2**62), 2**62, 2**53 + 1, 2**63 - 1, None],
    "x": [
        *map(float, _SMALL),
        *[-0.0, 0.5, -0.5, 0.1, 2.5, 4.999999999999999, 5.000000000000001, 5.5, 5e-324],
        *[2147483647.0, 2147483648.5, -2147483649.0, 1e300, math.inf, -math.inf, math.nan, None],
    ],
    "m": [Decimal(n).scaleb(-2) for n in (-(10**10) + 1, -550, -501, -500, -499, -50, -1, 0)]
    + [Decimal(n).scaleb(-2) for n in (1, 49, 50, 499, 500, 501, 550, 599, 600, 10**10 - 1)]
    + [None],
    "d": [dt.date(2024, 1, 28) + dt.timedelta(n) for n in range(8)]
    + [dt.date(2024, 2, 28) + dt.timedelta(n) for n in range(4)]
    + [dt.date(2024, 3, 28) + dt.timedelta(n) for n in range(6)]
    + [None],
    "ts": [dt.datetime(2024, 2, 28, 12) + dt.timedelta(hours=12 * n) for n in range(7)] + [None],
}
SPARK_TYPES = {
    "i": "INT",
    "l": "BIGINT",
    "x": "DOUBLE",
    "m": "DECIMAL(10, 2)",
    "d": "DATE",
    "ts": "TIMESTAMP_NTZ",
}
_OPS = ("=", "<>", "<", "<=", ">", ">=")
_SUBJECTS = {
    "i l": (
        *("-{}", "{} * 2", "{} * -3", "{} + 3", "{} - 3", "3 - {}", "abs({})", "abs({} - 3)"),
        *("{} / 2", "{} / 3", "{} / -2", "{} div 2", "{} div -3", "{} * 1.5", "-{} * 2 + 1"),
        *("coalesce({}, 5)", "coalesce({}, 2) * 2", "{} * 3000000000", "CAST({} AS BIGINT)"),
        *("CAST({} AS DOUBLE)", "CAST({} AS DECIMAL(22, 2))", "round({})", "floor({})"),
    ),
    "x": (
        *("-{}", "{} * 2", "{} * 3", "{} * -1.5", "{} + 3", "{} - 0.1", "3 - {}", "abs({})"),
        *("{} / 2", "{} / 3", "CAST({} AS INT)", "CAST({} AS BIGINT)", "-CAST({} AS INT)"),
        *("coalesce({}, 5)", "abs(CAST({} AS INT))", "round({})", "round({}, 1)", "floor({})"),
        *("ceil({})", "floor(-{})", "round({} * 3)"),
    ),
    "m": (
        *("-{}", "{} * 2", "{} * -1.5", "{} + 3", "3.005 - {}", "abs({})", "CAST({} AS INT)"),
        *("CAST({} AS BIGINT)", "CAST({} AS DECIMAL(14, 4))", "coalesce({}, 5)"),
        *("CAST({} AS DOUBLE)", "round({})", "round({}, 1)", "floor({})", "ceil({})"),
        *("floor({}) * 2", "abs(ceil({}))"),
    ),
}
_DATES = ("2024-01-31", "2024-02-29", "2024-03-01")
_SHIFTS = (
    *("{} + INTERVAL '1' DAY", "{} - INTERVAL '1' MONTH", "{} + INTERVAL '1' MONTH", "{} + 1"),
    *("date_add({}, 2)", "date_sub({}, 2)", "coalesce({}, DATE '2024-02-29')"),
)


def _conditions() -> Iterator[str]:
    for names, subjects in _SUBJECTS.items():
        for name in names.split():
            for subject in subjects:
                for op in _OPS:
                    for number in ("-6", "0", "5", "5.5"):
                        yield f"{subject.format(name)} {op} {number}"
                yield f"NOT ({subject.format(name)} > 5)"
                yield f"{subject.format(name)} IN (0, 5)"
                yield f"{subject.format(name)} BETWEEN 0 AND 5"
    for op in _OPS:
        for limit in ("2147483647", "-2147483648"):
            yield f"CAST(x AS INT) {op} {limit}"
        for day in _DATES:
            for shift in _SHIFTS:
                yield f"{shift.format('d')} {op} DATE '{day}'"
            yield f"ts + INTERVAL '1' DAY {op} TIMESTAMP_NTZ '{day} 00:00:00'"
            yield f"ts - INTERVAL '36' HOUR {op} TIMESTAMP_NTZ '{day} 00:00:00'"
            yield f"date_add(ts, 1) {op} DATE '{day}'"
            for number in ("-1", "0", "2"):
                for column in ("d", "ts"):
                    yield f"datediff({column}, DATE '{day}') {op} {number}"
                    yield f"datediff(DATE '{day}', {column}) {op} {number}"


def _literal(value: object, kind: str) -> str:
    match value:
        case None:
            return f"CAST(NULL AS {kind})"
        case dt.datetime():
            return f"TIMESTAMP_NTZ '{value.isoformat(sep=' ')}'"
        case _:
            return f"CAST('{value}' AS {kind})"


@pytest.fixture
def wrapping(spark: SparkSession) -> Iterator[SparkSession]:
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", "false")
    yield spark
    spark.conf.set("spark.sql.ansi.enabled", str(before))


@pytest.mark.parametrize("name", SPARK_TYPES)
def test_the_rows_of_a_condition_are_among_its_values(name: str, wrapping: SparkSession) -> None:
    kind = SPARK_TYPES[name]
    rows = ", ".join(f"({_literal(value, kind)})" for value in VALUES[name])
    conditions = [where for where in _conditions() if _column_of(where) == name]
    found = [values_of(where, "spark") for where in conditions]
    selects = ", ".join(f"coalesce({where}, FALSE)" for where in conditions)
    table = wrapping.sql(f"SELECT {name}, array({selects}) FROM VALUES {rows} AS t({name})")
    faults, known = [], sum(each.is_exact for each in found)
    for value, answers in (tuple(row) for row in table.collect()):
        for where, answer, values in zip(conditions, answers, found, strict=True):
            holds = _matches(values.predicate, name, value)
            if answer > holds or (values.is_exact and answer != holds):
                faults.append((where, value, answer))
    assert faults == []
    assert known > len(conditions) // 4


def _column_of(where: str) -> str:
    return next(name for name in SPARK_TYPES if name in _words(where))


def _words(where: str) -> set[str]:
    return set("".join(c if c.isalnum() else " " for c in where).split())


def _matches(predicate: Predicate, name: str, value: Any) -> bool:
    if isinstance(value, dt.datetime):
        span = value - dt.datetime(1970, 1, 1)
        value = Timestamp((span.days * 86_400 + span.seconds) * 10**9, zoned=False)
    if isinstance(value, float) and math.isnan(value):
        return _matches_nan(predicate, name)
    return matches(predicate, {name: value})


def _matches_nan(predicate: Predicate, name: str) -> bool:
    """What Spark's NaN matches, which is above all numbers."""
    match predicate:
        case And(children):
            return all(_matches_nan(child, name) for child in children)
        case Or(children):
            return any(_matches_nan(child, name) for child in children)
        case Comparison(Op.IS_NAN):
            return True
        case Comparison():
            return matches(predicate, {name: math.inf}) and predicate.values != (math.inf,)
    return matches(predicate, {name: math.inf})
