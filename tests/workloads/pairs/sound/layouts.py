"""Tables that are well as they are."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Pair
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

COUNT = 60 * FILE_ROWS
CURRENCIES = {"au": "AUD", "br": "BRL", "ch": "CHF", "jp": "JPY", "se": "SEK", "us": "USD"}


def states() -> Layout:
    """20 days of three files each, without bounds of the state, that nine rows of ten share."""
    draw = rng(5408)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 20 * DAY, COUNT)),
                "state": texts(np.where(draw.random(COUNT) < 0.9, "done", "open")),
            }
        ),
        "days(ts)",
        properties={"write.metadata.metrics.column.state": "none"},
    )


def codes() -> Layout:
    """Three files of codes."""
    draw = rng(5409)
    count = 3 * FILE_ROWS
    return laid_out(
        table({"code": texts(draw.permutation(count), "c{}"), "kind": draw.integers(0, 9, count)})
    )


def anyhow() -> Layout:
    """60 files with any of 60 days in each."""
    draw = rng(5410)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 60 * DAY, COUNT)),
                "region": texts(draw.integers(0, 5, COUNT), "r{}"),
                "amount": draw.integers(0, 1000, COUNT),
            }
        )
    )


def ledger() -> Layout:
    """60 days of one file each."""
    draw = rng(5411)
    return laid_out(
        table({"ts": times(draw.uniform(0, 60 * DAY, COUNT)), "amount": np.arange(COUNT)}),
        "days(ts)",
    )


def countries() -> Layout:
    """Six countries of ten files each; a country has one currency."""
    names = list(CURRENCIES)
    drawn = [names[n] for n in rng(5412).integers(0, 6, COUNT)]
    return laid_out(
        table(
            {
                "country": texts(drawn),
                "currency": texts(CURRENCIES[name] for name in drawn),
                "amount": np.arange(COUNT),
            }
        ),
        "country",
    )


PAIRS = (
    # The state says little, and the day what is needed.
    Pair(
        "states_without_bounds",
        states,
        each(
            "SELECT count(*) FROM lake.db.states_without_bounds WHERE state = 'done'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(18)],
        ),
        tempting={
            "no_column_metrics": "nine rows of ten match",
            "unclustered_column": "nine rows of ten match",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # All of it fits into one read.
    Pair(
        "a_table_of_codes",
        codes,
        [
            *each("SELECT * FROM lake.db.a_table_of_codes WHERE code = 'c{}'", range(0, 1800, 60)),
            *each("SELECT * FROM lake.db.a_table_of_codes WHERE upper(code) = 'C{}'", range(20)),
            *each("SELECT * FROM lake.db.a_table_of_codes WHERE kind + 1 = {}", range(9)),
        ],
        tempting={
            "unclustered_column": "the table is small",
            "wrapped_column": "the table is small",
        },
        thresholds={"small_table_bytes": 1_000_000},
    ),
    # All rows are wanted, or any few.
    Pair(
        "all_of_it_each_night",
        anyhow,
        [
            *repeated(
                "SELECT region, sum(amount) FROM lake.db.all_of_it_each_night GROUP BY region", 5
            ),
            *repeated(
                "SELECT * FROM lake.db.all_of_it_each_night"
                " WHERE ts >= TIMESTAMP '2020-01-01 00:00:00'",
                3,
                user="export",
            ),
            *repeated("SELECT * FROM lake.db.all_of_it_each_night LIMIT 100", 20, user="ana"),
        ],
        tempting={
            "unclustered_column": "all rows match",
            "no_partition_filter": "there is no partition, and no need of one",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Days of the table as it was: what the days hold is read.
    Pair(
        "days_as_they_were",
        ledger,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.days_as_they_were"
                " FOR TIMESTAMP AS OF TIMESTAMP '2099-01-01 00:00:00 UTC'"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 57, 6)],
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.days_as_they_were"
                " TIMESTAMP AS OF '2099-01-01 00:00:00' WHERE ts >= '{}' AND ts < '{}'",
                [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 57, 6)],
                **SPARK,
            ),
        ],
        tempting={"no_partition_filter": "days are asked for"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # No query names a country, but a currency is that of one: ten files are read, and all wanted.
    Pair(
        "currencies_of_countries",
        countries,
        each(
            "SELECT sum(amount) FROM lake.db.currencies_of_countries WHERE currency = '{}'",
            list(CURRENCIES.values()) * 2,
        ),
        tempting={
            "no_partition_filter": "bounds of the currency leave one country",
            "misaligned_partitioning": "countries keep currencies together",
            "unclustered_column": "all rows of what is read match",
        },
        never=("DROP", "REPLACE", "ORDERED BY"),
    ),
)
