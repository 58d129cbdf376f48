"""Metrics of a run: exact text, promtool's opinion, and a real Pushgateway."""

import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from audit_jobs.errors import PublishFailed
from audit_jobs.pruning.summary import Funnel
from audit_jobs.records import AuditResult
from audit_jobs.sinks.prometheus import push, registry, write_textfile
from collectors.queries.observed import TableName
from tests.audit_jobs.sinks.results import (
    EVENTS,
    ORDERS,
    UNPARSEABLE,
    audit_result,
    replayed,
    summary,
)


def text(metrics: CollectorRegistry) -> str:
    return generate_latest(metrics).decode()


def samples(metrics: CollectorRegistry | str) -> list[str]:
    exposition = metrics if isinstance(metrics, str) else text(metrics)
    return [line for line in exposition.splitlines() if not line.startswith("#")]


def of(name: str, result: AuditResult, max_tables: int = 9) -> list[str]:
    return [
        line.removeprefix(f"prunescope_{name}")
        for line in samples(registry(result, max_tables=max_tables))
        if line.startswith((f"prunescope_{name}{{", f"prunescope_{name} "))
    ]


ORDERS_LABELS = '{catalog="lake",namespace="sales",table="orders"}'
EVENTS_LABELS = '{catalog="lake",namespace="web.raw",table="events"}'
OTHER_LABELS = '{catalog="other",namespace="other",table="other"}'


def test_a_small_run_is_exactly_these_samples() -> None:
    result = audit_result(replayed("a"), replayed("b"), UNPARSEABLE)
    assert samples(registry(result, max_tables=9)) == [
        f"prunescope_scans{ORDERS_LABELS} 2.0",
        f"prunescope_manifests_in_snapshot{ORDERS_LABELS} 20.0",
        f"prunescope_manifests_considered{ORDERS_LABELS} 20.0",
        f"prunescope_manifests_kept{ORDERS_LABELS} 8.0",
        f"prunescope_data_files_in_snapshot{ORDERS_LABELS} 80.0",
        f"prunescope_data_files_considered{ORDERS_LABELS} 40.0",
        f"prunescope_data_files_kept{ORDERS_LABELS} 10.0",
        f"prunescope_data_in_snapshot_bytes{ORDERS_LABELS} 8000.0",
        f"prunescope_data_considered_bytes{ORDERS_LABELS} 4000.0",
        f"prunescope_data_kept_bytes{ORDERS_LABELS} 1000.0",
        f"prunescope_records_in_snapshot{ORDERS_LABELS} 800.0",
        f"prunescope_records_considered{ORDERS_LABELS} 400.0",
        f"prunescope_records_kept{ORDERS_LABELS} 100.0",
        f"prunescope_row_groups_considered{ORDERS_LABELS} 30.0",
        f"prunescope_row_groups_kept{ORDERS_LABELS} 12.0",
        f"prunescope_scans_row_groups_unknown{ORDERS_LABELS} 0.0",
        'prunescope_run_queries{outcome="replayed"} 2.0',
        'prunescope_run_queries{outcome="unparseable"} 1.0',
        "prunescope_run_duration_seconds 90.5",
        "prunescope_run_tables 3.0",
        "prunescope_run_tables_failed 1.0",
        "prunescope_run_tables_folded 0.0",
        "prunescope_run_footers_read 9.0",
        "prunescope_last_completion_timestamp_seconds 1.7150436905e+09",
        "prunescope_last_success_timestamp_seconds 1.7150436905e+09",
        'prunescope_build_info{version="0.1.0"} 1.0',
    ]


def test_every_family_is_a_gauge_with_help() -> None:
    families = list(text_string_to_metric_families(text(registry(audit_result(), max_tables=1))))
    assert len(families) == 25
    assert all(family.type == "gauge" and family.documentation for family in families)
    assert not any(family.name.endswith("_total") for family in families)


def test_considered_and_kept_leave_out_the_scans_of_which_one_is_unknown() -> None:
    unknown = replayed("b", scan_summary=summary(row_groups=Funnel(None, None, 3)))
    result = audit_result(replayed("a"), unknown)
    assert of("row_groups_considered", result) == [f"{ORDERS_LABELS} 15.0"]
    assert of("row_groups_kept", result) == [f"{ORDERS_LABELS} 6.0"]
    assert of("scans_row_groups_unknown", result) == [f"{ORDERS_LABELS} 1.0"]
    assert of("scans", result) == [f"{ORDERS_LABELS} 2.0"]


def test_a_family_of_which_nothing_is_known_has_no_sample() -> None:
    result = audit_result(replayed("a", scan_summary=summary(row_groups=Funnel(None, None, None))))
    assert of("row_groups_considered", result) == of("row_groups_kept", result) == []
    assert of("scans_row_groups_unknown", result) == [f"{ORDERS_LABELS} 1.0"]


def test_in_snapshot_is_absent_where_one_scan_does_not_know_it() -> None:
    unknown = replayed("b", scan_summary=summary(data=Funnel(None, 2_000, 500)))
    result = audit_result(replayed("a"), unknown, replayed("c", EVENTS))
    assert of("data_in_snapshot_bytes", result) == [f"{EVENTS_LABELS} 4000.0"]
    assert of("data_considered_bytes", result) == [
        f"{ORDERS_LABELS} 4000.0",
        f"{EVENTS_LABELS} 2000.0",
    ]


def test_tables_beyond_the_cap_are_folded_and_nothing_is_lost() -> None:
    large = summary(data=Funnel(9_000, 9_000, 9_000))
    tables = [TableName("lake", ("tmp",), name) for name in ("x", "y")]
    result = audit_result(
        replayed("a"),
        replayed("b", EVENTS, large),
        *(replayed(table.table, table) for table in tables),
    )
    assert of("scans", result, max_tables=2) == [
        f"{ORDERS_LABELS} 1.0",
        f"{OTHER_LABELS} 2.0",
        f"{EVENTS_LABELS} 1.0",
    ]
    assert of("run_tables_folded", result, max_tables=2) == [" 2.0"]
    assert of("run_tables_folded", result, max_tables=4) == [" 0.0"]


@pytest.mark.parametrize(("status", "expected"), [("succeeded", 1), ("partial", 1), ("failed", 0)])
def test_only_a_run_that_published_counts_as_success(status: str, expected: int) -> None:
    result = audit_result(replayed("a"), status=status)
    assert len(of("last_success_timestamp_seconds", result)) == expected
    assert len(of("last_completion_timestamp_seconds", result)) == 1


def test_nothing_of_a_query_becomes_a_label() -> None:
    exposition = text(registry(audit_result(replayed("a"), UNPARSEABLE), max_tables=9))
    for private in ("query-a", "ana", "order_ts", "events.json", "f1", "queries.jsonl"):
        assert private not in exposition


def test_promtool_finds_nothing_to_complain_about(
    require_program: Callable[[str], Path],
) -> None:
    promtool = require_program("promtool")
    exposition = text(registry(audit_result(replayed("a"), UNPARSEABLE), max_tables=9))
    checked = subprocess.run(
        [promtool, "check", "metrics"],
        input=exposition,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_a_textfile_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "prunescope.prom"
    path.write_text("something longer than that\n" * 10_000)
    metrics = registry(audit_result(replayed("a")), max_tables=9)
    write_textfile(metrics, path)
    assert path.read_text() == text(metrics)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("absent/prunescope.prom", "there is no directory", id="no directory"),
        pytest.param("taken.prom", "IsADirectoryError", id="a directory of that name"),
    ],
)
def test_a_textfile_that_cannot_be_written_is_reported(
    tmp_path: Path, path: str, message: str
) -> None:
    (tmp_path / "taken.prom").mkdir()
    with pytest.raises(PublishFailed, match=message):
        write_textfile(registry(audit_result(), max_tables=9), tmp_path / path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["taken.prom"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=5) as response:  # noqa: S310
        body: bytes = response.read()
        return body.decode()


@pytest.fixture
def pushgateway(require_program: Callable[[str], Path]) -> Iterator[str]:
    """The address of a Pushgateway that runs for one test."""
    program = require_program("prometheus-pushgateway")
    address = f"127.0.0.1:{free_port()}"
    with subprocess.Popen(
        [program, f"--web.listen-address={address}", "--log.level=error"]
    ) as process:
        try:
            for _ in range(200):
                try:
                    fetch(f"http://{address}/-/ready")
                    break
                except urllib.error.URLError:
                    time.sleep(0.05)
            yield address
        finally:
            process.terminate()


@pytest.mark.parametrize(
    "prefix",
    [
        pytest.param("", id="host and port"),
        pytest.param("http://", id="URL"),
        pytest.param("http://ana:secret@", id="URL with credentials"),
    ],
)
def test_a_push_replaces_the_group_so_that_dropped_tables_vanish(
    pushgateway: str, prefix: str
) -> None:
    url = f"{prefix}{pushgateway}"
    push(registry(audit_result(replayed("a"), replayed("b", EVENTS)), max_tables=9), url, "nightly")
    push(registry(audit_result(replayed("a", ORDERS)), max_tables=9), url, "nightly")
    scans = [
        line
        for line in samples(fetch(f"http://{pushgateway}/metrics"))
        if line.startswith("prunescope_scans{")
    ]
    labels = ORDERS_LABELS.replace("namespace", 'instance="",job="nightly",namespace')
    assert scans == [f"prunescope_scans{labels} 1"]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        pytest.param(
            "http://ana:secret@127.0.0.1:1/gateway", r"http://127\.0\.0\.1:1/gateway", id="refused"
        ),
        pytest.param("127.0.0.1:1", r"http://127\.0\.0\.1:1 ", id="no scheme"),
        pytest.param("http://127.0.0.1:port", "Pushgateway's base URL", id="no port number"),
        pytest.param("http://[::1", "not a URL", id="no URL"),
    ],
)
def test_a_push_that_fails_names_the_gateway_without_credentials(url: str, message: str) -> None:
    with pytest.raises(PublishFailed, match=message) as raised:
        push(registry(audit_result(), max_tables=9), url, "nightly")
    assert "secret" not in str(raised.value)
