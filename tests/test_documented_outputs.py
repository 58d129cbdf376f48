"""What README and docs show that a command prints is what it prints."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.demo.warehouse import DAY
from tests.audit_jobs.jobs import night
from tests.documented import Block, blocks, commands
from tests.integration.audits import with_own_tables

pytestmark = pytest.mark.slow

DEMO = "demo/audit.yaml"
ELISION = "…"
"""Stands for lines that are left out."""
WIDTH = "102"
"""Of the terminal that the documentation shows."""
NOT_PRINTED = {
    "README.md": "manifests        7",  # of files that Spark writes: test_demo_fix.py
    "docs/architecture.md": "dashboards > audit_jobs",
    "docs/check.md": "models/a.sql:3:7",  # test_check_pull_requests.py
}
"""What stands in blocks that are pictures, or of what a test of its own does."""
NOT_RUN = {
    "docs/bisect.md": "the demo's tables have few snapshots: tests/integration/test_bisect.py",
    "docs/compare.md": "all planners keep the same of the demo: tests/integration/test_compare.py",
    "docs/false-keep-rate.md": "the demo's rate is another one: tests/audit_jobs/views",
    "docs/schedule.md": "make cluster-test takes minutes; its lines are times",
    "docs/watch.md": "its lines are times: tests/integration/test_watch.py",
}
"""Pages whose outputs nothing here prints, and why. Those of docs/upstream are compared by
tests/test_upstream.py."""
SHOWN = [
    block
    for block in blocks("text")
    if not block.page.startswith("docs/upstream/")
    and block.page not in NOT_RUN
    and NOT_PRINTED.get(block.page, "\0") not in block.text
]


@pytest.fixture(scope="module")
def printed(demo_lake: Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The lines that each command about the demo's night prints."""
    config = with_own_tables(demo_lake, tmp_path_factory.mktemp("night"))
    night.run(load_config(config), DAY)
    lines = [line for block in blocks("sh") for line in commands(block) if DEMO in line]
    assert lines
    lines.append(f"prunescope findings --config {DEMO} --details")
    outputs = []
    for line in lines:
        _, *arguments = shlex.split(line.replace(DEMO, str(config)))
        done = CliRunner(env={"COLUMNS": WIDTH}).invoke(main, arguments)
        assert done.exit_code == 0, done.output
        outputs.append([line.rstrip() for line in done.stdout.splitlines()])
    return outputs


@pytest.mark.parametrize("block", [pytest.param(block, id=block.place) for block in SHOWN])
def test_it_is_printed(block: Block, printed: list[list[str]]) -> None:
    """In this order; lines may be left out, of the README where `…` stands for them."""
    shown = block.text.splitlines()
    assert any(_has(iter(lines), [line for line in shown if line != ELISION]) for lines in printed)
    if block.page == "README.md" and ELISION in shown:
        parts = [part.strip("\n") for part in block.text.split(ELISION)]
        assert any(all(part in "\n".join(lines) for part in parts) for lines in printed)


def _has(lines: Iterator[str], shown: Sequence[str]) -> bool:
    return all(line in lines for line in shown)


def test_every_page_that_is_left_out_has_an_output() -> None:
    pages = {block.page for block in blocks("text")}
    assert {*NOT_RUN, *NOT_PRINTED} <= pages
