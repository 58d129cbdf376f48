"""Joins whose dynamic filters rule out files while they run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.differential.trino.comparison import Compared, compare
from tests.differential.trino.conditions import Condition
from tests.differential.trino.engine import Trino
from tests.differential.trino.statements import SOURCE

JOINED = ("day_ts", "bucket_l", "truncate_s", "specs_evolve")
"""The tables."""
_WANTED = ("n < 5", "n IN (3, 25)", "n > 31", "n = 99")


@dataclass(frozen=True)
class Joined:
    """A join that Trino ran: its event, and what the product answers on the list of the values that
    its dynamic filter holds."""

    sql: str
    table: str
    event: Mapping[str, Any]
    compared: Compared

    @property
    def query_id(self) -> str:
        """Trino's id of the query."""
        return str(self.event["metadata"]["queryId"])


def joined(trino: Trino) -> Iterator[Joined]:
    """Each table with some rows of another one."""
    for table in JOINED:
        for wanted in _WANTED:
            values = [n for (n,) in trino.run(f"SELECT n FROM {SOURCE} WHERE {wanted}")]
            condition = Condition(f"n IN ({', '.join(values or ['-1'])})", "UTC")
            other = f"(SELECT n AS other FROM {SOURCE} WHERE {wanted})"
            sql = f"SELECT i FROM {table} JOIN {other} ON n = other"
            (compared,) = compare(trino.open(table), [(condition, None)])
            yield Joined(sql, table, json.loads(trino.event(sql)), compared)
