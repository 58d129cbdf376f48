"""Steps of pipelines, requests of tenants and histories of rows, on tables that mostly serve
them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.queries.days_in_words import (
    BETWEEN_DAYS,
    COUNT,
    DAYS,
    SEVERAL_DAYS,
    days_of_events,
)
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    laid_out,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)


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
        "grid_of_needs",
        grid_of_two,
        [
            *each("SELECT * FROM lake.db.grid_of_needs WHERE x = {}", range(5, 800, 60)),
            *each("SELECT * FROM lake.db.grid_of_needs WHERE y = {}", range(5, 800, 60)),
        ],
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
)
