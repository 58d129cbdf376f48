"""Files as services leave them: streamed, updated, in no order, along two columns, or well."""

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
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)


def streamed() -> Layout:
    """Ten days: seven of one file, and the last three of 120 files of five rows each."""
    draw = rng(23_001)
    old = table({"ts": times(draw.uniform(0, 7 * DAY, 7 * FILE_ROWS))}, 1)
    new = table({"ts": times(np.sort(draw.uniform(7 * DAY, 10 * DAY, 3 * FILE_ROWS)))}, 2)
    by = ("days(ts)",)
    return Layout(
        (Commit(loaded(old, by, FILE_ROWS), by), Commit(loaded(new, by, 5), by)), by, scaled()
    )


def updated() -> Layout:
    """30 files, of each of which a row was deleted by each of eight updates."""
    draw = rng(23_002)
    count = 30 * FILE_ROWS
    rows = table({"account": np.arange(count), "balance": draw.uniform(0, 1, count)})
    return Layout(
        (Commit(loaded(rows, (), FILE_ROWS)), *(Commit((), deletes=True) for _ in range(8))),
        (),
        scaled(),
    )


def measured() -> Layout:
    """64 files in no order of 200 devices and 60 days."""
    draw = rng(23_003)
    count = 64 * FILE_ROWS
    return laid_out(
        table(
            {
                "device": draw.integers(0, 200, count),
                "ts": times(draw.uniform(0, 60 * DAY, count)),
            }
        )
    )


def along_two_columns() -> Layout:
    """64 files as a Z-order leaves them: an eighth of the devices and of the days in each."""
    draw = rng(23_004)
    count = 64 * FILE_ROWS
    cells = np.repeat(np.arange(64), FILE_ROWS)
    return laid_out(
        table(
            {
                "device": cells % 8 * 25 + draw.integers(0, 25, count),
                "ts": times((cells // 8 + draw.uniform(0, 1, count)) * 7.5 * DAY),
            }
        )
    )


def failures() -> Layout:
    """60 days of a file each; one row in a hundred has an error."""
    draw = rng(23_005)
    count = 60 * FILE_ROWS
    errors = draw.integers(400, 600, count)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 60 * DAY, count)),
                "error": pa.array(errors, mask=draw.uniform(0, 1, count) > 0.01),
            }
        ),
        "days(ts)",
    )


def sorted_days() -> Layout:
    """20 days of four files each, in order of customers within a day."""
    draw = rng(23_006)
    count = 80 * FILE_ROWS
    days = np.repeat(np.arange(20), 4 * FILE_ROWS)
    customers = draw.integers(0, 2000, count)
    order = np.lexsort((customers, days))
    return laid_out(
        table(
            {
                "ts": times(days * DAY + draw.uniform(0, DAY, count)),
                "customer": customers[order],
                "kind": texts(draw.integers(0, 4, count), "k{}"),
            }
        ),
        "days(ts)",
    )


def short_list() -> Layout:
    """Three files of shops."""
    draw = rng(23_007)
    count = 3 * FILE_ROWS
    return laid_out(
        table({"opened": times(draw.uniform(0, 90 * DAY, count)), "shop": np.arange(count)})
    )


def _day(number: int) -> tuple[str, str]:
    return instant(number * DAY), instant((number + 1) * DAY)


PAIRS = (
    Pair(
        "days_streamed_in_small_files",
        streamed,
        each(
            "SELECT * FROM lake.db.days_streamed_in_small_files"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [_day(n) for n in (7, 8, 9, 9, 8, 7, 5, 3)],
        ),
        expected=(Expected("small_files", (), None, True, False),),
        tempting={"partitions_too_fine": "a day fills a file once it is merged"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    Pair(
        "accounts_updated_by_deletes",
        updated,
        repeated(
            "SELECT sum(balance) FROM lake.db.accounts_updated_by_deletes WHERE balance >= 0", 6
        ),
        expected=(Expected("many_deletes", (), None, True, False),),
        tempting={"small_files": "the files are as large as they should be"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Either column by itself, alike often: an order by one serves half of the queries.
    Pair(
        "devices_or_days",
        measured,
        [
            *each("SELECT * FROM lake.db.devices_or_days WHERE device = {}", range(3, 200, 7)),
            *each(
                "SELECT * FROM lake.db.devices_or_days"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [_day(n) for n in range(1, 59, 2)],
            ),
        ],
        expected=(Expected("unclustered_column", ("device|ts",), (0.42, 0.9), True, False),),
        allowed=(Expected("unclustered_column", ("device|ts",)),),
    ),
    Pair(
        "devices_or_days_along_both",
        along_two_columns,
        [
            *each(
                "SELECT * FROM lake.db.devices_or_days_along_both WHERE device = {}",
                range(3, 200, 7),
            ),
            *each(
                "SELECT * FROM lake.db.devices_or_days_along_both"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [_day(n) for n in range(1, 59, 2)],
            ),
        ],
        tempting={"unclustered_column": "files tell both apart, and each order takes one away"},
        never=("PARTITION FIELD", "ORDERED BY", "rewrite_data_files"),
    ),
    Pair(
        "errors_of_a_day",
        failures,
        each(
            "SELECT * FROM lake.db.errors_of_a_day WHERE error IS NOT NULL"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [_day(n) for n in range(1, 59, 2)],
        ),
        tempting={"unclustered_column": "a day is one file"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Three teams: days, a customer's day, and rarely all of a customer, in a file of each day.
    Pair(
        "three_teams_of_one_table",
        sorted_days,
        [
            *each(
                "SELECT count(*) FROM lake.db.three_teams_of_one_table"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [_day(n) for n in range(20)],
                user="finance",
            ),
            *each(
                "SELECT * FROM lake.db.three_teams_of_one_table WHERE customer = {}"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n * 97, *_day(n)) for n in range(20)],
                user="support",
            ),
            *each(
                "SELECT * FROM lake.db.three_teams_of_one_table WHERE customer = {}",
                [77, 1203],
                user="legal",
            ),
        ],
        tempting={
            "no_partition_filter": "files of a day tell customers apart",
            "unclustered_column": "rows are in order of customers",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    Pair(
        "short_list_by_month",
        short_list,
        repeated(
            "SELECT * FROM lake.db.short_list_by_month WHERE date_format(opened, 'yyyy-MM') ="
            " '2026-02'",
            9,
            **SPARK,
        ),
        tempting={"wrapped_column": "the table is small"},
        thresholds={"small_table_bytes": 64 << 20},
    ),
)
