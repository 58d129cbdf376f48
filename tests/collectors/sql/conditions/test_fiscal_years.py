"""Years that begin in another month are ranges of the date that they are put together of."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import PLANNERS
from tests.collectors.sql.rewrites.test_implied_ranges import SIGNS, chosen, known_part

_FIRST = dt.date(2023, 11, 1)
DAYS = [_FIRST + dt.timedelta(number) for number in range(1_200)]


def _from(month: int, late: int = 0) -> Callable[[dt.date], int]:
    """The year that begins in a month, called by the calendar year in which it does, and so many
    later."""
    return lambda d: d.year - (d.month < month) + late


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(
    ("dialects", "sql", "function"),
    [
        ("trino spark", "CASE WHEN month(d) >= 2 THEN year(d) ELSE year(d) - 1 END", _from(2)),
        ("trino spark", "IF(month(d) >= 7, year(d) + 1, year(d))", _from(7, 1)),
        (
            "trino spark",
            "CASE WHEN month(d) IN (1, 2, 3) THEN year(d) - 1 ELSE year(d) END",
            _from(4),
        ),
        ("trino spark", "year(d) + CASE WHEN month(d) >= 7 THEN 1 ELSE 0 END", _from(7, 1)),
        ("trino spark", "CASE month(d) WHEN 12 THEN 1 + year(d) ELSE year(d) END", _from(12, 1)),
        ("trino spark", "IF(quarter(d) = 4, year(d) + 1, year(d))", _from(10, 1)),
        (
            "trino spark",
            "IF(EXTRACT(MONTH FROM d) < 4, EXTRACT(YEAR FROM d) - 1, EXTRACT(YEAR FROM d))",
            _from(4),
        ),
        (
            "trino spark",
            "IF(month(d) < 3 OR month(d) = 3 AND 1 = 1, CAST(year(d) AS int) - 1, year(d))",
            _from(4),
        ),
        ("spark", "year(d) + floor((month(d) - 1 + 6) / 12)", _from(7, 1)),
        ("spark", "year(d) + (month(d) + 5) DIV 12", _from(7, 1)),
        ("trino", "year(d) + (month(d) + 5) / 12", _from(7, 1)),
        ("trino spark", "year(d) - 1", lambda d: d.year - 1),
        (
            "trino spark",
            "IF(month(d) < 3, year(d) - 1, IF(month(d) > 10, year(d) + 1, year(d)))",
            lambda d: d.year - (d.month < 3) + (d.month > 10),
        ),
    ],
)
def test_all_days_of_the_year_and_no_others(
    dialects: str, sql: str, function: Callable[[dt.date], int], sign: str
) -> None:
    for dialect in dialects.split():
        for text, number in ((f"{sql} {sign} 2025", 2025), (f"{sql} {sign} 2024", 2024)):
            found = condition(text, dialect, time_zone="UTC")
            wanted = [d for d in DAYS if SIGNS[sign](function(d), number)]
            assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize(
    ("where", "years"),
    [
        ("IF(month(d) >= 4, year(d), year(d) - 1) BETWEEN 2024 AND 2025", (2024, 2025)),
        ("IF(month(d) >= 4, year(d), year(d) - 1) IN (2024, 2026)", (2024, 2026)),
        ("2025 = IF(month(d) >= 4, year(d), year(d) - 1)", (2025,)),
    ],
)
def test_several_years(where: str, years: tuple[int, ...]) -> None:
    for dialect in ("trino", "spark"):
        found = condition(where, dialect, time_zone="UTC")
        wanted = [d for d in DAYS if _from(4)(d) in years]
        assert chosen(found, "d", [*DAYS, None], pa.date32()) == wanted, render(found)


@pytest.mark.parametrize(
    ("sql", "function"),
    [
        (
            "CASE WHEN d >= DATE '2025-02-01' THEN year(d) ELSE year(d) - 1 END",
            lambda d: d.year - (d < dt.date(2025, 2, 1)),
        ),
        ("IF(month(d) >= 4, year(d))", lambda d: d.year if d.month >= 4 else None),
        ("IF(month(d) >= 4, year(d), 2025)", lambda d: d.year if d.month >= 4 else 2025),
        ("IF(month(d) >= 4, year(d), year(d) + 100)", lambda d: d.year + 100 * (d.month < 4)),
    ],
)
def test_other_choices_of_years_imply_ranges(
    sql: str, function: Callable[[dt.date], int | None]
) -> None:
    wanted = {d for d in DAYS if function(d) == 2025}
    for dialect in ("trino", "spark"):
        found = known_part(condition(f"{sql} = 2025", dialect, time_zone="UTC"))
        assert wanted <= set(chosen(found, "d", [*DAYS, None], pa.date32())), render(found)


@pytest.mark.parametrize(
    "sql",
    [
        "IF(month(d) >= 4, year(d), -year(d)) = 2026",
        "IF(month(d) >= 4, year(d), year(d) - 1) = 2026.5",
        "IF(month(d) >= 4, year(d), year(d) - 1) = infinity()",
        "IF(month(d) >= 4, year(d), year(d) - 1) = nan()",
        "year(d) + infinity() = 2026",
        "year(d) + month(d) / 12e0 = 2026",
        "year(d) + day(d) = 2026",
        "year(d) - year(d) = 0",
        "NOT (year(d) - 1 = 2026)",
    ],
)
def test_others_stay(sql: str) -> None:
    assert isinstance(condition(sql, "trino", time_zone="UTC"), Unsupported)


def test_no_engine_is_taken_to_push_them() -> None:
    for planner in PLANNERS:
        assert ">=" not in render(condition("year(d) + 1 = 2026", "spark", planner=planner))
