"""What is advised of the inside of files and of manifests, run by Spark: row groups that it writes,
filters that parquet-java does, and manifests."""

from __future__ import annotations

import datetime as dt
import hashlib

import pytest

from audit_jobs.advice.advice_rows import advice_row, promises_of
from audit_jobs.advice.beyond import Beyond
from audit_jobs.advice.inside_statements import advised_statements
from audit_jobs.advice.promises import Kind, Layout, Seen, State, followed
from audit_jobs.jobs.table_advice import advise_table
from audit_jobs.jobs.table_basis import Budget
from audit_jobs.results.advice_schema import LAYOUT_ADVICE
from collectors.observed import TableName
from collectors.tables.catalog import Table, open_metadata_file
from tests.backtest.lake import NAME, asked_of, read_share
from tests.backtest.model import Asked
from tests.scenarios.lake import NOW, Lake, files

pytestmark = pytest.mark.slow

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


def _opened(lake: Lake) -> Table:
    return open_metadata_file(lake.metadata_of("t"), NAME)


def _asked(first: int) -> list[Asked]:
    """A day as a whole, and keys of any day."""
    numbers = range(first, DAYS * ROWS, 331)
    keys = (hashlib.sha256(str(n).encode()).hexdigest() for n in numbers)
    return [
        *(Asked(n % 30, f"SELECT * FROM t WHERE day = {n % DAYS}", "spark") for n in range(30)),
        *(Asked(n % 30, f"SELECT * FROM t WHERE key = '{k}'", "spark") for n, k in enumerate(keys)),
    ]


def test_what_is_promised_of_filters_comes(lake: Lake) -> None:
    _create(lake)
    table = _opened(lake)
    advice = advise_table(table, asked_of(table, _asked(0)), 0, Budget(files=4, rows=2_000))
    inside, told = advice.inside, advised_statements(NAME, advice)
    assert inside is not None
    assert inside.change is not None
    assert inside.then is not None
    assert told is not None
    assert [column.name for column in inside.change.bloom_filters] == ["key"]
    before = read_share(table, _asked(100))

    lake.sql(*told.spark)

    after = read_share(_opened(lake), _asked(100))
    low, high = (end / advice.now.bytes for end in (inside.then.bytes.low, inside.then.bytes.high))
    assert after < before / 2
    assert low - 0.02 <= after <= high + 0.02


def test_manifests_that_are_written_anew_are_followed(lake: Lake) -> None:
    lake.sql(
        "CREATE TABLE lake.db.m (id BIGINT, day BIGINT) USING iceberg PARTITIONED BY (day) "
        "TBLPROPERTIES ('commit.manifest.target-size-bytes' = '15000', "
        "'commit.manifest-merge.enabled' = 'false')",
        *["INSERT INTO lake.db.m SELECT id, id % 6 FROM range(600)"] * 8,
    )
    table = open_metadata_file(lake.metadata_of("m"), NAME)
    queries = [Asked(n % 30, f"SELECT * FROM t WHERE day = {n % 6}", "spark") for n in range(60)]
    advice = advise_table(table, asked_of(table, queries), 0, Budget(files=8, rows=800))
    name = TableName("lake", ("db",), "m")
    told = advised_statements(name, advice)
    row = advice_row(name, table.metadata, advice, Beyond())
    assert (row["outcome"], row["manifests_by"]) == ("keep_as_is", ["day"])
    assert told is not None

    lake.sql(*told.spark)

    audited = lake.audit(*(f"SELECT * FROM lake.db.m WHERE day = {n}" for n in range(6)))
    (health,) = (one for one in audited.health if one.table.table == "m")
    assert health.added_since is None  # manifests tell of no file when it was added
    nothing = dict.fromkeys(column.name for column in LAYOUT_ADVICE.columns)
    promises = list(promises_of({**nothing, **row, "advised_at": NOW - dt.timedelta(days=1)}))
    layout = Layout(health.partition_fields, health.sort_columns)
    nights = {promises[0].table: [Seen(NOW, layout, None, health.listed_since)]}
    found = followed(promises, nights, lambda *_: {})
    assert [(one.promise.kind, one.state) for one in found] == [(Kind.MANIFESTS, State.APPLIED)]
