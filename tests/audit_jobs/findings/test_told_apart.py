"""What is not said to be spread over all files: few of them hold a value, or most are disjoint."""

from __future__ import annotations

from dataclasses import replace

import pytest
from audit_jobs.findings.settling import settled

from audit_jobs.findings.usage import TableUsage
from tests.audit_jobs.findings.test_settling import (
    BY_ID,
    BY_TS,
    FILE,
    finding,
    of_spread,
    scan,
    usage,
)


@pytest.mark.parametrize(
    ("overlap", "depth"),
    [
        pytest.param(0.5, 100.0, id="half of the files are disjoint"),
        pytest.param(0.9, 20.0, id="few hold a value, as of ranges"),
    ],
)
def test_what_files_tell_apart_is_not_said_to_be_spread(overlap: float, depth: float) -> None:
    def ordered(overlap: float, depth: float) -> TableUsage:
        found = usage(scan("by ts", BY_TS, 90), scan("by id", BY_ID, 0), depth=1.0)
        assert found.health is not None
        columns = [
            replace(column, overlap=overlap, depth=depth) if column.name == "id" else column
            for column in found.health.columns
        ]
        return replace(found, health=replace(found.health, columns=tuple(columns)))

    spread = of_spread(finding("id", 80 * FILE))
    (refuted,) = settled(ordered(0.9, 100.0), [spread])
    assert "Leave the order of rows" in (refuted.fix.advice or "")
    assert settled(ordered(overlap, depth), [spread]) == []
    assert settled(ordered(overlap, depth), [finding("id", 80 * FILE)]) != []
