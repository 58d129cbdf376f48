"""What is calculated of the days between two dates is the range of the days of which Python counts
as many."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_implied_ranges import DAYS, SIGNS, chosen

SINCE = dt.date(2024, 11, 10)
FORMS: list[tuple[str, str, Callable[[int], float], bool]] = [
    ("trino", "date_diff('day', {}, date(d)) / 7", lambda n: int(n / 7), True),
    ("trino", "date_diff('day', date(d), {}) / 7", lambda n: int(-n / 7), True),
    ("trino", "abs(date_diff('day', date(d), {}))", abs, True),
    ("trino", "date_diff('day', {}, date(d)) + 7", lambda n: n + 7, True),
    ("trino", "date_diff('week', {}, date(d))", lambda n: int(n / 7), True),
    ("trino", "date_diff('week', date(d), {})", lambda n: int(-n / 7), True),
    ("trino", "date_diff('week', {}, date(d)) * 2", lambda n: int(n / 7) * 2, True),
    ("spark", "datediff(d, {}) DIV 7", lambda n: int(n / 7), True),
    ("spark", "floor(datediff({}, d) / 7)", lambda n: -n // 7, False),
    ("spark", "datediff(d, {}) / 7", lambda n: n / 7, False),
    ("spark", "abs(datediff({}, d))", abs, True),
]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("number", [-1, 0, 3])
@pytest.mark.parametrize(("dialect", "sql", "of", "is_all"), FORMS)
def test_ranges_hold_all_that_match(
    sign: str, number: int, dialect: str, sql: str, of: Callable[[int], float], is_all: bool
) -> None:
    counted = sql.format(f"DATE '{SINCE}'")
    found = condition(f"{counted} {sign} {number}", dialect, time_zone="UTC")
    wanted = [day for day in DAYS if SIGNS[sign](of((day - SINCE).days), number)]
    # What no count is, nothing is said of.
    assert not (wanted and isinstance(found, Unsupported))
    if not wanted:
        return
    kept = chosen(found, "d", [*DAYS, None], pa.date32())
    assert set(wanted) <= set(kept), render(found)
    assert len(kept) <= len(wanted) + (0 if is_all else 4), render(found)


def test_spark_has_no_number_that_is_as_far_below_zero() -> None:
    found = render(condition("abs(datediff(d, DATE '2024-11-10')) <= 3", "spark"))
    assert "d < DATE '0001-01-01'" in found


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("trino", "date_diff('day', DATE '2024-11-10', date(d)) % 7 = 0"),
        ("trino", "date_diff('day', DATE '2024-11-10', ts) / 7 = 1"),
        ("trino", "date_diff('day', date(e), date(d)) / 7 = 1"),
    ],
)
def test_others_stay_as_they_are(dialect: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect, time_zone="UTC"), Unsupported)
