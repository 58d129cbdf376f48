"""Texts of times that are compared with a literal that has a clock."""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable

import pytest

from collectors.predicates.literals import Timestamp
from collectors.predicates.model import Predicate, Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.predicates.row_evaluator import matches

_BEYOND = "x > DATE '9999-12-31'"
_LATER = "x > TIMESTAMP '9999-12-31 23:59:59.999999'"


def _read(where: str, dialect: str, kind: str, zone: str | None = "UTC") -> Predicate:
    return condition(where, dialect, time_zone=zone, types={"x": kind})


_CASES = [
    ("timestamp", ">= '2026-02-24 00:00:00'", "x >= DATE '2026-02-24'"),
    ("timestamp", "> '2026-02-24 10:30'", "x >= TIMESTAMP '2026-02-24 10:30:00'"),
    ("timestamp", "< '2026-02-24 10'", f"x < TIMESTAMP '2026-02-24 10:00:00' OR {_LATER}"),
    ("timestamptz", ">= '2026-02-24 00:00:00'", "x >= DATE '2026-02-24'"),
    ("date", ">= '2026-02-24 00:00:00'", "x >= DATE '2026-02-25'"),
    ("date", "< '2026-02-24 00:00:00'", f"x < DATE '2026-02-25' OR {_BEYOND}"),
    ("date", "= '2026-02-24 00:00:00'", "FALSE"),
    ("string", ">= '2026-02-24 00:00:00'", "x >= '2026-02-24 00:00:00'"),
]


@pytest.mark.parametrize(("dialect", "zone"), [("trino", " UTC"), ("spark", "")])
@pytest.mark.parametrize(("kind", "compared", "expected"), _CASES)
def test_they_are_ranges(kind: str, compared: str, expected: str, dialect: str, zone: str) -> None:
    found = _read(f"CAST(x AS varchar) {compared}", dialect, kind)
    assert render(found) == expected.format(zone)


@pytest.mark.parametrize(
    ("dialect", "compared", "expected"),
    [
        ("spark", "= '2026-02-24 10:30:00'", "x = TIMESTAMP '2026-02-24 10:30:00'"),
        ("spark", "= '2026-02-24 10:30:00.0'", "FALSE"),
        ("trino", "= '2026-02-24 10:30:00'", "FALSE"),
        ("trino", "= '2026-02-24 10:30:00.000000'", "x = TIMESTAMP '2026-02-24 10:30:00'"),
        ("spark", "> '2026-02-24 10:30:00'", "x > TIMESTAMP '2026-02-24 10:30:00'"),
        ("trino", "> '2026-02-24 10:30:00'", "x >= TIMESTAMP '2026-02-24 10:30:00'"),
        ("trino", ">= '2026-02-24 10:30:00.50'", "x >= TIMESTAMP '2026-02-24 10:30:00.5'"),
    ],
)
def test_engines_write_fractions_of_their_own(dialect: str, compared: str, expected: str) -> None:
    assert render(_read(f"CAST(x AS varchar) {compared}", dialect, "timestamp")) == expected


@pytest.mark.parametrize("kind", ["int", "boolean", "uuid"])
def test_of_what_is_no_time_nothing_is_known(kind: str) -> None:
    where = "CAST(x AS varchar) <= '2026-02-24 10:30:00'"
    assert not isinstance(_read(where, "trino", kind), Unsupported)  # as a text, until it is bound
    assert isinstance(condition(where.replace("<=", "<>"), "hive"), Unsupported)


_OPS: dict[str, Callable[[str, str], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SECOND = dt.datetime(2026, 2, 24, 10, 30, 59)
_MICROS = (0, 1, 2, 100_000, 499_999, 500_000, 500_001, 999_999, 1_000_000, 1_000_001)
_ENDS = (
    *("", ".", ".0", ".000000", ".0000000", ".0000001", ".000001", ".1", ".10", ".4999995"),
    *(".5", ".50", ".500000", ".5000000", ".9999990", ".9999999", ".999999"),
    *(" UTC", ".500000 UTC", ".5 UTC", "Z"),
)


def _written(moment: dt.datetime, dialect: str, kind: str) -> str:
    text = moment.strftime("%Y-%m-%d %H:%M:%S.%f")
    if dialect == "spark":
        return text.rstrip("0").rstrip(".") if "." in text else text
    return text + (" UTC" if kind == "timestamptz" else "")


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@pytest.mark.parametrize("kind", ["timestamp", "timestamptz"])
@pytest.mark.parametrize("op", sorted(_OPS))
def test_texts_compare_as_they_are_said_to(op: str, kind: str, dialect: str) -> None:
    moments = [_SECOND + dt.timedelta(microseconds=micros) for micros in _MICROS]
    for size in (13, 16, 19):
        for end in _ENDS if size == 19 else ("", ":", "0"):
            literal = str(_SECOND)[:size] + end
            found = _read(f"CAST(x AS varchar) {op} '{literal}'", dialect, kind)
            is_exact = "CAST" not in render(found)
            for moment in moments:
                holds = _OPS[op](_written(moment, dialect, kind), literal)
                told = matches(found, {"x": _value(moment, found)})
                assert told or not holds, (literal, moment)
                assert told == holds or not is_exact, (literal, moment)


def _value(moment: dt.datetime, found: Predicate) -> Timestamp:
    nanos = (moment - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1) * 1_000
    return Timestamp(nanos, zoned=" UTC'" in render(found).partition(" AND CAST")[0])
