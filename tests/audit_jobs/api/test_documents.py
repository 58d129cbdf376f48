"""An answer of Python has the keys of JSON as attributes, with the same values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest
from click.testing import CliRunner
from pyiceberg.table import Table

import prunescope
from prunescope.audit_jobs.cli import main

ORDERS = "lake.sales.orders"
WHERE = "date_format(order_ts, '%Y-%m-%d') = '2024-04-29'"
CONFIG = ("--config", "everything.yaml")


def _told(*arguments: str) -> Any:
    ran = CliRunner().invoke(main, [*arguments, "--json"])
    return json.loads(ran.stdout)


def _same(answer: Any, document: Any) -> bool:
    """True if an answer says what a document says, by the same names."""
    match document:
        case dict() if isinstance(answer, Mapping):
            return answer.keys() == document.keys() and all(
                _same(answer[key], value) for key, value in document.items()
            )
        case dict():
            names = {field.name.removesuffix("_"): field.name for field in fields(answer)}
            return all(_same(getattr(answer, names[key]), document[key]) for key in document)
        case list():
            pairs = zip(answer, document, strict=True)
            return isinstance(answer, tuple | list) and all(_same(*pair) for pair in pairs)
        case _:
            return bool(answer == document)


@pytest.mark.parametrize("more", [[], ["--list-files"], ["--planner", "trino-482"]])
@pytest.mark.usefixtures("orders")
def test_an_explanation(more: list[str]) -> None:
    document = _told("explain", ORDERS, "--where", WHERE, *more)
    assert {document.pop("id"), document.pop("outcome")} == {None, "replayed"}
    answer = prunescope.explain(
        ORDERS,
        WHERE,
        planner="trino-482" if "--planner" in more else None,
        list_files="--list-files" in more,
    )
    assert _same(answer, document)
    optional = {"kept_files", "more_scans", "notes"}
    assert {field.name for field in fields(answer)} - {*document} <= optional


@pytest.mark.usefixtures("orders")
def test_a_query_with_several_scans() -> None:
    sql = "SELECT * FROM sales.orders a JOIN sales.orders b ON a.id = b.id AND b.id < 7"
    document = _told("explain", ORDERS, "--sql", sql)
    [more] = prunescope.explain(ORDERS, sql=sql).more_scans
    [other] = document["more_scans"]
    assert more.data_files.kept == other["data_files"]["kept"]


@pytest.mark.usefixtures("orders")
def test_estimates_have_intervals() -> None:
    where = "amount > 98"
    document = _told("explain", ORDERS, "--where", where, "--max-footers", "2")
    answer = prunescope.explain(ORDERS, where, max_footers=2)
    assert answer.row_groups.kept_interval == tuple(document["row_groups"]["kept_interval"])


@pytest.mark.usefixtures("orders")
def test_the_health_of_a_table() -> None:
    [answer] = prunescope.tables(config="everything.yaml")
    document = _told("tables", *CONFIG)
    assert _same(answer, document)
    assert {field.name for field in fields(answer)} == {*document}


@pytest.mark.slow
@pytest.mark.usefixtures("orders")
def test_advice() -> None:
    window = "2024-04-30"
    answer = prunescope.advise(ORDERS, window=window, config="everything.yaml")
    document = _told("advise", ORDERS, "--window", window, *CONFIG)
    for table in document["tables"]:
        for finding in (*table["steps"], *table["left"]):
            # A time in Python; and which of alike queries is the example is drawn anew.
            del finding["example_started_at"], finding["example_query_id"]
    assert _same(answer, document)
    assert {field.name for field in fields(answer.tables[0])} == {*document["tables"][0]}


def test_checked_texts(orders: Table, tmp_path: Any) -> None:
    sql = f"SELECT id FROM {orders.catalog.name}.sales.orders WHERE {WHERE}"
    (tmp_path / "a.sql").write_text(sql)
    document = _told("check", "--sql-dir", str(tmp_path), *CONFIG)
    answer = prunescope.check(tmp_path, config="everything.yaml")
    for finding in document["findings"]:
        finding.pop("example_started_at")
    assert _same(answer.findings, document["findings"])
    assert _same(answer.too_small, document["too_small"])
    assert document["files"] == {"replayed": len(answer.files)}
