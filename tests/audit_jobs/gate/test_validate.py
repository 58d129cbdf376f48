"""What the gate lets through, and what it says of the rest."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.findings.rows import keyed
from prunescope.audit_jobs.gate.checker import quietly
from prunescope.audit_jobs.gate.validate import validate
from prunescope.audit_jobs.pruning.summary import Footers, Funnel, ScanPlanSummary
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.table_rows import run_row
from prunescope.audit_jobs.sinks.audit_tables import mark_failed, publish
from tests.audit_jobs.sinks.results import (
    EVENTS,
    FOUND,
    SPREAD,
    UNPARSEABLE,
    audit_result,
    replayed,
    summary,
)

pytestmark = pytest.mark.slow


def sound(run_id: str = "run-1") -> AuditResult:
    return with_findings(FOUND, SPREAD, run_id=run_id)


def with_findings(*findings: Finding, run_id: str = "run-1") -> AuditResult:
    scans = (replayed("0/0"), replayed("1/0", EVENTS), UNPARSEABLE)
    return audit_result(*scans, findings=findings, run_id=run_id)


def with_summary(change: Callable[[ScanPlanSummary], ScanPlanSummary]) -> AuditResult:
    changed = replayed("1/0", EVENTS, change(summary()))
    return audit_result(replayed("0/0"), changed, UNPARSEABLE)


def test_a_sound_run_passes() -> None:
    found = validate(sound(), None)
    assert found.checks > 60
    assert found.failed == ()


@pytest.mark.parametrize(("inputs", "passes"), [(1, True), (7, False)])
def test_a_row_counts_as_many_inputs_as_it_stands_for(inputs: int, *, passes: bool) -> None:
    result = audit_result(replayed("0/0"), replayed("1/0"), replace(UNPARSEABLE, inputs=inputs))
    assert (validate(result, None).failed == ()) == passes
    counted = replace(result.run, queries={"replayed": 2, "unparseable": inputs})
    assert validate(replace(result, run=counted), None).failed == ()


Change = Callable[[ScanPlanSummary], ScanPlanSummary]

CANNOT_BE: dict[tuple[str, str], Change] = {
    ("scan_plans", "data_files_kept, data_files_considered"): lambda s: replace(
        s, data_files=Funnel(40, 20, 21)
    ),
    ("scan_plans", "manifests_considered, manifests_total"): lambda s: replace(
        s, manifests=Funnel(3, 10, 2)
    ),
    ("scan_plans", "bytes_kept"): lambda s: replace(s, bytes=Funnel(5, 5, -1)),
    ("scan_plans", "records_kept, row_group_records_considered"): lambda s: replace(
        s, row_group_records=Funnel(400, 49, 20)
    ),
    ("scan_plans", "row_group_bytes_kept_low, row_group_bytes_kept"): lambda s: replace(
        s, row_group_bytes=Funnel(None, 480, 190, 200, 300)
    ),
    ("scan_plans", "footers_skipped, footers_needed"): lambda s: replace(
        s, footers=Footers(3, 0, 4)
    ),
    (
        "scan_plans",
        "dangling_equality_delete_files, equality_delete_files_kept",
    ): lambda s: replace(
        s, dangling_delete_files={**s.delete_files_by, "equality_delete_files": 1}
    ),
    ("conjuncts", "manifests_pruned, scan_manifests_considered"): lambda s: replace(
        s, conjuncts=(replace(s.conjuncts[0], manifests_pruned=11), s.conjuncts[1])
    ),
}
"""What is wrong of a scan, by the frame and the columns of which it is told."""

NO_FINDING = {
    "bytes_at_stake, bytes_read": replace(FOUND, bytes_at_stake=1_001),
    "bytes_at_stake": replace(FOUND, bytes_at_stake=-1),
    "cause": replace(FOUND, cause="bad_luck"),
}
"""Likewise of a finding."""


def test_what_cannot_be_is_told_with_its_rows() -> None:
    """Each thing of a row of its own, in one run: checking one takes as long."""
    scans = [
        replayed(f"{number}/0", EVENTS, change(summary()))
        for number, change in enumerate(CANNOT_BE.values())
    ]
    result = audit_result(*scans, UNPARSEABLE, findings=(*NO_FINDING.values(), SPREAD))
    queries = {"replayed": len(scans), "unparseable": 1}
    failed = validate(replace(result, run=replace(result.run, queries=queries)), None).failed
    scan_keys = {"scan_plans": "{}/0", "conjuncts": "{}/0/0"}
    keys = [key for key, _ in keyed(result.findings)]
    expected = [
        *((frame, of, scan_keys[frame].format(n)) for n, (frame, of) in enumerate(CANNOT_BE)),
        *(("findings", of, key) for of, key in zip(NO_FINDING, keys, strict=False)),
    ]
    told = [(each.table, each.check.rpartition(" (")[2][:-1], *each.rows) for each in failed]
    assert sorted(told) == sorted(expected)
    assert all(str(each).startswith(f"{each.table}: ") for each in failed)


@pytest.mark.parametrize(
    ("result", "table", "check", "rows"),
    [
        pytest.param(
            audit_result(replayed("0/0"), replayed("0/0", EVENTS), UNPARSEABLE),
            "scan_plans",
            "compound columns to be unique",
            ("0/0", "0/0"),
            id="the-same-key-twice",
        ),
        pytest.param(
            audit_result(replayed("0/0"), UNPARSEABLE),
            "accounting",
            "outcomes",
            (),
            id="an-input-without-outcome",
        ),
    ],
)
def test_what_is_wrong_of_a_whole_run_is_told(
    result: AuditResult, table: str, check: str, rows: tuple[str, ...]
) -> None:
    failed = validate(result, None).failed
    (found,) = (f for f in failed if f.table == table and check in f.check)
    assert found.rows == rows
    assert str(found).startswith(f"{table}: ")


def test_what_is_told_does_not_depend_on_where_results_are_kept(tmp_path: Path) -> None:
    wrong = with_summary(lambda s: replace(s, bytes=Funnel(5, 5, -1), manifests=Funnel(3, 10, 2)))
    assert validate(wrong, None) == validate(wrong, tmp_path)


def test_of_every_expectation_it_is_known_what_it_reads() -> None:
    """Of all other columns, Great Expectations is given only the names."""
    with quietly():
        from prunescope.audit_jobs.gate.expectations import columns_of, expectations  # noqa: PLC0415
    for of_frame in expectations().values():
        for each in of_frame:
            settings = each.configuration.kwargs
            assert bool(columns_of(each)) != ("column_set" in settings), each
            assert settings.get("row_condition") is None


def test_findings_that_share_everything_are_told_apart() -> None:
    assert validate(with_findings(FOUND, FOUND, SPREAD, SPREAD), None).failed == ()


def test_a_column_that_is_not_in_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    def row_with_more(result: AuditResult) -> dict[str, object]:
        return {**run_row(result), "surprise": 1}

    monkeypatch.setattr("prunescope.audit_jobs.gate.validate.run_row", row_with_more)
    (failed,) = validate(sound(), None).failed
    assert (failed.table, failed.check) == ("audit_runs", "table columns to match set")


def test_results_are_kept_and_can_be_opened(tmp_path: Path) -> None:
    validate(with_summary(lambda s: replace(s, bytes=Funnel(5, 5, 6))), tmp_path)
    docs = tmp_path / "gx" / "uncommitted" / "data_docs" / "local_site"
    assert (docs / "index.html").is_file()
    assert list(docs.glob("validations/scan_plans/**/*.html"))
    assert list((tmp_path / "gx" / "uncommitted" / "validations").rglob("*.json"))


def test_a_run_that_failed_is_marked_and_hides_nothing(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path}/catalog.db"
    catalog = SqlCatalog("lake", uri=uri, warehouse=f"file://{tmp_path}")
    publish(sound("good"), catalog, "audit")
    for run_id in ("bad", "worse"):
        mark_failed(sound(run_id), catalog, "audit")
    runs = catalog.load_table("audit.audit_runs").scan().to_arrow().to_pylist()
    assert {run["run_id"]: (run["status"], run["scans"]) for run in runs} == {
        "good": ("partial", 3),
        "worse": ("failed", 0),
    }
    plans = catalog.load_table("audit.scan_plans").scan().to_arrow().to_pylist()
    assert {row["run_id"] for row in plans} == {"good"}
    publish(sound("again"), catalog, "audit")
    runs = catalog.load_table("audit.audit_runs").scan().to_arrow().to_pylist()
    assert [run["run_id"] for run in runs] == ["again"]
