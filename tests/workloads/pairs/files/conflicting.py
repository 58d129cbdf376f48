"""Groups of queries that wish for different orders of one table: who loses, and how much."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)


def turbines() -> Layout:
    """30 days of six files each, in order of time, with any of 2,000 turbines in each."""
    draw = rng(8881)
    count = 180 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 30 * DAY, count))),
                "turbine": draw.integers(0, 2000, count),
            }
        ),
        "days(ts)",
    )


def claims() -> Layout:
    """12 months of eight files each, in order of providers within a month."""
    draw = rng(8882)
    count = 96 * FILE_ROWS
    providers = np.sort(draw.integers(0, 800, count))
    return laid_out(
        table(
            {
                "served_at": times(draw.uniform(0, 365 * DAY, count)),
                "provider": providers,
                "member": texts(draw.integers(0, 40_000, count), "M-{:09d}"),
            }
        ),
        "months(served_at)",
    )


def genes() -> Layout:
    """64 files, in order of nothing."""
    draw = rng(8883)
    count = 64 * FILE_ROWS
    return laid_out(
        table(
            {
                "position": draw.integers(0, 4096, count),
                "quality": draw.integers(0, 4096, count),
            }
        )
    )


def jobs() -> Layout:
    """40 files in order of time, of which one row in a hundred failed."""
    draw = rng(8884)
    count = 40 * FILE_ROWS
    states = np.array(["DONE", "FAILED", "QUEUED", "RETRIED"])
    return laid_out(
        table(
            {
                "started_at": times(np.sort(draw.uniform(0, 40 * DAY, count))),
                "state": texts(states[draw.choice(4, count, p=[0.9, 0.01, 0.05, 0.04])]),
                "worker": draw.integers(0, 64, count),
            }
        )
    )


def members() -> Layout:
    """60 files of members in order of nothing."""
    draw = rng(8885)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "member_no": draw.permutation(count),
                "points": draw.integers(0, 5000, count),
            }
        )
    )


_HOUR = "SELECT count(*) FROM lake.db.{name} WHERE ts >= TIMESTAMP '{{}}' AND ts < TIMESTAMP '{{}}'"
_HOURS = [
    (instant(30 * DAY - (n % 48 + 1) * 3600), instant(30 * DAY - n % 48 * 3600)) for n in range(400)
]

PAIRS = (
    # Six files of each day for a turbine, one for an hour: what one wins, the others lose.
    Pair(
        "turbines_and_many_hours",
        turbines,
        [
            *each(_HOUR.format(name="turbines_and_many_hours"), _HOURS),
            *each(
                "SELECT * FROM lake.db.turbines_and_many_hours WHERE turbine = {}",
                range(11, 2000, 200),
            ),
        ],
        allowed=(
            Expected("no_partition_filter", ("turbine",), statements=False),
            Expected("unclustered_column", ("turbine",), statements=False),
            Expected("row_groups_not_pruned", ("turbine",), statements=False),
        ),
        tempting={"partitions_too_coarse": "files of a day are in order of time"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # With few hours it is turbines that win.
    Pair(
        "turbines_and_few_hours",
        turbines,
        [
            *each(_HOUR.format(name="turbines_and_few_hours"), _HOURS[:30]),
            *each(
                "SELECT * FROM lake.db.turbines_and_few_hours WHERE turbine = {}",
                range(11, 2000, 100),
            ),
        ],
        expected=(
            Expected(
                "no_partition_filter|unclustered_column", ("turbine",), (0.6, 0.85), True, False
            ),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
    # Providers read one file of each month, as they were laid out for.
    Pair(
        "claims_of_providers_and_members",
        claims,
        [
            *each(
                "SELECT * FROM lake.db.claims_of_providers_and_members WHERE provider = {}",
                range(800),
            ),
            *each(
                "SELECT * FROM lake.db.claims_of_providers_and_members WHERE member = 'M-{:09d}'",
                range(77, 40_000, 2000),
            ),
        ],
        allowed=(
            Expected("no_partition_filter", ("member",), statements=False),
            Expected("unclustered_column", ("member",), statements=False),
            Expected("misaligned_partitioning", ()),
            Expected("no_partition_filter|unclustered_column", ("provider",)),
        ),
        never=("ORDERED BY member", "ORDERED BY zorder"),
    ),
    # Either one alone: each order serves half, and a curve serves both.
    Pair(
        "genes_by_one_or_the_other",
        genes,
        [
            *each(
                "SELECT count(*) FROM lake.db.genes_by_one_or_the_other"
                " WHERE position BETWEEN {} AND {}",
                [(n, n + 20) for n in range(5, 4000, 130)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.genes_by_one_or_the_other"
                " WHERE quality BETWEEN {} AND {}",
                [(n, n + 20) for n in range(5, 4000, 130)],
            ),
        ],
        expected=(Expected("unclustered_column", ("position|quality",), (0.4, 0.9), True, False),),
        allowed=(Expected("unclustered_column", ("position|quality",), statements=False),),
        never=("PARTITION FIELD",),
    ),
    # Failures first, and time within them: by failures alone, a day would be in all files.
    Pair(
        "failures_and_days",
        jobs,
        [
            *each(
                "SELECT worker, count(*) FROM lake.db.failures_and_days WHERE state = 'FAILED'"
                " AND worker = {} GROUP BY worker",
                range(50),
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.failures_and_days"
                " WHERE started_at >= TIMESTAMP_NTZ '{}'",
                [instant((39 - n % 3) * DAY) for n in range(100)],
                **SPARK,
            ),
        ],
        expected=(Expected("unclustered_column", ("state",), (0.45, 0.95), True, False),),
        never=(r"ORDERED BY (state|worker|zorder\(state, worker\))( ASC.*)?$",),
    ),
    # What reads all reads all, and still most is read by lookups.
    Pair(
        "members_and_few_summaries",
        members,
        [
            *repeated("SELECT sum(points) FROM lake.db.members_and_few_summaries", 10),
            *each(
                "SELECT * FROM lake.db.members_and_few_summaries WHERE member_no = {}",
                range(5, 36_000, 300),
            ),
        ],
        expected=(Expected("unclustered_column", ("member_no",), (0.8, 0.93), True, False),),
        never=("PARTITION FIELD",),
    ),
    # Eight in a hundred bytes are read by lookups, which an order serves, and nobody loses by it.
    Pair(
        "members_and_many_summaries",
        members,
        [
            *repeated("SELECT sum(points) FROM lake.db.members_and_many_summaries", 100),
            *each(
                "SELECT * FROM lake.db.members_and_many_summaries WHERE member_no = {}",
                range(5, 36_000, 4000),
            ),
        ],
        allowed=(Expected("unclustered_column", ("member_no",), (0, 0.1)),),
        never=("PARTITION FIELD",),
    ),
)
