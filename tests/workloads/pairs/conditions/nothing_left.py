"""Conditions by which nothing is won any more: another finding of the query wins all, or the table
is one file."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    day,
    each,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

DAYS = 60


def signups() -> Layout:
    """A file of each day."""
    draw = rng(9201)
    count = DAYS * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, DAYS * DAY, count)),
                "email": texts(draw.integers(0, 30_000, count), "u{}"),
            }
        ),
        "days(ts)",
    )


def shops() -> Layout:
    """Shops that fit into one file."""
    draw = rng(9202)
    count = FILE_ROWS - 100
    return laid_out(
        table(
            {
                "id": draw.permutation(count),
                "name": texts(draw.integers(0, 99, count), "N{}"),
                "opened": times(draw.uniform(0, 900 * DAY, count)),
            }
        )
    )


NOTHING = "there is one file, and one row group in it"

PAIRS = (
    # A day is one file, in which no order of texts skips anything.
    Pair(
        "signups_of_a_day",
        signups,
        each(
            "SELECT * FROM lake.db.signups_of_a_day"
            " WHERE date_format(ts, '%Y-%m-%d') = '{}' AND lower(email) = 'u{}'",
            [(day(n), n) for n in range(0, 59, 5)],
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.97, 0.99), False, True),),
        unsaid=("email",),
    ),
    Pair(
        "names_of_shops",
        shops,
        each("SELECT * FROM lake.db.names_of_shops WHERE lower(name) = 'n{}'", range(8)),
        tempting={"wrapped_column": NOTHING},
        thresholds={"small_table_bytes": 0},
    ),
    Pair(
        "ends_of_names_of_shops",
        shops,
        each("SELECT * FROM lake.db.ends_of_names_of_shops WHERE name LIKE '%{}'", range(8)),
        tempting={"like_without_prefix": NOTHING},
        thresholds={"small_table_bytes": 0},
    ),
    Pair(
        "shops_of_orders",
        shops,
        repeated(
            "SELECT sum(o.amount) FROM depot.sales.orders o"
            " JOIN lake.db.shops_of_orders s ON o.shop = s.id",
            6,
            **SPARK,
        ),
        tempting={"runtime_only": NOTHING},
        thresholds={"small_table_bytes": 0},
    ),
)
