"""Rows in the order of one column, of which another is asked for as well: an order of both serves
all, or none does."""

from __future__ import annotations

import numpy as np

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, each, instant, laid_out, rng, table, texts, times

_COUNT = 64 * FILE_ROWS
_PORTS = np.array(["Antwerp", "Busan", "Durban", "Genoa", "Lima", "Mumbai", "Osaka", "Tampa"])


def in_order_of_senders() -> Layout:
    """64 files of payments that somebody sorted by who sends them."""
    draw = rng(7731)
    senders = np.sort(draw.integers(0, 5000, _COUNT))
    receivers = draw.integers(0, 5000, _COUNT)
    return laid_out(
        table({"sender": senders, "receiver": receivers, "amount": draw.normal(50, 9, _COUNT)})
    )


def in_order_of_ports() -> Layout:
    """64 files of containers, of eight ports each by itself."""
    draw = rng(7732)
    ports = np.sort(draw.integers(0, 8, _COUNT))
    return laid_out(
        table({"port": texts(_PORTS[ports]), "container": draw.integers(0, 9000, _COUNT)})
    )


def in_order_of_time() -> Layout:
    """64 files of measurements as they come."""
    draw = rng(7733)
    at = times(np.sort(draw.uniform(0, 64 * DAY, _COUNT)))
    return laid_out(table({"taken_at": at, "sensor": draw.integers(0, 5000, _COUNT)}))


def _equal(name: str, column: str, count: int) -> list[Query]:
    return each(
        f"SELECT * FROM lake.db.{name} WHERE {column} = {{}}", range(11, 5000, 5000 // count)
    )


PAIRS = (
    # A sort by receivers is one by senders no more; a Z-order leaves about eight files to each.
    Pair(
        "payments_in_order_of_senders",
        in_order_of_senders,
        _equal("payments_in_order_of_senders", "sender", 40)
        + _equal("payments_in_order_of_senders", "receiver", 40),
        expected=(
            Expected(
                "unclustered_column", ("sender", "receiver"), (0.5, 0.8), True, None, ("zorder",)
            ),
        ),
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # The same, but that senders are asked for ten times as often.
    Pair(
        "payments_of_senders_above_all",
        in_order_of_senders,
        _equal("payments_of_senders_above_all", "sender", 500)
        + _equal("payments_of_senders_above_all", "receiver", 30),
        allowed=(
            Expected("unclustered_column", ("receiver",), None, False),
            Expected("row_groups_not_pruned", ("receiver",)),
        ),
        never=("zorder", "ORDERED BY"),
    ),
    # Containers in order within each port are in a file or two of it, and ports stay apart.
    Pair(
        "containers_in_order_of_ports",
        in_order_of_ports,
        each(
            "SELECT count(*) FROM lake.db.containers_in_order_of_ports WHERE port = '{}'",
            [*_PORTS] * 3,
        )
        + _equal("containers_in_order_of_ports", "container", 40),
        expected=(
            Expected(
                "unclustered_column",
                ("port", "container"),
                (0.55, 0.85),
                True,
                None,
                ("rows of each port in order of container",),
            ),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
        never=("zorder", "ORDERED BY `container`"),
    ),
    # Rows come in order of time, and would have to be laid out anew as they do.
    Pair(
        "sensors_beside_newest_times",
        in_order_of_time,
        each(
            "SELECT count(*) FROM lake.db.sensors_beside_newest_times"
            " WHERE taken_at >= TIMESTAMP '{}' AND taken_at < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(24, 64)],
        )
        + _equal("sensors_beside_newest_times", "sensor", 30),
        allowed=(
            Expected("unclustered_column", ("sensor",), None, False),
            Expected("row_groups_not_pruned", ("sensor",)),
        ),
        never=("zorder", "ORDERED BY `sensor`"),
    ),
)
