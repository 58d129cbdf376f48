"""Counts that are recorded (counts.txt) are those that a real Trino plans."""

from __future__ import annotations

import pytest

from tests.differential.trino import counts
from tests.differential.trino.engine import Trino

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def test_the_recorded_counts_are_those_that_it_plans(trino: Trino) -> None:
    for statement in counts.statements():
        trino.run(statement)
    others = []
    for one in counts.counted():
        planned = [len(s.files) for s in trino.scans(one.sql) if s.table == counts.TABLE] or [0]
        if planned != [one.planned]:
            others.append((one, planned))
    assert others == []
