"""Features, notes and dates that most rows lack: columns without bounds, and with few values."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

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
    rng,
    scaled,
    table,
    texts,
    times,
)


def _features(count: int, order: np.ndarray, draw: np.random.Generator) -> pa.Table:
    zeros = pa.array(np.zeros(count, dtype=np.int32))
    return table(
        {
            "made_at": times(np.sort(draw.uniform(0, 30 * DAY, count))),
            **{f"feature_{n:03d}": zeros for n in range(108)},
            "entity_id": order,
        },
        row_bytes=972,
    )


def features_in_order() -> Layout:
    """110 columns, of which writers keep no bounds of the last ones, in order of the last one."""
    draw = rng(8861)
    count = 30 * FILE_ROWS
    return _unbounded(_features(count, np.sort(draw.integers(0, 6000, count)), draw))


def _unbounded(rows: pa.Table) -> Layout:
    """Rows in files whose writer kept bounds of the first hundred columns."""
    return Layout(
        (Commit(tuple(cut(rows, FILE_ROWS)), unbounded=tuple(rows.column_names[100:])),),
        (),
        scaled(),
    )


def features_of_times() -> Layout:
    """The same columns, in order of time alone."""
    draw = rng(8862)
    count = 30 * FILE_ROWS
    return _unbounded(_features(count, draw.integers(0, 6000, count), draw))


def notes() -> Layout:
    """130 days of a file each, which keep bounds of times alone."""
    draw = rng(8863)
    count = 130 * FILE_ROWS
    return laid_out(
        table(
            {
                "written_at": times(np.sort(draw.uniform(0, 130 * DAY, count))),
                "ward": texts(draw.integers(0, 20, count), "ward {:02d}"),
                "author": draw.integers(0, 800, count),
            }
        ),
        "days(written_at)",
        properties={
            "write.metadata.metrics.default": "none",
            "write.metadata.metrics.column.written_at": "full",
        },
    )


def subscribers() -> Layout:
    """40 files of subscribers by number, of whom one in fifty has left."""
    draw = rng(8864)
    count = 40 * FILE_ROWS
    left = draw.integers(0, 365, count)
    gone = draw.random(count) < 0.02
    return laid_out(
        table(
            {
                "subscriber": np.arange(count),
                "left_on": pa.array(
                    [day(int(n)) if g else None for n, g in zip(left, gone, strict=True)],
                    pa.date32(),
                ),
            }
        )
    )


def requests() -> Layout:
    """40 days of five files each, in order of time, of requests with ids at random."""
    draw = rng(8865)
    count = 40 * 5 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 40 * DAY, count))),
                "request_id": texts(
                    [draw.bytes(16).hex() for _ in range(count)],
                ),
            }
        ),
        "days(ts)",
    )


def trials() -> Layout:
    """Three years of 40 files each, in any order within a year."""
    draw = rng(8866)
    count = 120 * FILE_ROWS
    return laid_out(
        table(
            {
                "visited_on": dates(draw.integers(0, 3 * 365, count)),
                "site": draw.integers(0, 60, count),
            }
        ),
        "years(visited_on)",
    )


PAIRS = (
    # Rows are in order, and nothing tells: bounds of the column are enough.
    Pair(
        "features_beyond_a_hundred",
        features_in_order,
        each(
            "SELECT * FROM lake.db.features_beyond_a_hundred WHERE entity_id = {}",
            range(7, 6000, 200),
        ),
        expected=(Expected("no_column_metrics", ("entity_id",), (0.8, 0.98), True, False),),
        tempting={"unclustered_column": "rows are in order of it"},
        never=("PARTITION FIELD",),
    ),
    # Times have bounds, as one of the first columns.
    Pair(
        "features_of_the_newest_days",
        features_of_times,
        each(
            "SELECT entity_id, feature_007 FROM lake.db.features_of_the_newest_days"
            " WHERE made_at >= TIMESTAMP '{}'",
            [instant((29 - n % 3) * DAY) for n in range(30)],
        ),
        tempting={
            "no_column_metrics": "nobody asks for what has none",
            "unclustered_column": "files are in order of time",
        },
        never=("PARTITION FIELD", "ORDERED BY", "TBLPROPERTIES"),
    ),
    # A day is a file, whoever wrote in it.
    Pair(
        "notes_without_bounds",
        notes,
        [
            *each(
                "SELECT * FROM lake.db.notes_without_bounds WHERE written_at >= TIMESTAMP '{}'"
                " AND ward = 'ward {:02d}'",
                [(instant((129 - n % 2) * DAY), n % 20) for n in range(60)],
            ),
            *each(
                "SELECT author, count(*) FROM lake.db.notes_without_bounds"
                " WHERE written_at >= TIMESTAMP '{}' GROUP BY author",
                [instant((123 - n) * DAY) for n in range(4)],
            ),
        ],
        tempting={
            "no_column_metrics": "a day is one file with all wards in it",
            "unclustered_column": "a day is one file",
            "no_partition_filter": "days are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY", "TBLPROPERTIES"),
    ),
    # Who left in a week are a handful, and any file has some.
    Pair(
        "subscribers_who_left",
        subscribers,
        each(
            "SELECT * FROM lake.db.subscribers_who_left"
            " WHERE left_on >= DATE '{}' AND left_on < DATE '{}'",
            [(day(n), day(n + 30)) for n in range(5, 330, 13)],
        ),
        expected=(Expected("unclustered_column", ("left_on",), (0.85, 0.98), True, False),),
        never=("PARTITION FIELD",),
    ),
    # An hour is in one file or two of its day.
    Pair(
        "requests_within_an_hour",
        requests,
        each(
            "SELECT * FROM lake.db.requests_within_an_hour"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' AND request_id = '{}'",
            [
                (instant(n * 70_000), instant(n * 70_000 + 3600), f"{n * 2**128 // 48:032x}")
                for n in range(1, 48)
            ],
        ),
        tempting={
            "unclustered_column": "an hour is in one file",
            "partitions_too_coarse": "files of a day are in order of time",
            "row_groups_not_pruned": "a file is one row group of a few megabytes",
            "truncated_bounds": "ids differ in their first characters",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A month is asked for, and a year is read.
    Pair(
        "visits_of_months_in_years",
        trials,
        each(
            "SELECT site, count(*) FROM lake.db.visits_of_months_in_years"
            " WHERE visited_on >= DATE '{}' AND visited_on < DATE '{}' GROUP BY site",
            [
                (
                    f"202{6 + n // 12}-{n % 12 + 1:02d}-01",
                    f"202{6 + (n + 1) // 12}-{(n + 1) % 12 + 1:02d}-01",
                )
                for n in range(35)
            ],
        ),
        expected=(Expected("partitions_too_coarse", ("visited_on",), (0.8, 0.95), True, False),),
        tempting={"unclustered_column": "months are partitions of three files"},
    ),
)
