"""Draws the report of the demo's day as a browser shows it: `make pictures`.

Usage: python -m tests.audit_jobs.report.picture FILE.png
"""

from __future__ import annotations

import datetime as dt
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from prunescope.audit_jobs.demo.setup import prepare
from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.audit_jobs.records import Window
from tests.integration.audits import audit_here

_WIDTH, _HEIGHT = 1200, 1000


def main(picture: Path) -> None:
    """Audits the demo in this process, and draws the top of its report."""
    start = dt.datetime.combine(DAY, dt.time(), dt.UTC)
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        config = prepare(Path(made) / "demo")
        audit_here(config, Window(start, start + dt.timedelta(days=1)))
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT})
        page.goto(config.with_name("report.html").as_uri())
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
