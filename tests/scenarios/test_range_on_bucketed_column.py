"""Ranges of a column that a table is bucketed by."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, bytes_kept, causes, files, of_cause, week_before

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

IN_BUCKETS = [
    "id * 7919 % 4800",
    "TIMESTAMP '2024-03-01 00:00:00' + make_interval(0, 0, 0, id % 12, id % 23)",
    "sha1(string(id))",
]


def bucketed(lake: Lake, table: str, column: str) -> None:
    """Six files in each of two buckets of a column."""
    lake.sql(
        f"CREATE TABLE lake.db.{table} (`order` BIGINT, at TIMESTAMP, note STRING) USING iceberg "
        f"PARTITIONED BY (bucket(2, {column})) "
        "TBLPROPERTIES ('write.target-file-size-bytes' = '8000')",
        *files(table, 6, rows=800, columns=IN_BUCKETS),
    )


def test_an_order_instead_of_buckets_reads_what_was_promised(lake: Lake) -> None:
    bucketed(lake, "by_order", "`order`")
    query = """SELECT * FROM by_order WHERE "order" >= 1000 AND "order" < 1200"""
    before = lake.audit(query, history=week_before("by_order"))
    (finding,) = of_cause(before, "range_on_bucketed_column")
    assert causes(before) == {"range_on_bucketed_column"}
    assert finding.columns == ("order",)
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.5 * finding.bytes_read

    lake.sql(*finding.fix.spark)
    after = lake.audit(query)

    assert bytes_kept(before) - bytes_kept(after) == pytest.approx(finding.bytes_at_stake, rel=0.2)
    assert causes(after) == set()


def test_days_instead_of_buckets_read_what_was_promised(lake: Lake) -> None:
    bucketed(lake, "by_time", "at")
    query = (
        "SELECT * FROM by_time WHERE at >= TIMESTAMP '2024-03-04 00:00:00 UTC' "
        "AND at < TIMESTAMP '2024-03-06 00:00:00 UTC'"
    )
    before = lake.audit(query, history=week_before("by_time"))
    (finding,) = of_cause(before, "range_on_bucketed_column")
    assert finding.evidence["new_field"] == "day"
    assert finding.bytes_at_stake is not None

    lake.sql(*finding.fix.spark)
    after = lake.audit(query)

    assert bytes_kept(before) - bytes_kept(after) == pytest.approx(finding.bytes_at_stake, rel=0.2)
    assert causes(after) == set()


def test_buckets_that_serve_other_queries_stay(lake: Lake) -> None:
    bucketed(lake, "both_asked", "`order`")
    queries = [
        """SELECT * FROM both_asked WHERE "order" >= 1000 AND "order" < 1200""",
        """SELECT * FROM both_asked WHERE "order" = 17""",
    ]
    before = lake.audit(*queries)
    (finding,) = of_cause(before, "range_on_bucketed_column")
    assert finding.bytes_at_stake is not None

    lake.sql(*finding.fix.spark)
    after = lake.audit(*queries)

    assert bytes_kept(lake.audit(queries[1])) > 0
    saved = finding.bytes_read - bytes_kept(lake.audit(queries[0]))
    assert saved == pytest.approx(finding.bytes_at_stake, rel=0.2)
    assert "range_on_bucketed_column" not in causes(after)


def test_buckets_stay_until_a_week_has_been_seen(lake: Lake) -> None:
    bucketed(lake, "one_night", "`order`")
    query = """SELECT * FROM one_night WHERE "order" >= 1000 AND "order" < 1200"""
    (finding,) = of_cause(lake.audit(query), "range_on_bucketed_column")
    assert not any("DROP PARTITION FIELD" in statement for statement in finding.fix.spark)
    assert finding.fix.advice is not None
    assert "seven days" in finding.fix.advice


def test_single_values_are_left_alone(lake: Lake) -> None:
    bucketed(lake, "by_value", "`order`")
    result = lake.audit("""SELECT * FROM by_value WHERE "order" = 17""")
    assert "range_on_bucketed_column" not in causes(result)
