"""Tables that are laid out as they should be, for what is asked of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)
from tests.workloads.unseen.truth import Change, sound
from tests.workloads.unseen_second.asked import windows, within


def days_of_scores() -> Layout:
    """90 days of one file; scores are anywhere."""
    draw = rng(86001)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "scored_on": dates(np.repeat(np.arange(90), FILE_ROWS)),
                "score": draw.integers(0, 100_000, count),
                "model": draw.integers(0, 9, count),
            }
        ),
        "scored_on",
    )


def tide_gauge() -> Layout:
    """80 files in order of time."""
    draw = rng(86002)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "gauged_at": times(np.sort(draw.uniform(0, 80 * DAY, count))),
                "station": draw.integers(0, 30, count),
                "millimetres": draw.integers(0, 9000, count),
            }
        )
    )


def stock_snapshots() -> Layout:
    """120 dates of a tenth of a file, each overwritten by a job of its own."""
    draw = rng(86003)
    return laid_out(
        table(
            {
                "snapshot_on": dates(np.repeat(np.arange(120), 70)),
                "article": draw.integers(0, 70, 120 * 70),
                "units": draw.integers(0, 900, 120 * 70),
            }
        ),
        "snapshot_on",
    )


def ledger_periods() -> Layout:
    """Six months of 16 files, which month's end overwrites, in order of time inside."""
    draw = rng(86004)
    count = 96 * FILE_ROWS
    seconds = np.sort(draw.uniform(0, 180 * DAY, count))
    return laid_out(
        table(
            {
                "period": texts((seconds // (30 * DAY)).astype(int) + 1, "2026-{:02d}"),
                "booked_at": times(seconds),
                "account": draw.integers(0, 4000, count),
            }
        ),
        "period",
    )


def visits_of_days_and_buckets() -> Layout:
    """24 days in four buckets of users, a file each."""
    draw = rng(86005)
    count = 96 * FILE_ROWS
    return laid_out(
        table(
            {
                "visited_at": times(np.sort(draw.uniform(0, 24 * DAY, count))),
                "user_id": draw.integers(0, 9000, count),
            }
        ),
        "days(visited_at)",
        "bucket(4, user_id)",
    )


def pumps_of_months_then_days() -> Layout:
    """60 files of two months under an old spec, in order of time, and 15 days of two files."""
    draw = rng(86006)
    count = 90 * FILE_ROWS
    seconds = np.sort(draw.uniform(0, 74 * DAY, count))
    rows = table({"read_at": times(seconds), "pump": draw.integers(0, 300, count)})
    border = int(np.searchsorted(seconds, 59 * DAY))
    old = laid_out(rows[:border], "months(read_at)")
    new = laid_out(rows[border:], "days(read_at)")
    return replace(new, commits=(*old.commits, *new.commits))


def workspaces() -> Layout:
    """16 workspaces of five files, by whose name they are partitioned, without any bounds of it."""
    draw = rng(86007)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "workspace": texts(draw.permutation(np.arange(count) % 16), "space-{:02d}"),
                "size": draw.integers(0, 9000, count),
            }
        ),
        "workspace",
        properties={"write.metadata.metrics.column.workspace": "none"},
    )


def rates_by_country() -> Layout:
    """60 countries, each a seventh of a file."""
    draw = rng(86008)
    return laid_out(
        table(
            {
                "country": texts(np.repeat(np.arange(60), 85), "C{:02d}"),
                "rate": draw.integers(1, 900, 60 * 85),
            }
        ),
        "country",
    )


def loans_in_buckets() -> Layout:
    """Ten buckets of branches of ten files, in order of the borrower inside."""
    draw = rng(86009)
    count = 100 * FILE_ROWS
    return laid_out(
        table(
            {
                "branch": draw.integers(0, 200, count),
                "borrower": np.sort(draw.integers(0, 50_000, count)),
                "cents": draw.integers(1, 90_000, count),
            }
        ),
        "bucket(10, branch)",
    )


def queue_of_attempts() -> Layout:
    """70 files in order of the job; how often it was tried changes all day."""
    draw = rng(86010)
    count = 70 * FILE_ROWS
    return laid_out(
        table(
            {
                "job_id": np.arange(count),
                "attempts": np.minimum(draw.geometric(0.6, count), 8),
                "worker": draw.integers(0, 40, count),
            }
        )
    )


PAIRS = (
    sound(
        "days_of_scores",
        days_of_scores,
        [
            *each(
                "SELECT count(*) FROM lake.db.days_of_scores WHERE score BETWEEN {} AND {}",
                [(n * 6007 % 95_000, n * 6007 % 95_000 + 4000) for n in range(15)],
            ),
            *each(
                "SELECT model, avg(score) FROM lake.db.days_of_scores WHERE scored_on = DATE '{}' GROUP BY model",
                [day(n % 90) for n in range(500)],
            ),
        ],
        "A day is a file, and 500 queries read one each. Whatever would put scores together, as months sorted by "
        "score, takes more from these than 15 queries of a range could win: 15 * 90 = 1,350 against 500 * 30.",
    ),
    sound(
        "tide_gauge",
        tide_gauge,
        each(
            f"SELECT station, max(millimetres) FROM lake.db.tide_gauge WHERE {within('gauged_at')} GROUP BY station",
            windows((n * 0.77 % 74 for n in range(100)), 5.3),
        ),
        "Rows are in order of time, and windows begin at any hour: 6 of 80 files, of which five are needed.",
    ),
    sound(
        "stock_snapshots",
        stock_snapshots,
        [
            *each(
                "SELECT article, units FROM lake.db.stock_snapshots WHERE snapshot_on >= DATE '{}'"
                " AND snapshot_on < DATE '{}'",
                [(day(n), day(n + 28)) for n in range(80)],
                **SPARK,
            ),
            *each(
                "INSERT OVERWRITE TABLE lake.db.stock_snapshots PARTITION (snapshot_on = DATE '{}')"
                " SELECT article, units, payload FROM stage.db.stock_now",
                [day(119), day(118), day(117)],
                **SPARK,
            ),
        ],
        "Dates are small partitions, but each is overwritten by itself, and no byte is read in vain.",
    ),
    sound(
        "ledger_periods",
        ledger_periods,
        [
            *each(
                "SELECT account, count(*) FROM lake.db.ledger_periods WHERE period = '2026-{:02d}'"
                f" AND {within('booked_at')} GROUP BY account",
                [(n % 6 + 1, *windows([n % 6 * 30 + n * 0.7 % 17], 12.6)[0]) for n in range(96)],
                **SPARK,
            ),
            *repeated(
                "INSERT OVERWRITE TABLE lake.db.ledger_periods PARTITION (period = '2026-06')"
                " SELECT booked_at, account, payload FROM stage.db.period_end",
                2,
                **SPARK,
            ),
        ],
        "Windows are read from months in order of time: 7 or 8 of 16 files; months are overwritten.",
    ),
    sound(
        "visits_of_days_and_buckets",
        visits_of_days_and_buckets,
        [
            *each(
                "SELECT * FROM lake.db.visits_of_days_and_buckets WHERE user_id = {}"
                f" AND {within('visited_at')}",
                [(n * 71 % 9000, *one) for n, one in enumerate(windows(n % 24 for n in range(48)))],
            ),
            *each(
                "SELECT count(*) FROM lake.db.visits_of_days_and_buckets"
                f" WHERE {within('visited_at')}",
                windows(n % 24 for n in range(120)),
            ),
        ],
        "A user's day is one file, and a day four, all of whose rows match.",
    ),
    sound(
        "pumps_of_months_then_days",
        pumps_of_months_then_days,
        each(
            f"SELECT pump, count(*) FROM lake.db.pumps_of_months_then_days WHERE {within('read_at')} GROUP BY pump",
            windows((n * 0.83 % 70 for n in range(140)), 2.9),
        ),
        "Files of the old spec are in order of time, so that bounds do for them what days do for the others: "
        "a window is 3 or 4 files in either.",
    ),
    sound(
        "workspaces",
        workspaces,
        each(
            "SELECT sum(size) FROM lake.db.workspaces WHERE workspace = 'space-{:02d}'",
            [n % 16 for n in range(112)],
        ),
        "Partitions by name need no bounds of it; a workspace's five files are all wanted.",
        r"PARTITION FIELD",
        r"ORDERED BY",
        r"rewrite_data_files",
        r"metrics",
    ),
    sound(
        "rates_by_country",
        rates_by_country,
        each(
            "SELECT rate FROM lake.db.rates_by_country WHERE country = 'C{:02d}'",
            [n * 7 % 60 for n in range(180)],
        ),
        "A country is one small file, and every query reads one. Larger files would hold others' rows.",
    ),
    sound(
        "loans_in_buckets",
        loans_in_buckets,
        [
            *each(
                "SELECT sum(cents) FROM lake.db.loans_in_buckets WHERE branch = {}",
                [n * 7 % 200 for n in range(100)],
            ),
            *each(
                "SELECT * FROM lake.db.loans_in_buckets WHERE borrower = {}",
                [n * 463 % 50_000 for n in range(100)],
            ),
        ],
        "Ten buckets of branches in order of borrowers leave either group 10 of 100 files, the least for "
        "both; a sort by one of them gives a tenth to one and takes nine from the other.",
        r"DROP PARTITION FIELD|REPLACE PARTITION FIELD",
        r"ORDERED BY `?(branch|cents)",
        r"zorder\(",
        also_fine=(
            Change(
                "partition",
                ("borrower",),
                "bucket(10..16, borrower) beside: less to read, in smaller files",
            ),
        ),
    ),
    sound(
        "queue_of_attempts",
        queue_of_attempts,
        [
            *each(
                "UPDATE lake.db.queue_of_attempts SET attempts = attempts + 1 WHERE job_id = {}",
                [n * 67 % 42_000 for n in range(620)],
                **SPARK,
            ),
            *repeated(
                "SELECT worker, count(*) FROM lake.db.queue_of_attempts WHERE attempts >= 5 GROUP BY worker",
                8,
                **SPARK,
            ),
        ],
        "Attempts change with every UPDATE, which would undo any order by them, and which finds its job in one "
        "file: 620 * 1 against 8 * 70.",
    ),
)
