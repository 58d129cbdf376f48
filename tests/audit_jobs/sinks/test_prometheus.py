"""Metrics of a run: exact text, promtool's opinion, and a real Pushgateway."""

import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from prunescope.audit_jobs.errors import PublishFailed
from prunescope.audit_jobs.pruning.summary import Funnel
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.metric_samples import attempt_samples, run_samples
from prunescope.audit_jobs.sinks.prometheus import push, registry, write_textfile
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.audit_jobs.status import Status
from prunescope.collectors.observed import TableName
from tests.audit_jobs.sinks.results import (
    EVENTS,
    MIDNIGHT,
    ORDERS,
    UNPARSEABLE,
    audit_result,
    replayed,
    summary,
)
from tests.integration.prometheus_servers import process
from tests.ports import free_port


def metrics_of(result: AuditResult, *, max_tables: int = 9) -> CollectorRegistry:
    return registry(
        run_samples(rows_of(result), max_tables=max_tables), catalogue.PUBLISHED, "lake"
    )


ATTEMPT = registry(
    attempt_samples({"status": "failed", "finished_at": MIDNIGHT}),
    (catalogue.RUN_STATUS, catalogue.LAST_COMPLETION),
    "lake",
)


def text(metrics: CollectorRegistry) -> str:
    return generate_latest(metrics).decode()


def samples(metrics: CollectorRegistry | str) -> list[str]:
    """Without the label that all have."""
    exposition = metrics if isinstance(metrics, str) else text(metrics)
    lines = [line for line in exposition.splitlines() if not line.startswith("#")]
    assert all('audit_catalog="lake"' in line for line in lines if line.startswith("prunescope_"))
    return [re.sub(r"{}", "", re.sub(r'audit_catalog="lake",?', "", line)) for line in lines]


def of(name: str, result: AuditResult, max_tables: int = 9) -> list[str]:
    return [
        line.removeprefix(f"prunescope_{name}")
        for line in samples(metrics_of(result, max_tables=max_tables))
        if line.startswith((f"prunescope_{name}{{", f"prunescope_{name} "))
    ]


ORDERS_LABELS = '{catalog="lake",namespace="sales",table="orders"}'
EVENTS_LABELS = '{catalog="lake",namespace="web.raw",table="events"}'
OTHER_LABELS = '{catalog="other",namespace="other",table="other"}'


def test_a_small_run_is_exactly_these_samples() -> None:
    result = audit_result(replayed("a"), replayed("b"), UNPARSEABLE)
    assert samples(metrics_of(result)) == [
        f"prunescope_scans{ORDERS_LABELS} 2.0",
        f"prunescope_manifests_in_snapshot{ORDERS_LABELS} 20.0",
        f"prunescope_manifests_considered{ORDERS_LABELS} 20.0",
        f"prunescope_manifests_kept{ORDERS_LABELS} 8.0",
        f"prunescope_data_files_in_snapshot{ORDERS_LABELS} 80.0",
        f"prunescope_data_files_considered{ORDERS_LABELS} 40.0",
        f"prunescope_data_files_kept{ORDERS_LABELS} 10.0",
        f"prunescope_data_files_allowed{ORDERS_LABELS} 10.0",
        f"prunescope_data_in_snapshot_bytes{ORDERS_LABELS} 8000.0",
        f"prunescope_data_considered_bytes{ORDERS_LABELS} 4000.0",
        f"prunescope_data_kept_bytes{ORDERS_LABELS} 1000.0",
        f"prunescope_data_allowed_bytes{ORDERS_LABELS} 1000.0",
        f"prunescope_records_in_snapshot{ORDERS_LABELS} 800.0",
        f"prunescope_records_considered{ORDERS_LABELS} 400.0",
        f"prunescope_records_kept{ORDERS_LABELS} 100.0",
        f"prunescope_row_groups_considered{ORDERS_LABELS} 30.0",
        f"prunescope_row_groups_kept{ORDERS_LABELS} 12.0",
        f"prunescope_scans_row_groups_unknown{ORDERS_LABELS} 0.0",
        f"prunescope_scans_row_groups_estimated{ORDERS_LABELS} 0.0",
        'prunescope_run_queries{outcome="replayed"} 2.0',
        'prunescope_run_queries{outcome="unparseable"} 1.0',
        "prunescope_run_duration_seconds 90.5",
        "prunescope_run_window_start_timestamp_seconds 1.7149536e+09",
        "prunescope_run_window_end_timestamp_seconds 1.71504e+09",
        "prunescope_run_tables 3.0",
        "prunescope_run_tables_failed 1.0",
        "prunescope_run_tables_set_aside 0.0",
        "prunescope_run_tables_unmeasured 0.0",
        "prunescope_run_causes_failed 0.0",
        "prunescope_run_tables_measured 0.0",
        "prunescope_run_tables_folded 0.0",
        'prunescope_run_labels_folded{label="agreement"} 0.0',
        'prunescope_run_labels_folded{label="finding"} 0.0',
        'prunescope_run_labels_folded{label="outcome"} 0.0',
        'prunescope_run_findings{severity="critical"} 0.0',
        'prunescope_run_findings{severity="high"} 0.0',
        'prunescope_run_findings{severity="medium"} 0.0',
        'prunescope_run_findings{severity="low"} 0.0',
        'prunescope_run_findings{severity="info"} 0.0',
        "prunescope_run_findings_suppressed 0.0",
        "prunescope_run_footers_read 9.0",
        "prunescope_run_footers_unread 3.0",
        "prunescope_run_footers_skipped 5.0",
        'prunescope_run_metadata_files{kind="footers",source="cache"} 7.0',
        'prunescope_run_metadata_requests{kind="manifests"} 2.0',
        'prunescope_run_metadata_read_bytes{kind="manifests"} 4000.0',
        "prunescope_run_read_bytes 70000.0",
        'prunescope_run_status{status="succeeded"} 0.0',
        'prunescope_run_status{status="partial"} 1.0',
        'prunescope_run_status{status="failed"} 0.0',
        "prunescope_last_completion_timestamp_seconds 1.7150436905e+09",
        "prunescope_last_success_timestamp_seconds 1.7150436905e+09",
        'prunescope_build_info{version="0.1.0"} 1.0',
    ]


def test_every_family_is_a_gauge_with_help() -> None:
    families = list(text_string_to_metric_families(text(metrics_of(audit_result(), max_tables=1))))
    assert [family.name for family in families] == [m.name for m in catalogue.PUBLISHED]
    assert all(family.type == "gauge" and family.documentation for family in families)
    assert not any(family.name.endswith("_total") for family in families)


def test_considered_and_kept_leave_out_the_scans_of_which_one_is_unknown() -> None:
    unknown = replayed("b", scan_summary=summary(row_groups=Funnel(None, None, 3)))
    result = audit_result(replayed("a"), unknown)
    assert of("row_groups_considered", result) == [f"{ORDERS_LABELS} 15.0"]
    assert of("row_groups_kept", result) == [f"{ORDERS_LABELS} 6.0"]
    assert of("scans_row_groups_unknown", result) == [f"{ORDERS_LABELS} 1.0"]
    assert of("scans", result) == [f"{ORDERS_LABELS} 2.0"]


def test_scans_whose_row_groups_rest_on_a_sample_are_told_by_table() -> None:
    estimated = replayed("b", scan_summary=summary(row_groups=Funnel(None, 15, 6, 4, 9)))
    result = audit_result(replayed("a"), estimated, replayed("c", EVENTS))
    assert of("scans_row_groups_estimated", result) == [
        f"{ORDERS_LABELS} 1.0",
        f"{EVENTS_LABELS} 0.0",
    ]
    assert of("scans_row_groups_unknown", result) == [
        f"{ORDERS_LABELS} 0.0",
        f"{EVENTS_LABELS} 0.0",
    ]


def test_a_run_that_does_not_tell_what_its_budget_left_out_has_no_sample_of_it() -> None:
    result = audit_result(replayed("a"))
    older = replace(result, run=replace(result.run, metadata={}))
    assert of("run_footers_skipped", older) == []


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
        f"{EVENTS_LABELS} 1.0",
        f"{OTHER_LABELS} 2.0",
    ]
    assert of("run_tables_folded", result, max_tables=2) == [" 2.0"]
    assert of("run_tables_folded", result, max_tables=4) == [" 0.0"]


@pytest.mark.parametrize(
    ("status", "expected"), [(Status.SUCCEEDED, 1), (Status.PARTIAL, 1), (Status.FAILED, 0)]
)
def test_only_a_run_that_published_counts_as_success(status: Status, expected: int) -> None:
    result = audit_result(replayed("a"), status=status)
    assert len(of("last_success_timestamp_seconds", result)) == expected
    assert len(of("last_completion_timestamp_seconds", result)) == 1


def test_nothing_of_a_query_becomes_a_label() -> None:
    exposition = text(metrics_of(audit_result(replayed("a"), UNPARSEABLE)))
    for private in ("query-a", "ana", "order_ts", "events.json", "f1", "queries.jsonl"):
        assert private not in exposition


def test_promtool_finds_nothing_to_complain_about(
    require_program: Callable[[str], Path],
) -> None:
    promtool = require_program("promtool")
    exposition = text(metrics_of(audit_result(replayed("a"), UNPARSEABLE)))
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
    metrics = metrics_of(audit_result(replayed("a")))
    write_textfile(metrics, path)
    assert path.read_text() == text(metrics)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("before", ["", "not { metrics\n"])
def test_a_failed_attempt_beside_no_metrics_is_a_file_of_its_own(
    tmp_path: Path, before: str
) -> None:
    path = tmp_path / "prunescope.prom"
    path.write_text(before)
    write_textfile(ATTEMPT, path, beside=True)
    assert path.read_text() == text(ATTEMPT)


def test_a_failed_attempt_leaves_in_the_file_what_earlier_runs_found(tmp_path: Path) -> None:
    path = tmp_path / "prunescope.prom"
    hostile = TableName("lake", ('say "hi"\n\\',), "tëst")
    metrics = metrics_of(audit_result(replayed("a"), replayed("b", hostile)))
    write_textfile(metrics, path)
    write_textfile(ATTEMPT, path, beside=True)
    replaced = ("prunescope_run_status", "prunescope_last_completion")
    before, after = samples(metrics), samples(path.read_text())
    assert sorted(line for line in after if not line.startswith(replaced)) == sorted(
        line for line in before if not line.startswith(replaced)
    )
    assert [line for line in after if line.startswith(replaced)] == samples(ATTEMPT)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("absent/prunescope.prom", "there is no directory", id="no directory"),
        pytest.param("taken.prom", "Is a directory", id="a directory of that name"),
    ],
)
def test_a_textfile_that_cannot_be_written_is_reported(
    tmp_path: Path, path: str, message: str
) -> None:
    (tmp_path / "taken.prom").mkdir()
    with pytest.raises(PublishFailed, match=message):
        write_textfile(metrics_of(audit_result()), tmp_path / path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["taken.prom"]


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=5) as response:  # noqa: S310
        body: bytes = response.read()
        return body.decode()


@pytest.fixture
def pushgateway(require_program: Callable[[str], Path]) -> Iterator[str]:
    """The address of a Pushgateway that runs for one test."""
    program = require_program("prometheus-pushgateway")
    address = f"127.0.0.1:{free_port()}"
    # Debian's keeps its groups in a file unless it is told not to.
    options = ["--persistence.file="]
    with process(program, address, options):
        yield address


@pytest.mark.parametrize(
    "prefix",
    [
        pytest.param("http://", id="URL"),
        pytest.param("http://ana:secret@", id="URL with credentials"),
    ],
)
def test_a_push_replaces_the_group_so_that_dropped_tables_vanish(
    pushgateway: str, prefix: str
) -> None:
    url = f"{prefix}{pushgateway}"
    push(metrics_of(audit_result(replayed("a"), replayed("b", EVENTS))), url, "nightly", "lake")
    push(metrics_of(audit_result(replayed("a", ORDERS))), url, "nightly", "lake")
    scans = [
        line
        for line in samples(fetch(f"http://{pushgateway}/metrics"))
        if line.startswith("prunescope_scans{")
    ]
    labels = ORDERS_LABELS.replace("namespace", 'instance="",job="nightly",namespace')
    assert scans == [f"prunescope_scans{labels} 1"]


def test_a_failed_attempt_leaves_on_the_gateway_what_earlier_runs_found(pushgateway: str) -> None:
    push(metrics_of(audit_result(replayed("a"))), f"http://{pushgateway}", "nightly", "lake")
    push(ATTEMPT, f"http://{pushgateway}", "nightly", "lake", beside=True)
    held = fetch(f"http://{pushgateway}/metrics")
    values = {
        line.partition("{")[0] + "".join(re.findall('status="[a-z]+"', line)): line.split()[-1]
        for line in held.splitlines()
        if line.startswith("prunescope_")
    }
    assert values['prunescope_run_statusstatus="failed"'] == "1"
    assert values['prunescope_run_statusstatus="partial"'] == "0"
    assert values["prunescope_last_completion_timestamp_seconds"] == "1.7149536e+09"
    assert values["prunescope_last_success_timestamp_seconds"] == "1.7150436905e+09"
    assert values["prunescope_scans"] == "1"


def test_a_push_replaces_only_the_group_of_its_audit_tables(pushgateway: str) -> None:
    push(metrics_of(audit_result(replayed("a"))), f"http://{pushgateway}", "nightly", "lake")
    push(
        metrics_of(audit_result(replayed("b", EVENTS))), f"http://{pushgateway}", "nightly", "pond"
    )
    held = fetch(f"http://{pushgateway}/metrics").splitlines()
    assert sum(line.startswith("prunescope_scans{") for line in held) == 2


@pytest.mark.parametrize(
    ("url", "message"),
    [
        pytest.param(
            "http://ana:secret@127.0.0.1:1/gateway", r"http://127\.0\.0\.1:1/gateway", id="refused"
        ),
        pytest.param("http://127.0.0.1:port", "base URL of a Pushgateway", id="no port number"),
        pytest.param("http://[::1", "not a URL", id="no URL"),
    ],
)
def test_a_push_that_fails_names_the_gateway_without_credentials(url: str, message: str) -> None:
    with pytest.raises(PublishFailed, match=message) as raised:
        push(metrics_of(audit_result()), url, "nightly", "lake")
    assert "secret" not in str(raised.value)
