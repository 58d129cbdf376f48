"""ClickHouse in process: the package `chdb`, which reads files below the working directory alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import chdb

from tests.differential.clickhouse.tables import Lake
from tests.differential.readers.tables import local

VERSION = ".".join(str(chdb.query("SELECT version()", "TSV")).strip().split(".")[:2])

Answer = frozenset[int] | None
"""The `n` of the rows of which a condition is true; None where ClickHouse fails on one of them."""


def answers(lake: Lake, conditions: Sequence[str], zone: str) -> list[Answer]:
    """Those of conditions in a session of a zone, in few queries: these take longer than rows."""
    try:
        return list(_together(lake, conditions, zone))
    except RuntimeError:
        if len(conditions) == 1:
            return [None]
    half = len(conditions) // 2
    return [
        answer
        for part in (conditions[:half], conditions[half:])
        for answer in answers(lake, part, zone)
    ]


def _together(lake: Lake, conditions: Sequence[str], zone: str) -> Iterator[Answer]:
    asked = ", ".join(
        f"groupArrayIf(n, ifNull({one}, 0)) AS c{n}" for n, one in enumerate(conditions)
    )
    (found,) = _query(lake, f"SELECT {asked}", "1", zone)
    yield from (frozenset(found[f"c{n}"]) for n in range(len(conditions)))


def filtered(lake: Lake, condition: str, zone: str) -> frozenset[int]:
    """The same of one condition, by WHERE. Raises RuntimeError."""
    return frozenset(row["n"] for row in _query(lake, "SELECT n", condition, zone))


def _query(lake: Lake, select: str, where: str, zone: str) -> list[dict[str, object]]:
    query = (
        f"{select} FROM icebergLocal('{local(lake.location)}/') WHERE {where} "
        f"SETTINGS session_timezone = '{zone}', use_iceberg_partition_pruning = 0"
    )
    return [json.loads(line) for line in str(chdb.query(query, "JSONEachRow")).splitlines()]
