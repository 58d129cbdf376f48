"""Event logs that Spark itself wrote over a real Iceberg table, audited: the replay finds the
counts that Iceberg reported."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult
from tests.integration.audits import run_here, write_config
from tests.integration.write_spark_log import CONDITIONS
from tests.jars import iceberg_spark_runtime

pytestmark = [pytest.mark.spark, pytest.mark.slow]

# Iceberg's counters, and where a summary has them.
COUNTERS = {
    "total_data_manifests": ("manifests", "total"),
    "scanned_data_manifests": ("manifests", "kept"),
    "result_data_files": ("data_files", "kept"),
    "total_file_size_in_bytes": ("bytes", "kept"),
}


CODECS = ("none", "zstd", "lz4", "snappy")
EVERYTHING = Window(dt.datetime(2000, 1, 1, tzinfo=dt.UTC), dt.datetime(2100, 1, 1, tzinfo=dt.UTC))


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], Path]) -> Path:
    """A folder for each codec, with a warehouse and the log of what Spark did to it."""
    directory = tmp_path_factory.mktemp("logs")
    program = Path(__file__).with_name("write_spark_log.py")
    jar = iceberg_spark_runtime(require_program)
    subprocess.run([sys.executable, program, jar, directory, *CODECS], check=True, timeout=600)
    return directory


def audited(logs: Path, codec: str) -> AuditResult:
    """An audit of the log of a codec."""
    directory = logs / codec
    metadata = max((directory / "warehouse/db/events/metadata").glob("v*.metadata.json"))
    config = write_config(
        directory,
        [{"type": "spark_event_logs", "paths": [str(directory / "events")]}],
        tables=[{"name": "lake.db.events", "metadata": str(metadata)}],
    )
    return run_here(load_config(config), EVERYTHING)


@pytest.fixture(scope="module")
def result(logs: Path) -> AuditResult:
    """An audit of the log of everything."""
    return audited(logs, CODECS[0])


def test_every_scan_is_replayed(result: AuditResult) -> None:
    scans = [scan for scan in result.scan_plans() if scan["outcome"] == "replayed"]
    # Two of the join, and of DELETE and MERGE each the scan and that of the files to rewrite.
    assert len(scans) == len(CONDITIONS) + 2 + 4
    assert set(result.run.queries) <= {"replayed", "no_iceberg_table"}
    assert {scan["engine"] for scan in scans} == {"spark"}
    assert all(scan["fingerprint"] for scan in scans)


@pytest.mark.parametrize("codec", CODECS[1:])
def test_a_compressed_log_is_read(logs: Path, codec: str) -> None:
    (log,) = (logs / codec / "events").rglob(f"*.{codec}")
    assert log.stat().st_size > 0
    found = audited(logs, codec)
    (scan,) = (scan for scan in found.scan_plans() if scan["outcome"] == "replayed")
    assert scan["fingerprint"]
    check_counts(found)


def test_the_replay_finds_icebergs_counts(result: AuditResult) -> None:
    check_counts(result)


def check_counts(result: AuditResult) -> None:
    """What the replay counts is what Iceberg counted."""
    for scan in (scan for scan in result.scan_plans() if scan["outcome"] == "replayed"):
        counters = dict(scan["observed"])
        replayed = {
            counter: scan[f"{funnel}_{stage}"] for counter, (funnel, stage) in COUNTERS.items()
        }
        observed = {counter: counters.get(counter) for counter in COUNTERS}
        assert replayed == observed, scan["pushed"]


def test_what_spark_keeps_for_itself_is_not_in_its_plan(result: AuditResult) -> None:
    pushed = {scan["pushed"] for scan in result.scan_plans() if scan["outcome"] == "replayed"}
    assert "ts IS NOT NULL AND id IS NOT NULL AND id < ?" in pushed
