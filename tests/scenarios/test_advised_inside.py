"""What is advised of the inside of files and of manifests, published, run by Spark, and audited:
row groups that it writes, filters that parquet-java does, and manifests."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from pyiceberg.table import StaticTable

from collectors.tables.catalog import open_metadata_file
from tests.audit_jobs.jobs.advised_lake import DAY, LATER, START, AdvisedLake
from tests.backtest.lake import NAME, read_share
from tests.backtest.model import Asked
from tests.scenarios.lake import Lake, files

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

DAYS, ROWS = 4, 2000


def _create(lake: Lake) -> None:
    """One file per day, each of many row groups without dictionaries, as large columns are."""
    lake.sql(
        "CREATE TABLE lake.db.t (id BIGINT, day BIGINT, key STRING) USING iceberg "
        "PARTITIONED BY (day) TBLPROPERTIES ('write.target-file-size-bytes' = '150000', "
        "'write.parquet.row-group-size-bytes' = '6000', 'write.parquet.dict-size-bytes' = '1', "
        "'write.parquet.bloom-filter-max-bytes' = '256', 'read.split.open-file-cost' = '1000')",
        *files("t", DAYS, rows=ROWS, columns=["id", f"id div {ROWS}", _KEY]),
    )


_KEY = "sha2(cast(id AS STRING), 256)"


def _asked(first: int) -> list[Asked]:
    """A day as a whole, and keys of any day."""
    numbers = range(first, DAYS * ROWS, 331)
    keys = (hashlib.sha256(str(n).encode()).hexdigest() for n in numbers)
    return [
        *(Asked(n % 30, f"SELECT * FROM t WHERE day = {n % DAYS}", "spark") for n in range(30)),
        *(Asked(n % 30, f"SELECT * FROM t WHERE key = '{k}'", "spark") for n, k in enumerate(keys)),
    ]


def _log(queries: Sequence[str], later: Sequence[str]) -> list[tuple[str, dt.datetime]]:
    """Queries of twenty days, and of a day after these."""
    return [
        *((sql, START + number * 20 * DAY / len(queries)) for number, sql in enumerate(queries)),
        *((sql, LATER + number * DAY / 2 / len(later)) for number, sql in enumerate(later)),
    ]


def test_what_is_promised_of_filters_comes(lake: Lake, tmp_path: Path) -> None:
    _create(lake)
    night = AdvisedLake(tmp_path, {"lake.db.t": lake.metadata_of("t")})
    before, after = (
        [asked.sql.replace("FROM t", "FROM lake.db.t") for asked in _asked(first)]
        for first in (0, 100)
    )
    night.asked(_log(before, after))
    night.advise("--publish")
    (row,) = night.kept()
    assert (row["outcome"], row["bloom_filters"]) == ("inside_files", ["key"])

    lake.sql(*row["fix_spark"])

    night.has({"lake.db.t": lake.metadata_of("t")})
    night.audit()
    followed = night.followed("inside_files")
    table = open_metadata_file(lake.metadata_of("t"), NAME)
    assert (followed["state"], followed["scans"]) == ("applied", len(after))
    assert followed["kept_share"] == pytest.approx(read_share(table, _asked(100)), abs=0.01)
    assert followed["kept_share"] < followed["before_share"] / 2
    promised = followed["promised_share"]
    assert promised["low"] - 0.02 <= followed["kept_share"] <= promised["high"] + 0.02


def _days_listed(table: StaticTable) -> list[list[int]]:
    """The days of the files that each manifest lists, as PyIceberg reads them."""
    snapshot = table.current_snapshot()
    assert snapshot is not None
    return [
        [entry.data_file.partition[0] for entry in manifest.fetch_manifest_entry(table.io)]
        for manifest in snapshot.manifests(table.io)
    ]


def test_what_is_promised_of_manifests_comes(lake: Lake, tmp_path: Path) -> None:
    lake.sql(
        "CREATE TABLE lake.db.m (id BIGINT, day BIGINT) USING iceberg PARTITIONED BY (day) "
        "TBLPROPERTIES ('commit.manifest.target-size-bytes' = '15000', "
        "'commit.manifest-merge.enabled' = 'false')",
        *["INSERT INTO lake.db.m SELECT id, id % 6 FROM range(600)"] * 8,
    )
    night = AdvisedLake(tmp_path, {"lake.db.m": lake.metadata_of("m")})
    days = [f"SELECT * FROM lake.db.m WHERE day = {number % 6}" for number in range(60)]
    night.asked(_log(days, days[:12]))
    night.advise("--publish")
    (row,) = night.kept()
    assert (row["outcome"], row["manifests_by"]) == ("keep_as_is", ["day"])

    lake.sql(*row["fix_spark"])

    night.has({"lake.db.m": lake.metadata_of("m")})
    night.audit()
    followed = night.followed("manifests")
    assert (followed["state"], followed["scans"]) == ("applied", 12)
    assert followed["before_share"] == pytest.approx(1)
    days_listed = _days_listed(StaticTable.from_metadata(lake.metadata_of("m")))
    opened = sum(min(listed) <= day <= max(listed) for listed in days_listed for day in range(6))
    assert followed["kept_share"] == pytest.approx(opened / len(days_listed) / 6)
    assert followed["kept_share"] < followed["before_share"] * 0.8
    promised = followed["promised_share"]
    assert followed["within"] is (promised["low"] <= followed["kept_share"] <= promised["high"])
