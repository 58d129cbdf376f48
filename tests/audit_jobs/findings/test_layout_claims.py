"""Whose bytes a layout may have at stake that was tried: none that another finding has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from prunescope.audit_jobs.findings.policy import Policy, Suppression
from prunescope.audit_jobs.findings.trials import Read, Reads, Trial
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.groups import START
from tests.audit_jobs.findings.usages import (
    BYTES,
    FILE,
    ID,
    Night,
    compared,
    part,
    partitioned,
    scan,
)

_FOUR = (part(compared(ID, Op.GT_EQ, 70_000)), part(compared(ID, Op.LT, 70_004)))
_ONE = part(compared(ID, Op.EQ, 7), pruned=937, share=0.001)
_LISTED = (15 / 16) ** 4
"""The share of the buckets that a list of four values skips."""
_NIGHT = Night(
    (
        scan(_ONE, kept=63, share=0.001, fingerprint="one"),
        scan(*_FOUR, share=0.0001, fingerprint="four"),
    ),
    spec=[(ID, "bucket[16]")],
    health=partitioned(16),
)


def in_order(trials: Sequence[Trial]) -> Reads:
    """In order inside of buckets, each scan keeps a file of each bucket that it keeps."""
    (trial,) = trials
    files = np.array([one.files for one in trial.scans], np.float64)
    now, then = files * FILE, np.ceil(files / 63) * FILE
    read = Read(now, files, then, then / FILE, then)
    return {trial.table: dict.fromkeys(trial.layouts, read)}


@pytest.mark.parametrize(
    "is_known", [False, True], ids=["ranges have a list", "but nobody needs to be told of it"]
)
def test_what_a_list_wins_is_not_what_an_order_does(is_known: bool) -> None:
    """Ranges of four values, which a list serves, and an order as well, which serves lookups."""
    cause = "range_on_bucketed_column"
    known = [Suppression("lake.db.*", "known", START.date(), cause=cause)] if is_known else []
    found = {one.cause: one for one in _NIGHT.judged(Policy((), known), in_order).findings}
    order = found["unclustered_column"]
    assert found[cause].bytes_at_stake == round(2 * BYTES * _LISTED)
    assert order.fix.spark
    assert order.bytes_at_stake == 2 * (62 + (984 if is_known else 0)) * FILE
    assert order.evidence["fingerprints"] == (["four", "one"] if is_known else ["one"])


def test_an_order_has_what_only_it_wins() -> None:
    """Of ranges that are too wide for a list."""
    wide = (part(compared(ID, Op.GT_EQ, 70_000)), part(compared(ID, Op.LT, 80_000)))
    night = replace(_NIGHT, scans=(_NIGHT.scans[0], scan(*wide, share=0.01, fingerprint="wide")))
    found = night.judged(Policy(), in_order).findings
    assert {one.cause: one.bytes_at_stake for one in found} == {
        "range_on_bucketed_column": 2 * 984 * FILE,
        "unclustered_column": pytest.approx(2 * 62 * FILE, rel=0.01),
    }
