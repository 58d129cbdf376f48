"""The report is for everybody in a real browser: by keyboard, on small screens, in the dark, on
paper."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.report.page import render_page
from tests.audit_jobs.report.made_runs import MadeTable, finding, fleet, made_history, made_run
from tests.integration.report_browser.conftest import ORDERS, TABLES, Open, Opened, until_drawn

pytestmark = pytest.mark.slow
REST = pytest.mark.exhaustive


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


def test_dark_mode_follows_the_system_until_it_is_chosen(open_report: Open) -> None:
    def background(one: Opened) -> str:
        found: str = one.page.evaluate("getComputedStyle(document.body).backgroundColor")
        return found

    light, dark = open_report(), open_report(scheme="dark")
    assert background(light) != background(dark)
    button = dark.page.locator("#theme")
    expect(light.page.locator("#theme")).to_have_text("Dark mode")
    expect(button).to_have_text("Light mode")
    button.click()
    assert background(dark) == background(light)
    expect(button).to_have_text("Dark mode")
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


@pytest.mark.parametrize(
    "width", [360, *(pytest.param(width, marks=REST) for width in (390, 768, 1024, 1440))]
)
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
    expect(table.locator(".fixed")).to_contain_text("before it was 97% (51% predicted)")
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


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        pytest.param("light", 1280, marks=REST),
        ("dark", 1280),
        pytest.param("light", 360, marks=REST),
    ],
)
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


def test_paper_has_what_is_open_and_no_controls(open_report: Open) -> None:
    one = open_report(scheme="dark")
    table = one.open_table("lake.sales.orders")
    one.page.emulate_media(media="print")
    expect(one.page.get_by_role("button", name="Dark mode")).to_be_hidden()
    expect(one.page.locator("#filters")).to_be_hidden()
    expect(table.locator(".funnel")).to_be_visible()
    assert one.page.evaluate("getComputedStyle(document.body).color") == "rgb(22, 24, 27)"
