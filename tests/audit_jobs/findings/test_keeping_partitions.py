"""Where statements overwrite partitions, none that changes these is told, whatever the cause."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.records import ScanRecord
from prunescope.collectors.effects import REPLACED
from prunescope.collectors.observed import TableName
from tests.audit_jobs.findings.causes.tables import FOUND
from tests.audit_jobs.findings.usages import TABLE, Night, scan

EVERYTHING = Policy([("*", Thresholds(0, 0, 10**10, 10**11, 0.0, 1))], maintenance_users=["etl"])
CHANGES = ("PARTITION FIELD", "SET PROPERTIES partitioning")

NIGHTS = [
    pytest.param(case.night, id=f"{cause}-{name}".replace(" ", "_"))
    for cause, cases in FOUND.items()
    for name, case in cases.items()
]


def overwrite(table: TableName = TABLE, user: str = "ana") -> ScanRecord:
    """A statement of which nothing but its target is known."""
    nothing = scan(summary=None, potential=None, table=None, outcome="no_iceberg_table")
    return replace(nothing, effects=((table, REPLACED),), user=user)


def told(night: Night, *more: ScanRecord) -> tuple[Finding, ...]:
    return replace(night, scans=(*night.scans, *more)).judged(EVERYTHING).findings


def changes(finding: Finding) -> bool:
    return any(
        change in one for one in (*finding.fix.spark, *finding.fix.trino) for change in CHANGES
    )


@pytest.mark.parametrize("night", NIGHTS)
def test_no_statement_changes_partitions_that_others_overwrite(night: Night) -> None:
    assert not any(map(changes, told(night, overwrite())))


@pytest.mark.parametrize("night", NIGHTS)
def test_overwrites_of_another_table_change_nothing(night: Night) -> None:
    assert told(night, overwrite(TableName("lake", ("db",), "other"))) == told(night)


@pytest.mark.parametrize(
    ("cause", "name"),
    [
        ("misaligned_partitioning", "a week drops the field, for buckets"),
        ("misaligned_partitioning", "each of four values is asked for"),
        ("partitions_too_fine", "days of hours"),
    ],
)
def test_what_has_no_other_way_keeps_its_diagnosis(cause: str, name: str) -> None:
    night = FOUND[cause][name].night
    (before,) = (finding for finding in told(night) if finding.cause == cause)
    for user in ("ana", "etl"):
        (found,) = (one for one in told(night, overwrite(user=user)) if one.cause == cause)
        assert found.sentence == before.sentence
        assert not found.fix.spark
        assert "Do not repartition yet" in (found.fix.advice or "")
        assert found.evidence["overwrites"] == night.times
        assert found.severity == "info"


@pytest.mark.parametrize(
    ("cause", "name", "instead"),
    [
        ("no_partition_filter", "a month of a time", "no_partition_filter"),
        ("partitions_too_coarse", "a month of a year", "unclustered_column"),
        ("range_on_bucketed_column", "after a week the buckets go", "range_on_bucketed_column"),
    ],
)
def test_an_order_inside_partitions_serves_instead(cause: str, name: str, instead: str) -> None:
    night = FOUND[cause][name].night
    assert any(map(changes, told(night)))
    (found,) = (one for one in told(night, overwrite()) if one.cause == instead)
    assert any("WRITE ORDERED BY" in statement for statement in found.fix.spark)
    assert found.bytes_at_stake
