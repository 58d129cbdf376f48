"""Partitions hold more than queries ask for: by year, of three years, while queries want a month.

A month is a twelfth of a year of 365.2425 days."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.records import ConjunctRecord
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    BYTES,
    FILE,
    GB,
    TS,
    Case,
    Night,
    Told,
    column,
    compared,
    micros,
    part,
    partitioned,
    scan,
)

_THREE_YEARS = column(TS, low=micros("2022-01-01"), high=micros("2025-01-01") - 1)


def _range(start: str, end: str) -> list[ConjunctRecord]:
    return [
        part(compared(TS, Op.GT_EQ, micros(start)), pruned=400),
        part(compared(TS, Op.LT, micros(end)), pruned=300),
    ]


_FEBRUARY = _range("2024-02-01", "2024-03-01")
# The year has 366 of 1,096 days, and so many of the files.
_NIGHT = Night(
    (scan(*_FEBRUARY, kept=334),), spec=[(TS, "year")], health=partitioned(3, _THREE_YEARS)
)

FOUND = {
    "a month of a year": Case(
        _NIGHT,
        Told(
            ("ts",),
            2 * (334 * FILE - 29 * BYTES // 1_096),
            "medium",
            "medium",
            spark=("REPLACE PARTITION FIELD years(`ts`) WITH months(`ts`)", "rewrite_data_files"),
            trino=("partitioning = ARRAY['month(\"ts\")']", "EXECUTE optimize"),
            advice="the new partitions apply to all new files",
            evidence={
                "transform": "year",
                "better_transform": "month",
                "share_asked": 29 / 365.2425,
                "better_share_asked": 29 / 30.436875,
                "partitions": 3,
                "partition_bytes": BYTES / 3,
            },
        ),
    ),
    "just less than half of a year": Case(
        replace(_NIGHT, scans=(scan(*_range("2024-01-01", "2024-07-01"), kept=334),)),
        Told(
            ("ts",),
            2 * (334 * FILE - 182 * BYTES // 1_096),
            "medium",
            "medium",
            spark=("REPLACE PARTITION FIELD years(`ts`) WITH months(`ts`)", "rewrite_data_files"),
            trino=("partitioning = ARRAY['month(\"ts\")']", "EXECUTE optimize"),
        ),
    ),
}

SILENT = {
    "more than half of a year": replace(
        _NIGHT, scans=(scan(*_range("2024-01-01", "2024-07-03"), kept=334),)
    ),
    "months would not fill a file": replace(
        _NIGHT, health=partitioned(3, _THREE_YEARS, target_file_bytes=3 * GB)
    ),
    "the files inside tell the rows apart": replace(_NIGHT, scans=(scan(*_FEBRUARY, kept=26),)),
    "no bounds": replace(_NIGHT, health=partitioned(3, column(TS, low=None, high=None))),
    "no partitions": replace(_NIGHT, spec=()),
    "nobody knows what is kept": replace(_NIGHT, scans=(scan(*_FEBRUARY, kept=None),)),
}
