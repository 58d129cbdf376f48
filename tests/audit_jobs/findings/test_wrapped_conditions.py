"""What is told of functions around columns beside what they mean: how many the query has, and what
other conditions and types of columns make of it."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.records import ConjunctRecord
from prunescope.collectors.predicates.model import Predicate, Reason, Written
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import written_as
from tests.audit_jobs.findings.usages import (
    ID,
    TS,
    Night,
    compared,
    micros,
    opaque,
    part,
    partitioned,
    scan,
)

_DAY = compared(TS, Op.GT_EQ, micros("2024-11-25")), compared(TS, Op.LT, micros("2024-11-26"))
_YEAR = compared(TS, Op.GT_EQ, micros("2024-01-01")), compared(TS, Op.LT, micros("2025-01-01"))
_MONTH = opaque(Reason.FUNCTION, "month(ts) = 2", "month(ts) = ?", "ts")
_UUID = opaque(Reason.CAST, "CAST(key AS varchar) = 'x'", "CAST(key AS varchar) = ?", "key")


def _advice(*conditions: Predicate) -> str:
    records = [part(condition, pushed=False) for condition in conditions]
    (finding,) = Night((scan(*records),)).findings("wrapped_column")
    return finding.fix.advice or ""


def _made(predicate: Predicate) -> ConjunctRecord:
    text = Written("date_format(ts, '…') = '2024-11-25'", "date_format(ts, ?) = ?")
    return part(written_as(text, predicate), pushed=False, pruned=900)


def test_both_ends_of_a_range_are_one_condition_of_the_query() -> None:
    (finding,) = Night((scan(*map(_made, _DAY), allowed=90),)).findings("wrapped_column")
    assert finding.evidence["conditions"] == 1


@pytest.mark.parametrize(
    ("engine", "confidence", "is_sure"),
    [("trino", "high", True), ("clickhouse", "low", False), (None, "low", False)],
)
def test_what_an_engine_pushes_is_only_told_where_it_is_known(
    engine: str | None, confidence: str, is_sure: bool
) -> None:
    (finding,) = Night((scan(part(_MONTH), engine=engine),)).findings("wrapped_column")
    assert finding.confidence == confidence
    assert ("cannot be pruned" in finding.sentence) == is_sure


@pytest.mark.parametrize(
    ("condition", "column", "is_fault"),
    [
        ("MOD(id, 100) = 7", "id", False),
        ("MOD(ABS(FROM_BIG_ENDIAN_64(XXHASH64(TO_UTF8(name)))), 100) < 5", "name", False),
        # What comes again each hour is no sample, and a hash by itself is looked up.
        ("MOD(MINUTE(ts), 15) = 0", "ts", True),
        ("MD5(name) = 'x'", "name", True),
    ],
)
def test_a_sample_is_no_fault(condition: str, column: str, *, is_fault: bool) -> None:
    sampled = part(opaque(Reason.FUNCTION, condition, condition, column), pushed=False)
    (finding,) = Night((scan(sampled),)).findings("wrapped_column")
    assert (finding.severity is not Severity.INFO) == is_fault
    assert finding.bytes_at_stake is None
    assert ("takes a sample" not in (finding.fix.advice or "")) == is_fault


def test_what_is_left_of_a_division_is_told_where_partitions_may_be_by_it() -> None:
    rest = part(opaque(Reason.FUNCTION, "MOD(id, 16) = 3", "MOD(id, 16) = ?", "id"), pushed=False)
    (finding,) = Night((scan(rest),), spec=[(ID, "bucket[16]")]).findings("wrapped_column")
    assert finding.severity is Severity.LOW


def test_trino_has_no_range_of_uuids() -> None:
    assert "or keep the key as text" in _advice(_UUID)


def test_a_month_comes_once_where_another_condition_tells_the_year() -> None:
    assert "Another condition limits the years" in _advice(*_YEAR, _MONTH)
    assert "The period recurs each year" in _advice(_YEAR[0], _MONTH)


@pytest.mark.parametrize(("kept", "told"), [(10, 0), (15, 0), (16, 1)])
def test_what_is_said_of_one_partition_rules_out_no_other(kept: int, told: int) -> None:
    """Of 100 partitions of ten files each."""
    in_months = Night((scan(part(_MONTH), kept=kept),), [(TS, "day")], health=partitioned(100))
    assert len(in_months.findings("wrapped_column")) == told


@pytest.mark.parametrize(("kept", "told"), [(1, 0), (1_000, 1)])
def test_no_order_is_waited_for_where_another_condition_leaves_few_files(
    kept: int, told: int
) -> None:
    lookup = part(compared(ID, Op.EQ, 7), pruned=1_000 - kept, share=0.5)
    few = scan(part(_DAY[0], pushed=False, share=0.001), lookup, kept=kept, share=0.001)
    assert len(Night((few,)).findings("wrapped_column")) == told
