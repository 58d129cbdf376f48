"""Rows that two to four groups of people want by columns of their own, together and alone."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    day,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    times,
)

COUNT = 60 * FILE_ROWS


def devices() -> Layout:
    """60 files in order of when devices were built; one of a hundred was recalled, at any time."""
    draw = rng(91_308)
    micros = times(draw.uniform(0, 90 * DAY, COUNT)).cast(pa.int64()).to_numpy()
    return laid_out(
        table(
            {
                "built_at": times(np.sort(draw.uniform(0, 60 * DAY, COUNT))),
                "recalled_at": pa.array(micros, mask=draw.random(COUNT) > 0.01).cast(
                    pa.timestamp("us")
                ),
            }
        )
    )


def crops() -> Layout:
    """60 files in no order."""
    draw = rng(91_309)
    return laid_out(
        table(
            {
                "sown_on": dates(draw.integers(0, 365, COUNT)),
                "plot_id": draw.integers(0, 200, COUNT),
            }
        )
    )


def water_meters() -> Layout:
    """20 days of three files each, in order of meters within the day."""
    draw = rng(91_310)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 20 * DAY, COUNT)),
                "meter_id": np.sort(draw.integers(0, 1500, COUNT)),
            }
        ),
        "days(ts)",
    )


PAIRS = (
    # All recalls are one file's rows, and lie in all of them; what was built on some days has to
    # stay together.
    Pair(
        "devices_recalled",
        devices,
        [
            *each(
                "SELECT * FROM lake.db.devices_recalled"
                " WHERE recalled_at >= TIMESTAMP '{}' AND recalled_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(20, 70, 3)],
                user="safety",
            ),
            *each(
                "SELECT count(*) FROM lake.db.devices_recalled"
                " WHERE built_at >= TIMESTAMP '{}' AND built_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(5, 55)],
            ),
        ],
        expected=(Expected("unclustered_column", ("recalled_at",), (0.7, 0.95), True, False),),
        tempting={"no_column_metrics": "bounds are there"},
        never=("PARTITION FIELD",),
    ),
    # A week is two files of 60 in order of days, with or without a plot.
    Pair(
        "crops_together_and_alone",
        crops,
        [
            *each(
                "SELECT * FROM lake.db.crops_together_and_alone WHERE plot_id = {}"
                " AND sown_on BETWEEN DATE '{}' AND DATE '{}'",
                [(n * 9, day(n * 17), day(n * 17 + 6)) for n in range(20)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.crops_together_and_alone"
                " WHERE sown_on BETWEEN DATE '{}' AND DATE '{}'",
                [(day(n * 17 + 4), day(n * 17 + 10)) for n in range(20)],
            ),
        ],
        expected=(Expected("unclustered_column", ("sown_on",), (0.85, 0.985), True, False),),
        allowed=(Expected("unclustered_column", ("plot_id",), statements=False),),
        never=("PARTITION FIELD", r"ORDERED BY plot_id"),
    ),
    # A meter is in one file of each day, and a day of a meter in one: who asks for less than what
    # is read would make others read more.
    Pair(
        "four_groups_of_meters",
        water_meters,
        [
            *each(
                "SELECT count(*) FROM lake.db.four_groups_of_meters"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(20)],
                user="dashboard",
            ),
            *each(
                "SELECT * FROM lake.db.four_groups_of_meters WHERE meter_id = {}"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n * 70 + 3, instant(n * DAY), instant((n + 1) * DAY)) for n in range(20)],
                user="support",
            ),
            *each(
                "SELECT * FROM lake.db.four_groups_of_meters WHERE meter_id = {}",
                range(40, 1500, 200),
                user="field-service",
            ),
            *repeated(
                "SELECT meter_id, count(*) FROM lake.db.four_groups_of_meters GROUP BY meter_id",
                2,
                user="billing",
            ),
        ],
        allowed=(
            Expected("row_groups_not_pruned", ("meter_id",)),
            Expected("no_partition_filter", ("meter_id",), statements=False),
            Expected("misaligned_partitioning", (), statements=False),
        ),
        tempting={"unclustered_column": "meters are in order within days"},
        never=("ORDERED BY", "PARTITION FIELD", "sort_order"),
    ),
)
