"""Compared as another type: text of dates and numbers, as tables from Hive have it."""

from __future__ import annotations

from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    FILE,
    MONTH,
    NAME,
    TIMES,
    Case,
    Night,
    Told,
    compared,
    opaque,
    part,
    plan,
    scan,
    table,
)

_DATE = part(
    opaque(Reason.TYPE_MISMATCH, "name = DATE '2026-01-31'", "name = DATE ?", "name"), pushed=False
)
_NUMBERS = [
    part(
        opaque(
            Reason.TYPE_MISMATCH,
            f"CAST({name} AS integer) = {value}",
            f"CAST({name} AS integer) = ?",
            name,
        ),
        pushed=False,
    )
    for name, value in (("name", 2026), ("month", 3))
]
_NUMBER, _YEAR, _TIME = (
    part(opaque(Reason.TYPE_MISMATCH, text, text, column), pushed=False)
    for text, column in (
        ("name = 20260112", "name"),
        ("YEAR(name) = 2026", "name"),
        ("ts > 5", "ts"),
    )
)
_COUNTED = part(
    opaque(
        Reason.TYPE_MISMATCH,
        "UNIX_TIMESTAMP(name, 'yyyyMMdd') >= UNIX_TIMESTAMP('20260205', 'yyyyMMdd')",
        "UNIX_TIMESTAMP(name, ?) >= UNIX_TIMESTAMP(?, ?)",
        "name",
    ),
    pushed=False,
)
_TOLD, _PARTLY = (
    part(_DATE.counts.predicate, pushed=False, pruned=900, unmeasured=unmeasured)
    for unmeasured in (0, 5)
)
_BY_VALUES = [scan(one, allowed=100, engine="spark") for one in (_TOLD, _PARTLY)]
_PARSED = part(
    opaque(Reason.FUNCTION, "date_parse(name, '%d') = DATE '2026-01-31'", "date_parse(?)", "name"),
    pushed=False,
)

FOUND = {
    "dates of a partition, though few files are read": Case(
        Night((scan(_DATE, kept=100),), spec=[(NAME, "identity")]),
        Told(
            ("name",),
            None,
            confidence="medium",
            lost_at="manifests",
            advice="what is won is planning",
            evidence={"column_type": "string", "partition_fields": ["name"], "conditions": 1},
        ),
    ),
    "dates of a partition that its values tell": Case(
        Night((_BY_VALUES[0],), spec=[(NAME, "identity")]),
        Told(
            ("name",),
            900 * FILE * TIMES,
            "high",
            lost_at="manifests",
            advice="The values of all partitions are written so.",
        ),
    ),
    "dates of a partition of which some values are written otherwise": Case(
        Night((_BY_VALUES[1],), spec=[(NAME, "identity")]),
        Told(("name",), 900 * FILE * TIMES, "high", lost_at="manifests", unsaid="are written so"),
    ),
    "dates of a column, and all is read": Case(
        Night((scan(_DATE),)), Told(("name",), None, evidence={"partition_fields": []})
    ),
    "year and month are one finding": Case(
        Night((scan(*_NUMBERS),), spec=[(NAME, "identity"), (MONTH, "identity")]),
        Told(
            ("name", "month"),
            None,
            confidence="medium",
            lost_at="manifests",
            advice="'03' is not '3'",
            evidence={"column_type": "string", "conditions": 2},
        ),
    ),
    "text and a number, as Spark casts by itself": Case(
        Night((scan(_NUMBER, engine="spark"),)),
        Told(("name",), None, advice="`name` = '…', written as the values are", unsaid="2026"),
    ),
    "a year of text is one of dates": Case(
        Night((scan(_YEAR),)), Told(("name",), None, advice="text sorts as dates do")
    ),
    "seconds that are read from text in a format": Case(
        Night((scan(_COUNTED, engine="spark"),)),
        Told(("name",), None, advice="such as `name` >= '20260131'", unsaid="20260205"),
    ),
    "a time and a number": Case(
        Night((scan(_TIME),)),
        Told(("ts",), None, advice="own type, timestamp, such as TIMESTAMP '2026-01-31 00:00:00'"),
    ),
}

SILENT = {
    "a table of one row group": Night(
        (scan(_DATE, kept=plan(1, total=1)),), health=table(data_files=1, bytes=FILE)
    ),
    "half of the table is read": Night((scan(_DATE, kept=500),)),
    "the column is compared as it is as well": Night(
        (scan(_DATE, part(compared(NAME, Op.EQ, b"2026-01-31"), pruned=900)),),
        spec=[(NAME, "identity")],
    ),
    "text in a format of its own is another cause": Night((scan(_PARSED),)),
    "nobody knows what is kept": Night((scan(_DATE, kept=None),)),
}
