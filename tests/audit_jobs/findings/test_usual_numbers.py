"""Numbers have as many digits as those that a table has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.findings.usual_numbers import usual_numbers
from prunescope.collectors.predicates.domains import Range
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.groups import usage_of
from tests.audit_jobs.findings.strategies import ID, SPECS, TABLE, TS, metadata
from tests.audit_jobs.findings.usages import micros
from tests.audit_jobs.findings.workloads import HEALTH

BY_ID = BoundComparison(Op.EQ, ID, (5,))
BY_TS = BoundComparison(Op.GT_EQ, TS, (5,))


@pytest.mark.parametrize(
    ("low", "high", "usual"),
    [
        (1, 12, (0, 99)),
        (0, 9, (0, 9)),
        (2019, 2026, (1000, 9999)),
        (20260101, 20261231, (10_000_000, 99_999_999)),
        (7, 20261231, (0, 99_999_999)),
        (-1, 12, None),
        (None, 12, None),
        (1, None, None),
    ],
)
def test_what_is_usual(
    low: PhysicalValue | None, high: PhysicalValue | None, usual: tuple[int, int] | None
) -> None:
    columns = tuple(
        replace(column, low=low, high=high) if column.name == ID.name else column
        for column in HEALTH.columns
    )
    health = replace(HEALTH, columns=columns)
    usage = usage_of(TABLE, [], metadata(SPECS[0], {}), health, Thresholds())
    found = usual_numbers(usage.health, BY_ID)
    if usual is None:
        assert not found
    else:
        assert found[ID].ranges == (Range(*usual, low_in=True, high_in=True),)


@pytest.mark.parametrize(
    ("low", "high", "is_usual"),
    [
        ("2024-01-01", "2026-01-01", True),
        ("1000-01-01", "9999-12-31", True),
        ("0999-12-31", "2026-01-01", False),
        ("2024-01-01", "9999-12-31 00:00:00.000001", False),
        (None, "2026-01-01", False),
    ],
)
def test_times_have_years_of_four_digits(low: str | None, high: str, is_usual: bool) -> None:
    first, last = None if low is None else micros(low), micros(high)
    columns = tuple(
        replace(column, low=first, high=last) if column.name == TS.name else column
        for column in HEALTH.columns
    )
    found = usual_numbers(replace(HEALTH, columns=columns), BY_TS)
    years = Range(micros("1000-01-01"), micros("9999-12-31"), low_in=True, high_in=True)
    assert [domain.ranges for domain in found.values()] == ([(years,)] if is_usual else [])
