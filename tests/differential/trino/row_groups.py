"""Row groups that Trino's reader reads, by the rows that it counts."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.differential.trino.comparison import Compared, compare
from tests.differential.trino.conditions import Condition, comparison
from tests.differential.trino.engine import Refused, Scan, Trino
from tests.differential.trino.statements import SOURCE

_TABLE = "row_groups"
_ROWS = 1_000  # the least that Trino's writer can be set to
_COPIES = _ROWS // 4
ROW_GROUPS = 6
"""How many the table has: each has copies of four rows of another one."""
_LEFT_OUT = "n BETWEEN 20 AND 23 OR n BETWEEN 34 AND 37"
"""The rows beside texts of U+10FFFF alone, of which no bound can be made greater: with them in it,
the upper bound that Trino 483 writes for the file is one of other row groups, and it finds none of
these rows itself by `s > '日本…'`, but all by `s || '' > '日本…'`."""
_COLUMNS = ("n", "i", "l", "dec", "s", "dt", "tsn", "st.x", "st.y", "bin", "t", "ts")
"""Those whose statistics Trino 483 judges as the product does, or not at all."""


@dataclass(frozen=True)
class Read:
    """A query that Trino ran: how many row groups it read, and what the product answers."""

    row_groups: int
    compared: Compared

    @property
    def kept(self) -> int:
        """How many the product keeps."""
        return int(self.compared.answer["row_groups"]["kept"] or 0)


def create(trino: Trino) -> None:
    """Makes the table, of one file."""
    _create(trino, _TABLE, f"NOT ({_LEFT_OUT})")


def _create(trino: Trino, table: str, where: str) -> None:
    copies = f"SELECT {SOURCE}.* FROM {SOURCE} CROSS JOIN UNNEST(sequence(1, {_COPIES}))"
    trino.run(
        f"CREATE TABLE {table} WITH (sorted_by = ARRAY['n']) AS {copies} WHERE {where}",
        settings={"parquet_writer_row_group_max_row_count": str(_ROWS)},
    )


def lost(trino: Trino) -> tuple[int, int]:
    """Rows of one with all texts that are greater than a long one, as Trino finds them by the
    column, and by what it computes of it."""
    _create(trino, "all_texts", "TRUE")
    found = [
        int(trino.run(f"SELECT count(*) FROM all_texts WHERE {text} > '{'日本' * 12}'")[0][0])
        for text in ("s", "s || ''")
    ]
    return found[0], found[1]


def reads(trino: Trino, random_: random.Random, count: int) -> Iterator[Read]:
    """Random comparisons that Trino does not refuse."""
    asked: list[tuple[Condition, Scan | None]] = []
    rows: list[int] = []
    for _ in range(count):
        condition = Condition(comparison(random_, random_.choice(_COLUMNS)), "UTC")
        sql = f"SELECT * FROM {_TABLE} WHERE {condition.sql}"
        try:
            scans = trino.scans(sql, zone=condition.zone)
            event = json.loads(trino.event(sql, zone=condition.zone))
        except Refused:
            continue
        asked.append((condition, scans[0] if scans else None))
        rows.append(sum(found["physicalInputRows"] for found in event["ioMetadata"]["inputs"]))
    for read, compared in zip(rows, compare(trino.open(_TABLE), asked), strict=True):
        yield Read(read // _ROWS, compared)
