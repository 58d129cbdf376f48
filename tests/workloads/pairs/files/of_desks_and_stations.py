"""Files of ferries, late claims, old measurements and streams, and who asks for them."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    day,
    each,
    instant,
    laid_out,
    loaded,
    rng,
    scaled,
    table,
    times,
)

COUNT = 60 * FILE_ROWS


def ferries() -> Layout:
    """60 files in no order of bookings or of any of 40 vessels."""
    draw = rng(91_301)
    return laid_out(
        table({"booking_no": draw.permutation(COUNT), "vessel_no": draw.integers(0, 40, COUNT)})
    )


def claims() -> Layout:
    """20 days of four files each in which claims came in; most happened within a day before, three
    of a hundred up to 20 days."""
    draw = rng(91_302)
    count = 80 * FILE_ROWS
    received = draw.uniform(30 * DAY, 50 * DAY, count)
    delay = draw.uniform(0, 1, count) * np.where(draw.random(count) < 0.97, DAY, 20 * DAY)
    return laid_out(
        table({"received_at": times(received), "happened_at": times(received - delay)}),
        "days(received_at)",
    )


def glaciers() -> Layout:
    """60 files of two months, of 45 days, and 15 days of a file each since days are partitions."""
    draw = rng(91_303)
    old = table({"ts": times(draw.uniform(0, 45 * DAY, COUNT))}, seed=1)
    new = table({"ts": times(draw.uniform(45 * DAY, 60 * DAY, 12_000))}, seed=2)
    months, days = ("months(ts)",), ("days(ts)",)
    return Layout(
        (
            Commit(loaded(old, months, FILE_ROWS), months),
            Commit(loaded(new, days, FILE_ROWS), days),
        ),
        days,
        scaled(),
    )


def weather_stations() -> Layout:
    """40 files in order of 40 days, and 20 days of a file each since days are partitions."""
    draw = rng(91_304)
    seconds = np.sort(draw.uniform(0, 60 * DAY, COUNT))
    rows = table({"ts": times(seconds), "station": draw.integers(0, 80, COUNT)})
    edge = int(np.searchsorted(seconds, 40 * DAY))
    days = ("days(ts)",)
    return Layout(
        (
            Commit(tuple(cut(rows.slice(0, edge), FILE_ROWS))),
            Commit(loaded(rows.slice(edge), days, FILE_ROWS), days),
        ),
        days,
        scaled(),
    )


def bids() -> Layout:
    """Ten days of six files each, of each of which three commits deleted a row."""
    draw = rng(91_305)
    rows = table(
        {"auction_on": dates(draw.integers(0, 10, COUNT)), "bid_id": draw.permutation(COUNT)}
    )
    fields = ("auction_on",)
    deletes = Commit((), fields, deletes=True)
    files = loaded(rows, fields, FILE_ROWS)
    return Layout((Commit(files, fields), deletes, deletes, deletes), fields, scaled())


def buoys() -> Layout:
    """20 days of two files each, and three of about 110, as they were streamed."""
    draw = rng(91_306)
    merged = table({"ts": times(draw.uniform(0, 20 * DAY, 24_000))}, seed=1)
    streamed = table({"ts": times(np.sort(draw.uniform(20 * DAY, 23 * DAY, 3600)))}, seed=2)
    days = ("days(ts)",)
    return Layout(
        (
            Commit(loaded(merged, days, FILE_ROWS), days),
            Commit(loaded(streamed, days, 11), days),
        ),
        days,
        scaled(),
    )


def gates() -> Layout:
    """60 files in order of gates; a writer kept no bounds of them in 40 of these."""
    rows = table({"gate_id": np.sort(rng(91_307).integers(0, 3000, COUNT))})
    files = tuple(cut(rows, FILE_ROWS))
    return Layout((Commit(files[:20]), Commit(files[20:], unbounded=("gate_id",))), (), scaled())


PAIRS = (
    # A sort by either leaves two files of 60, and nearly nothing for the other desk.
    Pair(
        "ferries_for_two_desks",
        ferries,
        [
            *each(
                "SELECT * FROM lake.db.ferries_for_two_desks WHERE booking_no = {}",
                range(5, COUNT, 1800),
                user="desk",
            ),
            *each(
                "SELECT count(*) FROM lake.db.ferries_for_two_desks WHERE vessel_no = {}",
                range(0, 40, 2),
                user="port",
            ),
        ],
        expected=(
            Expected("unclustered_column", ("booking_no|vessel_no",), (0.42, 0.9), True, False),
        ),
        allowed=(
            Expected("unclustered_column", ("booking_no|vessel_no",), statements=False),
            Expected("row_groups_not_pruned", ("booking_no",)),
        ),
        never=("PARTITION FIELD",),
    ),
    # What happened on a day is in all files of all days since, for the few that came in late. In
    # order of when it happened these would be in one of four. Loads want their day as it is.
    Pair(
        "loads_and_late_claims",
        claims,
        [
            *each(
                "SELECT count(*) FROM lake.db.loads_and_late_claims"
                " WHERE happened_at >= TIMESTAMP '{}' AND happened_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(32, 49)],
                user="actuary",
            ),
            *each(
                "SELECT * FROM lake.db.loads_and_late_claims"
                " WHERE received_at >= TIMESTAMP '{}' AND received_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(30, 50)],
                user="etl",
            ),
        ],
        expected=(Expected("no_partition_filter", ("happened_at",), (0.4, 0.72), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={
            "unclustered_column": "it is the same loss",
            "partitions_too_coarse": "loads ask for whole days",
        },
        never=("DROP", "REPLACE", "ADD PARTITION FIELD"),
    ),
    # A day of the first month is in 41 files, and would be in one.
    Pair(
        "glaciers_measured_daily",
        glaciers,
        each(
            "SELECT count(*) FROM lake.db.glaciers_measured_daily"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(1, 60, 2)],
        ),
        expected=(Expected("old_spec_files", ("ts",), (0.85, 0.98), True, False),),
        tempting={
            "partitions_too_coarse": "partitions are days by now",
            "unclustered_column": "it is the same loss",
            "no_partition_filter": "days are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Old files have no partitions, and lie in order of time.
    Pair(
        "stations_since_the_change",
        weather_stations,
        each(
            "SELECT station, count(*) FROM lake.db.stations_since_the_change"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY station",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(1, 60, 2)],
        ),
        tempting={
            "old_spec_files": "bounds of the old files tell days apart",
            "unclustered_column": "rows are in order of time",
        },
        never=("PARTITION FIELD", "ORDERED BY", "rewrite_data_files"),
    ),
    # Three delete files for each data file.
    Pair(
        "bids_withdrawn",
        bids,
        each(
            "SELECT count(*) FROM lake.db.bids_withdrawn WHERE auction_on = DATE '{}'",
            [day(number) for number in range(10)] * 2,
        ),
        expected=(Expected("many_deletes", (), None, True, False),),
        tempting={"small_files": "data files are as large as they should be"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A day that was streamed is 110 files; what is older was merged.
    Pair(
        "buoys_streamed_lately",
        buoys,
        [
            *each(
                "SELECT count(*) FROM lake.db.buoys_streamed_lately"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in (20, 21, 22)] * 6,
            ),
            *each(
                "SELECT count(*) FROM lake.db.buoys_streamed_lately"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 20, 2)],
            ),
        ],
        expected=(Expected("small_files", (), None, True, False, ("(?i)where",)),),
        tempting={
            "partitions_too_fine": "a day is two files, once they are merged",
            "partitions_too_coarse": "days are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Each lookup reads the 40 files of which nobody knows the gates.
    Pair(
        "gates_of_another_writer",
        gates,
        each(
            "SELECT count(*) FROM lake.db.gates_of_another_writer WHERE gate_id = {}",
            range(70, 3000, 150),
        ),
        expected=(Expected("no_column_metrics", ("gate_id",), (0.85, 0.98), True, False),),
        tempting={"unclustered_column": "rows are in order of gates"},
        never=("PARTITION FIELD",),
    ),
)
