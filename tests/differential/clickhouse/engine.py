"""ClickHouse in process: the package `chdb`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from typing import Any

import chdb

from tests.differential.clickhouse.tables import Lake
from tests.differential.readers.tables import local

_asked: Callable[[str, str], object] = chdb.query
VERSION = ".".join(str(_asked("SELECT version()", "TSV")).strip().split(".")[:2])

_TOGETHER = 150
Answer = frozenset[int] | None
"""The `n` of the rows of which a condition is true; None where ClickHouse fails on one of them."""


def answers(lake: Lake, conditions: Sequence[str], zone: str) -> list[Answer]:
    """Those of conditions in a session of a zone: in few queries, which take longer than rows."""
    size = min(len(conditions), _TOGETHER)
    if size < len(conditions):
        parts = [conditions[at : at + size] for at in range(0, len(conditions), size)]
        return [answer for part in parts for answer in answers(lake, part, zone)]
    try:
        return list(_together(lake, conditions, zone))
    except RuntimeError:
        if size == 1:
            return [None]
    half = size // 2
    return answers(lake, conditions[:half], zone) + answers(lake, conditions[half:], zone)


def _together(lake: Lake, conditions: Sequence[str], zone: str) -> Iterator[Answer]:
    every = ", ".join(
        f"groupArrayIf(n, ifNull({one}, 0)) AS c{n}" for n, one in enumerate(conditions)
    )
    (found,) = _query(lake, f"SELECT {every}", "1", zone)
    yield from (frozenset(found[f"c{n}"]) for n in range(len(conditions)))


def filtered(lake: Lake, condition: str, zone: str) -> frozenset[int]:
    """The same of one condition, by WHERE. Raises RuntimeError."""
    return frozenset(row["n"] for row in _query(lake, "SELECT n", condition, zone))


def _query(lake: Lake, select: str, where: str, zone: str) -> list[dict[str, Any]]:
    query = (
        f"{select} FROM icebergLocal('{local(lake.location)}/') WHERE {where} "
        f"SETTINGS session_timezone = '{zone}', use_iceberg_partition_pruning = 0"
    )
    with chdir(local(lake.location)):  # below which files may be read, and no others
        return asked(query)


def asked(query: str) -> list[dict[str, Any]]:
    """The rows that a query answers. Raises RuntimeError."""
    return [json.loads(line) for line in str(_asked(query, "JSONEachRow")).splitlines()]
