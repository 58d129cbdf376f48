"""The report in a real browser, and as the nightly job and `prunescope report` write it."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.demo.warehouse import DAY as DEMO_DAY
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.report.page import render_page
from prunescope.collectors.safe_text import plain
from tests.audit_jobs.report.made_runs import MadeTable, fleet, made_run
from tests.audit_jobs.report.test_page import HOSTILE, run_of
from tests.integration.audits import audit_here, with_own_tables
from tests.integration.report_browser.conftest import ORDERS, TABLES, Open, until_drawn
from tests.sampled import one_in

pytestmark = pytest.mark.slow


def test_tables_and_findings_come_worst_first_and_page_by_page(open_report: Open) -> None:
    one = open_report()
    expect(one.page.get_by_role("heading", level=1)).to_contain_text("Results may be wrong")
    expect(one.page.get_by_role("tab", name="Tables")).to_contain_text("63")
    expect(one.rows("tables")).to_have_count(25)
    expect(one.rows("tables").first).to_contain_text("lake.sales.orders")
    expect(one.rows("tables").first).to_contain_text("4.0 TB avoidable")
    one.page.get_by_role("button", name="Show 25 more of 63").click()
    expect(one.rows("tables")).to_have_count(50)
    # The keyboard goes on where it was.
    expect(one.rows("tables").nth(25).locator("summary")).to_be_focused()
    one.page.get_by_role("button", name="Show 13 more of 63").click()
    expect(one.rows("tables")).to_have_count(63)
    expect(one.page.locator("#tables-more")).to_be_hidden()


SEARCHES: dict[str, tuple[dict[str, str], int, int]] = {
    "a table": ({"Search": "ledger"}, 1, 0),
    "words in any order": ({"Search": "ORDERS country"}, 1, 0),
    "a sentence": ({"Search": "depth of order ts"}, 1, 1),
    "nothing": ({"Search": "no such thing"}, 0, 0),
    "table": ({"Table": "table_0007"}, 1, 2),
    "severity": ({"Table": "lake.sales.orders", "Severity": "high"}, 1, 2),
    "too severe": ({"Table": "lake.sales.orders", "Severity": "critical"}, 0, 0),
    "cause": ({"Table": "orders", "Cause": "pruning_regressed"}, 1, 1),
}


def test_what_is_searched_for_is_shown(open_report: Open, subtests: pytest.Subtests) -> None:
    one = open_report()
    for name, (filters, tables, findings) in SEARCHES.items():
        with subtests.test(name):
            one.page.get_by_role("tab", name="Tables").click()
            for label, value in filters.items():
                control = one.page.get_by_label(label, exact=True)
                if label in ("Cause", "Severity"):
                    control.select_option(value)
                else:
                    control.fill(value)
            expect(one.page.locator("#tables-count")).to_have_text(str(tables))
            expect(one.rows("tables")).to_have_count(tables)
            one.page.get_by_role("tab", name="Findings").click()
            expect(one.page.locator("#findings-count")).to_have_text(str(findings))
            expect(one.rows("findings")).to_have_count(findings)
            expect(one.page.get_by_text("No finding matches.")).to_be_visible(visible=not findings)
            one.page.get_by_role("button", name="Clear").click()
            expect(one.rows("findings")).to_have_count(25)


def test_suppressed_findings_are_shown_when_asked_for(open_report: Open) -> None:
    one = open_report()
    one.page.get_by_label("Table", exact=True).fill("orders")
    one.page.get_by_role("tab", name="Findings").click()
    expect(one.rows("findings")).to_have_count(2)
    one.page.get_by_label("Show suppressed findings").check()
    expect(one.rows("findings")).to_have_count(3)
    one.rows("findings").last.locator("summary").click()
    expect(one.rows("findings").last).to_contain_text("rewritten at night")


def test_a_table_shows_its_funnel_its_findings_and_how_its_files_lie(open_report: Open) -> None:
    one = open_report()
    table = one.open_table("lake.sales.orders")
    rows = table.locator(".funnel tbody tr")
    expect(rows).to_have_count(4)  # browsers tell that a line was opened later than they open it
    cells = rows.all_inner_texts()
    assert [re.split(r"\s+", row.strip()) for row in cells] == [
        ["Manifests", "80", "80", "74", "93%", "6"],
        ["Data", "files", "2,400", "2,316", "2,232", "96%", "192"],
        ["Row", "groups", "?", "9,264", "8,928", "96%", "768"],
        ["Bytes", "1.2", "TB", "1.2", "TB", "1.1", "TB", "96%", "96.0", "GB"],
    ]
    expect(table.locator(".finding")).to_have_count(2)
    figures = table.locator("figure.column")
    expect(figures).to_have_count(5)
    for number in range(5):
        until_drawn(figures.nth(number).locator("canvas"))
    expect(figures.first).to_contain_text("13 files hold a given value")


def test_sql_is_copied_as_it_runs(open_report: Open) -> None:
    one = open_report()
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one.page.get_by_role("tab", name="Findings").click()
    row = one.rows("findings").first
    row.locator("summary").click()
    for engine in ("spark", "trino"):
        button = row.get_by_role("button", name=f"Copy the {engine.title()} SQL of finding 1")
        button.click()
        expect(button).to_have_text("Copied")
        copied = one.page.evaluate("navigator.clipboard.readText()")
        (statements,) = [f[f"fix_{engine}"] for f in ORDERS.findings[:1]]
        assert copied == "\n".join(f"{statement};" for statement in statements)
    expect(one.page.get_by_role("status")).to_have_text("Copied to the clipboard")


def test_sql_is_copied_where_pages_have_no_clipboard(open_report: Open) -> None:
    one = open_report()
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one.page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('none')); }"
    )
    one.page.get_by_role("tab", name="Findings").click()
    row = one.rows("findings").first
    row.locator("summary").click()
    row.get_by_role("button", name="Copy the rewrite").click()
    expect(one.page.get_by_role("status")).to_have_text("Copied to the clipboard")
    copied = one.page.evaluate("navigator.clipboard.readText()")
    assert copied == ORDERS.findings[0]["rewrite"]


def test_headlines_lead_to_their_findings(open_report: Open) -> None:
    one = open_report()
    one.page.get_by_label("Search").fill("something else")
    story = one.page.locator("#worse ~ .stories a").first
    key = (story.get_attribute("href") or "").removeprefix("#finding-")
    story.click()
    opened = one.page.locator(f"#finding-{key}")
    expect(opened.locator("summary")).to_be_focused()
    expect(opened).to_contain_text("8137921203442187009")
    one.page.locator(f"#finding-{key} a", has_text="The table").click()
    expect(one.page.locator("#table-0 .funnel")).to_be_visible()
    expect(one.page).to_have_url(re.compile(r"#table=lake\.sales\.orders$"))
    # From a mail, say; and on a later page of the list.
    last = made_run(TABLES).findings[-1]["finding_key"]
    far = open_report(address=f"#finding-{last}")
    expect(far.page.locator(f"#finding-{last}")).to_have_attribute("open", "")


def test_what_is_open_has_an_address_to_share(open_report: Open, tmp_path: Path) -> None:
    strange = MadeTable(("lake", "a b", "100% #1/ü"), 0.9, 0.1)
    path = tmp_path / "strange.html"
    path.write_text(render_page(made_run([*TABLES, strange])), encoding="utf-8")
    one = open_report(path)
    one.page.get_by_label("Search").fill("100%")
    one.open_table("lake.a b.100% #1/ü")
    expect(one.page).to_have_url(re.compile("#table="))
    address = one.page.evaluate("location.hash")
    other = open_report(path, address=address)
    expect(other.page.locator("details.table[open]")).to_contain_text("lake.a b.100% #1/ü")
    other.page.keyboard.press("Escape")
    expect(other.page.locator("details.table[open]")).to_have_count(0)
    # Browsers tell that something was closed later than they close it.
    other.page.wait_for_function("location.hash === ''")
    unknown = open_report(path, address="#table=lake.no.such")
    expect(unknown.page.get_by_role("status")).to_have_text("This report has no table lake.no.such")


@pytest.mark.parametrize("text", one_in(3, HOSTILE, str))
def test_hostile_names_do_nothing(open_report: Open, tmp_path: Path, text: str) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(render_page(run_of(text)), encoding="utf-8")
    one = open_report(path)
    one.page.on("dialog", lambda dialog: one.said.append(dialog.message))
    row = one.rows("tables").first
    row.locator("summary").first.click()
    row.locator(".finding summary").first.click()
    shown = row.locator(".table-name").first.evaluate("element => element.textContent")
    assert shown == ".".join([plain(text)] * 3)
    assert row.locator("img, script, b b").count() == 0
    links = row.locator("a").evaluate_all("links => links.map(link => link.href)")
    assert all("/docs/findings.md#" in link for link in links)


@pytest.mark.exhaustive
def test_five_hundred_tables_open(open_report: Open, tmp_path: Path) -> None:
    path = tmp_path / "fleet.html"
    path.write_text(render_page(made_run(fleet(500))), encoding="utf-8")
    assert path.stat().st_size < 5_000_000
    one = open_report(path)
    expect(one.page.get_by_role("tab", name="Tables")).to_contain_text("501")
    # Only what is looked at is made.
    assert one.page.evaluate("document.querySelectorAll('*').length") < 2_500
    one.page.get_by_label("Search").fill("table_0499")
    expect(one.rows("tables")).to_have_count(1)
    one.open_table("lake.domain_6.table_0499")
    expect(one.page.locator("figure.column canvas")).to_have_count(5)


@pytest.mark.exhaustive
def test_the_nightly_job_and_the_command_write_the_same_file(
    open_report: Open, tmp_path: Path, demo_lake: Path
) -> None:
    report = {"path": f"{tmp_path}/{{window_start}}.html"}
    config = with_own_tables(demo_lake, tmp_path, report=report)
    start = dt.datetime.combine(DEMO_DAY, dt.time(), dt.UTC)
    audit_here(config, Window(start, start + dt.timedelta(days=1)))
    written = tmp_path / f"{DEMO_DAY.isoformat()}.html"
    again = tmp_path / "again.html"
    result = CliRunner().invoke(main, ["report", "--config", str(config), "--output", str(again)])
    assert (result.exit_code, result.output) == (0, f"{again}\n")
    assert again.read_bytes() == written.read_bytes()
    one = open_report(written)
    expect(one.page.get_by_role("tab", name="Tables")).to_contain_text(re.compile(r"\d"))
    data = json.loads(one.page.locator("#report").evaluate("element => element.textContent"))
    assert {table["name"] for table in data["tables"]} > {"lake.sales.orders", "lake.web.events"}
