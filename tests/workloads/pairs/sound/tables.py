"""Tables of many kinds that lose nothing."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.mixed import (
    HOUR,
    accounts_in_sixteen_buckets,
    amounts_in_order,
    dated_by_months,
    days_in_three_numbers,
    days_of_two_months,
    full_hours,
    history_in_order,
    metrics_of_a_week,
    months_then_days,
    orders_by_number,
    orders_of_days,
    tags_of_days,
    tenants_in_buckets_by_day,
    three_hundred_small_tenants,
    tiles,
    window,
    zoned_days,
)
from tests.workloads.rows import DAY, SPARK, SPARK_35, day, each, instant, repeated

PAIRS = (
    # Reports of days by Spark, tenants of days by Trino: the partitions serve both.
    Pair(
        "tenants_by_two_engines",
        tenants_in_buckets_by_day,
        [
            *each(
                "SELECT * FROM lake.db.tenants_by_two_engines WHERE tenant_id = {}"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n * 211, *window(n % 10 * DAY, DAY)) for n in range(15)],
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.tenants_by_two_engines"
                " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
                [window(n * DAY, DAY) for n in range(10)],
                **SPARK,
            ),
        ],
        tempting={
            "unclustered_column": "the bucket of the day is one file",
            "misaligned_partitioning": "both fields are used",
            "partitions_too_fine": "a partition is a file",
        },
        never=("DROP", "REPLACE"),
    ),
    # Dashboards ask for the last minutes: the last of the day's six files is all there is to read.
    Pair(
        "dashboards_of_minutes",
        metrics_of_a_week,
        each(
            "SELECT avg(value) FROM lake.db.dashboards_of_minutes"
            " WHERE ts > TIMESTAMP '{}' - INTERVAL '15' MINUTE",
            [instant(7 * DAY - 60 * n) for n in range(1, 40)],
        ),
        tempting={
            "partitions_too_coarse": "files of the day are in order of time, and one is read",
            "unclustered_column": "one file is read",
            "wrapped_column": "the interval is taken from a literal",
        },
    ),
    Pair(
        "customers_of_today_in_order",
        history_in_order,
        repeated(
            "SELECT * FROM lake.db.customers_of_today_in_order WHERE valid_to IS NULL", 12, **SPARK
        ),
        tempting={"unclustered_column": "three files of forty are read"},
    ),
    # Copies of the whole table, each night.
    Pair(
        "exported_whole",
        orders_of_days,
        repeated("SELECT * FROM lake.db.exported_whole", 6, **SPARK),
        tempting={"no_partition_filter": "all rows are wanted"},
    ),
    # Somebody looks at a few rows. Engines stop at the first file that has them.
    Pair(
        "a_few_rows_looked_at",
        orders_of_days,
        [
            *repeated("SELECT * FROM lake.db.a_few_rows_looked_at LIMIT 100", 8),
            *repeated(
                "SELECT * FROM lake.db.a_few_rows_looked_at WHERE status = 'cancelled' LIMIT 10", 8
            ),
        ],
        tempting={
            "no_partition_filter": "one file has ten rows that match, and the engine stops there",
            "unclustered_column": "one file has ten rows that match, and the engine stops there",
        },
    ),
    # The user who checks and compacts reads what it likes.
    Pair(
        "checked_by_maintenance",
        orders_by_number,
        each(
            "SELECT count(*) FROM lake.db.checked_by_maintenance WHERE merchant_id = {}",
            range(10, 30),
            user="compactor",
        ),
        findings={"maintenance_users": ["compactor"]},
        tempting={"unclustered_column": "nobody else asks for merchants"},
    ),
    # A question of one afternoon.
    Pair(
        "asked_once",
        orders_by_number,
        each("SELECT * FROM lake.db.asked_once WHERE merchant_id = {}", [17]),
        thresholds={"min_scans": 2},
        tempting={"unclustered_column": "it was asked once"},
    ),
    # The number grows with time, so times are in order as well.
    Pair(
        "times_by_number",
        orders_by_number,
        each(
            "SELECT * FROM lake.db.times_by_number"
            " WHERE created_at >= TIMESTAMP '{}' AND created_at < TIMESTAMP '{}'",
            [window(n * DAY, DAY) for n in range(1, 39, 4)],
        ),
        tempting={"unclustered_column": "two or three files of forty are read"},
    ),
    # Trino unwraps all of these.
    Pair(
        "days_that_trino_unwraps",
        days_of_two_months,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.days_that_trino_unwraps"
                " WHERE CAST(ts AS date) = DATE '{}'",
                map(day, range(3, 50, 5)),
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.days_that_trino_unwraps"
                " WHERE date_trunc('month', ts) = TIMESTAMP '{} 00:00:00'",
                (day(0), day(31)),
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.days_that_trino_unwraps"
                " WHERE date(ts) BETWEEN DATE '{}' AND DATE '{}'",
                [(day(n), day(n + 6)) for n in (4, 11, 18)],
            ),
        ],
        tempting={"wrapped_column": "Trino makes ranges of them"},
    ),
    # Quarters and months of partitions by month.
    Pair(
        "quarters_of_months",
        dated_by_months,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.quarters_of_months"
                " WHERE d >= DATE '{}' AND d < DATE '{}'",
                [("2026-01-01", "2026-04-01"), ("2026-04-01", "2026-07-01")] * 3,
                **SPARK,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.quarters_of_months"
                " WHERE d BETWEEN DATE '{}' AND DATE '{}'",
                [("2027-02-01", "2027-02-28"), ("2027-03-01", "2027-03-31")],
            ),
        ],
        tempting={"partitions_too_coarse": "whole months are asked for"},
    ),
    # Weeks against the weeks a year ago: an OR of two ranges of one column.
    Pair(
        "this_week_or_that",
        days_of_two_months,
        [
            query
            for engine in ({}, SPARK)
            for query in each(
                "SELECT sum(amount) FROM lake.db.this_week_or_that"
                " WHERE (ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}')"
                " OR (ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}')"
                if engine
                else "SELECT sum(amount) FROM lake.db.this_week_or_that"
                " WHERE (ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}')"
                " OR (ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}')",
                [(*window(n * DAY, 7 * DAY), *window((n + 35) * DAY, 7 * DAY)) for n in range(6)],
                **engine,
            )
        ],
        tempting={"or_across_columns": "it is one column"},
    ),
    # Nearly all rows match.
    Pair(
        "all_but_tests",
        orders_of_days,
        [
            *repeated("SELECT sum(amount) FROM lake.db.all_but_tests WHERE NOT is_test", 6),
            *repeated(
                "SELECT sum(amount) FROM lake.db.all_but_tests"
                " WHERE status NOT IN ('failed', 'open') AND is_test = false",
                6,
                **SPARK,
            ),
        ],
        # Nobody asks for days, which do no harm.
        allowed=(Expected("misaligned_partitioning", ("order_day",), None, False),),
        tempting={
            "negated_condition": "most rows match",
            "no_partition_filter": "most rows match",
            "unclustered_column": "most rows match",
        },
    ),
    # Prefixes longer than the partition's: partition and order serve both engines.
    Pair(
        "tiles_by_prefix",
        tiles,
        [
            *each(
                "SELECT sum(visits) FROM lake.db.tiles_by_prefix WHERE geohash LIKE '{}%'",
                ["u33d", "u33e", "u0y7", "gcpv", "ezsb"],
            ),
            *each(
                "SELECT sum(visits) FROM lake.db.tiles_by_prefix WHERE geohash LIKE '{}%'",
                ["u2fk", "u2fz", "sr2a", "sp3q"],
                **SPARK,
            ),
        ],
        tempting={
            "like_without_prefix": "the patterns are prefixes",
            "partitions_too_coarse": "files inside are in order",
            "unclustered_column": "files inside are in order",
        },
    ),
    # Applications ask for a few accounts, whose buckets are one file each.
    Pair(
        "accounts_of_an_application",
        accounts_in_sixteen_buckets,
        [
            *each(
                "SELECT * FROM lake.db.accounts_of_an_application WHERE account_id IN ({}, {})",
                [(n * 401, n * 401 + 7) for n in range(20)],
                **SPARK_35,
            ),
            *each(
                "UPDATE lake.db.accounts_of_an_application SET balance = 0 WHERE account_id = {}",
                range(50, 60),
                **SPARK,
            ),
        ],
        tempting={
            "unclustered_column": "a bucket is one file",
            "small_files": "files are as large as they should be",
        },
        never=("DROP", "REPLACE"),
    ),
    # A day is 24 whole files; an alert asks for one hour.
    Pair(
        "days_of_full_hours",
        full_hours,
        [
            *each(
                "SELECT sum(n) FROM lake.db.days_of_full_hours"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [window(n % 4 * DAY, DAY) for n in range(8)],
            ),
            *each(
                "SELECT max(n) FROM lake.db.days_of_full_hours"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [window(n * HOUR, HOUR) for n in range(60, 80)],
            ),
        ],
        tempting={
            "partitions_too_fine": "an hour is a file",
            "small_files": "files are as large as they should be",
        },
        never=("DROP", "REPLACE"),
    ),
    Pair(
        "day_in_three_numbers",
        days_in_three_numbers,
        [
            *each(
                "SELECT sum(n) FROM lake.db.day_in_three_numbers"
                " WHERE year = 2026 AND month = {} AND day = {}",
                [(1, 4), (1, 19), (2, 3), (2, 27)] * 3,
                **SPARK_35,
            ),
            *each(
                "SELECT sum(n) FROM lake.db.day_in_three_numbers"
                " WHERE year = 2026 AND (month = 1 AND day >= {} OR month = 2 AND day <= {})",
                [(28, 3), (29, 4), (30, 5)],
                **SPARK,
            ),
        ],
        tempting={
            "or_across_columns": "Spark pushes the OR as it is",
            "misaligned_partitioning": "all fields are used",
        },
        never=("DROP", "REPLACE"),
    ),
    # Queries ask for days since the change; old months are ruled out whole.
    Pair(
        "days_after_months",
        months_then_days,
        each(
            "SELECT sum(n) FROM lake.db.days_after_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [window(n * DAY, DAY) for n in range(60, 78)],
        ),
        tempting={"old_spec_files": "none of the old files is read"},
    ),
    # Decimals compared with decimals.
    Pair(
        "large_amounts",
        amounts_in_order,
        [
            *repeated("SELECT * FROM lake.db.large_amounts WHERE amount >= 980.00", 5),
            *repeated(
                "SELECT * FROM lake.db.large_amounts WHERE amount BETWEEN 10.50 AND 19.90",
                5,
                **SPARK,
            ),
        ],
        tempting={"type_mismatch": "the literals are decimals", "unclustered_column": "in order"},
    ),
    # Each tenant's page reads one small file. Larger partitions would have it read more.
    Pair(
        "pages_of_small_tenants",
        three_hundred_small_tenants,
        each(
            "SELECT * FROM lake.db.pages_of_small_tenants WHERE tenant = 't{:04d}'",
            range(0, 300, 7),
        ),
        tempting={
            "small_files": "one file is opened at a time",
            "partitions_too_fine": "one file is opened at a time",
        },
        never=("DROP", "REPLACE"),
    ),
    # Times without a zone are of no zone, whatever the session's is.
    Pair(
        "days_of_no_zone",
        days_of_two_months,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_no_zone"
            " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
            [window(n * DAY, DAY) for n in range(2, 58, 5)],
            time_zone="Europe/Berlin",
            **SPARK,
        ),
        tempting={"local_day_boundaries": "the column has no zone"},
    ),
    # Days of UTC, said so, whatever the session's zone.
    Pair(
        "days_of_utc_from_tokyo",
        zoned_days,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_utc_from_tokyo"
            " WHERE ts >= TIMESTAMP '{} UTC' AND ts < TIMESTAMP '{} UTC'",
            [window(n * DAY, DAY) for n in range(2, 38, 3)],
            time_zone="Asia/Tokyo",
        ),
        tempting={"local_day_boundaries": "the ends are midnight of UTC"},
    ),
    # Bounds of the tag would rule out nothing that the day does not.
    Pair(
        "tags_of_a_day",
        tags_of_days,
        each(
            "SELECT sum(value) FROM lake.db.tags_of_a_day"
            " WHERE event_day = DATE '{}' AND tag = 't{}'",
            [(day(n), n % 7) for n in range(0, 30, 2)],
        ),
        tempting={
            "no_column_metrics": "the day is one file",
            "unclustered_column": "the day is one file",
        },
    ),
    # Functions beside what prunes already.
    Pair(
        "functions_beside_a_range",
        days_of_two_months,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.functions_beside_a_range"
                " WHERE year(ts) = 2026 AND month(ts) = 2"
                " AND ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
                [window(n * DAY, DAY) for n in range(32, 58, 3)],
                **SPARK,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.functions_beside_a_range"
                " WHERE hour(ts) BETWEEN 8 AND 17 AND CAST(ts AS date) = DATE '{}'",
                map(day, range(3, 50, 6)),
            ),
        ],
        tempting={"wrapped_column": "the range beside them prunes all there is"},
    ),
    # Everything is of this year; a function that nobody pushes costs nothing.
    Pair(
        "all_of_this_year",
        days_of_two_months,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.all_of_this_year"
                " WHERE date_format(ts, 'yyyy') = '2026'",
                6,
                **SPARK,
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.all_of_this_year"
                " WHERE ts >= TIMESTAMP '2026-01-01 00:00:00'",
                6,
            ),
        ],
        tempting={"wrapped_column": "all rows match"},
    ),
)
