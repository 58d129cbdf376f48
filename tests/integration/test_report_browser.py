"""The report in a real browser, and as the nightly job and `prunescope report` write it."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from audit_jobs.cli import main
from audit_jobs.demo.warehouse import DAY as DEMO_DAY
from audit_jobs.findings.model import Severity
from audit_jobs.records import Window
from audit_jobs.report.page import render_page
from collectors.plain import plain
from tests.audit_jobs.report.made_runs import (
    MadeTable,
    finding,
    fleet,
    made_history,
    made_run,
    regression,
)
from tests.audit_jobs.report.test_page import HOSTILE, run_of
from tests.integration.audits import audit_here, with_own_tables

pytestmark = pytest.mark.slow

ORDERS = MadeTable(
    ("lake", "sales", "orders"),
    0.93,
    0.08,
    findings=(
        finding("wrapped_column", Severity.HIGH, 4 * 10**12),
        regression(2 * 10**12, 0.08, 0.93),
        finding("small_files", Severity.LOW, None, suppressed="rewritten at night"),
    ),
)
LEDGER = MadeTable(("lake", "finance", "ledger"), 0.2, 0.2)
TABLES = (ORDERS, LEDGER, *fleet(60))


@dataclass
class Opened:
    """A page, and what the browser said and asked for while it was open."""

    page: Page
    context: BrowserContext
    said: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def rows(self, name: str) -> Locator:
        """The lines of a list, as far as they are on the page."""
        return self.page.locator(f"#{name}-list > li > details")

    def open_table(self, name: str) -> Locator:
        """The drill-down of a table."""
        table = self.rows("tables").filter(has=self.page.get_by_text(name, exact=True)).first
        table.locator("summary").first.click()
        return table


Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def browser(require_program: Callable[[str], Path]) -> Iterator[Browser]:
    program = require_program("chromium")
    with sync_playwright() as playwright:
        # Chromium's own sandbox needs rights that containers rarely give; the page is ours.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    made = made_run(TABLES, history=made_history(TABLES, 21))
    path.write_text(render_page(made), encoding="utf-8")
    return path


@pytest.fixture
def open_report(browser: Browser, report: Path) -> Iterator[Open]:
    """Opens a report; at the end, no page may have said or fetched anything."""
    opened: list[Opened] = []

    def open_one(
        path: Path = report,
        *,
        address: str = "",
        width: int = 1280,
        scheme: Literal["light", "dark"] = "light",
    ) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        context.set_default_timeout(20_000)
        one = Opened(context.new_page(), context)
        one.page.on("console", lambda message: one.said.append(message.text))
        one.page.on("pageerror", lambda error: one.said.append(str(error)))
        one.page.on("request", lambda request: one.requests.append(request.url))
        one.page.goto(path.as_uri() + address)
        opened.append(one)
        return one

    yield open_one
    for one in opened:
        one.context.close()
        assert one.said == []
        assert [url for url in one.requests if not url.startswith(("file:", "data:"))] == []


def test_tables_and_findings_come_worst_first_and_page_by_page(open_report: Open) -> None:
    one = open_report()
    expect(one.page.get_by_role("heading", level=1)).to_contain_text("Results may be wrong")
    expect(one.page.get_by_role("tab", name="Tables")).to_contain_text("63")
    expect(one.rows("tables")).to_have_count(25)
    expect(one.rows("tables").first).to_contain_text("lake.sales.orders")
    expect(one.rows("tables").first).to_contain_text("4.0 TB at stake")
    one.page.get_by_role("button", name="Show 25 more of 63").click()
    expect(one.rows("tables")).to_have_count(50)
    # The keyboard goes on where it was.
    expect(one.rows("tables").nth(25).locator("summary")).to_be_focused()
    one.page.get_by_role("button", name="Show 13 more of 63").click()
    expect(one.rows("tables")).to_have_count(63)
    expect(one.page.locator("#tables-more")).to_be_hidden()


@pytest.mark.parametrize(
    ("filters", "tables", "findings"),
    [
        pytest.param({"Search": "ledger"}, 1, 0, id="a table"),
        pytest.param({"Search": "ORDERS country"}, 1, 0, id="words in any order"),
        pytest.param({"Search": "depth of order ts"}, 1, 1, id="a sentence"),
        pytest.param({"Search": "no such thing"}, 0, 0, id="nothing"),
        pytest.param({"Table": "table_0007"}, 1, 2, id="table"),
        pytest.param({"Table": "lake.sales.orders", "Severity": "high"}, 1, 2, id="severity"),
        pytest.param({"Table": "lake.sales.orders", "Severity": "critical"}, 0, 0, id="too severe"),
        pytest.param({"Table": "orders", "Cause": "pruning_regressed"}, 1, 1, id="cause"),
    ],
)
def test_what_is_searched_for_is_shown(
    open_report: Open, filters: dict[str, str], tables: int, findings: int
) -> None:
    one = open_report()
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
    expect(one.page.get_by_text("No finding matches.")).to_be_visible(visible=findings == 0)
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
        ["Data", "files", "2,400", "2,316", "2,232", "93%", "192"],
        ["Row", "groups", "?", "9,264", "8,928", "≤", "96%", "768"],
        ["Bytes", "1.2", "TB", "1.2", "TB", "1.1", "TB", "93%", "96.0", "GB"],
    ]
    expect(table.locator(".finding")).to_have_count(2)
    figures = table.locator("figure.column")
    expect(figures).to_have_count(5)
    for number in range(5):
        until_drawn(figures.nth(number).locator("canvas"))
    expect(figures.first).to_contain_text("13 files hold a given value")


PIXELS = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let drawn = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue, alpha] = data.slice(at, at + 4);
    if (alpha > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 40) drawn += 1;
  }
  return drawn > 500;
}"""


def until_drawn(canvas: Locator) -> None:
    """Until a chart is there: its canvas has pixels of the colour of its bars."""
    canvas.page.wait_for_function(PIXELS, arg=canvas.element_handle())


def test_plots_are_read_with_the_keyboard(open_report: Open) -> None:
    one = open_report()
    table = one.open_table("lake.sales.orders")
    figure = table.locator("figure.column").first
    canvas = figure.get_by_role("img")
    readout = figure.locator(".readout")
    canvas.focus()
    told: list[str] = []
    for _ in range(3):
        canvas.press("ArrowDown")
        expect(readout).not_to_have_text(told[-1] if told else "\u00a0")
        told.append(readout.inner_text())
    numbers = [re.findall(r"[\d.]+", line) for line in told]
    assert [line[:2] for line in numbers] == [["1", "100"], ["2", "100"], ["3", "100"]]
    starts = [float(line[2]) for line in numbers]
    assert all(low <= high for low, high in pairwise(starts))
    # As packed in the page: the first bar starts where the lowest range does.
    made = made_run(TABLES)
    ranges = next(r["ranges"] for r in made.column_health if r["table"] == "orders")
    assert starts[0] == pytest.approx(100 * min(ranges[::2]), abs=0.1)
    canvas.hover(position={"x": 200, "y": 100})
    expect(readout).to_have_text(re.compile(r"^File (?![123] )\d"))


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


def test_dark_mode_follows_the_system_until_it_is_chosen(open_report: Open) -> None:
    def background(one: Opened) -> str:
        found: str = one.page.evaluate("getComputedStyle(document.body).backgroundColor")
        return found

    light, dark = open_report(), open_report(scheme="dark")
    assert background(light) != background(dark)
    button = dark.page.get_by_role("button", name="Dark mode")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    assert background(dark) == background(light)
    expect(button).to_have_attribute("aria-pressed", "false")
    dark.page.reload()
    assert background(dark) == background(light)


def test_plots_change_with_the_mode(open_report: Open) -> None:
    one = open_report()
    canvas = one.open_table("lake.sales.orders").locator("canvas").first
    until_drawn(canvas)
    before = canvas.evaluate("canvas => canvas.toDataURL()")
    one.page.get_by_role("button", name="Dark mode").click()
    one.page.wait_for_function(
        "([canvas, before]) => canvas.toDataURL() !== before", arg=[canvas.element_handle(), before]
    )


@pytest.fixture(scope="module")
def long_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Names and conditions that are longer than anybody's."""
    path = tmp_path_factory.mktemp("report") / "long.html"
    long = MadeTable(
        ("lake", "a_namespace_that_never_ends_" * 5, "T" * 120),
        0.9,
        0.1,
        columns=("column" * 20,),
        findings=(finding("wrapped_column", Severity.HIGH, 9 * 10**12, conjunct="x" * 400),),
    )
    tables = [long, ORDERS]
    made = made_run(tables, history=made_history(tables, 21))
    path.write_text(render_page(made), encoding="utf-8")
    return path


@pytest.mark.parametrize("width", [360, 390, 768, 1024, 1440])
def test_nothing_is_wider_than_the_screen(open_report: Open, long_report: Path, width: int) -> None:
    one = open_report(long_report, width=width)
    for name in ("tables", "findings"):
        one.page.locator(f"#{name}-tab").click()
        for row in one.rows(name).all():
            row.locator("summary").first.click()
            expect(row.locator("> .body")).to_be_visible()
        widths = one.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widths == [width, width], name


def test_the_keyboard_reaches_everything(open_report: Open) -> None:
    one = open_report()
    keyboard = one.page.keyboard
    keyboard.press("Tab")
    expect(one.page.get_by_role("link", name="Skip to tables and findings")).to_be_focused()
    keyboard.press("Enter")
    for control in ("Search", "Table", "Cause", "Severity"):
        keyboard.press("Tab")
        expect(one.page.get_by_label(control, exact=True)).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("Tab")
    keyboard.press("Tab")
    expect(one.page.get_by_role("tab", name="Tables")).to_be_focused()
    keyboard.press("ArrowRight")
    expect(one.page.get_by_role("tab", name="Findings")).to_be_focused()
    expect(one.page.get_by_role("tabpanel", name="Findings")).to_be_visible()
    keyboard.press("ArrowRight")
    keyboard.press("Tab")
    expect(one.rows("tables").first.locator("summary").first).to_be_focused()
    keyboard.press("Enter")
    expect(one.rows("tables").first.locator(".funnel")).to_be_visible()


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


def test_arrow_keys_go_from_line_to_line(open_report: Open) -> None:
    one = open_report()
    lines = one.rows("tables")
    lines.first.locator("summary").first.focus()
    for key, at in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", 24), ("Home", 0)):
        one.page.keyboard.press(key)
        expect(lines.nth(at).locator("summary").first).to_be_focused()


def test_earlier_windows_are_drawn_and_read_with_the_keyboard(
    open_report: Open, tmp_path: Path
) -> None:
    path = tmp_path / "weeks.html"
    tables = fleet(9)
    path.write_text(render_page(made_run(tables, history=made_history(tables, 21))), "utf-8")
    one = open_report(path)
    one.page.get_by_role("link", name="lake.domain_4.table_0004").first.click()
    table = one.page.locator("details.table[open]")
    expect(table.locator(".fixed")).to_contain_text("before it was 97% (51% was promised)")
    figures = table.locator(".timeline")
    expect(figures).to_have_count(3)
    figure = table.locator(".over-time").first
    expect(figure.locator(".readout")).to_have_text("6 May: 51%, 613.3 GB kept by 2 scans")
    heights = figure.locator("rect:not(.track)").evaluate_all(
        "bars => bars.map(bar => bar.getBBox().height)"
    )
    assert len(heights) == 22
    assert heights[14] == pytest.approx(0.97 * 64, abs=0.1)
    assert heights[-1] == pytest.approx(613.3 / 1_200 * 64, abs=0.1)
    figure.get_by_role("img").focus()
    for _ in range(7):
        one.page.keyboard.press("ArrowLeft")
    expect(figure.locator(".readout")).to_contain_text("29 Apr: 97%, 1.2 TB kept by 2 scans")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 360)])
def test_axe_finds_no_barrier(
    open_report: Open, scheme: Literal["light", "dark"], width: int
) -> None:
    one = open_report(scheme=scheme, width=width)
    table = one.open_table("lake.sales.orders")
    table.locator(".finding summary").first.click()
    tags = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
    for tab in ("Tables", "Findings"):
        one.page.get_by_role("tab", name=tab).click()
        if tab == "Findings":
            one.rows("findings").first.locator("summary").click()
            expect(one.rows("findings").first.locator("> .body")).to_be_visible()
        found: dict[str, Any] = Axe().run(one.page, options={"runOnly": tags}).response
        assert found["passes"]
        barriers = [
            (rule["id"], node["target"], node["failureSummary"])
            for rule in found["violations"]
            for node in rule["nodes"]
        ]
        assert barriers == []


@pytest.mark.parametrize("text", HOSTILE)
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


def test_paper_has_what_is_open_and_no_controls(open_report: Open) -> None:
    one = open_report(scheme="dark")
    table = one.open_table("lake.sales.orders")
    one.page.emulate_media(media="print")
    expect(one.page.get_by_role("button", name="Dark mode")).to_be_hidden()
    expect(one.page.locator("#filters")).to_be_hidden()
    expect(table.locator(".funnel")).to_be_visible()
    assert one.page.evaluate("getComputedStyle(document.body).color") == "rgb(22, 24, 27)"


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
