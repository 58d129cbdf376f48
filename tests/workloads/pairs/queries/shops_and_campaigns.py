"""Orders, impressions and contacts that several teams and tools ask for."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    dates,
    day,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

HOUR = 3600
SNOWFLAKE_BITS = 22


def shop_orders() -> Layout:
    """30 days of two files each, as orders arrived; their ids go up with time."""
    draw = rng(8101)
    count = 60 * FILE_ROWS
    seconds = np.sort(draw.uniform(0, 30 * DAY, count))
    return laid_out(
        table(
            {
                "ordered_at": times(seconds),
                "order_id": (seconds * 1000).astype(np.int64) << SNOWFLAKE_BITS,
                "customer_id": draw.integers(0, 9000, count),
                "amount": draw.random(count),
            }
        ),
        "days(ordered_at)",
    )


def impressions() -> Layout:
    """48 hours of six files each, with any of 40 campaigns in each."""
    draw = rng(8102)
    count = 288 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 2 * DAY, count)),
                "campaign_id": draw.integers(1000, 1040, count),
                "price": draw.random(count),
            }
        ),
        "hours(ts)",
    )


def contacts() -> Layout:
    """60 files in order of change, which no sort order declares."""
    draw = rng(8103)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "updated_at": times(np.sort(draw.uniform(0, 60 * DAY, count)), "UTC"),
                "contact_id": texts(draw.permutation(count), "003{:012d}AAA"),
            }
        )
    )


def loaded_events() -> Layout:
    """30 days of loading of three files each. An event is loaded within two hours."""
    draw = rng(8104)
    count = 90 * FILE_ROWS
    loaded = np.sort(draw.uniform(0, 30 * DAY, count))
    return laid_out(
        table(
            {
                "_loaded_at": times(loaded),
                "event_ts": times(loaded - draw.uniform(0, 2 * HOUR, count)),
                "kind": texts(draw.integers(0, 12, count), "kind_{}"),
            }
        ),
        "days(_loaded_at)",
    )


def sales_of_regions() -> Layout:
    """Six regions of ten files each, with any day of a year in each."""
    draw = rng(8105)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "region": texts(np.arange(count) % 6, "region-{}"),
                "order_date": dates(draw.integers(0, 365, count)),
                "units": draw.integers(0, 100, count).astype(np.int32),
            }
        ),
        "region",
    )


def customers() -> Layout:
    """80 files of customers in no order, of whom hardly any has a broken mail."""
    draw = rng(8106)
    count = 80 * FILE_ROWS
    names = draw.integers(0, 90_000, count)
    mails = np.where(draw.random(count) < 0.001, "broken", "someone")
    at = np.where(mails == "broken", "", "@example.com")
    return laid_out(
        table(
            {
                "customer_id": draw.permutation(count),
                "email": texts(f"{a}{n}{b}" for a, n, b in zip(mails, names, at, strict=True)),
                "amount": draw.random(count),
            }
        )
    )


PAIRS = (
    # Sums of days, weeks and the last hours, an order by its id, and a check of all: each reads
    # what it needs.
    Pair(
        "shop_orders_of_all_teams",
        shop_orders,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.shop_orders_of_all_teams"
                " WHERE ordered_at >= TIMESTAMP '{}' AND ordered_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(2, 30, 3)],
                user="bi",
            ),
            *each(
                "SELECT customer_id, sum(amount) FROM lake.db.shop_orders_of_all_teams"
                " WHERE ordered_at >= TIMESTAMP '{}' GROUP BY customer_id",
                [instant(23 * DAY)] * 4,
                user="crm",
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.shop_orders_of_all_teams WHERE ordered_at >= TIMESTAMP '{}'",
                [instant(29 * DAY + n * HOUR) for n in range(12, 23)],
                user="warehouse",
            ),
            *each(
                "SELECT * FROM lake.db.shop_orders_of_all_teams WHERE order_id = {}",
                [(n * DAY * 1000 + 77_000) << SNOWFLAKE_BITS for n in range(1, 30, 3)],
                user="support",
            ),
            *repeated(
                "SELECT count(*), count(DISTINCT order_id), min(amount)"
                " FROM lake.db.shop_orders_of_all_teams",
                3,
                user="checks",
                **SPARK_35,
            ),
        ],
        tempting={
            "no_partition_filter": "an order is in one file of 60 by its id, which is a time",
            "unclustered_column": "files are in order of time and of ids",
            "partitions_too_coarse": "the last hours are in one file of the day's two",
        },
    ),
    # Campaigns are asked for by the day: 144 files, of which 24 to 48 would do. Others want hours.
    Pair(
        "impressions_of_campaigns_and_hours",
        impressions,
        [
            *each(
                "SELECT sum(price) FROM lake.db.impressions_of_campaigns_and_hours"
                " WHERE campaign_id = {} AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(1000 + n, instant(n % 2 * DAY), instant((n % 2 + 1) * DAY)) for n in range(20)],
                user="account",
            ),
            *each(
                "SELECT campaign_id, sum(price) FROM lake.db.impressions_of_campaigns_and_hours"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY campaign_id",
                [(instant(n * 6 * HOUR), instant((n + 1) * 6 * HOUR)) for n in range(8)],
                user="billing",
                **SPARK,
            ),
            *each(
                "SELECT campaign_id, count(*) FROM lake.db.impressions_of_campaigns_and_hours"
                " WHERE ts >= TIMESTAMP '{}' GROUP BY campaign_id",
                [instant(47 * HOUR)] * 10,
                user="pacing",
            ),
            *each(
                "SELECT price FROM lake.db.impressions_of_campaigns_and_hours"
                " WHERE campaign_id IN ({}, {}) AND ts >= TIMESTAMP_NTZ '{}'",
                [(1003 + n, 1030 + n, instant(DAY)) for n in range(5)],
                user="science",
                **SPARK_35,
            ),
        ],
        # Of 3,948 files, 25 scans win 80 to 118 each.
        expected=(Expected("unclustered_column", ("campaign_id",), (0.5, 0.76), True, False),),
        tempting={
            "partitions_too_fine": "an hour fills six files",
            "partitions_too_coarse": "whole hours are asked for",
            "small_files": "files are as large as they should be",
        },
        # A campaign has a sixth of a file in an hour.
        never=("PARTITION FIELD",),
    ),
    # What was changed since is in the last file. By contacts, each of these would be in all 60.
    Pair(
        "contacts_synced_and_looked_up",
        contacts,
        [
            *each(
                "SELECT * FROM lake.db.contacts_synced_and_looked_up"
                " WHERE updated_at > TIMESTAMP '{} UTC'",
                [instant(59 * DAY + n * 900) for n in range(20, 90, 2)],
                user="sync",
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.contacts_synced_and_looked_up"
                " WHERE contact_id = '003{:012d}AAA'",
                [17, 4711, 23_456],
                user="support",
            ),
        ],
        # Bloom filters would serve lookups, and leave the order as it is.
        allowed=(
            Expected("unclustered_column", ("contact_id",), statements=False),
            Expected("row_groups_not_pruned", ("contact_id",)),
        ),
        tempting={"truncated_bounds": "bounds hold 16 of 18 characters, which tell contacts apart"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Models read the last days by the event's time, which is that of loading within two hours.
    Pair(
        "models_of_loaded_events",
        loaded_events,
        [
            *each(
                "SELECT * FROM lake.db.models_of_loaded_events WHERE event_ts >= TIMESTAMP '{}'",
                [instant(n * DAY) for n in (27, 27, 27, 28, 28, 26)],
                user="dbt",
                **SPARK,
            ),
            *each(
                "SELECT kind, count(*) FROM lake.db.models_of_loaded_events"
                " WHERE event_ts >= TIMESTAMP '{}' AND event_ts < TIMESTAMP '{}' GROUP BY kind",
                [(instant(n * DAY), instant((n + 7) * DAY)) for n in (1, 8, 15, 22)],
                user="bi",
            ),
            *each(
                "SELECT * FROM lake.db.models_of_loaded_events WHERE _loaded_at >= TIMESTAMP '{}'",
                [instant(n * DAY) for n in (28, 29, 29)],
                user="dbt",
                **SPARK,
            ),
        ],
        tempting={
            "no_partition_filter": "files of days of loading tell the times of events",
            "misaligned_partitioning": "and so do partitions",
            "unclustered_column": "what is kept is asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A week of a region is in ten files of its own, and one of all regions in 60.
    Pair(
        "dashboards_of_regions_and_weeks",
        sales_of_regions,
        [
            *each(
                "SELECT sum(units) FROM lake.db.dashboards_of_regions_and_weeks"
                " WHERE region = 'region-{}' AND order_date BETWEEN DATE '{}' AND DATE '{}'",
                [(n % 6, day(n * 21), day(n * 21 + 6)) for n in range(16)],
                user="region",
            ),
            *each(
                "SELECT region, sum(units) FROM lake.db.dashboards_of_regions_and_weeks"
                " WHERE order_date >= DATE '{}' AND order_date < DATE '{}' GROUP BY region",
                [(day(n * 30), day(n * 30 + 7)) for n in range(10)],
                user="board",
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.dashboards_of_regions_and_weeks"
                " WHERE region = 'region-{}'",
                range(6),
                user="checks",
            ),
        ],
        # 160, 600 and 60 files.
        expected=(
            Expected("no_partition_filter", ("order_date",), (0.55, 0.68), True, False),
            Expected("unclustered_column", ("order_date",), (0.12, 0.18), True, False),
        ),
        allowed=(Expected("misaligned_partitioning", (), statements=False),),
        tempting={"partitions_too_coarse": "regions are no ranges"},
        # A month of a region has less than a file.
        never=("PARTITION FIELD",),
    ),
    # Checks look for what should not be there, and have to read all of it.
    Pair(
        "checks_of_customers",
        customers,
        [
            *repeated(
                "SELECT count(*) FROM lake.db.checks_of_customers WHERE email NOT LIKE '%@%'",
                3,
                user="checks",
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.checks_of_customers WHERE customer_id IS NULL",
                3,
                user="checks",
            ),
            *repeated(
                "SELECT customer_id, count(*) FROM lake.db.checks_of_customers"
                " GROUP BY customer_id HAVING count(*) > 1",
                3,
                user="checks",
                **SPARK,
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.checks_of_customers"
                " WHERE customer_id < 0 OR customer_id > 1000000",
                2,
                user="checks",
                **SPARK_35,
            ),
            *repeated("SELECT avg(amount) FROM lake.db.checks_of_customers", 2, user="checks"),
        ],
        tempting={
            "like_without_prefix": "broken mails begin in any way, and are looked for on purpose",
            "negated_condition": "nobody can list what is wrong",
            "unclustered_column": "ids that cannot be are ruled out already",
            "or_across_columns": "both are of one column",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
