"""Partitions of little data: the hours of a year, with a file of 1 MB each, of which scans read
days. An opened file counts as 4 MiB."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.records import ScanRecord
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    ID,
    MB,
    TS,
    Case,
    Night,
    Told,
    column,
    compared,
    micros,
    part,
    plan,
    scan,
    table,
)

_HOURS = 366 * 24
_DAY = (
    part(compared(TS, Op.GT_EQ, micros("2024-03-04")), pruned=4_000),
    part(compared(TS, Op.LT, micros("2024-03-05")), pruned=4_000),
)
_OTHER = part(compared(ID, Op.EQ, 7), share=0.001)


def _hours(megabytes: float) -> TableHealth:
    return table(
        data_files=_HOURS,
        bytes=_HOURS * MB,
        partitions=_HOURS,
        partition_files=1.0,
        partition_bytes=megabytes * MB,
    )


_NIGHT = Night(
    (scan(*_DAY, kept=plan(24, total=_HOURS, file=MB)),), spec=[(TS, "hour")], health=_hours(1)
)
_TO_DAYS = Told(
    ("ts",),
    None,
    "low",
    "medium",
    None,
    spark=("REPLACE PARTITION FIELD hours(`ts`) WITH days(`ts`)", "rewrite_data_files"),
    trino=("partitioning = ARRAY['day(\"ts\")']", "EXECUTE optimize"),
    evidence={
        "fields": ["ts_hour"],
        "partitions": _HOURS,
        "partition_bytes": MB,
    },
)
_NUMBERS = table(
    column(ID, low=0, high=8_783),
    data_files=_HOURS,
    bytes=_HOURS * MB,
    partitions=_HOURS,
    partition_files=1.0,
    partition_bytes=MB,
)


def _of_day(day: int) -> ScanRecord:
    """Hours by their numbers, of which those of a day are asked for."""
    return scan(
        part(compared(ID, Op.GT_EQ, 24 * day), pruned=4_000),
        part(compared(ID, Op.LT, 24 * day + 24), pruned=4_000),
        kept=plan(24, total=_HOURS, file=MB),
    )


FOUND = {
    "days of hours": Case(_NIGHT, _TO_DAYS),
    "as wide as what is asked for": Case(
        replace(
            _NIGHT,
            scans=(_of_day(100), _of_day(101)),
            spec=[(ID, "identity")],
            health=_NUMBERS,
        ),
        Told(
            ("id",),
            None,
            "low",
            "medium",
            None,
            spark=("REPLACE PARTITION FIELD `id` WITH truncate(10, `id`)", "rewrite_data_files"),
            trino=("partitioning = ARRAY['truncate(\"id\", 10)']", "EXECUTE optimize"),
            evidence={"partitions": _HOURS},
            scans=4,
        ),
    ),
    "just less than an eighth of a file": Case(
        replace(_NIGHT, health=_hours(12.4)), replace(_TO_DAYS, evidence={"partitions": _HOURS})
    ),
}

SILENT = {
    "an eighth of a file": replace(_NIGHT, health=_hours(12.5)),
    "no filter reads the column": replace(
        _NIGHT, scans=(scan(_OTHER, kept=plan(_HOURS, total=_HOURS, file=MB), share=0.001),)
    ),
    "nobody knows how large partitions are": replace(
        _NIGHT, health=replace(_hours(1), partition_bytes=None)
    ),
    "no partitions": replace(_NIGHT, spec=()),
}
