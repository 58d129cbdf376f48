"""The documentation as a site: what a reader's browser fetches is the site's own."""

from __future__ import annotations

import json
import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
MKDOCS = ROOT / ".venv-docs" / "bin" / "mkdocs"
# What a browser fetches without being asked; what is in <a> is fetched by a click.
FETCHED = re.compile(r"<(?:script|img|iframe|source|embed|link rel=\"?stylesheet)\b[^>]*>")
ELSEWHERE = re.compile(r"\b(?:src|href|srcset)=\"?(?:https?:)?//")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(require_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `make docs` builds it, whose environment that makes."""
    mkdocs = require_program(str(MKDOCS))
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [mkdocs, "build", "--quiet", "--strict", "--site-dir", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    handler = partial(QuietHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    """Tells nothing of what is asked."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.mark.parametrize("asked", ["troubleshooting", "minio", "s3 credentials"])
def test_search_finds(asked: str, site: Path) -> None:
    """All words in one section of a page."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    texts = (f"{one['title']} {one['text']}".casefold() for one in index["docs"])
    assert any(all(word in text for word in asked.split()) for text in texts)


def test_no_page_names_what_is_fetched_from_elsewhere(site: Path) -> None:
    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    assert len(pages) > 80
    assert {
        str(path.relative_to(site)): found
        for path, text in pages.items()
        if (found := [tag for tag in FETCHED.findall(text) if ELSEWHERE.search(tag)])
    } == {}


@pytest.mark.parametrize("page", ["", "architecture/", "findings/", "demo/"])
def test_a_browser_asks_nobody_else(
    page: str, address: str, require_program: Callable[[str], Path]
) -> None:
    chromium = require_program("chromium")
    asked: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page()
        tab.on("request", lambda request: asked.append(request.url))
        # Scripts of the page ask for a worker, and that for the index, last of all.
        with tab.expect_response("**/search_index.json"):
            tab.goto(f"{address}/{page}", wait_until="networkidle")
        browser.close()
    assert {urlsplit(url).netloc for url in asked if not url.startswith("data:")} == {
        urlsplit(address).netloc
    }


def test_the_picture_of_what_flows_names_modules_that_are_there() -> None:
    picture = (ROOT / "docs" / "images" / "flow.svg").read_text(encoding="utf-8")
    named = re.findall(r"(?:collectors|audit_jobs)/[\w./]*\w", picture)
    assert len(named) == 15
    assert [path for path in named if not (ROOT / path).exists()] == []
