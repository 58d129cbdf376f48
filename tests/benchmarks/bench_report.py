"""How large the report of 500 tables is, and how long it takes to make and to open.

Run `python -m tests.benchmarks.bench_report`. Each table has one or two findings, five columns of
100 ranges, and two queries with three weeks of nights. Opening is measured in headless Chromium,
from the start of navigation until the page has painted its lists and waits for its reader; then a
search over all findings, and the drill-down of one table with five plots. Medians of five.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import click
from playwright.sync_api import Page, sync_playwright

from prunescope.audit_jobs.report.page import render_page
from tests.audit_jobs.report.made_runs import fleet, made_history, made_run

TABLES = 500
NIGHTS = 21
REPEATS = 5

_PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def main() -> None:
    """Prints one line per measurement."""
    tables = fleet(TABLES)
    made = made_run(tables, history=made_history(tables, NIGHTS))
    start = time.perf_counter()
    page = render_page(made)
    click.echo(f"{TABLES} tables: {len(page.encode()) / 1e6:.1f} MB")
    click.echo(f"made in {time.perf_counter() - start:.2f} s")
    program = shutil.which("chromium")
    if program is None:
        click.echo("there is no chromium on the PATH to open it with")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        path.write_text(page, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        opened = browser.new_page()
        for name, step in (
            ("opened", lambda: opened.goto(path.as_uri())),
            ("searched", lambda: _search(opened)),
            ("table with eight plots", lambda: _drill_down(opened)),
        ):
            seconds = [_seconds(opened, step) for _ in range(REPEATS)]
            click.echo(f"{name} in {median(seconds):.2f} s (at most {max(seconds):.2f})")
        browser.close()


def _seconds(page: Page, step: Callable[[], object]) -> float:
    start = time.perf_counter()
    step()
    page.evaluate(_PAINTED)
    return time.perf_counter() - start


def _search(page: Page) -> None:
    page.fill("#filter-text", "")
    page.fill("#filter-text", "customer_id table_04")


def _drill_down(page: Page) -> None:
    # Another table each time: those that were open are made already.
    page.locator("#tables-list > li > details:not([open]) > summary").first.click()


if __name__ == "__main__":
    main()
