"""`prunescope check` over the tables of the demo."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.commands.options import SEVERITIES
from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.jobs.check import located
from prunescope.audit_jobs.records import ScanRecord
from prunescope.collectors.observed import TableName
from tests.audit_jobs.sinks.results import (
    EVENTS,
    ORDERS,
    SPREAD,
    UNPARSEABLE,
    audit_result,
    replayed,
)
from tests.audit_jobs.views.sarif_structure import check as check_sarif

pytestmark = pytest.mark.slow

ON_A_DAY = "SELECT count(*) FROM sales.orders WHERE date_format(order_ts, '%Y-%m-%d') = '{day}'"
IN_A_YEAR = "SELECT count(*) FROM lake.sales.orders WHERE year(order_ts) = 2023"
IN_A_RANGE = "SELECT * FROM sales.orders WHERE order_ts >= TIMESTAMP '2024-04-20 00:00:00 UTC'"
OF_THE_LAST_DAY = (
    "SELECT * FROM sales.orders WHERE order_ts = (SELECT max(order_ts) FROM sales.orders)"
)
FOREIGN = "SELECT * FROM mysql.crm.tickets"

EVERYTHING = {
    "table": "*",
    "small_table_bytes": 0,
    "min_bytes_at_stake": 1,
    "medium_bytes": 10**6,
    "high_bytes": 10**12,
    "min_scans": 50,
}


@pytest.fixture(scope="module")
def demo(demo_lake: Path) -> dict[str, Any]:
    """The configuration of the demo, of which a test has its own."""
    config: dict[str, Any] = yaml.safe_load(demo_lake.read_text())
    return config


@pytest.fixture
def project(demo: dict[str, Any], tmp_path: Path) -> Project:
    return Project(demo, tmp_path)


class Project:
    """A folder of SQL files, and the configuration to check them by."""

    def __init__(self, demo: dict[str, Any], folder: Path) -> None:
        self._demo = demo
        self.folder = folder
        self.models = folder / "target" / "compiled"
        self.models.mkdir(parents=True)

    def write(self, **files: str) -> Project:
        for name, sql in files.items():
            path = self.models / f"{name.replace('__', '/')}.sql"
            path.parent.mkdir(exist_ok=True)
            path.write_text(sql)
        return self

    def run(self, *arguments: str, thresholds: Any = EVERYTHING, **findings: Any) -> Result:
        config = self.folder / "audit.yaml"
        changed = self._demo | {"findings": {"thresholds": [thresholds], **findings}}
        config.write_text(yaml.safe_dump(changed))
        command = ["check", "--sql-dir", str(self.models), "--config", str(config), *arguments]
        return CliRunner().invoke(main, command)

    def answer(self, *arguments: str, **settings: Any) -> dict[str, Any]:
        result = self.run("--json", *arguments, **settings)
        assert result.exit_code in (0, 1), result.output
        found: dict[str, Any] = json.loads(result.stdout)
        return found

    def found(self, *arguments: str, **settings: Any) -> dict[str, list[str]]:
        """Files by the causes found in them."""
        answer = self.answer(*arguments, **settings)
        files: dict[str, list[str]] = {}
        for finding in answer["findings"]:
            files.setdefault(finding["cause"], []).extend(finding["files"])
        return files


def test_a_finding_names_every_file_that_has_it(project: Project) -> None:
    project.write(
        staging__a=ON_A_DAY.format(day="2024-04-12"),
        staging__b=ON_A_DAY.format(day="2024-04-13"),
        good=IN_A_RANGE,
    )
    found = project.found()
    assert found["wrapped_column"] == ["staging/a.sql", "staging/b.sql"]
    assert "good.sql" not in {file for files in found.values() for file in files}


def test_what_is_too_small_is_counted_and_told_on_demand(project: Project) -> None:
    project.write(a=ON_A_DAY.format(day="2024-04-12"))
    small = {"table": "*", "min_bytes_at_stake": 10**15}
    told = project.run(thresholds=small)
    assert "below the thresholds (" in told.stdout
    assert "in all). Use --all." in " ".join(told.stdout.split())
    assert project.found(thresholds=small) == {}
    assert project.answer(thresholds=small)["too_small"]["findings"] > 0
    assert project.found("--all", thresholds=small)["wrapped_column"] == ["a.sql"]
    assert "below the thresholds" not in project.run("--all", thresholds=small).stdout
    assert project.run("--all", "--fail-on", "info", thresholds=small).exit_code == 1


def test_all_has_what_is_no_fault_as_well(project: Project) -> None:
    project.write(a=OF_THE_LAST_DAY)
    small = {"table": "*", "min_bytes_at_stake": 10**15}
    assert "runtime_only" not in project.found(thresholds=small)
    found = project.answer("--all", thresholds=small)["findings"]
    assert ["a.sql"] in [each["files"] for each in found if each["cause"] == "runtime_only"]
    assert {each["severity"] for each in found if each["cause"] == "runtime_only"} == {"info"}


def test_a_finding_over_several_shapes_names_the_files_of_each() -> None:
    result = audit_result(
        scan_of("a.sql", EVENTS, "f2"),
        scan_of("b.sql", EVENTS, "f4"),
        scan_of("c.sql", ORDERS, "f3"),
        scan_of("d.sql", EVENTS, "f3"),
        scan_of("d.sql", ORDERS, "f3"),
        UNPARSEABLE,
        findings=(SPREAD, replace(SPREAD, evidence={"files": 3})),
    )
    assert [entry.files for entry in located(result)] == [("a.sql", "d.sql"), ()]


def scan_of(file: str, table: TableName, fingerprint: str) -> ScanRecord:
    return replace(replayed(file, table), query_id=file, fingerprint=fingerprint)


def test_one_run_is_enough_whatever_the_thresholds_say(project: Project) -> None:
    project.write(a=ON_A_DAY.format(day="2024-04-12"))
    (finding,) = (f for f in project.answer()["findings"] if f["cause"] == "wrapped_column")
    assert (finding["scans"], finding["table"]) == (1, "orders")
    assert 0 < finding["bytes_at_stake"] <= finding["bytes_read"]


@pytest.mark.parametrize(
    ("arguments", "wrapped"),
    [
        pytest.param([], False, id="Trino unwraps year()"),
        pytest.param(["--engine", "spark-3.5"], True, id="Spark does not"),
        pytest.param(["--dialect", "spark"], True, id="whose dialect says so"),
        pytest.param(["--dialect", "Spark"], True, id="in any case"),
        pytest.param(["--dialect", "spark", "--engine", "trino"], False, id="the engine counts"),
        pytest.param(["--dialect", "databricks"], False, id="nobody knows what is pushed"),
    ],
)
def test_the_engine_decides(project: Project, arguments: list[str], wrapped: bool) -> None:
    project.write(a=IN_A_YEAR)
    assert ("wrapped_column" in project.found(*arguments)) is wrapped


@pytest.mark.parametrize(
    ("arguments", "outcome"),
    [
        pytest.param([], "table_not_found", id="without a schema"),
        pytest.param(["--schema", "sales"], "replayed", id="with one"),
        pytest.param(["--catalog", "mysql"], "no_iceberg_table", id="of another catalog"),
    ],
)
def test_names_are_completed_by_the_session(
    project: Project, arguments: list[str], outcome: str
) -> None:
    project.write(a="SELECT * FROM orders WHERE order_ts IS NULL")
    assert project.answer(*arguments)["files"] == {outcome: 1}


def test_the_configuration_is_audit_yaml_where_none_is_named(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(good=IN_A_RANGE).run()
    monkeypatch.chdir(project.folder)
    result = CliRunner().invoke(main, ["check", "--sql-dir", "target", "--json"])
    assert json.loads(result.stdout)["files"] == {"replayed": 1}


def test_every_file_that_is_not_judged_is_named_with_its_outcome(project: Project) -> None:
    project.write(
        template="SELECT * FROM {{ ref('orders') }}",
        broken="SELECT FROM WHERE (",
        gone="SELECT * FROM sales.refunds",
        column="SELECT 1 FROM sales.orders WHERE colour = 1",
        ddl="CREATE SCHEMA x",
        foreign=FOREIGN,
        unused="WITH c AS (SELECT * FROM sales.orders) SELECT 1",
        good=IN_A_RANGE,
    )
    (project.models / "latin.sql").write_bytes(b"SELECT '\xe9'")
    answer = project.answer()
    assert {item["file"]: item["outcome"] for item in answer["not_replayed"]} == {
        "template.sql": "template",
        "broken.sql": "unparseable",
        "gone.sql": "table_not_found",
        "column.sql": "unknown_column",
        "latin.sql": "unreadable_file",
        "ddl.sql": "not_a_query",
        "foreign.sql": "no_iceberg_table",
        "unused.sql": "not_scanned",
    }
    assert answer["files"]["replayed"] == 1
    shown = project.run("--fail-on", "critical")
    assert shown.exit_code == 1
    for file, outcome in ((i["file"], i["outcome"]) for i in answer["not_replayed"]):
        assert any(file in line and outcome in line for line in shown.stdout.splitlines())


def test_of_several_statements_the_one_that_fails_names_the_file(project: Project) -> None:
    project.write(a=f"{ON_A_DAY.format(day='2024-04-12')};\nSELECT * FROM sales.refunds;")
    answer = project.answer()
    assert answer["files"] == {"table_not_found": 1}
    assert "wrapped_column" in {finding["cause"] for finding in answer["findings"]}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param([], 0, id="nothing is high"),
        pytest.param(["--fail-on", "medium"], 1, id="medium"),
        pytest.param(["--fail-on", "info"], 1, id="info"),
        pytest.param(["--fail-on", "critical"], 0, id="critical"),
    ],
)
def test_the_exit_code_is_by_severity(project: Project, arguments: list[str], code: int) -> None:
    project.write(a=ON_A_DAY.format(day="2024-04-12"))
    assert project.run(*arguments).exit_code == code


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        pytest.param(IN_A_RANGE, 0, id="good"),
        pytest.param(FOREIGN, 0, id="no Iceberg table"),
        pytest.param("-- soon", 0, id="nothing yet"),
        pytest.param("SELECT {{ x }}", 1, id="template"),
    ],
)
def test_what_is_no_fault_of_the_file_passes(project: Project, sql: str, code: int) -> None:
    assert project.write(a=sql).run("--fail-on", "info").exit_code == code


def test_what_is_suppressed_does_not_fail(project: Project) -> None:
    project.write(a=ON_A_DAY.format(day="2024-04-12"))
    suppress = [{"table": "lake.sales.*", "reason": "moves soon", "until": "2999-01-01"}]
    result = project.run("--fail-on", "info", suppress=suppress)
    assert (result.exit_code, "suppressed" in result.stdout) == (0, True)
    assert "wrapped_column" not in result.stdout
    (finding, *_) = project.answer(suppress=suppress)["findings"]
    assert finding["suppressed"] == "moves soon"


def test_files_can_be_selected(project: Project) -> None:
    project.write(new__a=IN_A_RANGE, old__b="SELECT {{ x }}")
    assert project.answer("--select", "new/*")["files"] == {"replayed": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--select", "x*"], "--select", id="nothing selected"),
        pytest.param(["--engine", "oracle"], "trino", id="no such engine"),
        pytest.param(["--json", "--sarif"], "--sarif", id="two formats"),
        pytest.param(["--config", "/none.yaml"], "/none.yaml", id="no configuration"),
        pytest.param(["--sql-dir", "/none"], "/none", id="no folder"),
        pytest.param(["--fail-on", "bad"], "critical", id="no such severity"),
    ],
)
def test_nothing_done_is_2(project: Project, arguments: list[str], message: str) -> None:
    result = project.write(a=IN_A_RANGE).run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_an_empty_folder_is_2(project: Project) -> None:
    result = project.run()
    assert (result.exit_code, "*.sql" in result.stderr) == (2, True)


def test_sarif_points_at_the_files_from_where_it_runs(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(
        a=ON_A_DAY.format(day="2024-04-12"),
        b=ON_A_DAY.format(day="2024-04-13"),
        t="SELECT {{ x }}",
        foreign=FOREIGN,
    )
    (project.models / "a.sql").rename(project.models / "größe 1.sql")
    monkeypatch.chdir(project.folder)
    log = json.loads(project.run("--sarif").stdout)
    results = check_sarif(log)
    wrapped = [result for result in results if result["ruleId"] == "wrapped_column"]
    assert [uri(result) for result in wrapped] == [
        "target/compiled/b.sql",
        "target/compiled/gr%C3%B6%C3%9Fe%201.sql",
    ]
    assert {result["level"] for result in wrapped} == {"warning"}
    (notified,) = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert (uri(notified), notified["descriptor"]) == (
        "target/compiled/t.sql",
        {"id": "template"},
    )
    monkeypatch.chdir("/")
    elsewhere = json.loads(project.run("--sarif").stdout)
    assert uri(check_sarif(elsewhere)[0]).startswith(str(project.models).removeprefix("/"))


def uri(item: dict[str, Any]) -> str:
    location: str = item["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    return location


@pytest.mark.parametrize("form", ["--json", "--sarif", "--details", None])
def test_no_literal_is_told(project: Project, form: str | None) -> None:
    project.write(
        a="SELECT * FROM web.events WHERE user_id = 271828 AND lower(kind) = 'classified'",
        broken="SELECT 'classified' FROM web.events WHERE (user_id = 271828",
        gone="SELECT colour FROM web.events WHERE colour = 'classified'",
    )
    output = project.run(*([form] if form else [])).output
    assert "classified" not in output
    assert "271828" not in output


def test_severities_are_those_of_findings() -> None:
    assert list(SEVERITIES) == [severity.value for severity in Severity]


def test_a_check_needs_no_spark(project: Project) -> None:
    project.write(good=IN_A_RANGE).run()
    script = (
        "import sys\n"
        "from click.testing import CliRunner\n"
        "from prunescope.audit_jobs.cli import main\n"
        "done = CliRunner().invoke(main, ['check', *sys.argv[1:]])\n"
        "print(done.exit_code, sorted({'pandas', 'pyspark', 'py4j'} & set(sys.modules)))\n"
    )
    arguments = ["--sql-dir", str(project.models), "--config", str(project.folder / "audit.yaml")]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "0 []"


@pytest.mark.parametrize(
    ("arguments", "is_exact"),
    [
        pytest.param([], False, id="the default is no promise"),
        pytest.param(["--time-zone", "UTC"], True, id="the zone is given"),
    ],
)
def test_a_range_of_one_zone_is_exact_where_the_zone_is_given(
    project: Project, arguments: list[str], is_exact: bool
) -> None:
    project.write(a=IN_A_YEAR)
    findings = project.answer("--engine", "spark-3.5", *arguments)["findings"]
    ((place,),) = (each["places"] for each in findings if each["cause"] == "wrapped_column")
    assert (place["replacement"] is not None) is is_exact
    assert (place["addition"] is None) is is_exact
