"""Bloom filters are asked for where they save as much as rows in order within files."""

from __future__ import annotations

import numpy as np
import pytest

from audit_jobs.findings.choosing import ROW_GROUPS
from audit_jobs.findings.filtering import filtered
from audit_jobs.findings.indexes import Indexed
from audit_jobs.findings.model import Change, Files
from audit_jobs.findings.trials import Reads, trial_of
from audit_jobs.findings.what_if import indexes_of
from tests.audit_jobs.findings.wishes import BY_ID, POINT, asking, tried, usage

USAGE = usage()
IN_ORDER = asking(BY_ID, "ids", points=20, lost_at=ROW_GROUPS)
FILTERED = asking(
    Change(bloom_filters=(("id", 4096),), files=Files.ALL),
    "ids",
    points=20,
    columns=("id",),
    lost_at=ROW_GROUPS,
)


def told(left: float | None, in_order: float) -> dict[str, float]:
    """The points of findings that are asked for, where filters leave a share of what scans read,
    and rows in order win so many points."""
    index = next(one for one in indexes_of(USAGE) if one.column == "id")
    trial = trial_of(USAGE, [BY_ID], [index])
    assert trial is not None
    ones = np.ones(len(trial.scans))
    reads = Reads()
    if left is not None:
        reads = Reads({}, {index: Indexed(ones, left * ones, 0 * ones, 1.0, 1.0)})
    inside = [
        round(in_order * POINT) if group.fingerprint == "ids" else 0 for group in USAGE.groups
    ]
    known = {BY_ID.layout: tried(USAGE, {}, inside=tuple(inside))}
    found = filtered(USAGE, [IN_ORDER, FILTERED], trial, reads, known)
    named = {False: "order", True: "filter"}
    return {
        named[bool(one.fix.change.bloom_filters)]: (one.bytes_at_stake or 0) / POINT
        for one in found
    }


@pytest.mark.parametrize(
    ("left", "in_order", "expected"),
    [
        pytest.param(0.2, 10, {"filter": 20}, id="a filter wins more"),
        pytest.param(0.2, 25, {"filter": 20}, id="about as much"),
        pytest.param(0.2, 26, {"order": 20}, id="an order wins more"),
        pytest.param(1.0, 10, {"order": 20}, id="a filter wins nothing"),
        pytest.param(None, 0, {"order": 20}, id="no row was read"),
    ],
)
def test_what_wins_more_is_asked_for(
    left: float | None, in_order: float, expected: dict[str, float]
) -> None:
    assert told(left, in_order) == pytest.approx(expected)
