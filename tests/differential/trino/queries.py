"""Queries that Trino runs, whose events are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.differential.trino.comparison import Compared, compare
from tests.differential.trino.conditions import Condition
from tests.differential.trino.engine import Trino

_QUERIES = (
    ("plain", "i > 5"),
    ("plain", "s IN ('a', 'zebra and a long tail of text') AND l < 20"),
    ("identity_s", "s = 'ab'"),
    ("day_ts", "ts >= TIMESTAMP '2024-02-29 00:00:00 UTC'"),
    ("day_ts", "CAST(ts AS date) = DATE '2024-02-29' AND upper(s) = 'AB'"),
    ("truncate_i", "i BETWEEN 0 AND 9"),
    ("nested", "st.x = 2"),
    ("specs_evolve", "i = 10"),
    ("plain", "i = 1 AND i = 2"),
)
QUERIED = frozenset(table for table, _ in _QUERIES)
"""The tables."""


@dataclass(frozen=True)
class Queried:
    """A query that Trino ran: its event, as JSON, and what the product answers."""

    sql: str
    event: str
    compared: Compared


def queried(trino: Trino) -> Iterator[Queried]:
    """Each of the queries, run."""
    for table, where in _QUERIES:
        sql = f"SELECT * FROM {table} WHERE {where}"
        scans = trino.scans(sql)
        condition = Condition(where, "UTC")
        (compared,) = compare(trino.open(table), [(condition, scans[0] if scans else None)])
        yield Queried(sql, trino.event(sql), compared)
