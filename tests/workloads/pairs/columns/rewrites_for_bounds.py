"""Tables that are to be rewritten for bounds, and the order that rows have then."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.columns.logs_and_links import calls_of_resources
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    rng,
    scaled,
    table,
    texts,
    times,
)

METRICS = "write.metadata.metrics.column."


def sales() -> Layout:
    """60 files in order of time, and of ids, of which no bounds are kept."""
    draw = rng(8501)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "sold_at": times(np.sort(draw.uniform(0, 60 * DAY, count))),
                "sale_id": np.arange(count) * 17,
            }
        ),
        properties={f"{METRICS}sale_id": "none"},
    )


def loads_of_devices() -> Layout:
    """Ten loads of six days, each of six files in order of devices, of which no bounds are kept."""
    commits = []
    for number in range(10):
        draw = rng(8510 + number)
        count = 6 * FILE_ROWS
        rows = table(
            {
                "ts": times(draw.uniform(number * 6 * DAY, (number + 1) * 6 * DAY, count)),
                "device": np.sort(draw.integers(0, 900, count)),
            },
            number,
        )
        commits.append(Commit(tuple(cut(rows, FILE_ROWS))))
    return Layout(tuple(commits), (), {**scaled(), f"{METRICS}device": "none"})


def pages_of_hosts() -> Layout:
    """50 files in no order, of pages of three hosts whose names differ after 20 characters."""
    draw = rng(8502)
    count = 50 * FILE_ROWS
    hosts = draw.integers(0, 3, count)
    pages = draw.integers(0, 9000, count)
    return laid_out(
        table(
            {
                "url": texts(
                    f"https://www.example-{'abc'[h]}.org/{p:05d}"
                    for h, p in zip(hosts, pages, strict=True)
                ),
                "hits": draw.integers(0, 90, count),
            }
        )
    )


def accounts() -> Layout:
    """60 files in no order of accounts. Every other row is of the cash account, the first one."""
    draw = rng(8503)
    count = 60 * FILE_ROWS
    numbers = draw.integers(1, 900, count) * 1_111_111_111_111
    return laid_out(
        table(
            {
                "account": texts(np.where(draw.random(count) < 0.5, 0, numbers), "AT{:016d}"),
                "cents": draw.integers(0, 9000, count),
            }
        )
    )


PAIRS = (
    # Sorted by either, files stay as they are.
    Pair(
        "sales_whose_ids_go_up_with_time",
        sales,
        [
            *each(
                "SELECT * FROM lake.db.sales_whose_ids_go_up_with_time WHERE sale_id = {}",
                range(17_000, 600_000, 60_000),
            ),
            *each(
                "SELECT count(*) FROM lake.db.sales_whose_ids_go_up_with_time"
                " WHERE sold_at >= TIMESTAMP '{}' AND sold_at < TIMESTAMP '{}'",
                [(instant(n * 2 * DAY), instant((n * 2 + 1) * DAY)) for n in range(29)],
                user="bi",
                **SPARK,
            ),
        ],
        expected=(Expected("no_column_metrics", ("sale_id",), (0.85, 0.95), True, False),),
        tempting={"unclustered_column": "files are in order of both"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Times are asked for most, and rows can have one order.
    Pair(
        "resources_and_times_of_calls",
        calls_of_resources,
        [
            *each(
                "SELECT code, count(*) FROM lake.db.resources_and_times_of_calls"
                " WHERE event_time >= TIMESTAMP '{}' AND event_time < TIMESTAMP '{}' GROUP BY code",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(30)],
                user="bi",
            ),
            *each(
                "SELECT * FROM lake.db.resources_and_times_of_calls"
                " WHERE arn = 'arn:aws:s3:::production-{:05d}/data'",
                range(40, 4000, 800),
                user="security",
                **SPARK,
            ),
        ],
        expected=(Expected("unclustered_column", ("event_time",), (0.7, 0.84), True, False),),
        allowed=(Expected("truncated_bounds", ("arn",), statements=False),),
        never=("PARTITION FIELD", "sort_order => 'arn"),
    ),
    # In order of devices as a whole, a load's days would be in all files.
    Pair(
        "loads_in_order_of_unmeasured_devices",
        loads_of_devices,
        [
            *each(
                "SELECT * FROM lake.db.loads_in_order_of_unmeasured_devices"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n % 10 * 6 * DAY), instant((n % 10 + 1) * 6 * DAY)) for n in range(40)],
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.loads_in_order_of_unmeasured_devices WHERE device = {}",
                range(50, 900, 100),
                user="support",
            ),
        ],
        expected=(Expected("no_column_metrics", ("device",), statements=False),),
        tempting={"unclustered_column": "nobody can tell, without bounds"},
        never=("PARTITION FIELD", "ORDERED BY", "rewrite_data_files"),
    ),
    # All pages that are asked for begin alike.
    Pair(
        "pages_of_three_hosts",
        pages_of_hosts,
        each(
            "SELECT sum(hits) FROM lake.db.pages_of_three_hosts"
            " WHERE url = 'https://www.example-{}.org/{:05d}'",
            [("abc"[n % 3], n * 300) for n in range(1, 30)],
        ),
        expected=(Expected("truncated_bounds", ("url",), (0.9, 0.99), True, False),),
        tempting={"unclustered_column": "longer bounds come first"},
        never=("PARTITION FIELD",),
    ),
    # Files begin with one account, as every other row is of it.
    Pair(
        "accounts_beside_that_of_cash",
        accounts,
        each(
            "SELECT sum(cents) FROM lake.db.accounts_beside_that_of_cash"
            " WHERE account = 'AT{:016d}'",
            [n * 1_111_111_111_111 for n in range(5, 900, 40)],
        ),
        expected=(Expected("unclustered_column", ("account",), (0.9, 0.99), True, False),),
        tempting={"truncated_bounds": "accounts differ within what bounds keep"},
        never=("PARTITION FIELD", "SET TBLPROPERTIES"),
    ),
)
