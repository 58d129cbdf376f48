"""Many small files: 1,000 of 20 MB, where files should have 100 MB."""

from __future__ import annotations

from dataclasses import replace

from audit_jobs.health.model import ColumnHealth, TableHealth
from collectors.predicates.operators import Op
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
_BY_IDS = scan(
    part(compared(ID, Op.IN, *range(0, 1_000_000, 25_000)), pruned=960),
    kept=plan(40, file=20 * MB),
)
_BY_TIME = scan(part(compared(TS, Op.EQ, 7), pruned=999), kept=plan(1, file=20 * MB))
_SINCE = part(compared(TS, Op.GT_EQ, 7), pruned=900)
_BOX = scan(part(compared(ID, Op.GT_EQ, 7), pruned=900), _SINCE, kept=plan(1, file=20 * MB))
_WITHIN = scan(part(compared(ID, Op.EQ, 7), pruned=950), _SINCE, kept=plan(1, file=20 * MB))
_IN_CURVE = _small(column(ID, depth=100.0), column(TS, depth=100.0))
_IN_ORDER = {"overlap": 0.0, "depth": 1.0}
_APART = _small(column(ID, **_IN_ORDER))
_SORTED = Told(spark=("sort_order => '`id`'",), advice="use Spark")
_LEFT = Told(severity="info", advice="Leave the files as they are", scans=2)


def _of_ids(lookups: int) -> Night:
    """One full scan of files that are in order of ids, and so many lookups of one file each."""
    return Night((_READS_ALL, *(_BY_ID,) * lookups), health=_APART)


FOUND = {
    # Files of 100 MB instead of 20: 2 x 100 MB more for each lookup, as its file may be cut, where
    # 800 files less to be opened, at 4 MB each, are 2 x 3.2 GB.
    "some lookups in order": Case(
        _of_ids(10), replace(_SORTED, advice="not bytes. 20 scans by id lose 2.0 GB by it. Small")
    ),
    "many lookups in order": Case(
        _of_ids(100), replace(_LEFT, evidence={"disturbed_columns": ["id"]})
    ),
    # Each value of a list is in a file of its own, of 20 MB now, and of 100 MB then.
    "few lists in order": Case(Night((_READS_ALL, _BY_IDS), health=_APART), replace(_LEFT)),
    "times in the order of ids": Case(
        Night(
            (_READS_ALL, _BY_ID, _BY_ID, _BY_TIME),
            health=_small(column(ID, **_IN_ORDER), column(TS, **_IN_ORDER)),
        ),
        replace(_SORTED, spark=("'`id`, `ts`'",)),
    ),
    # By ids half of the files hold a value, so that times are not in order of these.
    "boxes of a Z-order": Case(Night((_READS_ALL, _BOX, _BOX), health=_IN_CURVE), replace(_LEFT)),
    "times within ids": Case(
        Night((_READS_ALL, _WITHIN, _WITHIN), health=_IN_CURVE),
        replace(_SORTED, spark=("'`id`, `ts`'",)),
    ),
    "times in an order of their own": Case(
        Night(
            (_READS_ALL, _BY_ID, _BY_ID, _BY_TIME),
            health=_small(column(ID, depth=500.0), column(TS, depth=500.0)),
        ),
        _LEFT,
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
