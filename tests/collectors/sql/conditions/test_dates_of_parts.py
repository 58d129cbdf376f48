"""Dates of a year, a month and a day say of these numbers what the dates themselves do."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest

from collectors.predicates.bind import bind
from collectors.predicates.model import TRUE, And, Predicate, Unsupported, all_of
from collectors.predicates.operators import Op
from collectors.predicates.render import render
from collectors.predicates.walks import leaves
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS
from tests.collectors.sql.rewrites.test_implied_ranges import DAYS, SIGNS, chosen

NUMBERS = """
    SELECT y, m, d FROM (VALUES (2025), (2026), (2027), (NULL)) _(y), (VALUES (1), (2), (12)) __(m),
    (VALUES (1), (3), (28)) ___(d)
"""
DATE = "make_date(y, m, d)"


def schema(kind: str) -> Schema:
    names = enumerate("ymd", start=1)
    return Schema(
        0, tuple(SchemaColumn(n, (name,), kind, False, False, False) for n, name in names)
    )


def found(where: str, kind: str = "int") -> Predicate:
    return bind(condition(where, "spark", time_zone="UTC"), schema(kind), time_zone="UTC")


def known(where: Predicate) -> Predicate:
    """The parts of a conjunction that are known."""
    parts = where.children if isinstance(where, And) else (where,)
    return all_of(*(part for part in parts if not isinstance(part, Unsupported)))


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("date", ["2026-02-03", "2026-01-01", "2026-12-28", "2024-02-29"])
def test_numbers_are_those_of_the_dates(sign: str, date: str) -> None:
    for where in (f"{DATE} {sign} DATE '{date}'", f"DATE '{date}' {sign} {DATE}"):
        said = known(found(where))
        with duckdb.cursor() as connection:
            rows, ours = (
                sorted(connection.execute(f"{NUMBERS} WHERE {text}").fetchall())
                for text in (where, render(said))
            )
        assert ours == rows, render(said)


def test_a_day_may_be_given() -> None:
    said = render(known(found("make_date(y, m, 1) >= '2026-02-03'")))
    assert said == "y >= 2027 OR (y = 2026 AND m >= 3)"


@pytest.mark.parametrize("sign", ["<", ">="])
def test_numbers_of_no_date_are_let_through(sign: str) -> None:
    assert isinstance(found(f"{DATE} {sign} DATE '2026-02-03'"), And)
    assert render(found(f"{DATE} = DATE '2026-02-03'")) == "y = 2026 AND m = 2 AND d = 3"


@pytest.mark.parametrize(
    ("where", "kind"),
    [
        (f"{DATE} > DATE '2026-02-03'", "long"),  # which may wrap around
        (f"{DATE} = DATE '2026-02-03'", "string"),
        (f"{DATE} <> DATE '2026-02-03'", "int"),
        (f"NOT {DATE} > DATE '2026-02-03'", "int"),
        (f"{DATE} > current_date()", "int"),
        ("make_date(y, m) > DATE '2026-02-03'", "int"),
    ],
)
def test_others_stay_as_they_are(where: str, kind: str) -> None:
    said = found(where, kind)
    parts = said.children if isinstance(said, And) else (said,)
    assert all(isinstance(part, Unsupported) for part in parts)
    # It is shown as it was written.
    assert "CAST(y" not in str(said)


def test_no_engine_is_taken_to_push_them() -> None:
    """But that they are not null, which Spark infers."""
    for planner in PLANNERS:
        pushed = condition(f"{DATE} = DATE '2026-02-03'", "spark", planner=planner)
        parts = [part for part in leaves(pushed) if part != TRUE]
        assert {getattr(part, "op", None) for part in parts} <= {Op.NOT_NULL}


def test_a_list_of_dates_is_each_of_them() -> None:
    sql = "make_date(year(d), month(d), 1)"
    told = condition(f"{sql} IN (DATE '2024-11-01', DATE '2025-02-01')", "spark", time_zone="UTC")
    wanted = [day for day in DAYS if f"{day:%Y-%m}" in ("2024-11", "2025-02")]
    assert chosen(told, "d", [*DAYS, None], pa.date32()) == wanted, render(told)
    said = render(known(found(f"{DATE} IN (DATE '2026-02-03', DATE '2026-12-01')")))
    assert said == "(y = 2026 AND m = 2 AND d = 3) OR (y = 2026 AND m = 12 AND d = 1)"


@pytest.mark.parametrize(
    "listed",
    [
        "IN ('2026-02-03', '2026-12-01')",  # which Spark 3.5 compares as text
        "IN (DATE '2026-02-03', NULL)",
        "IN (DATE '2026-02-03', current_date())",
        "IN (DATE '2026-02-03', TIMESTAMP '2026-02-04 00:00:00')",
        "NOT IN (DATE '2026-02-03', DATE '2026-12-01')",
    ],
)
def test_other_lists_say_nothing(listed: str) -> None:
    assert isinstance(found(f"{DATE} {listed}"), Unsupported)


@pytest.mark.parametrize("sign", SIGNS)
def test_parts_of_one_date_are_its_periods(sign: str) -> None:
    for sql, form in (
        ("make_date(year(d), month(d), 1)", "%Y-%m-01"),
        ("make_date(year(d), 1, 1)", "%Y-01-01"),
        ("make_date(year(d), month(d), day(d))", "%Y-%m-%d"),
    ):
        for date in ("2024-11-01", "2025-01-01"):
            told = condition(f"{sql} {sign} DATE '{date}'", "spark", time_zone="UTC")
            wanted = [day for day in DAYS if SIGNS[sign](f"{day:{form}}", date)]
            assert chosen(told, "d", [*DAYS, None], pa.date32()) == wanted, render(told)
