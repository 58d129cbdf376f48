"""What is printed fits the terminal, and has no colours where nobody wants them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.entries import entries
from prunescope.audit_jobs.sinks.published_findings import PublishedFindings
from prunescope.audit_jobs.views.answer_text import print_answer
from prunescope.audit_jobs.views.finding_lists import print_published
from prunescope.audit_jobs.views.run_text import print_run
from tests.audit_jobs.sinks.results import (
    DAY,
    FOUND,
    MIDNIGHT,
    ORDERS,
    SPREAD,
    audit_result,
    replayed,
)
from tests.audit_jobs.views.test_run_text import CONFIG

LONG = replace(ORDERS, table="items_by_region_and_day_of_shipment_with_customers")
FINDINGS = (FOUND, SPREAD, replace(FOUND, table=LONG, bytes_at_stake=3 * 10**15))
COUNTS = {"total": 123_456_789, "considered": 12_345_678, "kept": 1_234_567}
ANSWER = {
    "table": str(LONG),
    "outcome": "replayed",
    "snapshot_id": 8_491_728_696_187_378_653,
    "predicate": "order_ts >= ? AND " * 9 + "status = ?",
    "written": "date_trunc(?, order_ts) = ? AND " * 9 + "status = ?",
    "planner": None,
    **dict.fromkeys(("manifests", "data_files", "row_groups", "bytes", "delete_files"), COUNTS),
    "row_groups_by": {"statistics": 5, "dictionary": 0, "bloom": 2},
    "pages": {"considered": None, "kept": None},
    "page_records": {"considered": None, "kept": None},
    "footers": {},
    "potential": {"manifests": 1, "data_files": 2, "row_groups": None},
    "unread": {},
    "conjuncts": [
        {
            "predicate": "order_ts >= ? AND " * 3 + "order_ts < ?",
            "written": "date_trunc(?, order_ts) = ? AND " * 3 + "order_ts < ?",
            "class": "unenforced",
            "pushed_by": {"spark": True, "trino": False},
            "manifests_pruned": 0,
            "data_files_pruned": 1_234_567,
            "row_groups_pruned": None,
            "reasons": {"manifests": "not_a_partition_column"},
        }
    ],
}


def run() -> None:
    scans = [replayed("a"), replayed("b", LONG)]
    print_run(audit_result(*scans, findings=FINDINGS), CONFIG)


def explain() -> None:
    print_answer(ANSWER)


def findings() -> None:
    found = tuple(entries(FINDINGS))
    published = PublishedFindings("run-1", MIDNIGHT, MIDNIGHT + DAY, "partial", found)
    print_published(published, found, None, details=False)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("show", [run, explain, findings])
def test_no_line_is_longer_than_the_terminal(
    show: Callable[[], None],
    width: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    show()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 5
    assert [line for line in lines if len(line) > width] == []
    # Numbers are whole: nothing is cut off to make room.
    assert "…" not in "\n".join(lines)


@pytest.mark.parametrize("show", [run, explain, findings])
def test_no_color_is_respected(
    show: Callable[[], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def colours() -> list[str]:
        show()
        return re.findall(
            r"\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|9[0-7]|[34]8;[\d;]+)m", capsys.readouterr().out
        )

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert colours()
    monkeypatch.setenv("NO_COLOR", "1")
    assert colours() == []
