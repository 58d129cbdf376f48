"""Logs whose reading has no end in a night: each ends by itself, by its limit, with what was read
before."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from prunescope.audit_jobs.jobs.audit import read_inputs
from prunescope.audit_jobs.jobs.sources import find_logs, read_queries
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.sources.registry import SOURCES
from prunescope.audit_jobs.sources.source import Log
from prunescope.audit_jobs.workload.inputs import QUERY
from prunescope.audit_jobs.workload.queries import NamedTables
from prunescope.collectors.observed import Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.storage.files import Storage
from tests.audit_jobs.jobs.lakes import WINDOW, config_of
from tests.audit_jobs.jobs.slow_logs import check_parts

_SPARSE = 1 << 39
"""Bytes of zeros, which take none on a disk, and minutes to read."""
_SECONDS = 0.5
_QUERY = json.dumps({"sql": "SELECT 1", "dialect": "trino"}) + "\n"


def sparse(path: Path, first: str = "", size: int = _SPARSE) -> Path:
    path.write_text(first)
    with path.open("r+b") as file:
        file.truncate(size)
    return path


def logs_of(kind: str, path: Path) -> list[Log]:
    config = config_of({}, sources=[{"type": kind, "paths": [str(path)]}])
    logs, missing = find_logs(config.sources, Storage())
    assert missing == []
    return logs


def reasons(log: Log) -> tuple[int, list[str]]:
    """How many queries are read in time, and the reasons of what is rejected."""
    found = list(read_queries([log], Storage(), WINDOW, _SECONDS))
    queries = sum(isinstance(one, NamedTables) for one in found)
    return queries, [one.reason for one in found if isinstance(one, Rejected)]


@pytest.mark.parametrize("kind", [source.type for source in SOURCES])
def test_a_log_of_zeros(kind: str, tmp_path: Path) -> None:
    """Of one that is read in parts, the first has the line to its end."""
    first, *_ = logs_of(kind, sparse(tmp_path / "zeros"))
    assert reasons(first)[1][-1:] == [Outcome.LOG_TOO_SLOW]


def test_what_stands_before_is_read(tmp_path: Path) -> None:
    first, *_ = logs_of("sql_records", sparse(tmp_path / "zeros", _QUERY))
    assert reasons(first) == (1, [Outcome.LOG_TOO_SLOW])


def test_a_packed_log_of_nothing(tmp_path: Path) -> None:
    """Empty members, of which a reader looks for one that has anything."""
    path = tmp_path / "empty.jsonl.gz"
    path.write_bytes(gzip.compress(b"") * 2_000_000)
    (log,) = logs_of("sql_records", path)
    assert reasons(log)[1][-1:] == [Outcome.LOG_TOO_SLOW]


def test_the_parts_of_a_log_have_the_time_of_one(tmp_path: Path) -> None:
    """Each part ends soon, and there are thousands."""
    check_parts(tmp_path, LocalRunner(), tasks=1)


def test_the_other_logs_are_read(tmp_path: Path) -> None:
    zeros, healthy = sparse(tmp_path / "app-1"), tmp_path / "healthy.jsonl"
    huge = sparse(tmp_path / "app-2", size=1 << 43)
    healthy.write_text(_QUERY)
    sources = [
        {"type": "spark_event_logs", "paths": [str(zeros), str(huge)]},
        {"type": "sql_records", "paths": [str(healthy)]},
    ]
    config = config_of({}, sources=sources, log_timeout_seconds=_SECONDS)
    inputs = read_inputs(config, WINDOW, LocalRunner())
    assert inputs.told.queries.total() == 1
    assert {(one.location, one.reason) for one in inputs.rejected} == {
        (str(zeros), Outcome.LOG_TOO_SLOW),
        (str(huge), Outcome.FILE_TOO_LARGE),
    }
    assert len(inputs.items.found(QUERY)[QUERY]) == 1
