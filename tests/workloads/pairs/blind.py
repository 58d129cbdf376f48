"""A second engineer's tables: written from the documentation alone, half of them sound."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    dates,
    day,
    day_text,
    each,
    instant,
    laid_out,
    loaded,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)

FILES = 40
COUNT = FILES * FILE_ROWS
HOUR = 3_600


def tenants_in_buckets_by_day() -> Layout:
    """Eight buckets of tenants in each of twelve days, each about one file."""
    draw = rng(4_001)
    count = 12 * 8 * FILE_ROWS
    return laid_out(
        table(
            {
                "tenant_id": draw.integers(0, 4_000, count),
                "ts": times(np.sort(draw.uniform(0, 12 * DAY, count))),
                "amount": np.arange(count),
            }
        ),
        "bucket(8, tenant_id)",
        "days(ts)",
    )


def metrics_of_a_week() -> Layout:
    """Seven days of six files each, rows as they came."""
    count = 42 * FILE_ROWS
    seconds = np.sort(rng(4_002).uniform(0, 7 * DAY, count))
    rows = table({"ts": times(seconds), "value": np.arange(count)})
    return laid_out(rows, "days(ts)", commits=42)


def customers_with_history(sorted_: bool) -> Layout:
    """Versions of customers; those of today have no end: one in twenty."""
    draw = rng(4_003)
    start = draw.integers(-900, 0, COUNT)
    current = draw.random(COUNT) < 0.05
    end = start + draw.integers(1, 90, COUNT)
    if sorted_:
        order = np.lexsort((start, current))
        start, current, end = start[order], current[order], end[order]
    ends = pa.array(
        [None if now else day(int(number)) for now, number in zip(current, end, strict=True)],
        pa.date32(),
    )
    ids = draw.integers(0, 9_000, COUNT)
    return laid_out(table({"customer_id": ids, "valid_from": dates(start), "valid_to": ends}))


def history_in_order() -> Layout:
    """Versions that have ended first, in order of their start, then those of today."""
    return customers_with_history(sorted_=True)


def history_as_it_came() -> Layout:
    """Versions in order of nothing."""
    return customers_with_history(sorted_=False)


def orders_of_days() -> Layout:
    """A file for each of 40 days, with a status, a customer and a merchant in no order."""
    draw = rng(4_004)
    days = np.repeat(np.arange(FILES), FILE_ROWS)
    return laid_out(
        table(
            {
                "order_day": dates(days),
                "status": texts(
                    draw.choice(
                        ["done", "cancelled", "open", "failed"], COUNT, p=[0.8, 0.16, 0.03, 0.01]
                    )
                ),
                "is_test": draw.random(COUNT) < 0.03,
                "merchant_id": draw.integers(0, 300, COUNT),
                "amount": np.arange(COUNT),
            }
        ),
        "order_day",
    )


def orders_by_number() -> Layout:
    """40 files in order of a number that grows with time; other columns in no order."""
    draw = rng(4_005)
    seconds = np.sort(draw.uniform(0, FILES * DAY, COUNT))
    return laid_out(
        table(
            {
                "order_id": np.arange(COUNT) * 5,
                "created_at": times(seconds + draw.uniform(0, 900, COUNT)),
                "merchant_id": draw.integers(0, 300, COUNT),
                "status": texts(
                    draw.choice(
                        ["done", "cancelled", "open", "failed"], COUNT, p=[0.8, 0.16, 0.03, 0.01]
                    )
                ),
                "note": texts(draw.integers(0, 10**9, COUNT), "note {} of a clerk"),
            }
        )
    )


def days_of_two_months() -> Layout:
    """A file for each of the 59 days of January and February, times in UTC without a zone."""
    count = 59 * FILE_ROWS
    seconds = np.sort(rng(4_006).uniform(0, 59 * DAY, count))
    return laid_out(table({"ts": times(seconds), "amount": np.arange(count)}), "days(ts)")


def zoned_days() -> Layout:
    """A file for each of 40 days of UTC, of times with a zone."""
    seconds = rng(4_007).uniform(0, FILES * DAY, COUNT)
    return laid_out(table({"ts": times(seconds, "UTC"), "amount": np.arange(COUNT)}), "days(ts)")


def dated_by_months() -> Layout:
    """Two files for each of 24 months of a date."""
    days = np.sort(rng(4_008).integers(0, 730, 48 * FILE_ROWS))
    return laid_out(table({"d": dates(days), "amount": np.arange(len(days))}), "months(d)")


def tiles() -> Layout:
    """Places by geohash: nine of three letters, of four files each, in order of the hash."""
    draw = rng(4_009)
    letters = np.array(list("0123456789bcdefghjkmnpqrstuvwxyz"))
    heads = np.repeat(["u2f", "u33", "u37", "u0y", "u1h", "gcp", "ezs", "sp3", "sr2"], 4 * 600)
    tails = letters[draw.integers(0, 32, (len(heads), 5))]
    hashes = sorted(head + "".join(tail) for head, tail in zip(heads, tails, strict=True))
    return laid_out(
        table({"geohash": texts(hashes), "visits": np.arange(len(hashes))}), "truncate(3, geohash)"
    )


def accounts_in_sixteen_buckets() -> Layout:
    """Sixteen buckets of one file each."""
    ids = rng(4_010).permutation(16 * FILE_ROWS)
    rows = table({"account_id": ids, "balance": np.arange(len(ids))})
    return laid_out(rows, "bucket(16, account_id)")


def full_hours() -> Layout:
    """A file for each of 96 hours."""
    seconds = np.sort(rng(4_011).uniform(0, 96 * HOUR, 96 * FILE_ROWS))
    return laid_out(table({"ts": times(seconds), "n": np.arange(len(seconds))}), "hours(ts)")


def thin_hours() -> Layout:
    """Thirty rows, a twentieth of a file, for each of 336 hours."""
    seconds = np.repeat(np.arange(336), 30) * HOUR + 60.0
    return laid_out(
        table({"ts": times(seconds), "n": np.arange(len(seconds))}, row_bytes=1_000),
        "hours(ts)",
        properties=scaled(600_000),
    )


def days_in_three_numbers() -> Layout:
    """Days as year, month and day: one file for each of 59."""
    days = np.repeat(np.arange(59), FILE_ROWS)
    of = [day(int(number)) for number in days]
    return laid_out(
        table(
            {
                "year": pa.array([date.year for date in of], pa.int32()),
                "month": pa.array([date.month for date in of], pa.int32()),
                "day": pa.array([date.day for date in of], pa.int32()),
                "n": np.arange(len(days)),
            }
        ),
        "year",
        "month",
        "day",
    )


def months_then_days() -> Layout:
    """Partitions of months until the end of February, of days since: 20 days of one file each."""
    draw = rng(4_012)
    old = np.sort(draw.uniform(0, 59 * DAY, 20 * FILE_ROWS))
    new = np.sort(draw.uniform(59 * DAY, 79 * DAY, 20 * FILE_ROWS))
    commits = tuple(
        Commit(
            loaded(table({"ts": times(part), "n": np.arange(len(part))}), (term,), FILE_ROWS),
            (term,),
        )
        for part, term in ((old, "months(ts)"), (new, "days(ts)"))
    )
    return Layout(commits, ("days(ts)",), scaled())


def never_rewritten() -> Layout:
    """24 files of any of the first 24 days, without partitions; six days since have their own."""
    draw = rng(4_013)
    old = draw.uniform(0, 24 * DAY, 24 * FILE_ROWS)
    new = np.sort(draw.uniform(24 * DAY, 30 * DAY, 6 * FILE_ROWS))
    commits = tuple(
        Commit(loaded(table({"ts": times(part), "n": np.arange(len(part))}), by, FILE_ROWS), by)
        for part, by in ((old, ()), (new, ("days(ts)",)))
    )
    return Layout(commits, ("days(ts)",), scaled())


def amounts_in_order() -> Layout:
    """Decimals from 0.00 to 999.99 in order."""
    cents = np.sort(rng(4_014).integers(0, 100_000, COUNT))
    amounts = pa.array([Decimal(int(value)).scaleb(-2) for value in cents], pa.decimal128(10, 2))
    return laid_out(table({"amount": amounts, "n": np.arange(COUNT)}))


def three_hundred_small_tenants() -> Layout:
    """300 tenants of 20 rows each, a partition for each."""
    tenant = np.repeat(np.arange(300), 20)
    return laid_out(table({"tenant": texts(tenant, "t{:04d}"), "n": np.arange(6_000)}), "tenant")


def logins_by_day() -> Layout:
    """Fifteen days of four files; any user on any day."""
    draw = rng(4_015)
    count = 60 * FILE_ROWS
    users = draw.integers(0, 900, count)
    return laid_out(
        table(
            {
                "login_day": dates(np.repeat(np.arange(15), 4 * FILE_ROWS)),
                "email": texts(users, "user{:04d}@example.org"),
                "n": np.arange(count),
            }
        ),
        "login_day",
    )


def people() -> Layout:
    """People in no order, each with a name and an address as they wrote it."""
    draw = rng(4_016)
    heads = np.array(["Anders", "Berg", "Claus", "Dietz", "Ehlers", "Falk", "Gross", "Maier"])
    names = [
        f"{head}{tail:05d}"
        for head, tail in zip(
            heads[draw.integers(0, 8, COUNT)], draw.integers(0, 10**5, COUNT), strict=True
        )
    ]
    return laid_out(
        table(
            {
                "name": texts(names),
                "email": texts(draw.integers(0, 10**6, COUNT), "User{}@Example.org"),
                "n": np.arange(COUNT),
            }
        )
    )


def days_and_buckets_unasked() -> Layout:
    """Sixteen buckets of 37 rows in each of twenty days."""
    count = 20 * FILE_ROWS
    seconds = np.sort(rng(4_017).uniform(0, 20 * DAY, count))
    return laid_out(
        table({"ts": times(seconds), "device_id": rng(4_018).integers(0, 500, count)}),
        "days(ts)",
        "bucket(16, device_id)",
    )


def streamed() -> Layout:
    """Ten days of sixty files of ten rows each."""
    seconds = np.sort(rng(4_019).uniform(0, 10 * DAY, 10 * FILE_ROWS))
    rows = table({"ts": times(seconds), "n": np.arange(len(seconds))})
    return Layout(
        (Commit(loaded(rows, ("days(ts)",), 10), ("days(ts)",)),), ("days(ts)",), scaled()
    )


def ordered_and_shipped() -> Layout:
    """60 files in order of the day of the order; goods leave up to three days later."""
    ordered = np.repeat(np.arange(60), FILE_ROWS)
    shipped = ordered + rng(4_020).integers(0, 4, len(ordered))
    return laid_out(
        table({"order_day": dates(ordered), "ship_day": dates(shipped), "n": np.arange(36_000)})
    )


def text_days() -> Layout:
    """A file for each of 40 days, written as text."""
    days = np.repeat(np.arange(FILES), FILE_ROWS)
    return laid_out(table({"dt": day_text(days), "n": np.arange(COUNT)}), "dt")


def number_days() -> Layout:
    """A file for each of 59 days, written as the number 20260131."""
    keys = np.array([int(day(number).strftime("%Y%m%d")) for number in range(59)])
    return laid_out(
        table({"date_key": np.repeat(keys, FILE_ROWS), "n": np.arange(59 * 600)}), "date_key"
    )


def events_with_a_context() -> Layout:
    """40 files in order of the time within a struct."""
    seconds = np.sort(rng(4_021).uniform(0, FILES * DAY, COUNT))
    at = times(seconds)
    context = pa.StructArray.from_arrays([at, pa.array(np.arange(COUNT))], ["created_at", "seq"])
    return laid_out(table({"ctx": context, "n": np.arange(COUNT)}))


def measured_in_part() -> Layout:
    """40 files in order of a plant, of which writers count values only."""
    plants = np.repeat(np.arange(FILES), FILE_ROWS)
    return laid_out(
        table(
            {
                "plant": texts(plants, "p{:03d}"),
                "ts": times(rng(4_022).uniform(0, 30 * DAY, COUNT)),
                "value": np.arange(COUNT),
            }
        ),
        properties={
            "write.metadata.metrics.default": "counts",
            "write.metadata.metrics.column.ts": "full",
        },
    )


def tags_of_days() -> Layout:
    """A file for each of 30 days, of which writers know the bounds of the day alone."""
    draw = rng(4_026)
    days = np.repeat(np.arange(30), FILE_ROWS)
    return laid_out(
        table(
            {
                "event_day": dates(days),
                "tag": texts(draw.integers(0, 7, len(days)), "t{}"),
                "value": np.arange(len(days)),
            }
        ),
        "event_day",
        properties={
            "write.metadata.metrics.default": "counts",
            "write.metadata.metrics.column.event_day": "full",
        },
    )


def long_months() -> Layout:
    """Two months of sixty files each, with any time of the month."""
    seconds = rng(4_023).uniform(0, 59 * DAY, 120 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "n": np.arange(len(seconds))}), "months(ts)")


def regions_of_forty_days() -> Layout:
    """Five regions of forty files each, with any day of forty."""
    draw = rng(4_024)
    count = 200 * FILE_ROWS
    return laid_out(
        table(
            {
                "region": texts(draw.integers(0, 5, count), "r{}"),
                "ts": times(draw.uniform(0, 40 * DAY, count)),
                "n": np.arange(count),
            }
        ),
        "region",
    )


def positions_by_latitude() -> Layout:
    """40 files in order of latitude, from 47 to 55 degrees."""
    draw = rng(4_025)
    return laid_out(
        table(
            {
                "lat": np.sort(draw.uniform(47, 55, COUNT)),
                "lon": draw.uniform(6, 15, COUNT),
                "n": np.arange(COUNT),
            }
        )
    )


def window(first: float, seconds: float) -> tuple[str, str]:
    """The ends of a range of times."""
    return instant(first), instant(first + seconds)


SOUND = (
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

FAULTS = (
    # Days of login say nothing of the person: sixty files for each, of which fifteen would do.
    # 8 times 60 files and 10 times 4; the former become 15.
    Pair(
        "people_forgotten_by_email",
        logins_by_day,
        [
            *each(
                "SELECT * FROM lake.db.people_forgotten_by_email"
                " WHERE email = 'user{:04d}@example.org'",
                range(5, 885, 110),
            ),
            *each(
                "SELECT count(*) FROM lake.db.people_forgotten_by_email"
                " WHERE login_day = DATE '{}'",
                map(day, range(10)),
            ),
        ],
        expected=(Expected("no_partition_filter", ("email",), (0.6, 0.71), True),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"unclustered_column": "the same, under another name"},
        never=("DROP", "REPLACE"),
    ),
    # What people wrote is compared in lower case: a column of the lower text is what helps.
    Pair(
        "mail_in_any_case",
        people,
        each(
            "SELECT * FROM lake.db.mail_in_any_case WHERE lower(email) = 'user{}@example.org'",
            range(100, 120),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("email",), None, statements=False, rewrite=False),),
        tempting={"unclustered_column": "an order of the column as it is does not help"},
    ),
    # A twentieth of the rows has no end, in every file. They fill two files of forty.
    Pair(
        "customers_of_today",
        history_as_it_came,
        repeated("SELECT * FROM lake.db.customers_of_today WHERE valid_to IS NULL", 12, **SPARK),
        expected=(Expected("unclustered_column", ("valid_to",), (0.88, 0.96), True),),
    ),
    # One merchant of 300 in each file; 80 rows of his.
    Pair(
        "merchants_looked_up",
        orders_by_number,
        [
            *each("SELECT * FROM lake.db.merchants_looked_up WHERE merchant_id = {}", range(5, 25)),
            *each(
                "DELETE FROM lake.db.merchants_looked_up WHERE merchant_id = {}",
                range(100, 110),
                **SPARK,
            ),
        ],
        expected=(Expected("unclustered_column", ("merchant_id",), (0.9, 0.98), True),),
    ),
    # A day is one file; sixteen buckets make sixteen of it, and nobody asks for devices.
    Pair(
        "devices_that_nobody_asks_for",
        days_and_buckets_unasked,
        each(
            "SELECT count(*) FROM lake.db.devices_that_nobody_asks_for"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [window(n * DAY, 3 * DAY) for n in range(16)],
        ),
        expected=(Expected("misaligned_partitioning|partitions_too_fine", (), None, True),),
        tempting={"small_files": "no file spans two partitions, so nothing is there to merge"},
        never=(r"DROP PARTITION FIELD days\(ts\)", r"REPLACE PARTITION FIELD days\(ts\)"),
    ),
    # 24 files are read for a day that would fill one.
    Pair(
        "days_before_the_change",
        never_rewritten,
        each(
            "SELECT sum(n) FROM lake.db.days_before_the_change"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [window(n * DAY, DAY) for n in range(2, 22, 2)],
        ),
        expected=(Expected("old_spec_files", (), (0.85, 0.96), True),),
        tempting={"unclustered_column": "a rewrite cuts old files into days"},
    ),
    # A week of a stream: 420 files for seven.
    Pair(
        "weeks_of_a_stream",
        streamed,
        each(
            "SELECT sum(n) FROM lake.db.weeks_of_a_stream"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [window(n * DAY, 7 * DAY) for n in range(3)] * 4,
        ),
        expected=(Expected("small_files", (), None, True),),
        tempting={"partitions_too_fine": "a day is a file, once merged"},
        never=("DROP", "REPLACE"),
    ),
    # A day of New York is in two days of UTC; one file each.
    Pair(
        "days_in_new_york",
        zoned_days,
        each(
            "SELECT sum(amount) FROM lake.db.days_in_new_york"
            " WHERE ts >= TIMESTAMP '{0} 00:00:00 America/New_York'"
            " AND ts < TIMESTAMP '{1} 00:00:00 America/New_York'",
            [(day(n), day(n + 1)) for n in range(2, 34, 3)],
        ),
        expected=(Expected("local_day_boundaries", ("ts",), (0.35, 0.52)),),
        tempting={"partitions_too_coarse": "days are asked for"},
        never=("DROP",),
    ),
    # Spark's casts are pushed; Trino's text is not.
    Pair(
        "days_as_text_in_one_engine",
        zoned_days,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.days_as_text_in_one_engine"
                " WHERE CAST(ts AS DATE) = DATE '{}'",
                map(day, range(5, 25)),
                **SPARK,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.days_as_text_in_one_engine"
                " WHERE format_datetime(ts, 'yyyy-MM-dd') = '{}'",
                map(day, range(5, 15)),
            ),
        ],
        # 10 times 40 files and 20 times one.
        expected=(
            Expected("wrapped_column", ("ts",), (0.85, 0.94), statements=False, rewrite=True),
        ),
    ),
    # 300 numbers within 1,500 that follow each other: three or four files of forty.
    Pair(
        "three_hundred_orders",
        orders_by_number,
        [
            query
            for first in (20_000, 60_000, 90_000)
            for query in repeated(
                "SELECT * FROM lake.db.three_hundred_orders WHERE order_id IN ("
                + ", ".join(str(first + 25 * n) for n in range(300))
                + ")",
                4,
                **SPARK,
            )
        ],
        expected=(Expected("long_in_list", ("order_id",), (0.9, 0.951)),),
    ),
    # Files of the day and of the three before it: four or five of sixty, of which Trino reads all.
    Pair(
        "ordered_or_shipped_on",
        ordered_and_shipped,
        each(
            "SELECT * FROM lake.db.ordered_or_shipped_on"
            " WHERE order_day = DATE '{0}' OR ship_day = DATE '{0}'",
            map(day, range(5, 55, 5)),
        ),
        expected=(Expected("or_across_columns", (), (0.85, 0.94), statements=False),),
    ),
    Pair(
        "words_within_notes",
        orders_by_number,
        each(
            "SELECT * FROM lake.db.words_within_notes WHERE note LIKE '%{}%'", range(40_000, 40_012)
        ),
        expected=(Expected("like_without_prefix", ("note",), None, statements=False),),
        tempting={"unclustered_column": "no order serves a word within"},
    ),
    # Text that is cast to a date: whole tables are read for weeks.
    Pair(
        "text_day_cast_to_a_range",
        text_days,
        each(
            "SELECT sum(n) FROM lake.db.text_day_cast_to_a_range"
            " WHERE CAST(dt AS date) BETWEEN DATE '{}' AND DATE '{}'",
            [(day(n), day(n + 6)) for n in range(0, 32, 4)],
        ),
        expected=(Expected("type_mismatch", ("dt",), statements=False),),
        never=("DROP",),
    ),
    # A month by the first six digits: 31 or 28 files of 59.
    Pair(
        "month_by_digits",
        number_days,
        each(
            "SELECT sum(n) FROM lake.db.month_by_digits"
            " WHERE substr(CAST(date_key AS varchar), 1, 6) = '{}'",
            ["202601", "202602"] * 4,
        ),
        expected=(
            Expected("wrapped_column", ("date_key",), (0.46, 0.51), statements=False, rewrite=True),
        ),
        never=("DROP",),
    ),
    # A range of days made of three numbers: seven files of 59.
    Pair(
        "week_made_of_numbers",
        days_in_three_numbers,
        each(
            "SELECT sum(n) FROM lake.db.week_made_of_numbers"
            " WHERE make_date(year, month, day) BETWEEN DATE '{}' AND DATE '{}'",
            [(day(n), day(n + 6)) for n in range(2, 22, 4)],
            **SPARK,
        ),
        # January alone is 31 of 59; with days of the month, seven.
        expected=(Expected("wrapped_column", ("year|month|day",), (0.45, 0.89), False, True),),
        never=("DROP", "REPLACE"),
    ),
    # ISO weeks of a year are seven days: 59 files are read for seven.
    Pair(
        "weeks_by_number",
        days_of_two_months,
        each(
            "SELECT sum(amount) FROM lake.db.weeks_by_number"
            " WHERE weekofyear(ts) = {} AND year(ts) = 2026",
            range(2, 9),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.85, 0.89), False, True),),
        never=("DROP", "REPLACE"),
    ),
    # The day within a struct, cut by a function that Spark does not push: one or two of forty.
    Pair(
        "days_within_a_struct",
        events_with_a_context,
        each(
            "SELECT sum(n) FROM lake.db.days_within_a_struct"
            " WHERE date_trunc('DAY', ctx.created_at) = TIMESTAMP_NTZ '{} 00:00:00'",
            map(day, range(3, 38, 5)),
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column", ("ctx.created_at",), (0.92, 0.976), statements=False, rewrite=True
            ),
        ),
    ),
    # A double beside a decimal has Spark cast each amount: one or two of forty would do.
    Pair(
        "amounts_above_a_double",
        amounts_in_order,
        repeated("SELECT * FROM lake.db.amounts_above_a_double WHERE amount > 980e0", 8, **SPARK),
        expected=(
            Expected("wrapped_column|type_mismatch", ("amount",), (0.94, 0.976), statements=False),
        ),
    ),
    # Files are in order of the plant, and nobody kept its bounds.
    Pair(
        "plants_that_are_counted",
        measured_in_part,
        each(
            "SELECT avg(value) FROM lake.db.plants_that_are_counted WHERE plant = 'p{:03d}'",
            range(0, 40, 4),
        ),
        expected=(Expected("no_column_metrics", ("plant",), (0.92, 0.976), True),),
        tempting={"unclustered_column": "rows are in order of it"},
    ),
    # A day is two files of the sixty of its month.
    Pair(
        "days_of_long_months",
        long_months,
        each(
            "SELECT sum(n) FROM lake.db.days_of_long_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [window(n * DAY, DAY) for n in range(2, 56, 4)],
        ),
        expected=(
            Expected("partitions_too_coarse", ("ts",), (0.9, 0.97), True, says=(r"days\(ts\)",)),
        ),
        never=("DROP",),
    ),
    # Days of all regions. A day of a region is one file.
    Pair(
        "days_of_all_regions",
        regions_of_forty_days,
        each(
            "SELECT sum(n) FROM lake.db.days_of_all_regions"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [window(n * DAY, DAY) for n in range(2, 38, 3)],
        ),
        expected=(
            Expected("no_partition_filter", ("ts",), (0.9, 0.976), True, says=(r"days\(ts\)",)),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
    ),
    # Names that begin so: an eighth of a thousandth of them.
    Pair(
        "names_as_they_are_typed",
        people,
        each(
            "SELECT * FROM lake.db.names_as_they_are_typed WHERE name LIKE '{}%'",
            ["Anders01", "Berg77", "Claus3", "Dietz442", "Maier9", "Falk55", "Gross08", "Ehlers21"],
        ),
        expected=(Expected("unclustered_column", ("name",), (0.88, 0.976), True),),
    ),
    # Ten days, as text: 49 of 59.
    Pair(
        "ten_days_as_text",
        days_of_two_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.ten_days_as_text"
            " WHERE CAST(ts AS varchar) LIKE '2026-01-1%'",
            6,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.8, 0.84), False, True),),
        never=("DROP", "REPLACE"),
    ),
    # January and February, by their numbers: four files of 48.
    Pair(
        "two_months_by_number",
        dated_by_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.two_months_by_number"
            " WHERE EXTRACT(YEAR FROM d) = 2026 AND EXTRACT(MONTH FROM d) BETWEEN 1 AND 2",
            6,
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.88, 0.93), False, True),),
        never=("DROP", "REPLACE"),
    ),
    # Near a latitude: one or two files of forty, by a condition that no engine pushes.
    Pair(
        "near_a_latitude",
        positions_by_latitude,
        each(
            "SELECT sum(n) FROM lake.db.near_a_latitude"
            " WHERE abs(lat - {}) < 0.05 AND abs(lon - 13.4) < 0.05",
            [48.1, 50.9, 52.5, 53.6, 49.4],
        ),
        expected=(Expected("wrapped_column", ("lat",), (0.92, 0.976), False, True),),
        allowed=(Expected("wrapped_column", ("lon",), (0, 0.05)),),
    ),
    # Cells of four letters, by a function that Spark does not push: one or two of 36.
    Pair(
        "tiles_by_substring",
        tiles,
        each(
            "SELECT sum(visits) FROM lake.db.tiles_by_substring"
            " WHERE substring(geohash, 1, 4) = '{}'",
            ["u33d", "u2fk", "gcpv", "ezsb", "sr2a"],
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column|like_without_prefix", ("geohash",), (0.92, 0.973), False, True
            ),
        ),
    ),
    # Numbers within ranges of another table. No literal says which.
    Pair(
        "orders_in_ranges_of_bands",
        orders_by_number,
        repeated(
            "SELECT r.name, count(*) FROM lake.db.orders_in_ranges_of_bands o"
            " JOIN lake.db.bands r ON o.order_id BETWEEN r.low AND r.high GROUP BY r.name",
            5,
        ),
        expected=(Expected("runtime_only", (), None, statements=False),),
    ),
)

PAIRS = (*SOUND, *FAULTS)
