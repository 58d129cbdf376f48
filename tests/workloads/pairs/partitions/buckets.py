"""Buckets, and partitions of an earlier spec."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    each,
    instant,
    laid_out,
    loaded,
    repeated,
    rng,
    scaled,
    table,
    times,
)

COUNT = 40 * FILE_ROWS


def bucketed() -> Layout:
    """Eight buckets of five files each, with any ids of the bucket in each."""
    ids = rng(91).integers(0, 100_000, COUNT)
    return laid_out(table({"id": ids, "amount": np.arange(COUNT)}), "bucket(8, id)")


def twice_bucketed() -> Layout:
    """A file of each of eight buckets of senders and eight of receivers."""
    draw = rng(94)
    count = 64 * FILE_ROWS
    columns = {name: draw.integers(0, 1_000_000, count) for name in ("sender", "receiver")}
    return laid_out(table(columns), "bucket(8, sender)", "bucket(8, receiver)")


SENDERS = range(0, 10_000, 1000)


def respecified() -> Layout:
    """32 files that were written before the table had partitions, with any days in each; then ten
    days by partition."""
    old = table({"ts": times(rng(92).uniform(0, 30 * DAY, 32 * FILE_ROWS))}, seed=1)
    new = table({"ts": times(rng(93).uniform(30 * DAY, 40 * DAY, 10 * FILE_ROWS))}, seed=2)
    return Layout(
        (
            Commit(loaded(old, (), FILE_ROWS)),
            Commit(loaded(new, ("days(ts)",), FILE_ROWS), ("days(ts)",)),
        ),
        ("days(ts)",),
        scaled(),
    )


def respecified_in_order() -> Layout:
    """The same; what is old is in order of time."""
    old = table({"ts": times(np.sort(rng(94).uniform(0, 30 * DAY, 32 * FILE_ROWS)))}, seed=1)
    new = table({"ts": times(rng(95).uniform(30 * DAY, 40 * DAY, 10 * FILE_ROWS))}, seed=2)
    return Layout(
        (
            Commit(loaded(old, (), FILE_ROWS)),
            Commit(loaded(new, ("days(ts)",), FILE_ROWS), ("days(ts)",)),
        ),
        ("days(ts)",),
        scaled(),
    )


def dropped_field() -> Layout:
    """A table of version 1 whose field was dropped, which leaves `void` in the spec; rewritten in
    order of customers since."""
    customers = np.sort(rng(96).integers(0, 10_000, COUNT))
    rows = table({"customer_id": customers, "region": customers % 3})
    empty = Commit((), ("region",))
    return Layout((empty, Commit(loaded(rows, (), FILE_ROWS))), (), scaled(), format_version=1)


IDS = range(50, 100_000, 7_000)
RANGES = [(n, n + 999) for n in range(0, 100_000, 7_000)]

PAIRS = (
    # 1 % of ids is in every bucket: all 40 files, of which one or two would do in order of ids;
    # eight, in order within buckets.
    Pair(
        "bucketed_ranges",
        bucketed,
        each("SELECT * FROM lake.db.bucketed_ranges WHERE id BETWEEN {} AND {}", RANGES),
        expected=(Expected("range_on_bucketed_column", ("id",), (0.75, 0.98), True, False),),
        tempting={
            "unclustered_column": "the bytes are those of the bucketed column",
            "misaligned_partitioning": "queries read the field's column",
        },
    ),
    # What other days ask is not known: the buckets stay, and rows are sorted in them.
    Pair(
        "bucketed_ranges_one_window",
        bucketed,
        each("SELECT * FROM lake.db.bucketed_ranges_one_window WHERE id BETWEEN {} AND {}", RANGES),
        expected=(Expected("range_on_bucketed_column", ("id",), (0.7, 0.98), True, False),),
        tempting={"unclustered_column": "the bytes are those of the bucketed column"},
        never=("DROP", "REPLACE PARTITION FIELD"),
        days=1,
    ),
    # A bucket of eight for one id: five files of 40, of which a sort in the bucket leaves one.
    Pair(
        "bucketed_lookups",
        bucketed,
        each("SELECT * FROM lake.db.bucketed_lookups WHERE id = {}", IDS),
        expected=(Expected("unclustered_column", ("id",), (0.7, 0.85), True, False),),
        tempting={"range_on_bucketed_column": "single values are what buckets are for"},
        never=("DROP",),
    ),
    # Ranges are 14 scans of 40 files, lookups 14 of five. Buckets stay for the lookups; a sort
    # within leaves ranges eight files, and lookups one.
    Pair(
        "bucketed_both",
        bucketed,
        [
            *each("SELECT * FROM lake.db.bucketed_both WHERE id BETWEEN {} AND {}", RANGES),
            *each("SELECT * FROM lake.db.bucketed_both WHERE id = {}", IDS),
        ],
        expected=(Expected("range_on_bucketed_column", ("id",), (0.6, 0.9), True, False),),
        # The same sort serves the lookups.
        allowed=(Expected("unclustered_column", ("id",), (0.0, 0.12)),),
        never=("DROP",),
    ),
    # Of eight buckets three ids are in three at most, which a list says; that is most of what 14
    # scans of 40 files read. The sort within is for the lookups, five files each.
    Pair(
        "bucketed_lists_and_lookups",
        bucketed,
        [
            *each(
                "SELECT * FROM lake.db.bucketed_lists_and_lookups WHERE id BETWEEN {} AND {}",
                [(low, low + 2) for low, _ in RANGES],
            ),
            *each("SELECT * FROM lake.db.bucketed_lists_and_lookups WHERE id = {}", IDS),
        ],
        expected=(
            Expected("range_on_bucketed_column", ("id",), (0.5, 0.65), False),
            Expected("unclustered_column", ("id",), (0.07, 0.12), True, False),
        ),
        never=("DROP",),
    ),
    # A day of the old time is in all 32 old files; rewritten it is one.
    Pair(
        "days_of_old_files",
        respecified,
        each(
            "SELECT count(*) FROM lake.db.days_of_old_files"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 30, 3)],
        ),
        expected=(Expected("old_spec_files", ("ts",), (0.9, 0.98), True, False),),
        tempting={
            "unclustered_column": "the partitions that the table has will do it",
            "no_partition_filter": "the filter is on the partition column",
        },
    ),
    # Nobody asks for old days, and bounds rule them out.
    Pair(
        "days_of_new_files",
        respecified,
        each(
            "SELECT count(*) FROM lake.db.days_of_new_files"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(30, 40)],
        ),
        tempting={"old_spec_files": "old files are never read"},
    ),
    # Old files are in order of time: a day is one file or two, as with partitions.
    Pair(
        "old_files_in_order",
        respecified_in_order,
        each(
            "SELECT count(*) FROM lake.db.old_files_in_order"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 27, 3)],
        ),
        allowed=(Expected("old_spec_files", ("ts",), (0.0, 0.35)),),
        tempting={"unclustered_column": "files are in order of ts"},
    ),
    Pair(
        "dropped_field",
        dropped_field,
        each("SELECT * FROM lake.db.dropped_field WHERE customer_id = {}", range(13, 10_000, 500)),
        tempting={
            "misaligned_partitioning": "void is no field",
            "no_partition_filter": "void is no field",
            "old_spec_files": "no file is of the old spec",
        },
    ),
    # No row is asked for at all.
    Pair(
        "counted_buckets",
        bucketed,
        repeated("SELECT count(*), sum(amount) FROM lake.db.counted_buckets", 10),
        allowed=(Expected("misaligned_partitioning", (), None, None),),
        tempting={"no_partition_filter": "all rows are wanted"},
        never=("DROP",),
        days=1,
    ),
    # Two buckets of senders, and one of receivers, of eight: a third of the files, or more,
    # as each SELECT reads its own.
    Pair(
        "two_senders_or_a_receiver",
        twice_bucketed,
        each(
            "SELECT * FROM lake.db.two_senders_or_a_receiver"
            " WHERE sender = {} OR sender = {} OR receiver = {}",
            [(number, number + 10, number + 20) for number in SENDERS],
        ),
        expected=(Expected("or_across_columns", ("sender", "receiver"), (0.6, 0.75), False),),
        rewritten={
            "or_across_columns": [
                *each(
                    "SELECT * FROM lake.db.two_senders_or_a_receiver"
                    " WHERE sender = {} OR sender = {}",
                    [(number, number + 10) for number in SENDERS],
                ),
                *each(
                    "SELECT * FROM lake.db.two_senders_or_a_receiver WHERE receiver = {}",
                    [number + 20 for number in SENDERS],
                ),
            ]
        },
        never=("DROP",),
    ),
)
