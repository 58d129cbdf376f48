"""The logs of a configuration: large ones in parts, which together are the whole."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.jobs.sources import find_logs, read_queries, storage_of_logs
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Elsewhere
from prunescope.audit_jobs.sources.source import Log
from prunescope.audit_jobs.workload.queries import NamedTables
from prunescope.collectors.observed import Rejected
from prunescope.collectors.queries.rejections import EXAMPLES
from prunescope.collectors.storage.files import Storage
from tests.audit_jobs.jobs.lakes import DAY, WINDOW, config_of

COUNT = 200


def write_log(folder: Path, name: str) -> Path:
    """COUNT queries, and after every second one something that is none."""
    path = folder / name
    if name.endswith(".parquet"):
        texts = [text for n in range(COUNT) for text in [f"SELECT {n}"] + [None] * (n % 2)]
        pq.write_table(pa.table({"sql": texts}), path, row_group_size=7)
        return path
    lines = "".join(f'{{"sql": "SELECT {n}"}}\n' + '{"sql": 1}\n' * (n % 2) for n in range(COUNT))
    path.write_bytes(gzip.compress(lines.encode()) if name.endswith(".gz") else lines.encode())
    return path


def logs_of(path: Path, part_bytes: int, kind: str = "sql_records") -> list[Log]:
    config = config_of({}, sources=[{"type": kind, "paths": [str(path)]}])
    logs, missing = find_logs(config.sources, Storage(), part_bytes)
    assert missing == []
    return logs


def read(logs: list[Log]) -> tuple[list[NamedTables], list[Rejected]]:
    """Queries, and what was rejected."""
    found = list(read_queries(logs, Storage(), WINDOW))
    return (
        [one for one in found if isinstance(one, NamedTables)],
        [one for one in found if isinstance(one, Rejected)],
    )


@pytest.mark.parametrize("name", ["log.jsonl", "log.parquet"])
def test_the_parts_of_a_log_hold_what_the_log_holds(tmp_path: Path, name: str) -> None:
    path = write_log(tmp_path, name)
    whole, cut = logs_of(path, 1 << 20), logs_of(path, 500)
    assert len(whole) == 1
    assert len(cut) == -(-path.stat().st_size // 500)
    (once, _), (queries, rejected) = read(whole), read(cut)
    texts = [named.query.sql for named in queries]
    assert texts == [named.query.sql for named in once]
    assert len({named.query.query_id for named in queries}) == COUNT
    assert sum(one.inputs for one in rejected) == COUNT // 2
    places = Counter(one.location for one in rejected)
    assert max(places.values()) == 1


def test_each_part_tells_few_of_its_rejections(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"sql": 1}\n' * 1000)
    logs = logs_of(path, 5_500)
    assert [log.place for log in logs] == [f"{path}:byte 0", f"{path}:byte 5500"]
    _, rejected = read(logs)
    assert len(rejected) == 2 * (EXAMPLES + 1)
    assert sum(one.inputs for one in rejected) == 1000


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param("log.jsonl.gz", "sql_records", id="compressed"),
        pytest.param("log.jsonl", "iceberg_reports", id="reports"),
        pytest.param("log.jsonl", "trino_io_plans", id="plans"),
        pytest.param("log.jsonl", "spark_event_logs", id="event logs"),
    ],
)
def test_other_logs_are_one(tmp_path: Path, name: str, kind: str) -> None:
    (log,) = logs_of(write_log(tmp_path, name), 50, kind)
    assert log.part is None


def test_what_logs_have_outside_of_the_window_is_counted(tmp_path: Path) -> None:
    times = ["2026-03-09T23:59:59Z", "2026-03-12T10:00:00Z", "2026-03-11T00:00:00Z", None]
    path = tmp_path / "log.jsonl"
    path.write_text(
        "".join(json.dumps({"sql": "SELECT 1", "started_at": time}) + "\n" for time in times)
    )
    config = config_of({}, sources=[{"type": "sql_records", "paths": [str(path)]}])
    inputs = read_inputs(config, WINDOW, LocalRunner())
    assert inputs.told.queries.total() == 1  # that of unknown time
    assert inputs.told.elsewhere == [
        Elsewhere(3, DAY - dt.timedelta(seconds=1), DAY + dt.timedelta(days=2, hours=10))
    ]


@pytest.mark.parametrize(
    ("time", "elsewhere"),
    [
        pytest.param("2026-03-12T10:00:00Z", 2, id="no query in the window"),
        pytest.param("2026-03-10T10:00:00Z", None, id="one in the window"),
    ],
)
def test_a_run_without_a_query_tells_what_the_logs_have(
    tmp_path: Path, time: str, elsewhere: int | None
) -> None:
    for name, started_at in (("a", time), ("b", "2026-03-14T10:00:00Z")):
        record = {"sql": "SELECT 1", "started_at": started_at}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record))
    config = config_of({}, sources=[{"type": "sql_records", "paths": [str(tmp_path)]}])
    runner = LocalRunner()
    inputs = read_inputs(config, WINDOW, runner)
    run = run_audit(config, WINDOW, inputs, runner, lambda _: None).run
    assert (run.elsewhere and run.elsewhere.queries) == elsewhere


def test_an_audit_reads_every_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_logs, "__defaults__", (500,))
    path = write_log(tmp_path, "log.jsonl")
    config = config_of({}, sources=[{"type": "sql_records", "paths": [str(path)]}])
    inputs = read_inputs(config, WINDOW, LocalRunner())
    assert inputs.told.queries.total() == COUNT
    assert sum(one.inputs for one in inputs.rejected) == COUNT // 2
    assert [one.location for one in inputs.rejected] == sorted(
        one.location for one in inputs.rejected
    )


@pytest.mark.parametrize(
    ("source_storage", "expected"),
    [
        pytest.param({}, {}, id="the environment's"),
        pytest.param(
            {"source_storage": "lake"},
            {"s3.endpoint": "http://minio:9000", "s3.secret-access-key": "of-the-environment"},
            id="a catalog's",
        ),
    ],
)
def test_logs_are_read_with_the_storage_of_a_catalog(
    source_storage: dict[str, str], expected: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYICEBERG_CATALOG__LAKE__S3__SECRET_ACCESS_KEY", "of-the-environment")
    monkeypatch.setenv("PYICEBERG_CATALOG__LAKE__TOKEN", "of the catalog alone")
    properties = {"type": "rest", "uri": "http://c", "s3.endpoint": "http://minio:9000"}
    document = {
        "catalogs": {"lake": {"properties": properties}},
        "sources": [{"type": "trino_events", "paths": ["s3://logs/"]}],
        "audit": {"catalog": "lake"},
        **source_storage,
    }
    assert storage_of_logs(validate_config(document, "test")).properties == expected


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("abfss://KEY:SECRET@account/x.jsonl", id="arrow-asks-for-an-account"),
        pytest.param("s3://KEY:SECRET@[lake/x.jsonl", id="no-address"),
        pytest.param("nonesuch://KEY:SECRET@lake/*.jsonl", id="unknown-scheme"),
    ],
)
def test_a_path_that_a_client_refuses_ends_nothing_for_the_others(
    tmp_path: Path, path: str
) -> None:
    """Clients of storages raise what they like: a TypeError ended the run for all."""
    log = write_log(tmp_path, "a.jsonl")
    config = config_of({}, sources=[{"type": "sql_records", "paths": [path, str(log)]}])
    logs, missing = find_logs(config.sources, Storage())
    assert [found.paths for found in logs] == [(str(log),)]
    assert [rejected.reason for rejected in missing] == ["unreadable_file"]
    assert "SECRET" not in f"{missing}"
