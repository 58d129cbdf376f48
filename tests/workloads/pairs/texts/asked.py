"""Tables by what is asked of them: absence, patterns, texts, fields of structs."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, SPARK, each, laid_out, repeated, rng, table, texts


def accounts() -> Layout:
    """Accounts of which one in a hundred was closed; all over forty files."""
    numbers = rng(956)
    closed = numbers.random(24_000) < 0.01
    seconds = numbers.integers(0, 60 * DAY, 24_000)
    return laid_out(
        table(
            {
                "id": np.arange(24_000),
                "closed_at": pa.array(
                    [
                        None if not is_closed else int(second) * 1_000_000
                        for is_closed, second in zip(closed, seconds, strict=True)
                    ],
                    pa.int64(),
                ).cast(pa.timestamp("us")),
            },
            956,
        )
    )


def tickets() -> Layout:
    """Tickets, three of a hundred of which are not done; all over forty files."""
    numbers = rng(957)
    states = np.where(
        numbers.random(24_000) < 0.03, numbers.choice(["open", "wait"], 24_000), "done"
    )
    return laid_out(table({"id": np.arange(24_000), "state": texts(states)}, 957))


def addresses() -> Layout:
    """Addresses that begin alike, in order."""
    return laid_out(table({"url": texts(range(24_000), "https://shop.example/item/{:06}")}, 959))


def skus() -> Layout:
    """Codes `AB_00123`, in order."""
    return laid_out(table({"sku": texts(range(24_000), "AB_{:05}")}, 960))


def nested_orders() -> Layout:
    """Orders with a struct of the customer, all over forty files."""
    numbers = rng(965)
    customer = pa.StructArray.from_arrays(
        [
            pa.array(numbers.integers(0, 100_000, 24_000)),
            texts(numbers.choice(["a", "b", "c"], 24_000)),
        ],
        ["id", "tier"],
    )
    return laid_out(table({"customer": customer, "n": np.arange(24_000)}, 965))


def nested_readings() -> Layout:
    """Readings in order of a number in a struct."""
    meta = pa.StructArray.from_arrays(
        [pa.array(np.arange(24_000)), pa.array(rng(966).integers(0, 9, 24_000))], ["seq", "unit"]
    )
    return laid_out(table({"meta": meta, "n": rng(966).integers(0, 9, 24_000)}, 966))


PAIRS = (
    Pair(
        "accounts_closed",
        accounts,
        repeated("SELECT * FROM accounts_closed WHERE closed_at IS NOT NULL", 3)
        + repeated("SELECT * FROM accounts_closed WHERE closed_at IS NOT NULL", 2, **SPARK),
        (Expected("unclustered_column", ("closed_at",), (0.9, 0.98), statements=True),),
    ),
    Pair(
        "accounts_open",
        accounts,
        repeated("SELECT * FROM accounts_open WHERE closed_at IS NULL", 4),
        tempting={"unclustered_column": "nearly all rows match"},
    ),
    Pair(
        "tickets_not_done",
        tickets,
        repeated("SELECT * FROM tickets_not_done WHERE state <> 'done'", 3)
        + repeated("SELECT * FROM tickets_not_done WHERE state NOT IN ('done')", 3),
        # Two texts of one meaning, of which each has a half; one order serves both.
        (
            Expected("negated_condition", ("state",), (0.42, 0.5), statements=True),
            Expected("negated_condition", ("state",), (0.42, 0.5), statements=True),
        ),
        tempting={"unclustered_column": "a sort alone is not enough for older planners"},
    ),
    Pair(
        "tickets_not_open",
        tickets,
        repeated("SELECT * FROM tickets_not_open WHERE state <> 'open'", 4),
        tempting={"negated_condition": "nearly all rows match"},
    ),
    Pair(
        "addresses_looked_up",
        addresses,
        each(
            "SELECT * FROM addresses_looked_up WHERE url = 'https://shop.example/item/{:06}'",
            [17, 5_000, 20_000],
        ),
        (Expected("truncated_bounds", ("url",), (0.75, 0.98), statements=True),),
        tempting={"unclustered_column": "rows are in order of the whole text"},
    ),
    Pair(
        "skus_escaped_in_trino",
        skus,
        each(
            r"SELECT * FROM skus_escaped_in_trino WHERE sku LIKE 'AB\_{:03}%' ESCAPE '\'",
            [17, 50, 200],
        ),
        tempting={
            "like_without_prefix": "Trino knows the escape, and pushes what is before the wildcard",
            "unclustered_column": "rows are in order of the text",
        },
    ),
    Pair(
        "skus_escaped_in_spark",
        skus,
        each(
            r"SELECT * FROM skus_escaped_in_spark WHERE sku LIKE 'AB\\_{:03}%'",
            [17, 50, 200],
            **SPARK,
        ),
        (
            Expected(
                "like_without_prefix|wrapped_column",
                ("sku",),
                (0.9, 0.98),
                statements=False,
                rewrite=True,
            ),
        ),
    ),
    Pair(
        "skus_by_ending",
        skus,
        each("SELECT * FROM skus_by_ending WHERE sku LIKE '%{}'", ["99", "7_3"]),
        (Expected("like_without_prefix", ("sku",), statements=False, rewrite=False),),
        tempting={"unclustered_column": "no order helps an ending"},
    ),
    Pair(
        "customers_in_structs",
        nested_orders,
        each(
            "SELECT * FROM customers_in_structs WHERE customer.id = {}",
            [17, 5_000, 99_000, 40_000],
            **SPARK,
        ),
        (Expected("unclustered_column", ("customer.id",), (0.88, 0.98), statements=True),),
    ),
    Pair(
        "tiers_in_structs",
        nested_orders,
        each("SELECT * FROM tiers_in_structs WHERE customer.tier = '{}'", ["a", "b", "c"], **SPARK),
        (),
        # A third each: a sort wins two thirds.
        (Expected("unclustered_column", ("customer.tier",), (0.5, 0.67)),),
    ),
    Pair(
        "readings_in_structs",
        nested_readings,
        each(
            "SELECT * FROM readings_in_structs WHERE meta.seq BETWEEN {} AND {}",
            [(100, 300), (9_000, 9_100)],
            **SPARK,
        ),
        tempting={"unclustered_column": "rows are in order of it"},
    ),
    Pair(
        "readings_scaled_in_structs",
        nested_readings,
        each("SELECT * FROM readings_scaled_in_structs WHERE meta.seq + 5 <= {}", [300, 900]),
        (
            Expected(
                "wrapped_column",
                ("meta.seq",),
                (0.9, 0.98),
                statements=False,
                rewrite=True,
                says=("(?m)^meta.seq <= ",),
            ),
        ),
    ),
)
