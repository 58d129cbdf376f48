"""What a table keeps of its columns, and what a rewrite makes of that."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import DAY, FILE_ROWS, SPARK, each, laid_out, rng, scaled, table, times

COUNT = 60 * FILE_ROWS
UNMEASURED = ("customer_id",)
NO_BOUNDS = {"write.metadata.metrics.column.customer_id": "none"}
NOTHING_BY_DEFAULT = {"write.metadata.metrics.default": "counts"}
PROPERTY = (r"write\.metadata\.metrics\.column\.customer_id",)


def _rows(seed: int, count: int, *, sort: bool = True) -> pa.Table:
    """Rows in order of customers, or in none."""
    draw = rng(seed)
    customers = draw.integers(0, 3000, count)
    return table(
        {
            "customer_id": np.sort(customers) if sort else customers,
            "ts": times(draw.uniform(0, 60 * DAY, count)),
        },
        seed,
    )


def unmeasured_since() -> Layout:
    """40 files in order of customers, and 20 of those that were written since nobody keeps bounds
    of them, in order as well."""
    old = Commit(tuple(cut(_rows(6701, 40 * FILE_ROWS), FILE_ROWS)))
    new = Commit(tuple(cut(_rows(6702, 20 * FILE_ROWS), FILE_ROWS)), unbounded=UNMEASURED)
    return Layout((old, new), (), scaled(), properties_since=NO_BOUNDS)


def a_fifth_unmeasured() -> Layout:
    """60 files in order of customers, twelve of which have no bounds of them."""
    files = cut(_rows(6703, COUNT), FILE_ROWS)
    without = Commit(tuple(files[::5]), unbounded=UNMEASURED)
    rest = Commit(tuple(file for n, file in enumerate(files) if n % 5))
    return Layout((rest, without), (), scaled())


def disordered_and_unmeasured_since() -> Layout:
    """60 files in no order, 20 of which have no bounds of customers, as none will have."""
    files = cut(_rows(6704, COUNT, sort=False), FILE_ROWS)
    old, new = Commit(tuple(files[:40])), Commit(tuple(files[40:]), unbounded=UNMEASURED)
    return Layout((old, new), (), scaled(), properties_since=NO_BOUNDS)


def small_and_unmeasured_from_now_on() -> Layout:
    """600 files of a tenth of what they should be, in order of customers, of which files had bounds
    so far."""
    small = Commit(tuple(cut(_rows(6705, COUNT), FILE_ROWS // 10)))
    return Layout((small,), (), scaled(), properties_since=NOTHING_BY_DEFAULT)


def numbers_in_no_order() -> Layout:
    """60 files of numbers that are there once, in no order."""
    return laid_out(table({"order_id": rng(6706).permutation(COUNT)}))


def _lookups(name: str) -> list[Query]:
    return each(f"SELECT * FROM lake.db.{name} WHERE customer_id = {{}}", range(40, 3000, 200))


PAIRS = (
    # 20 files for each customer that nothing tells of, and one of those that have bounds.
    Pair(
        "unmeasured_since_lately",
        unmeasured_since,
        _lookups("unmeasured_since_lately"),
        expected=(
            Expected("no_column_metrics", ("customer_id",), (0.85, 0.97), True, False, PROPERTY),
        ),
        tempting={"unclustered_column": "all files are in order"},
    ),
    Pair(
        "a_fifth_of_them_unmeasured",
        a_fifth_unmeasured,
        _lookups("a_fifth_of_them_unmeasured"),
        expected=(Expected("no_column_metrics", ("customer_id",), (0.8, 0.95), True, False),),
        tempting={"unclustered_column": "all files are in order"},
    ),
    # An order alone would win nothing: no file that is written from now on has bounds.
    Pair(
        "disordered_and_unmeasured_since_lately",
        disordered_and_unmeasured_since,
        _lookups("disordered_and_unmeasured_since_lately"),
        expected=(
            Expected(
                "unclustered_column|no_column_metrics",
                ("customer_id",),
                (0.9, 0.99),
                True,
                False,
                PROPERTY,
            ),
        ),
    ),
    # Merged as the table is, the files would have no bounds: each report would read all of them.
    Pair(
        "small_and_soon_unmeasured",
        small_and_unmeasured_from_now_on,
        each(
            "SELECT count(*) FROM lake.db.small_and_soon_unmeasured"
            " WHERE customer_id BETWEEN {} AND {}",
            [(n, n + 700) for n in range(0, 2300, 200)],
        ),
        expected=(Expected("small_files", (), None, True, None, PROPERTY),),
        tempting={"unclustered_column": "all files are in order"},
        never=("ORDERED BY",),
    ),
    # 250 numbers that lie in one file, if they were in order and the list were short enough for
    # bounds to be compared with it. All files have bounds.
    Pair(
        "long_lists_of_neighbours_in_no_order",
        numbers_in_no_order,
        each(
            "SELECT * FROM lake.db.long_lists_of_neighbours_in_no_order WHERE order_id IN ({})",
            [", ".join(map(str, range(n, n + 500, 2))) for n in range(100, 35_000, 3000)],
            **SPARK,
        ),
        expected=(
            Expected("unclustered_column", ("order_id",), (0.85, 0.98), True, None, ("only once",)),
            Expected("long_in_list", ("order_id",), None, False, True, ("once rows are in",)),
        ),
        tempting={"no_column_metrics": "files have bounds, which are not compared with long lists"},
    ),
)
