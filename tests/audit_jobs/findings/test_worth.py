"""Rewrites of whole tables that win little of what is read of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from audit_jobs.findings.worth import of_whole_table

from audit_jobs.findings.model import KEPT, Change, Confidence, Files, Finding, Fix, Severity
from audit_jobs.findings.thresholds import Thresholds
from collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import BYTES, ID, TABLE, TIMES, Night, compared, part, scan

READ = TIMES * BYTES
SORTED = Change(order=("id",), files=Files.ALL)
CUT = Change(added=(("day", "ts"),), files=Files.ALL)


def finding(share: float, change: Change) -> Finding:
    return Finding(
        cause="c",
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        table=TABLE,
        sentence="",
        scans=TIMES,
        bytes_read=READ,
        bytes_at_stake=round(share * READ),
        fix=Fix(advice="Once.", change=change),
    )


@pytest.mark.parametrize(
    ("of", "high_bytes", "is_little"),
    [
        pytest.param(finding(0.02, SORTED), READ, True, id="a sort"),
        pytest.param(finding(0.02, CUT), READ, True, id="partitions"),
        pytest.param(finding(0.05, SORTED), READ, False, id="a twentieth"),
        pytest.param(finding(0.02, SORTED), READ // 100, False, id="many bytes all the same"),
        pytest.param(finding(0.02, Change(files=Files.ALL)), READ, False, id="the layout stays"),
        pytest.param(finding(0.02, KEPT), READ, False, id="nothing is done"),
        pytest.param(
            replace(finding(0.02, SORTED), bytes_at_stake=None), READ, False, id="nobody can tell"
        ),
    ],
)
def test_what_is_little_of_all_that_is_read_is_low(
    of: Finding, high_bytes: int, is_little: bool
) -> None:
    night = Night(
        (scan(part(compared(ID, Op.EQ, 7))),), thresholds=Thresholds(high_bytes=high_bytes)
    )
    found = of_whole_table(night.usage, of)
    if not is_little:
        assert found is of
        return
    assert found.severity is Severity.LOW
    assert found.fix.advice == "Once. It wins about 2.0% of what all scans of the table read."
