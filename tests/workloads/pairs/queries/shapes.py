"""Queries of several shapes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.reports import (
    FILES,
    ROWS,
    customers,
    invoices_by_month,
    orders_by_day,
    readings,
    sales_by_date,
    tenants,
    visits_of_late,
    zoned_by_day,
)
from tests.workloads.physical import Commit, Layout
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
)


def urls() -> Layout:
    """Forty files in order of an address, of which the first 24 characters are those of all."""
    return laid_out(
        table({"url": texts(np.arange(ROWS), "https://www.example.org/p/{:06d}")}, row_bytes=100)
    )


def unbounded() -> Layout:
    """Forty files in order of a number of which no bounds are kept, by days of one file each."""
    return laid_out(
        table({"d": dates(np.repeat(np.arange(FILES), FILE_ROWS)), "seq": np.arange(ROWS)}),
        "d",
        properties={"write.metadata.metrics.column.seq": "none"},
    )


def days_after_months() -> Layout:
    """Days of which each is a file, which were months once: all was rewritten since."""
    made = table({"d": dates(np.repeat(np.arange(FILES), FILE_ROWS)), "n": np.arange(ROWS)})
    rewritten = laid_out(made, "days(d)")
    return Layout(
        (Commit((), ("months(d)",)), *rewritten.commits), ("days(d)",), rewritten.properties
    )


def amounts() -> Layout:
    """Forty files in no order, of amounts from 0 to 1,000, and of keys of bytes."""
    draw = rng(921)
    cents = pa.array(draw.integers(0, 100_000, ROWS)).cast(pa.decimal128(19, 0))
    keys = [int(n).to_bytes(4, "big") for n in np.arange(ROWS)]
    return laid_out(table({"amount": cents, "key": pa.array(keys, pa.binary())}))


def _asked(name: str, condition: str) -> str:
    return f"SELECT * FROM lake.db.{name} WHERE {condition}"


_DAYS = [day(n) for n in range(2, 38, 3)]

PAIRS = (
    # All that tells addresses apart is beyond what bounds have.
    Pair(
        "addresses_that_begin_alike",
        urls,
        each(
            _asked("addresses_that_begin_alike", "url = 'https://www.example.org/p/{:06d}'"),
            range(100, 24_000, 2000),
        ),
        expected=(Expected("truncated_bounds", ("url",), (0.7, 0.98), True),),
        tempting={"unclustered_column": "rows are in order; the bounds do not show it"},
    ),
    Pair(
        "days_beside_unbounded",
        unbounded,
        each(_asked("days_beside_unbounded", "d = DATE '{}' AND seq > 0"), _DAYS),
        tempting={"no_column_metrics": "the day prunes all that there is"},
    ),
    Pair(
        "numbers_without_bounds",
        unbounded,
        each(
            _asked("numbers_without_bounds", "seq BETWEEN {0} AND {0} + 50"),
            range(50, 24_000, 2000),
        ),
        expected=(Expected("no_column_metrics", ("seq",), (0.7, 0.98), True),),
        allowed=(Expected("misaligned_partitioning", ()),),
        never=("DROP",),
    ),
    Pair(
        "days_that_were_months",
        days_after_months,
        each(_asked("days_that_were_months", "d = DATE '{}'"), _DAYS, **SPARK_35),
        tempting={"old_spec_files": "all was rewritten", "partitions_too_fine": "a day is a file"},
    ),
    Pair(
        "amounts_above",
        amounts,
        each(_asked("amounts_above", "amount > DECIMAL '{}'"), range(98_500, 99_900, 200)),
        expected=(Expected("unclustered_column", ("amount",), (0.9, 0.98), True),),
    ),
    Pair(
        "keys_of_bytes",
        amounts,
        each(_asked("keys_of_bytes", "key = X'{:08X}'"), range(100, 24_000, 2000)),
        tempting={"unclustered_column": "in order of the key"},
    ),
    # A semi-join beside a day: the day prunes.
    Pair(
        "shops_of_a_list_of_a_day",
        sales_by_date,
        each(
            "SELECT * FROM lake.db.shops_of_a_list_of_a_day s WHERE s.d = DATE '{}' AND EXISTS"
            " (SELECT 1 FROM (VALUES 1, 2, 3) AS v(id) WHERE v.id = s.store_id)",
            _DAYS,
        ),
        tempting={"runtime_only": "the day prunes", "no_partition_filter": "the day prunes"},
    ),
    Pair(
        "left_join_of_a_day",
        sales_by_date,
        each(
            "SELECT v.id, s.sku FROM (VALUES 1, 2, 3) AS v(id)"
            " LEFT JOIN lake.db.left_join_of_a_day s ON s.store_id = v.id AND s.d = DATE '{}'",
            _DAYS,
        ),
        tempting={"runtime_only": "ON has the day", "no_partition_filter": "ON has the day"},
    ),
    Pair(
        "days_of_unions",
        sales_by_date,
        each(
            "SELECT * FROM (SELECT d, sku FROM lake.db.days_of_unions UNION ALL"
            " SELECT d, note FROM lake.db.days_of_unions) u WHERE u.d = DATE '{}'",
            _DAYS,
        ),
        tempting={"no_partition_filter": "the condition goes into both arms"},
    ),
    # The year of a CTE's column, which is a date's.
    Pair(
        "month_named_in_a_cte",
        invoices_by_month,
        each(
            "WITH m AS (SELECT date_format(issued, 'yyyy-MM') AS month, customer"
            " FROM lake.db.month_named_in_a_cte)"
            " SELECT count(*) FROM m WHERE month = '2026-{:02d}'",
            range(1, 13, 2),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.93, 0.98), False, True),),
    ),
    Pair(
        "day_or_the_one_after",
        sales_by_date,
        each(
            _asked("day_or_the_one_after", "d = DATE '{0}' OR d = DATE '{0}' + INTERVAL '1' DAY"),
            _DAYS,
        ),
        tempting={"or_across_columns": "one column", "wrapped_column": "constants"},
    ),
    # Trino gives the planner nothing of an OR over two columns.
    Pair(
        "numbers_or_keys",
        customers,
        each(
            _asked("numbers_or_keys", "customer_no = {0} OR customer_key = 'C{0:06d}'"),
            range(100, 24_000, 2000),
        ),
        expected=(Expected("or_across_columns", (), (0.85, 0.98), False),),
    ),
    Pair(
        "numbers_or_keys_in_spark",
        customers,
        each(
            _asked("numbers_or_keys_in_spark", "customer_no = {0} OR customer_key = 'C{0:06d}'"),
            range(100, 24_000, 2000),
            **SPARK,
        ),
        tempting={"or_across_columns": "Spark pushes it whole"},
    ),
    Pair(
        "newest_by_window",
        visits_of_late,
        each(
            "SELECT * FROM (SELECT *, rank() OVER (ORDER BY n DESC) AS r"
            " FROM lake.db.newest_by_window WHERE d >= current_date - INTERVAL '{}' DAY) AS s"
            " WHERE r <= 10",
            range(1, 7),
        ),
        tempting={"no_partition_filter": "the condition is below the window"},
    ),
    Pair(
        "old_days_deleted_again",
        visits_of_late,
        repeated(
            "DELETE FROM lake.db.old_days_deleted_again WHERE d < current_date - INTERVAL '35' DAY",
            4,
        ),
        tempting={"wrapped_column": "constants"},
    ),
    Pair(
        "merged_by_key_alone",
        orders_by_day,
        repeated(
            "MERGE INTO lake.db.merged_by_key_alone AS t USING (SELECT 1 AS customer_id) AS s"
            " ON t.customer_id = s.customer_id WHEN MATCHED THEN DELETE",
            4,
            **SPARK,
        ),
        expected=(Expected("runtime_only", (), None, False),),
    ),
    Pair(
        "months_by_make_date",
        invoices_by_month,
        each(
            _asked(
                "months_by_make_date",
                "issued >= make_date(2026, {0}, 1)"
                " AND issued < add_months(make_date(2026, {0}, 1), 1)",
            ),
            range(1, 12, 2),
            **SPARK,
        ),
        tempting={"wrapped_column": "functions of constants"},
    ),
    Pair(
        "month_numbers_cast_of_texts",
        invoices_by_month,
        each(
            _asked(
                "month_numbers_cast_of_texts",
                "CAST(date_format(issued, 'yyyyMM') AS INT) = 2026{:02d}",
            ),
            range(1, 13, 2),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.93, 0.98), False, True),),
    ),
    Pair(
        "months_counted_from_year_zero",
        invoices_by_month,
        each(
            _asked("months_counted_from_year_zero", "year(issued) * 12 + month(issued) = {}"),
            [2026 * 12 + n for n in range(1, 13, 2)],
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.93, 0.98), False, True),),
    ),
    Pair(
        "quarters_of_a_year",
        invoices_by_month,
        each(
            _asked("quarters_of_a_year", "year(issued) = 2026 AND quarter(issued) = {}"),
            [1, 2, 3, 4],
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.65, 0.8), False, True),),
    ),
    Pair(
        "months_of_a_year",
        invoices_by_month,
        each(
            _asked("months_of_a_year", "year(issued) = 2027 AND month(issued) = {}"), range(1, 13)
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.88, 0.96), False, True),),
    ),
    Pair(
        "keys_in_upper_case",
        customers,
        each(
            _asked("keys_in_upper_case", "upper(customer_key) = 'C{:06d}'"),
            range(100, 24_000, 2000),
        ),
        expected=(Expected("wrapped_column", ("customer_key",), None, False, False),),
    ),
    Pair(
        "seconds_ago",
        readings,
        each(
            _asked("seconds_ago", "to_unixtime(CAST(ts AS timestamp)) > {}"),
            [1_767_225_600 + n * DAY for n in (36, 37, 38)],
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.88, 0.97), False, True),),
    ),
    Pair(
        "hours_of_a_tenant",
        tenants,
        each(
            _asked(
                "hours_of_a_tenant",
                "lower(tenant) = 't{}' AND ts >= TIMESTAMP '2026-01-01 00:00:00'",
            ),
            range(10),
        ),
        expected=(Expected("wrapped_column", ("tenant",), None, False, False),),
    ),
    Pair(
        "times_before_today_in_utc",
        zoned_by_day,
        each(
            _asked(
                "times_before_today_in_utc", "ts >= TIMESTAMP '{} UTC' AND ts < TIMESTAMP '{} UTC'"
            ),
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(2, 38, 4)],
            time_zone="America/New_York",
        ),
        tempting={"local_day_boundaries": "the ends are those of UTC"},
    ),
)
