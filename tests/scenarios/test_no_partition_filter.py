"""A partitioned table whose scans filter by another column."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, Query, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

ORDERS = """SELECT * FROM regional WHERE "order id" BETWEEN 600 AND 700"""
OF_A_REGION = "SELECT * FROM regional WHERE region = 'r1'"


@pytest.fixture(scope="module")
def regional(lake: Lake) -> Lake:
    """Three regions of eight files, each with numbers from all over their range."""
    lake.sql(
        "CREATE TABLE lake.db.regional (`order id` BIGINT, region STRING, note STRING) "
        "USING iceberg PARTITIONED BY (region) "
        "TBLPROPERTIES ('write.target-file-size-bytes' = '6000')",
        *files(
            "regional",
            8,
            rows=900,
            columns=["id * 7919 % 7200", "concat('r', id % 3)", "sha1(string(id))"],
        ),
    )
    return lake


def test_sorting_inside_partitions_reads_what_was_promised(regional: Lake) -> None:
    before = regional.audit(ORDERS, OF_A_REGION)
    (finding,) = of_cause(before, "no_partition_filter")
    assert causes(before) == {"no_partition_filter"}
    assert finding.columns == ("order id",)
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.5 * finding.bytes_read

    regional.sql(*finding.fix.spark)
    after = regional.audit(ORDERS, OF_A_REGION)

    saved = bytes_kept(before) - bytes_kept(after)
    assert saved == pytest.approx(finding.bytes_at_stake, rel=0.2)
    assert causes(after) == set()


def test_a_filter_on_the_partition_column_is_left_alone(regional: Lake) -> None:
    assert causes(regional.audit(OF_A_REGION)) == set()


def test_a_column_of_times_becomes_a_partition_field(lake: Lake) -> None:
    lake.sql(
        "CREATE TABLE lake.db.bare_times (kind STRING, at TIMESTAMP, note STRING) "
        "USING iceberg PARTITIONED BY (kind) "
        "TBLPROPERTIES ('write.target-file-size-bytes' = '4000')",
        *files(
            "bare_times",
            6,
            rows=800,
            columns=[
                "concat('k', id % 2)",
                "TIMESTAMP '2024-03-01 00:00:00' + make_interval(0, 0, 0, id div 2 % 10, id % 23)",
                "sha1(string(id))",
            ],
        ),
    )
    of_a_kind = "SELECT * FROM bare_times WHERE kind = 'k1'"
    query = Query(
        "SELECT * FROM bare_times WHERE at >= TIMESTAMP '2024-03-04 00:00:00' "
        "AND at < TIMESTAMP '2024-03-06 00:00:00'",
        "spark",
    )
    before = lake.audit(query, of_a_kind)
    (finding,) = of_cause(before, "no_partition_filter")
    assert causes(before) == {"no_partition_filter"}
    assert finding.evidence["new_field"] == "day"
    assert finding.bytes_at_stake is not None

    lake.sql(*finding.fix.spark)
    after = lake.audit(query, of_a_kind)

    saved = bytes_kept(before) - bytes_kept(after)
    assert saved == pytest.approx(finding.bytes_at_stake, rel=0.2)
    assert causes(after) == set()
