"""Limits on bytes and on shares."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.checking.limits import Limits, Reads, excesses
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.collectors.observed import TableName

T, U = TableName("lake", ("db",), "t"), TableName("lake", ("db",), "u")
READS = [
    Reads("a.sql", T, 30, 100),
    Reads("a.sql", T, 10, 100),
    Reads("a.sql", U, 5, 10),
    Reads("b.sql", T, 10, 100),
]
POLICY = Policy((("*.t", Thresholds(small_table_bytes=100)), ("*", Thresholds())))


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        pytest.param(Limits(), [], id="none"),
        pytest.param(Limits(max_bytes=44), [("a.sql", "max_bytes", None, 45)], id="all tables"),
        pytest.param(Limits(max_bytes=45), [], id="as many as allowed"),
        pytest.param(
            Limits(max_share=0.29), [("a.sql", "max_share", "lake.db.t", 30)], id="largest scan"
        ),
        pytest.param(Limits(max_share=0.3), [], id="as much as allowed, and a small table"),
        pytest.param(Limits(max_bytes=0, max_share=1.0), ["a.sql", "b.sql"], id="both files"),
    ],
)
def test_limits(limits: Limits, expected: list[object]) -> None:
    found = excesses(READS, limits, POLICY)
    told = [(each.file, each.limit, each.table, each.read) for each in found]
    assert told == expected or [file for file, *_ in told] == expected
