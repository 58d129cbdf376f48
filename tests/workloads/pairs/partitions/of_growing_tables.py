"""Partitions of tables that grew: of regions, hours, tenants, buckets, arrivals and older specs."""

from __future__ import annotations

import numpy as np

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    loaded,
    rng,
    scaled,
    table,
    texts,
    times,
)


def regions() -> Layout:
    """Five regions of twelve files each, of all 60 days."""
    draw = rng(22_001)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 60 * DAY, count)),
                "region": texts(np.arange(count) % 5, "R{}"),
            }
        ),
        "region",
    )


def hours() -> Layout:
    """720 hours of seven rows each: a day is about a quarter of a file, of a store that is slow to
    open one."""
    draw = rng(22_002)
    seconds = np.repeat(np.arange(720) * 3600, 7) + draw.uniform(0, 3600, 720 * 7)
    return laid_out(
        table({"ts": times(seconds), "meter": draw.integers(0, 40, len(seconds))}),
        "hours(ts)",
        properties={"read.split.open-file-cost": "3000"},
    )


def years_then_days() -> Layout:
    """A year of 40 files in its own partition, and 40 days since the partitioning was changed."""
    draw = rng(22_003)
    before = table({"ts": times(draw.uniform(-365 * DAY, -1, 40 * FILE_ROWS))}, 1)
    since = table({"ts": times(draw.uniform(0, 40 * DAY, 40 * FILE_ROWS))}, 2)
    old, new = ("years(ts)",), ("days(ts)",)
    return Layout(
        (Commit(loaded(before, old, FILE_ROWS), old), Commit(loaded(since, new, FILE_ROWS), new)),
        new,
        scaled(),
    )


def days_at_last() -> Layout:
    """60 files of 60 days in no order, and ten days since the table has partitions."""
    draw = rng(22_004)
    before = table({"ts": times(draw.uniform(0, 60 * DAY, 60 * FILE_ROWS))}, 1)
    since = table({"ts": times(draw.uniform(60 * DAY, 70 * DAY, 10 * FILE_ROWS))}, 2)
    new = ("days(ts)",)
    return Layout(
        (Commit(loaded(before, (), FILE_ROWS)), Commit(loaded(since, new, FILE_ROWS), new)),
        new,
        scaled(),
    )


def one_large_tenant() -> Layout:
    """A tenant of 40 files, and 39 of one each; rows are of any of 90 days."""
    draw = rng(22_005)
    tenants = np.concatenate([np.zeros(40 * FILE_ROWS), np.repeat(np.arange(1, 40), FILE_ROWS)])
    return laid_out(
        table(
            {
                "tenant": tenants.astype(np.int64),
                "ts": times(draw.uniform(0, 90 * DAY, len(tenants))),
            }
        ),
        "tenant",
    )


def buckets() -> Layout:
    """Eight buckets of users, of five files each."""
    draw = rng(22_006)
    count = 40 * FILE_ROWS
    return laid_out(
        table({"user_id": draw.integers(0, 9000, count), "score": draw.uniform(0, 1, count)}),
        "bucket(8, user_id)",
    )


def by_arrival() -> Layout:
    """60 days of arrival; one row in fifty is of an event up to 40 days before, others of two."""
    draw = rng(22_007)
    count = 60 * FILE_ROWS
    arrived = draw.uniform(0, 60 * DAY, count)
    is_late = draw.uniform(0, 1, count) < 0.02
    age = np.where(is_late, draw.uniform(0, 40 * DAY, count), draw.uniform(0, 2 * DAY, count))
    return laid_out(
        table({"ingested_at": times(arrived), "event_at": times(arrived - age)}),
        "days(ingested_at)",
    )


def filled_hours() -> Layout:
    """72 hours of a whole file each."""
    draw = rng(22_008)
    count = 72 * FILE_ROWS
    return laid_out(table({"ts": times(draw.uniform(0, 3 * DAY, count))}), "hours(ts)")


def _range(name: str, column: str, spans: list[tuple[float, float]], **asked: str) -> list[Query]:
    return each(
        f"SELECT * FROM lake.db.{name}"
        f" WHERE {column} >= TIMESTAMP '{{}}' AND {column} < TIMESTAMP '{{}}'",
        [(instant(a), instant(b)) for a, b in spans],
        **asked,
    )


def _days(name: str, column: str, numbers: range, **asked: str) -> list[Query]:
    return _range(name, column, [(n * DAY, (n + 1) * DAY) for n in numbers], **asked)


PAIRS = (
    # A day of a region would be a fifth of a file: an order by time within regions serves both.
    Pair(
        "days_of_all_regions_and_of_one",
        regions,
        [
            *_days("days_of_all_regions_and_of_one", "ts", range(2, 58, 2)),
            *each(
                "SELECT * FROM lake.db.days_of_all_regions_and_of_one WHERE region = 'R{}'"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n % 5, instant(n * DAY), instant((n + 1) * DAY)) for n in range(1, 41, 2)],
            ),
        ],
        expected=(
            Expected("no_partition_filter|unclustered_column", ("ts",), (0.6, 0.87), True, False),
        ),
        allowed=(Expected("unclustered_column", ("ts",)),),
        tempting={"misaligned_partitioning": "twenty queries go by region"},
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD", r"days\("),
    ),
    Pair(
        "days_of_tiny_hours",
        hours,
        _days("days_of_tiny_hours", "ts", range(1, 30, 2)),
        expected=(Expected("partitions_too_fine", ("ts",), None, True, says=("days",)),),
        tempting={"small_files": "no file can be larger than its hour"},
        never=("DROP PARTITION FIELD",),
    ),
    Pair(
        "whole_hours_of_a_file",
        filled_hours,
        _range(
            "whole_hours_of_a_file",
            "ts",
            [(n * 3600.0, (n + 2) * 3600.0) for n in range(1, 70, 5)],
        ),
        tempting={"partitions_too_fine": "an hour fills a file"},
    ),
    # Nobody asks for the year before, which is in partitions of its own.
    Pair(
        "recent_days_beside_an_old_year",
        years_then_days,
        _days("recent_days_beside_an_old_year", "ts", range(10, 39, 3)),
        tempting={"old_spec_files": "the old files are ruled out by their year"},
        never=("rewrite-all",),
    ),
    Pair(
        "days_of_files_without_any",
        days_at_last,
        _days("days_of_files_without_any", "ts", range(0, 70, 2)),
        expected=(Expected("old_spec_files", (), (0.9, 0.985), True, False),),
        tempting={"unclustered_column": "files of days need no order"},
        never=("PARTITION FIELD",),
    ),
    # Weeks of the large tenant read all 40 files; small ones have one each, which nothing mends.
    Pair(
        "weeks_of_a_large_tenant",
        one_large_tenant,
        each(
            "SELECT * FROM lake.db.weeks_of_a_large_tenant WHERE tenant = {}"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (0 if n % 4 else n % 39 + 1, instant(n * DAY), instant((n + 7) * DAY))
                for n in range(0, 80, 2)
            ],
        ),
        expected=(Expected("unclustered_column", ("ts",), (0.75, 0.93), True, False),),
        never=("PARTITION FIELD",),
    ),
    Pair(
        "users_one_by_one_and_in_ranges",
        buckets,
        [
            *each(
                "SELECT * FROM lake.db.users_one_by_one_and_in_ranges"
                " WHERE user_id BETWEEN {} AND {}",
                [(n, n + 400) for n in range(100, 8500, 420)],
            ),
            *each(
                "SELECT * FROM lake.db.users_one_by_one_and_in_ranges WHERE user_id = {}",
                range(33, 9000, 150),
            ),
        ],
        expected=(Expected("range_on_bucketed_column", ("user_id",), (0.4, 0.8), True, False),),
        allowed=(Expected("unclustered_column", ("user_id",)),),
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
    # All ask for when it happened, nobody for when it arrived.
    Pair(
        "events_by_when_they_happened",
        by_arrival,
        _days("events_by_when_they_happened", "event_at", range(58), **SPARK),
        expected=(Expected("no_partition_filter", ("event_at",), (0.86, 0.98), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        unsaid=("Leave the partitions",),
    ),
    Pair(
        "events_of_two_days_of_logs",
        by_arrival,
        _days("events_of_two_days_of_logs", "event_at", range(58), **SPARK),
        expected=(Expected("no_partition_filter", ("event_at",), (0.86, 0.98), False, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
        days=2,
    ),
    # Each hour a job takes what has arrived: by events, that would be in a dozen partitions.
    Pair(
        "events_and_what_arrived",
        by_arrival,
        [
            *_days("events_and_what_arrived", "ingested_at", range(60)),
            *_days("events_and_what_arrived", "ingested_at", range(60)),
            *_days("events_and_what_arrived", "event_at", range(3, 58, 4)),
        ],
        allowed=(
            Expected("no_partition_filter", ("event_at",), None, False),
            Expected("misaligned_partitioning", ("event_at",), None, False),
        ),
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
