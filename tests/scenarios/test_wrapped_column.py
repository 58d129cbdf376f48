"""A function around the partition column."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, Query, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.spark, pytest.mark.slow]

WRAPPED = "SELECT * FROM wrapped WHERE year(at) = 2024 AND amount >= 0"


@pytest.fixture(scope="module")
def wrapped(lake: Lake) -> Lake:
    """Ten years of one file each, partitioned by month."""
    lake.sql(
        "CREATE TABLE lake.db.wrapped (id BIGINT, at TIMESTAMP, amount BIGINT) USING iceberg "
        "PARTITIONED BY (months(at))",
        *files(
            "wrapped",
            10,
            rows=100,
            columns=["id", "make_timestamp(2020 + id div 100, 3, 5, 0, 0, 0)", "id % 7"],
        ),
    )
    return lake


def test_the_rewrite_reads_what_was_promised(wrapped: Lake) -> None:
    before = wrapped.audit(Query(WRAPPED, "spark"))
    (finding,) = of_cause(before, "wrapped_column")
    assert finding.columns == ("at",)
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.8 * finding.bytes_read

    rewritten = f"SELECT * FROM wrapped WHERE {finding.fix.rewrite} AND amount >= 0"
    after = wrapped.audit(Query(rewritten, "spark"))

    assert bytes_kept(after) == bytes_kept(before) - finding.bytes_at_stake
    assert "wrapped_column" not in causes(after)


def test_an_engine_that_unwraps_it_itself_is_left_alone(wrapped: Lake) -> None:
    assert "wrapped_column" not in causes(wrapped.audit(Query(WRAPPED, "trino")))


def test_a_range_is_left_alone(wrapped: Lake) -> None:
    result = wrapped.audit(
        Query("SELECT * FROM wrapped WHERE at >= TIMESTAMP '2024-01-01 00:00:00'", "spark")
    )
    assert "wrapped_column" not in causes(result)
