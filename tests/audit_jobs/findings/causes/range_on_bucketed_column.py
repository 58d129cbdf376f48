"""Range on a bucketed column: all of 16 buckets are read for it."""

from __future__ import annotations

from dataclasses import replace

from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.table_scans import TextPlace
from tests.audit_jobs.findings.usages import (
    BYTES,
    GB,
    ID,
    MB,
    NAME,
    TABLE,
    TS,
    Case,
    Night,
    Told,
    column,
    compared,
    days_before,
    micros,
    part,
    partitioned,
    scan,
)

_RANGE = (part(compared(ID, Op.GT_EQ, 70_000)), part(compared(ID, Op.LT, 80_000)))
_FOUR = (part(compared(ID, Op.GT_EQ, 70_000)), part(compared(ID, Op.LT, 70_004)))
_SEVEN = (part(compared(ID, Op.GT_EQ, 7)), part(compared(ID, Op.LT_EQ, 7)))
_TWELVE = (part(compared(ID, Op.GT, 69_999)), part(compared(ID, Op.LT_EQ, 70_011)))
_DAYS = (
    part(compared(TS, Op.GT_EQ, micros("2024-03-04"))),
    part(compared(TS, Op.LT, micros("2024-03-14"))),
)
_ONE = part(compared(ID, Op.EQ, 7), pruned=937, share=0.001)
_NIGHT = Night((scan(*_RANGE, share=0.01),), spec=[(ID, "bucket[16]")], health=partitioned(16))
_WEEK = replace(_NIGHT, history=days_before(6))

_STAKE = 2 * (100 * GB - GB)
_INSIDE = Told(
    ("id",),
    _STAKE,
    "high",
    "medium",
    "manifests",
    spark=("WRITE ORDERED BY `id`", "sort_order => '`id`'"),
    trino=("sorted_by = ARRAY['\"id\"']", "EXECUTE optimize"),
    advice="seven days",
    evidence={
        "partition_field": "id_bucket",
        "buckets": 16,
        "scans_for_single_values": 0,
        "new_field": None,
    },
)

FOUND = {
    "the first night": Case(_NIGHT, _INSIDE),
    "after six days": Case(replace(_NIGHT, history=days_before(5)), _INSIDE),
    "after a week the buckets go": Case(
        _WEEK,
        replace(
            _INSIDE,
            spark=(
                "DROP PARTITION FIELD bucket(16, `id`)",
                "WRITE ORDERED BY `id`",
                "sort_order => '`id`'",
            ),
            trino=("partitioning = ARRAY[]", "sorted_by = ARRAY['\"id\"']", "EXECUTE optimize"),
            advice="",
        ),
    ),
    "after a week, beside another field": Case(
        replace(_WEEK, spec=[(NAME, "identity"), (ID, "bucket[16]")]),
        replace(
            _INSIDE,
            spark=("DROP PARTITION FIELD bucket(16, `id`)", "WRITE ORDERED BY `id`", "sort_order"),
            trino=(
                "partitioning = ARRAY['\"name\"']",
                "sorted_by = ARRAY['\"id\"']",
                "EXECUTE optimize",
            ),
            advice="",
        ),
    ),
    "a query of earlier nights is not in this one": Case(
        replace(_NIGHT, history=replace(days_before(6), queries={(TABLE, "gone"): ()})), _INSIDE
    ),
    "other queries ask for single values": Case(
        replace(
            _WEEK,
            scans=(*_WEEK.scans, scan(_ONE, kept=63, share=0.001, fingerprint="single")),
        ),
        replace(_INSIDE, advice="single values", evidence={"scans_for_single_values": 2}),
    ),
    "other queries join by it": Case(
        replace(
            _WEEK,
            scans=(
                *_WEEK.scans,
                scan(traits=frozenset({"join"}), fingerprint="join", text_place=TextPlace(("ID",))),
            ),
        ),
        replace(_INSIDE, advice="or join by it", evidence={"scans_for_single_values": 2}),
    ),
    "a time gets days instead": Case(
        replace(_WEEK, scans=(scan(*_DAYS, share=0.03),), spec=[(TS, "bucket[16]")]),
        Told(
            ("ts",),
            2 * (100 * GB - 3 * GB),
            "high",
            "medium",
            "manifests",
            spark=(
                "REPLACE PARTITION FIELD bucket(16, `ts`) WITH days(`ts`)",
                "rewrite_data_files",
            ),
            trino=("partitioning = ARRAY['day(\"ts\")']", "EXECUTE optimize"),
            evidence={"new_field": "day"},
        ),
    ),
    "a range of four values is a list of them": Case(
        replace(_WEEK, scans=(scan(*_FOUR, share=0.0001),)),
        replace(
            _INSIDE,
            stake=round(2 * 100 * GB * (15 / 16) ** 4),
            spark=(),
            trino=(),
            advice='"id" IN (…)',
            evidence={"partition_field": "id_bucket", "buckets": 16, "as_list": True},
        ),
    ),
    # The bucket of 63 files is what statistics allow, but planners look for both ends alone.
    "a range of one value is a list of it": Case(
        replace(_WEEK, scans=(scan(*_SEVEN, kept=1_000, allowed=63, share=0.0001),)),
        replace(
            _INSIDE,
            stake=2 * (1_000 - 63) * 100 * MB,
            spark=(),
            trino=(),
            advice='"id" IN (…)',
            evidence={"partition_field": "id_bucket", "buckets": 16, "as_list": True},
        ),
    ),
    "four values, and rows are in order inside the buckets": Case(
        replace(
            _WEEK,
            scans=(scan(*_FOUR, share=0.0001),),
            health=partitioned(16, column(ID, depth=32.0)),
        ),
        replace(
            _INSIDE,
            stake=round(2 * 100 * GB * (15 / 16) ** 4),
            spark=(),
            trino=(),
            advice='"id" IN (…)',
            evidence={"as_list": True},
        ),
    ),
    "twelve values are in more than half of the buckets": Case(
        replace(_NIGHT, scans=(scan(*_TWELVE, share=0.01),)), _INSIDE
    ),
    "some ranges are long": Case(
        replace(
            _NIGHT,
            scans=(scan(*_RANGE, share=0.01), scan(*_FOUR, share=0.01, fingerprint="short")),
        ),
        replace(_INSIDE, stake=2 * _STAKE, scans=4),
    ),
    "by bounds": Case(
        replace(_NIGHT, scans=(scan(*_RANGE),)),
        replace(_INSIDE, stake=2 * (BYTES - 10_000 * BYTES // 999_999), confidence="low"),
    ),
}

SILENT = {
    "a range of one value, and the engine looks for its bucket": replace(
        _WEEK, scans=(scan(*_SEVEN, kept=63, share=0.0001),)
    ),
    "single values": replace(_WEEK, scans=(scan(_ONE, kept=63, share=0.001),)),
    "a field of the column that has an order": replace(
        _NIGHT, scans=(scan(*_DAYS, share=0.03),), spec=[(TS, "bucket[16]"), (TS, "month")]
    ),
    "another column is bucketed": replace(_NIGHT, spec=[(NAME, "bucket[16]")]),
    "rows are in order inside the buckets": replace(
        _NIGHT, health=partitioned(16, column(ID, depth=32.0))
    ),
    "all rows match": replace(_NIGHT, scans=(scan(*_RANGE, share=1.0),)),
    "nothing tells how many rows match": replace(
        _NIGHT,
        scans=(scan(*_RANGE),),
        health=partitioned(16, column(ID, low=None, high=None)),
    ),
}
