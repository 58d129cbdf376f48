"""Tables whose past differs from their present: other partitions, orders that decay, small ones."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    day,
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


def months_then_days() -> Layout:
    """Three months of 20 files each with any of their times, as months were partitions; after them
    30 days, as days are, of one file each."""
    draw = rng(401)
    old = draw.uniform(0, 90 * DAY, 60 * FILE_ROWS)
    new = draw.uniform(90 * DAY, 120 * DAY, 30 * FILE_ROWS)
    first = table({"ts": times(old), "amount": np.arange(len(old))})
    then = table({"ts": times(new), "amount": np.arange(len(new))}, 1)
    return Layout(
        (
            Commit(loaded(first, ("months(ts)",), FILE_ROWS), ("months(ts)",)),
            Commit(loaded(then, ("days(ts)",), FILE_ROWS), ("days(ts)",)),
        ),
        ("days(ts)",),
        scaled(),
    )


def countries_no_more() -> Layout:
    """20 files by country, two for each of ten; then 40 files of any country, without partitions"""
    draw = rng(402)
    country = draw.integers(0, 10, 60 * FILE_ROWS)
    rows = table({"country": texts(country, "c{}"), "amount": np.arange(len(country))})
    old, new = rows.slice(0, 20 * FILE_ROWS), rows.slice(20 * FILE_ROWS)
    return Layout(
        (
            Commit(loaded(old, ("country",), FILE_ROWS), ("country",)),
            Commit(loaded(new, (), FILE_ROWS), ()),
        ),
        (),
        scaled(),
    )


def _sorted_then(sorted_files: int, unsorted_files: int) -> pa.Table:
    draw = rng(403)
    old = np.sort(draw.integers(0, 100_000, sorted_files * FILE_ROWS))
    new = draw.integers(0, 100_000, unsorted_files * FILE_ROWS)
    keys = np.concatenate([old, new])
    return table({"key": keys, "n": np.arange(len(keys))})


def order_decayed() -> Layout:
    """40 files in order of a key, and 20 more with any key, which came later."""
    return laid_out(_sorted_then(40, 20), commits=60)


def order_fresh() -> Layout:
    """60 files in order of a key, and one more with any key."""
    return laid_out(_sorted_then(60, 1), commits=61)


def newest_days_unsorted() -> Layout:
    """A partition for each of 20 days, of four files, which are in order of a user; those of the
    last two days are in none yet."""
    draw = rng(404)
    parts = []
    for number in range(20):
        user = draw.integers(0, 8_000, 4 * FILE_ROWS)
        user = np.sort(user) if number < 18 else user
        parts.append(
            table({"day": dates(np.full(len(user), number)), "user_id": user}, seed=number)
        )
    return laid_out(pa.concat_tables(parts), "day")


def small_dimension() -> Layout:
    """Four files of shops, in any order."""
    draw = rng(405)
    return laid_out(
        table(
            {
                "shop": draw.permutation(4 * FILE_ROWS),
                "opened": times(draw.uniform(0, 60 * DAY, 4 * FILE_ROWS)),
                "city": texts(draw.integers(0, 50, 4 * FILE_ROWS), "City {}"),
            }
        )
    )


DEFAULT_SMALL = {"small_table_bytes": 64 << 20}

PAIRS = (
    # Months of the old partitioning are read by none.
    Pair(
        "recent_days_after_a_change",
        months_then_days,
        each(
            "SELECT sum(amount) FROM lake.db.recent_days_after_a_change"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(92, 118, 2)],
        ),
        tempting={
            "old_spec_files": "no query reads them",
            "partitions_too_coarse": "what is read are days",
            "unclustered_column": "what is read are days",
        },
        never=("rewrite-all",),
    ),
    # Ten days of the old months, 20 files each time; ten of the new ones.
    Pair(
        "old_and_new_days",
        months_then_days,
        each(
            "SELECT sum(amount) FROM lake.db.old_and_new_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (instant(n * DAY), instant((n + 1) * DAY))
                for n in [*range(0, 90, 9), *range(95, 105)]
            ],
        ),
        # 210 files; 20 or so are needed.
        expected=(Expected("old_spec_files", ("ts",), (0.84, 0.94), True, False),),
        tempting={
            "partitions_too_coarse": "partitions are days; the files are old",
            "unclustered_column": "days do what an order would",
        },
        never=("DROP",),
    ),
    # Two days of old months, 20 files each, among 30 new ones of a file.
    Pair(
        "two_old_days_among_new_ones",
        months_then_days,
        each(
            "SELECT sum(amount) FROM lake.db.two_old_days_among_new_ones"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in [5, 40, *range(90, 120)]],
        ),
        # 70 files; 32 are needed.
        expected=(Expected("old_spec_files", ("ts",), (0.5, 0.56), True, False),),
        tempting={
            "partitions_too_coarse": "partitions are days; the files are old",
            "unclustered_column": "days do what an order would",
        },
        never=("DROP",),
    ),
    # Two files of a country from when it was a partition, and all 40 since.
    Pair(
        "countries_no_more",
        countries_no_more,
        each(
            "SELECT sum(amount) FROM lake.db.countries_no_more WHERE country = 'c{}'",
            [*range(10), 3, 4],
        ),
        # 42 files; a tenth of 60 would do.
        expected=(Expected("unclustered_column", ("country",), (0.7, 0.88), True, False),),
        tempting={"old_spec_files": "the old files are the good ones"},
    ),
    # One file of the 40 in order, and all of the 20 that came since.
    Pair(
        "order_decayed",
        order_decayed,
        each(
            "SELECT * FROM lake.db.order_decayed WHERE key = {}",
            range(5, 100_000, 7_000),
        ),
        expected=(Expected("unclustered_column", ("key",), (0.85, 0.96), True, False),),
    ),
    # One file more than needed, of 61, which is a fifth of what is read.
    Pair(
        "order_fresh",
        order_fresh,
        each(
            "SELECT * FROM lake.db.order_fresh WHERE key BETWEEN {} AND {}",
            [(n, n + 5_000) for n in range(5, 90_000, 7_000)],
        ),
        tempting={"unclustered_column": "61 files, of which four or five are read for four"},
        thresholds={"min_share": 0.25},
    ),
    # What is asked for most are the days that nobody has sorted yet.
    Pair(
        "users_of_newest_days",
        newest_days_unsorted,
        [
            *each(
                "SELECT * FROM lake.db.users_of_newest_days WHERE day = DATE '{}'"
                " AND user_id BETWEEN {} AND {}",
                [(day(18 + n % 2), n * 190, n * 190 + 50) for n in range(40)],
            ),
            *each(
                "SELECT * FROM lake.db.users_of_newest_days WHERE day = DATE '{}'"
                " AND user_id BETWEEN {} AND {}",
                [(day(n), n * 400, n * 400 + 50) for n in range(6)],
            ),
        ],
        # 160 files of the newest days and six of others; 40 and six would do.
        expected=(Expected("unclustered_column", ("user_id",), (0.5, 0.75), True, False),),
        never=("DROP",),
    ),
    # All that could be wrong is, and nobody cares: the table is small.
    Pair(
        "small_and_messy",
        small_dimension,
        [
            *each(
                "SELECT * FROM lake.db.small_and_messy WHERE shop = {}",
                range(100, 2_400, 200),
            ),
            *repeated("SELECT * FROM lake.db.small_and_messy WHERE lower(city) = 'city 7'", 8),
            *repeated(
                "SELECT * FROM lake.db.small_and_messy"
                " WHERE date_format(opened, '%Y-%m') = '2026-02'",
                8,
            ),
            *repeated("SELECT * FROM lake.db.small_and_messy WHERE city LIKE '%7'", 8),
        ],
        tempting={
            "unclustered_column": "the table is small",
            "wrapped_column": "the table is small",
            "like_without_prefix": "the table is small",
        },
        thresholds=DEFAULT_SMALL,
    ),
)
