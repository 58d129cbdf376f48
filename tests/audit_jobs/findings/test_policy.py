"""Thresholds, suppressions and maintenance: what is told, and what is not."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

import pytest

from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from prunescope.audit_jobs.findings.policy import Policy, Suppression, is_reported
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.collectors.observed import TableName

DAY = dt.date(2026, 5, 1)
THRESHOLDS = Thresholds(
    small_table_bytes=1_000,
    min_bytes_at_stake=100,
    medium_bytes=200,
    high_bytes=500,
    min_share=0.2,
    min_scans=2,
)
FOUND = Finding(
    cause="wrapped_column",
    severity=Severity.LOW,
    confidence=Confidence.HIGH,
    table=TableName("lake", ("sales",), "orders"),
    sentence="…",
    scans=3,
    bytes_read=400,
    bytes_at_stake=150,
    fix=Fix(),
    fingerprint="f1",
)


@pytest.mark.parametrize(
    ("change", "table_bytes", "expected"),
    [
        pytest.param({}, 5_000, True, id="enough of everything"),
        pytest.param({}, None, True, id="a table of unknown size is not small"),
        pytest.param({}, 999, False, id="a small table"),
        pytest.param({"bytes_at_stake": 99}, 5_000, False, id="few bytes"),
        pytest.param({"bytes_read": 1_000}, 5_000, False, id="a small share of what is read"),
        pytest.param({"scans": 1}, 5_000, False, id="a one-off"),
        pytest.param(
            {"scans": 1, "bytes_at_stake": 500, "bytes_read": 500}, 5_000, True, id="a huge one-off"
        ),
        pytest.param({"bytes_at_stake": None}, 5_000, True, id="unknown stake, much read"),
        pytest.param(
            {"bytes_at_stake": None, "bytes_read": 99}, 5_000, False, id="unknown stake, little"
        ),
        pytest.param(
            {"severity": Severity.CRITICAL, "scans": 1, "bytes_at_stake": None, "bytes_read": 0},
            1,
            True,
            id="what may be wrong is always told",
        ),
    ],
)
def test_what_is_reported(
    change: dict[str, object], table_bytes: int | None, expected: bool
) -> None:
    finding = replace(FOUND, **change)  # type: ignore[arg-type]
    assert is_reported(finding, THRESHOLDS, table_bytes) is expected


@pytest.mark.parametrize(
    ("stake", "expected"),
    [
        (None, Severity.LOW),
        (199, Severity.LOW),
        (200, Severity.MEDIUM),
        (499, Severity.MEDIUM),
        (500, Severity.HIGH),
    ],
)
def test_severity_is_by_bytes_at_stake(stake: int | None, expected: Severity) -> None:
    assert THRESHOLDS.severity(stake) is expected


@pytest.mark.parametrize(
    ("read", "stake", "expected"),
    [
        (None, 150, Severity.LOW),
        (10_000, 150, Severity.LOW),
        (7_500, 150, Severity.MEDIUM),
        (1_500, 150, Severity.HIGH),
        (1_000_000, 500, Severity.HIGH),
        (100, None, Severity.LOW),
    ],
)
def test_severity_is_by_the_share_of_what_a_window_reads(
    read: int | None, stake: int | None, expected: Severity
) -> None:
    thresholds = replace(THRESHOLDS, window_bytes=read)
    assert thresholds.severity(stake) is expected
    by_bytes = replace(thresholds, medium_share=None, high_share=None)
    assert by_bytes.severity(stake) is THRESHOLDS.severity(stake)


@pytest.mark.parametrize(
    ("suppression", "expected"),
    [
        pytest.param(Suppression("lake.sales.*", "r", DAY), True, id="on its last day"),
        pytest.param(
            Suppression("lake.sales.*", "r", DAY - dt.timedelta(days=1)), False, id="expired"
        ),
        pytest.param(Suppression("lake.web.*", "r", DAY), False, id="another table"),
        pytest.param(Suppression("*", "r", DAY, cause="wrapped_column"), True, id="its cause"),
        pytest.param(Suppression("*", "r", DAY, cause="small_files"), False, id="another cause"),
        pytest.param(Suppression("*", "r", DAY, fingerprint="f1"), True, id="its query"),
        pytest.param(Suppression("*", "r", DAY, fingerprint="f2"), False, id="another query"),
    ],
)
def test_suppressions(suppression: Suppression, expected: bool) -> None:
    assert (Policy(suppressions=[suppression]).suppressed_by(FOUND, DAY) is not None) is expected


def test_the_first_glob_that_matches_counts_and_defaults_for_no_match() -> None:
    strict, loose = Thresholds(min_scans=1), Thresholds(min_scans=9)
    policy = Policy([("lake.sales.orders", strict), ("lake.*", loose)])
    assert policy.thresholds_of(FOUND.table) is strict
    assert policy.thresholds_of(TableName("lake", ("web",), "hits")) is loose
    assert policy.thresholds_of(TableName("other", ("web",), "hits")) == Thresholds()


@pytest.mark.parametrize(
    ("user", "expected"), [("etl-compaction", True), ("ana", False), (None, False)]
)
def test_users_who_maintain_tables(user: str | None, expected: bool) -> None:
    assert Policy(maintenance_users=["etl-*"]).is_maintenance(user) is expected


BASE = {
    "catalogs": {"lake": {}},
    "audit": {"catalog": "lake"},
    "sources": [{"type": "trino_events", "paths": ["x"]}],
}


def test_a_policy_from_the_configuration() -> None:
    suppressed = {"table": "lake.*", "reason": "moves in June", "until": "2026-06-30"}
    config = validate_config(
        BASE
        | {
            "findings": {
                "thresholds": [{"table": "lake.web.*", "high_bytes": 7}],
                "suppress": [suppressed],
                "maintenance_users": ["etl"],
            }
        },
        "test",
    )
    policy = config.findings.policy
    assert policy.thresholds_of(TableName("lake", ("web",), "hits")) == Thresholds(high_bytes=7)
    assert policy.suppressions == [Suppression("lake.*", "moves in June", dt.date(2026, 6, 30))]
    assert policy.is_maintenance("etl")


@pytest.mark.parametrize(
    ("findings", "named"),
    [
        ({"suppress": [{"table": "*", "until": "2026-06-30"}]}, "findings.suppress[0].reason"),
        ({"suppress": [{"table": "*", "reason": "r"}]}, "findings.suppress[0].until"),
        (
            {"suppress": [{"table": "*", "reason": "r", "until": "2026-06-30", "cause": "typo"}]},
            "unknown: typo; known: wrapped_column",
        ),
        ({"thresholds": [{"table": "*", "min_share": 2}]}, "findings.thresholds[0].min_share"),
        ({"threshold": []}, "findings.threshold"),
    ],
)
def test_a_wrong_policy_is_refused_by_name(findings: dict[str, object], named: str) -> None:
    with pytest.raises(BadConfiguration, match=re.escape(named)):
        validate_config(BASE | {"findings": findings}, "test")
