"""Tables of which users want different things: what one wins, another may lose."""

from __future__ import annotations

import numpy as np

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
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)


def customers_then_months() -> Layout:
    """60 files in order of customers, without partitions, and a month of five files since."""
    draw = rng(26_001)
    count = 60 * FILE_ROWS
    before = table(
        {
            "customer": np.sort(draw.integers(0, 9000, count)),
            "ts": times(draw.uniform(0, 180 * DAY, count)),
        },
        1,
    )
    since = table(
        {
            "customer": draw.integers(0, 9000, 5 * FILE_ROWS),
            "ts": times(draw.uniform(182 * DAY, 210 * DAY, 5 * FILE_ROWS)),
        },
        2,
    )
    new = ("months(ts)",)
    return Layout(
        (Commit(loaded(before, (), FILE_ROWS)), Commit(loaded(since, new, FILE_ROWS), new)),
        new,
        scaled(),
    )


def tasks() -> Layout:
    """60 files in order of time; three tasks of a hundred are open, of any day."""
    draw = rng(26_002)
    count = 60 * FILE_ROWS
    states = np.where(draw.uniform(0, 1, count) < 0.03, "open", "done")
    return laid_out(
        table({"ts": times(np.sort(draw.uniform(0, 60 * DAY, count))), "state": texts(states)})
    )


def _session(number: int) -> str:
    return f"{number * 2_654_435_761 % 2**32:08x}-{number:06x}"


def sessions() -> Layout:
    """60 days of a file each; each row is a session of its own, too many for dictionaries."""
    draw = rng(26_003)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 60 * DAY, count)),
                "session": texts(map(_session, range(count))),
            }
        ),
        "days(ts)",
        properties={"write.parquet.dict-size-bytes": "1"},
    )


def busy_days() -> Layout:
    """20 days of six files each, in no order within a day."""
    draw = rng(26_004)
    count = 120 * FILE_ROWS
    return laid_out(table({"ts": times(draw.uniform(0, 20 * DAY, count))}), "days(ts)")


def long_months() -> Layout:
    """Three months of about 30 files each, in no order within a month."""
    draw = rng(26_005)
    count = 90 * FILE_ROWS
    return laid_out(table({"ts": times(draw.uniform(0, 90 * DAY, count))}), "months(ts)")


PAIRS = (
    # Months of old rows would be in five files and not 60, and a customer in five of each month.
    Pair(
        "customers_and_rarely_months_of_old_files",
        customers_then_months,
        [
            *each(
                "SELECT * FROM lake.db.customers_and_rarely_months_of_old_files"
                " WHERE customer = {}",
                range(50, 9000, 90),
            ),
            *each(
                "SELECT count(*) FROM lake.db.customers_and_rarely_months_of_old_files"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 28) * DAY)) for n in (0, 31, 59, 90)],
            ),
        ],
        allowed=(
            Expected("old_spec_files", (), (0.05, 0.15), True),
            Expected("no_partition_filter", (), None, False),
            Expected("unclustered_column", (), None, False),
            Expected("misaligned_partitioning", (), None, False),
        ),
        never=("ORDERED BY ts", "PARTITION FIELD"),
    ),
    # Open ones would be in two files; a day of the others stays in one, beside these.
    Pair(
        "open_tasks_and_days",
        tasks,
        [
            *repeated("SELECT * FROM lake.db.open_tasks_and_days WHERE state = 'open'", 20),
            *each(
                "SELECT count(*) FROM lake.db.open_tasks_and_days"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(59)],
            ),
        ],
        expected=(Expected("unclustered_column", ("state",), (0.75, 0.93), True, False),),
        never=("PARTITION FIELD",),
    ),
    # Days are files, so that no order tells sessions apart; filters inside of files do.
    Pair(
        "sessions_of_any_day",
        sessions,
        [
            *each(
                "SELECT * FROM lake.db.sessions_of_any_day WHERE session = '{}'",
                [_session(n) for n in range(11, 36_000, 700)],
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.sessions_of_any_day"
                " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
                [(instant(a * DAY), instant((a + 1) * DAY)) for a in [n % 60 for n in range(600)]],
                **SPARK,
            ),
        ],
        expected=(Expected("row_groups_not_pruned", ("session",), None, True, False),),
        allowed=(Expected("no_partition_filter", ("session",), None, False),),
        tempting={
            "misaligned_partitioning": "most queries go by days",
            "unclustered_column": "a day is one file",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Hours of their own would be a quarter of a file: an order within days does it.
    Pair(
        "hours_of_busy_days",
        busy_days,
        each(
            "SELECT * FROM lake.db.hours_of_busy_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * 3600), instant((n + 1) * 3600)) for n in range(5, 480, 11)],
        ),
        expected=(
            Expected("unclustered_column|partitions_too_coarse", ("ts",), (0.6, 0.84), True, False),
        ),
        never=("PARTITION FIELD",),
    ),
    Pair(
        "single_days_of_long_months",
        long_months,
        each(
            "SELECT * FROM lake.db.single_days_of_long_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(1, 90, 3)],
        ),
        expected=(
            Expected("partitions_too_coarse", ("ts",), (0.9, 0.975), True, False, (r"days\(",)),
        ),
        never=("ADD PARTITION FIELD",),
    ),
)
