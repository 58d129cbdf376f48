"""Where statements change values of columns, none of these becomes a partition field, whatever the
cause, and rows in order of them may serve."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.model import KEPT, Finding
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.records import ScanRecord
from prunescope.collectors.effects import Effect
from prunescope.collectors.observed import TableName
from tests.audit_jobs.findings.causes.tables import FOUND
from tests.audit_jobs.findings.usages import TABLE, Night, scan

EVERYTHING = Policy([("*", Thresholds(0, 0, 10**10, 10**11, 0.0, 1))], maintenance_users=["etl"])
OF_ALL = Effect(kept=frozenset())

NIGHTS = [
    pytest.param(case.night, id=f"{cause}-{name}".replace(" ", "_"))
    for cause, cases in FOUND.items()
    for name, case in cases.items()
]


def update(effect: Effect = OF_ALL, table: TableName = TABLE, user: str = "ana") -> ScanRecord:
    """A statement of which nothing but what it does is known."""
    nothing = scan(summary=None, potential=None, table=None, outcome="no_iceberg_table")
    return replace(nothing, effects=((table, effect),), user=user)


def of_column(name: str) -> Effect:
    return Effect(assigned=frozenset({(name,)}))


def told(night: Night, *more: ScanRecord) -> tuple[Finding, ...]:
    return replace(night, scans=(*night.scans, *more)).judged(EVERYTHING).findings


@pytest.mark.parametrize("night", NIGHTS)
@pytest.mark.parametrize("user", ["ana", "etl"])
def test_no_partition_field_comes_whose_values_change(night: Night, user: str) -> None:
    for finding in told(night, update(user=user)):
        change = finding.fix.change
        dropped = {name for _, name in change.dropped}
        assert {name for _, name in change.added} <= dropped


@pytest.mark.parametrize("night", NIGHTS)
def test_updates_of_another_table_or_column_change_nothing(night: Night) -> None:
    other = update(table=TableName("lake", ("db",), "other"))
    assert told(night, other, update(of_column("flag"))) == told(night)


def test_an_order_serves_instead() -> None:
    cause = "no_partition_filter"
    night = FOUND[cause]["a month of a time"].night
    (before,) = (one for one in told(night) if one.cause == cause)
    ((_, column),) = before.fix.change.added
    (found,) = (one for one in told(night, update(of_column(column))) if one.cause == cause)
    assert found.sentence == before.sentence
    assert (found.fix.change.added, found.fix.change.order) == ((), (column,))
    assert f"Not partitioned by {column}: UPDATE or MERGE" in (found.fix.advice or "")
    assert found.evidence["changing_columns"] == [column]


def test_buckets_have_no_order() -> None:
    night = FOUND["unclustered_column"]["a UUID in Spark"].night
    (before,) = told(night)
    ((_, column),) = before.fix.change.added
    (found,) = told(night, update(of_column(column)))
    assert (found.fix.change, found.bytes_at_stake) == (KEPT, None)
    assert (found.fix.advice or "").startswith(f"Not partitioned by {column}: UPDATE or MERGE")
    assert found.evidence["bytes_by_this_change"] == before.bytes_at_stake
