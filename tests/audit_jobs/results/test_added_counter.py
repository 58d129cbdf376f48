"""A counter of scans that is added, as CONTRIBUTING.md says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from prunescope.audit_jobs.results.scan_schemas import SCAN_PLANS

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_a_counter_is_a_value_and_a_line() -> None:
    """Its column, the values there, what the gate expects of them, and the documentation follow."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.audit_jobs.results.added_counter"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(ran.stdout)
    assert set(told["columns"]) - {column.name for column in SCAN_PLANS.columns} == {"footers_used"}
    assert told["values"] == [4, None]
    assert told["expected"] == [["footers_used"], ["footers_needed", "footers_used"]]
    assert told["documented"] == ["| `footers_used` | long | Those of them that were read |"]
