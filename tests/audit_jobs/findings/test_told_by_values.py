"""Bytes of conditions that values of partitions tell, beside those of ranges."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.findings.model import Severity
from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    FILE,
    NAME,
    TIMES,
    TS,
    Night,
    compared,
    micros,
    opaque,
    part,
    scan,
)

_GERMAN = part(
    opaque(Reason.FUNCTION, "TO_DATE(name, 'dd.MM.yyyy') = 'x'", "TO_DATE(name, ?) = ?", "name"),
    pushed=False,
    pruned=900,
)
_RANGE = part(compared(TS, Op.GT_EQ, micros("2024-11-25")), pushed=False, pruned=500)


def test_values_tell_of_texts_that_do_not_sort_as_what_they_stand_for() -> None:
    night = Night((scan(_GERMAN, allowed=100, engine="spark"),), spec=[(NAME, "identity")])
    (found,) = night.findings("wrapped_column")
    assert found.bytes_at_stake == 900 * FILE * TIMES
    assert found.severity is Severity.HIGH
    assert "The values of all partitions are written so." in (found.fix.advice or "")


def test_no_byte_is_told_twice() -> None:
    night = Night((scan(_GERMAN, _RANGE, allowed=50, engine="spark"),), spec=[(NAME, "identity")])
    stakes = {one.columns: one.bytes_at_stake for one in night.findings("wrapped_column")}
    assert stakes == {("ts",): 500 * FILE * TIMES, ("name",): None}


def test_values_that_rule_out_nothing_tell_nothing() -> None:
    counts = replace(_GERMAN.counts, data_files_pruned=0)
    night = Night((scan(replace(_GERMAN, counts=counts)),), spec=[(NAME, "identity")])
    (found,) = night.findings("wrapped_column")
    assert found.bytes_at_stake is None
