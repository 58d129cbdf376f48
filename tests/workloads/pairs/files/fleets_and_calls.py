"""What devices, phones and meters write, and who asks for it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    ROW_BYTES,
    SPARK,
    SPARK_35,
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

HOUR = 3600
BY_DAY = ("days(ts)",)
CHECKPOINT_ROWS = 10
EPOCH_MILLIS = 1_767_225_600_000
DAY_MILLIS = DAY * 1000


def tracks() -> Layout:
    """20 days of five files each, in order of trucks within a day, which nothing declares."""
    draw = rng(8201)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 20 * DAY, count)),
                "truck": texts(np.sort(draw.integers(0, 500, count)), "TRUCK-{:05d}"),
                "speed": draw.random(count).astype(np.float32),
            }
        ),
        *BY_DAY,
    )


def calls() -> Layout:
    """14 days of eight files each, with any of 5,000 callers in each."""
    draw = rng(8202)
    count = 112 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 14 * DAY, count), "UTC"),
                "caller": texts(draw.integers(0, 5000, count) * 193, "+4917{:08d}"),
                "seconds": draw.integers(0, 3000, count).astype(np.int32),
            }
        ),
        *BY_DAY,
    )


def streamed() -> Layout:
    """15 days of a file of ten rows for each quarter of an hour."""
    commits = []
    for number in range(15):
        draw = rng(8210 + number)
        count = 96 * CHECKPOINT_ROWS
        rows = table(
            {
                "ts": times(np.sort(draw.uniform(number * DAY, (number + 1) * DAY - 1, count))),
                "kafka_offset": np.arange(count) + number * count,
                "device": texts(draw.integers(0, 300, count), "d-{}"),
            },
            number,
        )
        commits.append(Commit(tuple(cut(rows, CHECKPOINT_ROWS)), BY_DAY))
    return Layout(tuple(commits), BY_DAY, scaled())


def _stock(seed: int, first: int, last: int) -> tuple[pa.Table, ...]:
    """Three files a day, in order of articles within a day."""
    draw = rng(seed)
    count = (last - first) * 3 * FILE_ROWS
    rows = table(
        {
            "ts": times(draw.uniform(first * DAY, last * DAY, count)),
            "sku": texts(np.sort(draw.integers(0, 2000, count)), "SKU{:06d}"),
            "pieces": draw.integers(0, 50, count),
        },
        seed,
    )
    return loaded(rows, BY_DAY, FILE_ROWS)


def backfilled() -> Layout:
    """60 days that were loaded later, whose writer kept no bounds of articles, and 30 with them."""
    recent = Commit(_stock(8221, 60, 90), BY_DAY)
    older = Commit(_stock(8222, 0, 60), BY_DAY, unbounded=("sku",))
    return Layout((recent, older), BY_DAY, scaled())


def sessions() -> Layout:
    """30 days of three files each, of milliseconds since 1970."""
    draw = rng(8203)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "started_ms": np.sort(draw.integers(0, 30 * DAY_MILLIS, count)) + EPOCH_MILLIS,
                "player": draw.integers(0, 9000, count),
            }
        ),
        f"truncate({DAY_MILLIS}, started_ms)",
    )


def devices_and_channels() -> Layout:
    """60 files in order of time, of which the last 20 have a channel, which was added then."""
    draw = rng(8204)
    commits = []
    for number in range(6):
        count = 10 * FILE_ROWS
        columns = {
            "ts": times(np.sort(draw.uniform(number * 10 * DAY, (number + 1) * 10 * DAY, count))),
            "device": draw.integers(0, 4000, count),
        }
        columns |= {"channel": texts(draw.integers(0, 5, count), "channel-{}")} if number > 3 else {}
        width = ROW_BYTES + 8 * (len(columns) - 2)
        rows = table(columns, number, width)
        commits.append(Commit(tuple(cut(rows, FILE_ROWS))))
    return Layout(tuple(commits), (), scaled())


PAIRS = (
    # A truck's days are in a file each, and maps want whole days.
    Pair(
        "trucks_in_order_of_days",
        tracks,
        [
            *each(
                "SELECT * FROM lake.db.trucks_in_order_of_days WHERE truck = 'TRUCK-{:05d}'"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n * 9, instant(n % 17 * DAY), instant((n % 17 + 3) * DAY)) for n in range(1, 40)],
                user="dispatch",
            ),
            *each(
                "SELECT truck, avg(speed) FROM lake.db.trucks_in_order_of_days"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY truck",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 20, 2)],
                user="maps",
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.trucks_in_order_of_days WHERE truck = 'TRUCK-{:05d}'",
                range(5, 500, 70),
                user="claims",
                **SPARK_35,
            ),
            *each(
                "SELECT max(speed) FROM lake.db.trucks_in_order_of_days WHERE ts >= TIMESTAMP '{}'",
                [instant(19 * DAY + n * HOUR) for n in (20, 21, 22, 23)],
                user="alerts",
            ),
        ],
        # The last hours are in five files, where one or two would do, and trucks lose thrice that.
        allowed=(Expected("unclustered_column", ("ts",), statements=False),),
        tempting={
            "no_partition_filter": "a truck is in one file of each day",
            "partitions_too_coarse": "an hour has a fifth of a file",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Whoever asks for callers reads eight files a day.
    Pair(
        "calls_of_callers",
        calls,
        [
            *each(
                "SELECT * FROM lake.db.calls_of_callers WHERE caller = '+4917{:08d}'"
                " AND ts >= TIMESTAMP '{} UTC' AND ts < TIMESTAMP '{} UTC'",
                [
                    (n * 193, instant(n % 7 * DAY), instant((n % 7 + 7) * DAY))
                    for n in range(7, 5000, 250)
                ],
                user="law",
            ),
            *each(
                "SELECT caller, sum(seconds) FROM lake.db.calls_of_callers"
                " WHERE caller LIKE '+49170{}%' AND ts >= TIMESTAMP '2026-01-01 00:00:00 UTC'"
                " GROUP BY caller",
                ["01", "02", "03", "05", "08"],
                user="fraud",
            ),
            *each(
                "SELECT * FROM lake.db.calls_of_callers WHERE ts >= TIMESTAMP '{} UTC'"
                " AND caller IN ('+4917{:08d}', '+4917{:08d}')",
                [(instant(0), n * 193, (4900 - n) * 193) for n in range(100, 1000, 90)],
                user="billing",
                **SPARK,
            ),
            *each(
                "SELECT count(*), sum(seconds) FROM lake.db.calls_of_callers"
                " WHERE ts >= TIMESTAMP '{} UTC' AND ts < TIMESTAMP '{} UTC'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(14)],
                user="rating",
                **SPARK_35,
            ),
        ],
        # 1,120, 560, 1,120 and 112 files.
        expected=(Expected("unclustered_column", ("caller",), (0.55, 0.84), True, False),),
        tempting={
            "truncated_bounds": "numbers are shorter",
            "like_without_prefix": "patterns begin with digits",
            "partitions_too_coarse": "whole days are asked for",
        },
        never=("PARTITION FIELD",),
    ),
    # Two days are 192 files of ten rows, which four would hold.
    Pair(
        "checkpoints_of_quarter_hours",
        streamed,
        [
            *each(
                "SELECT device, count(*) FROM lake.db.checkpoints_of_quarter_hours"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY device",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(12)],
                user="bi",
            ),
            *each(
                "SELECT * FROM lake.db.checkpoints_of_quarter_hours WHERE ts >= TIMESTAMP '{}'",
                [instant(14 * DAY + n * HOUR) for n in range(20, 24)],
                user="alerts",
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.checkpoints_of_quarter_hours WHERE kafka_offset = {}",
                range(100, 14_000, 1500),
                user="support",
                **SPARK_35,
            ),
        ],
        expected=(Expected("small_files", (), statements=True),),
        tempting={
            "partitions_too_fine": "a day has one and a half files",
            "unclustered_column": "files are in order of times and offsets",
            "no_partition_filter": "an offset is in one file",
        },
        never=("PARTITION FIELD",),
    ),
    # An article is in one file of each recent day, and in all three of others, for want of bounds.
    Pair(
        "articles_of_a_backfill",
        backfilled,
        [
            *each(
                "SELECT * FROM lake.db.articles_of_a_backfill WHERE sku = 'SKU{:06d}'",
                range(11, 2000, 130),
                user="buyer",
            ),
            *each(
                "SELECT * FROM lake.db.articles_of_a_backfill WHERE sku = 'SKU{:06d}'"
                " AND ts >= TIMESTAMP '{}'",
                [(n, instant(83 * DAY)) for n in range(3, 2000, 200)],
                user="shop",
                **SPARK,
            ),
            *each(
                "SELECT sum(pieces) FROM lake.db.articles_of_a_backfill"
                " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
                [(instant(n * 30 * DAY), instant((n + 1) * 30 * DAY)) for n in range(3)],
                user="audit",
                **SPARK_35,
            ),
        ],
        # 16 scans of 210 files or so, of which 90 to 100 would do; others read 340 in all.
        expected=(Expected("no_column_metrics", ("sku",), (0.4, 0.56), True, False),),
        # Orders of the newest days would win less, and are left.
        allowed=(Expected("unclustered_column", ("sku",), None, False),),
        tempting={"old_spec_files": "all files are of one partitioning"},
        never=("PARTITION FIELD",),
    ),
    # Ranges of milliseconds have their days; times that are made of them have not.
    Pair(
        "sessions_of_milliseconds",
        sessions,
        [
            *each(
                "SELECT * FROM lake.db.sessions_of_milliseconds"
                " WHERE started_ms >= {} AND started_ms < {}",
                [
                    (EPOCH_MILLIS + n * DAY_MILLIS, EPOCH_MILLIS + (n + 1) * DAY_MILLIS)
                    for n in range(0, 30, 3)
                ],
                user="etl",
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.sessions_of_milliseconds"
                " WHERE from_unixtime(started_ms / 1000) >= TIMESTAMP '{} UTC'"
                " AND from_unixtime(started_ms / 1000) < TIMESTAMP '{} UTC'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(1, 29, 4)],
                user="analyst",
            ),
        ],
        expected=(Expected("wrapped_column", ("started_ms",), (0.85, 0.96), False, True),),
        tempting={
            "partitions_too_coarse": "whole days are asked for",
            "unclustered_column": "they are in order",
        },
        never=("PARTITION FIELD",),
    ),
    # 40 files lack the column, and are kept. In order of channels, times would be anywhere.
    Pair(
        "channels_since_they_are_there",
        devices_and_channels,
        [
            *each(
                "SELECT count(*) FROM lake.db.channels_since_they_are_there"
                " WHERE channel = 'channel-{}'",
                range(5),
                user="product",
            ),
            *each(
                "SELECT device, count(*) FROM lake.db.channels_since_they_are_there"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY device",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(3, 59, 2)],
                user="bi",
                **SPARK,
            ),
            *each(
                "SELECT device FROM lake.db.channels_since_they_are_there"
                " WHERE channel = 'channel-{}' AND ts >= TIMESTAMP_NTZ '{}'",
                [(n, instant(57 * DAY)) for n in range(5)],
                user="product",
                **SPARK_35,
            ),
        ],
        expected=(Expected("no_column_metrics|unclustered_column", ("channel",)),),
        never=("PARTITION FIELD", "ORDERED BY channel", "sort_order => 'channel"),
    ),
)
