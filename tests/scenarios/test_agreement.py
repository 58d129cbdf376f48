"""Engines that read more, or fewer, files than they should."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.agreement import Agreement
from prunescope.audit_jobs.findings.model import Severity
from prunescope.collectors.observed import ObservedScan, TableName
from tests.scenarios.lake import Lake, Query, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

SQL = "SELECT * FROM observed WHERE id BETWEEN 250 AND 449"


@pytest.fixture(scope="module")
def snapshot_id(lake: Lake) -> int:
    """Ten files of a hundred ids each; SQL needs three."""
    lake.sql(
        "CREATE TABLE lake.db.observed (id BIGINT) USING iceberg",
        *files("observed", 10, rows=100, columns=["id"]),
    )
    ((found,),) = lake.sql("SELECT snapshot_id FROM lake.db.observed.refs WHERE name = 'main'")
    return int(found)


def query(snapshot_id: int | None, data_files: int, sql: str = SQL) -> Query:
    counters = {"result_data_files": data_files}
    scan = ObservedScan(TableName("lake", ("db",), "observed"), snapshot_id, counters)
    return Query(sql, "trino", "482", scans=(scan,))


def test_an_engine_that_reads_as_planned_is_silent(lake: Lake, snapshot_id: int) -> None:
    result = lake.audit(query(snapshot_id, 3))
    assert list(result.scan_plans("agreement")) == [{"agreement": Agreement.AGREES}]
    assert not causes(result)


def test_files_that_nothing_rules_out_are_missing(lake: Lake, snapshot_id: int) -> None:
    result = lake.audit(query(snapshot_id, 2), query(snapshot_id, 3))
    (finding,) = result.findings
    assert finding.cause == "over_prune"
    assert finding.severity is Severity.CRITICAL
    assert finding.scans == 1
    assert finding.evidence["files_missing"] == 1
    assert finding.evidence["query_ids"] == ["q0"]


def test_what_may_be_wrong_is_told_of_small_tables_and_single_queries(
    lake: Lake, snapshot_id: int
) -> None:
    large = {"small_table_bytes": 10**12, "min_bytes_at_stake": 10**12, "min_scans": 100}
    assert causes(lake.audit(query(snapshot_id, 2), thresholds=large)) == {"over_prune"}


def test_more_files_than_planned(lake: Lake, snapshot_id: int) -> None:
    result = lake.audit(query(snapshot_id, 10))
    (finding,) = of_cause(result, "over_read")
    assert finding.evidence["files_read"] == 10
    assert finding.evidence["files_expected"] == 3
    assert finding.bytes_at_stake == pytest.approx(0.7 * finding.bytes_read, rel=0.05)
    assert causes(result) == {"over_read"}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (SQL + " LIMIT 5", Agreement.LIMIT),
        (SQL + " AND id IN (SELECT id FROM observed)", Agreement.DYNAMIC_FILTER),
    ],
)
def test_blind_spots_are_named_and_no_findings(
    lake: Lake, snapshot_id: int, sql: str, expected: Agreement
) -> None:
    result = lake.audit(query(snapshot_id, 1, sql))
    # What is reported of a table is of the first scan of it.
    found = [row["agreement"] for row in result.scan_plans("agreement")]
    assert [agreement for agreement in found if agreement is not None] == [expected]
    assert not {"over_prune", "over_read"} & causes(result)


@pytest.mark.usefixtures("snapshot_id")
def test_a_snapshot_that_nobody_reported_allows_no_judgement(lake: Lake) -> None:
    result = lake.audit(query(None, 1))
    assert list(result.scan_plans("agreement")) == [{"agreement": Agreement.SNAPSHOT_ASSUMED}]
    assert not causes(result)
