"""Tables that streams, loads and backfills write."""

from __future__ import annotations

import datetime as dt

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut, split
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    START,
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

BY_DAY = ("days(ts)",)
SCRAP_ROWS = 12
BACKFILL_ROWS = 100


def telemetry() -> Layout:
    """20 days of 100 files each, of a checkpoint's twelve rows, in order of time."""
    commits = []
    for number in range(20):
        draw = rng(7101 + number)
        count = 100 * SCRAP_ROWS
        rows = table(
            {
                "ts": times(np.sort(draw.uniform(number * DAY, (number + 1) * DAY - 1, count))),
                "vehicle_id": draw.integers(0, 500, count),
                "speed": draw.random(count).astype(np.float32),
            },
            number,
        )
        commits.append(Commit(tuple(cut(rows, SCRAP_ROWS)), BY_DAY))
    return Layout(tuple(commits), BY_DAY, scaled())


def _changes(seed: int, first: int, last: int) -> tuple[pa.Table, ...]:
    draw = rng(seed)
    count = (last - first) * FILE_ROWS
    rows = table(
        {
            "ts": times(draw.uniform(first * DAY, last * DAY, count)),
            "order_id": draw.integers(0, 1 << 40, count),
        },
        seed,
    )
    return loaded(rows, BY_DAY, FILE_ROWS)


def corrected_once() -> Layout:
    """Ten days whose files have eight delete files each, and 40 later days that have none."""
    old = Commit(_changes(7121, 0, 10), BY_DAY)
    deletes = [Commit((), BY_DAY, deletes=True) for _ in range(8)]
    return Layout((old, *deletes, Commit(_changes(7122, 10, 50), BY_DAY)), BY_DAY, scaled())


def raw_orders() -> Layout:
    """Three months of a file for each day, as they were loaded."""
    draw = rng(7123)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "_loaded_at": times(np.sort(draw.uniform(0, 90 * DAY, count))),
                "order_id": draw.integers(0, 1 << 40, count),
            }
        ),
        "months(_loaded_at)",
    )


def backfilled() -> Layout:
    """24 loads of a file for each of 30 days. A manifest of the target size has those of 30."""
    commits = []
    for number in range(24):
        draw = rng(7130 + number)
        count = 30 * BACKFILL_ROWS
        rows = table({"ts": times(draw.uniform(0, 30 * DAY, count)), "n": np.arange(count)}, number)
        commits.append(Commit(tuple(split(rows, BY_DAY)), BY_DAY))
    properties = {"commit.manifest.target-size-bytes": "9000"}
    return Layout(tuple(commits), BY_DAY, {**scaled(100 * BACKFILL_ROWS), **properties})


def log_lines() -> Layout:
    """80 files in order of time, which is a text, but for ten minutes."""
    draw = rng(7124)
    count = 80 * FILE_ROWS
    seconds = np.sort(draw.uniform(0, 60 * DAY, count)) + draw.uniform(0, 600, count)
    return laid_out(
        table({"event_time": iso(seconds), "status": draw.integers(200, 600, count)}),
    )


def iso(seconds: npt.NDArray[np.float64]) -> pa.Array:
    """Times as ISO has them, with a zone."""
    moments = (START + dt.timedelta(seconds=float(second)) for second in seconds)
    return pa.array([f"{moment:%Y-%m-%dT%H:%M:%SZ}" for moment in moments], pa.string())


def contacts() -> Layout:
    """50 files in order of change. Rows of the last two are not synchronised yet."""
    draw = rng(7125)
    count = 50 * FILE_ROWS
    changed = np.sort(draw.uniform(0, 50 * DAY, count))
    pending = pa.array(np.arange(count) >= 48 * FILE_ROWS)
    synced = times(changed + 600)
    return laid_out(
        table(
            {
                "updated_at": times(changed),
                "synced_at": pa.array(
                    np.where(pending, None, synced.to_numpy(zero_copy_only=False).astype(object)),
                    synced.type,
                ),
                "contact_id": draw.integers(0, 5000, count),
            }
        )
    )


def clocks_not_set() -> Layout:
    """60 files in order of arrival. One device of a hundred has no clock, and says 1970."""
    draw = rng(7126)
    count = 60 * FILE_ROWS
    arrived = np.sort(draw.uniform(0, 60 * DAY, count))
    since_1970 = (START - dt.datetime(1970, 1, 1)).total_seconds()
    unset = draw.random(count) < 0.01
    return laid_out(
        table(
            {
                "measured_at": times(
                    np.where(unset, draw.uniform(0, 60, count) - since_1970, arrived)
                ),
                "sensor_id": draw.integers(0, 900, count),
            }
        )
    )


def one_market() -> Layout:
    """40 files in no order, of one market alone."""
    draw = rng(7127)
    count = 40 * FILE_ROWS
    return laid_out(
        table({"market": texts(["DE"] * count), "order_id": draw.integers(0, 1 << 40, count)})
    )


def _days(name: str, ranges: list[tuple[int, int]]) -> list[Query]:
    return each(
        f"SELECT count(*) FROM lake.db.{name} WHERE ts >= TIMESTAMP '{{}}'"
        " AND ts < TIMESTAMP '{}'",
        [(instant(first * DAY), instant(last * DAY)) for first, last in ranges],
    )


PAIRS = (
    # 300 files for three days, whose rows fill six.
    Pair(
        "telemetry_of_checkpoints",
        telemetry,
        _days("telemetry_of_checkpoints", [(n, n + 3) for n in range(17)]),
        expected=(Expected("small_files", (), None, True),),
        tempting={
            "partitions_too_fine": "a day fills two files",
            "unclustered_column": "whole days are asked for",
            "scattered_manifests": "a manifest is of a day",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # 80 delete files are there, and no scan reads one.
    Pair(
        "corrections_that_nobody_reads",
        corrected_once,
        _days("corrections_that_nobody_reads", [(n, n + 5) for n in range(10, 45, 2)]),
        tempting={"many_deletes": "they are of days that nobody asks for"},
        never=("rewrite_data_files", "rewrite_position_delete_files"),
    ),
    # A model asks for what came since it ran last: the newest file of 90.
    Pair(
        "models_every_half_hour",
        raw_orders,
        [
            *each(
                "SELECT * FROM lake.db.models_every_half_hour WHERE _loaded_at > TIMESTAMP '{}'",
                [instant(89 * DAY + n * 1800) for n in range(24)],
                user="dbt",
            ),
            *each(
                "SELECT * FROM lake.db.models_every_half_hour WHERE _loaded_at > TIMESTAMP '{}'",
                [instant(89.5 * DAY + n * 1800) for n in range(22)],
                user="dbt",
                **SPARK,
            ),
        ],
        tempting={
            "partitions_too_coarse": "bounds tell the newest file",
            "unclustered_column": "rows are in order of loads",
            "small_files": "one file is read",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A day is in 24 manifests of 24, which has room in one.
    Pair(
        "backfills_of_all_days",
        backfilled,
        _days("backfills_of_all_days", [(n, n + 1) for n in range(30)]),
        expected=(Expected("scattered_manifests", (), None, True),),
        tempting={
            "small_files": "files have the size of the target",
            "partitions_too_fine": "a day fills 24 files",
            "unclustered_column": "whole days are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # 16 characters of a time tell its minute.
    Pair(
        "iso_texts_as_they_arrive",
        log_lines,
        [
            *each(
                "SELECT count(*) FROM lake.db.iso_texts_as_they_arrive WHERE status >= 500"
                " AND event_time >= '2026-01-{:02d}T00:00:00Z'"
                " AND event_time < '2026-01-{:02d}T00:00:00Z'",
                [(n, n + 1) for n in range(2, 30, 3)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.iso_texts_as_they_arrive"
                " WHERE event_time BETWEEN '2026-02-{:02d}T06' AND '2026-02-{:02d}T18'",
                [(n, n) for n in range(2, 26, 3)],
                **SPARK,
            ),
        ],
        tempting={
            "truncated_bounds": "they end with the minute",
            "unclustered_column": "rows are in order of time",
            "type_mismatch": "texts are compared with texts",
        },
        never=("TBLPROPERTIES", "ORDERED BY", "PARTITION FIELD"),
    ),
    # Counts of nulls tell the two files that are wanted.
    Pair(
        "contacts_not_synchronised",
        contacts,
        [
            *repeated(
                "SELECT * FROM lake.db.contacts_not_synchronised WHERE synced_at IS NULL",
                20,
                user="sync",
            ),
            *each(
                "SELECT count(*) FROM lake.db.contacts_not_synchronised"
                " WHERE updated_at >= TIMESTAMP '{}' AND synced_at IS NULL",
                [instant(n * DAY) for n in range(40, 50)],
                **SPARK,
            ),
        ],
        tempting={
            "unclustered_column": "nulls lie together",
            "negated_condition": "what is null is asked for",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # What has no clock makes the least time of every file that of 1970.
    Pair(
        "clocks_that_were_not_set",
        clocks_not_set,
        each(
            "SELECT * FROM lake.db.clocks_that_were_not_set"
            " WHERE measured_at >= TIMESTAMP '{}' AND measured_at < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(1, 58, 3)],
        ),
        expected=(Expected("unclustered_column", ("measured_at",), (0.85, 0.98), True, False),),
        tempting={"no_column_metrics": "bounds are there, and wide"},
    ),
    # All rows are of the one market that is asked for.
    Pair(
        "markets_in_small_of_one_market",
        one_market,
        [
            *repeated(
                "SELECT count(*) FROM lake.db.markets_in_small_of_one_market"
                " WHERE lower(market) = 'de'",
                8,
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.markets_in_small_of_one_market WHERE market = 'DE'",
                8,
                **SPARK,
            ),
        ],
        tempting={
            "wrapped_column": "all rows match",
            "unclustered_column": "all rows match",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
)
