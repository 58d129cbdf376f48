"""Days, months and weeks as reports ask for them."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.reports import (
    invoices_by_month,
    orders_by_day,
    readings,
    sales_by_date,
    visits_of_late,
    zoned_by_day,
)
from tests.workloads.rows import DAY, SPARK, SPARK_35, day, each, instant

_DAYS = [day(n) for n in range(2, 38, 3)]
_MONTHS = [(2026, 3), (2026, 11), (2027, 2), (2027, 7), (2026, 8)]
_EPOCH = 1_767_225_600


def _asked(table: str, condition: str) -> str:
    return f"SELECT * FROM lake.db.{table} WHERE {condition}"


PAIRS = (
    Pair(
        "days_by_digits",
        orders_by_day,
        each(
            _asked(
                "days_by_digits",
                "date_format(ts, 'yyyyMMdd') BETWEEN '202601{:02d}' AND '202601{:02d}'",
            ),
            [(n, n + 2) for n in range(3, 28, 3)],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.92, 0.97), False, True),),
    ),
    Pair(
        "year_and_month_as_one_number",
        invoices_by_month,
        each(
            _asked("year_and_month_as_one_number", "year(issued) * 100 + month(issued) = {}{:02d}"),
            _MONTHS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.93, 0.98), False, True),),
    ),
    # Trino knows a year, but no sum.
    Pair(
        "months_as_numbers_between",
        invoices_by_month,
        each(
            _asked(
                "months_as_numbers_between",
                "year(issued) * 100 + month(issued) BETWEEN {0}{1:02d} AND {0}{1:02d}",
            ),
            _MONTHS,
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.93, 0.98), False, True),),
    ),
    Pair(
        "days_as_numbers",
        invoices_by_month,
        each(
            _asked(
                "days_as_numbers",
                "year(issued) * 10000 + month(issued) * 100 + day(issued) = {}{:02d}07",
            ),
            _MONTHS,
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.96, 0.995), False, True),),
    ),
    # Power BI: the year is pushed by Trino, the month is not.
    Pair(
        "folded_year_and_month",
        invoices_by_month,
        each(
            'SELECT "_"."customer", count(*) FROM lake.db.folded_year_and_month AS "_"'
            ' WHERE YEAR("_"."issued") = {} AND MONTH("_"."issued") = {} GROUP BY "_"."customer"',
            _MONTHS,
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.88, 0.96), False, True),),
    ),
    Pair(
        "extracted_year_and_month",
        invoices_by_month,
        each(
            _asked(
                "extracted_year_and_month",
                "extract(YEAR FROM issued) = {} AND extract(MONTH FROM issued) = {}",
            ),
            _MONTHS,
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.93, 0.98), False, True),),
    ),
    Pair(
        "months_truncated_in_spark",
        invoices_by_month,
        each(
            _asked("months_truncated_in_spark", "trunc(issued, 'MM') = DATE '{}-{:02d}-01'"),
            _MONTHS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.93, 0.98), False, True),),
    ),
    Pair(
        "quarters_truncated",
        invoices_by_month,
        each(
            _asked("quarters_truncated", "date_trunc('quarter', issued) = DATE '2026-{:02d}-01'"),
            [1, 4, 7, 10],
            engine_version="483",
        ),
        expected=(Expected("wrapped_column", ("issued",), (0.8, 0.92), False, True),),
    ),
    # What Superset makes of a grain of months, and Trino takes as it is.
    Pair(
        "months_truncated_in_trino",
        invoices_by_month,
        each(
            _asked(
                "months_truncated_in_trino", "date_trunc('month', issued) = DATE '{}-{:02d}-01'"
            ),
            _MONTHS,
        ),
        tempting={"wrapped_column": "Trino takes date_trunc of months for a range"},
    ),
    Pair(
        "weeks_truncated",
        orders_by_day,
        each(
            _asked("weeks_truncated", "date_trunc('week', ts) = TIMESTAMP '2026-{} 00:00:00'"),
            ["01-05", "01-12", "01-19", "02-02"],
            engine_version="483",
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.85, 0.92), False, True),),
    ),
    Pair(
        "iso_weeks_as_text",
        orders_by_day,
        each(_asked("iso_weeks_as_text", "date_format(ts, '%x-%v') = '2026-{:02d}'"), [2, 3, 4, 6]),
        expected=(Expected("wrapped_column", ("ts",), (0.85, 0.92), False, True),),
    ),
    Pair(
        "months_as_first_days",
        orders_by_day,
        each(
            _asked("months_as_first_days", "date_format(ts, '%Y-%m-01') = '2026-{}-01'"),
            ["02"] * 5,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.45, 0.56), False, True),),
    ),
    Pair(
        "dates_as_text_between",
        sales_by_date,
        each(
            _asked("dates_as_text_between", "CAST(d AS varchar) BETWEEN '{}' AND '{}'"),
            [(day(n), day(n + 1)) for n in range(2, 50, 5)],
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("d",), (0.93, 0.98), False, True),),
    ),
    # A retail report takes the weekday, of which there is one in every week.
    Pair(
        "mondays",
        sales_by_date,
        each(_asked("mondays", "day_of_week(d) = {}"), [1, 1, 1, 5]),
        expected=(Expected("wrapped_column", ("d",), None, False, False),),
    ),
    Pair(
        "days_since",
        visits_of_late,
        each(_asked("days_since", "datediff(current_date(), d) <= {}"), range(3, 8), **SPARK),
        expected=(Expected("wrapped_column", ("d",), (0.8, 0.9), False, True),),
    ),
    Pair(
        "days_since_in_trino",
        visits_of_late,
        each(_asked("days_since_in_trino", "date_diff('day', d, current_date) < {}"), range(3, 8)),
        expected=(Expected("wrapped_column", ("d",), (0.82, 0.92), False, True),),
    ),
    Pair(
        "shifted_to_today",
        visits_of_late,
        each(_asked("shifted_to_today", "date_add('day', {}, d) >= current_date"), range(3, 8)),
        expected=(Expected("wrapped_column", ("d",), (0.8, 0.92), False, True),),
    ),
    Pair(
        "unknown_days_are_old",
        sales_by_date,
        each(
            _asked("unknown_days_are_old", "coalesce(d, DATE '1900-01-01') >= DATE '{}'"),
            [day(n) for n in (50, 52, 55)],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.8, 0.97), False, True),),
    ),
    Pair(
        "seconds_of_times",
        zoned_by_day,
        each(
            _asked("seconds_of_times", "unix_timestamp(ts) >= {} AND unix_timestamp(ts) < {}"),
            [(_EPOCH + n * DAY, _EPOCH + n * DAY + DAY) for n in range(2, 38, 4)],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.93, 0.98), False, True),),
    ),
    Pair(
        "seconds_of_times_in_trino",
        zoned_by_day,
        each(
            _asked("seconds_of_times_in_trino", "to_unixtime(ts) BETWEEN {} AND {}"),
            [(_EPOCH + n * DAY, _EPOCH + n * DAY + DAY - 1) for n in range(2, 38, 4)],
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.93, 0.98), False, True),),
    ),
    Pair(
        "days_of_seconds",
        readings,
        each(
            _asked("days_of_seconds", "to_date(from_unixtime(epoch)) = DATE '{}'"), _DAYS, **SPARK
        ),
        expected=(Expected("wrapped_column", ("epoch",), (0.9, 0.97), False, True),),
    ),
    Pair(
        "seconds_as_text",
        readings,
        each(
            _asked(
                "seconds_as_text",
                "from_unixtime(epoch) >= '{0} 00:00:00' AND from_unixtime(epoch) <= '{0} 23:59:59'",
            ),
            _DAYS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("epoch",), (0.9, 0.97), False, True),),
    ),
    Pair(
        "days_by_new_york_clocks",
        zoned_by_day,
        each(
            _asked(
                "days_by_new_york_clocks",
                "CAST(ts AT TIME ZONE 'America/New_York' AS date) = DATE '{}'",
            ),
            _DAYS,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.9, 0.97), False, True),),
    ),
    # Spark takes the day of the session's zone, and it is half an hour off whole hours.
    Pair(
        "days_of_a_session_in_kolkata",
        zoned_by_day,
        each(
            _asked("days_of_a_session_in_kolkata", "CAST(ts AS DATE) = DATE '{}'"),
            _DAYS,
            time_zone="Asia/Kolkata",
            **SPARK,
        ),
        expected=(Expected("local_day_boundaries", ("ts",), (0.4, 0.55)),),
    ),
    # Trino takes the day of a time with a zone in UTC, whatever the session has.
    Pair(
        "days_of_a_session_in_berlin_in_trino",
        zoned_by_day,
        each(
            _asked("days_of_a_session_in_berlin_in_trino", "CAST(ts AS date) = DATE '{}'"),
            _DAYS,
            time_zone="Europe/Berlin",
        ),
        tempting={"local_day_boundaries": "the ranges are of UTC", "wrapped_column": "pushed"},
    ),
    Pair(
        "days_cast_in_spark",
        orders_by_day,
        each(_asked("days_cast_in_spark", "to_date(ts) = '{}'"), _DAYS, **SPARK),
        tempting={"wrapped_column": "it is a cast to date, which is pushed"},
    ),
    Pair(
        "changed_by_month_as_text",
        sales_by_date,
        each(
            "UPDATE lake.db.changed_by_month_as_text SET note = 'x'"
            " WHERE date_format(d, '%Y-%m') = '2026-{}' AND status = 'open'",
            ["01", "02"],
        ),
        expected=(Expected("wrapped_column", ("d",), (0.4, 0.6), False, True),),
    ),
    # A whole day by its ends, as texts.
    Pair(
        "between_texts_of_times",
        orders_by_day,
        each(
            _asked("between_texts_of_times", "ts BETWEEN '{}' AND '{}'"),
            [(instant(n * DAY), instant(n * DAY + DAY - 1)) for n in range(2, 50, 7)],
            **SPARK,
        ),
        tempting={"type_mismatch": "the texts are cast, not the column"},
    ),
)
