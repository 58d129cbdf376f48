"""How transforms cut columns, as far as that is known."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.findings.granularity import cuts_of
from prunescope.audit_jobs.health.model import ColumnHealth


@pytest.mark.parametrize(
    ("transform", "type_name", "length"),
    [
        ("day", "date", 1),
        ("hour", "timestamp", 3_600_000_000),
        ("truncate[10]", "long", 10),
        pytest.param("day", "long", None, id="a number has no days"),
        pytest.param("hour", "date", None, id="a date has no hours"),
        pytest.param("bucket[4]", "long", None, id="buckets keep no order"),
    ],
)
def test_lengths_of_partitions(transform: str, type_name: str, length: int | None) -> None:
    column = ColumnHealth(1, "c", type_name, 1.0, 1.0, 100.0, 0.0, 0, 0, 10**15)
    cuts = cuts_of(transform, column)
    assert (None if cuts is None else cuts.length) == length
