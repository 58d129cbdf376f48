"""`prunescope.explain` answers what planning by hand gives, for SQL and PyIceberg's expressions.

The answers were written from the rows of `tests/audit_jobs/api/lake.py` and docs/explain.md alone.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pyarrow as pa
import pytest
from pyiceberg import expressions
from pyiceberg.table import StaticTable, Table

import prunescope

ORDERS = "lake.sales.orders"
ICE: Any = expressions
"""Their constructors take names and values, which their types do not tell."""

CASES = [
    # One value of a column that files are in the order of: 1 file, and row group 2 of 0 to 3.
    pytest.param("id = 250", (2, 2, 2), (8, 8, 1), (32, 4, 1), id="one-id"),
    pytest.param(ICE.EqualTo("id", 250), (2, 2, 2), (8, 8, 1), (32, 4, 1), id="one-id-expression"),
    # Days 1 and 2 are in the first manifest; what the other one has is not read.
    pytest.param(
        "order_ts < TIMESTAMP '2024-04-30 00:00:00'",
        (2, 2, 1),
        (8, 4, 2),
        (None, 8, 8),
        id="two-days",
    ),
    pytest.param(
        ICE.LessThan("order_ts", "2024-04-30T00:00:00"),
        (2, 2, 1),
        (8, 4, 2),
        (None, 8, 8),
        id="two-days-expression",
    ),
    pytest.param(
        "order_ts >= TIMESTAMP '2024-06-01 00:00:00'",
        (2, 2, 0),
        (8, 0, 0),
        (None, 0, 0),
        id="no-such-day",
    ),
    pytest.param("TRUE", (2, 2, 2), (8, 8, 8), (32, 32, 32), id="all"),
    pytest.param(ICE.AlwaysTrue(), (2, 2, 2), (8, 8, 8), (32, 32, 32), id="all-expression"),
    pytest.param("region IS NULL", (2, 2, 2), (8, 8, 4), (32, 16, 16), id="nulls"),
    pytest.param(ICE.IsNull("region"), (2, 2, 2), (8, 8, 4), (32, 16, 16), id="nulls-expression"),
    pytest.param(
        ICE.NotNull("region"), (2, 2, 2), (8, 8, 4), (32, 16, 16), id="not-null-expression"
    ),
    # The last row group of every file has the amounts 75 to 99.
    pytest.param("amount > 98", (2, 2, 2), (8, 8, 8), (32, 32, 8), id="last-row-groups"),
    pytest.param("id IN (5, 1305)", (2, 2, 2), (8, 8, 2), (32, 8, 2), id="in"),
    pytest.param(ICE.In("id", {5, 1305}), (2, 2, 2), (8, 8, 2), (32, 8, 2), id="in-expression"),
    pytest.param(
        ICE.Or(ICE.EqualTo("id", 250), ICE.EqualTo("id", 1301)),
        (2, 2, 2),
        (8, 8, 2),
        (32, 8, 2),
        id="or-expression",
    ),
    pytest.param(
        ICE.Not(ICE.LessThan("id", 1300)), (2, 2, 2), (8, 8, 1), (32, 4, 4), id="not-expression"
    ),
    pytest.param("customer LIKE 'c9%'", (2, 2, 2), (8, 8, 0), (32, 0, 0), id="prefix"),
    pytest.param(
        ICE.StartsWith("customer", "c9"), (2, 2, 2), (8, 8, 0), (32, 0, 0), id="prefix-expression"
    ),
    # Within the bounds c0 to c4 of every row group, and in no dictionary.
    pytest.param("customer = 'c25'", (2, 2, 2), (8, 8, 8), (32, 32, 0), id="dictionaries"),
    pytest.param(
        ICE.And(ICE.GreaterThan("id", 250), ICE.LessThan("id", 260)),
        (2, 2, 2),
        (8, 8, 1),
        (32, 4, 1),
        id="and-expression",
    ),
    pytest.param(
        ICE.And(
            ICE.GreaterThanOrEqual("order_ts", "2024-05-04T00:00:00"), ICE.EqualTo("region", "eu")
        ),
        (2, 2, 1),
        (8, 4, 2),
        (None, 8, 8),
        id="two-columns-expression",
    ),
]


@pytest.mark.parametrize(("where", "manifests", "data_files", "row_groups"), CASES)
def test_passes_keep_what_may_match(
    orders: Table, where: Any, manifests: Any, data_files: Any, row_groups: Any
) -> None:
    answers = [prunescope.explain(ORDERS, where), prunescope.explain(orders, where)]
    for answer in answers:
        assert _counts(answer.manifests) == manifests
        assert _counts(answer.data_files) == data_files
        assert _counts(answer.row_groups) == row_groups


def _counts(passed: prunescope.PassCounts) -> tuple[int | None, int | None, int | None]:
    return passed.total, passed.considered, passed.kept


def test_no_filter_keeps_everything(orders: Table) -> None:
    assert prunescope.explain(ORDERS).data_files.kept == 8
    assert prunescope.explain(orders).bytes.kept == sum(_sizes(orders))


def test_bytes_are_those_of_the_files(orders: Table) -> None:
    """`inspect.files` of PyIceberg has their sizes, in the order of ids."""
    answer = prunescope.explain(ORDERS, "id < 200")
    files = orders.inspect.files().to_pylist()
    first = [
        file["file_size_in_bytes"]
        for file in files
        if file["readable_metrics"]["id"]["lower_bound"] < 200
    ]
    assert answer.data_files.kept == len(first) == 2
    assert answer.bytes.kept == sum(first)
    assert answer.records.kept == 200


def _sizes(table: Table) -> list[int]:
    return [int(size) for size in table.inspect.files()["file_size_in_bytes"].to_pylist()]


@pytest.mark.parametrize(
    ("planner", "where"),
    [
        ("spark-3.5/1.9.2", "date_format(order_ts, 'yyyy-MM-dd') = '2024-04-29'"),
        ("trino-482", "date_format(order_ts, '%Y-%m-%d') = '2024-04-29'"),
    ],
)
@pytest.mark.usefixtures("orders")
def test_a_planner_that_pushes_nothing_reads_everything(planner: str, where: str) -> None:
    answer = prunescope.explain(ORDERS, where, planner=planner)
    assert answer.data_files.kept == 8
    assert answer.potential.data_files == 1
    assert answer.written is not None
    assert {part.written for part in answer.conjuncts} == {answer.written}
    assert not any(pushes for part in answer.conjuncts for pushes in part.pushed_by.values())


@pytest.mark.usefixtures("orders")
def test_a_planner_without_dictionaries_keeps_row_groups() -> None:
    answer = prunescope.explain(ORDERS, "customer = 'c25'", planner="pyiceberg")
    assert answer.row_groups.kept == 32


def test_a_snapshot_has_the_files_of_then(orders: Table) -> None:
    first = orders.history()[0].snapshot_id
    assert prunescope.explain(ORDERS, snapshot_id=first).data_files.total == 4
    assert prunescope.explain(orders, snapshot_id=first).data_files.total == 4


def test_a_metadata_file_alone_is_enough(orders: Table) -> None:
    static = StaticTable.from_metadata(orders.metadata_location)
    assert prunescope.explain(static, "id = 250").table == "orders"
    assert prunescope.explain(static, sql="SELECT * FROM o WHERE id = 250").data_files.kept == 1


@pytest.mark.parametrize("where", [ICE.NotEqualTo("region", "eu"), ICE.NotIn("region", {"eu"})])
def test_negations_of_expressions_match_nulls(orders: Table, where: Any) -> None:
    """Iceberg's do, and SQL's do not: a planner keeps the files without a region for both, as it
    asks Iceberg, though none has a row for the condition in SQL."""
    asked = prunescope.explain(orders, where)
    assert (asked.data_files.kept, asked.potential.data_files) == (4, 4)
    written = prunescope.explain(orders, "region <> 'eu'")
    assert (written.data_files.kept, written.potential.data_files) == (4, 0)


@pytest.mark.usefixtures("orders")
def test_the_sql_of_a_query_is_taken_apart() -> None:
    sql = "SELECT count(*) FROM sales.orders o WHERE o.id = 250 AND o.amount >= 0"
    answer = prunescope.explain(ORDERS, sql=sql)
    assert answer.data_files.kept == 1
    assert len(answer.conjuncts) == 2


@pytest.mark.usefixtures("orders")
def test_answers_cannot_be_changed() -> None:
    answer = prunescope.explain(ORDERS, "id = 250")
    with pytest.raises(FrozenInstanceError):
        answer.table = "another"  # type: ignore[misc]


@pytest.mark.usefixtures("orders")
def test_arrow_has_a_row_for_each_pass() -> None:
    table = prunescope.explain(ORDERS, "id = 250").to_arrow()
    assert isinstance(table, pa.Table)
    rows = {row["pass"]: row for row in table.to_pylist()}
    assert rows["data_files"] == {"pass": "data_files", "total": 8, "considered": 8, "kept": 1}
    assert rows["row_groups"]["kept"] == 1
    assert table.schema.field("kept").type == pa.int64()


@pytest.mark.usefixtures("orders")
def test_notebooks_show_the_funnel() -> None:
    html = prunescope.explain(ORDERS, "customer = '<c25>'")._repr_html_()
    for shown in ("manifests", "data files", "row groups", ORDERS):
        assert shown in html
    assert "<c25>" not in html


@pytest.mark.usefixtures("orders")
def test_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    prunescope.explain(ORDERS, "id = 250", planner="spark-99.9/9.9.9")
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("orders")
def test_newer_planners_than_any_known_are_noted() -> None:
    answer = prunescope.explain(ORDERS, planner="spark-99.9/9.9.9")
    assert any("newer than any" in note for note in answer.notes)
    assert all(note in answer._repr_html_() for note in answer.notes)


@pytest.mark.parametrize(
    ("where", "outcome"),
    [
        ("id = ", "unparseable"),
        ("no_such_column = 1", "unknown_column"),
        (ICE.EqualTo("no_such_column", 1), "unknown_column"),
    ],
)
@pytest.mark.usefixtures("orders")
def test_a_filter_that_cannot_be_planned_raises(where: Any, outcome: str) -> None:
    with pytest.raises(prunescope.NotReplayed) as refused:
        prunescope.explain(ORDERS, where)
    assert refused.value.outcome == outcome
    assert isinstance(refused.value, prunescope.PrunescopeError)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"table": "lake.sales.order"}, "did you mean orders"),
        ({"table": "lak.sales.orders"}, "did you mean lake"),
        ({"table": ORDERS, "planner": "sprak"}, "spark"),
        ({"table": ORDERS, "config": "nowhere.yaml"}, "nowhere.yaml"),
        ({"table": ORDERS, "where": "id = 1", "sql": "SELECT 1"}, "sql"),
        ({"table": ORDERS, "snapshot_id": 1}, "Snapshot not found"),
        ({"table": ORDERS, "time_zone": "Europe/Berln"}, "Europe/Berlin"),
    ],
)
@pytest.mark.usefixtures("orders")
def test_mistakes_are_told_with_what_may_be_meant(arguments: Any, message: str) -> None:
    with pytest.raises(prunescope.PrunescopeError, match=message):
        prunescope.explain(**arguments)
