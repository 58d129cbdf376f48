"""Each rewrite is found, and one that is added, as CONTRIBUTING.md says."""

from __future__ import annotations

import datetime as dt

import pytest
import sqlglot
from sqlglot import exp

from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import (
    Column,
    Comparison,
    Predicate,
    Reason,
    Unsupported,
    conjuncts,
)
from collectors.predicates.operators import Op
from collectors.predicates.render import render
from collectors.sql.conditions.convert import convert
from collectors.sql.conditions.reader import Reader
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import column_path
from collectors.sql.constants.values import CannotConvert
from collectors.sql.rewrites import registry as sql_rewrites
from collectors.sql.rewrites.rewrite import KnownPeriods, Place, Rewrite
from collectors.sql.text.boolean import formula
from collectors.sql.text.nodes import nodes_of
from collectors.sql.text.parse import parse_condition

EXAMPLES = {
    "trino": (
        "date_format(x, '%Y') = '2024'",
        "date_format(x, '%Y-%c') >= '2024-4'",
        "format('%d-%02d', year(x), month(x)) = '2024-04'",
        "date_parse(date_format(ts, '%Y-%m'), '%Y-%m') = TIMESTAMP '2026-01-01 00:00:00'",
        "substr(CAST(x AS varchar), 1, 7) = '2024-04'",
        "CAST(x AS varchar) >= '2024-04'",
        "to_unixtime(x) < 1712138400",
        "hour(ts AT TIME ZONE 'Asia/Tokyo') = 3",
        "month(of_2024) = 3",
        "hour(clock) = 3",
        "year_of_week(d) = 2025",
        "substr(c, 1, 2) = 'ab'",
        "rtrim(s) = 'EU'",
        "date_diff('month', d, DATE '2026-03-31') <> 1",
        "year(d) * 100 + month(d) = 202604",
    ),
    "spark": (
        "from_unixtime(e, 'yyyy-MM-dd') = '2026-01-05'",
        "locate('EU', s) = 1",
        "unix_date(d) >= 20487",
        "date_sub(d, weekday(d)) = DATE '2026-01-05'",
        "last_day(d) = DATE '2026-01-31'",
        "add_months(d, 1) = DATE '2026-02-01'",
        "months_between(d, DATE '2026-01-01') >= 1",
        "date_add(DATE '2026-01-01', n) = DATE '2026-01-05'",
        "trunc(d, 'MM') + INTERVAL '1' MONTH = DATE '2025-02-01'",
        "year(add_months(d, 1)) = 2025",
        "window(ts, '1 day').start = TIMESTAMP '2026-01-05 00:00:00'",
    ),
    "snowflake": ("DATEDIFF('month', d, DATE '2026-03-31') <= 1",),
    "bigquery": ("DATE_TRUNC(d, WEEK) = DATE '2026-11-22'",),
}
"""Conditions by dialect. tests/sql_corpus.py reads them, too: property tests draw them with other
literals."""
KNOWN = KnownPeriods(years={("of_2024",): (dt.date(2024, 1, 1),)})


def _doubled(expression: exp.Expr, place: Place) -> Column | None:
    match expression:
        case exp.Anonymous(this="doubled", expressions=[operand]):
            path = column_path(operand, place.path_of)
            return None if path is None else Column(path)
    return None


def _compare(op: Op, found: Column, value: LiteralValue, _session: Session) -> Predicate:
    if not isinstance(value, int) or value % 2:
        raise CannotConvert(Reason.FUNCTION)
    return Comparison(op, found, (value // 2,))


def _rest(op: Op, _found: Column, _value: LiteralValue) -> Reason | None:
    return None if op is Op.EQ else Reason.FUNCTION


def _said(condition: str) -> Predicate:
    tree = sqlglot.parse_one(condition, dialect="trino")
    reader = Reader(lambda column: (column.name,), Session("trino"))
    return convert(formula(tree), reader)


def test_each_is_found_in_an_example() -> None:
    found = []
    for dialect, conditions in EXAMPLES.items():
        session = Session(dialect, time_zone="UTC")
        place = Place(lambda column: (column.name,), session, KNOWN, {"clock": "time", "d": "date"})
        trees = (parse_condition(condition, dialect) for condition in conditions)
        nodes = (node for tree in trees for node in nodes_of(tree))
        found += [done.rewrite for node in nodes if (done := sql_rewrites.rewritten(node, place))]
    missing = [each.find.__module__ for each in sql_rewrites.REWRITES if each not in found]
    assert missing == [], "EXAMPLES have none that it is the first to find: add one"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("doubled(n) = 8", "n = 4"),
        ("8 = doubled(n)", "n = 4"),
        ("doubled(n) IN (2, 6)", "n = 1 OR n = 3"),
    ],
)
def test_a_rewrite_is_a_value_and_a_line(
    condition: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(_said(condition), Unsupported)
    added = Rewrite(_doubled, _compare, _rest)
    monkeypatch.setattr(sql_rewrites, "REWRITES", (*sql_rewrites.REWRITES, added))
    assert render(_said(condition)) == expected


def test_what_is_not_all_stays_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_rewrites, "REWRITES", (Rewrite(_doubled, _compare, _rest),))
    within, rest = conjuncts(_said("doubled(n) > 8"))
    assert render(within) == "n > 4"
    assert isinstance(rest, Unsupported)
    assert rest.text == "DOUBLED(n) > 8"
    assert isinstance(_said("doubled(n) > 7"), Unsupported)
