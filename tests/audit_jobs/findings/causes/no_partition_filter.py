"""No filter on a partition column: rows are sorted inside the partitions, or partitioned by time.

The table is in ten partitions, whose files keep nothing apart: of what is kept, all but the rows
that match is lost, or all but one file where these are fewer.
"""

from __future__ import annotations

from dataclasses import replace

from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    GB,
    ID,
    MB,
    NAME,
    TS,
    Case,
    Night,
    Told,
    column,
    compared,
    micros,
    opaque,
    part,
    partitioned,
    scan,
    table,
)

_KEY = compared(ID, Op.EQ, 7)
_ONE = part(_KEY, share=0.001)
_FEBRUARY = (
    part(compared(TS, Op.GT_EQ, micros("2024-02-01"))),
    part(compared(TS, Op.LT, micros("2024-03-01"))),
)
_FROM_ITS_MIDDLE = (
    part(compared(TS, Op.GT_EQ, micros("2024-02-15"))),
    part(compared(TS, Op.LT, micros("2024-03-15"))),
)
_TWO_YEARS = column(TS, low=micros("2023-01-01"), high=micros("2025-01-01") - 1)
_BY_NAME = part(compared(NAME, Op.EQ, b"x"), pruned=900)
_LOWER = part(opaque(Reason.FUNCTION, "lower(name) = 'x'", "lower(name) = ?", "name"), pushed=False)
_NULL = part(compared(ID, Op.IS_NULL), share=0.001)
_IN_ORDER = partitioned(10, column(ID, depth=20.0))
_NIGHT = Night((scan(_ONE, share=0.001),), spec=[(NAME, "identity")], health=partitioned(10))

_SORTED = Told(
    ("id",),
    2 * (100 * GB - 100 * MB),
    "high",
    "medium",
    "manifests",
    spark=("WRITE ORDERED BY `id`", "sort_order => '`id`'"),
    trino=("sorted_by = ARRAY['\"id\"']", "EXECUTE optimize(file_size_threshold => '100TB')"),
    advice="costs nothing",
    evidence={"partition_fields": ["name"], "partitions": 10, "new_field": None},
)

_BY_TIME = replace(
    _SORTED,
    columns=("ts",),
    stake=2 * (100 * GB - 8 * GB),
    spark=("WRITE ORDERED BY `ts`", "sort_order => '`ts`'"),
    trino=("sorted_by = ARRAY['\"ts\"']", "EXECUTE optimize"),
    evidence={"new_field": None},
)
_BY_MONTH = Told(
    ("ts",),
    2 * (100 * GB - 8 * GB),
    "high",
    "medium",
    "manifests",
    spark=("ADD PARTITION FIELD months(`ts`)", "rewrite_data_files"),
    trino=("partitioning = ARRAY['\"name\"', 'month(\"ts\")']", "EXECUTE optimize"),
    evidence={"new_field": "month"},
)

FOUND = {
    "few rows of a key, as sampled": Case(_NIGHT, _SORTED),
    "few rows of a key, by bounds": Case(
        replace(_NIGHT, scans=(scan(part(compared(ID, Op.EQ, 7))),)),
        replace(_SORTED, confidence="low"),
    ),
    # A value is in few of the files, and in all of those of the partition that has it.
    "few partitions have a value, and hold it in no order": Case(
        replace(_NIGHT, health=partitioned(100, column(ID, depth=12.0, mixed=1.0))),
        replace(_SORTED, evidence={"partitions": 100}),
    ),
    "few nulls in all files, though values are in order inside the partitions": Case(
        replace(_NIGHT, scans=(scan(_NULL, share=0.001),), health=_IN_ORDER), _SORTED
    ),
    "the engine does not use the condition as it is written": Case(
        replace(_NIGHT, scans=(scan(part(_KEY, share=0.001, pushed=False), share=0.001),)),
        replace(_SORTED, advice="only once they are written as their findings say"),
    ),
    "two queries of one column": Case(
        replace(_NIGHT, scans=(*_NIGHT.scans, scan(_ONE, share=0.001, fingerprint="g"))),
        replace(
            _SORTED,
            stake=4 * (100 * GB - 100 * MB),
            scans=4,
            evidence={"fingerprints": ["f", "g"]},
        ),
    ),
    # Months would hold 2 GB, less than a file, and little of a year is asked for.
    "a month of a time, in years": Case(
        replace(
            _NIGHT,
            scans=(scan(*_FEBRUARY, share=0.04),),
            health=partitioned(2, _TWO_YEARS, target_file_bytes=3 * GB),
        ),
        replace(_BY_TIME, stake=2 * (100 * GB - 4 * GB)),
    ),
    # 12 months in each of 10 partitions fill eight files each, 366 days less than one.
    "a month of a time": Case(replace(_NIGHT, scans=(scan(*_FEBRUARY, share=0.08),)), _BY_MONTH),
    # 29 days are less than half of two months.
    "a month of a time from its middle": Case(
        replace(_NIGHT, scans=(scan(*_FROM_ITS_MIDDLE, share=0.08),)), _BY_TIME
    ),
}

SILENT = {
    "no partitions": replace(_NIGHT, spec=()),
    "all rows were deleted since": replace(
        _NIGHT,
        health=table(data_files=0, records=0, bytes=0, files_by_spec={}),
    ),
    "a filter on the partition column as well": replace(
        _NIGHT, scans=(scan(_ONE, _BY_NAME, kept=100, share=0.001),)
    ),
    "the partition column is wrapped": replace(_NIGHT, scans=(scan(_ONE, _LOWER, share=0.001),)),
    "all rows match": replace(
        _NIGHT, scans=(scan(part(compared(ID, Op.GT, 7), share=1.0), share=1.0),)
    ),
    "rows are in order inside the partitions": replace(_NIGHT, health=_IN_ORDER),
    "nulls are asked for by a condition that the engine does not use": replace(
        _NIGHT,
        scans=(scan(part(compared(ID, Op.IS_NULL), share=0.001, pushed=False), share=0.001),),
    ),
    "nulls lie in two files of each partition": replace(
        _NIGHT,
        scans=(
            scan(part(compared(ID, Op.IS_NULL), pruned=980, share=0.001), kept=20, share=0.001),
        ),
    ),
    "the files of each partition are in order": replace(
        _NIGHT, health=partitioned(10, column(ID, depth=30.0, mixed=0.01))
    ),
    "nothing tells how many rows match": replace(
        _NIGHT,
        scans=(scan(part(compared(ID, Op.EQ, 7))),),
        health=partitioned(10, column(ID, low=None, high=None)),
    ),
}
