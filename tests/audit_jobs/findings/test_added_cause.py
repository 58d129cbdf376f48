"""A cause that is added, as CONTRIBUTING.md says."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest

from audit_jobs.findings import catalogue, judge
from audit_jobs.findings.building import of_groups
from audit_jobs.findings.catalogue import CAUSES, title_of
from audit_jobs.findings.cause import Cause
from audit_jobs.findings.model import Confidence, Finding, Fix
from audit_jobs.findings.policy import Policy, Suppression
from audit_jobs.findings.thresholds import Thresholds
from audit_jobs.findings.usage import TableUsage
from audit_jobs.findings_config import SuppressedFindings
from collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import BYTES, ID, START, TIMES, Night, compared, part, scan

EVERYTHING = Thresholds(0, 0, 10**10, 10**11, 0.0, 1)


def _find(usage: TableUsage) -> Iterator[Finding]:
    """Queries without any condition."""
    groups = [group for group in usage.groups if not group.conditions]
    if groups:
        yield of_groups(
            usage,
            groups,
            "no_filter",
            bytes_at_stake=None,
            confidence=Confidence.HIGH,
            sentence="Nothing is asked for, so all is read.",
            fix=Fix(advice="Ask for less."),
            evidence={},
        )


CAUSE = Cause("no_filter", "No condition at all", _find)


@pytest.fixture
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "CAUSES", (*CAUSES, CAUSE))
    monkeypatch.setitem(catalogue.BY_ID, CAUSE.id, CAUSE)


def _judged(night: Night, *suppressions: Suppression) -> list[Finding]:
    found = night.judged(Policy([("*", EVERYTHING)], suppressions))
    assert not found.failed
    return [finding for finding in found.findings if finding.cause == CAUSE.id]


@pytest.mark.usefixtures("_added")
def test_a_cause_is_a_value_and_a_line() -> None:
    (finding,) = _judged(Night((scan(),)))
    assert (finding.scans, finding.bytes_read) == (TIMES, TIMES * BYTES)
    assert finding.evidence == {"fingerprints": ["f"]}
    assert title_of(finding.cause) == "No condition at all"
    assert _judged(Night((scan(part(compared(ID, Op.EQ, 5))),))) == []


@pytest.mark.usefixtures("_added")
def test_it_can_be_suppressed_by_its_id() -> None:
    until = dt.date(2024, 6, 1)
    told = SuppressedFindings(table="*", reason="known", until=until, cause=CAUSE.id)
    (finding,) = _judged(Night((scan(),)), Suppression(**told.model_dump()))
    assert START.date() < until
    assert finding.suppressed == "known"


def test_without_the_line_nothing_is_found() -> None:
    assert _judged(Night((scan(),))) == []
    with pytest.raises(ValueError, match="unknown: no_filter"):
        SuppressedFindings(table="*", reason="known", until=START.date(), cause=CAUSE.id)
