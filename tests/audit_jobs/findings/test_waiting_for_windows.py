"""Partitions that take the place of others after a week have what they win at stake before that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from prunescope.audit_jobs.findings.model import Change, Finding, Severity
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings.trials import Read, Reads, Trial, Trying, untried
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    AT,
    FILE,
    TS,
    Night,
    column,
    compared,
    days_before,
    micros,
    part,
    partitioned,
    scan,
)

_MARCH = (
    part(compared(TS, Op.GT_EQ, micros("2024-03-04")), pruned=200),
    part(compared(TS, Op.LT, micros("2024-04-04")), pruned=300),
)
_IN_PLACE = Change(added=(("month", "ts"),), dropped=(("month", "at"),), order=("ts",))
_FIRST = Night(
    (scan(*_MARCH, kept=500, share=0.01),),
    spec=[(AT, "month")],
    health=partitioned(12, column(TS, depth=20.0)),
)
"""Rows are in order of their times inside of months in which they came, and no more."""
_WEEK = replace(_FIRST, history=days_before(6))


def leaving(share: float) -> Trying:
    """A trial in which scans keep such a share of what they keep now."""

    def trying(trials: Sequence[Trial]) -> Reads:
        (trial,) = trials
        ones = np.ones(len(trial.scans))
        read = Read(ones, ones, share * ones, share * ones, share * ones)
        return {trial.table: {layout: read for layout in trial.layouts if layout == _IN_PLACE}}

    return trying


def all_told(night: Night, trying: Trying) -> list[Finding]:
    found = night.judged(Policy(), trying).findings
    return [finding for finding in found if finding.cause == "no_partition_filter"]


def told(night: Night, trying: Trying) -> Finding:
    (finding,) = all_told(night, trying)
    return finding


def test_a_change_that_waits_for_a_week_has_as_much_at_stake_as_then() -> None:
    first, then = told(_FIRST, leaving(0.1)), told(_WEEK, leaving(0.1))
    assert first.fix.spark == ()
    assert "seven days" in (first.fix.advice or "")
    assert "REPLACE PARTITION FIELD months(`at`) WITH months(`ts`)" in then.fix.spark[0]
    assert first.bytes_at_stake == then.bytes_at_stake == 2 * 450 * FILE
    assert first.severity is then.severity is Severity.HIGH
    assert told(_FIRST, untried).bytes_at_stake != first.bytes_at_stake


def test_a_change_by_which_scans_win_nothing_is_not_waited_for() -> None:
    for night in (_FIRST, _WEEK):
        assert all_told(night, leaving(1.2)) == []
