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


def clicks_as_they_come() -> Layout:
    """72 files of clicks of 40 days, of which accounts are in no order."""
    draw = rng(7734)
    count = 72 * FILE_ROWS
    at = times(np.sort(draw.uniform(0, 40 * DAY, count)), "UTC")
    return laid_out(table({"ts": at, "account_id": draw.integers(0, 8000, count)}))


def _days_of(name: str, numbers: range) -> list[Query]:
    return each(
        f"SELECT count(*) FROM lake.db.{name}"
        " WHERE ts >= TIMESTAMP '{} UTC' AND ts < TIMESTAMP '{} UTC'",
        [(instant(n * DAY), instant((n + 1) * DAY)) for n in numbers],
    )


def _equal(name: str, column: str, count: int) -> list[Query]:
    return each(
        f"SELECT * FROM lake.db.{name} WHERE {column} = {{}}", range(11, 5000, 5000 // count)
    )


PAIRS = (
    # A sort by receivers is one by senders no more; ranges of either, or a Z-order, leave about
    # eight files to each.
    Pair(
        "payments_in_order_of_senders",
        in_order_of_senders,
        _equal("payments_in_order_of_senders", "sender", 40)
        + _equal("payments_in_order_of_senders", "receiver", 40),
        expected=(
            Expected(
                "unclustered_column",
                ("sender", "receiver"),
                (0.5, 0.8),
                True,
                None,
                (r"zorder|truncate\(\d+, (receiver\), sender|sender\), receiver)",),
            ),
        ),
        never=("ORDERED BY receiver", "PARTITION FIELD"),
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
    # A sort by accounts has each day read all files, and a Z-order is one by time alone: accounts
    # differ in 13 bits, and seconds in 22, which come first.
    Pair(
        "clicks_of_accounts_and_days",
        clicks_as_they_come,
        _days_of("clicks_of_accounts_and_days", range(19, 40))
        + _equal("clicks_of_accounts_and_days", "account_id", 42),
        expected=(
            Expected(
                "unclustered_column",
                ("account_id", "ts"),
                (0.6, 0.9),
                True,
                False,
                (r"truncate\(\d+, account_id\), ts",),
            ),
        ),
        never=("zorder", "ORDERED BY account_id", "PARTITION FIELD"),
    ),
    # The same, but that few ask for accounts.
    Pair(
        "clicks_of_days_and_few_accounts",
        clicks_as_they_come,
        _days_of("clicks_of_days_and_few_accounts", range(19, 40))
        + _equal("clicks_of_days_and_few_accounts", "account_id", 14),
        expected=(
            Expected(
                "unclustered_column",
                ("account_id", "ts"),
                (0.4, 0.8),
                True,
                False,
                (r"truncate\(\d+, account_id\), ts",),
            ),
        ),
        never=("zorder", "ORDERED BY account_id", "PARTITION FIELD"),
    ),
    # New rows come in the order that the table is told of, so that days of these stay apart.
    Pair(
        "sensors_beside_newest_times",
        in_order_of_time,
        each(
            "SELECT count(*) FROM lake.db.sensors_beside_newest_times"
            " WHERE taken_at >= TIMESTAMP '{}' AND taken_at < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(24, 64)],
        )
        + _equal("sensors_beside_newest_times", "sensor", 30),
        expected=(
            Expected(
                "unclustered_column",
                ("sensor", "taken_at"),
                (0.4, 0.8),
                True,
                False,
                (r"truncate\(\d+, sensor\), taken_at",),
            ),
        ),
        never=("zorder", "ORDERED BY sensor"),
    ),
)
