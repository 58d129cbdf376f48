"""Logs, links and names of things that begin alike, and tables that came from Hive."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    day,
    day_text,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

HOUR = 3600
SNOWFLAKE_BITS = 22
HIVE_ROWS = 12


def lines_of_services() -> Layout:
    """Ten days of four services of three files each, in order of time."""
    draw = rng(8401)
    count = 120 * FILE_ROWS
    kinds = np.array(["timeout after 30 s", "ok", "retry 3 of 5", "connection reset"])
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 10 * DAY, count)), "UTC"),
                "service": texts(draw.integers(0, 4, count), "service-{}"),
                "trace_id": texts([draw.bytes(16).hex() for _ in range(count)]),
                "message": texts(kinds[draw.integers(0, 4, count)]),
            }
        ),
        "days(ts)",
        "service",
    )


def clicks() -> Layout:
    """30 days of 24 hours, each a partition of a file of twelve rows, as Hive had them."""
    draw = rng(8402)
    count = 720 * HIVE_ROWS
    hours = np.repeat(np.arange(720), HIVE_ROWS)
    return laid_out(
        table(
            {
                "dt": day_text(hours // 24),
                "hr": texts(hours % 24, "{:02d}"),
                "user_id": draw.integers(0, 4000, count),
            }
        ),
        "dt",
        "hr",
    )


def calls_of_resources() -> Layout:
    """60 files in order of resources, whose names differ after the 22nd character."""
    draw = rng(8403)
    count = 60 * FILE_ROWS
    numbers = np.sort(draw.integers(0, 4000, count))
    return laid_out(
        table(
            {
                "arn": texts(numbers, "arn:aws:s3:::production-{:05d}/data"),
                "event_time": times(draw.uniform(0, 30 * DAY, count)),
                "code": draw.integers(200, 600, count).astype(np.int32),
            }
        )
    )


def pages() -> Layout:
    """40 files in order of paths, which differ within their first characters."""
    draw = rng(8404)
    count = 40 * FILE_ROWS
    shops = np.sort(draw.integers(0, 900, count))
    items = draw.integers(0, 10_000, count)
    paths = sorted(f"/s{s:04d}/items/{i:06d}.html" for s, i in zip(shops, items, strict=True))
    return laid_out(table({"path": texts(paths), "hits": draw.integers(0, 90, count)}))


def posts() -> Layout:
    """40 days of two files each, by ids that begin with the time. Rows come as they were posted."""
    draw = rng(8405)
    count = 80 * FILE_ROWS
    seconds = np.sort(draw.uniform(0, 40 * DAY, count))
    ids = (seconds * 1000).astype(np.int64) << SNOWFLAKE_BITS
    return laid_out(
        table(
            {
                "posted_at": times(seconds, "UTC"),
                "post_id": ids + draw.integers(0, 4000, count),
                "author": draw.integers(0, 5000, count),
            }
        ),
        "days(posted_at)",
    )


PAIRS = (
    # An hour is in one file of each service; which of them has a trace nobody can tell.
    Pair(
        "lines_of_traces_and_services",
        lines_of_services,
        [
            *each(
                "SELECT * FROM lake.db.lines_of_traces_and_services WHERE trace_id = '{:032x}'"
                " AND ts >= TIMESTAMP '{} UTC' AND ts < TIMESTAMP '{} UTC'",
                [
                    (n * 7919 << 90, instant(n * 9 * HOUR), instant((n * 9 + 1) * HOUR))
                    for n in range(1, 26)
                ],
                user="oncall",
            ),
            *each(
                "SELECT * FROM lake.db.lines_of_traces_and_services"
                " WHERE service = 'service-{}' AND message LIKE '%timeout%'"
                " AND ts >= TIMESTAMP '{} UTC' AND ts < TIMESTAMP '{} UTC'",
                [
                    (n % 4, instant(n * 11 * HOUR), instant((n * 11 + 2) * HOUR))
                    for n in range(1, 20)
                ],
                user="oncall",
                **SPARK,
            ),
            *each(
                "SELECT service, count(*) FROM lake.db.lines_of_traces_and_services"
                " WHERE ts >= TIMESTAMP '{} UTC' AND ts < TIMESTAMP '{} UTC' GROUP BY service",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(10)],
                user="bi",
                **SPARK_35,
            ),
        ],
        # A bloom filter of traces would do.
        allowed=(Expected("row_groups_not_pruned", ("trace_id",)),),
        tempting={
            "like_without_prefix": "hours rule out most of the table",
            "unclustered_column": "times are in order, and of an hour a file is the least",
            "truncated_bounds": "traces are at random from their first character",
            "no_partition_filter": "days are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Nobody asks for hours, which cut the table into files of twelve rows.
    Pair(
        "clicks_of_hive_by_hours",
        clicks,
        [
            *each(
                "SELECT count(*) FROM lake.db.clicks_of_hive_by_hours WHERE dt = '{}'",
                [day(n) for n in range(0, 30, 2)],
                user="bi",
            ),
            *each(
                "SELECT user_id, count(*) FROM lake.db.clicks_of_hive_by_hours"
                " WHERE dt BETWEEN '{}' AND '{}' GROUP BY user_id",
                [(day(n), day(n + 6)) for n in range(0, 24, 4)],
                user="science",
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.clicks_of_hive_by_hours WHERE dt >= '{}' AND user_id = {}",
                [(day(23), n) for n in range(1500, 2600, 250)],
                user="support",
                **SPARK_35,
            ),
        ],
        expected=(Expected("misaligned_partitioning|partitions_too_fine", (), statements=True),),
        allowed=(Expected("small_files", (), statements=False),),
        tempting={
            "no_partition_filter": "days are asked for",
        },
        # Rows of a day are sorted by users in the same rewrite: who asks for one whom a day has not
        # reads less.
        never=("PARTITION FIELD dt",),
    ),
    # Files are in order of resources, which bounds do not show.
    Pair(
        "calls_of_resources_by_their_names",
        calls_of_resources,
        [
            *each(
                "SELECT * FROM lake.db.calls_of_resources_by_their_names"
                " WHERE arn = 'arn:aws:s3:::production-{:05d}/data'",
                range(17, 4000, 160),
                user="security",
            ),
            *each(
                "SELECT code, count(*) FROM lake.db.calls_of_resources_by_their_names"
                " WHERE arn LIKE 'arn:aws:s3:::production-{:03d}%' GROUP BY code",
                range(3, 40, 8),
                user="owner",
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.calls_of_resources_by_their_names WHERE arn IN"
                " ('arn:aws:s3:::production-{:05d}/data', 'arn:aws:s3:::production-{:05d}/data')",
                [(n, n + 7) for n in range(100, 4000, 1000)],
                user="audit",
                **SPARK_35,
            ),
            *each(
                "SELECT count(*) FROM lake.db.calls_of_resources_by_their_names"
                " WHERE event_time >= TIMESTAMP '{}'",
                [instant(29 * DAY)] * 3,
                user="bi",
            ),
        ],
        # 34 scans of 37.
        expected=(Expected("truncated_bounds", ("arn",), (0.76, 0.92), True, False),),
        allowed=(Expected("unclustered_column", ("event_time",), statements=False),),
        tempting={
            "like_without_prefix": "patterns begin plainly",
            "row_groups_not_pruned": "files are of one row group",
        },
        never=("PARTITION FIELD", "ORDERED BY event_time"),
    ),
    Pair(
        "pages_in_order_of_paths",
        pages,
        [
            *each(
                "SELECT sum(hits) FROM lake.db.pages_in_order_of_paths"
                " WHERE path LIKE '/s{:04d}/%'",
                range(3, 900, 30),
                user="shop",
            ),
            *each(
                "SELECT hits FROM lake.db.pages_in_order_of_paths"
                " WHERE path = '/s{:04d}/items/{:06d}.html'",
                [(n, n * 7) for n in range(20, 900, 44)],
                user="editor",
                **SPARK,
            ),
            *each(
                "SELECT sum(hits) FROM lake.db.pages_in_order_of_paths"
                " WHERE path >= '/s{:04d}' AND path < '/s{:04d}'",
                [(n, n + 100) for n in range(0, 900, 300)],
                user="bi",
                **SPARK_35,
            ),
            *repeated("SELECT sum(hits) FROM lake.db.pages_in_order_of_paths", 2, user="bi"),
        ],
        tempting={
            "truncated_bounds": "the first 16 characters tell shops apart",
            "unclustered_column": "a shop is in one file or two",
            "like_without_prefix": "patterns begin plainly",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # An id has its time, and so has its file; who wrote what is asked for within a day.
    Pair(
        "posts_by_ids_of_times",
        posts,
        [
            *each(
                "SELECT * FROM lake.db.posts_by_ids_of_times WHERE post_id = {}",
                [(n * 50_000_000 << SNOWFLAKE_BITS) + 99 for n in range(1, 60, 2)],
                user="web",
            ),
            *each(
                "SELECT count(*) FROM lake.db.posts_by_ids_of_times"
                " WHERE post_id >= {} AND post_id < {}",
                [
                    (n * DAY * 1000 << SNOWFLAKE_BITS, (n + 1) * DAY * 1000 << SNOWFLAKE_BITS)
                    for n in range(0, 40, 4)
                ],
                user="etl",
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.posts_by_ids_of_times WHERE author = {}"
                " AND posted_at >= TIMESTAMP '{} UTC' AND posted_at < TIMESTAMP '{} UTC'",
                [(n * 400, instant(n * 3 * DAY), instant((n * 3 + 1) * DAY)) for n in range(12)],
                user="safety",
                **SPARK_35,
            ),
            *each(
                "SELECT author, count(*) FROM lake.db.posts_by_ids_of_times"
                " WHERE posted_at >= TIMESTAMP '{} UTC' GROUP BY author",
                [instant(33 * DAY)] * 3,
                user="bi",
            ),
        ],
        # Of an author's day one file of two would do, and ids and times lose as much.
        allowed=(
            Expected("unclustered_column", ("author",), statements=False),
            Expected("row_groups_not_pruned", ("author",)),
        ),
        tempting={
            "no_partition_filter": "files of days tell ids apart",
            "misaligned_partitioning": "and so do the partitions",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
