"""Buckets of meters and devices."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    loaded,
    rng,
    scaled,
    table,
    times,
)

MONTH_STARTS = (0, 31, 59, 90, 120, 151, 181)


def meters() -> Layout:
    """Four months of eight buckets of meters, a file each, in order of time."""
    draw = rng(7402)
    count = 4 * 8 * FILE_ROWS
    return laid_out(
        table(
            {
                "meter_id": draw.integers(0, 400, count),
                "read_at": times(np.sort(draw.uniform(0, 120 * DAY, count)), "UTC"),
                "kwh": draw.random(count),
            }
        ),
        "months(read_at)",
        "bucket(8, meter_id)",
    )


def bills() -> Layout:
    """16 buckets of meters, a file each."""
    draw = rng(7408)
    count = 16 * FILE_ROWS
    return laid_out(
        table({"meter_id": draw.integers(0, 5000, count), "cents": draw.integers(0, 9999, count)}),
        "bucket(16, meter_id)",
    )


def _contracts(seed: int, files: int) -> pa.Table:
    draw = rng(seed)
    count = files * FILE_ROWS
    return table(
        {"contract_id": draw.integers(0, 5000, count), "kwh": draw.random(count)},
        seed,
    )


def finer_since() -> Layout:
    """Eight buckets of eight files each, and 32 buckets since, of a file each."""
    before, since = ("bucket(8, contract_id)",), ("bucket(32, contract_id)",)
    old = Commit(loaded(_contracts(7409, 64), before, FILE_ROWS), before)
    new = Commit(loaded(_contracts(7410, 32), since, FILE_ROWS), since)
    return Layout((old, new), since, scaled())


PAIRS = (
    # A month of a meter is one file; a day of one is as well.
    Pair(
        "meters_of_months_in_buckets",
        meters,
        [
            *each(
                "SELECT * FROM lake.db.meters_of_months_in_buckets WHERE meter_id = {}"
                " AND read_at >= TIMESTAMP '{} UTC' AND read_at < TIMESTAMP '{} UTC'",
                [
                    (
                        n * 13 % 400,
                        instant(MONTH_STARTS[n % 4] * DAY),
                        instant(MONTH_STARTS[n % 4 + 1] * DAY),
                    )
                    for n in range(1, 40)
                ],
            ),
            *each(
                "SELECT * FROM lake.db.meters_of_months_in_buckets WHERE meter_id = {}"
                " AND read_at >= TIMESTAMP '{} UTC' AND read_at < TIMESTAMP '{} UTC'",
                [
                    (n * 17 % 400, instant(n * DAY), instant((n + 1) * DAY))
                    for n in range(1, 110, 9)
                ],
                user="support",
            ),
            *each(
                "SELECT sum(kwh) FROM lake.db.meters_of_months_in_buckets"
                " WHERE read_at >= TIMESTAMP '{} UTC' AND read_at < TIMESTAMP '{} UTC'",
                [
                    (instant(MONTH_STARTS[n] * DAY), instant(MONTH_STARTS[n + 1] * DAY))
                    for n in range(4)
                ],
                user="grid",
            ),
        ],
        tempting={
            "unclustered_column": "one file is left",
            "partitions_too_coarse": "a day of a bucket is 20 rows",
            "no_partition_filter": "a month is wanted of all meters",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Three numbers are in three buckets at most.
    Pair(
        "bills_of_neighbouring_meters",
        bills,
        [
            *each(
                "SELECT * FROM lake.db.bills_of_neighbouring_meters"
                " WHERE meter_id BETWEEN {} AND {}",
                [(n, n + 2) for n in range(10, 5000, 250)],
            ),
            *each(
                "SELECT * FROM lake.db.bills_of_neighbouring_meters WHERE meter_id = {}",
                range(77, 5000, 300),
                **SPARK,
            ),
        ],
        expected=(
            Expected(
                "range_on_bucketed_column",
                ("meter_id",),
                (0.6, 0.82),
                False,
                says=(r"meter_id IN \(",),
            ),
        ),
        tempting={"unclustered_column": "a bucket is one file"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Eight old files of a bucket and a new one, for what three would hold.
    Pair(
        "contracts_in_finer_buckets_since",
        finer_since,
        each(
            "SELECT * FROM lake.db.contracts_in_finer_buckets_since WHERE contract_id = {}",
            range(21, 5000, 140),
        ),
        expected=(
            Expected(
                "old_spec_files|unclustered_column",
                ("contract_id",),
                (0.5, 0.88),
                True,
                False,
                (r"rewrite_data_files",),
            ),
        ),
        tempting={"no_partition_filter": "all files are in buckets of contracts"},
        never=("PARTITION FIELD",),
    ),
)
