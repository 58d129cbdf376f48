"""No bounds of a column: a layout made for it would let a scan read one file. Where footers prove
that rows are in order, bounds win what these rule out, but for a file that is made anew."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.pruning.summary import Funnel
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    BYTES,
    GB,
    ID,
    MB,
    NAME,
    Case,
    Night,
    Told,
    column,
    compared,
    part,
    partitioned,
    plan,
    scan,
    table,
)

_ONE = compared(ID, Op.EQ, 7)
_MISSING = part(_ONE, reason="missing_statistics", share=0.001)
_NIGHT = Night(
    (scan(_MISSING, share=0.001),),
    health=table(column(ID, bounded=0.0)),
    properties={"write.metadata.metrics.default": "none"},
)
_FOOTERS = replace(
    plan(1_000), row_groups=Funnel(None, 8_000, 80), row_group_bytes=Funnel(None, BYTES, GB)
)
_PROPERTY = "('write.metadata.metrics.column.id' = 'full')"
_OPTIMIZE = "EXECUTE optimize(file_size_threshold => '100TB')"
_UNSORTED = Told(
    ("id",),
    2 * (100 * GB - 100 * MB),
    "high",
    "medium",
    spark=(_PROPERTY, "WRITE ORDERED BY `id`", "sort_order => '`id`'"),
    trino=("sorted_by = ARRAY['\"id\"']", _OPTIMIZE),
    evidence={"metrics_mode": "none", "bounded": 0.0, "columns": 7, "clustered": False},
)

_IN_PARTITIONS = replace(
    _NIGHT, scans=(scan(_MISSING, kept=_FOOTERS, share=0.001),), spec=[(NAME, "identity")]
)
_APART = replace(
    _UNSORTED,
    stake=2 * (99 * GB - 100 * MB),
    confidence="high",
    spark=(_PROPERTY, "sort_order => '`id`'"),
    trino=(),
    evidence={"clustered": True},
)


_AS_LISTED = part(_ONE, reason="missing_statistics", share=0.01)
_TOGETHER = scan(
    replace(_AS_LISTED, counts=replace(_AS_LISTED.counts, row_groups_pruned=7_900)),
    part(compared(NAME, Op.EQ, b"x"), share=0.001),
    kept=_FOOTERS,
    share=0.0001,
)
"""A scan whose other condition matches fewer rows, which are spread over all files."""


def _beside_lookups_of(depth: float) -> Night:
    """A night of whose other scans skip files by the column NAME."""
    skipping = part(compared(NAME, Op.EQ, b"x"), pruned=990, share=0.001)
    return replace(
        _NIGHT,
        scans=(
            scan(_MISSING, kept=_FOOTERS, share=0.001),
            scan(skipping, kept=10, share=0.001, fingerprint="other"),
        ),
        health=table(column(ID, bounded=0.0), column(NAME, depth=depth)),
    )


FOUND = {
    "metrics are switched off": Case(_NIGHT, _UNSORTED),
    "metrics of the column are counts": Case(
        replace(_NIGHT, properties={"write.metadata.metrics.column.id": "counts"}),
        replace(_UNSORTED, evidence={"metrics_mode": "counts"}),
    ),
    "the engine does not use the condition as it is written": Case(
        replace(_NIGHT, scans=(scan(replace(_MISSING, pushed=False), share=0.001),)),
        replace(_UNSORTED, advice="only once they are written as their findings say"),
    ),
    "metrics are kept of the first columns only": Case(
        replace(_NIGHT, properties={"write.metadata.metrics.max-inferred-column-defaults": "0"}),
        replace(_UNSORTED, advice="The table has more than 0 columns"),
    ),
    "footers prove that rows are in order": Case(
        replace(_NIGHT, scans=(scan(_MISSING, kept=_FOOTERS, share=0.001),)),
        _APART,
    ),
    "footers prove it, and files are in order of another column": Case(
        _beside_lookups_of(1.5),
        replace(
            _APART,
            spark=(_PROPERTY, "sort_order => '`name`'"),
            advice="Rows stay in order of name",
        ),
    ),
    "footers prove it, and files are in no order of another column": Case(
        _beside_lookups_of(10.0),
        _APART,
    ),
    "an earlier writer kept none, and files of a later one are ruled out": Case(
        replace(
            _NIGHT,
            scans=(
                scan(part(_ONE, pruned=390, unmeasured=600, share=0.001), kept=610, share=0.001),
            ),
            health=table(column(ID, bounded=0.4)),
            properties={},
        ),
        replace(
            _UNSORTED,
            stake=2 * (61 * GB - 100 * MB),
            spark=("WRITE ORDERED BY `id`", "sort_order => '`id`'"),
            advice="new ones have them",
            evidence={"metrics_mode": "truncate(16)", "bounded": 0.4},
        ),
    ),
    "footers prove that rows are in order of what is asked for beside others": Case(
        replace(_NIGHT, scans=(_TOGETHER,), health=table(column(ID, bounded=0.0), column(NAME))),
        _APART,
    ),
    # Files stay as they are.
    "footers prove that partitions of a file keep values apart": Case(
        replace(_IN_PARTITIONS, health=partitioned(1_000, column(ID, bounded=0.0))),
        replace(
            _APART,
            stake=2 * 99 * GB,
            spark=(_PROPERTY, "rewrite_data_files"),
            trino=(_OPTIMIZE,),
        ),
    ),
    "footers prove that partitions of ten files keep values apart": Case(
        replace(_IN_PARTITIONS, health=partitioned(100, column(ID, bounded=0.0))),
        _APART,
    ),
}

SILENT = {
    "there are bounds": replace(_NIGHT, scans=(scan(part(_ONE, share=0.001), share=0.001),)),
    "few of the files that are kept have none": replace(
        _NIGHT,
        scans=(scan(part(_ONE, pruned=300, unmeasured=200, share=0.001), kept=700, share=0.001),),
        health=table(column(ID, bounded=0.8)),
    ),
    "all files have bounds, and none says how many nulls it has": replace(
        _NIGHT,
        scans=(scan(part(_ONE, pruned=390, unmeasured=610, share=0.001), kept=610, share=0.001),),
        health=table(column(ID)),
    ),
    "rows are in no order of what is asked for beside others": replace(
        _NIGHT,
        scans=(
            scan(
                _AS_LISTED,
                part(compared(NAME, Op.EQ, b"x"), share=0.001),
                share=0.0001,
            ),
        ),
        health=table(column(ID, bounded=0.0), column(NAME)),
    ),
    "all rows match": replace(
        _NIGHT,
        scans=(scan(part(_ONE, reason="missing_statistics", share=1.0), share=1.0),),
    ),
    "nothing tells how many rows match": replace(
        _NIGHT,
        scans=(scan(part(_ONE, reason="missing_statistics")),),
        health=table(column(ID, bounded=0.0, low=None, high=None)),
    ),
}
