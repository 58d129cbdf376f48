"""A table that is partitioned by other columns than its queries filter by."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.findings.model import Confidence, Severity
from prunescope.audit_jobs.results.result import AuditResult
from tests.scenarios.lake import Lake, bytes_kept, causes, files, of_cause, week_before

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

ID = "misaligned_partitioning"
ROWS = [
    "id",
    "CAST(id % 4 AS STRING)",
    "timestamp_seconds(1704067200 + pmod(id * 7919, 366) * 86400)",
    "sha2(CAST(id AS STRING), 256)",
]
MARCH = "\"At\" >= TIMESTAMP '2024-03-01 00:00:00' AND \"At\" < TIMESTAMP '2024-04-01 00:00:00'"


def of_orders(lake: Lake, name: str, partitioning: str, target: int = 8_000) -> None:
    """A year of orders from four regions, of which every file holds all months."""
    lake.sql(
        f"CREATE TABLE lake.db.{name} (id BIGINT, `the region` STRING, `At` TIMESTAMP_NTZ, "
        f"text STRING) USING iceberg PARTITIONED BY ({partitioning}) "
        f"TBLPROPERTIES ('write.target-file-size-bytes' = '{target}')",
        *files(name, 3, rows=1_000, columns=ROWS),
    )


def files_kept(result: AuditResult) -> int:
    """Data files that the engines' planners keep, over all scans."""
    return sum(scan["data_files_kept"] or 0 for scan in result.scan_plans())


def test_the_columns_of_the_filters_replace_those_that_none_uses(lake: Lake) -> None:
    of_orders(lake, "by_region", "`the region`")
    query = f"SELECT * FROM by_region WHERE {MARCH}"
    before = lake.audit(query, query, history=week_before("by_region"))
    (finding,) = of_cause(before, ID)
    # The bytes are those of the column's own finding: this one is about the table.
    assert causes(before) <= {ID, "no_partition_filter"}
    assert finding.fingerprint is None
    assert finding.bytes_at_stake is None
    assert finding.evidence["unused_fields"] == ["the region"]
    assert finding.evidence["unserved_columns"] == {"At": 1.0}

    lake.sql(*finding.fix.spark)
    after = lake.audit(query, query)

    assert causes(after) == set()
    assert bytes_kept(after) < 0.15 * bytes_kept(before)


def test_a_field_that_no_filter_uses_multiplies_files(lake: Lake) -> None:
    of_orders(lake, "by_both", "months(`At`), bucket(4, id)", target=32_000)
    query = f"SELECT * FROM by_both WHERE {MARCH}"
    before = lake.audit(query, query, history=week_before("by_both"))
    (finding,) = of_cause(before, ID)
    assert causes(before) == {ID}
    assert finding.severity is Severity.LOW
    at, bucket = finding.evidence["fields"]
    assert (at["share_filtered"], at["share_used"], at["share_answered"]) == (1.0, 1.0, 1.0)
    assert (bucket["share_filtered"], bucket["share_used"]) == (0.0, 0.0)

    lake.sql(*finding.fix.spark)
    after = lake.audit(query, query)

    assert causes(after) == set()
    assert bytes_kept(after) < bytes_kept(before)
    assert 4 * files_kept(after) <= files_kept(before)


def test_a_field_that_no_filter_uses_does_no_harm_to_large_partitions(lake: Lake) -> None:
    of_orders(lake, "by_both_large", "months(`At`), bucket(4, id)", target=4_000)
    query = f"SELECT * FROM by_both_large WHERE {MARCH}"
    (finding,) = of_cause(lake.audit(query, query), ID)
    assert finding.severity is Severity.INFO


def test_filters_that_no_field_serves_get_one_beside_those_in_use(lake: Lake) -> None:
    of_orders(lake, "by_region_only", "`the region`", target=2_000)
    queries = [
        f"SELECT * FROM by_region_only WHERE {where}"
        for where in (MARCH, MARCH, "\"the region\" = '2'", "\"the region\" = '2'")
    ]
    before = lake.audit(*queries)
    # No field is unused: the column's own finding says all that there is to do.
    assert causes(before) == {"no_partition_filter"}
    (finding,) = of_cause(before, "no_partition_filter")

    lake.sql(*finding.fix.spark)
    after = lake.audit(*queries)

    assert causes(after) == set()
    assert bytes_kept(after) < 0.5 * bytes_kept(before)


def test_nothing_is_dropped_on_the_evidence_of_one_window(lake: Lake) -> None:
    of_orders(lake, "by_both_new", "months(`At`), bucket(4, id)", target=32_000)
    query = f"SELECT * FROM by_both_new WHERE {MARCH}"
    (finding,) = of_cause(lake.audit(query, query), ID)
    assert (finding.severity, finding.confidence) == (Severity.INFO, Confidence.LOW)
    assert finding.fix.spark == finding.fix.trino == ()
    assert "seven days" in (finding.fix.advice or "")


def test_a_field_that_keeps_what_is_asked_for_together_is_in_use(lake: Lake) -> None:
    # As Hive's tables are: years and months of their own, and queries by the time itself.
    lake.sql(
        "CREATE TABLE lake.db.by_text (id BIGINT, month STRING, `At` TIMESTAMP_NTZ, text STRING) "
        "USING iceberg PARTITIONED BY (month)",
        "INSERT INTO lake.db.by_text SELECT id, date_format(at, 'yyyy-MM'), at, "
        "sha2(string(id), 256) FROM (SELECT id, "
        "timestamp_seconds(1704067200 + pmod(id * 7919, 366) * 86400) AS at FROM range(3000))",
    )
    query = f"SELECT * FROM by_text WHERE {MARCH}"
    assert ID not in causes(lake.audit(query, query, history=week_before("by_text")))


def test_a_spec_that_filters_use_is_left_alone(lake: Lake) -> None:
    of_orders(lake, "by_month", "months(`At`)")
    assert causes(lake.audit(*[f"SELECT * FROM by_month WHERE {MARCH}"] * 2)) == set()


def test_without_filters_nobody_knows_what_partitions_are_for(lake: Lake) -> None:
    of_orders(lake, "by_month_unasked", "months(`At`)")
    assert ID not in causes(lake.audit(*["SELECT * FROM by_month_unasked"] * 2))


def test_joins_may_use_a_field_that_no_filter_names(lake: Lake) -> None:
    joined = (
        "SELECT * FROM by_joins o JOIN joined_month m ON o.id = m.id "
        f"WHERE o.{MARCH.replace(' AND ', ' AND o.')}"
    )
    of_orders(lake, "by_joins", "months(`At`), bucket(4, id)")
    of_orders(lake, "joined_month", "months(`At`)")
    found = of_cause(lake.audit(joined, joined), ID)
    assert [f for f in found if f.table.table == "by_joins"] == []
