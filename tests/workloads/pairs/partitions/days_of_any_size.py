"""Partitions of which many hold next to nothing, and tables in order of time that others than those
who ask for times read."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

SCRAP_ROWS = 20
FULL_DAYS = 12
METRICS = "write.metadata.metrics.column."


def _seconds(seed: int) -> npt.NDArray[np.float64]:
    """Times of 40 days, of which every third or so has eight files, and the others 20 rows."""
    draw = rng(seed)
    sizes = [8 * FILE_ROWS if n % 3 == 0 and n // 3 < FULL_DAYS else SCRAP_ROWS for n in range(40)]
    days = np.repeat(np.arange(40), sizes)
    return (days + draw.random(len(days))) * DAY


def days_of_couriers(*, in_order: bool, unmeasured: bool = False) -> Layout:
    """Days of any size, in order of couriers or in none."""
    draw = rng(8601)
    seconds = draw.permutation(_seconds(8602))
    couriers = draw.integers(0, 900, len(seconds))
    return laid_out(
        table(
            {
                "ts": times(seconds),
                "courier": np.sort(couriers) if in_order else couriers,
                "parcels": draw.integers(0, 90, len(seconds)),
            }
        ),
        "days(ts)",
        properties={f"{METRICS}courier": "none"} if unmeasured else {},
    )


def in_order() -> Layout:
    """Days of any size, in order of couriers."""
    return days_of_couriers(in_order=True)


def in_no_order() -> Layout:
    """Days of any size, in no order of couriers."""
    return days_of_couriers(in_order=False)


def in_unmeasured_order() -> Layout:
    """Days of any size, in order of couriers, of whom no bounds are kept."""
    return days_of_couriers(in_order=True, unmeasured=True)


def jobs() -> Layout:
    """60 files in order of time. One job in fifty is not done, whenever it began."""
    draw = rng(8603)
    count = 60 * FILE_ROWS
    states = np.where(draw.random(count) < 0.98, "done", "failed")
    begun = np.sort(draw.uniform(0, 60 * DAY, count))
    ended = times(begun + draw.uniform(0, 3600, count)).cast(pa.int64()).to_numpy()
    return laid_out(
        table(
            {
                "begun_at": times(begun),
                "state": texts(states),
                "ended_at": pa.array(ended, pa.timestamp("us"), mask=draw.random(count) < 0.02),
                "tenant": draw.integers(0, 50, count).astype(np.int32),
                "price": pa.array(
                    [Decimal(int(n)) / 100 for n in draw.integers(0, 10**6, count)],
                    pa.decimal128(12, 2),
                ),
            }
        )
    )


DAYS = [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(1, 60, 2)]
WHOLE_DAYS = [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 36, 3)]

PAIRS = (
    # A courier is in one file of each day, of eight or of one.
    Pair(
        "couriers_in_order_within_days_of_any_size",
        in_order,
        [
            *each(
                "SELECT * FROM lake.db.couriers_in_order_within_days_of_any_size"
                " WHERE courier = {}",
                range(7, 900, 40),
            ),
            *each(
                "SELECT sum(parcels) FROM lake.db.couriers_in_order_within_days_of_any_size"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                WHOLE_DAYS,
                user="bi",
                **SPARK,
            ),
        ],
        tempting={
            "no_partition_filter": "files of a day are in order",
            "partitions_too_fine": "nearly all bytes are in large days",
            "misaligned_partitioning": "days are asked for as well",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # 96 files of large days, of which 12 to 24 would do, and 28 scraps.
    Pair(
        "couriers_within_days_of_any_size",
        in_no_order,
        [
            *each(
                "SELECT * FROM lake.db.couriers_within_days_of_any_size WHERE courier = {}",
                range(7, 900, 40),
            ),
            *each(
                "SELECT sum(parcels) FROM lake.db.couriers_within_days_of_any_size"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                WHOLE_DAYS,
                user="bi",
                **SPARK,
            ),
        ],
        expected=(Expected("no_partition_filter", ("courier",), (0.6, 0.86), True, False),),
        allowed=(Expected("misaligned_partitioning", (), statements=False),),
        never=("PARTITION FIELD",),
    ),
    # Bounds alone win seven files of a large day.
    Pair(
        "couriers_unmeasured_within_days_of_any_size",
        in_unmeasured_order,
        [
            *each(
                "SELECT * FROM lake.db.couriers_unmeasured_within_days_of_any_size"
                " WHERE courier = {}",
                range(7, 900, 40),
            ),
            *each(
                "SELECT sum(parcels) FROM lake.db.couriers_unmeasured_within_days_of_any_size"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                WHOLE_DAYS,
                user="bi",
                **SPARK,
            ),
        ],
        expected=(Expected("no_column_metrics", ("courier",), (0.6, 0.86), True, False),),
        allowed=(Expected("misaligned_partitioning", (), statements=False),),
        never=("PARTITION FIELD",),
    ),
    # What is not done is in all files. In order of states it is in one or two of them; a day, which
    # is in a file now, may be in most of those of what is done, which is less than that wins.
    Pair(
        "jobs_that_are_not_done_and_days",
        jobs,
        [
            *repeated(
                "SELECT * FROM lake.db.jobs_that_are_not_done_and_days WHERE state <> 'done'",
                20,
                user="oncall",
            ),
            *each(
                "SELECT count(*) FROM lake.db.jobs_that_are_not_done_and_days"
                " WHERE begun_at >= TIMESTAMP '{}' AND begun_at < TIMESTAMP '{}'",
                DAYS,
                user="bi",
                **SPARK,
            ),
        ],
        allowed=(
            Expected("negated_condition", ("state",)),
            Expected("unclustered_column", ("state",)),
        ),
        never=("PARTITION FIELD", "ORDERED BY begun_at"),
    ),
    # The same of nulls: by their end, jobs would stay about where they are, which nobody can tell.
    Pair(
        "jobs_that_have_not_ended_and_days",
        jobs,
        [
            *repeated(
                "SELECT * FROM lake.db.jobs_that_have_not_ended_and_days WHERE ended_at IS NULL",
                12,
                user="oncall",
            ),
            *each(
                "SELECT count(*) FROM lake.db.jobs_that_have_not_ended_and_days"
                " WHERE begun_at >= TIMESTAMP '{}' AND begun_at < TIMESTAMP '{}'",
                DAYS,
                user="bi",
                **SPARK,
            ),
        ],
        allowed=(Expected("unclustered_column", ("ended_at",)),),
        never=("PARTITION FIELD", "ORDERED BY state", "ORDERED BY begun_at"),
    ),
    # Three days of a tenant are four files; in order of tenants they would be one or two, and days
    # of all tenants 60.
    Pair(
        "tenants_of_days_in_order",
        jobs,
        [
            *each(
                "SELECT * FROM lake.db.tenants_of_days_in_order WHERE tenant = {}"
                " AND begun_at >= TIMESTAMP '{}' AND begun_at < TIMESTAMP '{}'",
                [(n, instant(n * DAY), instant((n + 3) * DAY)) for n in range(1, 50)],
            ),
            *each(
                "SELECT tenant, count(*) FROM lake.db.tenants_of_days_in_order"
                " WHERE begun_at >= TIMESTAMP '{}' AND begun_at < TIMESTAMP '{}' GROUP BY tenant",
                DAYS,
                user="bi",
                **SPARK,
            ),
        ],
        allowed=(Expected("unclustered_column", ("tenant",), statements=False),),
        tempting={"row_groups_not_pruned": "each file has all tenants"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Jobs of a price are one in two thousand, and asked for more than days are.
    Pair(
        "jobs_of_a_price_and_few_days",
        jobs,
        [
            *each(
                "SELECT * FROM lake.db.jobs_of_a_price_and_few_days WHERE price BETWEEN {} AND {}",
                [(n * 500, n * 500 + 4) for n in range(1, 19)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.jobs_of_a_price_and_few_days"
                " WHERE begun_at >= TIMESTAMP '{}' AND begun_at < TIMESTAMP '{}'",
                DAYS[:4],
                user="bi",
                **SPARK,
            ),
        ],
        # 18 scans of 60 files, of which one would do; four of days lose 58 each.
        expected=(Expected("unclustered_column", ("price",), (0.65, 0.85), True, False),),
        allowed=(Expected("unclustered_column", ("begun_at",), statements=False),),
        never=("PARTITION FIELD", "ORDERED BY begun_at"),
    ),
)
