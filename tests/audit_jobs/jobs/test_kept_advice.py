"""Advice that is published, followed by PyIceberg, and audited again: promised and kept."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import yaml
from click.testing import CliRunner
from pyarrow import parquet
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.transforms import parse_transform

from audit_jobs.cli import main
from audit_jobs.config import load_config
from audit_jobs.jobs.nightly import run_nightly
from audit_jobs.planning.items import Runner
from audit_jobs.planning.runner import LocalRunner
from audit_jobs.records import Window

ROWS, FILES = 8_000, 16
START = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
LATER = dt.datetime.combine(
    dt.datetime.now(dt.UTC).date() + dt.timedelta(days=2), dt.time(), dt.UTC
)
DAY = dt.timedelta(days=1)


@contextmanager
def in_process(*_: object) -> Iterator[Runner]:
    yield LocalRunner()


def append(table: Any, rows: pa.Table) -> None:
    """As files of one size."""
    for number in range(FILES):
        table.append(rows.slice(number * ROWS // FILES, ROWS // FILES))


def query(number: int, at: dt.datetime, table: str = "orders") -> dict[str, str]:
    low = number * 997 % (ROWS - 200)
    sql = f"SELECT * FROM lake.db.{table} WHERE id BETWEEN {low} AND {low + 150}"
    return {"sql": sql, "query_id": f"{table}{number}", "started_at": f"{at:%FT%TZ}"}


class Night:
    """A lake, and a log of twenty days, and of a day that begins after this test ends."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.config = folder, folder / "audit.yaml"
        properties = {
            "type": "sql",
            "uri": f"sqlite:///{folder}/catalog.db",
            "warehouse": f"file://{folder}/warehouse",
        }
        self.catalog = SqlCatalog("lake", **properties)
        self.catalog.create_namespace("db")
        generator = np.random.default_rng(3)
        ids = generator.permutation(ROWS)
        text = generator.integers(0, 1 << 60, ROWS).astype(str)
        self.rows = pa.table({"id": pa.array(ids, pa.int64()), "text": text})
        table = self.catalog.create_table("db.orders", self.rows.schema)
        append(table, self.rows)
        size = table.inspect.files()["file_size_in_bytes"].to_pylist()[0]
        with table.transaction() as change:
            change.set_properties({"write.target-file-size-bytes": str(size)})
        days = [START + n * DAY / 5 for n in range(100)]
        log = [query(n, day) for n, day in enumerate(days)]
        log += [query(200 + n, LATER + n * DAY / 40) for n in range(20)]
        log.append(query(0, LATER, "gone"))
        folder.joinpath("log.jsonl").write_text("\n".join(map(json.dumps, log)))
        document = {
            "catalogs": {"lake": {"properties": properties}},
            "audit": {"catalog": "lake", "namespace": "ops"},
            "sources": [
                {
                    "type": "sql_records",
                    "paths": [str(folder / "log.jsonl")],
                    "dialect": "trino",
                    "engine": "trino",
                }
            ],
            "report": {"path": str(folder / "report.html")},
            "advice": {"days": 7},
        }
        self.config.write_text(yaml.safe_dump(document))

    def advise(self, *arguments: str) -> dict[str, Any]:
        window = ("--window", "2026-03-01/2026-03-21")
        result = CliRunner().invoke(
            main, ["advise", "--config", str(self.config), *window, "--json", *arguments]
        )
        assert result.exit_code == 0, result.output
        found: dict[str, Any] = json.loads(result.stdout)
        return found

    def kept(self) -> list[dict[str, Any]]:
        table = self.catalog.load_table("ops.layout_advice")
        rows: list[dict[str, Any]] = table.scan().to_arrow().to_pylist()
        return sorted(rows, key=lambda row: (row["advised_at"], row["table"]))

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

    def audit(self) -> None:
        window = Window(LATER, LATER + DAY)
        run_nightly(load_config(self.config), window, lambda _: None, session=in_process)


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
    assert "What was advised" in (night.folder / "report.html").read_text()

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
    page = (night.folder / "report.html").read_text()
    assert f"{applied['kept_share'] * 100:.1f}% kept." in page

    # The nightly step kept its own advice beside it, and that there is none for a table.
    nightly = [row for row in night.kept() if row["window_start"] == LATER - 6 * DAY]
    assert {row["table"]: row["outcome"] for row in nightly} == {
        "orders": "keep_as_is",
        "gone": "table_not_found",
    }
