"""Tables and workloads at the edges: nothing there, nothing read, nothing known."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from prunescope.audit_jobs.findings.catalogue import CAUSES
from prunescope.audit_jobs.findings.rows import finding_row, keyed
from prunescope.audit_jobs.findings.usage import TableUsage
from tests.audit_jobs.findings.strategies import usages


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(usage=usages())
@pytest.mark.slow
def test_no_cause_fails_for_want_of_data(usage: TableUsage) -> None:
    for cause in CAUSES:
        for rank, (key, finding) in enumerate(keyed(list(cause.find(usage))), start=1):
            assert finding.cause == cause.id
            assert finding_row(key, rank, finding)["sentence"]
