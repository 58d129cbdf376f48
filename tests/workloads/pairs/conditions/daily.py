"""What teams write every day of keys and orders without knowing that it costs them."""

from __future__ import annotations

import itertools

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    Numbers,
    day,
    each,
    instant,
    laid_out,
    rng,
    scaled,
    table,
    texts,
    times,
)

REGIONS = ("eu", "us", "jp", "br", "in", "za")


AREAS = ("EU", "US", "JP", "BR", "IN")


def paths_in_order() -> Layout:
    """Sixty files of thirty days of log lines, in order of the path that they came from."""
    days = np.repeat(np.arange(30), 2 * FILE_ROWS)
    hosts = rng(1004).integers(0, 80, len(days))
    paths = [
        f"/var/log/app/{day(int(number)):%Y/%m/%d}/host-{host:02d}.log"
        for number, host in zip(days, hosts, strict=True)
    ]
    return laid_out(table({"path": texts(sorted(paths))}))


def skus_of_areas() -> Layout:
    """Eight files for each of five areas that SKUs begin with."""
    area = np.repeat(sorted(AREAS), 8 * FILE_ROWS)
    number = rng(1006).integers(0, 100_000, len(area))
    return laid_out(
        table({"sku": texts([f"{a}-{n:05d}" for a, n in zip(area, number, strict=True)])})
    )


def stores_of_regions() -> Layout:
    """A partition for each of six regions, of four files with any of its stores."""
    region = np.repeat(REGIONS, 4 * FILE_ROWS)
    store = rng(1007).integers(0, 40, len(region))
    return laid_out(table({"region": texts(region), "store": store}), "region")


def devices_of_days() -> Layout:
    """Twenty-five days of four files each, with any of 500 devices in each."""
    draw = rng(1009)
    seconds = np.sort(draw.uniform(0, 25 * DAY, 100 * FILE_ROWS))
    return laid_out(
        table(
            {
                "ts": times(seconds),
                "device_id": texts(draw.integers(0, 500, len(seconds)), "d{:04d}"),
                "amount": np.arange(len(seconds)),
            }
        ),
        "days(ts)",
    )


def tenants_as_they_came() -> Layout:
    """Sixty days of four files each, in the order of days, with any of 50 tenants in each; no
    partitions."""
    draw = rng(1010)
    seconds = np.sort(draw.uniform(0, 60 * DAY, 240 * FILE_ROWS))
    return laid_out(table({"ts": times(seconds), "tenant_id": draw.integers(0, 50, len(seconds))}))


def documents() -> Layout:
    """Thirty files of documents of twenty types."""
    kinds = rng(1012).integers(0, 20, 30 * FILE_ROWS)
    return laid_out(table({"doc": texts(kinds, '{{"type":"t{}","version":1}}')}))


def orders_anyhow() -> Layout:
    """Sixty files of orders in no order."""
    return laid_out(
        table({"order_id": rng(1014).permutation(60 * FILE_ROWS), "n": np.arange(60 * FILE_ROWS)})
    )


def readings() -> Layout:
    """Sixty files of temperatures from 0 to 100; sensors that are broken say NaN."""
    draw = rng(1015)
    values = draw.uniform(0, 100, 60 * FILE_ROWS)
    values[draw.random(len(values)) < 0.05] = np.nan
    return laid_out(table({"temperature": values}))


def _sorted_load(number: int, customers: Numbers) -> Commit:
    rows = table({"customer_id": np.sort(customers)}, number)
    return Commit(tuple(cut(rows, FILE_ROWS)))


def loads_in_order() -> Layout:
    """Twenty loads, of ten files each in order of the customer."""
    draw = rng(1016)
    loads = [draw.integers(0, 50_000, 10 * FILE_ROWS) for _ in range(20)]
    return Layout(tuple(_sorted_load(n, load) for n, load in enumerate(loads)), (), scaled())


SIXTY_TO_TWO = (0.88, 0.985)

PAIRS = (
    # The first 16 characters are those of all paths; the beginning that is asked for has 24.
    Pair(
        "logs_by_path",
        paths_in_order,
        each(
            "SELECT count(*) FROM lake.db.logs_by_path WHERE path LIKE '{}%'",
            [f"/var/log/app/{day(n):%Y/%m/%d}/" for n in range(0, 30, 2)],
        ),
        expected=(
            Expected(
                "truncated_bounds", ("path",), (0.85, 0.97), True, False, (r"truncate\((2[4-9]|3)",)
            ),
        ),
        tempting={
            "like_without_prefix": "the pattern is a prefix",
            "unclustered_column": "paths are in order",
        },
    ),
    # An anchored expression is a prefix, by which eight files of 40 are kept.
    Pair(
        "skus_by_regex",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_regex WHERE regexp_like(sku, '^{}-')",
            AREAS,
        ),
        expected=(Expected("wrapped_column|like_without_prefix", ("sku",), None, False, True),),
        tempting={"unclustered_column": "SKUs are in order"},
    ),
    Pair(
        "skus_by_regex_in_spark",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_regex_in_spark WHERE sku RLIKE '^{}-[0-9]+$'",
            AREAS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column|like_without_prefix", ("sku",), None, False, True),),
        tempting={"unclustered_column": "SKUs are in order"},
    ),
    # Rows of two columns in a list: neither column is compared, as engines see it.
    Pair(
        "stores_by_tuples",
        stores_of_regions,
        each(
            "SELECT count(*) FROM lake.db.stores_by_tuples"
            " WHERE (region, store) IN (('{}', 1), ('{}', 4))",
            itertools.pairwise(REGIONS),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("region",), None, False),),
        allowed=(Expected("wrapped_column|unclustered_column", ("store",)),),
        tempting={
            "misaligned_partitioning": "regions are asked for",
            "no_partition_filter": "regions are asked for",
        },
        never=("DROP",),
    ),
    # Any of the four files of a day has the device; one will do.
    Pair(
        "last_value_of_a_device",
        devices_of_days,
        each(
            "SELECT ts, amount FROM lake.db.last_value_of_a_device"
            " WHERE device_id = 'd{:04d}' ORDER BY ts DESC LIMIT 1",
            range(3, 500, 25),
        ),
        expected=(Expected("no_partition_filter", ("device_id",), (0.9, 1.0), True, False),),
        allowed=(Expected("misaligned_partitioning", (), None),),
    ),
    # An order of tenants alone would make each of 100 reports of a day read everything.
    Pair(
        "tenants_and_daily_reports",
        tenants_as_they_came,
        [
            *each(
                "SELECT count(*) FROM lake.db.tenants_and_daily_reports WHERE tenant_id = {}"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n, instant(n * DAY), instant((n + 30) * DAY)) for n in range(30)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.tenants_and_daily_reports"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n % 60 * DAY), instant((n % 60 + 1) * DAY)) for n in range(100)],
            ),
        ],
        expected=(Expected("unclustered_column", ("tenant_id",)),),
        allowed=(Expected("misaligned_partitioning|no_partition_filter", ()),),
    ),
    # No order of documents helps: the type has to become a column.
    Pair(
        "types_of_documents",
        documents,
        each(
            "SELECT count(*) FROM lake.db.types_of_documents"
            " WHERE json_extract_scalar(doc, '$.type') = 't{}'",
            range(20),
        ),
        expected=(
            Expected("wrapped_column", ("doc",), None, False, False, ("column of its own",)),
        ),
        tempting={
            "truncated_bounds": "nobody compares documents",
            "unclustered_column": "nobody compares documents",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    Pair(
        "orders_updated_one_by_one",
        orders_anyhow,
        [
            *each(
                "UPDATE lake.db.orders_updated_one_by_one SET n = 0 WHERE order_id = {}",
                range(17, 36_000, 1_500),
                **SPARK,
            ),
            *each(
                "SELECT n FROM lake.db.orders_updated_one_by_one WHERE order_id = {}",
                range(100, 36_000, 3_000),
                **SPARK,
            ),
        ],
        expected=(Expected("unclustered_column", ("order_id",), SIXTY_TO_TWO, True, False),),
    ),
    # NaN is above no number in Trino, and last in any order.
    Pair(
        "hot_readings",
        readings,
        each(
            "SELECT count(*) FROM lake.db.hot_readings WHERE temperature > {}",
            (97.5, 98, 98.5, 99),
        ),
        expected=(Expected("unclustered_column", ("temperature",), (0.85, 0.98), True, False),),
    ),
    # Each load is in order, so a customer is in one file of each; of 200 files 20 are read.
    Pair(
        "customers_of_sorted_loads",
        loads_in_order,
        each(
            "SELECT count(*) FROM lake.db.customers_of_sorted_loads WHERE customer_id = {}",
            range(100, 50_000, 2_000),
        ),
        expected=(Expected("unclustered_column", ("customer_id",), (0.83, 0.96), True, False),),
    ),
)
