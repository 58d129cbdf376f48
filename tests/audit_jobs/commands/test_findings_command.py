"""`prunescope findings` over published runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.findings.entries import document, entries
from prunescope.audit_jobs.findings.model import Finding, Severity
from prunescope.audit_jobs.sinks.audit_tables import mark_failed, publish
from tests.audit_jobs.sinks.results import (
    DAY,
    FOUND,
    MIDNIGHT,
    ORDERS,
    SPREAD,
    audit_result,
    replayed,
)
from tests.audit_jobs.views.sarif_structure import check as check_sarif

WRONG = replace(
    FOUND,
    cause="small_files",
    severity=Severity.CRITICAL,
    fingerprint=None,
    conjunct=None,
    evidence={},
)
IGNORED = replace(SPREAD, table=ORDERS, severity=Severity.INFO, suppressed="moves soon")
ALL = (WRONG, FOUND, SPREAD, IGNORED)
SMALL = (replace(SPREAD, fingerprint="small", bytes_at_stake=7),)


class Audits:
    """A catalog with audit tables, and the configuration that names it."""

    def __init__(self, folder: Path) -> None:
        properties = {"uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}"}
        self.catalog = SqlCatalog("lake", **properties)
        self.config = folder / "audit.yaml"
        document = {
            "catalogs": {"lake": {"properties": {"type": "sql", **properties}}},
            "sources": [{"type": "trino_events", "paths": ["none"]}],
            "audit": {"catalog": "lake", "namespace": "ops.audit"},
        }
        self.config.write_text(yaml.safe_dump(document))

    def publish(
        self, *findings: Any, small: tuple[Finding, ...] = (), run_id: str = "run-1", days: int = 0
    ) -> None:
        start = MIDNIGHT + days * DAY
        result = audit_result(replayed("a"), findings=findings, run_id=run_id, start=start)
        publish(replace(result, small_findings=small), self.catalog, "ops.audit")

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(main, ["findings", "--config", str(self.config), *arguments])

    def found(self, *arguments: str) -> list[dict[str, Any]]:
        result = self.run("--json", *arguments)
        assert result.exit_code == 0, result.output
        return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> Audits:
    """Two visible runs, and a later one that failed."""
    audits = Audits(tmp_path_factory.mktemp("audits"))
    audits.publish(*ALL, small=SMALL)
    audits.publish(SPREAD, run_id="earlier", days=-1)
    failed = audit_result(findings=(FOUND,), run_id="failed", start=MIDNIGHT + DAY)
    mark_failed(failed, audits.catalog, "ops.audit")
    return audits


@pytest.mark.slow
def test_the_findings_of_the_last_visible_run_come_as_they_were_ranked(audits: Audits) -> None:
    expected = [document(entry) for entry in entries(ALL)]
    found = audits.found("--suppressed")
    window = {
        "window_start": "2024-05-06T00:00:00+00:00",
        "window_end": "2024-05-07T00:00:00+00:00",
    }
    assert found == [{"run_id": "run-1", **window, **item} for item in expected]
    assert [item["rank"] for item in found] == [1, 2, 3, 4]


@pytest.mark.slow(minutes=0.1)
def test_what_was_too_small_to_be_told_comes_after_the_others(audits: Audits) -> None:
    told, everything = audits.found("--suppressed"), audits.found("--suppressed", "--all")
    assert everything[: len(told)] == told
    (small,) = everything[len(told) :]
    assert (small["rank"], small["fingerprint"], small["bytes_at_stake"]) == (5, "small", 7)


@pytest.mark.parametrize(
    ("arguments", "ranks"),
    [
        pytest.param([], [1, 2, 3], id="not the suppressed ones"),
        pytest.param(["--suppressed"], [1, 2, 3, 4], id="all"),
        pytest.param(["--table", "lake.sales.*"], [1, 2], id="tables"),
        pytest.param(["--table", "*.orders", "--run", "earlier"], [], id="a table without any"),
        pytest.param(["--cause", "wrapped_column"], [2], id="cause"),
        pytest.param(["--severity", "critical"], [1], id="critical"),
        pytest.param(["--severity", "medium"], [1, 2], id="medium and worse"),
        pytest.param(["--fingerprint", "f1"], [2], id="fingerprint"),
        pytest.param(["--fingerprint", "f3"], [3], id="one of several fingerprints"),
        pytest.param(["--limit", "2"], [1, 2], id="limit"),
        pytest.param(["--table", "*events", "--limit", "5"], [3], id="ranks are of the run"),
    ],
)
def test_what_is_asked_for_is_listed(
    audits: Audits, arguments: list[str], ranks: list[int]
) -> None:
    assert [item["rank"] for item in audits.found(*arguments)] == ranks


@pytest.mark.parametrize(
    ("table", "advice"),
    [
        pytest.param("nosuch", "known: lake.sales.orders", id="like no other"),
        pytest.param("orders", "did you mean lake.sales.orders?", id="its last part"),
        pytest.param("Sales.Orders", "did you mean lake.sales.orders?", id="its last parts"),
        pytest.param("lake.sale.orders", "did you mean lake.sales.orders?", id="misspelt"),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "JSON"])
def test_a_table_that_no_query_read_is_refused(
    audits: Audits, table: str, advice: str, form: list[str]
) -> None:
    result = audits.run("--table", table, *form)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"prunescope: Run run-1 read no table {table!r}. A name is catalog.namespace.table, and * "
        f"matches any text; {advice}\n"
    )


def test_an_earlier_run_is_listed_by_its_id(audits: Audits) -> None:
    (found,) = audits.found("--run", "earlier")
    assert (found["run_id"], found["cause"]) == ("earlier", "unclustered_column")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--run", "failed"], "failed", id="a run that was not published"),
        pytest.param(["--run", "x' or 'a' = 'a"], "no finished run", id="no such run"),
        pytest.param(["--cause", "bad_luck"], "known: wrapped_column", id="no such cause"),
        pytest.param(["--cause", "small_file"], "did you mean small_files?", id="nearly a cause"),
        pytest.param(["--json", "--sarif"], "--sarif", id="two formats"),
        pytest.param(["--limit", "0"], "--limit", id="no limit"),
    ],
)
def test_nothing_done_is_2(audits: Audits, arguments: list[str], message: str) -> None:
    result = audits.run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_before_the_first_audit_there_is_nothing_to_list(tmp_path: Path) -> None:
    audits = Audits(tmp_path)
    result = audits.run()
    assert (result.exit_code, "audit_runs" in result.stderr) == (2, True)
    mark_failed(audit_result(run_id="failed"), audits.catalog, "ops.audit")
    result = audits.run()
    assert (result.exit_code, "prunescope audit" in result.stderr) == (2, True)


@pytest.mark.slow(minutes=0.1)
def test_a_run_without_findings_is_told(tmp_path: Path) -> None:
    audits = Audits(tmp_path)
    audits.publish()
    result = audits.run()
    assert (result.exit_code, "no findings" in result.stdout) == (0, True)
    assert audits.found() == []
    assert check_sarif(json.loads(audits.run("--sarif").stdout)) == []


def test_sarif_names_tables_levels_and_suppressions(audits: Audits) -> None:
    results = check_sarif(json.loads(audits.run("--sarif", "--suppressed").stdout))
    assert [result["level"] for result in results] == ["error", "error", "note", "note"]
    (location,) = results[1]["locations"]
    assert location == {
        "logicalLocations": [{"fullyQualifiedName": "lake.sales.orders", "kind": "resource"}]
    }
    assert results[1]["message"]["text"].startswith(FOUND.sentence)
    assert [result.get("suppressions") for result in results] == [
        None,
        None,
        None,
        [{"kind": "external", "justification": "moves soon"}],
    ]


def test_a_terminal_gets_the_sentence_of_each_and_how_to_see_the_rest(audits: Audits) -> None:
    shown = " ".join(audits.run("--limit", "2").stdout.split())
    assert "6 May 2024 (UTC): partial" in shown
    assert shown.count("compare it with a range instead") == 2
    assert "3 findings: 1 critical, 1 high, 1 low … 1 more 1 suppressed" in shown
    assert "values are spread" not in shown


def test_details_have_evidence_and_statements_that_can_be_copied(audits: Audits) -> None:
    shown = audits.run("--details").stdout
    for statement in (*FOUND.fix.spark, *FOUND.fix.trino):
        assert f"\n{statement};\n" in shown
    assert f"    {FOUND.documentation}\n" in shown
    assert "partition fields order_ts_day; share 0.9" in shown
    assert "depth" not in shown


@pytest.mark.slow(minutes=0.1)
def test_a_namespace_of_before_small_findings_were_kept_is_read(tmp_path: Path) -> None:
    audits = Audits(tmp_path)
    audits.publish(FOUND, small=SMALL)
    assert len(audits.found("--all")) == 2
    audits.catalog.drop_table("ops.audit.small_findings")
    assert len(audits.found("--all")) == len(audits.found()) == 1
