"""Advice on the inside of files and on manifests that is published, followed, and audited again."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from pyiceberg.transforms import IdentityTransform

from tests.audit_jobs.jobs.advised_lake import DAY, LATER, START, AdvisedLake
from tests.backtest.inside import GROUP_BYTES, GROUP_ROWS, PROPERTIES
from tests.workloads.filters import filters_written

DAYS, ROWS = 6, 1_200
SIZE = "write.parquet.row-group-size-bytes"
FILTER = "write.parquet.bloom-filter-enabled.column."


def key(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


class Requests(AdvisedLake):
    """A table by day, one file each, of which days are asked for, and single keys of any day, of
    so many."""

    def __init__(self, folder: Path, keys: int = DAYS * ROWS) -> None:
        super().__init__(folder)
        count = DAYS * ROWS
        self.rows = pa.table(
            {
                "day": pa.array(np.arange(count) // ROWS, pa.int32()),
                "key": [key(number % keys) for number in range(count)],
            }
        )
        properties = {**PROPERTIES, "read.split.open-file-cost": "1000"}
        made = self.catalog.create_table("db.requests", self.rows.schema, properties=properties)
        with made.update_spec() as spec:
            spec.add_identity("day")
        self.append()
        table = self.catalog.load_table("db.requests")
        size = table.inspect.files()["file_size_in_bytes"].to_pylist()[0]
        self.set({"write.target-file-size-bytes": str(size)})
        last = "SELECT max(day) FROM lake.db.requests"
        days = "SELECT * FROM lake.db.requests WHERE day = {}"
        of_key = "SELECT * FROM lake.db.requests WHERE key = '{}'"
        self.asked(
            [
                *((days.format(n % DAYS), START + n * DAY / 5) for n in range(100)),
                *((of_key.format(key(n * 67 % keys)), START + n * DAY / 5) for n in range(100)),
                *((last, at) for at in (START, START + DAY, LATER)),
                *((days.format(n % DAYS), LATER + n * DAY / 40) for n in range(18)),
                *(
                    (of_key.format(key((n * 71 + 3) % keys)), LATER + n * DAY / 40)
                    for n in range(18)
                ),
            ]
        )

    def set(self, properties: dict[str, str]) -> None:
        with self.catalog.load_table("db.requests").transaction() as change:
            change.set_properties(properties)

    def append(self) -> None:
        """All rows, as the table's properties say."""
        with filters_written():
            self.catalog.load_table("db.requests").append(self.rows)

    def follow(self, advised: dict[str, Any]) -> None:
        """Does what is advised of the inside of files: settings, an order, and a rewrite."""
        size = advised["row_group_bytes"] or GROUP_BYTES
        filters = {FILTER + name: "true" for name in advised["bloom_filters"]}
        # PyIceberg counts rows.
        limit = {"write.parquet.row-group-limit": str(GROUP_ROWS * size // GROUP_BYTES)}
        self.set({SIZE: str(size), **limit, **filters})
        columns = advised["columns"] or []
        with self.catalog.load_table("db.requests").update_sort_order() as order:
            for column in columns:
                order.asc(column, IdentityTransform())
        self.rows = self.rows.sort_by([(name, "ascending") for name in ("day", *columns)])
        self.catalog.load_table("db.requests").delete()
        self.append()

    def row_groups(self) -> list[tuple[str, str]]:
        """The bounds of keys of those of all files."""
        files = self.catalog.load_table("db.requests").inspect.files()["file_path"].to_pylist()
        footers = [parquet.read_metadata(path[len("file://") :]) for path in files]
        stats = [
            footer.row_group(number).column(1).statistics
            for footer in footers
            for number in range(footer.num_row_groups)
        ]
        return [(one.min, one.max) for one in stats]


@pytest.fixture
def requests(tmp_path: Path) -> Requests:
    return Requests(tmp_path)


@pytest.mark.slow
def test_filters_are_advised_written_and_compared(requests: Requests) -> None:
    requests.advise("--publish")
    (row,) = requests.kept()
    assert (row["outcome"], row["bloom_filters"]) == ("inside_files", ["key"])
    # The newest day is known by bounds alone, and all files are read for it, twice.
    whole = pytest.approx(2 * row["bytes"])
    assert dict(row["could_skip"]) == {"min() and max() by day": whole}
    requests.follow(row)
    requests.audit()

    earlier = requests.advise()["earlier"]
    applied = requests.followed("inside_files")
    told = ("columns", "row_group_bytes", "bloom_filters")
    assert applied["state"] == "applied"
    assert [applied[name] for name in told] == [row[name] or [] for name in told]
    # Of 37 scans, 18 keep a day, and 18 one row group, but where a filter errs.
    needed = (18 / DAYS + 18 / len(requests.row_groups()) + 1) / 37
    assert applied["kept_share"] == pytest.approx(needed, abs=0.02)
    assert applied["before_share"] > 0.5
    promised = applied["promised_share"]
    assert applied["within"] is (promised["low"] <= applied["kept_share"] <= promised["high"])
    assert (earlier["hits"], earlier["judged"]) == (int(applied["within"]), 1)
    assert "min() and max() by day" in requests.page
    assert "bloom filters of key" in requests.page
    assert f"{round(applied['kept_share'] * 100, 2):.1f}% kept." in requests.page


@pytest.mark.slow
def test_an_order_and_smaller_row_groups_are_advised_written_and_compared(tmp_path: Path) -> None:
    """Each of a few keys has rows on each day, that lie together once they are sorted."""
    requests = Requests(tmp_path, keys=240)
    requests.advise("--publish")
    (row,) = requests.kept()
    assert (row["outcome"], row["order"], row["columns"]) == ("inside_files", "sort", ["key"])
    assert row["row_group_bytes"] <= GROUP_BYTES // 2
    requests.follow(row)
    requests.audit()

    applied = requests.followed("inside_files")
    assert (applied["state"], applied["scans"]) == ("applied", 37)
    groups = requests.row_groups()
    keys = [key((n * 71 + 3) % 240) for n in range(18)]
    holding = sum(low <= wanted <= high for wanted in keys for low, high in groups) / len(groups)
    assert applied["kept_share"] == pytest.approx((18 / DAYS + holding + 1) / 37, abs=0.01)
    assert applied["kept_share"] < applied["before_share"] / 4
    promised = applied["promised_share"]
    assert applied["within"] is (promised["low"] <= applied["kept_share"] <= promised["high"])
