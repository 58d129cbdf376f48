"""Partitions of platforms that look wrong, and are as they should be."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    instant,
    laid_out,
    loaded,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)


def _regional(seed: int, first: int, last: int, files: int) -> pa.Table:
    draw = rng(seed)
    count = files * FILE_ROWS
    return table(
        {
            "ts": times(np.sort(draw.uniform(first * DAY, last * DAY, count))),
            "region": texts(draw.integers(0, 5, count), "R{}"),
        },
        seed,
    )


def regions_since_by_day() -> Layout:
    """Five regions of 24 files in order of 60 days, and ten days since that are partitions."""
    before = ("region",)
    since = ("region", "days(ts)")
    old = Commit(loaded(_regional(8306, 0, 60, 120), before, FILE_ROWS), before)
    new = Commit(loaded(_regional(8307, 60, 70, 50), since, FILE_ROWS), since)
    return Layout((old, new), since, scaled())


def tenants() -> Layout:
    """One tenant of 60 files in order of time, and 300 of 24 rows each."""
    draw = rng(8308)
    large = 60 * FILE_ROWS
    names = np.concatenate([np.zeros(large, np.int64), np.repeat(np.arange(1, 301), 24)])
    names = draw.permutation(names)
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 60 * DAY, len(names)))),
                "tenant": texts(names, "t-{:04d}"),
            }
        ),
        "tenant",
    )


def encounters() -> Layout:
    """30 facilities of twelve months, with 60 rows in each."""
    draw = rng(8309)
    count = 360 * 60
    return laid_out(
        table(
            {
                "admitted_on": dates(draw.integers(0, 365, count)),
                "facility": texts(draw.integers(0, 30, count), "F{:02d}"),
            }
        ),
        "facility",
        "months(admitted_on)",
    )


def invoices() -> Layout:
    """Six months of eight files each, as invoices were issued; numbers are given in order."""
    draw = rng(8310)
    count = 48 * FILE_ROWS
    issued = np.sort(draw.integers(0, 181, count))
    return laid_out(
        table(
            {
                "issued_on": dates(issued),
                "invoice_no": 500_000 + np.arange(count) + draw.integers(0, 40, count),
                "supplier_id": draw.integers(0, 900, count),
            }
        ),
        "months(issued_on)",
    )


PAIRS = (
    # Old files hold two and a half days each: a fortnight is in seven of them, and in six days'
    # worth of rows after a rewrite.
    Pair(
        "fortnights_of_regions_by_day_since",
        regions_since_by_day,
        each(
            "SELECT count(*) FROM lake.db.fortnights_of_regions_by_day_since"
            " WHERE region = 'R{}' AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(n % 5, instant(n * DAY), instant((n + 14) * DAY)) for n in range(56)],
            **SPARK,
        ),
        tempting={
            "old_spec_files": "they are in order of time",
            "unclustered_column": "they are in order of time",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Each asks for its own rows, and the large one for days that are in order.
    Pair(
        "one_large_tenant_and_300",
        tenants,
        [
            *each(
                "SELECT count(*) FROM lake.db.one_large_tenant_and_300 WHERE tenant = 't-0000'"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n % 58 * DAY), instant((n % 58 + 2) * DAY)) for n in range(120)],
            ),
            *each(
                "SELECT * FROM lake.db.one_large_tenant_and_300 WHERE tenant = 't-{:04d}'",
                range(1, 201),
            ),
            *repeated(
                "SELECT tenant, count(*) FROM lake.db.one_large_tenant_and_300 GROUP BY tenant", 2
            ),
        ],
        tempting={
            "partitions_too_fine": "a tenant asks for its own rows, and bytes are the large one's",
            "small_files": "no file spans two tenants",
            "partitions_too_coarse": "files of the large one are in order of time",
            "unclustered_column": "files of the large one are in order of time",
        },
        never=("PARTITION FIELD", "ORDERED BY", "rewrite_data_files"),
    ),
    # A tenth of a file each, which is what is asked for.
    Pair(
        "months_of_facilities",
        encounters,
        [
            *each(
                "SELECT * FROM lake.db.months_of_facilities WHERE facility = 'F{:02d}'"
                " AND admitted_on >= DATE '{}' AND admitted_on < DATE '{}'",
                [
                    (n % 30, *((day(0), day(31)), (day(31), day(59)), (day(59), day(90)))[n % 3])
                    for n in range(150)
                ],
            ),
            *each(
                "SELECT count(*) FROM lake.db.months_of_facilities WHERE facility = 'F{:02d}'",
                range(20),
            ),
        ],
        tempting={
            "partitions_too_fine": "larger ones would be read for a month",
            "small_files": "no file spans two partitions",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Numbers are in order of months: a lookup reads a file or two. Two reports of suppliers would
    # read a seventh less of all bytes, and lookups 2,000 files more.
    Pair(
        "invoices_by_number_in_months",
        invoices,
        [
            *each(
                "SELECT * FROM lake.db.invoices_by_number_in_months WHERE invoice_no = {}",
                range(500_100, 528_700, 95),
            ),
            *each(
                "SELECT count(*) FROM lake.db.invoices_by_number_in_months"
                " WHERE issued_on >= DATE '{}' AND issued_on < DATE '{}'",
                [(day(0), day(31)), (day(31), day(59)), (day(59), day(90)), (day(90), day(120))]
                * 5,
            ),
            *each(
                "SELECT * FROM lake.db.invoices_by_number_in_months WHERE supplier_id = {}",
                [17, 404],
            ),
        ],
        allowed=(Expected("no_partition_filter", ("supplier_id",), statements=False),),
        tempting={
            "misaligned_partitioning": "months are asked for, and keep numbers together",
            "unclustered_column": "numbers are in order",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
