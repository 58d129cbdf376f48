"""What metadata keeps of columns: some of them, since lately, and their first characters."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    each,
    instant,
    laid_out,
    loaded,
    rng,
    scaled,
    table,
    texts,
    times,
)

COUNT = 60 * FILE_ROWS
BY_DAY = ("days(ts)",)
WIDE = 110
WIDE_BYTES = 8 * WIDE + 100
WIDE_FILE_BYTES = 205_000


def devices() -> Layout:
    """Eight days of eight files each, in order of devices within a day. Only times have bounds."""
    draw = rng(6301)
    count = 64 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 8 * DAY, count)),
                "device_id": np.sort(draw.integers(0, 3000, count)),
            }
        ),
        "days(ts)",
        properties={
            "write.metadata.metrics.default": "none",
            "write.metadata.metrics.column.ts": "full",
        },
    )


def _customers(seed: int, files: int, first: int, last: int) -> pa.Table:
    """Rows of days, in order of customers."""
    draw = rng(seed)
    count = files * FILE_ROWS
    return table(
        {
            "ts": times(draw.uniform(first * DAY, last * DAY, count)),
            "customer_id": np.sort(draw.integers(0, 3000, count)),
        },
        seed,
    )


def measured_since() -> Layout:
    """40 files of an old writer, which kept no bounds of customers, and 20 of a new one. Both
    wrote in order of customers."""
    old = Commit(tuple(cut(_customers(6302, 40, 0, 40), FILE_ROWS)), unbounded=("customer_id",))
    new = Commit(tuple(cut(_customers(6303, 20, 40, 60), FILE_ROWS)))
    return Layout((old, new), (), scaled())


def days_measured_since() -> Layout:
    """Days of two files each, in order of customers. The first 20 have no bounds of them."""
    old = loaded(_customers(6304, 40, 0, 20), BY_DAY, FILE_ROWS)
    new = loaded(_customers(6305, 20, 20, 30), BY_DAY, FILE_ROWS)
    commits = (Commit(old, BY_DAY, unbounded=("customer_id",)), Commit(new, BY_DAY))
    return Layout(commits, BY_DAY, scaled())


def wide() -> Layout:
    """40 files in order of accounts, which are the 105th of 110 columns: writers keep bounds of the
    first hundred."""
    draw = rng(6306)
    count = 40 * FILE_ROWS
    names = [f"c{number:03d}" for number in range(WIDE - 1)]
    columns = {name: draw.integers(0, 100, count) for name in names[:104]}
    columns["account"] = np.sort(draw.integers(0, 3000, count))
    columns |= {name: draw.integers(0, 100, count) for name in names[104:]}
    rows = table(columns, row_bytes=WIDE_BYTES)
    commit = Commit(tuple(cut(rows, FILE_ROWS)), unbounded=("account", *names[104:], "payload"))
    return Layout((commit,), (), scaled(WIDE_FILE_BYTES))


def clicks() -> Layout:
    """60 files in order of paths, which begin with the same 24 characters."""
    draw = rng(6307)
    regions, numbers = np.sort(draw.integers(0, 40, COUNT)), draw.integers(0, 1_000_000, COUNT)
    paths = (
        f"s3://acme-lake/raw/clicks/region-{region:02d}/{number:06d}.json"
        for region, number in zip(regions, numbers, strict=True)
    )
    return laid_out(table({"path": texts(paths), "bytes": numbers}))


def arns() -> Layout:
    """60 days of one file each, of objects whose names begin alike."""
    draw = rng(6308)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 60 * DAY, COUNT)),
                "arn": texts(draw.integers(0, 3000, COUNT), "arn:aws:s3:::acme-logs-prod/{}"),
            }
        ),
        "days(ts)",
    )


def order_keys() -> Layout:
    """60 files in order of keys, of 400 tenants of 90 orders each."""
    keys = (
        f"tenant-{tenant:06d}/order/{order:08d}" for tenant in range(400) for order in range(90)
    )
    return laid_out(table({"key": texts(keys), "amount": np.arange(COUNT)}))


PAIRS = (
    # Of a day's eight files one or two have a device, and nothing says which.
    Pair(
        "metrics_of_the_time_alone",
        devices,
        each(
            "SELECT * FROM lake.db.metrics_of_the_time_alone WHERE device_id = {}"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (device, instant(n % 8 * DAY), instant((n % 8 + 1) * DAY))
                for n, device in enumerate(range(55, 3000, 120))
            ],
        ),
        expected=(
            Expected(
                "no_column_metrics",
                ("device_id",),
                (0.7, 0.9),
                True,
                False,
                (r"write\.metadata\.metrics\.column\.device_id",),
            ),
        ),
        tempting={"unclustered_column": "devices are in order"},
        never=("PARTITION FIELD",),
    ),
    # 40 old files for each customer, and one of the new ones.
    Pair(
        "measured_since_lately",
        measured_since,
        each(
            "SELECT * FROM lake.db.measured_since_lately WHERE customer_id = {}",
            range(40, 3000, 200),
        ),
        expected=(Expected("no_column_metrics", ("customer_id",), (0.88, 0.98), True, False),),
        tempting={"unclustered_column": "all files are in order"},
    ),
    # Half of the files that are read are ruled out by bounds; none of the old ones is read.
    Pair(
        "measured_where_it_is_read",
        days_measured_since,
        each(
            "SELECT * FROM lake.db.measured_where_it_is_read WHERE customer_id = {}"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (customer, instant((20 + n % 10) * DAY), instant((21 + n % 10) * DAY))
                for n, customer in enumerate(range(40, 3000, 150))
            ],
        ),
        tempting={
            "no_column_metrics": "the files that are read have bounds",
            "unclustered_column": "one file of a day's two is read",
        },
        never=("rewrite_data_files",),
    ),
    Pair(
        "the_hundred_and_fifth_column",
        wide,
        each(
            "SELECT c001, c002 FROM lake.db.the_hundred_and_fifth_column WHERE account = {}",
            range(33, 3000, 170),
        ),
        expected=(
            Expected(
                "no_column_metrics",
                ("account",),
                (0.88, 0.98),
                True,
                False,
                (r"write\.metadata\.metrics\.column\.account",),
            ),
        ),
        tempting={"unclustered_column": "accounts are in order"},
    ),
    # A region is a file and a half of 60, and bounds end before it is named.
    Pair(
        "clicks_by_path_prefix",
        clicks,
        each(
            "SELECT sum(bytes) FROM lake.db.clicks_by_path_prefix"
            " WHERE path LIKE 's3://acme-lake/raw/clicks/region-{:02d}/%'",
            range(1, 40, 3),
        ),
        expected=(
            Expected(
                "truncated_bounds", ("path",), (0.9, 0.98), True, False, (r"truncate\(\d+\)",)
            ),
        ),
        tempting={
            "like_without_prefix": "it has one",
            "unclustered_column": "paths are in order",
        },
    ),
    # What bounds do not tell of names, the day does.
    Pair(
        "arns_of_a_day",
        arns,
        each(
            "SELECT * FROM lake.db.arns_of_a_day WHERE arn = 'arn:aws:s3:::acme-logs-prod/{}'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(n * 37, instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 60, 3)],
        ),
        tempting={
            "truncated_bounds": "a day is one file",
            "unclustered_column": "a day is one file",
        },
        never=("TBLPROPERTIES", "ORDERED BY", "PARTITION FIELD"),
    ),
    # 16 characters tell the tenant, and a tenant is in one file or two.
    Pair(
        "keys_that_begin_with_a_tenant",
        order_keys,
        each(
            "SELECT * FROM lake.db.keys_that_begin_with_a_tenant WHERE key = '{}'",
            [f"tenant-{n:06d}/order/{n % 90:08d}" for n in range(7, 400, 16)],
        ),
        tempting={
            "truncated_bounds": "what is kept of a key has its tenant",
            "unclustered_column": "keys are in order",
        },
        never=("TBLPROPERTIES", "ORDERED BY"),
    ),
)
