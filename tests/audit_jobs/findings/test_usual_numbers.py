"""Numbers have as many digits as those that a table has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit_jobs.findings.thresholds import Thresholds
from audit_jobs.findings.usual_numbers import usual_numbers
from collectors.predicates.domains import Range
from collectors.predicates.literals import PhysicalValue
from collectors.predicates.model import BoundComparison
from collectors.predicates.operators import Op
from tests.audit_jobs.findings.groups import usage_of
from tests.audit_jobs.findings.strategies import ID, SPECS, TABLE, TS, metadata
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


def test_times_are_no_numbers() -> None:
    usage = usage_of(TABLE, [], metadata(SPECS[0], {}), HEALTH, Thresholds())
    assert not usual_numbers(usage.health, BY_TS)
