"""SQL as Tableau, Looker, Superset, Metabase and Power BI write it."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
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

_EPOCH = 1_767_225_600
_LAST_DAY = (dt.date(2100, 1, 1) - dt.date(2026, 1, 1)).days


def orders() -> Layout:
    """90 days of a file each, of all customers, stores and channels."""
    draw = rng(21_001)
    count = 90 * FILE_ROWS
    channels = np.array(["web", "app", "shop"])
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 90 * DAY, count)),
                "order_id": draw.permutation(count),
                "customer_id": draw.integers(0, 9000, count),
                "store": draw.integers(0, 20, count),
                "channel": texts(channels[draw.integers(0, 3, count)]),
            }
        ),
        "days(ts)",
    )


def bookings() -> Layout:
    """24 months of two files each."""
    draw = rng(21_002)
    count = 48 * FILE_ROWS
    return laid_out(
        table(
            {"booked": dates(draw.integers(0, 730, count)), "hotel": draw.integers(0, 300, count)}
        ),
        "months(booked)",
    )


def clicks() -> Layout:
    """60 days of UTC, of a file each."""
    draw = rng(21_003)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "at": times(draw.uniform(0, 60 * DAY, count), "UTC"),
                "page": draw.integers(0, 400, count),
            }
        ),
        "days(at)",
    )


def until_now() -> Layout:
    """The last 61 days, of a file each."""
    draw = rng(21_004)
    count = 61 * FILE_ROWS
    seconds = draw.uniform((_LAST_DAY - 61) * DAY, _LAST_DAY * DAY - 3700, count)
    return laid_out(
        table({"created_at": times(seconds), "amount": draw.uniform(0, 100, count)}),
        "days(created_at)",
    )


def shipments() -> Layout:
    """90 days of a file each; what is shipped is so within two days, and one in twenty is not."""
    draw = rng(21_005)
    count = 90 * FILE_ROWS
    created = draw.uniform(0, 90 * DAY, count)
    shipped = times(created + draw.uniform(0, 2 * DAY, count)).cast(pa.int64()).to_numpy()
    lacking = draw.uniform(0, 1, count) < 0.05
    return laid_out(
        table(
            {
                "created_at": times(created),
                "shipped_at": pa.array(shipped, mask=lacking).cast(pa.timestamp("us")),
            }
        ),
        "days(created_at)",
    )


def readings() -> Layout:
    """60 files in order of the seconds since 1970, a day each, without partitions."""
    draw = rng(21_006)
    count = 60 * FILE_ROWS
    epoch = np.sort(draw.integers(_EPOCH, _EPOCH + 60 * DAY, count))
    return laid_out(table({"epoch": epoch, "sensor": draw.integers(0, 500, count)}))


PAIRS = (
    # A filter of two months, of which Trino pushes no list.
    Pair(
        "tableau_months_in_a_list",
        bookings,
        each(
            'SELECT "t"."hotel" AS "hotel", COUNT(1) AS "cnt" FROM (SELECT * FROM'
            ' "lake"."db"."tableau_months_in_a_list") "t" WHERE (DATE_TRUNC(\'MONTH\','
            " \"t\".\"booked\") IN (DATE '{}-01', DATE '{}-01')) GROUP BY 1",
            [("2026-03", "2026-04"), ("2026-08", "2026-09"), ("2027-01", "2027-02")],
        ),
        expected=(Expected("wrapped_column", ("booked",), (0.86, 0.94), False, True),),
        tempting={"no_partition_filter": "the list is one of months, behind a function"},
    ),
    Pair(
        "tableau_years_extracted",
        bookings,
        each(
            'SELECT EXTRACT(MONTH FROM "t"."booked") AS "mn:booked:ok", COUNT(1) AS "cnt"'
            ' FROM "lake"."db"."tableau_years_extracted" "t"'
            ' WHERE ((EXTRACT(YEAR FROM "t"."booked") = {}) AND ("t"."booked" >='
            ' DATE \'2026-01-01\') AND (NOT ("t"."hotel" IS NULL))) GROUP BY 1',
            [2026, 2027] * 5,
        ),
        tempting={
            "wrapped_column": "Trino takes the year for a range",
            "negated_condition": "nearly all rows have a hotel",
        },
    ),
    # The last 30 days, of which Looker has both ends computed.
    Pair(
        "looker_last_thirty_days",
        until_now,
        repeated(
            "SELECT (DATE_FORMAT(orders.created_at, '%Y-%m-%d')) AS \"orders.created_date\","
            ' COALESCE(SUM(orders.amount), 0) AS "orders.total"'
            ' FROM "lake"."db"."looker_last_thirty_days" AS orders'
            " WHERE ((( orders.created_at ) >= ((DATE_ADD('day', -29, CAST(CAST(DATE_TRUNC('DAY',"
            " NOW()) AS DATE) AS TIMESTAMP)))) AND ( orders.created_at ) < ((DATE_ADD('day', 30,"
            " DATE_ADD('day', -29, CAST(CAST(DATE_TRUNC('DAY', NOW()) AS DATE) AS TIMESTAMP)))))))"
            " GROUP BY 1 ORDER BY 1 DESC LIMIT 500",
            12,
        ),
        tempting={"wrapped_column": "all functions are of constants"},
    ),
    # Days of California, each in two of UTC.
    Pair(
        "looker_days_in_the_zone_of_users",
        clicks,
        each(
            'SELECT COUNT(*) AS "clicks.count"'
            ' FROM "lake"."db"."looker_days_in_the_zone_of_users" AS clicks'
            " WHERE ((DATE_FORMAT(CAST(clicks.at AT TIME ZONE 'America/Los_Angeles' AS TIMESTAMP),"
            " '%Y-%m-%d') = '{}')) LIMIT 500",
            [day(n) for n in range(3, 58, 6)],
        ),
        expected=(Expected("wrapped_column", ("at",), (0.92, 0.975), False, True),),
        tempting={"local_day_boundaries": "the zone is named, and meant"},
    ),
    # A dimension that falls back on another: Spark takes an OR of both columns.
    Pair(
        "looker_first_known_time",
        shipments,
        each(
            "SELECT COUNT(*) AS `count` FROM lake.db.looker_first_known_time AS shipments"
            " WHERE ((( COALESCE(shipments.shipped_at, shipments.created_at) ) >="
            " TIMESTAMP_NTZ '{}'))",
            [instant(n * DAY) for n in (80, 83, 85)],
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("shipped_at|created_at",), (0.82, 0.93), False, True),
        ),
    ),
    Pair(
        "superset_iso_times",
        clicks,
        each(
            "SELECT date_trunc('day', CAST(at AS TIMESTAMP)) AS __timestamp, COUNT(*) AS count"
            " FROM lake.db.superset_iso_times"
            " WHERE at >= from_iso8601_timestamp('{}T00:00:00.000000Z')"
            " AND at < from_iso8601_timestamp('{}T00:00:00.000000Z')"
            " GROUP BY date_trunc('day', CAST(at AS TIMESTAMP)) ORDER BY count DESC LIMIT 10000",
            [(day(n), day(n + 7)) for n in range(0, 50, 7)],
        ),
        tempting={
            "wrapped_column": "the function is of a constant, and the other of what is grouped",
            "local_day_boundaries": "both ends are midnight UTC",
        },
    ),
    # A calculated column of a data set.
    Pair(
        "superset_times_of_seconds",
        readings,
        each(
            "SELECT date_trunc('hour', from_unixtime(epoch)) AS __timestamp, count(*)"
            " FROM lake.db.superset_times_of_seconds"
            " WHERE from_unixtime(epoch) >= TIMESTAMP '{}.000000'"
            " AND from_unixtime(epoch) < TIMESTAMP '{}.000000' GROUP BY 1 LIMIT 1000",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(2, 55, 8)],
        ),
        expected=(Expected("wrapped_column", ("epoch",), (0.9, 0.96), False, True),),
    ),
    Pair(
        "metabase_months_between",
        orders,
        each(
            "SELECT `source`.`store`, count(*) FROM (SELECT * FROM"
            " `lake`.`db`.`metabase_months_between`) AS `source`"
            " WHERE CAST(date_trunc('month', CAST(`source`.`ts` AS timestamp)) AS date)"
            " BETWEEN DATE '2026-{0}-01' AND DATE '2026-{0}-01' GROUP BY `source`.`store`",
            ["01", "02", "03", "02"],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.62, 0.72), False, True),),
    ),
    Pair(
        "metabase_field_filter_of_days",
        orders,
        each(
            'SELECT count(*) AS "count" FROM "lake"."db"."metabase_field_filter_of_days"'
            ' WHERE 1 = 1 AND (CAST("lake"."db"."metabase_field_filter_of_days"."ts" AS date)'
            " BETWEEN DATE '{}' AND DATE '{}') AND store = {}",
            [(day(n), day(n + 6), n % 20) for n in range(0, 80, 8)],
        ),
        tempting={
            "wrapped_column": "Trino takes a cast to date for a range",
            "unclustered_column": "a day is one file, which has all stores in any order",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    Pair(
        "power_bi_year_and_months",
        bookings,
        each(
            "select `_`.`hotel` as `c1`, count(1) as `a0` from (select `booked`, `hotel`"
            " from `lake`.`db`.`power_bi_year_and_months`) as `_`"
            " where year(`_`.`booked`) = {} and month(`_`.`booked`) in ({}, {})"
            " group by `_`.`hotel` limit 1000001",
            [(2026, 3, 4), (2026, 8, 9), (2027, 1, 2), (2027, 6, 7)],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("booked",), (0.86, 0.94), False, True),),
    ),
    # A slicer of two days, of which Spark pushes no list.
    Pair(
        "power_bi_slicer_of_days",
        orders,
        each(
            "select sum(`store`) as `a0` from `lake`.`db`.`power_bi_slicer_of_days`"
            " where (cast(`ts` as date) in (date '{}', date '{}')) and not `ts` is null",
            [(day(n), day(n + 1)) for n in range(3, 85, 9)],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.94, 0.985), False, True),),
        tempting={"negated_condition": "a list of days stands beside it"},
    ),
)
