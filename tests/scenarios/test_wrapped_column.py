"""A function around the partition column."""

from __future__ import annotations

import re

import pytest

from tests.scenarios.lake import Lake, Query, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.exhaustive]

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


def test_no_literal_is_told_unless_it_is_to_be_kept(wrapped: Lake) -> None:
    (finding,) = of_cause(
        wrapped.audit(Query(WRAPPED, "spark"), literals="redact"), "wrapped_column"
    )
    assert finding.conjunct == "YEAR(at) = ?"
    assert finding.fix.rewrite == (
        "`at` >= MAKE_DATE(:year, 1, 1) AND `at` < MAKE_DATE(:year, 1, 1) + INTERVAL '1' YEAR"
    )
    # Not among the digits of an id.
    assert re.search(r"\b2024\b", repr(finding)) is None
    (finding,) = of_cause(wrapped.audit(Query(WRAPPED, "spark"), literals="keep"), "wrapped_column")
    assert finding.conjunct == "YEAR(at) = 2024"


def test_the_range_can_be_pasted(wrapped: Lake) -> None:
    before = wrapped.audit(Query(WRAPPED, "spark"), literals="redact")
    (finding,) = of_cause(before, "wrapped_column")
    assert finding.fix.rewrite is not None
    assert finding.fix.advice is not None
    assert "as in YEAR(at) = :year" in finding.fix.advice

    range_ = finding.fix.rewrite.replace(":year", "2024")
    after = wrapped.audit(Query(f"SELECT * FROM wrapped WHERE {range_} AND amount >= 0", "spark"))

    assert bytes_kept(after) == bytes_kept(before) - (finding.bytes_at_stake or 0)
    assert "wrapped_column" not in causes(after)


def test_spark_is_told_of_the_partition_function(wrapped: Lake) -> None:
    (finding,) = of_cause(wrapped.audit(Query(WRAPPED, "spark")), "wrapped_column")
    assert finding.fix.advice is not None
    assert "system.months(`at`)" in finding.fix.advice

    after = wrapped.audit(Query("SELECT * FROM wrapped WHERE system.months(at) = 650", "spark"))
    assert causes(after) == set()


def test_two_wrapped_columns_count_their_bytes_once(lake: Lake) -> None:
    lake.sql(
        "CREATE TABLE lake.db.trips (id BIGINT, `Start` TIMESTAMP, `End` TIMESTAMP) USING iceberg",
        *files(
            "trips",
            10,
            rows=100,
            columns=[
                "id",
                "make_timestamp(2015 + id div 100, 3, 5, 0, 0, 0)",
                "make_timestamp(2015 + id div 100, 4, 5, 0, 0, 0)",
            ],
        ),
    )
    query = "SELECT * FROM trips WHERE year(`Start`) IN (2017, 2019) AND year(`End`) = 2019"
    before = lake.audit(Query(query, "spark"))
    (finding,) = of_cause(before, "wrapped_column")
    assert causes(before) == {"wrapped_column"}
    assert finding.columns == ("Start", "End")
    assert finding.bytes_at_stake is not None

    after = lake.audit(Query(f"SELECT * FROM trips WHERE {finding.fix.rewrite}", "spark"))

    assert bytes_kept(after) == bytes_kept(before) - finding.bytes_at_stake
    assert causes(after) == set()


def test_what_no_range_expresses_is_found_where_nothing_else_prunes(wrapped: Lake) -> None:
    weekdays = "day_of_week(at) = 3"
    result = wrapped.audit(f"SELECT * FROM wrapped WHERE {weekdays}")
    (finding,) = of_cause(result, "wrapped_column")
    assert finding.bytes_at_stake is None

    ranged = f"SELECT * FROM wrapped WHERE {weekdays} AND at >= TIMESTAMP '2028-01-01 00:00:00'"
    assert "wrapped_column" not in causes(wrapped.audit(ranged))


@pytest.mark.parametrize(
    "query",
    [
        Query("SELECT * FROM wrapped WHERE at >= TIMESTAMP '2024-01-01 00:00:00' OR id = 3"),
        Query("SELECT * FROM wrapped WHERE lower(CAST(amount AS VARCHAR)) = '3' AND id = 7"),
    ],
    ids=["an OR that Trino does not push", "a column that matters little"],
)
def test_what_is_lost_for_other_reasons_is_left_alone(wrapped: Lake, query: Query) -> None:
    assert "wrapped_column" not in causes(wrapped.audit(query))


def test_an_engine_that_unwraps_it_itself_is_left_alone(wrapped: Lake) -> None:
    assert "wrapped_column" not in causes(wrapped.audit(Query(WRAPPED, "trino")))


def test_a_range_is_left_alone(wrapped: Lake) -> None:
    result = wrapped.audit(
        Query("SELECT * FROM wrapped WHERE at >= TIMESTAMP '2024-01-01 00:00:00'", "spark")
    )
    assert "wrapped_column" not in causes(result)
