"""Findings as rows."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from prunescope.audit_jobs.findings.rows import finding_of, finding_row, keyed
from prunescope.audit_jobs.results.schemas import FINDINGS
from tests.audit_jobs.sinks.results import EVENTS, FOUND

BARE = Finding(
    "small_files", Severity.INFO, Confidence.LOW, EVENTS, "Many files.", 0, 0, None, Fix()
)


def keys(*findings: Finding) -> list[str]:
    return [key for key, _ in keyed(findings)]


@pytest.mark.parametrize("finding", [FOUND, BARE], ids=["everything", "nothing optional"])
def test_a_finding_is_what_its_row_says(finding: Finding) -> None:
    row = json.loads(json.dumps(finding_row("k", 1, finding)))
    assert finding_of(row) == finding


def test_a_row_has_the_columns_of_the_table_that_are_not_of_the_run() -> None:
    row = finding_row("k", 3, FOUND)
    identity = ["run_id", "window_start", "window_end"]
    assert [*identity, *row] == [column.name for column in FINDINGS.columns]
    assert (row["finding_key"], row["rank"]) == ("k", 3)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"cause": "small_files"}, id="cause"),
        pytest.param({"table": EVENTS}, id="table"),
        pytest.param({"fingerprint": None}, id="fingerprint"),
        pytest.param({"conjunct": "status = ?"}, id="condition"),
        pytest.param({"columns": ("order_ts", "status")}, id="columns"),
    ],
)
def test_a_key_names_what_the_finding_is_about(change: dict[str, Any]) -> None:
    assert keys(FOUND) != keys(replace(FOUND, **change))


def test_a_key_stays_while_the_numbers_change() -> None:
    later = replace(FOUND, scans=7, bytes_read=9, bytes_at_stake=None, severity=Severity.LOW)
    assert keys(FOUND) == keys(later) == ["b308e758b998c75f"]


def test_keys_are_unique_and_the_first_keeps_its_own() -> None:
    found = keys(FOUND, BARE, FOUND, FOUND)
    assert len(set(found)) == 4
    assert found[0] == keys(FOUND)[0]
    assert found[1] == keys(BARE)[0]
