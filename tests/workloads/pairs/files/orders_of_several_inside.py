"""Partitions of files whose rows are in no order, and queries that ask for several columns."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, SPARK, each, laid_out, rng, table, texts, times


def readings_of_sites() -> Layout:
    """Two sites of 60 files each, with any meters, lots and batches in each."""
    count = 120 * FILE_ROWS
    draw = rng(9_101)
    return laid_out(
        table(
            {
                "site": texts(draw.integers(0, 2, count), "S{}"),
                "meter": draw.integers(0, 100_000, count),
                "lot": draw.integers(0, 100_000, count),
                "batch": draw.integers(0, 100_000, count),
            }
        ),
        "site",
    )


def alarms_of_plants() -> Layout:
    """Four plants of 24 files each, with any times and six levels in each."""
    count = 96 * FILE_ROWS
    draw = rng(9_102)
    return laid_out(
        table(
            {
                "plant": texts(draw.integers(0, 4, count), "P{}"),
                "level": texts(draw.integers(0, 6, count), "L{}"),
                "serial": draw.integers(0, 1_000_000, count),
                "ts": times(draw.uniform(0, 60 * DAY, count)),
            }
        ),
        "plant",
    )


def jobs_of_tenants() -> Layout:
    """Two buckets of tenants of 50 files each, with any keys and hosts in each."""
    count = 100 * FILE_ROWS
    draw = rng(9_103)
    return laid_out(
        table(
            {
                "tenant": draw.integers(0, 500, count),
                "job_key": draw.integers(0, 100_000, count),
                "host": draw.integers(0, 100_000, count),
            }
        ),
        "bucket(2, tenant)",
    )


KEYS = range(700, 100_000, 2_500)
UNASKED = (Expected("misaligned_partitioning", ()),)
"""That nobody asks for the partitions there are."""

PAIRS = (
    # A sort by one serves a third of the scans; a Z-order inside of the sites serves each by half.
    Pair(
        "readings_by_three_keys",
        readings_of_sites,
        [
            *each("SELECT * FROM lake.db.readings_by_three_keys WHERE meter = {}", KEYS),
            *each("SELECT * FROM lake.db.readings_by_three_keys WHERE lot = {}", KEYS),
            *each("SELECT * FROM lake.db.readings_by_three_keys WHERE batch = {}", KEYS, **SPARK),
        ],
        expected=(
            Expected(
                "no_partition_filter",
                ("meter", "lot", "batch"),
                (0.4, 0.8),
                True,
                False,
                ("zorder",),
            ),
        ),
        allowed=UNASKED,
    ),
    # Each level in order of serials serves who asks for either.
    Pair(
        "alarms_by_level_and_serial",
        alarms_of_plants,
        [
            *each(
                "SELECT * FROM lake.db.alarms_by_level_and_serial WHERE level = '{}'",
                ["L1", "L2", "L4"] * 12,
            ),
            *each(
                "SELECT * FROM lake.db.alarms_by_level_and_serial WHERE serial = {}",
                range(7_000, 1_000_000, 27_000),
            ),
        ],
        expected=(
            Expected(
                "no_partition_filter",
                ("level", "serial"),
                (0.6, 0.9),
                True,
                False,
                ("rows of each level in order of serial",),
            ),
        ),
        allowed=UNASKED,
    ),
    # Who names a tenant reads a bucket, and who does not all of both: one order serves them all.
    Pair(
        "jobs_by_key_or_host_of_a_tenant",
        jobs_of_tenants,
        [
            *each("SELECT * FROM lake.db.jobs_by_key_or_host_of_a_tenant WHERE job_key = {}", KEYS),
            *each("SELECT * FROM lake.db.jobs_by_key_or_host_of_a_tenant WHERE host = {}", KEYS),
        ],
        expected=(
            Expected(
                "no_partition_filter",
                ("host", "job_key"),
                (0.5, 0.9),
                True,
                False,
                ("truncate|zorder",),
            ),
        ),
        allowed=UNASKED,
    ),
    # One column that all ask for: its sort is all there is.
    Pair(
        "readings_by_one_key",
        readings_of_sites,
        each("SELECT * FROM lake.db.readings_by_one_key WHERE lot = {}", KEYS),
        expected=(Expected("no_partition_filter", ("lot",), (0.9, 1.0), True, False),),
        allowed=UNASKED,
        never=("zorder",),
    ),
)
