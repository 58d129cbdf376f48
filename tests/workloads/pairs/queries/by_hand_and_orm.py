"""SQL as people and ORMs write it: ranks, pivots, periods, views, filters for anything."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
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
COUNTRIES = ("DE", "ES", "FR", "IT", "PL")


def wells() -> Layout:
    """15 days of four files each, with any of 2,000 wells in each."""
    draw = rng(91_001)
    return laid_out(
        table(
            {
                "read_at": times(draw.uniform(0, 15 * DAY, COUNT)),
                "well_id": draw.integers(0, 2000, COUNT),
                "level": draw.uniform(0, 90, COUNT),
            }
        ),
        "days(read_at)",
    )


def heat_meters() -> Layout:
    """Six months of ten files each."""
    draw = rng(91_002)
    return laid_out(
        table(
            {
                "read_on": dates(draw.integers(0, 181, COUNT)),
                "meter_id": draw.integers(0, 900, COUNT),
                "kwh": draw.uniform(0, 40, COUNT),
            }
        ),
        "months(read_on)",
    )


def parcels() -> Layout:
    """Ten hubs of six files each."""
    draw = rng(91_003)
    return laid_out(
        table(
            {
                "hub": texts(draw.integers(0, 10, COUNT), "H{:02d}"),
                "parcel_id": draw.permutation(COUNT),
            }
        ),
        "hub",
    )


def rides() -> Layout:
    """30 days of two files each."""
    draw = rng(91_004)
    return laid_out(
        table(
            {
                "at": times(draw.uniform(0, 30 * DAY, COUNT)),
                "rider_id": draw.integers(0, 4000, COUNT),
            }
        ),
        "days(at)",
    )


def sites() -> Layout:
    """30 sites of two files each, six in each of five countries."""
    draw = rng(91_005)
    numbers = draw.integers(0, 30, COUNT)
    codes = [f"{COUNTRIES[number % 5]}-{number // 5:03d}" for number in numbers.tolist()]
    return laid_out(
        table({"site_code": texts(codes), "visitors": draw.integers(0, 500, COUNT)}), "site_code"
    )


def customers() -> Layout:
    """60 files in no order of customers."""
    draw = rng(91_006)
    return laid_out(
        table(
            {
                "customer_ref": texts(draw.integers(0, 6000, COUNT), "C{:05d}"),
                "status": texts(draw.integers(0, 4, COUNT), "s{}"),
            }
        )
    )


def timber() -> Layout:
    """60 files with rows of each of four grades."""
    draw = rng(91_007)
    grades = np.array(["A", "B", "C", "D"])[draw.integers(0, 4, COUNT)]
    return laid_out(table({"grade": texts(grades), "length_cm": draw.integers(100, 900, COUNT)}))


PAIRS = (
    # What is asked of a window's own partition may be asked of its rows. 60 files are read for each
    # well, and 15 would be once each day is in order of wells; reports want days as they are.
    Pair(
        "wells_behind_a_rank",
        wells,
        [
            *each(
                "WITH ranked AS (SELECT well_id, read_at, level, row_number() OVER"
                " (PARTITION BY well_id ORDER BY read_at DESC) AS rn"
                " FROM lake.db.wells_behind_a_rank)"
                " SELECT well_id, level FROM ranked WHERE rn = 1 AND well_id = {}",
                range(9, 2000, 130),
                user="geologist",
            ),
            *each(
                "SELECT avg(level) FROM lake.db.wells_behind_a_rank"
                " WHERE read_at >= TIMESTAMP '{}' AND read_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(15)],
            ),
        ],
        expected=(Expected("no_partition_filter", ("well_id",), (0.55, 0.76), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={
            "runtime_only": "nothing is joined",
            "unclustered_column": "it is the same loss",
        },
        never=("DROP", "REPLACE"),
    ),
    # The day that is asked for is what the window is partitioned by, so it goes below it.
    Pair(
        "ranks_within_days",
        rides,
        each(
            "SELECT * FROM (SELECT rider_id, CAST(at AS date) AS d, row_number() OVER"
            " (PARTITION BY CAST(at AS date) ORDER BY at) AS place"
            " FROM lake.db.ranks_within_days) ranked"
            " WHERE place <= 10 AND d = DATE '{}'",
            [day(number) for number in range(3, 28, 3)],
        ),
        tempting={
            "wrapped_column": "Trino unwraps it",
            "no_partition_filter": "the condition goes below the window",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # A meter without rows in these months has a row of zeros: a WHERE would take it away.
    Pair(
        "pivot_of_heat_meters",
        heat_meters,
        [
            *repeated(
                "SELECT meter_id,"
                " sum(CASE WHEN date_trunc('month', read_on) = DATE '2026-01-01'"
                " THEN kwh ELSE 0 END) AS january,"
                " sum(CASE WHEN date_trunc('month', read_on) = DATE '2026-02-01'"
                " THEN kwh ELSE 0 END) AS february"
                " FROM lake.db.pivot_of_heat_meters GROUP BY meter_id",
                6,
            ),
            *repeated(
                "SELECT meter_id, count_if(year(read_on) = 2026 AND month(read_on) = 3) AS march"
                " FROM lake.db.pivot_of_heat_meters GROUP BY meter_id",
                4,
                **SPARK,
            ),
        ],
        tempting={
            "wrapped_column": "it is no filter",
            "no_partition_filter": "there is no filter, and there may be none",
            "misaligned_partitioning": "there is no filter",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Ten files of 60 for each of two periods.
    Pair(
        "month_beside_month",
        heat_meters,
        [
            query
            for month in (1, 2, 3, 4, 5)
            for query in repeated(
                "SELECT period, sum(kwh) FROM ("
                "SELECT 'this' AS period, kwh FROM lake.db.month_beside_month"
                f" WHERE year(read_on) = 2026 AND month(read_on) = {month + 1}"
                " UNION ALL SELECT 'last' AS period, kwh FROM lake.db.month_beside_month"
                f" WHERE year(read_on) = 2026 AND month(read_on) = {month}) GROUP BY period",
                2,
                **SPARK,
            )
        ],
        expected=(
            Expected("wrapped_column", ("read_on",), (0.4, 0.85), False, True, (r"2026-0\d-01",)),
        ),
        allowed=(Expected("wrapped_column", ("read_on",), None, False, True),),
        tempting={"no_partition_filter": "months are asked for, in Spark's words"},
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # One hub of ten, as a whole.
    Pair(
        "parcels_never_scanned",
        parcels,
        [
            *each(
                "SELECT count(*) FROM lake.db.parcels_never_scanned p WHERE p.hub = 'H{:02d}'"
                " AND NOT EXISTS (SELECT 1 FROM depot.public.scans s"
                " WHERE s.parcel_id = p.parcel_id)",
                range(10),
            ),
            *each(
                "SELECT parcel_id FROM lake.db.parcels_never_scanned WHERE hub = 'H{:02d}'"
                " AND parcel_id NOT IN (SELECT parcel_id FROM depot.public.scans)",
                range(10),
                **SPARK,
            ),
        ],
        tempting={
            "runtime_only": "the hub is told",
            "negated_condition": "what is not in another table is no list",
            "unclustered_column": "all parcels of a hub are looked at",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # The rides before have a day, those that follow have none but that of a join.
    Pair(
        "rides_within_the_hour",
        rides,
        each(
            "SELECT a.rider_id, count(*) FROM lake.db.rides_within_the_hour a"
            " JOIN lake.db.rides_within_the_hour b ON b.rider_id = a.rider_id"
            " AND b.at > a.at AND b.at <= a.at + INTERVAL '1' HOUR"
            " WHERE a.at >= TIMESTAMP '{}' AND a.at < TIMESTAMP '{}' GROUP BY a.rider_id",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(2, 26, 3)],
        ),
        expected=(Expected("runtime_only", (), None, False),),
        tempting={
            "no_partition_filter": "riders come of a join",
            "unclustered_column": "riders come of a join",
            "partitions_too_coarse": "days are asked for",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Twelve files of 60.
    Pair(
        "sites_of_a_country_in_a_view",
        sites,
        each(
            "WITH by_country AS (SELECT substr(site_code, 1, 2) AS country, visitors"
            " FROM lake.db.sites_of_a_country_in_a_view)"
            " SELECT sum(visitors) FROM by_country WHERE country = '{}'",
            COUNTRIES * 2,
        ),
        expected=(
            Expected(
                "wrapped_column|like_without_prefix",
                ("site_code",),
                (0.75, 0.82),
                False,
                True,
                ("DE|PL|IT|FR|ES",),
            ),
        ),
        tempting={
            "no_partition_filter": "sites are partitions",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # What is left out of a form is NULL, and its condition holds. Six rows in as many files.
    Pair(
        "filters_for_anything",
        customers,
        each(
            "SELECT t.customer_ref, t.status FROM lake.db.filters_for_anything AS t WHERE 1 = 1"
            " AND ('{0}' IS NULL OR t.customer_ref = '{0}')"
            " AND (CAST(NULL AS varchar) IS NULL OR t.status = CAST(NULL AS varchar))",
            [f"C{number:05d}" for number in range(11, 6000, 400)],
            user="crm",
        ),
        expected=(Expected("unclustered_column", ("customer_ref",), (0.9, 0.99), True, False),),
        tempting={
            "or_across_columns": "each OR has one arm left, or none",
            "wrapped_column": "nothing is around the column",
        },
        never=("PARTITION FIELD", "status"),
    ),
    # 150 rows of each grade are in each file: the first one has enough.
    Pair(
        "timber_looked_at",
        timber,
        [
            *each(
                "SELECT * FROM lake.db.timber_looked_at WHERE grade = '{}' LIMIT 100",
                "ABCD" * 3,
                user="notebook",
            ),
            *each(
                "SELECT * FROM lake.db.timber_looked_at WHERE grade = '{}' LIMIT 21",
                "ABCD" * 2,
                user="notebook",
                **SPARK,
            ),
        ],
        tempting={
            "unclustered_column": "LIMIT ends after a file or two",
            "row_groups_not_pruned": "LIMIT ends after a file or two",
        },
        never=("ORDERED BY", "PARTITION FIELD", "TBLPROPERTIES"),
    ),
)
