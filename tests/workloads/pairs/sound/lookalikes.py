"""What looks like a fault, and is none."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.reports import (
    arrivals,
    contexts,
    customers,
    invoices_by_month,
    keys_by_beginning,
    months_as_numbers,
    orders_by_day,
    readings,
    sales_by_date,
    tenants,
    visits_of_late,
    zoned_by_day,
)
from tests.workloads.rows import DAY, SPARK, SPARK_35, day, each, instant, repeated

_DAYS = [day(n) for n in range(2, 38, 3)]


def _asked(table: str, condition: str) -> str:
    return f"SELECT * FROM lake.db.{table} WHERE {condition}"


PAIRS = (
    # Metabase: the last days, as it writes them.
    Pair(
        "last_days_in_metabase",
        zoned_by_day,
        each(
            """SELECT date_trunc('day', "s"."ts") AS "ts", count(*)
            FROM lake.db.last_days_in_metabase AS "s"
            WHERE "s"."ts" >= date_trunc('day',
                date_add('day', -{}, from_iso8601_timestamp('2026-02-09T00:00:00Z')))
            AND "s"."ts" < date_trunc('day', from_iso8601_timestamp('2026-02-09T00:00:00Z'))
            GROUP BY 1""",
            range(1, 7),
        ),
        tempting={"wrapped_column": "functions of constants"},
    ),
    # Looker: an interval from a constant.
    Pair(
        "a_week_in_looker",
        orders_by_day,
        each(
            "SELECT date_format(o.ts, '%Y-%m-%d'), count(*) FROM lake.db.a_week_in_looker AS o"
            " WHERE ((( o.ts ) >= (TIMESTAMP '{0}')"
            " AND ( o.ts ) < (date_add('day', 7, TIMESTAMP '{0}'))))"
            " GROUP BY 1 ORDER BY 1 DESC LIMIT 500",
            [instant(n * DAY) for n in range(2, 50, 7)],
        ),
        tempting={"wrapped_column": "the column is bare in WHERE"},
    ),
    Pair(
        "a_week_in_superset",
        orders_by_day,
        each(
            "SELECT date_trunc('day', ts) AS ts, COUNT(*) AS c FROM lake.db.a_week_in_superset"
            " WHERE ts >= TIMESTAMP '{}.000000' AND ts < TIMESTAMP '{}.000000'"
            " GROUP BY date_trunc('day', ts) ORDER BY c DESC LIMIT 10000",
            [(instant(n * DAY), instant(n * DAY + 7 * DAY)) for n in range(2, 50, 7)],
        ),
        tempting={"wrapped_column": "the function is in the grouping alone"},
    ),
    Pair(
        "last_week_by_interval",
        visits_of_late,
        each(_asked("last_week_by_interval", "d > current_date - INTERVAL '{}' DAY"), range(2, 9)),
        tempting={"wrapped_column": "arithmetic of constants"},
    ),
    Pair(
        "last_week_by_date_sub",
        visits_of_late,
        each(
            _asked("last_week_by_date_sub", "d >= date_sub(current_date(), {})"),
            range(2, 9),
            **SPARK,
        ),
        tempting={"wrapped_column": "arithmetic of constants"},
    ),
    Pair(
        "null_safe_day",
        sales_by_date,
        each(_asked("null_safe_day", "d <=> DATE '{}'"), _DAYS, **SPARK),
        tempting={"negated_condition": "it is an equality", "wrapped_column": "it is pushed"},
    ),
    Pair(
        "day_compared_with_a_parsed_time",
        sales_by_date,
        each(_asked("day_compared_with_a_parsed_time", "d = date_parse('{}', '%Y-%m-%d')"), _DAYS),
        tempting={"type_mismatch": "Trino undoes the cast of a date to a time"},
    ),
    Pair(
        "month_number_as_text_in_spark",
        months_as_numbers,
        each(
            _asked("month_number_as_text_in_spark", "ym = '{}'"),
            [202603, 202701, 202812],
            **SPARK_35,
        ),
        tempting={"type_mismatch": "the literal is cast to a number"},
    ),
    Pair(
        "month_number_from_a_cast",
        months_as_numbers,
        each(
            _asked(
                "month_number_from_a_cast",
                "ym BETWEEN CAST('{0}' AS integer) AND CAST('{0}' AS integer) + 1",
            ),
            [202603, 202701, 202811],
        ),
        tempting={"type_mismatch": "the literal is cast"},
    ),
    # All of it is asked for.
    Pair(
        "every_year_since",
        sales_by_date,
        repeated(
            "SELECT store_id, count(*) FROM lake.db.every_year_since"
            " WHERE year(d) >= 2026 GROUP BY 1",
            5,
            **SPARK,
        ),
        tempting={"wrapped_column": "every row is of that year"},
    ),
    Pair(
        "all_but_open",
        sales_by_date,
        repeated("SELECT count(*) FROM lake.db.all_but_open WHERE status <> 'open'", 6),
        allowed=(Expected("misaligned_partitioning", (), None, False),),
        tempting={"negated_condition": "nearly all rows match"},
    ),
    Pair(
        "sums_by_case",
        sales_by_date,
        each(
            "SELECT store_id, sum(CASE WHEN d >= DATE '{0}' THEN 1 ELSE 0 END) AS now,"
            " sum(CASE WHEN d < DATE '{0}' THEN 1 ELSE 0 END) AS before"
            " FROM lake.db.sums_by_case GROUP BY store_id",
            _DAYS,
        ),
        tempting={"wrapped_column": "nothing is filtered"},
    ),
    Pair(
        "the_last_ten",
        readings,
        repeated("SELECT * FROM lake.db.the_last_ten ORDER BY ts DESC LIMIT 10", 6),
        tempting={"unclustered_column": "no condition"},
    ),
    Pair(
        "text_within_a_day",
        sales_by_date,
        each(
            _asked(
                "text_within_a_day",
                "note LIKE '%{0}%' AND lower(status) = 'open' AND d = DATE '{1}'",
            ),
            [(n, d) for n, d in enumerate(_DAYS)],
        ),
        tempting={"like_without_prefix": "the day prunes", "wrapped_column": "the day prunes"},
    ),
    # Each arm has its day: Trino makes a list of days of it.
    Pair(
        "days_with_their_shops",
        sales_by_date,
        each(
            _asked(
                "days_with_their_shops",
                "(d = DATE '{}' AND store_id = 1) OR (d = DATE '{}' AND store_id = 2)",
            ),
            [(day(n), day(n + 9)) for n in range(2, 50, 7)],
        ),
        tempting={
            "or_across_columns": "each arm has a day",
            "unclustered_column": "one file a day",
        },
    ),
    Pair(
        "two_days_of_one_cte",
        sales_by_date,
        each(
            "WITH s AS (SELECT d, store_id, sku FROM lake.db.two_days_of_one_cte)"
            " SELECT count(*) FROM s WHERE d = DATE '{}' UNION ALL"
            " SELECT count(*) FROM s WHERE d = DATE '{}'",
            [(day(n), day(n + 9)) for n in range(2, 50, 7)],
        ),
        tempting={"no_partition_filter": "each use has its day"},
    ),
    Pair(
        "newest_of_each_day",
        sales_by_date,
        each(
            "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY d ORDER BY sku) AS rn"
            " FROM lake.db.newest_of_each_day) AS s WHERE rn = 1 AND d = DATE '{}'",
            _DAYS,
        ),
        tempting={"no_partition_filter": "the window is by the day, so that the filter goes below"},
    ),
    Pair(
        "grouped_having_a_day",
        sales_by_date,
        each(
            "SELECT d, count(*) FROM lake.db.grouped_having_a_day GROUP BY d HAVING d = DATE '{}'",
            _DAYS,
        ),
        tempting={"no_partition_filter": "a condition on what is grouped goes below"},
    ),
    Pair(
        "neither_before_nor_after",
        sales_by_date,
        each(
            _asked("neither_before_nor_after", "NOT (d < DATE '{}') AND NOT (d > DATE '{}')"),
            [(day(n), day(n + 2)) for n in range(2, 50, 7)],
        ),
        tempting={"negated_condition": "a negated range is a range"},
    ),
    Pair(
        "ends_by_functions_of_constants",
        sales_by_date,
        each(
            _asked(
                "ends_by_functions_of_constants",
                "d BETWEEN add_months(DATE '2026-02-{0:02d}', -1)"
                " AND date_add(DATE '2026-01-{0:02d}', 2)",
            ),
            range(2, 20, 4),
            **SPARK,
        ),
        tempting={"wrapped_column": "constants"},
    ),
    Pair(
        "hours_within_a_day",
        orders_by_day,
        each(
            _asked("hours_within_a_day", "date(ts) = DATE '{}' AND hour(ts) BETWEEN 0 AND 22"),
            _DAYS,
        ),
        tempting={"wrapped_column": "the day prunes to what matches"},
    ),
    Pair(
        "a_tenant_exported",
        tenants,
        each(_asked("a_tenant_exported", "tenant = 't{}'"), range(10)),
        tempting={"unclustered_column": "all of it", "partitions_too_coarse": "all of it"},
    ),
    Pair(
        "a_tenant_by_time",
        tenants,
        each(
            _asked(
                "a_tenant_by_time",
                "tenant = 't{}' AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            ),
            [(n, instant(n * 5 * DAY), instant((n * 5 + 9) * DAY)) for n in range(10)],
        ),
        tempting={"unclustered_column": "in order", "misaligned_partitioning": "in order"},
    ),
    Pair(
        "days_by_arrival",
        arrivals,
        each(
            _asked("days_by_arrival", "arrived >= TIMESTAMP '{}' AND arrived < TIMESTAMP '{}'"),
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(2, 34, 3)],
        ),
        tempting={
            "misaligned_partitioning": "days of events keep arrivals together",
            "no_partition_filter": "bounds of arrivals prune",
        },
        never=("DROP", "REPLACE"),
    ),
    Pair(
        "days_within_months",
        invoices_by_month,
        each(
            _asked(
                "days_within_months",
                "issued BETWEEN DATE '2026-{0:02d}-01' AND DATE '2026-{0:02d}-07'",
            ),
            range(1, 12),
        ),
        tempting={"partitions_too_coarse": "files of a month are in order of days"},
        never=("DROP", "REPLACE"),
    ),
    Pair(
        "codes_like_partitions",
        keys_by_beginning,
        each(_asked("codes_like_partitions", "code LIKE 'K0{:02d}%'"), range(1, 19, 2)),
        tempting={"like_without_prefix": "it is a prefix", "unclustered_column": "two files"},
    ),
    Pair(
        "merged_within_days",
        sales_by_date,
        each(
            "MERGE INTO lake.db.merged_within_days AS t USING (SELECT DATE '{0}' AS d,"
            " 1 AS store_id, 'SKU-000001' AS sku) AS s"
            " ON t.d = DATE '{0}' AND t.store_id = s.store_id AND t.sku = s.sku"
            " WHEN MATCHED THEN UPDATE SET status = 'open'",
            _DAYS,
            **SPARK,
        ),
        tempting={"runtime_only": "ON has the day"},
    ),
    Pair(
        "keys_and_their_mail",
        customers,
        each(
            _asked("keys_and_their_mail", "customer_key = 'C{0:06d}' AND lower(trim(email)) <> ''"),
            range(300, 24_000, 1500),
        ),
        tempting={"wrapped_column": "the key prunes", "negated_condition": "the key prunes"},
    ),
    Pair(
        "events_of_a_time_within",
        contexts,
        each(
            _asked(
                "events_of_a_time_within",
                "ctx.at >= TIMESTAMP_NTZ '{}' AND ctx.at < TIMESTAMP_NTZ '{}'",
            ),
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(2, 34, 3)],
            **SPARK,
        ),
        tempting={"unclustered_column": "files are in order of it"},
    ),
    Pair(
        "everything_counted",
        readings,
        [
            *repeated("SELECT count(*), max(ts) FROM lake.db.everything_counted", 4),
            *repeated("SELECT * FROM lake.db.everything_counted LIMIT 100", 4),
        ],
        tempting={"unclustered_column": "no condition"},
    ),
)
