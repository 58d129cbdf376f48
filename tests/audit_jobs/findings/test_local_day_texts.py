"""What is quoted of a query that asks for local days, and what it is told to write instead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.records import ConjunctRecord
from prunescope.collectors.predicates.model import BoundComparison, Written
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import render
from tests.audit_jobs.findings.usages import (
    AT,
    NAME,
    TIMES,
    Night,
    compared,
    micros,
    part,
    partitioned,
    scan,
)

_ENDS = "2024-03-04 05:00", "2024-03-06 05:00"
_OF_DATE = Written("CAST(at AS DATE) BETWEEN DATE '2024-03-04' AND DATE '2024-03-05'", "f(at) = ?")


def range_of(
    *ends: str, written: Written | None = None, pushed: bool | None = True
) -> list[ConjunctRecord]:
    """A range of `at`, which its query has in other words, or in these."""
    leaves = [
        BoundComparison(op, AT, (micros(end),), written=written)
        for op, end in zip((Op.GT_EQ, Op.LT), ends, strict=True)
    ]
    return [part(leaf, pushed=pushed, pruned=300) for leaf in leaves]


def found(*scans: list[ConjunctRecord], transform: str = "day") -> list[Finding]:
    night = Night(
        tuple(scan(*parts, kept=30) for parts in scans),
        spec=[(AT, transform)],
        health=partitioned(100),
    )
    return night.findings("local_day_boundaries")


@pytest.mark.parametrize(
    ("parts", "conjunct"),
    [
        pytest.param(range_of(*_ENDS), "at >= ? AND at < ?", id="the range itself"),
        pytest.param(
            [part(compared(AT, Op.NOT_NULL)), *range_of(*_ENDS)],
            "at >= ? AND at < ?",
            id="what Spark infers",
        ),
        pytest.param(range_of(*_ENDS, written=_OF_DATE), "f(at) = ?", id="in other words"),
        pytest.param(
            [*range_of(*_ENDS), part(compared(AT, Op.NOT_EQ, 7))],
            "at >= ? AND at < ?",
            id="beside a condition that is no end",
        ),
    ],
)
def test_the_condition_is_as_written_and_the_other_one_looks_different(
    parts: list[ConjunctRecord], conjunct: str
) -> None:
    (finding,) = found(parts)
    assert finding.conjunct == conjunct
    day = "TIMESTAMP '? 00:00:00 UTC'"
    assert finding.fix.rewrite == f'"at" >= {day} AND "at" < {day}'


def test_literals_that_are_kept_are_those_of_days_of_utc() -> None:
    parts = [replace(one, text=render(one.counts.predicate)) for one in range_of(*_ENDS)]
    (finding,) = found(parts)
    assert finding.fix.rewrite == (
        "\"at\" >= TIMESTAMP '2024-03-04 00:00:00 UTC' AND "
        "\"at\" < TIMESTAMP '2024-03-06 00:00:00 UTC'"
    )


def test_hours_have_no_hour_of_their_own() -> None:
    (finding,) = found(range_of("2024-03-04 05:30", "2024-03-04 07:30"), transform="hour")
    assert finding.fix.rewrite is not None
    assert "TIMESTAMP '? ?:00:00 UTC'" in finding.fix.rewrite


def test_one_condition_of_a_query_is_one_finding() -> None:
    """Other conditions have other shapes with other literals."""
    one = [*range_of(*_ENDS, written=_OF_DATE), part(compared(NAME, Op.EQ, b"a"))]
    other = [*range_of(*_ENDS, written=_OF_DATE), part(compared(NAME, Op.NOT_EQ, b"a"))]
    (finding,) = found(one, other)
    assert finding.scans == 2 * TIMES
    assert finding.evidence["partitions_asked_for"] == 2 * TIMES * 2
    assert {each.scans for each in (*found(one), *found(other))} == {TIMES}


def test_a_range_that_the_engine_does_not_plan_by_is_another_cause_s() -> None:
    assert not found(range_of(*_ENDS, written=_OF_DATE, pushed=False))
