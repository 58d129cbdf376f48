"""Tables that only a join restricts."""

from __future__ import annotations

import re

import pytest

from prunescope.audit_jobs.findings.model import Severity
from tests.scenarios.lake import Lake, Query, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

JOIN = """SELECT sum(s.amount) FROM sold s JOIN places p ON s.place = p.id WHERE p.name = 'Ghent'"""
MERGE = (
    "MERGE INTO sold t USING changes s ON t.id = s.id "
    "WHEN MATCHED THEN UPDATE SET amount = s.amount"
)


@pytest.fixture(scope="module")
def sold(lake: Lake) -> Lake:
    """Sales of ten days, a file each, and the small table of where they were."""
    lake.sql(
        "CREATE TABLE lake.db.sold (id BIGINT, `Sold at` TIMESTAMP, place BIGINT, amount BIGINT) "
        "USING iceberg PARTITIONED BY (days(`Sold at`)) "
        "TBLPROPERTIES ('write.target-file-size-bytes' = '1000')",
        *files(
            "sold",
            10,
            rows=100,
            columns=[
                "id",
                "TIMESTAMP '2024-03-01 09:00:00' + make_interval(0, 0, 0, id div 100)",
                "id % 5",
                "id % 7",
            ],
        ),
        "CREATE TABLE lake.db.places (id BIGINT, name STRING) USING iceberg",
        "INSERT INTO lake.db.places VALUES (1, 'Ghent'), (2, 'Bruges')",
        "CREATE TABLE lake.db.changes (id BIGINT, amount BIGINT) USING iceberg",
        "INSERT INTO lake.db.changes VALUES (310, 5), (320, 6)",
    )
    return lake


@pytest.mark.parametrize("engine", ["trino", "spark"])
def test_a_join_is_told_and_is_no_fault(sold: Lake, engine: str) -> None:
    result = sold.audit(Query(JOIN, engine))
    (finding,) = of_cause(result, "runtime_only")
    assert causes(result) == {"runtime_only"}
    assert finding.severity is Severity.INFO
    assert finding.table.table == "sold"
    assert finding.bytes_at_stake is None


@pytest.mark.parametrize("engine", ["trino", "spark"])
def test_a_merge_with_a_range_in_its_condition_reads_less(sold: Lake, engine: str) -> None:
    before = sold.audit(Query(MERGE, engine))
    (finding,) = [f for f in of_cause(before, "runtime_only") if f.table.table == "sold"]
    assert finding.severity is Severity.INFO
    assert finding.evidence["merge"]
    assert finding.fix.rewrite is not None
    rewrite = finding.fix.rewrite
    assert re.match(r'["`]t["`]\.["`]Sold at["`] >= ', rewrite)

    for day in ("03", "04"):
        rewrite = rewrite.replace("?", f"TIMESTAMP '2024-03-{day} 00:00:00 UTC'", 1)
    after = sold.audit(Query(MERGE.replace("s.id WHEN", f"s.id AND {rewrite} WHEN"), engine))

    assert bytes_kept(after) < 0.3 * bytes_kept(before)
    assert "sold" not in {finding.table.table for finding in after.findings}


def test_a_join_with_a_range_is_left_alone(sold: Lake) -> None:
    query = f"""{JOIN} AND s."Sold at" >= TIMESTAMP '2024-03-08 00:00:00 UTC'"""
    assert causes(sold.audit(query)) == set()


def test_a_full_scan_without_a_join_is_left_alone(sold: Lake) -> None:
    assert causes(sold.audit("SELECT sum(amount) FROM sold")) == set()


def test_joins_of_several_queries_are_one_finding(sold: Lake) -> None:
    other = JOIN.replace("sum(s.amount)", "count(*)")
    (finding,) = of_cause(sold.audit(JOIN, JOIN, other), "runtime_only")
    assert finding.scans == 3
    assert len(finding.evidence["fingerprints"]) == 2
