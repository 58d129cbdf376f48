"""Advice that is published, followed by PyIceberg, and audited again: promised and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from pyiceberg.transforms import parse_transform

from tests.audit_jobs.jobs.advised_lake import DAY, LATER, START, AdvisedLake

pytestmark = pytest.mark.slow

ROWS, FILES = 8_000, 16


def append(table: Any, rows: pa.Table) -> None:
    """As files of one size."""
    for number in range(FILES):
        table.append(rows.slice(number * ROWS // FILES, ROWS // FILES))


def query(number: int, table: str = "orders") -> str:
    low = number * 997 % (ROWS - 200)
    return f"SELECT * FROM lake.db.{table} WHERE id BETWEEN {low} AND {low + 150}"


class Night(AdvisedLake):
    """A table in no order, of which ranges of ids are asked for."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        generator = np.random.default_rng(3)
        ids = generator.permutation(ROWS)
        text = generator.integers(0, 1 << 60, ROWS).astype(str)
        self.rows = pa.table({"id": pa.array(ids, pa.int64()), "text": text})
        table = self.catalog.create_table("db.orders", self.rows.schema)
        append(table, self.rows)
        size = table.inspect.files()["file_size_in_bytes"].to_pylist()[0]
        with table.transaction() as change:
            change.set_properties({"write.target-file-size-bytes": str(size)})
        self.asked(
            [
                *((query(n), START + n * DAY / 5) for n in range(100)),
                *((query(200 + n), LATER + n * DAY / 40) for n in range(20)),
                (query(0, "gone"), LATER),
            ]
        )

    def follow(self, advised: dict[str, Any]) -> None:
        """Does what is advised: fields, order, and a rewrite of all rows in that order."""
        table = self.catalog.load_table("db.orders")
        assert (advised["partition"], advised["order"]) == ([], "sort")
        with table.update_sort_order() as order:
            for column in advised["columns"]:
                order.asc(column, parse_transform("identity"))
        table = self.catalog.load_table("db.orders")
        table.delete()
        append(table, self.rows.sort_by([(name, "ascending") for name in advised["columns"]]))

    def needed(self) -> float:
        """The share of bytes that a query of tomorrow needs, by the rows that are in the files."""
        table = self.catalog.load_table("db.orders")
        sizes, needed = 0, 0
        for task in table.scan().plan_files():
            ids = parquet.read_table(task.file.file_path, columns=["id"])["id"].to_numpy()
            sizes += task.file.file_size_in_bytes
            for number in range(200, 220):
                low = number * 997 % (ROWS - 200)
                asked = ids.min() <= low + 150 and ids.max() >= low
                needed += task.file.file_size_in_bytes * int(asked)
        return needed / sizes / 20


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Night:
    return Night(tmp_path_factory.mktemp("night"))


def test_advice_is_kept_followed_and_compared(night: Night) -> None:
    first = night.advise("--publish")
    (told,) = first["tables"]
    assert first["earlier"] == {"advice": [], "hits": 0, "judged": 0}
    (row,) = night.kept()
    assert (row["outcome"], row["partition"], row["columns"]) == ("advised", [], ["id"])
    assert row["kept_bytes"] == told["advised"]["kept_bytes"]["value"]
    assert row["fix_spark"] == told["statements"]["spark"]
    assert sum(dict(row["fingerprints"]).values()) == 100
    assert not any(str(997 * n % (ROWS - 200)) in str(row["fix_spark"]) for n in range(3, 9))

    night.advise("--publish")  # the same window: one row
    assert len(night.kept()) == 1
    night.audit()  # nobody has followed it
    (open_one,) = night.advise()["earlier"]["advice"]
    assert (open_one["state"], open_one["kept_share"]) == ("open", None)
    assert "What was advised" in night.page

    night.follow(told["advised"])
    night.audit()
    earlier = night.advise()["earlier"]
    (applied,) = earlier["advice"]
    assert applied["state"] == "applied"
    assert applied["scans"] == 20
    assert applied["kept_share"] == pytest.approx(night.needed())
    promised = applied["promised_share"]
    within = promised["low"] <= applied["kept_share"] <= promised["high"]
    assert applied["within"] is within
    assert (earlier["hits"], earlier["judged"]) == (int(within), 1)
    page = night.page
    assert f"{applied['kept_share'] * 100:.1f}% kept." in page

    # The nightly step kept its own advice beside it, and that there is none for a table.
    nightly = [row for row in night.kept() if row["window_start"] == LATER - 6 * DAY]
    assert {row["table"]: row["outcome"] for row in nightly} == {
        "orders": "keep_as_is",
        "gone": "table_not_found",
    }
