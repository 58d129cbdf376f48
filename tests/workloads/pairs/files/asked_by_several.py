"""Rows that lie well for one kind of question, or for none."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)


def labelled_images() -> Layout:
    """80 files in order of batches; three of a hundred images have a label, of any batch."""
    draw = rng(8701)
    count = 80 * FILE_ROWS
    labels = np.where(draw.uniform(0, 1, count) < 0.03, draw.integers(0, 10, count), -1)
    return laid_out(
        table(
            {
                "batch_id": np.arange(count) // 100,
                "label": pa.array(labels, mask=labels < 0),
            }
        )
    )


def shop_events() -> Layout:
    """100 files in no order: four of five events are views, one of a hundred a purchase."""
    draw = rng(8702)
    kinds = np.array(["view", "cart", "search", "purchase"])
    drawn = draw.choice(4, 100 * FILE_ROWS, p=(0.8, 0.1, 0.09, 0.01))
    return laid_out(
        table({"event_type": texts(kinds[drawn]), "user_id": draw.integers(0, 9000, len(drawn))})
    )


def tickets() -> Layout:
    """Six months of five files each in which tickets were closed, and 30 files of open ones."""
    draw = rng(8703)
    count = 60 * FILE_ROWS
    opened = draw.uniform(0, 180 * DAY, count)
    closed = np.where(np.arange(count) % 2, opened + draw.uniform(0, DAY, count), np.nan)
    micros = times(np.nan_to_num(closed)).cast(pa.int64()).to_numpy()
    return laid_out(
        table(
            {
                "opened_at": times(opened),
                "closed_at": pa.array(micros, mask=np.isnan(closed)).cast(pa.timestamp("us")),
            }
        ),
        "months(closed_at)",
    )


def in_order_of_regions() -> Layout:
    """60 files in order of six regions, and of time within each."""
    draw = rng(8704)
    count = 60 * FILE_ROWS
    regions, seconds = np.sort(draw.integers(0, 6, count)), draw.uniform(0, 60 * DAY, count)
    order = np.lexsort((seconds, regions))
    return laid_out(table({"region": texts(regions[order], "R{}"), "ts": times(seconds[order])}))


def _digest(number: int) -> str:
    return f"{4 * number:016x}{number % 65_521:016x}"


def by_digest() -> Layout:
    """60 files in order of digests, of any day."""
    draw = rng(8705)
    count = 60 * FILE_ROWS
    digests = np.sort(draw.integers(0, 2**62, count)).tolist()
    return laid_out(
        table(
            {
                "digest": texts(map(_digest, digests)),
                "seen_at": times(draw.uniform(0, 60 * DAY, count)),
            }
        )
    )


def _days_of(name: str, count: int) -> list[Query]:
    return each(
        f"SELECT count(*) FROM lake.db.{name}"
        " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
        [(instant(n % 59 * DAY), instant((n % 59 + 1) * DAY)) for n in range(count)],
    )


def prioritised() -> Layout:
    """60 files in no order of jobs of ten priorities."""
    draw = rng(8704)
    count = 60 * FILE_ROWS
    return laid_out(
        table({"priority": draw.integers(0, 10, count), "job_id": draw.permutation(count)})
    )


PAIRS = (
    # By priority, 50 %: the six files of one, and all 60 of a job. With jobs in order inside, these
    # are in one file of each priority (80 %), or of each three of them (88 %), the last of which is
    # alone in its range.
    Pair(
        "priorities_and_jobs",
        prioritised,
        [
            *repeated("SELECT * FROM lake.db.priorities_and_jobs WHERE priority >= 9", 30),
            *each(
                "SELECT * FROM lake.db.priorities_and_jobs WHERE job_id = {}",
                range(5, 36_000, 1_500),
            ),
        ],
        expected=(
            Expected(
                "unclustered_column",
                ("priority", "job_id"),
                (0.74, 0.9),
                True,
                False,
                (r"WRITE ORDERED BY truncate\(\d, priority\), job_id",),
            ),
        ),
        never=("PARTITION FIELD",),
    ),
    # Labels would be in three files of 80, which wins 3,080; batches are in one, or two, and would
    # be in about as many, as rows keep their order where labels are null.
    Pair(
        "images_with_a_label",
        labelled_images,
        [
            *repeated("SELECT * FROM lake.db.images_with_a_label WHERE label IS NOT NULL", 40),
            *each(
                "SELECT * FROM lake.db.images_with_a_label WHERE batch_id = {}", range(3, 480, 12)
            ),
        ],
        expected=(Expected("unclustered_column", ("label",), (0.55, 0.97), True, False),),
        never=("PARTITION FIELD",),
    ),
    # Purchases would be in one or two files, and views are four of five.
    Pair(
        "purchases_among_views",
        shop_events,
        [
            *repeated(
                "SELECT * FROM lake.db.purchases_among_views WHERE event_type = 'purchase'", 30
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.purchases_among_views WHERE event_type = 'view'", 30
            ),
        ],
        expected=(Expected("unclustered_column", ("event_type",), (0.45, 0.62), True, False),),
        allowed=(Expected("unclustered_column", ("event_type",)),),
        never=("PARTITION FIELD",),
    ),
    # Open ones are in a partition of 30 files, of which a week is in all.
    Pair(
        "open_tickets_of_a_week",
        tickets,
        [
            *each(
                "SELECT * FROM lake.db.open_tickets_of_a_week WHERE closed_at IS NULL"
                " AND opened_at >= TIMESTAMP '{}' AND opened_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 7) * DAY)) for n in range(0, 170, 5)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.open_tickets_of_a_week"
                " WHERE closed_at >= TIMESTAMP '{}' AND closed_at < TIMESTAMP '{}'",
                [(instant(0), instant(31 * DAY)), (instant(31 * DAY), instant(59 * DAY))] * 5,
            ),
        ],
        expected=(Expected("unclustered_column", ("opened_at",), (0.75, 0.93), True, False),),
        tempting={"no_partition_filter": "nulls are a partition"},
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
    # A day is in a file or two of each region, which by time wins 480 files; a region, in order of
    # time, would be in 60 in place of ten.
    Pair(
        "days_and_often_regions",
        in_order_of_regions,
        [
            *_days_of("days_and_often_regions", 100),
            *each(
                "SELECT * FROM lake.db.days_and_often_regions WHERE region = 'R{}'",
                [n % 6 for n in range(24)],
            ),
        ],
        allowed=(Expected("unclustered_column", ("ts",), statements=False),),
        never=("PARTITION FIELD", "ORDERED BY", "rewrite_data_files"),
    ),
    Pair(
        "days_and_rarely_regions",
        in_order_of_regions,
        [
            *_days_of("days_and_rarely_regions", 100),
            *each("SELECT * FROM lake.db.days_and_rarely_regions WHERE region = 'R{}'", (1, 4)),
        ],
        expected=(Expected("unclustered_column", ("ts",), (0.45, 0.8), True, False),),
    ),
    # Digests are random, and so is where their days lie; a lookup reads a file.
    Pair(
        "files_by_digest",
        by_digest,
        [
            *each(
                "SELECT * FROM lake.db.files_by_digest WHERE digest = '{}'",
                [_digest(int(n)) for n in rng(8706).integers(0, 2**62, 200)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.files_by_digest"
                " WHERE seen_at >= TIMESTAMP '{}' AND seen_at < TIMESTAMP '{}'",
                [(instant(0), instant(50 * DAY)), (instant(5 * DAY), instant(60 * DAY))],
            ),
        ],
        tempting={
            "unclustered_column": "digests are in order, and reports want nearly all days",
            "truncated_bounds": "half of the characters are kept, and tell",
        },
        never=("PARTITION FIELD", "ORDERED BY", "TBLPROPERTIES"),
    ),
)
