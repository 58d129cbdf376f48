"""The first hour and the second night of somebody whose catalog is Nessie and whose queries are
those of notebooks: of two findings one is fixed, by its statements as they are printed, and new
queries come. Spark knows the catalog by another name than the configuration."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.audit_jobs.report.parsed import Page
from tests.integration.lakehouse import LOGS, lakehouse, nessie
from tests.integration.test_first_hour import CUSTOMER, User

pytestmark = [pytest.mark.slow(minutes=2), pytest.mark.exhaustive]

CATALOG = "ice"
"""As Spark knows it, and so as queries name it."""
ORDERS, VISITS = f"{CATALOG}.sales.orders", f"{CATALOG}.sales.visits"
SMALL_FILES = "USING iceberg TBLPROPERTIES ('write.target-file-size-bytes' = '131072')"
CUSTOMERS = f"{CUSTOMER} - 471 + pmod(xxhash64(id), 2000)"
MADE = (
    f"CREATE NAMESPACE {CATALOG}.sales",
    f"CREATE TABLE {ORDERS} (order_id BIGINT, customer_id BIGINT, amount BIGINT) {SMALL_FILES}",
    f"""INSERT INTO {ORDERS}
    SELECT id, {CUSTOMERS}, pmod(xxhash64(id, 1), 1000) FROM range(0, 320000, 1, 16)""",
    f"CREATE TABLE {VISITS} (visit_id BIGINT, visitor_id BIGINT, page BIGINT) {SMALL_FILES}",
    f"""INSERT INTO {VISITS}
    SELECT id, {CUSTOMERS}, pmod(xxhash64(id, 1), 1000) FROM range(0, 160000, 1, 8)""",
)
LOOKUPS = [(ORDERS, f"customer_id = {CUSTOMER + n}") for n in range(3)]
VISITORS = [
    f"SELECT count(*), max(page) FROM {VISITS} WHERE visitor_id = {CUSTOMER + n}" for n in range(3)
]
"""Of both, the literals differ, so that the queries are one only by their shape."""
NEW = [
    *((VISITS, f"page = {n}") for n in range(7, 10)),
    # What orders were laid out by, until the fix.
    *((ORDERS, f"order_id = {n}") for n in range(7, 10)),
]
LOCAL = ("--runner", "local")
"""As the windows are small; the first hour is audited with Spark."""
COMPACTED = f"""CALL {CATALOG}.system.rewrite_data_files(
    table => 'sales.visits', options => map('rewrite-all', 'true'))"""


@dataclass(frozen=True)
class Nights:
    """What was typed in two nights, and what it printed. `fix` are the statements that were run;
    `answers` those of the same queries before and after."""

    user: User
    doctor: list[dict[str, Any]]
    first: str
    findings: list[dict[str, Any]]
    details: str
    fix: list[str]
    answers: list[list[list[Any]]]
    second: str
    left: list[dict[str, Any]]
    page: Page
    maintained: list[dict[str, Any]]


@pytest.fixture(scope="module")
def nights(
    tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], Path]
) -> Nights:
    user = User(tmp_path_factory.mktemp("home"))
    with lakehouse(tmp_path_factory.mktemp("lakehouse"), require_program, nessie) as lake:
        begin = dt.datetime.now(dt.UTC)
        asked: list[str | tuple[str, str]] = [*LOOKUPS, *VISITORS]
        before = lake.notebook(CATALOG, [*MADE, *asked, COMPACTED, *VISITORS])
        middle = dt.datetime.now(dt.UTC)
        user.types(
            *("init", "--catalog-type", "rest", "--uri", lake.catalog, "--alias", CATALOG),
            *("--s3-endpoint", lake.endpoint, "--s3-region", "us-east-1", "--logs", LOGS),
        )
        doctor = user.lines("doctor", "--no-spark")
        first = user.types("audit", *window(begin, middle), "--all", *LOCAL)
        findings = user.lines("findings")
        details = user.types("findings", "--details")
        fix = next(iter(of(findings, "orders", "customer_id")))["fix_spark"]
        evening = dt.datetime.now(dt.UTC)
        after = lake.notebook(CATALOG, [*fix, *asked, *NEW])
        end = dt.datetime.now(dt.UTC)
        second = user.types("audit", *window(evening, end), "--all", *LOCAL)
        left = user.lines("findings")
        report = user.folder / "report.html"
        user.types("report", "--output", str(report))
        maintained = json.loads(user.types("maintain", "--json"))
    answers = [before[len(MADE) :][: len(asked)], after[len(fix) :][: len(asked)]]
    page = Page(report.read_text(encoding="utf-8"))
    return Nights(
        user, doctor, first, findings, details, fix, answers, second, left, page, maintained
    )


def window(start: dt.datetime, end: dt.datetime) -> tuple[str, ...]:
    return ("--window-start", start.isoformat(), "--window-end", end.isoformat())


def of(findings: list[dict[str, Any]], table: str, column: str) -> list[dict[str, Any]]:
    """Those of a table that are about a column."""
    return [one for one in findings if one["table"] == table and column in one["columns"]]


def test_everything_is_well(nights: Nights) -> None:
    states = {check["name"]: check["state"] for check in nights.doctor}
    # Nessie does not tell the time.
    assert {name for name, state in states.items() if state != "ok"} == {"clock"}


def test_queries_from_before_a_compaction_are_replayed(nights: Nights) -> None:
    """Of the 9 queries of the first night, 3 ran after the compaction."""
    assert re.search(r"^queries +9 replayed$", nights.first, re.MULTILINE)
    assert re.search(r"^queries +12 replayed$", nights.second, re.MULTILINE)


def test_what_was_built_is_found(nights: Nights) -> None:
    (orders,) = of(nights.findings, "orders", "customer_id")
    (visits,) = of(nights.findings, "visits", "visitor_id")
    assert [orders["cause"], visits["cause"]] == ["unclustered_column"] * 2
    assert [orders["scans"], visits["scans"]] == [3, 6]
    for statement in nights.fix:
        assert f"{statement};" in nights.details


def test_statements_name_the_catalog_as_queries_do(nights: Nights) -> None:
    for finding in nights.findings:
        for statement in finding["fix_spark"]:
            assert CATALOG in statement
            assert "lake" not in statement


def test_the_fix_changes_no_answer(nights: Nights) -> None:
    before, after = nights.answers
    assert after == before
    assert all(before)


def test_what_was_fixed_is_told_and_nothing_else(nights: Nights) -> None:
    (line,) = [line for line in nights.second.splitlines() if line.startswith("fixed ")]
    assert ".sales.orders: " in line
    before, promised, now = (float(n) for n in re.findall(r"([\d.]+)%", line))
    assert before == 100
    assert now <= 1.5 * promised < 20
    (fixed,) = nights.page.document["fixed"]
    assert fixed["cause"] == "unclustered_column"


def test_what_is_open_and_what_is_new_are_found(nights: Nights) -> None:
    # A second column for the order that the table has by now is another matter.
    assert ["customer_id"] not in [
        one["columns"] for one in of(nights.left, "orders", "customer_id")
    ]
    (visitors,) = of(nights.left, "visits", "visitor_id")
    (pages,) = of(nights.left, "visits", "page")
    # One order may serve both.
    assert [visitors["scans"], pages["scans"]] == ([6, 6] if visitors == pages else [3, 3])


def test_audit_tables_are_maintained(nights: Nights) -> None:
    assert {one["table"] for one in nights.maintained} >= {"audit_runs", "scan_plans", "findings"}
    assert [one for one in nights.maintained if one["failure"] is not None] == []


def test_no_literal_was_kept(nights: Nights) -> None:
    assert str(CUSTOMER) not in nights.page.text
