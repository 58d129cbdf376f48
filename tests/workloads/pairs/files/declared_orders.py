"""Files in an order that nothing declares, and in none though one is declared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
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


def subscriptions() -> Layout:
    """60 files in order of beginning. Of the first 48 all were cancelled, of the others hardly
    any."""
    draw = rng(8308)
    count = 60 * FILE_ROWS
    begun = np.sort(draw.uniform(0, 600 * DAY, count))
    ended = times(begun + draw.uniform(5 * DAY, 60 * DAY, count))
    runs = (np.arange(count) >= 48 * FILE_ROWS) & (draw.random(count) < 0.95)
    micros = ended.cast(pa.int64()).to_numpy()
    return laid_out(
        table(
            {
                "begun_at": times(begun),
                "cancelled_at": pa.array(micros, pa.timestamp("us"), mask=runs),
                "plan": texts(draw.integers(0, 3, count), "plan {}"),
            }
        )
    )


def deliveries() -> Layout:
    """20 days of five files each, which the table wants in order of couriers, and are not."""
    draw = rng(8406)
    count = 100 * FILE_ROWS
    made = laid_out(
        table(
            {
                "dt": day_text(np.arange(count) % 20),
                "courier_id": draw.integers(0, 3000, count),
                "zip": texts(draw.integers(0, 400, count), "{:05d}"),
            }
        ),
        "dt",
    )
    return replace(made, declared=("courier_id",))


PAIRS = (
    # Who has not cancelled is in the last twelve files, which hold hardly anybody else.
    Pair(
        "subscriptions_that_run",
        subscriptions,
        [
            *repeated(
                "SELECT plan, count(*) FROM lake.db.subscriptions_that_run"
                " WHERE cancelled_at IS NULL GROUP BY plan",
                6,
                user="bi",
            ),
            *each(
                "SELECT * FROM lake.db.subscriptions_that_run"
                " WHERE cancelled_at IS NULL AND plan = 'plan {}'",
                range(3),
                user="crm",
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.subscriptions_that_run"
                " WHERE begun_at >= TIMESTAMP_NTZ '{}' AND begun_at < TIMESTAMP_NTZ '{}'",
                [(instant(n * 30 * DAY), instant((n + 1) * 30 * DAY)) for n in range(0, 20, 3)],
                user="finance",
                **SPARK_35,
            ),
            *repeated("SELECT count(*) FROM lake.db.subscriptions_that_run", 2, user="checks"),
        ],
        # Plans would win a few files, and lose what is in order.
        allowed=(Expected("unclustered_column", ("plan",), statements=False),),
        tempting={
            "no_column_metrics": "nulls are counted",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # That an order is declared puts no file in order.
    Pair(
        "couriers_of_a_declared_order",
        deliveries,
        [
            *each(
                "SELECT * FROM lake.db.couriers_of_a_declared_order"
                " WHERE courier_id = {} AND dt >= '{}'",
                [(n, day(13)) for n in range(3, 3000, 150)],
                user="app",
            ),
            *each(
                "SELECT count(*) FROM lake.db.couriers_of_a_declared_order"
                " WHERE courier_id IN ({}, {}) AND dt BETWEEN '{}' AND '{}'",
                [(n, n + 1, day(0), day(19)) for n in range(50, 3000, 500)],
                user="payroll",
                **SPARK,
            ),
            *each(
                "SELECT zip, count(*) FROM lake.db.couriers_of_a_declared_order"
                " WHERE dt = '{}' GROUP BY zip",
                [day(n) for n in range(0, 20, 2)],
                user="bi",
                **SPARK_35,
            ),
        ],
        # 20 scans of 35 files, six of 100 and ten of five.
        expected=(Expected("unclustered_column", ("courier_id",), (0.5, 0.78), True, False),),
        tempting={
            "partitions_too_coarse": "whole days are asked for",
            "no_partition_filter": "each names its days",
        },
        never=("PARTITION FIELD",),
    ),
)
