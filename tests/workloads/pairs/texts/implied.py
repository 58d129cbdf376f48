"""Conditions that mean a range of texts or of several columns, and say none."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.conditions.daily import AREAS, REGIONS, skus_of_areas, stores_of_regions
from tests.workloads.pairs.tables.implied import EPOCH, NEVER
from tests.workloads.pairs.times.daily import SMALL, SMALL_ROWS
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    laid_out,
    repeated,
    rng,
    table,
    texts,
)

FOUR_OF_FIVE = (0.75, 0.83)
"""What a prefix wins where one of five areas is asked for."""


def paths_of_services() -> Layout:
    """Five files for each of eight services, in order of the path."""
    services = ("/admin/", "/api/", "/auth/", "/cart/", "/help/", "/img/", "/shop/", "/user/")
    number = rng(1201).integers(0, 1_000, 40 * FILE_ROWS)
    paths = [f"{services[i // (5 * FILE_ROWS)]}{n:04d}" for i, n in enumerate(number)]
    return laid_out(table({"path": texts(sorted(paths))}))


def regions_and_days() -> Layout:
    """A file for each of six regions and twenty days."""
    cell = np.repeat(np.arange(6 * 20), SMALL_ROWS)
    return laid_out(
        table(
            {
                "region": texts([REGIONS[n // 20] for n in cell]),
                "d": dates(cell % 20),
                "amount": np.arange(len(cell)),
            }
        ),
        "region",
        "d",
        file_rows=SMALL_ROWS,
        properties=SMALL,
    )


def epochs_in_order() -> Layout:
    """Sixty files of thirty days in order of Unix seconds."""
    seconds = np.sort(rng(1202).integers(0, 30 * DAY, 60 * FILE_ROWS))
    return laid_out(table({"epoch": seconds + EPOCH, "amount": np.arange(len(seconds))}))


def shipped_or_ordered() -> Layout:
    """Orders by the month in which they were shipped, two files each, and two files of others."""
    draw = rng(1204)
    days = np.repeat(np.arange(360), 24 * FILE_ROWS // 360)
    ordered = np.maximum(days - draw.integers(0, 10, len(days)), 0)
    waiting = draw.integers(330, 360, 2 * FILE_ROWS)
    return laid_out(
        table(
            {
                "shipped": pa.concat_arrays([dates(days), pa.nulls(2 * FILE_ROWS, pa.date32())]),
                "ordered": dates(np.concatenate([ordered, waiting])),
            }
        ),
        "months(shipped)",
    )


def tenants_within_regions() -> Layout:
    """Six regions of eight files each, in order of 80 tenants."""
    region = np.repeat(REGIONS, 8 * FILE_ROWS)
    tenant = np.tile(np.repeat(np.arange(80), 8 * FILE_ROWS // 80), 6)
    return laid_out(table({"region": texts(region), "tenant": tenant}), "region")


def states_of_jobs() -> Layout:
    """A partition for each of six states; most jobs are done or archived."""
    sizes = {"archived": 20, "done": 20, "failed": 2, "new": 1, "queued": 2, "running": 2}
    state = np.repeat(list(sizes), [n * FILE_ROWS for n in sizes.values()])
    return laid_out(table({"state": texts(state), "n": np.arange(len(state))}), "state")


PAIRS = (
    Pair(
        "paths_by_strpos",
        paths_of_services,
        each(
            "SELECT count(*) FROM lake.db.paths_by_strpos WHERE strpos(path, '{}') = 1",
            ("/api/", "/cart/", "/shop/"),
        ),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("path",), (0.8, 0.9), False, True),
        ),
        tempting={"unclustered_column": "paths are in order"},
        never=NEVER,
    ),
    Pair(
        "skus_by_position",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_position WHERE position('{}-' IN sku) = 1",
            AREAS,
        ),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("sku",), FOUR_OF_FIVE, False, True),
        ),
        tempting={"unclustered_column": "SKUs are in order"},
        never=NEVER,
    ),
    Pair(
        "skus_by_first_part",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_first_part WHERE split_part(sku, '-', 1) = '{}'",
            AREAS,
        ),
        # A name of one thing.
        expected=(
            Expected("wrapped_column|like_without_prefix", ("sku",), FOUR_OF_FIVE, False, True),
        ),
        tempting={"unclustered_column": "SKUs are in order"},
        never=NEVER,
    ),
    # Parts from one on, until one: SKUs from there on, until after the last of them.
    Pair(
        "skus_by_parts_in_order",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_parts_in_order"
            " WHERE substring_index(sku, '-', 1) BETWEEN '{0}' AND '{0}'",
            AREAS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("sku",), FOUR_OF_FIVE, False, True),),
        tempting={"unclustered_column": "SKUs are in order"},
        never=NEVER,
    ),
    Pair(
        "days_of_whole_seconds",
        epochs_in_order,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_whole_seconds"
            " WHERE epoch - epoch % 86400 = {}",
            [EPOCH + n * DAY for n in (3, 11, 17, 28)],
        ),
        expected=(Expected("wrapped_column", ("epoch",), (0.94, 0.97), False, True),),
        tempting={"unclustered_column": "rows are in order of the seconds"},
        never=NEVER,
    ),
    Pair(
        "skus_by_left",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_left WHERE left(sku, 3) = '{}-'",
            AREAS,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column|like_without_prefix", ("sku",), FOUR_OF_FIVE, False, True),
        ),
        tempting={"unclustered_column": "SKUs are in order"},
        never=NEVER,
    ),
    Pair(
        "skus_by_regexp_function",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_by_regexp_function WHERE regexp(sku, '^{}-[0-9]+')",
            AREAS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column|like_without_prefix", ("sku",), None, False, True),),
        tempting={"unclustered_column": "SKUs are in order"},
        never=NEVER,
    ),
    # Nine may be anywhere in the text.
    Pair(
        "skus_with_nines",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_with_nines WHERE instr(sku, '{}') > 0",
            (97, 98, 99),
            **SPARK,
        ),
        expected=(Expected("wrapped_column|like_without_prefix", ("sku",), None, False, False),),
        tempting={"unclustered_column": "no order helps"},
        never=NEVER,
    ),
    # Trino knows how texts that start with another are ordered.
    Pair(
        "skus_that_start_with",
        skus_of_areas,
        each(
            "SELECT count(*) FROM lake.db.skus_that_start_with WHERE starts_with(sku, '{}-')",
            AREAS,
        ),
        tempting={
            "wrapped_column": "the engine unwraps it",
            "like_without_prefix": "it is a prefix",
        },
        never=NEVER,
    ),
    Pair(
        "a_cell_by_row",
        regions_and_days,
        each(
            "SELECT sum(amount) FROM lake.db.a_cell_by_row WHERE (region, d) = ('{}', DATE '{}')",
            [(REGIONS[n % 6], day(n)) for n in range(0, 20, 2)],
        ),
        expected=(Expected("wrapped_column", ("region|d",), (0.95, 1.0), False, True),),
        tempting={
            "no_partition_filter": "both columns are asked for",
            "misaligned_partitioning": "both columns are asked for",
        },
        never=NEVER,
    ),
    Pair(
        "epochs_as_text",
        epochs_in_order,
        each(
            "SELECT sum(amount) FROM lake.db.epochs_as_text"
            " WHERE from_unixtime(epoch, 'yyyy-MM-dd') = '{}'",
            map(day, range(1, 29, 3)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("epoch",), (0.92, 0.98), False, True),),
        tempting={"unclustered_column": "rows are in order"},
        never=NEVER,
    ),
    Pair(
        "a_region_by_case",
        stores_of_regions,
        each(
            "SELECT count(*) FROM lake.db.a_region_by_case"
            " WHERE CASE WHEN region = '{}' THEN 1 ELSE 0 END = 1",
            REGIONS,
        ),
        expected=(Expected("wrapped_column", ("region",), (0.8, 0.86), False, True),),
        tempting={"no_partition_filter": "the region is asked for"},
        never=NEVER,
    ),
    # Shipped since then, or not yet, and then ordered since.
    Pair(
        "shipped_else_ordered",
        shipped_or_ordered,
        repeated(
            "SELECT count(*) FROM lake.db.shipped_else_ordered"
            " WHERE coalesce(shipped, ordered) >= DATE '2026-12-05'",
            8,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("shipped",), (0.8, 0.92), False, True, ("IS NULL",)),
        ),
        tempting={"no_partition_filter": "the partition's column is asked for"},
        never=NEVER,
    ),
    Pair(
        "a_region_or_a_tenant",
        tenants_within_regions,
        each(
            "SELECT count(*) FROM lake.db.a_region_or_a_tenant WHERE region = '{}' OR tenant = {}",
            [(region, 7 + 11 * n) for n, region in enumerate(REGIONS)],
        ),
        # Eight files of 48, and one of each other region.
        expected=(Expected("or_across_columns", (), (0.6, 0.75), False),),
        tempting={"unclustered_column": "tenants are in order"},
        never=NEVER,
    ),
    Pair(
        "a_region_or_a_tenant_in_spark",
        tenants_within_regions,
        each(
            "SELECT count(*) FROM lake.db.a_region_or_a_tenant_in_spark"
            " WHERE region = '{}' OR tenant = {}",
            [(region, 7 + 11 * n) for n, region in enumerate(REGIONS)],
            **SPARK,
        ),
        tempting={"or_across_columns": "Spark gives the planner all of it"},
        never=NEVER,
    ),
    Pair(
        "states_that_are_left",
        states_of_jobs,
        repeated(
            "SELECT count(*) FROM lake.db.states_that_are_left"
            " WHERE state NOT IN ('done', 'archived')",
            8,
        ),
        tempting={"negated_condition": "partitions of one value are skipped by ranges"},
        never=NEVER,
    ),
)
