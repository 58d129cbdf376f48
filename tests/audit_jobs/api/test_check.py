"""`prunescope.check` judges texts, files and folders of SQL like the command.

The answers were written from the rows of `tests/audit_jobs/api/lake.py` and docs/check.md alone.
"""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from pyiceberg.table import Table

import prunescope

HOOK = Path(__file__).parents[3] / "docs" / "examples" / "gateway_hook.py"
WRAPPED = "SELECT count(*) FROM sales.orders WHERE date_format(order_ts, '%Y-%m-%d') = '2024-04-29'"
RANGE = (
    "SELECT count(*) FROM sales.orders "
    "WHERE order_ts >= TIMESTAMP '2024-04-29 00:00:00' "
    "AND order_ts < TIMESTAMP '2024-04-30 00:00:00'"
)


def _about_texts(checked: prunescope.Check) -> list[prunescope.ReportedFinding]:
    """Its files are small, which a finding about the table alone tells."""
    return [found for found in checked.findings if found.files]


@pytest.mark.usefixtures("orders")
def test_a_function_on_the_partition_column_is_found() -> None:
    checked = prunescope.check(WRAPPED, engine="trino-482", catalog="lake", small=True)
    [found] = _about_texts(checked)
    assert found.cause == "wrapped_column"
    assert found.table_name == "lake.sales.orders"
    assert checked.not_replayed == ()


def test_the_bytes_of_a_query_are_those_that_its_engine_reads(orders: Table) -> None:
    sizes = orders.inspect.files()["file_size_in_bytes"].to_pylist()
    wrapped = prunescope.check(WRAPPED, engine="trino-482", catalog="lake")
    assert wrapped.bytes_kept == sum(sizes)
    narrow = prunescope.check(RANGE, engine="trino-482", catalog="lake")
    assert narrow.bytes_kept in sizes


@pytest.mark.usefixtures("orders")
def test_a_range_of_partitions_is_sound() -> None:
    checked = prunescope.check(RANGE, engine="trino-482", catalog="lake", small=True)
    assert _about_texts(checked) == []


@pytest.mark.usefixtures("orders")
def test_thresholds_are_those_of_the_audit() -> None:
    checked = prunescope.check(WRAPPED, engine="trino-482", catalog="lake")
    assert checked.findings == ()
    assert checked.too_small.findings > 0


@pytest.mark.usefixtures("orders")
def test_texts_have_names(tmp_path: Path) -> None:
    checked = prunescope.check(
        {"marts/bad.sql": WRAPPED, "marts/good.sql": RANGE, "broken.sql": "SELECT FROM WHERE"},
        engine="trino-482",
        catalog="lake",
        small=True,
    )
    assert [found.files for found in _about_texts(checked)] == [("marts/bad.sql",)]
    assert [(file.file, file.outcome) for file in checked.not_replayed] == [
        ("broken.sql", "unparseable")
    ]
    assert checked.bytes_kept is None, "a query that could not be judged reads an unknown number"
    (tmp_path / "marts").mkdir()
    (tmp_path / "marts" / "bad.sql").write_text(WRAPPED)
    folder = prunescope.check(tmp_path, engine="trino-482", catalog="lake", small=True)
    assert [found.files for found in _about_texts(folder)] == [("marts/bad.sql",)]


@pytest.mark.usefixtures("orders")
def test_a_hook_refuses_what_reads_too_much() -> None:
    """The script of docs/python.md, with a limit that suits a small table."""
    hook = runpy.run_path(str(HOOK))
    refusal = hook["refusal"]
    assert refusal(WRAPPED, "lake", "sales") is None
    refusal.__globals__["LIMIT"] = 10_000
    assert refusal(RANGE, "lake", "sales") is None
    assert "reads 5" in refusal(WRAPPED, "lake", "sales")
    assert "unparseable" in refusal("SELECT FROM WHERE", "lake", "sales")


@pytest.mark.usefixtures("orders")
def test_the_session_completes_names() -> None:
    unqualified = "SELECT id FROM orders WHERE id = 250"
    assert prunescope.check(unqualified, schema="sales").bytes_kept is not None
    assert prunescope.check(unqualified, schema="elsewhere").bytes_kept is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"engine": "trini-482"}, "trino"),
        ({"dialect": "sparkk"}, "spark"),
        ({"catalog": "lakes"}, "did you mean lake"),
        ({"sql": Path("nowhere")}, "nowhere"),
    ],
)
@pytest.mark.usefixtures("orders")
def test_mistakes_are_told_with_what_may_be_meant(arguments: Any, message: str) -> None:
    with pytest.raises(prunescope.PrunescopeError, match=message):
        prunescope.check(**{"sql": RANGE, **arguments})


@pytest.mark.usefixtures("orders")
def test_answers_are_tables_and_notebooks() -> None:
    checked = prunescope.check(WRAPPED, engine="trino-482", small=True)
    [row] = [row for row in checked.to_arrow().to_pylist() if row["cause"] == "wrapped_column"]
    assert row["columns"] == ["order_ts"]
    assert isinstance(json.loads(row["evidence"]), dict)
    html = checked._repr_html_()
    assert "wrapped_column" in html
    assert "2024-04-29" not in html
