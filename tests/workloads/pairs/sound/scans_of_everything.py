"""Scans that have to look at everything, or nearly."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa

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

COUNT = 60 * FILE_ROWS


def payments() -> Layout:
    """60 files as they came. No amount is negative, and nobody lacks an address."""
    draw = rng(7501)
    cents = draw.integers(1, 10_000_000, COUNT)
    return laid_out(
        table(
            {
                "payment_id": draw.permutation(COUNT),
                "amount": pa.array(
                    [Decimal(int(value)).scaleb(-2) for value in cents], pa.decimal128(12, 2)
                ),
                "email": texts(draw.integers(0, 9000, COUNT), "user{}@example.com"),
            }
        )
    )


def examples() -> Layout:
    """60 days of a file each. One of 20 rows has no label."""
    draw = rng(7502)
    labels = draw.integers(0, 2, COUNT).astype(object)
    labels[draw.random(COUNT) < 0.05] = None
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 60 * DAY, COUNT)),
                "label": pa.array(labels, pa.int32()),
                "entity_id": draw.integers(0, 4000, COUNT),
            }
        ),
        "days(ts)",
    )


def visits() -> Layout:
    """30 days of two files each, with any of 3,000 users in each."""
    draw = rng(7503)
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 30 * DAY, COUNT)),
                "user_id": draw.integers(0, 3000, COUNT),
            }
        ),
        "days(ts)",
    )


def _forgotten() -> list[str]:
    draw = rng(7504)
    return [
        ", ".join(str(number) for number in draw.choice(3000, 300, replace=False)) for _ in range(6)
    ]


PAIRS = (
    # What is looked for is nowhere, and bounds say so; the rest has to count everything.
    Pair(
        "checks_of_the_quality_of_data",
        payments,
        [
            *repeated(
                "SELECT count(*) FROM lake.db.checks_of_the_quality_of_data WHERE amount < 0",
                6,
                user="dq",
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.checks_of_the_quality_of_data WHERE email IS NULL",
                6,
                user="dq",
            ),
            *repeated(
                "SELECT count(*), count(DISTINCT payment_id)"
                " FROM lake.db.checks_of_the_quality_of_data",
                6,
                user="dq",
            ),
            *repeated(
                "SELECT payment_id FROM lake.db.checks_of_the_quality_of_data"
                " GROUP BY payment_id HAVING count(*) > 1",
                6,
                user="dq",
                **SPARK,
            ),
        ],
        tempting={
            "unclustered_column": "what is asked for is in no file",
            "no_column_metrics": "bounds are there",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Up to a day of the last ten, and nearly all of these rows have labels.
    Pair(
        "trained_on_nearly_everything",
        examples,
        [
            *each(
                "SELECT * FROM lake.db.trained_on_nearly_everything"
                " WHERE ts < TIMESTAMP_NTZ '{}' AND label IS NOT NULL",
                [instant(n * DAY) for n in range(50, 60)],
                user="ml",
                **SPARK,
            ),
            *repeated(
                "SELECT label, count(*) FROM lake.db.trained_on_nearly_everything"
                " WHERE label IN (0, 1) GROUP BY label",
                4,
                user="ml",
            ),
        ],
        tempting={
            "unclustered_column": "nearly all rows match",
            "no_partition_filter": "nearly all rows match",
            "partitions_too_fine": "a day fills a file",
            "misaligned_partitioning": "days are asked for",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # A tenth of all users is in every file, whatever the order of rows within a day.
    Pair(
        "users_forgotten_by_hundreds",
        visits,
        each(
            "DELETE FROM lake.db.users_forgotten_by_hundreds WHERE user_id IN ({})",
            _forgotten(),
            user="gdpr",
            **SPARK,
        ),
        allowed=(Expected("misaligned_partitioning", (), statements=False),),
        tempting={
            "long_in_list": "a shorter list would be in every file as well",
            "no_partition_filter": "they are in every file",
            "unclustered_column": "they are in every file",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # What a spine asks for is known once it was read.
    Pair(
        "features_for_a_spine",
        examples,
        repeated(
            "SELECT f.entity_id, f.label FROM lake.db.features_for_a_spine f"
            " JOIN ml.public.spine s ON f.entity_id = s.entity_id AND f.ts <= s.asked_at",
            5,
            user="ml",
        ),
        # Where the range of the spine is known before, it may be written beside.
        expected=(Expected("runtime_only", (), None, False),),
        tempting={
            "no_partition_filter": "no literal is there",
            "unclustered_column": "no literal is there",
            "misaligned_partitioning": "no filter shows what joins use",
        },
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
)
