"""Whether another layout is advised where readers skip row groups of the files that there are."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.audit_jobs.jobs.advised_lake import DAY, START, AdvisedLake

FILES, ROWS, ACCOUNTS = 20, 5_000, 100_000
LOOKUPS, DAYS = 240, 120
COSTS_MORE = "Another layout has scans keep less of files"

pytestmark = pytest.mark.slow(minutes=0.2)


class Events(AdvisedLake):
    """Files of a day each, in which rows of few accounts of many are, and scans of an account and
    of a day."""

    def __init__(self, folder: Path, *, open_file_cost: int, has_dictionaries: bool) -> None:
        super().__init__(folder)
        draw = np.random.default_rng(7)
        days = [
            pa.table(
                {
                    "ts": pa.array(_times(day), pa.timestamp("us", "UTC")),
                    "account": draw.integers(0, ACCOUNTS, ROWS),
                    "value": draw.random(ROWS),
                }
            )
            for day in range(FILES)
        ]
        size = "1048576" if has_dictionaries else "1"
        table = self.catalog.create_table(
            "db.events",
            days[0].schema,
            properties={
                "read.split.open-file-cost": str(open_file_cost),
                "write.parquet.dict-size-bytes": size,
                "write.parquet.page-row-limit": "500",
            },
        )
        for rows in days:
            table.append(rows)
        sizes = table.inspect.files()["file_size_in_bytes"].to_pylist()
        with table.transaction() as change:
            change.set_properties({"write.target-file-size-bytes": str(max(sizes))})
        accounts = draw.integers(0, ACCOUNTS, LOOKUPS)
        self.asked(
            [
                *((_of_account(n), START + i * DAY / 12) for i, n in enumerate(accounts)),
                *((_of_day(n % FILES), START + n * DAY / 6) for n in range(DAYS)),
            ]
        )

    @property
    def advice(self) -> dict[str, Any]:
        """What is advised for the table."""
        (found,) = self.advise()["tables"]
        assert isinstance(found, dict)
        return found


def _times(day: int) -> np.ndarray:
    seconds = np.linspace(0, 86_399, ROWS)
    return ((START + day * DAY).timestamp() + seconds).astype("datetime64[s]")


def _of_account(number: int) -> str:
    return f"SELECT value FROM lake.db.events WHERE account = {number}"


def _of_day(day: int) -> str:
    first = START + day * DAY
    last = first + timedelta(days=1)
    return (
        f"SELECT sum(value) FROM lake.db.events WHERE ts >= TIMESTAMP '{first:%F} 00:00:00 UTC' "
        f"AND ts < TIMESTAMP '{last:%F} 00:00:00 UTC'"
    )


def test_a_layout_that_reads_more_of_row_groups_is_not_advised(tmp_path: Path) -> None:
    """Dictionaries of accounts rule out all but about one file for a lookup, for what it costs to
    open the others; by any other layout scans of days read several files."""
    advice = Events(tmp_path, open_file_cost=1_000, has_dictionaries=True).advice
    assert advice["advised"] is None
    assert any(one.startswith(COSTS_MORE) for one in advice["limits"])


def test_a_layout_is_advised_where_files_cost_much_to_open(tmp_path: Path) -> None:
    """Of which dictionaries rule out as much as they do now, for who looks up an account."""
    advice = Events(tmp_path, open_file_cost=4 << 20, has_dictionaries=True).advice
    assert not any(one.startswith(COSTS_MORE) for one in advice["limits"])
    groups = advice["row_groups"]["layout"]
    assert groups["bytes"]["value"] < 0.8 * advice["advised"]["kept_bytes"]["value"]


def test_a_layout_is_advised_where_nothing_rules_out_row_groups(tmp_path: Path) -> None:
    advice = Events(tmp_path, open_file_cost=1_000, has_dictionaries=False).advice
    assert not any(one.startswith(COSTS_MORE) for one in advice["limits"])
    assert advice["advised"] is not None
