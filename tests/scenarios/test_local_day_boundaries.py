"""Days of New York asked of partitions of days of UTC."""

from __future__ import annotations

import re

import pytest

from tests.scenarios.lake import Lake, Query, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def two_days(first: str, last: str, zone: str = "UTC") -> Query:
    """Two days of visits, in UTC or in the session's zone."""
    return Query(
        f"""SELECT * FROM visits WHERE "Seen" >= {first} AND "Seen" < {last}""", time_zone=zone
    )


@pytest.fixture(scope="module")
def visits(lake: Lake) -> Lake:
    """Three files for each of twelve days, each with times of the whole day."""
    lake.sql(
        "CREATE TABLE lake.db.visits (id BIGINT, `Seen` TIMESTAMP, note STRING) USING iceberg "
        "PARTITIONED BY (days(`Seen`)) TBLPROPERTIES ('write.target-file-size-bytes' = '6000')",
        *files(
            "visits",
            3,
            rows=2880,
            columns=[
                "id",
                "TIMESTAMP '2024-03-01 00:30:00' + make_interval(0, 0, 0, 0, id % 288)",
                "sha1(string(id))",
            ],
        ),
    )
    return lake


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
LOCAL = [
    two_days("TIMESTAMP '2024-03-04 05:00:00 UTC'", "TIMESTAMP '2024-03-06 05:00:00 UTC'"),
    two_days(
        "TIMESTAMP '2024-03-04 00:00:00'", "TIMESTAMP '2024-03-06 00:00:00'", "America/New_York"
    ),
    two_days("DATE '2024-03-04'", "DATE '2024-03-06'", "Asia/Kolkata"),
    # The clocks of New York go forward on the tenth.
    two_days(
        "TIMESTAMP '2024-03-09 00:00:00'", "TIMESTAMP '2024-03-11 00:00:00'", "America/New_York"
    ),
]


@pytest.mark.parametrize("query", LOCAL, ids=["literals", "session", "half hours", "summer time"])
def test_days_of_utc_read_what_was_promised(visits: Lake, query: Query) -> None:
    before = visits.audit(query)
    (finding,) = of_cause(before, "local_day_boundaries")
    assert causes(before) == {"local_day_boundaries"}
    assert finding.columns == ("Seen",)
    assert finding.bytes_at_stake is not None

    rewrite = finding.fix.rewrite
    first, last = (f"TIMESTAMP '{day} 00:00:00 UTC'" for day in _DAY.findall(query.sql))
    assert rewrite == f'"Seen" >= {first} AND "Seen" < {last}'
    after = visits.audit(f"SELECT * FROM visits WHERE {rewrite}")

    assert bytes_kept(before) - bytes_kept(after) == pytest.approx(finding.bytes_at_stake, rel=0.1)
    assert causes(after) == set()


@pytest.mark.parametrize(
    "query",
    [
        two_days("TIMESTAMP '2024-03-04 00:00:00 UTC'", "TIMESTAMP '2024-03-06 00:00:00 UTC'"),
        # A window of hours, and one day with an hour of overlap.
        two_days("TIMESTAMP '2024-03-04 08:00:00 UTC'", "TIMESTAMP '2024-03-04 17:00:00 UTC'"),
        two_days("TIMESTAMP '2024-03-04 00:00:00 UTC'", "TIMESTAMP '2024-03-05 01:00:00 UTC'"),
        two_days("TIMESTAMP '2024-03-04 05:07:00 UTC'", "TIMESTAMP '2024-03-06 05:07:00 UTC'"),
    ],
    ids=["midnight", "hours", "overlap", "any time"],
)
def test_other_ranges_are_left_alone(visits: Lake, query: Query) -> None:
    assert "local_day_boundaries" not in causes(visits.audit(query))


def test_times_in_order_inside_their_days_cost_little(lake: Lake) -> None:
    """Of a day that is cut, only the files on one side of the cut are read."""
    lake.sql(
        "CREATE TABLE lake.db.ticks (id BIGINT, at TIMESTAMP) USING iceberg "
        "PARTITIONED BY (days(at))",
        *files(
            "ticks",
            24,
            rows=300,
            columns=[
                "id",
                "TIMESTAMP '2024-03-01 00:00:00' + make_interval(0, 0, 0, 0, 0, id div 5)",
            ],
        ),
    )
    query = (
        "SELECT * FROM ticks WHERE at >= TIMESTAMP '2024-03-01 05:00:00 UTC' "
        "AND at < TIMESTAMP '2024-03-02 05:00:00 UTC'"
    )
    assert causes(lake.audit(query)) == set()
