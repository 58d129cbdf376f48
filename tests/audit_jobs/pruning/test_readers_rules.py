"""Rules of readers: nulls beside bounds, long lists, and ORs of several columns."""

from __future__ import annotations

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.commands.inputs import planner_named
from prunescope.audit_jobs.jobs.explain import explain
from prunescope.audit_jobs.jobs.questions import Question
from prunescope.collectors.observed import TableName
from prunescope.collectors.sql.scopes.time_travel import CURRENT
from prunescope.collectors.tables.catalog import Table, open_table


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Four files of one row group: of two of them, `i` has no null, of one it has, of one all."""
    folder = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/c.db", warehouse=folder.as_uri())
    catalog.create_namespace("db")
    schema = pa.schema([("i", pa.int64()), ("s", pa.string())])
    created = catalog.create_table("db.t", schema)
    files = (
        ([1, 5], ["a", "b"]),
        ([11, 15], ["b", "c"]),
        ([21, None], ["c", "d"]),
        ([None, None], ["z", "z"]),
    )
    for numbers, texts in files:
        created.append(pa.table({"i": numbers, "s": texts}, schema=schema))
    return open_table(catalog, TableName("lake", ("db",), "t"))


# Files and row groups as the engines read of such a table, by their counters.
@pytest.mark.parametrize(
    ("planner", "where", "files", "row_groups"),
    [
        pytest.param("pyiceberg-0.12", "i = 15", 1, 1, id="pyiceberg"),
        pytest.param("polars-2.1", "i = 15", 1, 1, id="polars-equal"),
        pytest.param("polars-2.1", "i <> 100", 4, 4, id="polars-unequal-keeps-nulls"),
        pytest.param("polars-2.1", "s LIKE 'z%'", 4, 4, id="polars-prefix"),
        pytest.param("clickhouse-26.9", "i = 15", 3, 2, id="clickhouse-nulls-keep-files"),
        pytest.param("clickhouse-26.9", "i < 2", 3, 2, id="clickhouse-null-is-least"),
        pytest.param("clickhouse-26.9", "i = 1 OR s = 'z'", 4, 3, id="clickhouse-or-of-columns"),
    ],
)
def test_what_planners_keep(
    table: Table, planner: str, where: str, files: int, row_groups: int
) -> None:
    (answer,) = explain(table, CURRENT, [Question(None, where)], planner=planner_named(planner))
    kept = answer["data_files"]["kept"], answer["row_groups"]["kept"]
    assert kept == (files, row_groups)


@pytest.mark.parametrize(
    ("planner", "where", "least", "most"),
    [
        pytest.param("duckdb-2.0", "i = 15", 1, 1, id="duckdb-equal"),
        pytest.param("duckdb-2.0", "i = 1 OR s = 'z'", 2, 4, id="duckdb-or-of-columns"),
        pytest.param("datafusion-55", "i = 1 OR s = 'z'", 2, 2, id="datafusion-or-of-columns"),
        pytest.param("datafusion-55", "i IS NULL", 2, 4, id="datafusion-null-checks"),
    ],
)
def test_what_is_not_known_to_be_planned_is_null(
    table: Table, planner: str, where: str, least: int, most: int
) -> None:
    (answer,) = explain(table, CURRENT, [Question(None, where)], planner=planner_named(planner))
    assert answer["manifests"]["kept"] is None
    assert (answer["data_files"]["considered"], answer["data_files"]["kept"]) == (None, None)
    assert answer["row_groups"]["kept_interval"] == [least, most]
