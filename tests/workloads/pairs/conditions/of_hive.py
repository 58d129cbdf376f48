"""Partitions and keys of tables born in Hive, as texts and numbers: parts put together, patterns,
lists, arithmetic."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    FILE_ROWS,
    SPARK,
    SPARK_35,
    day,
    day_text,
    each,
    laid_out,
    repeated,
    rng,
    table,
    texts,
)

FILES = 40
COUNT = FILES * FILE_ROWS


def three_numbers() -> Layout:
    """A partition for each of 40 days by three whole numbers."""
    days = [day(int(number)) for number in np.repeat(np.arange(FILES), FILE_ROWS)]
    rows = table(
        {
            "year": np.array([d.year for d in days], np.int32),
            "month": np.array([d.month for d in days], np.int32),
            "day": np.array([d.day for d in days], np.int32),
            "amount": np.arange(COUNT),
        }
    )
    return laid_out(rows, "year", "month", "day")


def three_texts() -> Layout:
    """A partition for each of 40 days by three texts, padded with zeros."""
    days = np.repeat(np.arange(FILES), FILE_ROWS)
    rows = table(
        {
            "year": day_text(days, "%Y"),
            "month": day_text(days, "%m"),
            "day": day_text(days, "%d"),
            "amount": np.arange(COUNT),
        }
    )
    return laid_out(rows, "year", "month", "day")


def quarters_of_days() -> Layout:
    """A partition for each quarter of 20 days, by the text of a day and that of an hour."""
    number = np.repeat(np.arange(80), FILE_ROWS)
    rows = table(
        {
            "dt": day_text(number // 4),
            "hr": texts(6 * (number % 4), "{:02d}"),
            "amount": np.arange(len(number)),
        }
    )
    return laid_out(rows, "dt", "hr")


def days_as_numbers() -> Layout:
    """A partition for each of 90 days, which is a number such as 20260131."""
    numbers = [
        int(day(int(number)).strftime("%Y%m%d")) for number in np.repeat(np.arange(90), FILE_ROWS)
    ]
    return laid_out(table({"dt": np.array(numbers), "amount": np.arange(len(numbers))}), "dt")


def in_order_of_stores() -> Layout:
    """40 files in order of the number of a store from 0 to 599."""
    stores = np.sort(rng(1101).integers(0, 600, COUNT)).astype(np.int32)
    return laid_out(table({"store_id": stores, "amount": np.arange(COUNT)}))


def in_order_of_paths() -> Layout:
    """40 files in order of paths; four versions of ten nouns, of which each has a file."""
    nouns = ["acc", "bil", "car", "dev", "inv", "ord", "pay", "shp", "tax", "usr"]
    parts = rng(1102).integers(0, 100, COUNT)
    paths = sorted(
        f"/v{1 + number // 10 % 4}/{nouns[number % 10]}/{part}/{'xy'[part % 2]}"
        for number, part in enumerate(parts)
    )
    return laid_out(table({"path": pa.array(paths), "amount": np.arange(COUNT)}))


def in_order_of_codes() -> Layout:
    """40 files in order of codes: four regions, and numbers of four digits."""
    numbers = rng(1103).integers(0, 10_000, COUNT)
    codes = sorted(
        f"{('AP', 'EU', 'LA', 'US')[row % 4]}_{number:04d}" for row, number in enumerate(numbers)
    )
    return laid_out(table({"code": pa.array(codes), "amount": np.arange(COUNT)}))


def by_state() -> Layout:
    """Partitions by state: 34 files are done, two each failed, open and without state."""
    states = ["done"] * 34 + ["failed"] * 2 + ["open"] * 2 + [None] * 2
    rows = [state for state in states for _ in range(FILE_ROWS)]
    return laid_out(
        table({"status": pa.array(rows, pa.string()), "amount": np.arange(COUNT)}), "status"
    )


def in_order_of_price() -> Layout:
    """40 files in order of a price below 100."""
    return laid_out(table({"price": np.sort(rng(1104).uniform(0, 100, COUNT))}))


def in_buckets() -> Layout:
    """16 buckets of customers, in no order inside."""
    customers = rng(1105).integers(0, 5_000, COUNT)
    rows = table({"customer_id": customers, "amount": np.arange(COUNT)})
    return laid_out(rows, "bucket(16, customer_id)")


ONE_OF_40 = (0.94, 0.99)
TWO_OF_40 = (0.9, 0.97)

PAIRS = (
    # Seven days of 40, of three numbers that Spark makes a date of.
    Pair(
        "date_of_numbers",
        three_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.date_of_numbers"
            " WHERE CAST(concat(year, '-', month, '-', day) AS DATE)"
            " BETWEEN DATE '2026-02-01' AND DATE '2026-02-07'",
            5,
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column",
                ("year", "month", "day"),
                None,
                statements=False,
                rewrite=False,
            ),
        ),
        tempting={"misaligned_partitioning": "queries want these very fields"},
        never=("DROP", "REPLACE"),
    ),
    # Two hyphens are in the text, so there is one way to take it apart.
    Pair(
        "day_of_three_texts",
        three_texts,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_of_three_texts"
            " WHERE concat(year, '-', month, '-', day) = '2026-02-03'",
            5,
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column",
                ("year", "month", "day"),
                ONE_OF_40,
                statements=False,
                rewrite=True,
            ),
        ),
        tempting={"misaligned_partitioning": "queries want these very fields"},
        never=("DROP", "REPLACE"),
    ),
    # Without anything in between, only who knows the table can take it apart.
    Pair(
        "days_of_digits",
        three_texts,
        repeated(
            "SELECT sum(amount) FROM lake.db.days_of_digits"
            " WHERE year || month || day BETWEEN '20260201' AND '20260207'",
            5,
            engine="athena",
        ),
        expected=(Expected("wrapped_column", ("year",), statements=False),),
        tempting={"misaligned_partitioning": "queries want these very fields"},
        never=("DROP", "REPLACE"),
    ),
    # From an hour on: what is left are the last three of 20 days.
    Pair(
        "from_an_hour_on",
        quarters_of_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.from_an_hour_on"
            " WHERE concat(dt, ' ', hr) >= '2026-01-18 06'",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("dt",), (0.8, 0.9), statements=False, rewrite=True),),
        tempting={"misaligned_partitioning": "queries want these very fields"},
        never=("DROP", "REPLACE"),
    ),
    # 202602 are the numbers from 20260200 to 20260299.
    Pair(
        "month_of_a_number",
        days_as_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_of_a_number WHERE dt DIV 100 = 202602",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("dt",), (0.6, 0.7), statements=False, rewrite=True),),
        never=("DROP", "REPLACE"),
    ),
    # Spark 3.5 makes texts of the numbers for a list of texts, and pushes nothing.
    Pair(
        "stores_as_texts",
        in_order_of_stores,
        repeated(
            "SELECT sum(amount) FROM lake.db.stores_as_texts WHERE store_id IN ('12', '310')",
            5,
            **SPARK_35,
        ),
        expected=(
            Expected(
                "wrapped_column|type_mismatch",
                ("store_id",),
                TWO_OF_40,
                statements=False,
                rewrite=True,
                says=("values of another type",),
            ),
        ),
        tempting={"unclustered_column": "files are in order of it"},
    ),
    # Spark pushes the beginning of no pattern with two wildcards in it.
    Pair(
        "path_with_a_hole",
        in_order_of_paths,
        repeated(
            "SELECT sum(amount) FROM lake.db.path_with_a_hole WHERE path LIKE '/v2/ord/%/x%'",
            5,
            **SPARK,
        ),
        expected=(
            Expected("like_without_prefix", ("path",), (0.9, 0.98), statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "files are in order of it"},
    ),
    # An underscore that is meant as such: startswith() says so.
    Pair(
        "escaped_underscore",
        in_order_of_codes,
        repeated(
            r"SELECT sum(amount) FROM lake.db.escaped_underscore WHERE code LIKE 'EU\_1%'",
            5,
            **SPARK,
        ),
        expected=(
            Expected(
                "like_without_prefix|wrapped_column",
                ("code",),
                (0.9, 0.98),
                statements=False,
                rewrite=True,
            ),
        ),
        tempting={"unclustered_column": "files are in order of it"},
    ),
    # No state counts as open: four files of 40.
    Pair(
        "open_or_no_state",
        by_state,
        repeated(
            "SELECT sum(amount) FROM lake.db.open_or_no_state"
            " WHERE coalesce(status, 'open') = 'open'",
            5,
            **SPARK_35,
        ),
        expected=(
            Expected("wrapped_column", ("status",), (0.85, 0.93), statements=False, rewrite=True),
        ),
        never=("DROP", "REPLACE"),
    ),
    # The tens of a price: 40 <= price < 50.
    Pair(
        "tens_of_a_price",
        in_order_of_price,
        repeated("SELECT count(*) FROM lake.db.tens_of_a_price WHERE floor(price / 10) = 4", 5),
        expected=(
            Expected("wrapped_column", ("price",), (0.85, 0.93), statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "files are in order of it"},
    ),
    # A form with two fields, of which both have the same number: one bucket of 16, as soon as it
    # is an equality.
    Pair(
        "from_one_to_the_same",
        in_buckets,
        each(
            "SELECT sum(amount) FROM lake.db.from_one_to_the_same"
            " WHERE customer_id BETWEEN {} AND {}",
            [(number, number) for number in (4711, 815, 2048, 17, 3333)],
            **SPARK,
        ),
        expected=(
            Expected("range_on_bucketed_column", ("customer_id",), (0.88, 0.95), statements=False),
        ),
        never=("DROP", "REPLACE"),
    ),
)
