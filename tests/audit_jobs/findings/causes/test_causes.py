"""Each cause beside its table of nights: what it finds, and what only looks like it.

The numbers follow from docs/findings.md.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace

import pytest
import sqlglot
from sqlglot import exp

from prunescope.audit_jobs.findings.catalogue import BY_ID, is_repeated
from prunescope.audit_jobs.findings.change_statements import with_statements
from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.findings.policy import Policy, Suppression
from prunescope.audit_jobs.findings.rows import finding_row, keyed
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.records import ScanRecord
from tests.audit_jobs.findings.causes.tables import FOUND, SILENT
from tests.audit_jobs.findings.groups import START
from tests.audit_jobs.findings.usages import Case, Night
from tests.audit_jobs.plans import UNKNOWN

EVERYTHING = Thresholds(0, 0, 10**10, 10**11, 0.0, 1)


def _of(tables: Mapping[str, Mapping[str, object]]) -> list[object]:
    return [
        pytest.param(cause, row, id=f"{cause}-{name}".replace(" ", "_"))
        for cause, rows in tables.items()
        for name, row in rows.items()
    ]


@pytest.mark.parametrize(("cause", "case"), _of(FOUND))
def test_found(cause: str, case: Case) -> None:
    (found,) = case.night.findings(cause)
    finding = with_statements(case.night.usage, found)
    told, fix = case.told, finding.fix
    assert finding.cause == cause
    assert finding.columns == told.columns
    assert (finding.severity, finding.confidence) == (told.severity, told.confidence)
    assert finding.lost_at == told.lost_at
    assert finding.scans == told.scans
    assert finding.bytes_at_stake == (
        None if told.stake is None else pytest.approx(told.stake, rel=1e-6)
    )
    for statements, gists in ((fix.spark, told.spark), (fix.trino, told.trino)):
        assert len(statements) == len(gists), statements
        for statement, gist in zip(statements, gists, strict=True):
            assert gist in statement
    assert fix.rewrite == told.rewrite
    assert told.says in finding.sentence
    assert told.advice in (fix.advice or "")
    assert told.unsaid is None or told.unsaid not in (fix.advice or "")
    if fix.rewrite is not None and "… WHERE" not in fix.rewrite:
        filter_ = sqlglot.parse_one(f"{fix.rewrite} AND x", dialect="spark")
        assert isinstance(filter_, exp.And), "it cannot stand beside others"
    for name, value in told.evidence.items():
        expected = pytest.approx(value, rel=1e-3) if isinstance(value, float) else value
        assert finding.evidence[name] == expected, name


@pytest.mark.parametrize(("cause", "night"), _of(SILENT))
def test_silent(cause: str, night: Night) -> None:
    assert night.findings(cause) == []


@pytest.mark.parametrize(("cause", "case"), _of(FOUND))
def test_unknown_numbers_end_in_no_cause_s_failure_and_no_bytes(cause: str, case: Case) -> None:
    """Without the layout, and without what plans keep, no bytes are made up."""
    blind = replace(
        case.night, health=None, scans=tuple(_without_counts(s) for s in case.night.scans)
    )
    for rank, (key, finding) in enumerate(keyed(blind.findings(cause)), start=1):
        assert finding.bytes_at_stake is None
        assert finding_row(key, rank, finding)["cause"] == cause


def _without_counts(scan: ScanRecord) -> ScanRecord:
    assert scan.summary is not None
    unknown = replace(
        scan.summary,
        data_files=UNKNOWN,
        bytes=UNKNOWN,
        row_groups=UNKNOWN,
        row_group_bytes=UNKNOWN,
        snapshot_id=None,
    )
    return replace(
        scan, summary=unknown, potential=None, matching=None, observed=None, agreement=None
    )


@pytest.mark.parametrize(("cause", "case"), _of(FOUND))
def test_each_byte_counts_once(cause: str, case: Case) -> None:
    """Of all causes together; but for those that tell bytes of others again, or of manifests, or
    of files that no plan has."""
    apart = {*filter(is_repeated, BY_ID), "scattered_manifests", "over_read"}
    found = case.night.judged(Policy([("*", EVERYTHING)])).findings
    stakes = [f.bytes_at_stake or 0 for f in found if f.cause not in apart]
    assert sum(stakes) <= sum(group.bytes_read for group in case.night.usage.groups), cause


@pytest.mark.parametrize("cause", sorted(FOUND))
def test_a_suppression_hides_one_cause_until_its_day(cause: str) -> None:
    night = next(iter(FOUND[cause].values())).night
    policy = Policy(
        [("*", EVERYTHING)], [Suppression("lake.db.*", "known", START.date(), cause=cause)]
    )
    reasons = {(f.cause == cause, f.suppressed) for f in night.judged(policy).findings}
    assert (True, "known") in reasons
    assert reasons <= {(True, "known"), (False, None)}
    yesterday = replace(policy.suppressions[0], until=START.date() - dt.timedelta(days=1))
    found = night.judged(replace(policy, suppressions=[yesterday])).findings
    assert {f.suppressed for f in found} == {None}


@pytest.mark.parametrize("cause", sorted(FOUND))
def test_of_a_small_table_only_what_may_be_wrong_is_told(cause: str) -> None:
    case = next(iter(FOUND[cause].values()))
    policy = Policy([("*", replace(EVERYTHING, small_table_bytes=10**15))])
    told = [f for f in case.night.judged(policy).findings if f.cause == cause]
    assert len(told) == (case.told.severity == Severity.CRITICAL)
