"""Files of an older partitioning are moved only where that wins more than others lose by it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from audit_jobs.findings.settling import settled

from audit_jobs.findings.model import KEPT, Finding, Severity
from audit_jobs.findings.trials import NOTHING_TRIED, Read, Target, trial_of, tried
from collectors.predicates.operators import Op
from tests.audit_jobs.findings.causes.old_spec_files import NIGHT
from tests.audit_jobs.findings.usages import FILE, GB, ID, MB, Night, compared, part, plan, scan

AS_THEY_ARE = Target(frozenset(), ())


def beside_lookups(count: int) -> Night:
    """In order of keys, ten old files have what a lookup asks for; a file of each of 101 days
    would."""
    kept = replace(plan(10), old_spec_files=10, old_spec_bytes=10 * FILE)
    lookup = scan(part(compared(ID, Op.EQ, 7), pruned=990), kept=kept)
    others = (replace(lookup, fingerprint=f"lookup {number}") for number in range(count))
    return replace(NIGHT, scans=(*NIGHT.scans, *others))


def told_of(night: Night, ratio: float | None = None) -> Finding:
    """What is told, if scans keep so much of what they keep once files are moved."""
    suspected = night.findings("old_spec_files")
    known = NOTHING_TRIED
    if ratio is not None:
        trial = trial_of(night.usage, suspected)
        assert trial is not None
        now = np.ones(len(trial.scans))
        known = tried(trial, {AS_THEY_ARE: Read(now, now, *3 * [ratio * now])}, 4 * MB)
    (found,) = settled(night.usage, suspected, known)
    return found


def test_what_others_lose_is_taken_off() -> None:
    found = told_of(beside_lookups(1))
    assert found.bytes_at_stake == 2 * (81 * GB - 91 * GB // 10)
    assert found.fix.change.acts
    assert (found.fix.advice or "").endswith(
        "2 scans by id lose 18.2 GB by it, which the bytes at stake allow for."
    )


def test_old_files_are_left_where_others_would_lose_more() -> None:
    found = told_of(beside_lookups(10))
    assert (found.bytes_at_stake, found.severity) == (None, Severity.INFO)
    assert found.fix.change == KEPT
    assert (found.fix.advice or "").startswith("Leave the old files: by the order")
    assert found.evidence["bytes_lost_by_others"] == 2 * 91 * GB
    assert found.evidence["disturbed_columns"] == ["id"]


def test_what_was_tried_counts_instead() -> None:
    assert told_of(beside_lookups(10), 0.5).bytes_at_stake == 2 * (1_000 * FILE + 100 * FILE) // 2


def test_no_more_is_at_stake_than_old_files_have() -> None:
    assert told_of(NIGHT, 0.05).bytes_at_stake == 2 * 900 * FILE


def test_old_files_are_left_where_that_wins_nothing() -> None:
    found = told_of(NIGHT, 1.0)
    assert found.fix.change == KEPT
    assert found.fix.advice == (
        "Leave the old files: queries would read about as much of the present partitions."
    )
