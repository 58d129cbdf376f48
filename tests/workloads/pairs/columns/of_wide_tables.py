"""Bounds of the last columns of wide tables, of addresses, and of keys."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import FILE_ROWS, each, laid_out, loaded, rng, scaled, table, texts


def wide() -> Layout:
    """30 files of 106 columns, in order of the last but one, of which no bounds are kept."""
    draw = rng(24_001)
    count = 30 * FILE_ROWS
    features = {f"f{number:03d}": draw.integers(0, 4, count) for number in range(104)}
    rows = table({**features, "customer_ref": np.arange(count) * 3}, row_bytes=1000)
    return Layout(
        (Commit(loaded(rows, (), FILE_ROWS), (), ("customer_ref",)),), (), scaled(600 * 300)
    )


def numbered() -> Layout:
    """40 files in order of numbers, of which no bounds are kept, and of sensors in no order."""
    count = 40 * FILE_ROWS
    rows = table({"sensor": rng(24_002).integers(0, 400, count), "seq": np.arange(count)})
    return laid_out(rows, properties={"write.metadata.metrics.column.seq": "none"})


def addresses() -> Layout:
    """50 files in order of addresses that begin alike."""
    count = 50 * FILE_ROWS
    form = "https://www.shop.example/products/{:06d}"
    return laid_out(table({"url": texts(np.arange(count), form)}))


def numbers() -> Layout:
    """50 files in order of numbers that differ within their first characters."""
    count = 50 * FILE_ROWS
    return laid_out(table({"order_no": texts(np.arange(count), "order-{:07d}")}))


PAIRS = (
    Pair(
        "last_columns_of_a_wide_table",
        wide,
        each(
            "SELECT f001, f002 FROM lake.db.last_columns_of_a_wide_table WHERE customer_ref = {}",
            range(3000, 54_000, 2100),
        ),
        expected=(Expected("no_column_metrics", ("customer_ref",), (0.9, 0.98), True, False),),
        tempting={"unclustered_column": "rows are in order, which no bounds tell"},
        never=("PARTITION FIELD",),
    ),
    Pair(
        "sensors_within_numbers",
        numbered,
        each(
            "SELECT * FROM lake.db.sensors_within_numbers"
            " WHERE sensor = {} AND seq BETWEEN {} AND {}",
            [(number, 10 * number, 10 * number + 300) for number in range(50, 2000, 170)],
        ),
        expected=(Expected("no_column_metrics", ("seq",), (0.9, 0.97), True, False),),
        tempting={"unclustered_column": "bounds of the order that there is win as much as a sort"},
        never=("ORDERED BY", "sort_order => sensor"),
    ),
    Pair(
        "products_by_their_address",
        addresses,
        each(
            "SELECT * FROM lake.db.products_by_their_address"
            " WHERE url = 'https://www.shop.example/products/{:06d}'",
            range(500, 30_000, 1450),
        ),
        expected=(Expected("truncated_bounds", ("url",), (0.93, 0.985), True, False),),
        tempting={"unclustered_column": "rows are in order, which short bounds do not tell"},
        never=("PARTITION FIELD",),
    ),
    Pair(
        "orders_by_short_numbers",
        numbers,
        each(
            "SELECT * FROM lake.db.orders_by_short_numbers WHERE order_no = 'order-{:07d}'",
            range(500, 30_000, 1450),
        ),
        tempting={"truncated_bounds": "bounds keep all 13 characters"},
    ),
)
