"""How rows of platforms arrive: late, in loads, as streams, in backfills, or as changes."""

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
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)

HOUR = 3600
BY_HOUR = ("hours(ts)",)


def telemetry() -> Layout:
    """30 days of arrival, of eight files each; one event in 25 is up to 20 days late."""
    draw = rng(8201)
    count = 240 * FILE_ROWS
    arrived = draw.uniform(20 * DAY, 50 * DAY, count)
    late = draw.uniform(0, 1, count) < 0.04
    delay = np.where(late, draw.uniform(0, 20 * DAY, count), draw.uniform(0, HOUR, count))
    return laid_out(
        table({"arrived_at": times(arrived), "event_at": times(arrived - delay)}),
        "days(arrived_at)",
    )


def scanned_parcels() -> Layout:
    """30 days of six files each. A parcel is scanned four times within three days, and numbers
    are given in order."""
    draw = rng(8202)
    count = 45 * FILE_ROWS
    sent = np.sort(draw.uniform(0, 27 * DAY, count))
    parcels = np.repeat(np.arange(count), 4)
    scanned = np.repeat(sent, 4) + draw.uniform(0, 3 * DAY, 4 * count)
    mixed = draw.permutation(4 * count)
    return laid_out(
        table({"scanned_at": times(scanned[mixed]), "parcel_id": 70_000_000 + parcels[mixed]}),
        "days(scanned_at)",
    )


def log_lines() -> Layout:
    """60 hours of two files each, and 36 since that have a file for each five minutes."""
    draw = rng(8203)
    old = table({"ts": times(draw.uniform(0, 60 * HOUR, 60 * 900))}, 8203)
    new = [
        table({"ts": times(draw.uniform(start, start + 300, 75))}, 9000 + number)
        for number, start in enumerate(range(60 * HOUR, 96 * HOUR, 300))
    ]
    commits = [Commit(loaded(old, BY_HOUR, 450), BY_HOUR)]
    commits += [Commit(tuple(new[at : at + 12]), BY_HOUR) for at in range(0, len(new), 12)]
    return Layout(tuple(commits), BY_HOUR, scaled())


def visits_filled() -> Layout:
    """70 days of a file each as they came, and 30 files since of any of these days."""
    draw = rng(8204)
    came = table({"ts": times(np.sort(draw.uniform(0, 70 * DAY, 70 * FILE_ROWS)))}, 8204)
    filled = table({"ts": times(draw.uniform(0, 70 * DAY, 30 * FILE_ROWS))}, 8205)
    commits = tuple(Commit(tuple(cut(rows, FILE_ROWS))) for rows in (came, filled))
    return Layout(commits, (), scaled())


def payments() -> Layout:
    """40 files in order of creation, by ids that begin with their time; some rows of the first 20
    were changed once."""
    draw = rng(8206)
    count = 40 * FILE_ROWS
    created = np.sort(draw.uniform(0, 40 * DAY, count))
    ids = [f"pay_{_millis(at):012x}{draw.integers(0, 2**32):08x}" for at in created]
    files = cut(table({"id": texts(ids), "created_at": times(created)}), FILE_ROWS)
    commits = (
        Commit(tuple(files[:20])),
        Commit(tuple(files[20:30]), deletes=True),
        Commit(tuple(files[30:])),
    )
    return Layout(commits, (), scaled())


def balances() -> Layout:
    """Twelve files in order of accounts, of each of which a row was changed eight times."""
    rows = table({"account_id": np.arange(12 * FILE_ROWS)})
    changed = tuple(Commit((), deletes=True) for _ in range(8))
    return Layout((Commit(tuple(cut(rows, FILE_ROWS))), *changed), (), scaled())


def _millis(seconds: float) -> int:
    return 1_767_225_600_000 + int(seconds * 1000)


def shipments() -> Layout:
    """Six months of ten files each. Those of the newest five days are on their way, and four of
    a thousand others never arrived."""
    draw = rng(8207)
    count = 60 * FILE_ROWS
    created = draw.uniform(0, 181 * DAY, count)
    lost = draw.uniform(0, 1, count) < 0.004
    missing = lost | (created > 176 * DAY)
    delivered = times(created + draw.uniform(DAY, 5 * DAY, count))
    kept = pa.array(np.where(missing, None, delivered.cast(pa.int64()).to_numpy()), pa.int64())
    return laid_out(
        table({"created_at": times(created), "delivered_at": kept.cast(pa.timestamp("us"))}),
        "months(created_at)",
    )


def matches() -> Layout:
    """Four seasons of 24 files each, as they were played."""
    draw = rng(8208)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "season": np.repeat(np.arange(9, 13), count // 4),
                "player_id": draw.integers(0, 6000, count),
                "mode": texts(np.where(draw.uniform(0, 1, count) < 0.6, "ranked", "casual")),
            }
        ),
        "season",
    )


PAIRS = (
    # A day of events is in eight files of its day, and in all files of the 20 days after. In
    # order, its late rows are in one file of each of these.
    Pair(
        "events_that_arrive_late",
        telemetry,
        [
            *each(
                "SELECT count(*) FROM lake.db.events_that_arrive_late"
                " WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(20, 50)] * 2,
            ),
            *each(
                "SELECT count(*) FROM lake.db.events_that_arrive_late"
                " WHERE arrived_at >= TIMESTAMP '{}' AND arrived_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(20, 50)],
            ),
        ],
        expected=(Expected("no_partition_filter", ("event_at",), (0.6, 0.88), True, False),),
        tempting={"partitions_too_coarse": "days of arrival are asked for as they are"},
        never=("PARTITION FIELD",),
    ),
    # Numbers are those of four days; in order, one file of each of these has one.
    Pair(
        "parcels_tracked_without_a_day",
        scanned_parcels,
        [
            *each(
                "SELECT * FROM lake.db.parcels_tracked_without_a_day WHERE parcel_id = {}",
                range(70_000_100, 70_027_000, 450),
            ),
            *each(
                "SELECT count(*) FROM lake.db.parcels_tracked_without_a_day"
                " WHERE scanned_at >= TIMESTAMP '{}' AND scanned_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(30)],
            ),
        ],
        expected=(Expected("no_partition_filter", ("parcel_id",), (0.55, 0.8), True, False),),
        tempting={"misaligned_partitioning": "days are asked for"},
        never=("PARTITION FIELD",),
    ),
    # 288 files a scan hold what 36 would.
    Pair(
        "last_day_of_a_stream",
        log_lines,
        [
            *each(
                "SELECT count(*) FROM lake.db.last_day_of_a_stream"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * HOUR), instant((n + 24) * HOUR)) for n in range(60, 73)] * 3,
            ),
            *each(
                "SELECT count(*) FROM lake.db.last_day_of_a_stream"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * HOUR), instant((n + 6) * HOUR)) for n in range(0, 54, 3)],
            ),
        ],
        expected=(Expected("small_files", (), statements=True),),
        tempting={
            "partitions_too_fine": "an hour is a file and a half",
            "unclustered_column": "whole hours are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A day is in one or two files as they came, and in all that were filled in.
    Pair(
        "visits_with_a_backfill",
        visits_filled,
        each(
            "SELECT count(*) FROM lake.db.visits_with_a_backfill"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(5, 65)],
        ),
        expected=(Expected("unclustered_column", ("ts",), (0.8, 0.95), True, False),),
    ),
    # Ids are in order of time, and 16 characters tell milliseconds.
    Pair(
        "payments_by_ids_of_their_time",
        payments,
        [
            *each(
                "SELECT * FROM lake.db.payments_by_ids_of_their_time WHERE id = '{}'",
                [f"pay_{_millis(n * 14_017):012x}deadbeef" for n in range(1, 240)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.payments_by_ids_of_their_time"
                " WHERE created_at >= TIMESTAMP '{}' AND created_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(38)],
            ),
        ],
        tempting={
            "unclustered_column": "files are in order of ids",
            "truncated_bounds": "what differs is within the bounds",
            "many_deletes": "fewer than data files",
            "row_groups_not_pruned": "a file has one",
        },
        never=("ORDERED BY", "PARTITION FIELD", "TBLPROPERTIES"),
    ),
    # A lookup reads a file, and eight of deletes.
    Pair(
        "balances_changed_eight_times",
        balances,
        each(
            "SELECT * FROM lake.db.balances_changed_eight_times WHERE account_id = {}",
            range(300, 12 * FILE_ROWS, 500),
        ),
        expected=(Expected("many_deletes", (), statements=True, says=("read 112 delete files",)),),
        tempting={"unclustered_column": "files are in order of it"},
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Nearly each file has one that never arrived: nulls that are put together are in one of ten,
    # and in a partition of their own where months of arrival are.
    Pair(
        "shipments_that_never_arrived",
        shipments,
        [
            *repeated(
                "SELECT * FROM lake.db.shipments_that_never_arrived WHERE delivered_at IS NULL", 30
            ),
            *each(
                "SELECT count(*) FROM lake.db.shipments_that_never_arrived"
                " WHERE created_at >= TIMESTAMP '{}' AND created_at < TIMESTAMP '{}'",
                [(instant(a * DAY), instant(b * DAY)) for a, b in ((0, 31), (31, 59), (59, 90))]
                * 4,
            ),
        ],
        expected=(Expected("no_partition_filter", ("delivered_at",), (0.6, 0.92), True, False),),
        allowed=(Expected("misaligned_partitioning", ("delivered_at",)),),
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
    # A player is in all files of a season, and would be in one.
    Pair(
        "players_of_a_season",
        matches,
        [
            *each(
                "SELECT * FROM lake.db.players_of_a_season WHERE season = {} AND player_id = {}",
                [(9 + n % 4, n * 73) for n in range(1, 81)],
            ),
            *each(
                "SELECT player_id, count(*) FROM lake.db.players_of_a_season"
                " WHERE season = {} AND mode = 'ranked' GROUP BY player_id",
                [9, 10, 11, 12, 12, 12, 12, 12, 12, 12],
            ),
        ],
        expected=(Expected("unclustered_column", ("player_id",), (0.7, 0.88), True, False),),
        tempting={"no_partition_filter": "seasons are asked for"},
        never=("PARTITION FIELD",),
    ),
)
