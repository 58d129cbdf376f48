"""A log of thousands of parts, each of which is soon read, wherever an audit runs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from prunescope.audit_jobs.jobs.audit import read_inputs
from prunescope.audit_jobs.planning.items import Runner
from prunescope.audit_jobs.workload.inputs import QUERY
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.parts import PART_BYTES
from tests.audit_jobs.jobs.lakes import WINDOW, config_of

PARTS = 4096
"""Half a minute of one core, and one block of a disk each."""
_SECONDS = 3


def _line(number: int) -> str:
    return json.dumps({"sql": f"SELECT {number}", "dialect": "trino"}) + "\n"


def _sparse(path: Path) -> Path:
    """Queries where parts begin, and zeros up to the next."""
    with path.open("wb") as file:
        for number in range(PARTS):
            file.seek(number * PART_BYTES)
            file.write(_line(1).encode() * 2)
        file.truncate(PARTS * PART_BYTES)
    return path


def check_parts(folder: Path, runner: Runner, tasks: int) -> None:
    """Asserts that tasks, at most so many, which read parts of the log, have its time together, and
    that another log is read."""
    healthy = folder / "healthy.jsonl"
    healthy.write_text(_line(2))
    paths = [str(_sparse(folder / "sparse.jsonl")), str(healthy)]
    sources = [{"type": "sql_records", "paths": paths}]
    config = config_of({}, sources=sources, log_timeout_seconds=_SECONDS)
    inputs = read_inputs(config, WINDOW, runner)
    read = Counter(one.query.sql for one in inputs.items.found(QUERY)[QUERY])
    reasons = Counter(one.reason for one in inputs.rejected)
    runner.done()
    assert read["SELECT 2"] == 1
    assert read["SELECT 1"] < PARTS
    assert 0 < reasons[Outcome.LOG_TOO_SLOW] <= tasks
