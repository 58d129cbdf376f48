"""Parameters, windows and formats in the queries of one warehouse, on tables that"
" mostly serve them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    day_text,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    scaled,
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


def days_of_five_files() -> Layout:
    """Eight days of five files, with any user in each."""
    numbers = np.repeat(np.arange(8), 5 * FILE_ROWS)
    rows = table(
        {
            "event_date": dates(numbers),
            "user_id": rng(905).integers(0, 5_000, len(numbers)),
            "updated_at": times(numbers * DAY + rng(906).integers(0, DAY, len(numbers))),
        }
    )
    return laid_out(rows, "event_date")


def tenants_in_buckets() -> Layout:
    """Six tenants of eight buckets of users."""
    count = 48 * FILE_ROWS
    drawn = rng(907)
    rows = table(
        {
            "tenant": texts(drawn.integers(0, 6, count), "t{}"),
            "user_id": drawn.integers(0, 5_000, count),
            "created_at": times(np.sort(drawn.integers(0, 90 * DAY, count))),
        }
    )
    return laid_out(rows, "tenant", "bucket(8, user_id)")


def orders_in_order() -> Layout:
    """40 files in the order in which orders were made."""
    drawn = rng(908)
    seconds = np.sort(drawn.integers(0, DAYS * DAY, COUNT))
    first = 1_767_225_600_000
    rows = table(
        {
            "order_id": np.arange(COUNT) + 1_000_000,
            "epoch_ms": first + seconds * 1_000 + drawn.integers(0, 1_000, COUNT),
            "started_at": times(seconds),
            "ended_at": times(seconds + drawn.integers(60, 3_600, COUNT)),
            "error": pa.array(
                [f"e{n}" if n % 40 == 3 and n // 600 in (5, 6, 30) else None for n in range(COUNT)]
            ),
        }
    )
    return laid_out(rows, properties={"write.metadata.metrics.column.error": "counts"})


def customers_over_time() -> Layout:
    """A history of 24,000 states, of which one in twenty is the present one, in any file."""
    drawn = rng(913)
    start = drawn.integers(0, 300 * DAY, COUNT)
    end = start + drawn.integers(30 * DAY, 300 * DAY, COUNT)
    rows = table(
        {
            "customer_id": drawn.integers(0, 8_000, COUNT),
            "valid_from": times(start),
            "valid_to": times(end),
        }
    )
    current = pa.array(drawn.random(COUNT) < 0.05)
    valid_to = pa.compute.if_else(current, None, rows["valid_to"])
    return laid_out(rows.set_column(2, "valid_to", valid_to).combine_chunks())


def grid_of_two() -> Layout:
    """64 files, each of an eighth of two columns."""
    drawn = rng(916)
    files = tuple(
        table(
            {
                "x": drawn.integers(a * 100, a * 100 + 100, FILE_ROWS),
                "y": drawn.integers(b * 100, b * 100 + 100, FILE_ROWS),
            }
        )
        for a in range(8)
        for b in range(8)
    )
    return Layout((Commit(files),), (), scaled())


def customers_in_order() -> Layout:
    """40 files in order of the customer, with any product in each."""
    drawn = rng(917)
    rows = {
        "customer": np.sort(drawn.integers(0, 4_000, COUNT)),
        "product": drawn.integers(0, 3_000, COUNT),
    }
    return laid_out(table(rows))


BETWEEN_DAYS = [(day(n), day(n + 1)) for n in range(4, 34, 2)]
SEVERAL_DAYS = [day(n) for n in range(3, 38, 5)]
USERS = range(11, 5_000, 400)
SORTED = "no_partition_filter|unclustered_column"


PAIRS = (
    Pair(
        "incremental_since_max",
        days_of_events,
        repeated(
            "SELECT * FROM lake.db.incremental_since_max WHERE event_ts > (SELECT"
            " coalesce(max(event_ts), TIMESTAMP '1970-01-01 00:00:00') - INTERVAL '1' DAY"
            " FROM crm.app.mart)",
            6,
        ),
        expected=(Expected("runtime_only", ("event_ts",), None, False),),
        tempting={"no_partition_filter": "there is one", "misaligned_partitioning": "it is used"},
    ),
    Pair(
        "variables_in_a_cte",
        days_of_events,
        each(
            "WITH params AS (SELECT TIMESTAMP '{} 00:00:00' AS t0, TIMESTAMP '{} 00:00:00' AS t1)"
            " SELECT count(*) FROM lake.db.variables_in_a_cte CROSS JOIN params"
            " WHERE event_ts >= params.t0 AND event_ts < params.t1",
            BETWEEN_DAYS,
        ),
    ),
    Pair(
        "variables_by_scalar",
        days_of_events,
        each(
            "WITH p AS (SELECT TIMESTAMP_NTZ '{} 00:00:00' AS t0, TIMESTAMP_NTZ '{}"
            " 00:00:00' AS t1)"
            " SELECT count(*) FROM lake.db.variables_by_scalar"
            " WHERE event_ts >= (SELECT t0 FROM p) AND event_ts < (SELECT t1 FROM p)",
            BETWEEN_DAYS,
            **SPARK,
        ),
    ),
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
        "erasure_of_users",
        days_of_five_files,
        each("DELETE FROM lake.db.erasure_of_users WHERE user_id = {}", USERS),
        expected=(Expected(SORTED, ("user_id",), (0.55, 0.85), True),),
        allowed=(Expected("misaligned_partitioning", ()),),
    ),
    Pair(
        "anti_joins",
        days_of_events,
        [
            *repeated(
                "SELECT t.event_id FROM lake.db.anti_joins t WHERE NOT EXISTS"
                " (SELECT 1 FROM crm.app.done d WHERE d.event_id = t.event_id)",
                3,
            ),
            *repeated(
                "SELECT event_id FROM lake.db.anti_joins WHERE event_id NOT IN"
                " (SELECT event_id FROM crm.app.done)",
                3,
            ),
            *repeated(
                "SELECT t.event_id FROM lake.db.anti_joins t LEFT JOIN crm.app.done d"
                " ON d.event_id = t.event_id WHERE d.event_id IS NULL",
                3,
            ),
        ],
        tempting={"runtime_only": "an anti join lets no rows of it be skipped"},
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
        "latest_of_each",
        days_of_events,
        each(
            "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY user_id"
            " ORDER BY event_ts DESC) AS rn FROM lake.db.latest_of_each) AS d"
            " WHERE rn = 1 AND event_ts >= TIMESTAMP '{} 00:00:00'",
            SEVERAL_DAYS,
        ),
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
        "tenant_and_user",
        tenants_in_buckets,
        [
            *each(
                "SELECT * FROM lake.db.tenant_and_user WHERE tenant = 't3' AND user_id = {}", USERS
            ),
            *each("SELECT * FROM lake.db.tenant_and_user WHERE user_id = {}", USERS),
        ],
    ),
    Pair(
        "all_or_one_tenant",
        tenants_in_buckets,
        each(
            "SELECT tenant, count(*) FROM lake.db.all_or_one_tenant"
            " WHERE ('{0}' = 'ALL' OR tenant = '{0}') GROUP BY tenant",
            ["ALL", "t1", "t3", "ALL", "t5"],
        ),
        allowed=(Expected("misaligned_partitioning", ("user_id",), None, False),),
    ),
    Pair(
        "counted_errors",
        orders_in_order,
        repeated("SELECT * FROM lake.db.counted_errors WHERE error IS NOT NULL", 5),
        allowed=(Expected("unclustered_column", ("error",)),),
        tempting={"no_column_metrics": "counts tell where errors are"},
        unsaid=("spread over all files",),
    ),
    Pair(
        "millis_cast_spark",
        orders_in_order,
        each(
            "SELECT * FROM lake.db.millis_cast_spark WHERE"
            " CAST(epoch_ms / 1000 AS TIMESTAMP) >= TIMESTAMP '{} 00:00:00'"
            " AND CAST(epoch_ms / 1000 AS TIMESTAMP) < TIMESTAMP '{} 00:00:00'",
            BETWEEN_DAYS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("epoch_ms",), (0.85, 0.98), False, True),),
    ),
    Pair(
        "rows_as_of",
        customers_over_time,
        each(
            "SELECT customer_id FROM lake.db.rows_as_of WHERE valid_from <= TIMESTAMP"
            " '{0} 00:00:00'"
            " AND (valid_to IS NULL OR valid_to > TIMESTAMP '{0} 00:00:00')",
            [day(250), day(270), day(290)],
        ),
    ),
    Pair(
        "hot_and_cold",
        days_of_events,
        [
            *each(
                "SELECT status, count(*) FROM (SELECT event_ts, status, 'hot' AS tier FROM"
                " crm.app.hot UNION ALL SELECT event_ts, status, 'cold' AS tier"
                " FROM lake.db.hot_and_cold) AS v WHERE v.event_ts >= TIMESTAMP '{} 00:00:00'"
                " AND v.event_ts < TIMESTAMP '{} 00:00:00' GROUP BY status",
                BETWEEN_DAYS,
            ),
            *repeated(
                "SELECT status, count(*) FROM (SELECT event_ts, status, 'hot' AS tier FROM"
                " crm.app.hot UNION ALL SELECT event_ts, status, 'cold' AS tier"
                " FROM lake.db.hot_and_cold) AS v WHERE v.tier = 'hot' AND lower(status) = 'open'"
                " GROUP BY status",
                20,
            ),
        ],
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
        "grid_of_needs",
        grid_of_two,
        [
            *each("SELECT * FROM lake.db.grid_of_needs WHERE x = {}", range(5, 800, 60)),
            *each("SELECT * FROM lake.db.grid_of_needs WHERE y = {}", range(5, 800, 60)),
        ],
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
        "overlapping_intervals",
        orders_in_order,
        each(
            "SELECT count(*) FROM lake.db.overlapping_intervals"
            " WHERE started_at <= TIMESTAMP '{} 12:00:00' AND ended_at >= TIMESTAMP '{} 06:00:00'",
            [(d, d) for d in SEVERAL_DAYS],
        ),
    ),
    Pair(
        "minor_need",
        customers_in_order,
        [
            *each("SELECT * FROM lake.db.minor_need WHERE customer = {}", range(5, 4_000, 20)),
            *each("SELECT * FROM lake.db.minor_need WHERE product = {}", (7, 99)),
        ],
        allowed=(Expected("unclustered_column", ("product",), None, False),),
        never=("ORDERED BY product",),
    ),
    Pair(
        "days_of_a_derived_row",
        compact_days,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_a_derived_row"
            " JOIN (SELECT '{}' AS lo) AS v ON dt = v.lo",
            ["20260107", "20260115", "20260203"],
            **SPARK,
        ),
    ),
    Pair(
        "days_from_values",
        compact_days,
        each(
            "SELECT sum(amount) FROM lake.db.days_from_values"
            " CROSS JOIN (VALUES ('{}')) AS v (lo) WHERE dt = lo",
            ["20260107", "20260115", "20260203"],
        ),
    ),
    Pair(
        "periods_of_parameters",
        days_of_events,
        each(
            "WITH p AS (SELECT DATE '{}' AS d), w AS (SELECT d - INTERVAL '1' DAY AS d0,"
            " d + INTERVAL '2' DAY AS d1 FROM p), picked AS (SELECT e.* FROM"
            " lake.db.periods_of_parameters AS e JOIN w ON e.event_ts >= w.d0"
            " AND e.event_ts < w.d1) SELECT status, count(*) FROM picked GROUP BY status",
            SEVERAL_DAYS,
        ),
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
