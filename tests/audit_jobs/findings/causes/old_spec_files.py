"""Files of an older partitioning: days now, and 900 of 1,000 files are from before. A filter asks
for a tenth of the time, and keeps all files."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.pruning.summary import ScanPlanSummary
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    FILE,
    GB,
    ID,
    TS,
    Case,
    Night,
    Told,
    column,
    compared,
    micros,
    part,
    partitioned,
    plan,
    scan,
)

_LOW, _DAY = micros("2024-01-01"), 86_400_000_000
_TIMES = column(TS, low=_LOW, high=_LOW + 100 * _DAY)
_TENTH = (
    part(compared(TS, Op.GT_EQ, _LOW + 20 * _DAY)),
    part(compared(TS, Op.LT, _LOW + 30 * _DAY)),
)


def _old(files: int) -> ScanPlanSummary:
    return replace(plan(1_000), old_spec_files=files, old_spec_bytes=files * FILE)


NIGHT = Night(
    (scan(*_TENTH, kept=_old(900)),),
    spec=[(TS, "day")],
    old_spec=[],
    health=partitioned(100, _TIMES, files_by_spec={0: 100, 1: 900}),
)


_OLD = Told(
    ("ts",),
    2 * (100 * GB - 10 * GB),
    "high",
    lost_at="manifests",
    spark=("options => map('rewrite-all', 'true')",),
    trino=("EXECUTE optimize(file_size_threshold => '100TB')",),
    evidence={"spec": 0, "files_by_spec": {"0": 100, "1": 900}},
)

FOUND = {
    "nine of ten files": Case(NIGHT, _OLD),
    "months before": Case(replace(NIGHT, old_spec=[(ID, "bucket[4]")]), _OLD),
    "just more than half": Case(replace(NIGHT, scans=(scan(*_TENTH, kept=_old(510)),)), _OLD),
    # Of the 113 files of an old bucket the rows fill less than one.
    "buckets that were larger": Case(
        replace(
            NIGHT,
            scans=(
                scan(
                    part(compared(ID, Op.EQ, 7), pruned=887, share=0.00001),
                    kept=replace(plan(113), old_spec_files=113, old_spec_bytes=113 * FILE),
                    share=0.00001,
                ),
            ),
            spec=[(ID, "bucket[32]")],
            old_spec=[(ID, "bucket[8]")],
            health=partitioned(32, files_by_spec={0: 100, 1: 900}),
        ),
        replace(_OLD, columns=("id",), stake=2 * (113 * FILE - FILE), severity="medium"),
    ),
}

SILENT = {
    "just less than half": replace(NIGHT, scans=(scan(*_TENTH, kept=_old(490)),)),
    "the old partitioning served as well": replace(NIGHT, old_spec=[(TS, "day")]),
    "the filter cannot use the new field": replace(
        NIGHT,
        scans=(scan(part(compared(ID, Op.EQ, 7), share=0.001), kept=_old(900), share=0.001),),
    ),
    "none of these files is left": replace(
        NIGHT, health=partitioned(100, _TIMES, files_by_spec={0: 1_000})
    ),
    "all rows match": replace(NIGHT, scans=(scan(*_TENTH, kept=_old(900), share=1.0),)),
    "nobody knows what is kept": replace(NIGHT, scans=(scan(*_TENTH, kept=None),)),
}
