"""More of what clients and analysts write: parts of dates, labels, text of times, keys of days."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.queries.of_bi_tools import bookings, clicks, orders, until_now
from tests.workloads.pairs.queries.of_models_and_checks import day_keys, text_days
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    day,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
)

_EPOCH = 1_767_225_600


def millis() -> Layout:
    """60 files in order of the milliseconds since 1970, a day each, without partitions."""
    draw = rng(25_001)
    count = 60 * FILE_ROWS
    stamps = np.sort(draw.integers(_EPOCH * 1000, (_EPOCH + 60 * DAY) * 1000, count))
    return laid_out(table({"epoch_ms": stamps, "sensor": draw.integers(0, 500, count)}))


def parts_of_days() -> Layout:
    """60 days of a file each, by year, month and day as whole numbers."""
    draw = rng(25_002)
    count = 60 * FILE_ROWS
    days = [day(int(number)) for number in draw.integers(0, 60, count)]
    return laid_out(
        table(
            {
                "year": np.array([made.year for made in days]),
                "month": np.array([made.month for made in days]),
                "day": np.array([made.day for made in days]),
                "amount": draw.uniform(0, 9, count),
            }
        ),
        "year",
        "month",
        "day",
    )


def countries() -> Layout:
    """Twelve countries of four files each."""
    draw = rng(25_003)
    count = 48 * FILE_ROWS
    names = np.array(["DE", "FR", "IT", "ES", "PL", "NL", "BE", "AT", "CH", "SE", "DK", "NO"])
    return laid_out(
        table(
            {
                "country": texts(names[np.arange(count) % 12]),
                "visitor": draw.integers(0, 9000, count),
            }
        ),
        "country",
    )


PAIRS = (
    Pair(
        "tableau_parts_of_dates",
        bookings,
        each(
            'SELECT SUM(1) AS "cnt" FROM "lake"."db"."tableau_parts_of_dates" "t" WHERE'
            ' ((CAST(TRUNCATE(EXTRACT(YEAR FROM "t"."booked")) AS BIGINT) = {}) AND'
            ' (CAST(TRUNCATE(EXTRACT(MONTH FROM "t"."booked")) AS BIGINT) = {}))'
            " HAVING (COUNT(1) > 0)",
            [(2026, 3), (2026, 10), (2027, 1), (2027, 7)],
        ),
        expected=(Expected("wrapped_column", ("booked",), (0.92, 0.97), False, True),),
    ),
    Pair(
        "tableau_month_before",
        until_now,
        repeated(
            "SELECT SUM(`t`.`amount`) AS `sum` FROM `lake`.`db`.`tableau_month_before` `t` WHERE"
            " (CAST(TRUNC(CAST(`t`.`created_at` AS DATE), 'MM') AS DATE) ="
            " ADD_MONTHS(CAST(TRUNC(CURRENT_DATE(), 'MM') AS DATE), -1))",
            6,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("created_at",), (0.45, 0.55), False, True),),
    ),
    Pair(
        "looker_weeks_by_their_monday",
        orders,
        each(
            'SELECT COUNT(*) AS "n" FROM lake.db.looker_weeks_by_their_monday AS orders WHERE'
            " ((DATE_FORMAT(DATE_TRUNC('WEEK', orders.ts), '%Y-%m-%d') = '{}')) LIMIT 500",
            [day(n) for n in (4, 18, 32, 53, 74)],
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.88, 0.94), False, True),),
    ),
    Pair(
        "looker_quarters_by_their_month",
        bookings,
        each(
            'SELECT COUNT(*) AS "n" FROM lake.db.looker_quarters_by_their_month AS bookings WHERE'
            " (DATE_FORMAT(DATE_TRUNC('QUARTER', bookings.booked), '%Y-%m') = '{}') LIMIT 500",
            ["2026-04", "2026-10", "2027-01", "2027-07"],
        ),
        expected=(Expected("wrapped_column", ("booked",), (0.82, 0.91), False, True),),
    ),
    Pair(
        "superset_times_of_milliseconds",
        millis,
        each(
            "SELECT date_trunc('day', from_unixtime(epoch_ms / 1000)) AS __timestamp, count(*)"
            " FROM lake.db.superset_times_of_milliseconds"
            " WHERE from_unixtime(epoch_ms / 1000) >= TIMESTAMP '{} UTC'"
            " AND from_unixtime(epoch_ms / 1000) < TIMESTAMP '{} UTC' GROUP BY 1 LIMIT 1000",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(2, 55, 8)],
        ),
        expected=(Expected("wrapped_column", ("epoch_ms",), (0.9, 0.96), False, True),),
    ),
    # Weeks that begin on Sunday, as Metabase has them.
    Pair(
        "metabase_weeks_of_sundays",
        orders,
        each(
            "SELECT count(*) FROM lake.db.metabase_weeks_of_sundays WHERE date_add('day', -1,"
            " date_trunc('week', date_add('day', 1, ts))) = TIMESTAMP '{} 00:00:00'",
            [day(n) for n in (3, 17, 31, 52, 73)],
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.88, 0.94), False, True),),
    ),
    Pair(
        "dbt_batches_of_days",
        clicks,
        each(
            "create table elsewhere.db.batch as (select * from (select * from"
            " lake.db.dbt_batches_of_days where at >= cast('{} 00:00:00+00:00' as timestamp(6) with"
            " time zone) and at < cast('{} 00:00:00+00:00' as timestamp(6) with time zone)))",
            [(day(n), day(n + 1)) for n in range(2, 58, 5)],
        ),
        tempting={"wrapped_column": "the casts are of constants", "type_mismatch": "so they are"},
    ),
    Pair(
        "first_characters_of_times",
        orders,
        each(
            "SELECT count(*) FROM lake.db.first_characters_of_times"
            " WHERE substr(CAST(ts AS varchar), 1, 10) IN ('{}', '{}')",
            [(day(n), day(n + 2)) for n in range(3, 80, 9)],
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.94, 0.985), False, True),),
    ),
    # Trino takes the year, which all rows are of, and neither month nor day.
    Pair(
        "day_by_its_three_parts",
        orders,
        each(
            "SELECT * FROM lake.db.day_by_its_three_parts"
            " WHERE day(ts) = {} AND month(ts) = {} AND year(ts) = 2026",
            [(3, 2), (14, 1), (28, 2), (9, 3)],
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.96, 0.992), False, True),),
    ),
    Pair(
        "months_of_day_keys",
        day_keys,
        repeated(
            "SELECT count(*) FROM lake.db.months_of_day_keys WHERE date_key / 100 = 202602",
            5,
        ),
        expected=(Expected("wrapped_column", ("date_key",), (0.45, 0.58), False, True),),
    ),
    Pair(
        "days_of_three_fields_as_a_number",
        parts_of_days,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_three_fields_as_a_number"
            " WHERE year * 10000 + month * 100 + day BETWEEN 202601{} AND 202602{:02d}",
            [(20, 5), (25, 3), (28, 4)],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("year|month|day",), (0.6, 0.88), False, True),),
    ),
    Pair(
        "merged_by_key_and_day",
        orders,
        repeated(
            "MERGE INTO lake.db.merged_by_key_and_day t USING elsewhere.db.updates s"
            " ON t.order_id = s.order_id AND CAST(t.ts AS DATE) = CAST(s.ts AS DATE)"
            " WHEN MATCHED THEN UPDATE SET t.channel = s.channel WHEN NOT MATCHED THEN INSERT *",
            6,
            **SPARK,
        ),
        expected=(Expected("runtime_only", (), None, False),),
        tempting={"wrapped_column": "no value is there to compare with"},
    ),
    Pair(
        "text_days_parsed",
        text_days,
        each(
            "SELECT count(DISTINCT visitor) FROM lake.db.text_days_parsed"
            " WHERE date_parse(dt, '%Y-%m-%d') >= TIMESTAMP '{} 00:00:00'",
            [day(n) for n in (50, 53, 55, 57)],
        ),
        expected=(Expected("type_mismatch|wrapped_column", ("dt",), None, False),),
        tempting={"no_partition_filter": "it is one of the partition column"},
    ),
    Pair(
        "countries_in_lower_case",
        countries,
        each(
            "SELECT count(DISTINCT visitor) FROM lake.db.countries_in_lower_case"
            " WHERE lower(country) = '{}'",
            ["de", "fr", "at", "de"],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("country",), None, False),),
        tempting={"no_partition_filter": "it is one of the partition column"},
    ),
)
