"""Row groups not pruned: one file of ten row groups of 10 MB, all of which are read for 0.1 MB of
rows. In order, these and one row group would be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from prunescope.audit_jobs.pruning.summary import Funnel, ScanPlanSummary
from prunescope.audit_jobs.records import ConjunctRecord
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    BYTES,
    FILES,
    ID,
    KEY,
    MB,
    NAME,
    Case,
    Night,
    Told,
    compared,
    part,
    partitioned,
    plan,
    scan,
    table,
)
from tests.audit_jobs.plans import UNKNOWN


def _range(share: float) -> list[ConjunctRecord]:
    return [
        part(compared(ID, Op.GT_EQ, 70), pruned=500, share=0.5),
        part(compared(ID, Op.LT, 80), pruned=499, share=share),
    ]


def _groups(considered: int, kept: int) -> ScanPlanSummary:
    each = 100 * MB // considered
    return replace(
        plan(1),
        row_groups=Funnel(None, considered, kept),
        row_group_bytes=Funnel(None, 100 * MB, kept * each),
    )


_FEW = 1e-6
_NIGHT = Night(
    (scan(*_range(_FEW), kept=_groups(10, 10), share=_FEW),),
    health=table(written_row_group_bytes=10 * MB),
)
_TEN_FILES = replace(
    plan(10),
    row_groups=Funnel(None, 100, 100),
    row_group_bytes=Funnel(None, 1_000 * MB, 1_000 * MB),
)
_ROWS = 6_250
"""Rows of a row group, all of which are sampled of each of 16 files."""
_ONE_FILE = table(data_files=1, bytes=100 * MB, records=10 * _ROWS, written_row_group_bytes=10 * MB)
_RARE = part(compared(ID, Op.EQ, 75), share=0.0)


def _looked_up(condition: ConjunctRecord, row_groups: int, **changes: Any) -> Night:
    """Lookups in a table of one file, all row groups of which are read."""
    kept = replace(_groups(row_groups, row_groups), data_files=Funnel(1, 1, 1))
    health = replace(_ONE_FILE, records=row_groups * _ROWS, **changes)
    return Night((scan(condition, kept=kept, share=0.0),), health=health)


_LOOKUP = _looked_up(_RARE, 10)
_THOUSAND = replace(
    plan(FILES),
    row_groups=Funnel(None, FILES, FILES),
    row_group_bytes=Funnel(None, BYTES, BYTES),
)
_ROW = part(compared(ID, Op.EQ, 75), share=0.00001)
_SINGLE = Night(
    (scan(part(compared(ID, Op.EQ, 75), share=0.0), kept=_THOUSAND, share=0.0),),
    spec=[(NAME, "identity")],
    health=partitioned(1_000, records=FILES * _ROWS),
)
_UUID = part(compared(KEY, Op.EQ, b"0123456789abcdef"), share=_FEW)
_BLOOM = "write.parquet.bloom-filter-enabled.column.id"
_FILTER = 8 * 1024
"""Bytes that tell the values of a row group apart."""
_SET = (f"'{_BLOOM}' = 'true', 'write.parquet.bloom-filter-max-bytes' = '{_FILTER}'",)
_SORTED = Told(
    ("id",),
    2 * (90 * MB - MB // 10),
    "low",
    "medium",
    "row_groups",
    spark=("WRITE ORDERED BY `id`", "sort_order => '`id`'"),
    trino=("sorted_by = ARRAY['\"id\"']", "EXECUTE optimize"),
    evidence={
        "row_groups_considered": 20,
        "row_groups_kept": 20,
        "mean_row_group_bytes": 10 * MB,
    },
)

FOUND = {
    "a range": Case(_NIGHT, _SORTED),
    # One file is left of ten, in which rows are 1 MB: what the order of files wins is another
    # cause's.
    "after what an order of files wins": Case(
        replace(_NIGHT, scans=(scan(*_range(1e-5), kept=_TEN_FILES, share=1e-5),)),
        replace(
            _SORTED,
            stake=2 * (100 * MB - MB - 10 * MB),
            evidence={"row_groups_considered": 200},
        ),
    ),
    "large row groups get smaller": Case(
        replace(_NIGHT, scans=(scan(*_range(_FEW), kept=_groups(2, 2), share=_FEW),)),
        replace(
            _SORTED,
            stake=2 * (50 * MB - MB // 10),
            spark=(
                "'write.parquet.row-group-size-bytes' = '33554432'",
                "WRITE ORDERED BY `id`",
                "sort_order",
            ),
            evidence={"mean_row_group_bytes": 50 * MB},
        ),
    ),
    "a value that no sampled row has": Case(
        _LOOKUP,
        Told(
            ("id",),
            2 * (100 * MB * 13 // 16 - 10 * _FILTER),
            "low",
            "low",
            "row_groups",
            spark=(*_SET, "rewrite_data_files"),
            trino=("parquet_bloom_filter_columns = ARRAY['id']", "EXECUTE optimize"),
        ),
    ),
    # No order within partitions of a file each tells anything. In none of 16 sampled files is a
    # value that is looked for: at most three of 16 have it.
    "one row group a file, and few have the value": Case(
        _SINGLE,
        Told(
            ("id",),
            2 * (BYTES * 13 // 16 - FILES * _FILTER),
            "high",
            "low",
            "row_groups",
            spark=(*_SET, "rewrite_data_files"),
            trino=("parquet_bloom_filter_columns = ARRAY['id']", "EXECUTE optimize"),
        ),
    ),
    # Each of two values is in a row group, most likely in one of its own.
    "a list of values that no sampled row has": Case(
        _looked_up(
            part(compared(ID, Op.IN, 75, 90_000), share=0.0), 4, written_row_group_bytes=25 * MB
        ),
        Told(
            ("id",),
            2 * (100 * MB - 7 * 25 * MB // 4 - 4 * _FILTER),
            "low",
            "low",
            "row_groups",
            spark=(*_SET, "rewrite_data_files"),
            trino=("parquet_bloom_filter_columns = ARRAY['id']", "EXECUTE optimize"),
        ),
    ),
    "one row of those that were sampled matches": Case(
        replace(_SINGLE, scans=(scan(_ROW, kept=_THOUSAND, share=0.00001),)),
        Told(
            ("id",),
            2 * (BYTES * 12 // 16 - FILES * _FILTER),
            "high",
            "low",
            "row_groups",
            spark=(*_SET, "rewrite_data_files"),
            trino=("parquet_bloom_filter_columns = ARRAY['id']", "EXECUTE optimize"),
        ),
    ),
    "a bloom filter is there already": Case(
        replace(_LOOKUP, properties={_BLOOM: "true"}),
        replace(_SORTED, stake=2 * 90 * MB, evidence={}),
    ),
    # By default, Spark would write one row group of all.
    "row groups stay as small as they are": Case(
        _looked_up(_RARE, 10, written_row_group_bytes=None),
        replace(
            _SORTED,
            stake=2 * 90 * MB,
            spark=(
                "'write.parquet.row-group-size-bytes' = '10000000'",
                "WRITE ORDERED BY",
                "sort_order",
            ),
            evidence={},
        ),
    ),
    "a UUID in Trino": Case(
        replace(_NIGHT, scans=(scan(_UUID, share=_FEW),)),
        Told(("key",), None, "info", "medium", advice="Add a condition on another column"),
    ),
}

SILENT = {
    # Filters that tell all of them apart are as large as the rows.
    "rows of many bytes, of each of which a filter": replace(
        _SINGLE, health=partitioned(1_000, records=FILES * _ROWS, bytes=FILES * _ROWS)
    ),
    "one file of one row group, in which the value may be": _looked_up(_RARE, 1),
    "few rows of each row group were sampled": replace(
        _SINGLE, health=partitioned(1_000, records=2 * FILES * _ROWS)
    ),
    "half of the row groups are skipped": replace(
        _NIGHT, scans=(scan(*_range(_FEW), kept=_groups(10, 5), share=_FEW),)
    ),
    "all rows of the file match": replace(
        _NIGHT, scans=(scan(*_range(0.001), kept=_groups(10, 10), share=0.001),)
    ),
    "a list of which each row group in order has a value": replace(
        _NIGHT,
        scans=(
            scan(
                part(compared(ID, Op.IN, *range(500)), pruned=999, share=0.001),
                kept=_groups(10, 10),
                share=0.0001,
            ),
        ),
    ),
    "two files of a bucket, which has all rows of the value": replace(
        _SINGLE,
        scans=(
            scan(
                part(compared(ID, Op.EQ, 75), pruned=998, share=0.00001),
                kept=replace(
                    plan(2),
                    row_groups=Funnel(None, 2, 2),
                    row_group_bytes=Funnel(None, 200 * MB, 200 * MB),
                ),
                share=0.00001,
            ),
        ),
        spec=[(ID, "bucket[500]")],
        health=partitioned(500),
    ),
    "one row group a file, and many have the value": replace(
        _SINGLE,
        scans=(scan(part(compared(ID, Op.EQ, 75), share=0.0001), kept=_THOUSAND, share=0.0001),),
    ),
    "one row group a file": replace(
        _NIGHT, scans=(scan(*_range(_FEW), kept=_groups(1, 1), share=_FEW),)
    ),
    "nobody knows the row groups": replace(
        _NIGHT,
        scans=(
            scan(
                *_range(_FEW),
                kept=replace(plan(1), row_groups=UNKNOWN, row_group_bytes=UNKNOWN),
                share=_FEW,
            ),
        ),
    ),
    "a UUID in Trino, of few files": replace(_NIGHT, scans=(scan(_UUID, kept=500, share=_FEW),)),
}
