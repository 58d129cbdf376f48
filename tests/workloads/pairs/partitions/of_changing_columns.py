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


def orders() -> Layout:
    """Orders of three depots of five files each, in each of which orders of five states lie among
    each other: a state has less than three files, and a sort leaves it in parts of more."""
    draw = rng(51_002)
    count = 14 * FILE_ROWS
    return laid_out(
        table(
            {
                "order_id": draw.integers(0, 1_000_000, count),
                "depot": texts(draw.integers(0, 3, count), "D{}"),
                "state": texts(draw.integers(0, 5, count), "S{}"),
                "total": draw.normal(50, 9, count),
            }
        ),
        "depot",
    )


def _states(name: str) -> list[Query]:
    return each(f"SELECT sum(total) FROM lake.db.{name} WHERE state = 'S{{}}'", [*range(5)] * 5)


def _orders_merged(name: str, what: str) -> list[Query]:
    return repeated(
        f"MERGE INTO lake.db.{name} AS t USING stage.db.orders AS s ON t.order_id = s.order_id"
        f" {what} WHEN NOT MATCHED THEN INSERT *",
        2,
        **SPARK,
    )


def _updated(name: str, what: str) -> list[Query]:
    return repeated(f"UPDATE lake.db.{name} SET {what} WHERE state = 'S3'", 3)


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


IN_ORDER = (
    Expected("no_partition_filter", ("state",), (0.6, 0.78), True, False, ("ORDERED BY state",)),
    Expected(
        "misaligned_partitioning",
        ("depot", "state"),
        None,
        True,
        False,
        ("Not partitioned by state: UPDATE or MERGE changes the values",),
    ),
)
IN_STATES = (
    Expected("no_partition_filter", ("state",), (0.7, 0.82), True, False, ("depot WITH state",)),
    Expected(
        "misaligned_partitioning", ("depot", "state"), None, True, False, ("depot WITH state",)
    ),
)
ADDED = ("ADD PARTITION FIELD", "REPLACE PARTITION FIELD", "bucket\\(")

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
        never=("depot WITH state",),
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
        never=("depot WITH state",),
    ),
    Pair(
        "orders_whose_states_are_merged",
        orders,
        [
            *_states("orders_whose_states_are_merged"),
            *_orders_merged(
                "orders_whose_states_are_merged", "WHEN MATCHED THEN UPDATE SET state = s.state"
            ),
        ],
        expected=IN_ORDER,
        allowed=(MERGES,),
        never=ADDED,
    ),
    Pair(
        "orders_whose_states_are_updated",
        orders,
        [
            *_states("orders_whose_states_are_updated"),
            *_updated("orders_whose_states_are_updated", "state = 'S4'"),
        ],
        expected=IN_ORDER,
        never=ADDED,
    ),
    # Without these statements, states are what serves these queries best.
    Pair(
        "orders_whose_totals_are_merged",
        orders,
        [
            *_states("orders_whose_totals_are_merged"),
            *_orders_merged(
                "orders_whose_totals_are_merged", "WHEN MATCHED THEN UPDATE SET total = s.total"
            ),
        ],
        expected=IN_STATES,
        allowed=(MERGES,),
    ),
    Pair(
        "orders_whose_totals_are_updated",
        orders,
        [
            *_states("orders_whose_totals_are_updated"),
            *_updated("orders_whose_totals_are_updated", "total = 0, state = state"),
        ],
        expected=IN_STATES,
    ),
)
