"""Statements are for clients that split what they are given, whatever quotes say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.change_statements import with_statements
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix, Severity
from prunescope.collectors.observed import TableName
from tests.audit_jobs.findings.usages import Night


def finding(table: str, column: str) -> Finding:
    name = TableName("lake", ("db",), table)
    return Finding(
        cause="c",
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        table=name,
        sentence="",
        scans=1,
        bytes_read=9,
        bytes_at_stake=9,
        fix=Fix(advice="Once.", change=Change(order=(column,), files=Files.ALL)),
    )


def told_of(found: Finding) -> Finding:
    return with_statements(replace(Night(()).usage, table=found.table), found)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        pytest.param("t;\nDROP TABLE z;\n--", "d", id="lines of a table"),
        pytest.param("t; DROP TABLE z", "d", id="one line"),
        pytest.param("t", "d;DROP TABLE z", id="column"),
        pytest.param("t\nx", "d", id="line"),
        pytest.param("t\u2028x", "d", id="line of Unicode"),
        pytest.param("t\x1b[2J", "d", id="escape"),
    ],
)
def test_a_name_at_which_a_client_splits_stands_in_no_statement(table: str, column: str) -> None:
    found = finding(table, column)
    told = told_of(found)
    assert not told.fix.spark
    assert not told.fix.trino
    assert told.fix.advice is not None
    assert told.fix.advice.startswith("Once. No SQL shown")
    assert replace(told, fix=found.fix) == found


@pytest.mark.parametrize("name", ["t", "t`x", 't"x', "täble", "a b", "a--b", "a'b"])
def test_others_stand_in_quotes(name: str) -> None:
    found = finding(name, name)
    told = told_of(found).fix
    assert len(told.spark) == len(told.trino) == 2
    assert replace(told, spark=(), trino=()) == found.fix
