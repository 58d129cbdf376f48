"""A report of sixty tables, opened in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, sync_playwright

from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.report.page import render_page
from tests.audit_jobs.report.made_runs import (
    MadeTable,
    finding,
    fleet,
    made_history,
    made_run,
    regression,
)

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
