"""Scans of old snapshots, where columns had other types than they have now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.aggregates import aggregate
from prunescope.audit_jobs.findings.judge import judge
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.findings.usage import KnownTable
from prunescope.audit_jobs.records import ScanRecord
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.groups import WINDOW, group_of
from tests.audit_jobs.findings.strategies import ID, TABLE
from tests.audit_jobs.findings.workloads import HEALTH, METADATA, scan

EVERYTHING = Policy([("*", Thresholds(0, 0, 0, 0, 0.0, 1))])


def of_type(type_: str, *values: PhysicalValue, number: int = 0) -> ScanRecord:
    """A scan that compares the column `id`, which had this type, with a long list of values."""
    record = scan(number, kind=0)
    (part,) = record.conjuncts
    assert part.counts.reasons == {"data_files": "in_list_too_long"}
    leaf = BoundComparison(Op.IN, ID._replace(type=type_), values)
    told = replace(part, counts=replace(part.counts, predicate=leaf))
    return replace(record, conjuncts=(told,), matching=None)


NOW = [of_type(ID.type, *range(300), number=number) for number in range(3)]


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        pytest.param("string", [f"c{number}".encode() for number in range(300)], id="texts"),
        pytest.param("date", range(19_000, 19_300), id="dates"),
    ],
)
def test_findings_are_judged_beside_scans_of_columns_of_another_type(
    type_: str, values: Sequence[PhysicalValue]
) -> None:
    known = {TABLE: HEALTH}
    before = of_type(type_, *values, number=3)
    alone, beside = (aggregate(records, known, EVERYTHING) for records in (NOW, [*NOW, before]))
    assert beside.failed == {}
    judged = judge(beside, {TABLE: KnownTable(METADATA, HEALTH)}, EVERYTHING, WINDOW)
    assert judged.failed == {}
    ((key, sums),) = alone.groups.items()
    assert beside.groups[key] == sums


def test_what_a_column_held_says_nothing_of_what_it_holds() -> None:
    (condition,) = group_of([of_type("string", b"c1", b"c2")], HEALTH).conditions
    assert condition.columns == ()
    assert condition.field_ids == frozenset()


@pytest.mark.parametrize("promoted", ["int", "long"])
def test_a_promoted_column_is_the_same_one(promoted: str) -> None:
    (condition,) = group_of([of_type(promoted, 7, 8)], HEALTH).conditions
    assert condition.field_ids == {ID.field_id}
