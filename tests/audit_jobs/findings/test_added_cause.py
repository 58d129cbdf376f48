"""A cause that is added, as CONTRIBUTING.md says. What it claims is its own, and of nobody else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest

from prunescope.audit_jobs.findings import catalogue, judge
from prunescope.audit_jobs.findings.attribution import claimed_columns, query_claim
from prunescope.audit_jobs.findings.building import of_group, of_groups
from prunescope.audit_jobs.findings.catalogue import CAUSES, is_repeated, title_of
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import LayoutClaim
from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix
from prunescope.audit_jobs.findings.policy import Policy, Suppression
from prunescope.audit_jobs.findings.selective import most_selective_as_measured
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.findings_config import SuppressedFindings
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.groups import START
from tests.audit_jobs.findings.usages import (
    BYTES,
    FILE,
    ID,
    TIMES,
    TS,
    Night,
    compared,
    micros,
    part,
    scan,
)

EVERYTHING = Thresholds(0, 0, 10**10, 10**11, 0.0, 1)
_ID = "drawn_key"


def _claims_layout(usage: TableUsage, group: Group) -> LayoutClaim | None:
    """The keys of this table are drawn at random."""
    condition = most_selective_as_measured(usage, group)
    if condition is None or condition.columns != (ID.name,):
        return None
    return LayoutClaim(_ID, condition, ID.name, group.bytes_lost_by_layout)


def _claims_condition(_group: Group, condition: Condition) -> bool:
    return condition.pushed is False and condition.columns == (ID.name,)


def _find(usage: TableUsage) -> Iterator[Finding]:
    """One finding for what the layout loses by keys, and one for each query that loses by them."""
    for column, groups in claimed_columns(usage, _ID).items():
        yield of_groups(
            usage,
            groups,
            _ID,
            bytes_at_stake=sum(group.bytes_lost_by_layout or 0 for group in groups),
            confidence=Confidence.HIGH,
            columns=(column,),
            sentence="Keys are drawn at random, so they are everywhere.",
            fix=Fix(advice="Number them."),
            evidence={"drawn": True},
        )
    for group in usage.groups:
        if claim := query_claim(usage, group, _ID):
            yield of_group(
                usage,
                group,
                _ID,
                bytes_at_stake=claim.bytes_won,
                confidence=Confidence.HIGH,
                conjunct=claim.conditions[0].text,
                sentence="Keys are not pushed.",
                fix=Fix(advice="Ask another engine."),
                evidence={},
            )


CAUSE = Cause(
    _ID, "Keys at random", _find, of_condition=_claims_condition, of_layout=_claims_layout
)

ONE_KEY = part(compared(ID, Op.EQ, 7), share=0.001)
BY_KEY = Night((scan(ONE_KEY, share=0.001),))
BY_TIME = Night((scan(part(compared(TS, Op.LT, micros("2024-01-02")), share=0.001), share=0.001),))
UNPUSHED = Night((scan(part(compared(ID, Op.EQ, 7), pushed=False, pruned=900), allowed=100),))
"""The statistics leave a tenth of the files, and the engine reads all."""


def _add(monkeypatch: pytest.MonkeyPatch, *causes: Cause) -> None:
    monkeypatch.setattr(judge, "CAUSES", causes)
    monkeypatch.setitem(catalogue.BY_ID, CAUSE.id, CAUSE)


@pytest.fixture
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    _add(monkeypatch, CAUSE, *CAUSES)


def _judged(night: Night, *suppressions: Suppression) -> dict[str, Finding]:
    """The findings by their causes."""
    found = night.judged(Policy([("*", EVERYTHING)], suppressions))
    assert not found.failed
    return {finding.cause: finding for finding in found.findings}


@pytest.mark.usefixtures("_added")
def test_a_cause_is_a_value_and_a_line() -> None:
    finding = _judged(BY_KEY)[_ID]
    assert (finding.scans, finding.bytes_read) == (TIMES, TIMES * BYTES)
    assert finding.bytes_at_stake == pytest.approx(TIMES * (BYTES - FILE), rel=0.01)
    assert finding.evidence == {"fingerprints": ["f"], "drawn": True}
    assert title_of(finding.cause) == "Keys at random"
    assert _ID not in _judged(BY_TIME)


@pytest.mark.parametrize(
    ("night", "other"),
    [
        pytest.param(BY_KEY, "unclustered_column", id="of the layout"),
        pytest.param(UNPUSHED, "wrapped_column", id="of the query"),
    ],
)
def test_what_two_causes_claim_is_of_the_first_in_the_catalogue(
    night: Night, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (alone,) = (f.bytes_at_stake for cause, f in _judged(night).items() if cause == other)
    assert alone
    _add(monkeypatch, CAUSE, *CAUSES)
    found = _judged(night)
    assert other not in found
    assert sum(f.bytes_at_stake or 0 for f in found.values()) <= TIMES * BYTES
    assert found[_ID].bytes_at_stake
    _add(monkeypatch, *CAUSES, CAUSE)
    found = _judged(night)
    assert _ID not in found
    assert found[other].bytes_at_stake == alone


def test_what_no_condition_tells_is_of_a_cause_that_claims_the_filter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def find(usage: TableUsage) -> Iterator[Finding]:
        for group in usage.groups:
            if claim := query_claim(usage, group, _ID):
                yield of_group(
                    usage,
                    group,
                    _ID,
                    bytes_at_stake=claim.bytes_won,
                    confidence=Confidence.LOW,
                    sentence="Nothing tells why.",
                    fix=Fix(advice="Look at the plan."),
                    evidence={},
                )

    anything = Cause(_ID, "Not used", find, of_filter=lambda _usage, _group: True)
    _add(monkeypatch, anything, *CAUSES)
    pushed = Night((scan(part(compared(ID, Op.EQ, 7), pruned=900), allowed=100),))
    assert _judged(pushed)[_ID].bytes_at_stake == TIMES * 900 * FILE
    assert _ID not in _judged(UNPUSHED)


def test_a_group_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Group] = []

    def claims(_usage: TableUsage, group: Group) -> None:
        asked.append(group)

    _add(monkeypatch, Cause(_ID, "Asks", lambda _: iter(()), of_layout=claims), *CAUSES)
    assert "unclustered_column" in _judged(BY_KEY)
    assert len(asked) == 1


def test_bytes_of_a_cause_that_repeats_are_left_out_of_sums(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not is_repeated(_ID)
    again = Cause(_ID, "Keys at random", _find, repeats=True)
    monkeypatch.setitem(catalogue.BY_ID, again.id, again)
    assert is_repeated(_ID)


@pytest.mark.usefixtures("_added")
def test_it_can_be_suppressed_by_its_id() -> None:
    until = dt.date(2024, 6, 1)
    told = SuppressedFindings(table="*", reason="known", until=until, cause=CAUSE.id)
    finding = _judged(BY_KEY, Suppression(**told.model_dump()))[_ID]
    assert START.date() < until
    assert finding.suppressed == "known"


def test_without_the_line_nothing_is_found() -> None:
    assert _ID not in _judged(BY_KEY)
    with pytest.raises(ValueError, match=f"unknown: {_ID}"):
        SuppressedFindings(table="*", reason="known", until=START.date(), cause=CAUSE.id)
