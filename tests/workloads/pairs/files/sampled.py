"""Tables of many files, of which sampled rows say little: what a scan keeps is hardly ever among
them."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    SPARK,
    TARGET_BYTES,
    dates,
    day,
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

ROWS = 120
"""Rows of a file here."""
SMALLER = scaled(ROWS * 100)


def growing() -> Layout:
    """A partition for each of 100 days, of one file at first, and of ten in the end; rows are in
    order of time."""
    files = 1 + np.arange(100) // 11
    days = np.repeat(np.arange(100), files * ROWS)
    seconds = np.sort(days * DAY + rng(421).uniform(0, DAY, len(days)))
    return laid_out(
        table({"ts": times(seconds), "amount": np.arange(len(days))}),
        "days(ts)",
        file_rows=ROWS,
        properties=SMALLER,
    )


def one_file_a_day() -> Layout:
    """A partition for each of 300 days, which is one file, of any users and three regions."""
    draw = rng(422)
    days = np.repeat(np.arange(300), ROWS)
    return laid_out(
        table(
            {
                "day": dates(days),
                "user_id": draw.integers(0, 9_000, len(days)),
                "region": texts(draw.integers(0, 3, len(days)), "r{}"),
            }
        ),
        "day",
        file_rows=ROWS,
        properties=SMALLER,
    )


def five_files_a_day() -> Layout:
    """A partition for each of 60 days, of five files with any order."""
    draw = rng(423)
    days = np.repeat(np.arange(60), 5 * ROWS)
    return laid_out(
        table(
            {
                "day": dates(days),
                "order_id": draw.permutation(len(days)),
                "kind": texts(draw.integers(0, 2, len(days)), "k{}"),
            }
        ),
        "day",
        file_rows=ROWS,
        properties=SMALLER,
    )


def hundred_days() -> Layout:
    """A hundred days of eight files each, of which each has any of the day's users; half of the
    orders are open."""
    numbers = rng(1101)
    days = np.repeat(np.arange(100), 480)
    return laid_out(
        table(
            {
                "ts": times(days * DAY + numbers.integers(0, DAY, 48_000)),
                "user_id": numbers.integers(0, 4_000, 48_000),
                "status": texts(numbers.choice(["open", "done"], 48_000)),
            },
            1101,
        ),
        "days(ts)",
        file_rows=60,
        properties=scaled(TARGET_BYTES // 10),
    )


_NEWEST = f"ts >= TIMESTAMP '{instant(99 * DAY)}'"

PAIRS = (
    # One in a hundred files is of the newest day, and of 16 of all hardly any.
    Pair(
        "users_of_the_newest_day",
        hundred_days,
        each(
            "SELECT * FROM lake.db.users_of_the_newest_day WHERE " + _NEWEST + " AND user_id = {}",
            range(7, 4_000, 200),
            **SPARK,
        ),
        expected=(Expected("unclustered_column", ("user_id",), (0.5, 0.9), True, False),),
        tempting={
            "no_partition_filter": "the day is asked for",
            "partitions_too_coarse": "a day is what is asked for",
        },
        never=("PARTITION FIELD",),
    ),
    Pair(
        "users_of_the_newest_day_among_months",
        hundred_days,
        [
            *each(
                "SELECT * FROM lake.db.users_of_the_newest_day_among_months WHERE "
                + _NEWEST
                + " AND user_id = {}",
                range(7, 4_000, 100),
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.users_of_the_newest_day_among_months"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 30) * DAY)) for n in range(0, 70, 10)],
                **SPARK,
            ),
        ],
        expected=(Expected("unclustered_column", ("user_id",), None, True, False),),
        tempting={"no_partition_filter": "days are asked for"},
        never=("PARTITION FIELD",),
    ),
    Pair(
        "open_orders_of_the_newest_day",
        hundred_days,
        repeated(
            f"SELECT * FROM lake.db.open_orders_of_the_newest_day WHERE {_NEWEST}"
            " AND status = 'open'",
            24,
            **SPARK,
        ),
        allowed=(Expected("unclustered_column", ("status",), (0.3, 0.5)),),
        tempting={
            "no_partition_filter": "the day is asked for",
            "partitions_too_coarse": "a day is what is asked for",
        },
    ),
    # The newest days are ten times as large as the first ones, and all of them matches.
    Pair(
        "newest_of_growing_days",
        growing,
        each(
            "SELECT sum(amount) FROM lake.db.newest_of_growing_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(90, 100)],
        ),
        tempting={"unclustered_column": "all that is read matches"},
    ),
    # Six hours of a day whose ten files are in order.
    Pair(
        "hours_of_growing_days",
        growing,
        each(
            "SELECT sum(amount) FROM lake.db.hours_of_growing_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY / 4), instant((n + 1) * DAY / 4)) for n in range(380, 400)],
        ),
        tempting={
            "unclustered_column": "files are in order of time",
            "partitions_too_coarse": "files tell hours apart",
        },
    ),
    # A user of a day is in its one file, and no other layout reads less.
    Pair(
        "users_of_one_file_days",
        one_file_a_day,
        each(
            "SELECT * FROM lake.db.users_of_one_file_days WHERE day = DATE '{}' AND user_id = {}",
            [(day(n * 7), n * 200) for n in range(40)],
        ),
        tempting={"unclustered_column": "a day is one file"},
        never=("DROP",),
    ),
    Pair(
        "regions_of_one_file_days",
        one_file_a_day,
        each(
            "SELECT count(*) FROM lake.db.regions_of_one_file_days"
            " WHERE day BETWEEN DATE '{}' AND DATE '{}' AND region = 'r1'",
            [(day(n), day(n + 6)) for n in range(280, 294)],
        ),
        # A third of the rows of each of seven files.
        tempting={"unclustered_column": "no order inside days of one file helps"},
        never=("DROP",),
    ),
    # Of the five files of a day, an order of another one needs one.
    Pair(
        "orders_of_newest_days",
        five_files_a_day,
        each(
            "SELECT * FROM lake.db.orders_of_newest_days WHERE day = DATE '{}' AND order_id = {}",
            [(day(57 + n % 3), 1_200 * n + 50) for n in range(30)],
        ),
        expected=(Expected("unclustered_column", ("order_id",), (0.6, 0.82), True, False),),
        never=("DROP",),
    ),
    # Half of the rows match: three files of five would do, which is worth no rewrite to most.
    Pair(
        "kinds_of_newest_days",
        five_files_a_day,
        each(
            "SELECT count(*) FROM lake.db.kinds_of_newest_days"
            " WHERE day = DATE '{}' AND kind = '{}'",
            [(day(55 + n % 5), f"k{n % 2}") for n in range(20)],
        ),
        allowed=(Expected("unclustered_column", ("kind",), (0.0, 0.42)),),
        tempting={"partitions_too_coarse": "days are asked for"},
        never=("DROP",),
    ),
)
