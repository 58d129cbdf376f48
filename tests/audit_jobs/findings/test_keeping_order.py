"""Rewrites leave files told apart by the columns by whose order scans skip them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit_jobs.findings.keeping_order import keeping_order
from audit_jobs.findings.model import Confidence, Finding, Fix, Layout, Severity
from audit_jobs.findings.statements import spark_rewrite
from collectors.predicates.operators import Op
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

REWRITE = spark_rewrite(TABLE)
DROPS = Layout(dropped=(("day", "ts"),))
SORTED = "strategy => 'sort', sort_order => '`id`'"
BY_ITSELF = "'max-file-group-size-bytes', '1'"
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


def finding(statement: str, layout: Layout) -> Finding:
    return Finding(
        cause="c",
        severity=Severity.LOW,
        confidence=Confidence.HIGH,
        table=TABLE,
        sentence="",
        scans=2,
        bytes_read=1,
        bytes_at_stake=None,
        fix=Fix(spark=(statement,), trino=("t",), advice="Once.", layout=layout),
    )


@pytest.mark.parametrize(
    ("night", "of", "gist"),
    [
        pytest.param(
            Night((READS_ONE,), health=LARGE),
            finding(REWRITE, DROPS),
            SORTED,
            id="fewer partitions",
        ),
        pytest.param(
            Night((READS_ONE,), health=SMALL),
            finding(REWRITE, Layout(rewrites=True)),
            SORTED,
            id="small old files",
        ),
        pytest.param(
            Night((READS_ONE,), health=SMALL), finding(REWRITE, Layout()), BY_ITSELF, id="in place"
        ),
        pytest.param(
            Night((READS_ONE,), health=THIRDS),
            finding(REWRITE, Layout()),
            BY_ITSELF,
            id="files of which three fit in one",
        ),
        pytest.param(
            Night((READS_RANGES,), [(ID, "bucket[100]")], health=IN_BUCKETS),
            finding(REWRITE, Layout()),
            BY_ITSELF,
            id="half of a bucket's files overlap",
        ),
        pytest.param(
            Night((FEW_ROWS, READS_ONE), health=SMALL),
            finding(REWRITE, DROPS),
            SORTED,
            id="few rows of another column",
        ),
        pytest.param(
            Night((AS_FEW_FILES, READS_ONE), health=SMALL),
            finding(REWRITE, DROPS),
            "`ts`",
            id="many rows in few files that overlap",
        ),
    ],
)
def test_rows_stay_in_the_order_by_which_scans_skip_files(
    night: Night, of: Finding, gist: str
) -> None:
    found = keeping_order(night.usage, of).fix
    (statement,) = found.spark
    assert gist in statement
    assert statement.endswith("))")
    assert "the order of id" in (found.advice or "")
    assert found.trino == (("t",) if of.fix.layout.dropped or of.fix.layout.rewrites else ())


@pytest.mark.parametrize(
    ("night", "of"),
    [
        pytest.param(Night((READS_ALL,), health=SMALL), finding(REWRITE, DROPS), id="nobody skips"),
        pytest.param(
            Night((READS_ONE,), health=LARGE), finding(REWRITE, Layout()), id="whole files"
        ),
        pytest.param(
            Night((READS_ONE,), health=LARGE),
            finding(REWRITE, Layout(rewrites=True)),
            id="whole old files",
        ),
        pytest.param(
            Night((READS_ONE,), health=SMALL),
            finding(spark_rewrite(TABLE, sort=["ts"]), Layout(order=("ts",))),
            id="another order",
        ),
        pytest.param(
            Night((scan(part(compared(TS, Op.EQ, 7), pruned=999), kept=1),), [(TS, "day")]),
            finding(REWRITE, DROPS),
            id="files are skipped by partitions",
        ),
        pytest.param(
            Night((READS_RANGES,), [(ID, "bucket[100]")], health=MIXED_IN_BUCKETS),
            finding(REWRITE, Layout()),
            id="all of a bucket's files overlap",
        ),
        pytest.param(
            Night((FEW_ROWS,), health=SMALL), finding(REWRITE, DROPS), id="few rows are asked for"
        ),
    ],
)
def test_other_rewrites_stay_as_they_are(night: Night, of: Finding) -> None:
    assert keeping_order(night.usage, of) is of
