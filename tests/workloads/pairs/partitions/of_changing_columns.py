"""Tables of which statements change values, or only add rows: partitions by such values would have
rows move between them."""

from __future__ import annotations

from itertools import pairwise

from tests.scenarios.lake import Query
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
MONTHS = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365)
DECEMBER = instant(334 * DAY)


def parcels(*partition: str) -> Layout:
    """Parcels of three depots in no order, each with the time of a year when it was seen last."""
    draw = rng(51_001)
    return laid_out(
        table(
            {
                "seen_at": times(draw.uniform(0, 365 * DAY - 1, COUNT)),
                "parcel": draw.integers(0, 20_000, COUNT),
                "depot": texts(draw.integers(0, 3, COUNT), "D{}"),
            }
        ),
        *partition,
    )


def parcels_in_depots() -> Layout:
    """Parcels, of which each depot has 20 files."""
    return parcels("depot")


def _months(name: str) -> list[Query]:
    return each(
        f"SELECT count(*) FROM lake.db.{name}"
        " WHERE seen_at >= TIMESTAMP '{}' AND seen_at < TIMESTAMP '{}'",
        [(instant(start * DAY), instant(end * DAY)) for start, end in pairwise(MONTHS)] * 3,
    )


def _one_by_one(name: str) -> list[Query]:
    return each(
        f"SELECT * FROM lake.db.{name} WHERE parcel = {{}} AND seen_at >= TIMESTAMP '{DECEMBER}'",
        range(0, 20_000, 1_000),
    )


def _merged(name: str, what: str) -> list[Query]:
    return repeated(
        f"MERGE INTO lake.db.{name} AS t USING stage.db.scans AS s ON t.parcel = s.parcel {what}",
        2,
        **SPARK,
    )


INSERT = "WHEN NOT MATCHED THEN INSERT *"
UNSORTED = Expected("unclustered_column", ("parcel",), None, False)
MERGES = Expected("runtime_only", (), None, False)

PAIRS = (
    Pair(
        "parcels_seen_again",
        parcels,
        [
            *_months("parcels_seen_again"),
            *_one_by_one("parcels_seen_again"),
            *_merged("parcels_seen_again", f"WHEN MATCHED THEN UPDATE SET * {INSERT}"),
        ],
        expected=(
            Expected("unclustered_column", ("seen_at",), (0.8, 0.95), True, False, ("ORDERED BY",)),
        ),
        allowed=(UNSORTED, MERGES),
        never=("PARTITION FIELD",),
    ),
    # Without an update, months serve most of these without a byte beside.
    Pair(
        "parcels_seen_once",
        parcels,
        [
            *_months("parcels_seen_once"),
            *_one_by_one("parcels_seen_once"),
            *_merged("parcels_seen_once", INSERT),
        ],
        expected=(
            Expected("unclustered_column", ("seen_at",), (0.8, 0.97), True, False, ("months",)),
        ),
        allowed=(UNSORTED, MERGES),
    ),
    Pair(
        "parcels_of_depots_seen_again",
        parcels_in_depots,
        [
            *_months("parcels_of_depots_seen_again"),
            *each(
                "UPDATE lake.db.parcels_of_depots_seen_again SET seen_at = current_timestamp"
                " WHERE parcel = {} AND depot = 'D1'",
                range(0, 20_000, 4_000),
            ),
        ],
        expected=(
            Expected(
                "no_partition_filter|unclustered_column",
                ("seen_at",),
                (0.7, 0.95),
                True,
                False,
                ("ORDERED BY",),
            ),
        ),
        allowed=(UNSORTED, Expected("misaligned_partitioning", ("seen_at",), None, True, False)),
        never=("PARTITION FIELD",),
    ),
)
