"""Tables of which jobs overwrite partitions: what these replace follows from the partitions."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
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


def days_of_sensors() -> Layout:
    """60 days of a file each, with any of 4,000 sensors in each."""
    draw = rng(7301)
    days = np.sort(draw.integers(0, 60, COUNT))
    return laid_out(
        table({"load_date": dates(days), "sensor_id": draw.integers(0, 4000, COUNT)}),
        "load_date",
    )


def months_of_calls() -> Layout:
    """Two months of 30 files each, with calls in no order."""
    draw = rng(7302)
    return laid_out(
        table(
            {
                "called_at": times(draw.uniform(0, 59 * DAY, COUNT)),
                "minutes": draw.normal(5, 1, COUNT),
            }
        ),
        "months(called_at)",
    )


NEVER = ("PARTITION FIELD", "partitioning")

PAIRS = (
    # Without load_date, a dynamic overwrite would replace what it has sensors of, on all days.
    Pair(
        "readings_loaded_anew",
        days_of_sensors,
        [
            *each(
                "SELECT * FROM lake.db.readings_loaded_anew WHERE sensor_id = {}",
                range(0, 4000, 160),
            ),
            *each(
                "INSERT OVERWRITE lake.db.readings_loaded_anew PARTITION (load_date = DATE '{}')"
                " SELECT sensor_id FROM stage.db.readings",
                [day(n) for n in range(50, 60)],
                user="loader",
                **SPARK,
            ),
        ],
        expected=(
            Expected(
                "misaligned_partitioning",
                ("load_date",),
                None,
                False,
                False,
                ("overwrite", "MERGE"),
            ),
        ),
        allowed=(Expected("row_groups_not_pruned", ("sensor_id",)),),
        never=NEVER,
    ),
    # Days would leave those of the month that a dynamic overwrite has no calls of.
    Pair(
        "calls_of_months",
        months_of_calls,
        [
            *each(
                "SELECT sum(minutes) FROM lake.db.calls_of_months"
                " WHERE called_at >= TIMESTAMP '{}' AND called_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(3, 55, 7)],
            ),
            *repeated(
                "FROM stage.db.calls INSERT OVERWRITE TABLE lake.db.calls_of_months SELECT *"
                " INSERT INTO stage.db.seen SELECT called_at",
                4,
                **SPARK,
            ),
        ],
        expected=(Expected("unclustered_column", ("called_at",), (0.8, 0.98), True, False),),
        never=NEVER,
    ),
    # A join by the field, of a tenth of the bytes, uses its partitions while it runs.
    Pair(
        "readings_of_holidays",
        days_of_sensors,
        [
            *each(
                "SELECT * FROM lake.db.readings_of_holidays WHERE sensor_id = {}",
                range(0, 4000, 160),
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.readings_of_holidays r"
                " JOIN stage.db.calendar c ON r.load_date = c.d WHERE c.is_holiday",
                3,
            ),
        ],
        expected=(Expected("runtime_only", ("load_date",), None, False),),
        allowed=(Expected("row_groups_not_pruned", ("sensor_id",)),),
        tempting={"misaligned_partitioning": "joins use the partitions"},
        never=NEVER,
    ),
)
