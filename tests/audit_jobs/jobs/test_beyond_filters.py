"""What could be skipped beyond filters, on tables of Iceberg: PyIceberg plans the same with the
ranges that rows have, and the files of the rows that are needed are known."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyiceberg.manifest import DataFile, DataFileContent, FileFormat
from pyiceberg.table import StaticTable
from pyiceberg.typedef import Record

from prunescope.audit_jobs.advice.beyond_filters import Beyond
from prunescope.audit_jobs.advice.beyond_filters_document import beyond_document, join_hints
from prunescope.audit_jobs.demo.position_deletes import append_delete_files
from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.jobs.advise import scans_of
from prunescope.audit_jobs.jobs.beyond_filters import BeyondOf, beyond_of
from prunescope.audit_jobs.jobs.tables import Tables
from prunescope.audit_jobs.views.beyond_text import print_beyond
from prunescope.audit_jobs.views.console import PlainConsole
from prunescope.audit_jobs.workload.queries import NamedTables, name_tables
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.queries.trino import events as trino_events
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from tests.backtest.lake import Lake, config
from tests.workloads.physical import Commit, Layout, write

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning:pyiceberg")]

F, S = (TableName("lake", ("db",), name) for name in ("f", "s"))
FILES, EACH = 10, 50
START = dt.date(2026, 1, 1)
NOTHING: Mapping[str, str] = MappingProxyType({})


def _facts() -> pa.Table:
    """A file has a day. `v` is 1 in all rows of even files, and in half of those of others."""
    number = np.arange(FILES * EACH)
    file = number // EACH
    return pa.table(
        {
            "k": pa.array(number),
            "d": pa.array([START + dt.timedelta(days=int(n)) for n in file]),
            "v": pa.array(np.where(file % 2 == 0, 1, number % 2)),
        }
    )


def _other() -> pa.Table:
    """A file has a flag: 0 has all days, 1 two of them, and 2 none."""
    days = [*range(FILES), 3, 4, *([None] * 5)]
    flags = [0] * FILES + [1] * 2 + [2] * 5
    return pa.table(
        {
            "d": pa.array([None if n is None else START + dt.timedelta(days=n) for n in days]),
            "flag": pa.array(flags),
            "k": pa.array(np.arange(len(flags)) * 10),
        }
    )


def _laid_out(
    rows: pa.Table, sizes: Sequence[int], properties: Mapping[str, str] = NOTHING
) -> Layout:
    ends = np.cumsum(sizes).tolist()
    files = tuple(rows.slice(end - size, size) for size, end in zip(sizes, ends, strict=True))
    return Layout((Commit(files, ()),), (), properties)


FACTS = _laid_out(_facts(), [EACH] * FILES)
OTHER = _laid_out(_other(), [FILES, 2, 5])


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Lake]:
    with chdir(tmp_path):
        yield Lake(tmp_path)


def _named(number: int, sql: str, engine: str) -> NamedTables:
    return name_tables(
        ObservedQuery(
            source="log",
            query_id=f"q{number}",
            sql=sql,
            dialect=engine,
            catalog="lake",
            schema="db",
            engine=engine,
            time_zone="UTC",
        )
    )


def _beyond(tables: Mapping[TableName, Table], queries: Sequence[NamedTables]) -> Beyond:
    """What could be skipped of the facts."""
    found = BeyondOf(tables)
    scans_of(Tables(dict(tables)), queries, config(), found)
    return beyond_of(tables, F, found.asked.get(F))


def _asked(lake: Lake, *sql: str, other: Layout = OTHER, engine: str = "spark") -> Beyond:
    tables = {
        F: open_metadata_file(lake.write(FACTS), F),
        S: open_metadata_file(lake.write(other), S),
    }
    return _beyond(tables, [_named(number, text, engine) for number, text in enumerate(sql)])


def _sizes(lake: Lake, where: str = "k >= 0") -> list[int]:
    """The bytes of the files of the facts that PyIceberg plans, in the order of their days."""
    planned = StaticTable.from_metadata(lake.write(FACTS)).scan(where).plan_files()
    files = [task.file for task in planned]
    files.sort(key=lambda file: int.from_bytes(file.lower_bounds[1], "little"))
    return [file.file_size_in_bytes for file in files]


def _range_of(flag: int) -> str:
    days = _other().filter(pc.equal(_other()["flag"], flag))["d"]
    return f"d >= '{pc.min(days).as_py()}' and d <= '{pc.max(days).as_py()}'"


JOIN = "SELECT * FROM f JOIN s ON f.d = s.d WHERE s.flag = {}"
MERGE = (
    "MERGE INTO f USING (SELECT d AS day, k AS id FROM s WHERE flag = {}) q ON f.d = q.day "
    "WHEN MATCHED THEN UPDATE SET v = 1 WHEN NOT MATCHED THEN INSERT (k, d, v) VALUES (id, day, 1)"
)


@pytest.mark.parametrize(("sql", "is_merge"), [(JOIN, False), (MERGE, True)])
def test_a_join_is_planned_as_with_the_range_of_the_other_side(
    lake: Lake, sql: str, *, is_merge: bool
) -> None:
    found = _asked(lake, sql.format(1), sql.format(1))
    (join,) = found.joins
    assert (join.column, join.other, join.other_column, join.merge) == ("d", S, "d", is_merge)
    assert join.runs == 2
    assert join.now == sum(_sizes(lake))
    assert join.then == sum(_sizes(lake, _range_of(1)))


def test_what_joins_nothing_reads_nothing(lake: Lake) -> None:
    (join,) = _asked(lake, JOIN.format(2)).joins
    assert join.then == 0


def test_what_joins_everything_is_not_told(lake: Lake) -> None:
    assert _asked(lake, JOIN.format(0)).joins == ()


def test_runs_are_weighed_together(lake: Lake) -> None:
    (join,) = _asked(lake, JOIN.format(1), JOIN.format(0), JOIN.format(0)).joins
    every, some = sum(_sizes(lake)), sum(_sizes(lake, _range_of(1)))
    assert join.then == pytest.approx((2 * every + some) / 3)


def test_what_has_no_bounds_says_nothing(lake: Lake) -> None:
    other = replace(OTHER, properties={"write.metadata.metrics.column.d": "none"})
    found = _asked(lake, JOIN.format(1), other=other)
    assert (found.joins, found.unbounded) == ((), 1)


def test_what_a_terminal_tells(lake: Lake, capsys: pytest.CaptureFixture[str]) -> None:
    found = _asked(lake, MERGE.format(1), "SELECT max(d) FROM f")
    print_beyond(PlainConsole(), F, found, literals=False)
    told = capsys.readouterr().out
    assert "d = d of lake.db.s: " in told
    assert "(1 run)" in told
    for hint in join_hints(F, found.joins[0], literals=False).values():
        assert hint.statement in told
        assert hint.range_of in told
    assert "min() and max() by d: " in told
    assert "1 of them from metadata alone" in told
    print_beyond(PlainConsole(), F, Failed("too_slow", "it took long"), literals=False)
    assert capsys.readouterr().out == "  Joins and LIMIT: too_slow: it took long\n"


def test_a_hint_shows_no_value_unless_it_may(lake: Lake) -> None:
    (join,) = _asked(lake, MERGE.format(1)).joins
    hints = join_hints(F, join, literals=False)
    assert hints["spark"] == (
        "MERGE INTO `lake`.`db`.`f` AS t USING … ON … AND `t`.`d` BETWEEN ? AND ?",
        "SELECT min(`d`), max(`d`) FROM `lake`.`db`.`s`",
    )
    assert hints["trino"] == (
        'MERGE INTO "lake"."db"."f" AS t USING … ON … AND "t"."d" BETWEEN ? AND ?',
        'SELECT min("d"), max("d") FROM "lake"."db"."s"',
    )
    shown = join_hints(F, join, literals=True)["trino"].statement
    assert shown.endswith(
        """ON … AND "t"."d" >= DATE '2026-01-04' AND "t"."d" <= DATE '2026-01-05'"""
    )


@pytest.mark.parametrize(
    ("sql", "kind", "files"),
    [
        ("SELECT * FROM f ORDER BY d LIMIT 10", "top_k", [0]),
        ("SELECT * FROM f ORDER BY d LIMIT 60", "top_k", [0, 1]),
        ("SELECT * FROM f ORDER BY d DESC LIMIT 10", "top_k", [9]),
        # Half of the rows of the last file match, and nobody knows how many.
        ("SELECT * FROM f WHERE v = 1 ORDER BY d DESC LIMIT 10", "top_k", [8, 9]),
        ("SELECT * FROM f WHERE d > DATE '2026-01-04' ORDER BY d LIMIT 10", "top_k", [4]),
        ("SELECT * FROM f LIMIT 120", "limit", [0, 1, 2]),
        ("SELECT * FROM f WHERE v = 1 LIMIT 60", "limit", [0, 2]),
        ("SELECT min(d) FROM f WHERE v = 1", "min_max", [0]),
        ("SELECT max(d) FROM f WHERE v = 1", "min_max", [8, 9]),
        ("SELECT max(d) FROM f", "min_max", []),
    ],
)
def test_files_that_few_rows_need(lake: Lake, sql: str, kind: str, files: list[int]) -> None:
    (found,) = _asked(lake, sql).rows
    sizes = _sizes(lake)
    assert (found.kind, found.runs, found.now) == (kind, 1, sum(_sizes(lake, _where(sql))))
    assert found.then == sum(sizes[number] for number in files)
    assert found.in_metadata == (not files)


def _where(sql: str) -> str:
    return "d > '2026-01-04'" if "2026-01-04" in sql else "k >= 0"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM f WHERE v = 0 LIMIT 10",
        "SELECT * FROM f WHERE v + k = 3 ORDER BY d LIMIT 10",
        "SELECT * FROM f ORDER BY v LIMIT 1000",
        "SELECT count(*) FROM f",
    ],
)
def test_files_of_which_bounds_do_not_tell(lake: Lake, sql: str) -> None:
    assert _asked(lake, sql).rows == ()


def test_rows_that_may_be_deleted_are_not_counted_on(tmp_path: Path) -> None:
    with chdir(tmp_path):
        table = write("w", FACTS)
        deletes = DataFile.from_args(
            content=DataFileContent.EQUALITY_DELETES,
            file_path=f"{table.location()}/data/deletes",
            file_format=FileFormat.PARQUET,
            partition=Record(),
            record_count=1,
            file_size_in_bytes=10,
            equality_ids=[1],
            spec_id=0,
        )
        append_delete_files(table, [deletes])
        opened = {F: open_metadata_file(table.metadata_location, F)}
        for sql in ("SELECT max(d) FROM f", "SELECT * FROM f ORDER BY d LIMIT 1"):
            assert _beyond(opened, [_named(0, sql, "spark")]).rows == ()


PLAN = """Fragment 1 [SOURCE]
        ScanFilter[table = lake:db.f$data@{snapshot}, dynamicFilters = {{d_4 = #df_370}}]
            d_4 := 2:d:date
"""


def test_a_dynamic_filter_skips_what_it_does_and_could_more(lake: Lake) -> None:
    """Its domain is two of ten days, and the engine read nine."""
    tables = {
        F: open_metadata_file(lake.write(FACTS), F),
        S: open_metadata_file(lake.write(OTHER), S),
    }
    snapshot = tables[F].metadata.current_snapshot_id
    event = {
        "metadata": {
            "queryId": "q",
            "query": JOIN.format(1),
            "queryState": "FINISHED",
            "plan": PLAN.format(snapshot=snapshot),
        },
        "context": {"catalog": "lake", "schema": "db"},
        "statistics": {
            "dynamicFilterDomainStatistics": [
                {
                    "dynamicFilterId": "df_370",
                    "simplifiedDomain": "[ SortedRangeSet[type=date, ranges=2, "
                    "{[2026-01-04], [2026-01-05]}] ]",
                }
            ]
        },
        "ioMetadata": {
            "inputs": [
                {
                    "catalogName": "lake",
                    "schema": "db",
                    "table": "f",
                    "connectorInfo": {"snapshotId": snapshot},
                    "physicalInputRows": 9 * EACH,
                }
            ]
        },
    }
    query = trino_events.from_json(json.dumps(event), "here")
    assert isinstance(query, ObservedQuery)
    found = _beyond(tables, [name_tables(query)])
    (skip,) = found.filters
    assert (skip.columns, skip.runs, skip.planned) == (("d",), 1, FILES * EACH)
    assert skip.could_skip == pytest.approx(0.8)
    assert skip.skipped == pytest.approx(0.1)
    told = json.dumps(beyond_document(F, found, literals=False))
    assert "2026-01-0" not in told
