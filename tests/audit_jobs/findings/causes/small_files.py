"""Many small files: 1,000 of 20 MB, where files should have 100 MB."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
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
    part,
    plan,
    scan,
    table,
)


def _small(*columns: ColumnHealth, **changes: object) -> TableHealth:
    return table(*columns, **{"bytes": 20_000 * MB, "small_files": 1_000, **changes})


_NIGHT = Night((scan(kept=plan(100, file=20 * MB)),), health=_small())
_SMALL = Told(
    spark=("map('min-input-files', '2')",),
    trino=('ALTER TABLE "lake"."db"."t" EXECUTE optimize',),
    evidence={
        "files": 1_000,
        "small_files": 1_000,
        "files_after_rewrite": 200,
        "files_opened_per_scan": 100,
        "mean_file_bytes": 20 * MB,
        "target_file_bytes": 100 * MB,
    },
)

_READS_ALL = scan(kept=plan(1_000, file=20 * MB))
_BY_ID = scan(part(compared(ID, Op.EQ, 7), pruned=999), kept=plan(1, file=20 * MB))
_BY_TIME = scan(part(compared(TS, Op.EQ, 7), pruned=999), kept=plan(1, file=20 * MB))
_IN_ORDER = {"overlap": 0.0, "depth": 1.0}
_APART = _small(column(ID, **_IN_ORDER))
_SORTED = Told(spark=("sort_order => '`id`'",), advice="use Spark")


FOUND = {
    "lookups in order": Case(
        Night((_READS_ALL, *(_BY_ID,) * 10), health=_APART),
        replace(_SORTED, advice="not bytes. Schedule"),
    ),
    "times in the order of ids": Case(
        Night(
            (_READS_ALL, _BY_ID, _BY_ID, _BY_TIME),
            health=_small(column(ID, **_IN_ORDER), column(TS, **_IN_ORDER)),
        ),
        replace(_SORTED, spark=("'`id`, `ts`'",)),
    ),
    "a hundred files a scan": Case(_NIGHT, _SMALL),
    "half of the files are small": Case(
        replace(_NIGHT, health=_small(small_files=500)),
        replace(_SMALL, evidence={"small_files": 500}),
    ),
    "in the last fifth of the time": Case(
        replace(_NIGHT, spec=[(TS, "month")], health=_small(column(TS, small_from=0.8))),
        replace(_SMALL, advice="the last 20% of ts"),
    ),
}

SILENT = {
    "99 files a scan": replace(_NIGHT, scans=(scan(kept=plan(99, file=20 * MB)),)),
    "a quarter of the target": replace(_NIGHT, scans=(scan(kept=plan(100, file=25 * MB)),)),
    "less than half of the files are small": replace(_NIGHT, health=_small(small_files=499)),
    "partitions are tiny themselves": replace(_NIGHT, health=_small(partitions=501)),
    "nobody knows the layout": replace(_NIGHT, health=None),
    "nobody knows what is kept": replace(_NIGHT, scans=(scan(kept=None),)),
}
