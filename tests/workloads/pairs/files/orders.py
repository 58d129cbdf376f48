"""Columns that are in no order, and those that are; several sorts of one table."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
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

FILES = 40
COUNT = FILES * FILE_ROWS


def scattered() -> Layout:
    """40 files, with any customers, products and amounts in each."""
    draw = rng(51)
    return laid_out(
        table(
            {
                "customer_id": draw.integers(0, 10_000, COUNT),
                "product_id": draw.integers(0, 10_000, COUNT),
                "amount": draw.integers(0, 1_000, COUNT),
            }
        )
    )


def by_customer() -> Layout:
    """40 files in order of customers."""
    draw = rng(52)
    return laid_out(
        table(
            {
                "customer_id": np.sort(draw.integers(0, 10_000, COUNT)),
                "product_id": draw.integers(0, 10_000, COUNT),
            }
        )
    )


def days_of_customers() -> Layout:
    """A partition for each of ten days, of eight files each, with any customers in each."""
    count = 10 * 8 * FILE_ROWS
    draw = rng(53)
    seconds = np.repeat(np.arange(10), 8 * FILE_ROWS) * DAY + draw.uniform(0, DAY, count)
    return laid_out(
        table({"ts": times(seconds), "customer_id": draw.integers(0, 10_000, count)}), "days(ts)"
    )


def one_file_a_day() -> Layout:
    """A partition for each of 40 days, which is one file."""
    draw = rng(54)
    seconds = np.repeat(np.arange(FILES), FILE_ROWS) * DAY + draw.uniform(0, DAY, COUNT)
    return laid_out(
        table({"ts": times(seconds), "customer_id": draw.integers(0, 10_000, COUNT)}), "days(ts)"
    )


def large_files_a_day() -> Layout:
    """A partition for each of ten days: one file of 16 row groups, with any keys in each."""
    rows = 16 * 400
    draw = rng(55)
    seconds = np.repeat(np.arange(10), rows) * DAY + draw.uniform(0, DAY, 10 * rows)
    return laid_out(
        table({"ts": times(seconds), "order_key": draw.integers(0, 10**9, 10 * rows)}),
        "days(ts)",
        file_rows=rows,
        properties={
            "write.parquet.row-group-limit": "400",
            # Keys that differ all get no dictionary in row groups of their usual size.
            "write.parquet.dict-size-bytes": "64",
            "write.parquet.page-row-limit": "20",
            "write.target-file-size-bytes": str(rows * 100),
            "read.split.open-file-cost": str(rows),
        },
    )


def random_ids() -> Layout:
    """40 files of random UUIDs, with their type."""
    ids = rng(56).bytes(COUNT * 16)
    storage = pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), COUNT, [None, pa.py_buffer(ids)])
    return laid_out(table({"id": pa.ExtensionArray.from_storage(pa.uuid(), storage)}))


def random_id_texts() -> Layout:
    """40 files of random UUIDs, as text."""
    return laid_out(table({"id": texts(_uuids(COUNT))}, row_bytes=72))


def _uuids(count: int) -> list[str]:
    text = rng(57).bytes(count * 16).hex()
    return [
        f"{t[:8]}-{t[8:12]}-{t[12:16]}-{t[16:20]}-{t[20:]}"
        for t in (text[n * 32 : n * 32 + 32] for n in range(count))
    ]


def two_times() -> Layout:
    """Days by partition, 20 of them of four files; within a day any seconds and any amounts."""
    count = 20 * 4 * FILE_ROWS
    draw = rng(58)
    seconds = np.repeat(np.arange(20), 4 * FILE_ROWS) * DAY + draw.uniform(0, DAY, count)
    return laid_out(
        table({"ts": times(seconds), "amount": draw.integers(0, 1_000, count)}), "days(ts)"
    )


CUSTOMERS = range(13, 10_000, 500)
SORTED = "files are in order of it"
SCATTERED_60 = ", ".join(str(n) for n in range(80, 10_000, 166))
TOGETHER_60 = ", ".join(str(n) for n in range(4_000, 4_060))
SCATTERED_300 = ", ".join(str(n) for n in range(7, 10_000, 33))
TOGETHER_300 = ", ".join(str(n) for n in range(4_000, 4_300))

PAIRS = (
    # Two or three rows of 24,000 are wanted, all 40 files are read, one or two would do.
    Pair(
        "customer_lookups",
        scattered,
        each("SELECT * FROM lake.db.customer_lookups WHERE customer_id = {}", CUSTOMERS),
        expected=(Expected("unclustered_column", ("customer_id",), (0.92, 0.98), True, False),),
        tempting={"row_groups_not_pruned": "the bytes are those of files"},
    ),
    Pair(
        "amount_ranges",
        scattered,
        each(
            "SELECT * FROM lake.db.amount_ranges WHERE amount BETWEEN {} AND {}",
            [(n, n + 49) for n in range(0, 950, 100)],
            **SPARK,
        ),
        # 5 % of the rows: two files or three of 40.
        expected=(Expected("unclustered_column", ("amount",), (0.88, 0.96), True, False),),
    ),
    # A customer has fewer rows than LIMIT lets through: engines read all files to know that.
    Pair(
        "limit_beyond_what_matches",
        scattered,
        each(
            "SELECT * FROM lake.db.limit_beyond_what_matches WHERE customer_id = {} LIMIT 100",
            CUSTOMERS,
        ),
        expected=(Expected("unclustered_column", ("customer_id",), (0.92, 0.98), True, False),),
    ),
    # Nearly any file has rows of the range, so that one is read.
    Pair(
        "limit_that_any_file_meets",
        scattered,
        each(
            "SELECT * FROM lake.db.limit_that_any_file_meets"
            " WHERE amount BETWEEN {} AND {} LIMIT 5",
            [(n, n + 49) for n in range(0, 950, 100)],
        ),
        tempting={"unclustered_column": "the first file has five rows"},
    ),
    # What is written waits for all tasks, each of which has a limit of its own.
    Pair(
        "limit_of_what_is_written",
        scattered,
        each(
            "INSERT INTO lake.db.other SELECT * FROM lake.db.limit_of_what_is_written"
            " WHERE amount BETWEEN {} AND {} LIMIT 5",
            [(n, n + 49) for n in range(0, 950, 100)],
        ),
        expected=(Expected("unclustered_column", ("amount",), (0.88, 0.96), True, False),),
    ),
    # Two kinds of lookup want two sorts. By one of them half of the bytes go (0.49); by both in
    # Z-order a lookup reads about six files of 40 (0.84). Never both in full (0.97).
    Pair(
        "two_lookups",
        scattered,
        [
            *each("SELECT * FROM lake.db.two_lookups WHERE customer_id = {}", CUSTOMERS),
            *each("SELECT * FROM lake.db.two_lookups WHERE product_id = {}", CUSTOMERS),
        ],
        expected=(
            Expected("unclustered_column", ("customer_id|product_id",), (0.4, 0.9), True, False),
        ),
        # The other column may be named, as one that the one order leaves out.
        allowed=(Expected("unclustered_column", (), (0.0, 0.0), statements=False),),
    ),
    # Files are in order for nine of ten queries. A sort for the tenth would spoil those.
    Pair(
        "order_for_most",
        by_customer,
        [
            *each("SELECT * FROM lake.db.order_for_most WHERE customer_id = {}", [*CUSTOMERS] * 9),
            *each("SELECT * FROM lake.db.order_for_most WHERE product_id = {}", [113, 7_777]),
        ],
        # 180 scans of one file and two of 40. Sorting by the product alone costs 180 × 39 files,
        # Z-order makes the 180 read six each: only a bloom filter harms nobody. To say that the
        # two suffer is right, as long as nothing is to be sorted for them.
        allowed=(
            Expected("row_groups_not_pruned", ("product_id",)),
            Expected("unclustered_column", ("product_id",), (0.0, 0.0), statements=False),
        ),
        never=("WRITE ORDERED BY",),
    ),
    # Both ranges leave a tenth; together a hundredth of the rows.
    Pair(
        "both_ranges",
        scattered,
        each(
            "SELECT * FROM lake.db.both_ranges WHERE customer_id BETWEEN {0} AND {1}"
            " AND product_id BETWEEN {0} AND {1}",
            [(n, n + 999) for n in range(0, 10_000, 1_000)],
        ),
        # By one column: 4 or 5 files of 40; in Z-order 1 to 4.
        expected=(
            Expected("unclustered_column", ("customer_id|product_id",), (0.85, 0.98), True, False),
        ),
    ),
    # Partitions order ts already. Sorting by the customer inside leaves one file of eight a day.
    Pair(
        "customers_of_days",
        days_of_customers,
        each(
            "SELECT * FROM lake.db.customers_of_days WHERE ts >= TIMESTAMP '{}'"
            " AND ts < TIMESTAMP '{}' AND customer_id = {}",
            [(instant(n * DAY), instant((n + 3) * DAY), 700 * n + 5) for n in range(7)] * 3,
        ),
        expected=(Expected("unclustered_column", ("customer_id",), (0.8, 0.9), True, False),),
        never=(r"zorder\([^)]*ts",),
    ),
    # Without days: one file of each day stays, 10 of 80.
    Pair(
        "customers_of_all_days",
        days_of_customers,
        each("SELECT * FROM lake.db.customers_of_all_days WHERE customer_id = {}", CUSTOMERS),
        expected=(
            Expected(
                "no_partition_filter|unclustered_column",
                ("customer_id",),
                (0.8, 0.9),
                True,
                False,
            ),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
    ),
    # Hours of a day and ranges of amounts: within the day, both in some order. ts is ordered by
    # days, but not within them.
    Pair(
        "hours_of_days",
        two_times,
        each(
            "SELECT * FROM lake.db.hours_of_days WHERE ts >= TIMESTAMP '{}'"
            " AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY + 8 * 3600), instant(n * DAY + 9 * 3600)) for n in range(20)],
        ),
        # One file or two of four.
        expected=(
            Expected("unclustered_column|partitions_too_coarse", ("ts",), (0.5, 0.8), True, False),
        ),
    ),
    # Each day is one file, so no order of files helps. Nobody asked for a day in a whole week, and
    # in order of customers a lookup reads one file.
    Pair(
        "customers_one_file_a_day",
        one_file_a_day,
        each("SELECT * FROM lake.db.customers_one_file_a_day WHERE customer_id = {}", CUSTOMERS),
        expected=(
            Expected(
                "misaligned_partitioning",
                ("customer_id",),
                None,
                True,
                says=("ORDERED BY customer_id",),
            ),
        ),
        allowed=(
            Expected("no_partition_filter", ("customer_id",), (0.0, 0.1)),
            Expected("row_groups_not_pruned", ("customer_id",)),
        ),
        tempting={"unclustered_column": "a partition is one file: a sort within rules out none"},
    ),
    # The same, before anybody knows what other days ask.
    Pair(
        "customers_one_window",
        one_file_a_day,
        each("SELECT * FROM lake.db.customers_one_window WHERE customer_id = {}", CUSTOMERS),
        allowed=(
            Expected("no_partition_filter", ("customer_id",), (0.0, 0.1)),
            Expected("row_groups_not_pruned", ("customer_id",)),
            Expected("misaligned_partitioning", ()),
        ),
        tempting={"unclustered_column": "a partition is one file: a sort within rules out none"},
        never=("DROP", "REPLACE PARTITION FIELD"),
        days=1,
    ),
    # One file of 16 row groups is right to be kept; 15 of the row groups are read for nothing.
    Pair(
        "keys_in_row_groups",
        large_files_a_day,
        each(
            "SELECT * FROM lake.db.keys_in_row_groups WHERE ts >= TIMESTAMP '{}'"
            " AND ts < TIMESTAMP '{}' AND order_key = {}",
            [(instant(n * DAY), instant((n + 1) * DAY), 99_000_000 * n + 7) for n in range(10)],
        ),
        expected=(Expected("row_groups_not_pruned", ("order_key",), (0.8, 1.0), True, False),),
        tempting={"unclustered_column": "one file a day is all there is to keep"},
    ),
    # 60 customers from everywhere are in 40 × (1 - (39/40)^60) = 31 files of 40 even when sorted.
    Pair(
        "scattered_list",
        scattered,
        each("SELECT * FROM lake.db.scattered_list WHERE customer_id IN ({})", [SCATTERED_60] * 5),
        allowed=(Expected("unclustered_column", ("customer_id",), (0.0, 0.35)),),
        tempting={"long_in_list": "60 values are looked at"},
    ),
    # 60 neighbours are in one file, when sorted.
    Pair(
        "list_of_neighbours",
        scattered,
        each(
            "SELECT * FROM lake.db.list_of_neighbours WHERE customer_id IN ({})", [TOGETHER_60] * 5
        ),
        expected=(Expected("unclustered_column", ("customer_id",), (0.9, 0.98), True, False),),
    ),
    # 300 neighbours of sorted files: two files, if Iceberg looked at such a list.
    Pair(
        "long_list_of_neighbours",
        by_customer,
        each(
            "SELECT * FROM lake.db.long_list_of_neighbours WHERE customer_id IN ({})",
            [TOGETHER_300] * 5,
            **SPARK,
        ),
        expected=(Expected("long_in_list", ("customer_id",), (0.9, 0.98), False, True),),
        rewritten={
            "long_in_list": repeated(
                "SELECT * FROM lake.db.long_list_of_neighbours WHERE (customer_id IN"
                f" ({', '.join(map(str, range(4_000, 4_150)))}) OR customer_id IN"
                f" ({', '.join(map(str, range(4_150, 4_300)))}))",
                5,
                **SPARK,
            )
        },
        tempting={"unclustered_column": SORTED},
    ),
    # 300 values from everywhere are in every file: splitting the list wins nothing.
    Pair(
        "long_scattered_list",
        by_customer,
        each(
            "SELECT * FROM lake.db.long_scattered_list WHERE customer_id IN ({})",
            [SCATTERED_300] * 5,
            **SPARK,
        ),
        tempting={
            "long_in_list": "each file holds some of the values",
            "unclustered_column": SORTED,
        },
    ),
    # Random ids have bounds in every file that say nothing. Spark pushes them: buckets of the id,
    # or a bloom filter, or a sort that new data spoils; any of them may be said.
    Pair(
        "ids_in_spark",
        random_ids,
        each(
            "SELECT * FROM lake.db.ids_in_spark WHERE id = '{}'",
            _uuids(10),
            **SPARK,
        ),
        expected=(
            Expected("unclustered_column|row_groups_not_pruned", ("id",), None, True, False),
        ),
        never=("zorder",),
    ),
    # Trino pushes no comparison of UUIDs to Iceberg, so no order or bucket of files helps it.
    Pair(
        "ids_in_trino",
        random_ids,
        each("SELECT * FROM lake.db.ids_in_trino WHERE id = UUID '{}'", _uuids(10)),
        allowed=(
            Expected("row_groups_not_pruned", ("id",)),
            Expected("wrapped_column", ("id",), statements=False),
        ),
        tempting={"unclustered_column": "Trino pushes no condition on UUIDs"},
    ),
    # As text they are pushed, and a sort makes a lookup one file.
    Pair(
        "id_texts",
        random_id_texts,
        each("SELECT * FROM lake.db.id_texts WHERE id = '{}'", _uuids(10)),
        expected=(
            Expected("unclustered_column|row_groups_not_pruned", ("id",), None, True, False),
        ),
    ),
)
