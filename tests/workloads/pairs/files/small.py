"""Small files, and manifests."""

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
    rng,
    scaled,
    table,
    times,
)

MEDIUM = scaled(128 * 1024)


def many_small() -> Layout:
    """300 files, each a twentieth of a whole one, in order of time."""
    seconds = np.sort(rng(101).uniform(0, 30 * DAY, 300 * 40))
    return laid_out(
        table({"ts": times(seconds), "amount": np.arange(len(seconds))}),
        file_rows=40,
        commits=4,
        properties=MEDIUM,
    )


def newest_small() -> Layout:
    """29 days of two whole files each, and today's 150 small ones."""
    past = table({"ts": times(np.sort(rng(102).uniform(0, 29 * DAY, 58 * 1_200)))}, seed=1)
    today = table({"ts": times(np.sort(rng(103).uniform(29 * DAY, 30 * DAY, 150 * 20)))}, seed=2)
    days = ("days(ts)",)
    return Layout(
        (Commit(loaded(past, days, 1_200), days), Commit(loaded(today, days, 20), days)),
        days,
        MEDIUM,
    )


def loads_of_all_days() -> Layout:
    """25 loads, each of which wrote a whole file to each of 12 days, so every manifest has all."""
    seconds = rng(104).uniform(0, 12 * DAY, 12 * 25 * 100)
    return laid_out(
        table({"ts": times(seconds), "amount": np.arange(len(seconds))}, row_bytes=100),
        "days(ts)",
        file_rows=200,
        commits=25,
        properties={
            "write.target-file-size-bytes": "12000",
            "read.split.open-file-cost": "100",
            "commit.manifest.target-size-bytes": "8000",
        },
    )


def loads_of_a_day() -> Layout:
    """25 loads, each of a day of 12 files."""
    seconds = np.sort(rng(105).uniform(0, 25 * DAY, 12 * 25 * 100))
    return laid_out(
        table({"ts": times(seconds), "amount": np.arange(len(seconds))}, row_bytes=100),
        "days(ts)",
        file_rows=100,
        commits=25,
        properties={
            "write.target-file-size-bytes": "12000",
            "read.split.open-file-cost": "100",
            "commit.manifest.target-size-bytes": "8000",
        },
    )


def whole_files() -> Layout:
    """120 whole files in order of time."""
    seconds = np.sort(rng(106).uniform(0, 30 * DAY, 120 * FILE_ROWS))
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}))


PAIRS = (
    # Half of 300 files for each scan, where five would hold the rows.
    Pair(
        "many_small",
        many_small,
        each(
            "SELECT sum(amount) FROM lake.db.many_small"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 15) * DAY)) for n in range(15)],
        ),
        expected=(Expected("small_files", (), None, True, False, ("rewrite_data_files",)),),
        tempting={"unclustered_column": "files are in order of ts"},
    ),
    # Only what was written today needs to be compacted: a rewrite of all is 20 times the work.
    Pair(
        "newest_small",
        newest_small,
        each(
            "SELECT count(*) FROM lake.db.newest_small WHERE ts >= TIMESTAMP '{}'",
            [instant((28 + n / 20) * DAY) for n in range(15)],
        ),
        expected=(Expected("small_files", (), None, True, False, (r"where\s*=>",)),),
        tempting={
            "partitions_too_fine": "days are whole but for the newest",
            "unclustered_column": "files are in order of ts",
        },
    ),
    # 25 files of 300 for a day, but all manifests to find them.
    Pair(
        "loads_of_all_days",
        loads_of_all_days,
        each(
            "SELECT sum(amount) FROM lake.db.loads_of_all_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(12)],
        ),
        expected=(Expected("scattered_manifests", (), None, True, False, ("rewrite_manifests",)),),
        tempting={
            "small_files": "files are of their size",
            "partitions_too_fine": "25 files each",
        },
    ),
    Pair(
        "loads_of_a_day",
        loads_of_a_day,
        each(
            "SELECT sum(amount) FROM lake.db.loads_of_a_day"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(25)],
        ),
        tempting={"scattered_manifests": "a day is in one manifest", "small_files": "whole files"},
    ),
    Pair(
        "whole_files",
        whole_files,
        each(
            "SELECT sum(amount) FROM lake.db.whole_files"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 27) * DAY)) for n in range(3)],
        ),
        tempting={"small_files": "files are whole", "scattered_manifests": "there is one manifest"},
    ),
)
