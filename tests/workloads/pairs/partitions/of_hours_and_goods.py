"""Months, days and warehouses of which people want less than they hold."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    rng,
    table,
    texts,
    times,
)

COUNT = 60 * FILE_ROWS


def tides() -> Layout:
    """Six months of twelve files each."""
    draw = rng(91_209)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 181 * DAY, 72 * FILE_ROWS)),
                "gauge": draw.integers(0, 300, 72 * FILE_ROWS),
            }
        ),
        "months(ts)",
    )


def sirens() -> Layout:
    """Four days of 30 files each: an hour of rows would fill one."""
    draw = rng(91_210)
    count = 4 * 30 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 4 * DAY, count)),
                "siren_id": draw.integers(0, 2000, count),
            }
        ),
        "days(ts)",
    )


def warehouses() -> Layout:
    """Ten warehouses of six files each, with any goods of any supplier."""
    draw = rng(91_211)
    return laid_out(
        table(
            {
                "warehouse": texts(draw.integers(0, 10, COUNT), "W{}"),
                "sku": draw.integers(0, 5000, COUNT),
                "supplier_id": draw.integers(0, 4000, COUNT),
            }
        ),
        "warehouse",
    )


PAIRS = (
    # Of a month of twelve files three days need two; a day would fill less than half a file.
    Pair(
        "tides_in_months",
        tides,
        each(
            "SELECT gauge, count(*) FROM lake.db.tides_in_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY gauge",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(2, 175, 7)],
        ),
        expected=(Expected("unclustered_column", ("ts",), (0.7, 0.92), True, False),),
        tempting={
            "partitions_too_coarse": "days would fill less than half a file",
            "no_partition_filter": "months are asked for",
        },
        never=("PARTITION FIELD",),
    ),
    # Of the 30 files of a day an hour needs one or two.
    Pair(
        "sirens_hour_by_hour",
        sirens,
        each(
            "SELECT siren_id FROM lake.db.sirens_hour_by_hour"
            " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
            [(instant(n * 3600), instant((n + 1) * 3600)) for n in range(3, 95, 6)],
            **SPARK,
        ),
        expected=(
            Expected(
                "partitions_too_coarse", ("ts",), (0.85, 0.97), True, False, (r"hours\(ts\)",)
            ),
        ),
        tempting={"unclustered_column": "it is the same loss"},
    ),
    # Inside a warehouse a sort leaves one of six files for the one; a curve, three for each.
    Pair(
        "skus_and_suppliers_in_warehouses",
        warehouses,
        [
            *each(
                "SELECT * FROM lake.db.skus_and_suppliers_in_warehouses WHERE sku = {}",
                range(7, 5000, 500),
                user="sales",
            ),
            *each(
                "SELECT * FROM lake.db.skus_and_suppliers_in_warehouses WHERE supplier_id = {}",
                range(7, 4000, 400),
                user="purchasing",
            ),
            *each(
                "SELECT count(*) FROM lake.db.skus_and_suppliers_in_warehouses"
                " WHERE warehouse = 'W{}'",
                range(10),
            ),
        ],
        # 600 of 1,260 files are read for each; 500 are won by a sort, and about as many by a curve.
        expected=(
            Expected("no_partition_filter", ("sku|supplier_id",), (0.36, 0.62), True, False),
        ),
        allowed=(
            Expected("no_partition_filter", ("sku|supplier_id",), statements=False),
            Expected("misaligned_partitioning", ()),
        ),
        never=("DROP", "REPLACE"),
    ),
)
