"""Days, hours and clocks that queries write as texts, parts and windows, on tables that mostly
serve them."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    day,
    day_text,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

DAYS = 40
COUNT = DAYS * FILE_ROWS


def _events(zone: str | None) -> dict[str, object]:
    drawn = rng(901)
    seconds = np.sort(drawn.integers(0, DAYS * DAY, COUNT))
    return {
        "event_ts": times(seconds, zone),
        "updated_at": times(seconds + drawn.integers(0, 7_200, COUNT), zone),
        "event_id": texts(drawn.permutation(COUNT), "e{:06d}"),
        "user_id": drawn.integers(0, 5_000, COUNT),
        "status": texts(drawn.choice(["open", "paid", "done"], COUNT)),
    }


def days_of_events() -> Layout:
    """A file for each of 40 days."""
    return laid_out(table(_events(None)), "days(event_ts)")


def days_of_zoned_events() -> Layout:
    """A file for each of 40 days of UTC."""
    return laid_out(table(_events("UTC")), "days(event_ts)")


def days_and_hours_of_text() -> Layout:
    """Three days of 24 hours, both text, with a file for each hour."""
    hours = np.repeat(np.arange(72), FILE_ROWS)
    rows = table(
        {
            "dt": day_text(hours // 24),
            "hr": texts(hours % 24, "{:02d}"),
            "user_id": rng(902).integers(0, 5_000, len(hours)),
        }
    )
    return laid_out(rows, "dt", "hr")


def compact_days() -> Layout:
    """A file for each of 40 days, which are text without dashes."""
    numbers = np.repeat(np.arange(DAYS), FILE_ROWS)
    rows = table(
        {
            "dt": day_text(numbers, "%Y%m%d"),
            "user_id": rng(903).integers(0, 5_000, len(numbers)),
            "amount": rng(904).integers(0, 1_000, len(numbers)),
        }
    )
    return laid_out(rows, "dt")


BETWEEN_DAYS = [(day(n), day(n + 1)) for n in range(4, 34, 2)]
SEVERAL_DAYS = [day(n) for n in range(3, 38, 5)]

PAIRS = (
    Pair(
        "rolling_24_hours",
        days_of_zoned_events,
        each(
            "SELECT status, count(*) FROM lake.db.rolling_24_hours"
            " WHERE event_ts >= TIMESTAMP '{} UTC' AND event_ts < TIMESTAMP '{} UTC'"
            " GROUP BY status",
            [(instant(n * 3_600), instant(n * 3_600 + DAY)) for n in range(700, 724)],
        ),
        tempting={"local_day_boundaries": "windows of each hour are no days of any zone"},
    ),
    Pair(
        "groups_having_days",
        compact_days,
        [
            *each(
                "SELECT dt, count(*) FROM lake.db.groups_having_days GROUP BY dt HAVING dt >= '{}'",
                ["20260201", "20260203", "20260205"],
            ),
            *each(
                "SELECT dt, count(*) FROM lake.db.groups_having_days GROUP BY dt"
                " HAVING dt = '{}' AND count(*) > 10",
                ["20260107", "20260115"],
                **SPARK,
            ),
        ],
    ),
    Pair(
        "hours_of_text_as_numbers",
        days_and_hours_of_text,
        each(
            "SELECT count(*) FROM lake.db.hours_of_text_as_numbers WHERE dt = '{}' AND hr"
            " BETWEEN {} AND {}",
            [(day(n), a, a + 3) for n in range(3) for a in (2, 6, 12)],
            **SPARK,
        ),
        expected=(Expected("type_mismatch", ("hr",), None, False),),
    ),
    Pair(
        "night_across_days",
        days_and_hours_of_text,
        each(
            "SELECT count(*) FROM lake.db.night_across_days"
            " WHERE dt = '{}' AND hr >= '20' OR dt = '{}' AND hr < '04'",
            [(day(0), day(1)), (day(1), day(2))],
        ),
        expected=(Expected("or_across_columns", ("dt", "hr"), (0.3, 0.6), False),),
    ),
    Pair(
        "compact_days_parsed",
        compact_days,
        each(
            "SELECT sum(amount) FROM lake.db.compact_days_parsed WHERE date_parse(dt, '%Y%m%d')"
            " BETWEEN TIMESTAMP '{} 00:00:00' AND TIMESTAMP '{} 00:00:00'",
            BETWEEN_DAYS,
        ),
        expected=(Expected("wrapped_column", ("dt",), None, False, says=(r"dt >= '20260131'",)),),
    ),
    Pair(
        "rows_of_day_and_hour",
        days_and_hours_of_text,
        each(
            "SELECT count(*) FROM lake.db.rows_of_day_and_hour"
            " WHERE (dt, hr) IN (('{}', '03'), ('{}', '04'))",
            [(day(0), day(1)), (day(1), day(2))],
        ),
        expected=(Expected("wrapped_column|or_across_columns", ("dt", "hr"), (0.8, 0.98), False),),
    ),
    Pair(
        "days_by_regexp",
        compact_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.days_by_regexp WHERE dt RLIKE '^2026010[5-7]$'",
            4,
            **SPARK,
        ),
        expected=(
            Expected("like_without_prefix|wrapped_column", ("dt",), (0.6, 0.95), False, True),
        ),
    ),
    Pair(
        "filtered_aggregates",
        compact_days,
        each(
            "SELECT count_if(dt = '{0}'), sum(amount) FILTER (WHERE dt >= '{0}'),"
            " sum(CASE WHEN dt < '{0}' THEN 1 END) FROM lake.db.filtered_aggregates",
            [d.strftime("%Y%m%d") for d in SEVERAL_DAYS],
        ),
    ),
    Pair(
        "zoned_by_function",
        days_of_events,
        each(
            "SELECT count(*) FROM lake.db.zoned_by_function WHERE"
            " with_timezone(event_ts, 'UTC') >= TIMESTAMP '{} 00:00:00 UTC'"
            " AND with_timezone(event_ts, 'UTC') < TIMESTAMP '{} 00:00:00 UTC'",
            BETWEEN_DAYS,
        ),
        expected=(Expected("wrapped_column", ("event_ts",), (0.85, 0.98), False, True),),
    ),
    Pair(
        "berlin_days_in_utc",
        days_of_zoned_events,
        each(
            "SELECT count(*) FROM lake.db.berlin_days_in_utc"
            " WHERE event_ts >= TIMESTAMP '{} UTC' AND event_ts < TIMESTAMP '{} UTC'",
            [(instant(n * DAY - 3_600), instant((n + 1) * DAY - 3_600)) for n in range(4, 34, 3)],
        ),
        expected=(Expected("local_day_boundaries", ("event_ts",), (0.3, 0.6), False),),
    ),
    Pair(
        "local_days_of_utc",
        days_of_events,
        each(
            "SELECT count(*) FROM lake.db.local_days_of_utc WHERE"
            " CAST(with_timezone(event_ts, 'UTC') AT TIME ZONE 'Europe/Berlin' AS date)"
            " = DATE '{}'",
            SEVERAL_DAYS,
        ),
        expected=(Expected("wrapped_column", ("event_ts",), (0.85, 0.97), False, True),),
    ),
    Pair(
        "formats_of_formats",
        days_and_hours_of_text,
        each(
            "SELECT count(*) FROM lake.db.formats_of_formats"
            " WHERE date_format(to_timestamp(dt, 'yyyy-MM-dd'), 'yyyyMMdd') = '{}'",
            ["20260101", "20260102"],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("dt",), None, False, says=(r"dt >= '2026-01-31'",)),),
        allowed=(Expected("misaligned_partitioning", ("hr",), None, False),),
    ),
)
