"""What is not said to be spread over all files: few of them hold a value, or most are disjoint."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.findings.model import Wish
from prunescope.audit_jobs.findings.refused_layouts import for_nothing
from tests.audit_jobs.findings.usages import ID, column, table
from tests.audit_jobs.findings.wishes import BY_ID, POINT, asking, tried, usage

SPREAD = Wish(bytes_by_order=10 * POINT, of_spread=True, any_columns=True)


@pytest.mark.parametrize(
    ("overlap", "depth", "wish", "is_told"),
    [
        pytest.param(0.9, 1_000.0, SPREAD, True, id="spread over all"),
        pytest.param(0.5, 1_000.0, SPREAD, False, id="half of the files are disjoint"),
        pytest.param(0.9, 30.0, SPREAD, False, id="few hold a value, as of ranges"),
        pytest.param(0.5, 30.0, None, True, id="nothing is said of that"),
    ],
)
def test_what_files_tell_apart_is_not_said_to_be_spread(
    overlap: float, depth: float, wish: Wish | None, is_told: bool
) -> None:
    of = usage(health=table(column(ID, overlap=overlap, depth=depth)))
    known = tried(of, {"ids": 8, "times": -9})
    found = for_nothing(of, asking(BY_ID, "ids", wish=wish), known, 8 * POINT)
    assert bool(found) is is_told
    # What wins something is told whatever files tell apart.
    assert for_nothing(of, asking(BY_ID, "ids", wish=wish), tried(of, {"ids": 2}), 2 * POINT)
