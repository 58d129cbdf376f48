"""Partitioned by other columns than queries use: by `name`, while queries ask for `id` or `ts`."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from prunescope.audit_jobs.records import Window
from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.table_scans import TextPlace
from tests.audit_jobs.findings.groups import DAY, START
from tests.audit_jobs.findings.usages import (
    ID,
    NAME,
    TABLE,
    TS,
    Case,
    Night,
    Told,
    column,
    compared,
    days_before,
    history_of,
    micros,
    opaque,
    part,
    partitioned,
    scan,
)

_HOUR = dt.timedelta(hours=1)
_ONE = part(compared(ID, Op.EQ, 7), share=0.0001)
_FOUR = tuple(part(compared(ID, Op.EQ, value), share=0.25) for value in range(4))
_FEBRUARY = (
    part(compared(TS, Op.GT_EQ, micros("2024-02-01"))),
    part(compared(TS, Op.LT, micros("2024-03-01"))),
)
_BY_NAME = part(compared(NAME, Op.EQ, b"x"), pruned=900)
_LOWER = part(opaque(Reason.FUNCTION, "lower(name) = 'x'", "lower(name) = ?", "name"), pushed=False)
_LEAST = part(opaque(Reason.FUNCTION, "least(id, 9) >= 5", "least(id, ?) >= ?", "id"), pushed=False)
_NIGHT = Night((scan(_ONE, share=0.001),), spec=[(NAME, "identity")], health=partitioned(10))
_WEEK = replace(_NIGHT, history=days_before(6))
_JOIN = scan(traits=frozenset({"join"}), fingerprint="join", text_place=TextPlace(("name",)))

_FIRST = Told(
    ("name",),
    None,
    "info",
    "low",
    None,
    advice="seven days",
    evidence={"unused_fields": ["name"], "unserved_columns": {"id": 1.0}, "days_seen": 1},
)
_DROPPED = Told(
    ("name", "id"),
    None,
    "low",
    "medium",
    "manifests",
    spark=(
        "ADD PARTITION FIELD bucket(512, `id`)",
        "DROP PARTITION FIELD `name`",
        "rewrite_data_files",
    ),
    trino=("partitioning = ARRAY['bucket(\"id\", 512)']", "EXECUTE optimize"),
    evidence={"unused_fields": ["name"], "days_seen": 7},
)
_GONE = Told(
    ("name",),
    None,
    "low",
    "medium",
    None,
    spark=("DROP PARTITION FIELD `name`", "rewrite_data_files"),
    trino=("partitioning = ARRAY[]", "EXECUTE optimize"),
    says="it rules out nothing",
)
"""No other field serves: a trial tells whether anything is won without this one."""
_IN_ORDER = replace(_GONE, spark=(_GONE.spark[0], "sort_order => '`id`'"), trino=())
"""Rows that are in order of keys stay so, which Trino cannot do without declaring the order."""

FOUND = {
    "the first night drops nothing": Case(_NIGHT, _FIRST),
    "six days drop nothing": Case(
        replace(_NIGHT, history=days_before(5)),
        replace(_FIRST, evidence={"days_seen": 6}),
    ),
    # Windows of an hour each, twenty of which make no day, and one of six days.
    "hours and days that windows share count once": Case(
        replace(
            _NIGHT,
            window=Window(START + 20 * _HOUR, START + 21 * _HOUR),
            history=history_of(
                Window(START - 6 * DAY, START),
                Window(START - 2 * DAY, START - DAY),
                *(Window(START + n * _HOUR, START + (n + 1) * _HOUR) for n in range(20)),
            ),
        ),
        replace(_DROPPED, evidence={"days_seen": 7}),
    ),
    "a window of six days, and one of them before": Case(
        replace(
            _NIGHT,
            window=Window(START, START + 6 * DAY),
            history=history_of(Window(START - DAY, START), Window(START - DAY, START - _HOUR)),
        ),
        replace(_DROPPED, evidence={"days_seen": 7}),
    ),
    "a window of six days drops nothing": Case(
        replace(_NIGHT, window=Window(START, START + 6 * DAY)),
        replace(_FIRST, evidence={"days_seen": 6}),
    ),
    "one window of a week drops the field": Case(
        replace(_NIGHT, window=Window(START, START + 7 * DAY)), _DROPPED
    ),
    "a query of earlier nights is not in this one": Case(
        replace(_NIGHT, history=replace(days_before(6), queries={(TABLE, "gone"): ()})),
        replace(_FIRST, evidence={"days_seen": 7}),
    ),
    "any share counts, and there are no joins": Case(
        replace(_NIGHT, thresholds=replace(_NIGHT.thresholds, min_share=0.0)), _FIRST
    ),
    # 1,000 files of the target size are 512 buckets of whole files.
    "a week drops the field, for buckets": Case(_WEEK, _DROPPED),
    "each of four values is asked for": Case(
        replace(_WEEK, scans=tuple(scan(one, share=0.25) for one in _FOUR)),
        Told(
            ("name", "id"),
            None,
            "low",
            "medium",
            "manifests",
            spark=(
                "REPLACE PARTITION FIELD `name` WITH `id`",
                "rewrite_data_files",
            ),
            trino=("partitioning = ARRAY['\"id\"']", "EXECUTE optimize"),
            scans=8,
        ),
    ),
    # Of so few values, buckets would hold several or none; and the others are not known.
    "one of few values is asked for": Case(
        replace(_WEEK, scans=(scan(part(compared(ID, Op.EQ, 7), share=0.03), share=0.03),)), _GONE
    ),
    "a range is asked for, which no bucket serves": Case(
        replace(_WEEK, scans=(scan(part(compared(ID, Op.GT, 7), share=0.9), share=1.0),)), _GONE
    ),
    # 2,000 values are in nearly all of 512 buckets.
    "lists that any bucket has a value of": Case(
        replace(
            _WEEK,
            scans=(
                scan(
                    part(compared(ID, Op.IN, *range(0, 1_000_000, 500)), share=0.002), share=0.002
                ),
            ),
        ),
        _GONE,
    ),
    "a month of a time is asked for": Case(
        replace(_WEEK, scans=(scan(*_FEBRUARY, share=0.08),)),
        replace(
            _DROPPED,
            columns=("name", "ts"),
            spark=(
                "ADD PARTITION FIELD months(`ts`)",
                "DROP PARTITION FIELD `name`",
                "rewrite_data_files",
            ),
            trino=("partitioning = ARRAY['month(\"ts\")']", "EXECUTE optimize"),
            says="partitioned by name, but queries filter on ts",
        ),
    ),
    # Each of ten buckets is in order of keys: it is no bucket that rules out files.
    "each bucket has a file of any value": Case(
        replace(
            _WEEK,
            spec=[(NAME, "bucket[10]")],
            scans=(scan(part(compared(ID, Op.GT, 7), pruned=500, share=0.1), kept=500, share=0.1),),
            health=partitioned(10, column(ID, depth=10.0, overlap=0.01, held=0.0)),
        ),
        replace(_IN_ORDER, spark=("DROP PARTITION FIELD bucket(10, `name`)", *_IN_ORDER.spark[1:])),
    ),
    "each name has a file of any value": Case(
        replace(
            _WEEK,
            scans=(scan(part(compared(ID, Op.GT, 7), pruned=500, share=0.1), kept=500, share=0.1),),
            health=partitioned(10, column(ID, depth=10.0, overlap=0.01, held=0.0)),
        ),
        _IN_ORDER,
    ),
    "partitions are smaller than half a file": Case(
        replace(
            _WEEK,
            scans=(scan(part(compared(ID, Op.GT, 7), share=0.9), share=1.0),),
            health=partitioned(2_100),
        ),
        replace(_GONE, says="it only adds files"),
    ),
    "joins by another column that read less than a fifth leave doubt": Case(
        replace(
            _WEEK,
            scans=(
                scan(_ONE, share=0.001),
                replace(_JOIN, summary=scan(kept=200).summary, text_place=TextPlace(("key",))),
            ),
        ),
        Told(
            ("name", "id"),
            None,
            "low",
            "low",
            "manifests",
            spark=("ADD PARTITION FIELD", "DROP PARTITION FIELD `name`", "rewrite_data_files"),
            trino=("partitioning = ", "EXECUTE optimize"),
        ),
    ),
}

SILENT = {
    "no partitions": replace(_WEEK, spec=()),
    "filters read the column": replace(_WEEK, scans=(scan(_BY_NAME, kept=100),)),
    "filters read the column, and others a column that no field serves": replace(
        _WEEK,
        scans=(scan(*_FEBRUARY, share=0.08), scan(_BY_NAME, kept=100, fingerprint="name")),
    ),
    "filters read the column in a function": replace(_WEEK, scans=(scan(_LOWER),)),
    "no filters at all": replace(_WEEK, scans=(scan(),)),
    "joins by the field's column read less than a fifth": replace(
        _WEEK, scans=(scan(_ONE, share=0.001), replace(_JOIN, summary=scan(kept=1).summary))
    ),
    "joins read a fifth": replace(
        _WEEK,
        scans=(scan(_ONE, share=0.001), replace(_JOIN, summary=scan(kept=250).summary)),
        health=partitioned(1_000),
        thresholds=replace(_WEEK.thresholds, min_share=0.2),
    ),
    "conditions on other columns rule out files": replace(
        _WEEK,
        scans=(scan(part(compared(ID, Op.EQ, 7), pruned=101, share=0.9), kept=899, share=1.0),),
    ),
    "few buckets have a value": replace(
        _WEEK,
        spec=[(NAME, "bucket[10]")],
        scans=(scan(part(compared(ID, Op.GT, 7), pruned=500, share=0.1), kept=500, share=0.1),),
        health=partitioned(10, column(ID, depth=4.0, overlap=0.01, held=0.0)),
    ),
    "fewer files are kept than there are partitions, though most values are in all": replace(
        _WEEK,
        scans=(scan(part(compared(ID, Op.GT, 7), pruned=992, share=0.004), kept=8, share=0.004),),
        health=partitioned(10, column(ID, depth=10.0, overlap=0.01, held=0.0)),
    ),
    "a value is in ten files, all of one name": replace(
        _WEEK,
        scans=(scan(part(compared(ID, Op.GT, 7), pruned=500, share=0.1), kept=500, share=0.1),),
        health=partitioned(100, column(ID, depth=10.0, overlap=0.01, held=1.0)),
    ),
    "files tell the values of another column apart": replace(
        _WEEK,
        scans=(scan(part(compared(ID, Op.GT, 7), share=0.9), share=1.0),),
        health=partitioned(10, column(ID, overlap=0.89)),
    ),
    "a condition that no planner understands": replace(_WEEK, scans=(scan(_LEAST),)),
}
