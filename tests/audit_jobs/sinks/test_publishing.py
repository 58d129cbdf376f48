"""Publishing to audit tables: again, by several at a time, killed, and on storage that fails."""

import datetime as dt
from contextlib import ExitStack
from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import CommitFailedException
from pyiceberg.table import CommitTableResponse, Table
from pyiceberg.table.update import TableRequirement, TableUpdate

from prunescope.audit_jobs.errors import PublishFailed
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, SCAN_PLANS
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, FINDINGS
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.collectors.tables.catalog import load_catalog
from tests.audit_jobs.sinks.published import (
    NAMESPACE,
    TABLES,
    load,
    open_catalog,
    rows,
    run_ids,
    visible_scans,
)
from tests.audit_jobs.sinks.results import (
    DAY,
    FOUND,
    HOUR,
    MIDNIGHT,
    SPREAD,
    audit_result,
    replayed,
)
from tests.collectors.tables.odd_rest_catalog import Answer, odd_catalog, refusal

pytestmark = pytest.mark.slow


def test_what_the_storage_said_is_told(tmp_path: Path) -> None:
    (tmp_path / "wh").touch()
    catalog = open_catalog(SqlCatalog, tmp_path)
    try:
        with pytest.raises(PublishFailed, match="cannot be written: ENOTDIR: Not a directory;"):
            publish(audit_result(replayed("a")), catalog, NAMESPACE)
    finally:
        catalog.close()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        pytest.param(None, "the connection was refused: is it running", id="gone"),
        pytest.param(refusal(503), r"answered 503 \(unavailable\): run again", id="503"),
        pytest.param(refusal(403), r"answered 403 \(forbidden\): ask for the right", id="403"),
        pytest.param(Answer(body=b"<html>"), "its answer is not that of a REST", id="html"),
    ],
)
def test_a_catalog_that_fails_after_the_audit_is_told(answer: Answer | None, told: str) -> None:
    table = f"/v1/namespaces/{NAMESPACE.replace('.', '%1F')}/tables/{AUDIT_RUNS.name}"
    answers = {} if answer is None else {table: answer}
    with ExitStack() as running:
        catalog = running.enter_context(odd_catalog(answers))
        known = load_catalog("lake", catalog.properties)
        if answer is None:
            running.close()
        with pytest.raises(PublishFailed, match=f"cannot be written: {told}") as raised:
            publish(audit_result(replayed("a")), known, NAMESPACE)
    assert "SECRET" not in str(raised.value)


def test_a_rerun_adds_its_rows_and_then_deletes_those_it_replaces(catalog: SqlCatalog) -> None:
    earlier = audit_result(replayed("a"), replayed("b"), findings=(FOUND, SPREAD))
    publish(earlier, catalog, NAMESPACE)
    before = {table: len(load(catalog, table).metadata.metadata_log) for table in TABLES}
    publish(audit_result(replayed("b"), findings=(FOUND,), run_id="run-2"), catalog, NAMESPACE)
    commits = {
        table.name: len(load(catalog, table).metadata.metadata_log) - before[table]
        for table in TABLES
    }
    # The window is claimed; one commit of audit_runs shows the one run in place of the other.
    assert commits == {"audit_runs": 2, "scan_plans": 2, "conjuncts": 2, "findings": 2}
    assert run_ids(catalog, AUDIT_RUNS) == ["run-2"]
    assert run_ids(catalog, SCAN_PLANS) == ["run-2"]
    assert run_ids(catalog, CONJUNCTS) == ["run-2"] * 2
    assert run_ids(catalog, FINDINGS) == ["run-2"]


def test_a_first_run_is_one_commit_per_table_after_its_claim(catalog: SqlCatalog) -> None:
    publish(audit_result(replayed("a"), findings=(FOUND,)), catalog, NAMESPACE)
    assert [len(load(catalog, table).metadata.metadata_log) for table in TABLES] == [2, 1, 1, 1]


def test_a_run_that_finds_nothing_still_empties_its_window(catalog: SqlCatalog) -> None:
    publish(audit_result(replayed("a")), catalog, NAMESPACE)
    publish(audit_result(run_id="run-2"), catalog, NAMESPACE)
    assert run_ids(catalog, AUDIT_RUNS) == ["run-2"]
    assert rows(catalog, SCAN_PLANS) == rows(catalog, CONJUNCTS) == []


@pytest.mark.parametrize(
    ("start", "length", "replaced"),
    [
        pytest.param(MIDNIGHT, DAY, True, id="same window"),
        pytest.param(MIDNIGHT + HOUR, HOUR, True, id="within"),
        pytest.param(MIDNIGHT + 23 * HOUR, HOUR, True, id="at the end"),
        pytest.param(MIDNIGHT - DAY, DAY, False, id="the day before"),
        pytest.param(MIDNIGHT + DAY, DAY, False, id="the day after"),
        pytest.param(MIDNIGHT + 23 * HOUR, 2 * HOUR, False, id="across the end"),
        pytest.param(MIDNIGHT, 2 * DAY, False, id="larger"),
    ],
)
def test_a_run_replaces_exactly_the_windows_within_its_own(
    catalog: SqlCatalog, start: dt.datetime, length: dt.timedelta, replaced: bool
) -> None:
    earlier = audit_result(replayed("a"), run_id="earlier", start=start, length=length)
    publish(earlier, catalog, NAMESPACE)
    publish(audit_result(replayed("a"), run_id="later"), catalog, NAMESPACE)
    expected = ["later"] if replaced else ["earlier", "later"]
    assert run_ids(catalog, AUDIT_RUNS) == run_ids(catalog, SCAN_PLANS) == expected


class KilledError(BaseException):
    """Stands for a signal that ends the process."""


class InterruptedCatalog(SqlCatalog):
    """Is killed at the commit to one table."""

    killed_at = ""

    def commit_table(
        self,
        table: Table,
        requirements: tuple[TableRequirement, ...],
        updates: tuple[TableUpdate, ...],
    ) -> CommitTableResponse:
        if table.name()[-1] == self.killed_at:
            raise KilledError
        return super().commit_table(table, requirements, updates)


@pytest.mark.parametrize("killed_at", ["scan_plans", "conjuncts", "findings", "audit_runs"])
@pytest.mark.parametrize("earlier", [True, False])
def test_a_killed_run_shows_nothing_half_written_and_a_rerun_heals(
    catalog: SqlCatalog, tmp_path: Path, killed_at: str, earlier: bool
) -> None:
    other = audit_result(replayed("o"), run_id="other", start=MIDNIGHT - DAY)
    publish(other, catalog, NAMESPACE)
    if earlier:
        publish(audit_result(replayed("a"), replayed("b")), catalog, NAMESPACE)
    dying = open_catalog(InterruptedCatalog, tmp_path)
    dying.killed_at = killed_at
    with pytest.raises(KilledError):
        publish(audit_result(replayed("c"), findings=(FOUND,), run_id="run-2"), dying, NAMESPACE)
    dying.close()

    survivors = {("run-1", "a"), ("run-1", "b")} if earlier else set()
    assert visible_scans(catalog) == {("other", "o")} | survivors

    publish(audit_result(replayed("d"), run_id="run-3"), catalog, NAMESPACE)
    assert run_ids(catalog, AUDIT_RUNS) == ["other", "run-3"]
    assert run_ids(catalog, SCAN_PLANS) == ["other", "run-3"]
    assert run_ids(catalog, CONJUNCTS) == ["other"] * 2 + ["run-3"] * 2
    assert run_ids(catalog, FINDINGS) == []


class RacedCatalog(SqlCatalog):
    """Publishes another result just before one of its commits."""

    rival: tuple[SqlCatalog, AuditResult] | None = None

    def commit_table(
        self,
        table: Table,
        requirements: tuple[TableRequirement, ...],
        updates: tuple[TableUpdate, ...],
    ) -> CommitTableResponse:
        if self.rival is not None and table.name()[-1] == SCAN_PLANS.name:
            (catalog, result), self.rival = self.rival, None
            publish(result, catalog, NAMESPACE)
        return super().commit_table(table, requirements, updates)


def test_runs_of_other_windows_that_publish_at_the_same_time_both_land(
    catalog: SqlCatalog, tmp_path: Path
) -> None:
    publish(audit_result(replayed("a")), catalog, NAMESPACE)
    raced = open_catalog(RacedCatalog, tmp_path)
    rival = audit_result(replayed("r"), run_id="rival", start=MIDNIGHT + DAY)
    raced.rival = (catalog, rival)
    publish(audit_result(replayed("b"), run_id="ours"), raced, NAMESPACE)
    raced.close()
    assert run_ids(catalog, AUDIT_RUNS) == run_ids(catalog, SCAN_PLANS) == ["ours", "rival"]


class ContestedCatalog(SqlCatalog):
    """Loses every race."""

    def commit_table(
        self,
        table: Table,
        requirements: tuple[TableRequirement, ...],  # noqa: ARG002
        updates: tuple[TableUpdate, ...],  # noqa: ARG002
    ) -> CommitTableResponse:
        raise CommitFailedException(str(table.name()))


def test_conflicts_without_end_are_reported(catalog: SqlCatalog, tmp_path: Path) -> None:
    publish(audit_result(replayed("a")), catalog, NAMESPACE)
    for table in TABLES:
        with load(catalog, table).transaction() as transaction:
            transaction.set_properties({"commit.retry.num-retries": "0"})
    contested = open_catalog(ContestedCatalog, tmp_path)
    with pytest.raises(
        PublishFailed, match=r"audit_runs.*other writers changed it.*Run the window"
    ):
        publish(audit_result(replayed("a"), run_id="run-2"), contested, NAMESPACE)
    contested.close()


class ForgetfulCatalog(SqlCatalog):
    """Takes each commit, and reports that it was in conflict."""

    def commit_table(
        self,
        table: Table,
        requirements: tuple[TableRequirement, ...],
        updates: tuple[TableUpdate, ...],
    ) -> CommitTableResponse:
        super().commit_table(table, requirements, updates)
        raise CommitFailedException(str(table.name()))


def test_a_commit_that_came_through_is_done_whatever_the_catalog_says(
    catalog: SqlCatalog, tmp_path: Path
) -> None:
    publish(audit_result(replayed("a"), findings=(FOUND,)), catalog, NAMESPACE)
    forgetful = open_catalog(ForgetfulCatalog, tmp_path)
    publish(audit_result(replayed("b"), run_id="run-2"), forgetful, NAMESPACE)
    forgetful.close()
    assert run_ids(catalog, AUDIT_RUNS) == run_ids(catalog, SCAN_PLANS) == ["run-2"]
    assert len(rows(catalog, SCAN_PLANS)) == 1


def test_storage_that_fails_is_reported_by_table(catalog: SqlCatalog, tmp_path: Path) -> None:
    (tmp_path / "wh").write_text("in the way")
    with pytest.raises(PublishFailed, match=r"ops\.pruning_audit\.audit_runs.*'lake'"):
        publish(audit_result(replayed("a")), catalog, NAMESPACE)
