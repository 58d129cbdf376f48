"""Rewrites leave files told apart by the columns by whose order scans skip them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.change_statements import trino_statements
from prunescope.audit_jobs.findings.keeping import keeping_order
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix, Severity
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    BYTES,
    ID,
    NAME,
    TABLE,
    TS,
    Night,
    column,
    compared,
    micros,
    part,
    partitioned,
    scan,
    table,
)

REWRITE = Change(files=Files.ALL)
DROPS = replace(REWRITE, dropped=(("day", "ts"),))
MOVES = replace(REWRITE, rewrites=True)
BY_ID = ("id",)
BY_ITSELF = ()
SMALL = table(column(ID, overlap=0.0, depth=1.0), small_files=1_000)
LARGE = replace(SMALL, small_files=0)
THIRDS = replace(LARGE, bytes=LARGE.bytes // 3)
IN_BUCKETS = partitioned(100, column(ID, overlap=0.7, depth=400.0, mixed=0.5), bytes=BYTES // 3)
MIXED_IN_BUCKETS = partitioned(100, column(ID, depth=1_000.0, mixed=1.0), bytes=BYTES // 3)
READS_ONE = scan(part(compared(ID, Op.EQ, 7), pruned=999), kept=1)
READS_RANGES = scan(
    part(compared(ID, Op.GT_EQ, 0), pruned=500), part(compared(ID, Op.LT, 9), pruned=500), kept=500
)
FEW_ROWS = scan(part(compared(TS, Op.GT, micros("2024-12-31")), pruned=400, share=1e-6), kept=600)
AS_FEW_FILES = scan(part(compared(TS, Op.LT, 9), pruned=900, share=0.05), kept=100)
READS_ALL = scan(part(compared(NAME, Op.EQ, b"n"), pruned=0), kept=1_000)


def finding(change: Change) -> Finding:
    return Finding(
        cause="c",
        severity=Severity.LOW,
        confidence=Confidence.HIGH,
        table=TABLE,
        sentence="",
        scans=2,
        bytes_read=1,
        bytes_at_stake=None,
        fix=Fix(advice="Once.", change=change),
    )


@pytest.mark.parametrize(
    ("night", "of", "keeps"),
    [
        pytest.param(
            Night((READS_ONE,), health=LARGE),
            finding(DROPS),
            BY_ID,
            id="fewer partitions",
        ),
        pytest.param(
            Night((READS_ONE,), health=SMALL),
            finding(MOVES),
            BY_ID,
            id="small old files",
        ),
        pytest.param(Night((READS_ONE,), health=SMALL), finding(REWRITE), BY_ITSELF, id="in place"),
        pytest.param(
            Night((READS_ONE,), health=THIRDS),
            finding(REWRITE),
            BY_ITSELF,
            id="files of which three fit in one",
        ),
        pytest.param(
            Night((READS_RANGES,), [(ID, "bucket[100]")], health=IN_BUCKETS),
            finding(REWRITE),
            BY_ITSELF,
            id="half of a bucket's files overlap",
        ),
        pytest.param(
            Night((FEW_ROWS, READS_ONE), health=SMALL),
            finding(DROPS),
            BY_ID,
            id="few rows of another column",
        ),
        pytest.param(
            Night((AS_FEW_FILES, READS_ONE), health=SMALL),
            finding(DROPS),
            ("id", "ts"),
            id="many rows in few files that overlap",
        ),
    ],
)
def test_rows_stay_in_the_order_by_which_scans_skip_files(
    night: Night, of: Finding, keeps: tuple[str, ...]
) -> None:
    found = keeping_order(night.usage, of).fix
    assert found.change == replace(of.fix.change, keeps=keeps, file_by_file=keeps == BY_ITSELF)
    assert "the order of id" in (found.advice or "")
    assert not [*trino_statements(night.usage, found.change)]


@pytest.mark.parametrize(
    ("night", "of"),
    [
        pytest.param(Night((READS_ALL,), health=SMALL), finding(DROPS), id="nobody skips"),
        pytest.param(Night((READS_ONE,), health=LARGE), finding(REWRITE), id="whole files"),
        pytest.param(
            Night((READS_ONE,), health=LARGE),
            finding(MOVES),
            id="whole old files",
        ),
        pytest.param(
            Night((READS_ONE,), health=SMALL),
            finding(replace(REWRITE, order=("ts",))),
            id="another order",
        ),
        pytest.param(
            Night((scan(part(compared(TS, Op.EQ, 7), pruned=999), kept=1),), [(TS, "day")]),
            finding(DROPS),
            id="files are skipped by partitions",
        ),
        pytest.param(
            Night((READS_RANGES,), [(ID, "bucket[100]")], health=MIXED_IN_BUCKETS),
            finding(REWRITE),
            id="all of a bucket's files overlap",
        ),
        pytest.param(Night((FEW_ROWS,), health=SMALL), finding(DROPS), id="few rows are asked for"),
    ],
)
def test_other_rewrites_stay_as_they_are(night: Night, of: Finding) -> None:
    assert keeping_order(night.usage, of) is of
