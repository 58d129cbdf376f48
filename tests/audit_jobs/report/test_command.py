"""`prunescope report` over published runs."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.findings.rows import keyed
from prunescope.audit_jobs.gate.set_aside import set_aside
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.report.page import render_page
from prunescope.audit_jobs.report.ranges import pack_counts
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.sums import key_of
from prunescope.audit_jobs.sinks.audit_tables import mark_failed, publish
from prunescope.audit_jobs.sinks.published_history import read_history
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.audit_jobs.views.run_text import print_run
from prunescope.collectors.observed import TableName
from tests.audit_jobs.report.parsed import Page
from tests.audit_jobs.sinks.results import (
    DAY,
    EVENTS,
    FOUND,
    MIDNIGHT,
    ORDERS,
    SPREAD,
    UNPARSEABLE,
    audit_result,
    replayed,
)

pytestmark = pytest.mark.slow

NAMESPACE = "ops.audit"
HEALTH = TableHealth(
    table=ORDERS,
    snapshot_id=8_137_921_203_442_187_009,
    spec_id=2,
    measured=0.25,
    manifests=40,
    manifest_bytes=4_000,
    manifest_depth=1 / 3,
    data_files=400,
    records=4_000,
    bytes=40_000,
    target_file_bytes=1_000,
    small_files=3,
    files_by_spec={0: 100, 2: 300},
    position_delete_files=1,
    equality_delete_files=0,
    deletion_vectors=2,
    partitions=3,
    partition_files=4,  # a median of whole numbers, which may be one
    partition_bytes=2.5,
    columns=(
        ColumnHealth(1, "order_ts", "timestamptz", 1.0, 2 / 3, 5.5, 0.0, 0, 0, 9, ((0, 1),)),
        ColumnHealth(3, "status", "string", None, None, None, None, 1, None, None),
        ColumnHealth(4, "half \ud800", "long", 1, 0, 1, None, 0, None, None, ((0, 1),)),
    ),
)


def result(run_id: str = "run-1", days: int = 0) -> AuditResult:
    made = audit_result(
        replayed("a"),
        replayed("b", EVENTS),
        UNPARSEABLE,
        findings=(FOUND, replace(FOUND, fingerprint="f2"), SPREAD),
        run_id=run_id,
        start=MIDNIGHT + days * DAY,
    )
    return replace(made, health=(HEALTH,))


class Audits:
    """A catalog with audit tables, and the configuration that names it."""

    def __init__(self, folder: Path, **sections: object) -> None:
        self.folder = folder
        properties = {"uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}"}
        self.catalog = SqlCatalog("lake", **properties)
        self.document = {
            "catalogs": {"lake": {"properties": {"type": "sql", **properties}}},
            "sources": [{"type": "trino_events", "paths": ["none"]}],
            "audit": {"catalog": "lake", "namespace": NAMESPACE},
            **sections,
        }
        self.config = folder / "audit.yaml"
        self.config.write_text(yaml.safe_dump(self.document))

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(main, ["report", "--config", str(self.config), *arguments])


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> Audits:
    """Two visible runs, and a later one that failed."""
    folder = tmp_path_factory.mktemp("audits")
    path = f"{folder}/{{window_start}}.html"
    audits = Audits(folder, report={"path": path})
    publish(result(), audits.catalog, NAMESPACE)
    publish(result("earlier", -1), audits.catalog, NAMESPACE)
    mark_failed(result("failed", 1), audits.catalog, NAMESPACE)
    return audits


def test_the_report_is_what_the_audit_itself_would_write(audits: Audits) -> None:
    written = audits.run()
    assert (written.exit_code, written.output) == (0, f"{audits.folder}/2024-05-06.html\n")
    history = read_history(audits.catalog, NAMESPACE, MIDNIGHT)
    made = render_page(rows_of(replace(result(), history=history)))
    assert (audits.folder / "2024-05-06.html").read_text(encoding="utf-8") == made
    (table, *_) = Page(made).document["tables"]
    assert len(Page(made).document["windows"]) == 2
    assert table["timeline"]["scans"] == pack_counts([1, 1])
    assert len(table["columns"]) == 3
    assert table["health"]["old_spec_files"] == 100


def test_a_report_is_written_where_only_history_cannot_be_read(tmp_path: Path) -> None:
    audits = Audits(tmp_path)
    publish(result(), audits.catalog, NAMESPACE)
    with audits.catalog.load_table(f"{NAMESPACE}.findings").update_schema(True) as update:
        update.delete_column("suppressed")
    written = audits.run("--output", str(tmp_path / "x.html"))
    assert written.exit_code == 0, written.output
    assert "cannot be read (ValueError); nothing is compared with them" in written.stderr
    assert Page((tmp_path / "x.html").read_text("utf-8")).document["windows"]


def test_findings_of_earlier_windows_are_known_by_numbers_alone(audits: Audits) -> None:
    history = read_history(audits.catalog, NAMESPACE, MIDNIGHT)
    told = {key: one for key, one in keyed(result().findings) if one.suppressed is None}
    assert history.findings.keys() == told.keys()
    for key, past in history.findings.items():
        assert past.window.start == MIDNIGHT - DAY
        assert (past.table, past.cause) == (told[key].table, told[key].cause)
        assert past.bytes_at_stake == told[key].bytes_at_stake
        assert told[key].fingerprint in (None, *past.fingerprints)


def test_an_earlier_run_is_reported_where_it_is_wanted(audits: Audits, tmp_path: Path) -> None:
    (tmp_path / "old.html").write_text("old")
    written = audits.run("--run", "earlier", "--output", str(tmp_path / "old.html"))
    assert written.exit_code == 0
    expected = render_page(rows_of(result("earlier", -1)))
    assert (tmp_path / "old.html").read_text(encoding="utf-8") == expected
    assert [path.name for path in tmp_path.iterdir()] == ["old.html"]


def without_a_table() -> AuditResult:
    return set_aside(result(), {key_of(EVENTS): "its rows contradict each other"})


def with_failures() -> AuditResult:
    made = result()
    failures = {"lake.sales.half \ud800": "there is no half \ud800"}
    return replace(made, run=replace(made.run, tables_failed=failures, causes_failed=failures))


def with_two_names_of_one_text() -> AuditResult:
    """Names may hold dots. Rows are written by namespace, and come here in another order."""
    deep, dotted = TableName("lake", ("db", "a"), "b"), TableName("lake", ("db",), "a.b")
    made = audit_result(replayed("a", deep), replayed("b", deep), replayed("c", dotted))
    health = (replace(HEALTH, table=deep), replace(HEALTH, table=dotted, records=5))
    return replace(made, health=health)


@pytest.mark.parametrize(
    "make", [without_a_table, with_failures, with_two_names_of_one_text, audit_result]
)
def test_whatever_a_run_has_it_is_reported_as_by_the_audit(
    make: Callable[[], AuditResult], tmp_path: Path
) -> None:
    audits = Audits(tmp_path)
    publish(make(), audits.catalog, NAMESPACE)
    assert audits.run("--run", "run-1", "--output", f"{tmp_path}/r.html").exit_code == 0
    expected = render_page(rows_of(make()))
    assert (tmp_path / "r.html").read_bytes() == expected.encode()


def test_tables_whose_names_have_one_text_are_told_apart() -> None:
    found = Page(render_page(rows_of(with_two_names_of_one_text()))).document["tables"]
    told = {
        (t["name"], t["scans"]["count"], t["health"]["records"]) for t in found if "health" in t
    }
    assert told == {("lake.db.a.b", 2, 4_000), ("lake.db.a.b", 1, 5)}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--run", "failed"], "no finished run failed", id="not published"),
        pytest.param(["--run", "x' or 'a' = 'a"], "no finished run", id="no such run"),
        pytest.param(["--output", "/no/such/folder/r.html"], "no directory", id="no folder"),
        pytest.param(["--output", "/dev/null/r.html"], "no directory", id="no folder at all"),
    ],
)
def test_nothing_done_is_2(audits: Audits, arguments: list[str], message: str) -> None:
    failed = audits.run(*arguments)
    assert (failed.exit_code, failed.stdout) == (2, "")
    assert message in failed.stderr
    assert "Traceback" not in failed.output


def test_pipes_and_links_stay_what_they_are(audits: Audits, tmp_path: Path) -> None:
    file, link, pipe = (tmp_path / name for name in ("r.html", "link.html", "pipe"))
    file.write_text("")
    link.symlink_to(file)
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)  # holds what fits, as a reader would take it
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 1 << 20)
    for path in (link, pipe):
        assert audits.run("--output", str(path)).exit_code == 0
    assert link.is_symlink()
    assert pipe.is_fifo()
    assert os.read(reader, 1 << 20).decode() == file.read_text(encoding="utf-8")
    os.close(reader)


def test_a_report_with_literals_is_its_owners_alone(tmp_path: Path) -> None:
    publish(result(), Audits(tmp_path).catalog, NAMESPACE)
    modes = set()
    for literals in ("redact", "keep"):
        written = Audits(tmp_path, literals=literals).run("--output", str(tmp_path / "x.html"))
        assert written.exit_code == 0, written.output
        modes.add((literals, (tmp_path / "x.html").stat().st_mode & 0o077 == 0))
    assert modes == {("redact", False), ("keep", True)}


def test_a_report_needs_a_run_and_a_path(tmp_path: Path) -> None:
    audits = Audits(tmp_path)
    assert "--output" in audits.run().stderr
    before = audits.run("--output", f"{tmp_path}/r.html")
    assert (before.exit_code, "prunescope audit" in before.stderr) == (2, True)


def test_audit_tables_of_before_the_health_tables_make_a_report(tmp_path: Path) -> None:
    audits = Audits(tmp_path)
    publish(result(), audits.catalog, NAMESPACE)
    with audits.catalog.load_table(f"{NAMESPACE}.column_health").update_schema() as update:
        update.delete_column("ranges")
    assert audits.run("--output", f"{tmp_path}/r.html").exit_code == 0
    page = Page((tmp_path / "r.html").read_text())
    assert [c.get("ranges") for c in page.document["tables"][0]["columns"]] == [None] * 3
    audits.catalog.drop_table(f"{NAMESPACE}.findings")
    lost = audits.run("--output", f"{tmp_path}/r.html")
    assert (lost.exit_code, f"{NAMESPACE}.findings" in lost.stderr) == (2, True)


def test_a_path_with_an_unknown_field_is_refused(tmp_path: Path) -> None:
    document = Audits(tmp_path).document | {"report": {"path": "{day}.html"}}
    with pytest.raises(BadConfiguration, match=r"report\.path.*\{day\}.*\{window_start\}"):
        validate_config(document, "test")


def test_a_run_says_where_its_report_is(audits: Audits, capsys: pytest.CaptureFixture[str]) -> None:
    print_run(result(), validate_config(audits.document, "test"))
    assert f"report     {audits.folder}/2024-05-06.html" in capsys.readouterr().out
