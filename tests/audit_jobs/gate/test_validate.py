"""What the gate lets through, and what it says of the rest."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog

from audit_jobs.findings.model import Finding
from audit_jobs.findings.rows import keyed
from audit_jobs.gate.checker import quietly
from audit_jobs.gate.validate import validate
from audit_jobs.pruning.summary import Footers, Funnel, ScanPlanSummary
from audit_jobs.results.result import AuditResult
from audit_jobs.results.table_rows import run_row
from audit_jobs.sinks.audit_tables import mark_failed, publish
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


def key_of(finding: Finding) -> str:
    ((key, _),) = keyed([finding])
    return key


KEY = key_of(FOUND)


def test_a_sound_run_passes() -> None:
    verdict = validate(sound(), None)
    assert verdict.checks > 60
    assert verdict.failed == ()


@pytest.mark.parametrize(("inputs", "passes"), [(1, True), (7, False)])
def test_a_row_counts_as_many_inputs_as_it_stands_for(inputs: int, *, passes: bool) -> None:
    result = audit_result(replayed("0/0"), replayed("1/0"), replace(UNPARSEABLE, inputs=inputs))
    assert (validate(result, None).failed == ()) == passes
    counted = replace(result.run, queries={"replayed": 2, "unparseable": inputs})
    assert validate(replace(result, run=counted), None).failed == ()


@pytest.mark.parametrize(
    ("result", "table", "check", "rows"),
    [
        pytest.param(
            with_summary(lambda s: replace(s, data_files=Funnel(40, 20, 21))),
            "scan_plans",
            "data_files_kept, data_files_considered",
            ("1/0",),
            id="kept-more-than-considered",
        ),
        pytest.param(
            with_summary(lambda s: replace(s, manifests=Funnel(3, 10, 2))),
            "scan_plans",
            "manifests_considered, manifests_total",
            ("1/0",),
            id="considered-more-than-there-is",
        ),
        pytest.param(
            with_summary(lambda s: replace(s, bytes=Funnel(5, 5, -1))),
            "scan_plans",
            "bytes_kept",
            ("1/0",),
            id="negative",
        ),
        pytest.param(
            with_summary(lambda s: replace(s, row_group_records=Funnel(400, 49, 20))),
            "scan_plans",
            "records_kept",
            ("1/0",),
            id="passes-do-not-hand-on",
        ),
        pytest.param(
            with_summary(lambda s: replace(s, row_group_bytes=Funnel(None, 480, 190, 200, 300))),
            "scan_plans",
            "row_group_bytes_kept_low",
            ("1/0",),
            id="estimate-below-its-interval",
        ),
        pytest.param(
            with_summary(lambda s: replace(s, footers=Footers(3, 0, 4))),
            "scan_plans",
            "footers_skipped",
            ("1/0",),
            id="more-footers-skipped-than-needed",
        ),
        pytest.param(
            with_summary(
                lambda s: replace(
                    s, dangling_delete_files={**s.delete_files_by, "equality_delete_files": 1}
                )
            ),
            "scan_plans",
            "dangling_equality_delete_files, equality_delete_files_kept",
            ("1/0",),
            id="more-deletes-dangle-than-there-are",
        ),
        pytest.param(
            audit_result(replayed("0/0"), replayed("0/0", EVENTS), UNPARSEABLE),
            "scan_plans",
            "compound columns to be unique",
            ("0/0", "0/0"),
            id="the-same-key-twice",
        ),
        pytest.param(
            with_summary(
                lambda s: replace(
                    s, conjuncts=(replace(s.conjuncts[0], manifests_pruned=11), s.conjuncts[1])
                )
            ),
            "conjuncts",
            "manifests_pruned",
            ("1/0/0",),
            id="a-conjunct-prunes-more-than-there-is",
        ),
        pytest.param(
            with_findings(SPREAD, replace(FOUND, bytes_at_stake=1_001)),
            "findings",
            "bytes_at_stake, bytes_read",
            (KEY,),
            id="more-at-stake-than-was-read",
        ),
        pytest.param(
            with_findings(replace(FOUND, bytes_at_stake=-1)),
            "findings",
            "(bytes_at_stake)",
            (KEY,),
            id="a-fix-that-costs",
        ),
        pytest.param(
            with_findings(replace(FOUND, cause="bad_luck")),
            "findings",
            "(cause)",
            (key_of(replace(FOUND, cause="bad_luck")),),
            id="a-cause-that-nobody-knows",
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
def test_what_cannot_be_is_told_with_its_rows(
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
        from audit_jobs.gate.expectations import columns_of, expectations  # noqa: PLC0415
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

    monkeypatch.setattr("audit_jobs.gate.validate.run_row", row_with_more)
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
