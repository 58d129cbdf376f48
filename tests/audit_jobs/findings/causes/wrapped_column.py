"""Function around a column: `year(ts) = 2024`, and `upper(name) = 'A'`."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.records import ConjunctRecord
from prunescope.collectors.predicates.model import Field, Predicate, Reason, Written, all_of, any_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import written_as
from prunescope.collectors.table_scans import TextPlace
from tests.audit_jobs.findings.usages import (
    AT,
    FILE,
    FLAG,
    GB,
    ID,
    KEY,
    NAME,
    TS,
    Case,
    Night,
    Told,
    compared,
    matching,
    micros,
    opaque,
    part,
    plan,
    scan,
    table,
)

_RANGE = compared(TS, Op.GT_EQ, micros("2024-11-25"))
_WRAPPED = part(_RANGE, pushed=False, pruned=900)
_MONTH = part(compared(TS, Op.GT_EQ, micros("2024-11-01")), pushed=False, pruned=900)
_UNTIL = part(compared(TS, Op.LT, micros("2024-11-26")), pushed=False, pruned=10)
_LOCAL = part(compared(TS, Op.LT, micros("2024-11-26 05:00")), pushed=False, pruned=10)
_YEAR = compared(TS, Op.GT_EQ, micros("2024-01-01"))
_AT_WRAPPED = part(compared(AT, Op.GT_EQ, micros("2024-11-25")), pushed=False, pruned=800)
_AROUND = any_of(compared(ID, Op.GT_EQ, 991), compared(ID, Op.LT_EQ, -991))
_FLAG = compared(FLAG, Op.EQ, False)
_UPPER = part(opaque(Reason.FUNCTION, "upper(name) = 'A'", "upper(name) = ?", "name"), pushed=False)
_UNWANTED = part(
    opaque(Reason.FUNCTION, "upper(name) <> 'A'", "upper(name) <> ?", "name"), pushed=False
)
_HOLDS = part(opaque(Reason.FUNCTION, "HOLDS(tags, 'x')", "HOLDS(tags, '…')", "tags"), pushed=False)
_HOUR = part(opaque(Reason.FUNCTION, "hour(at) = 3", "hour(at) = ?", "at"), pushed=False)


def _opaque(text: str, *columns: str) -> Night:
    return Night((scan(part(opaque(Reason.FUNCTION, text, text, *columns), pushed=False)),))


def _made(text: str, predicate: Predicate) -> ConjunctRecord:
    """What is made of a function, which is one condition of the query."""
    return part(written_as(Written(text, text), predicate), pushed=False, pruned=900)


_SAME = _made("id * 2 >= 14", compared(ID, Op.GT_EQ, 7))
_EITHER = part(
    any_of(
        written_as(Written("id * 2 >= 18", "id * 2 >= ?"), compared(ID, Op.GT_EQ, 9)),
        written_as(Written("id + 1 > 7", "id + 1 > ?"), compared(ID, Op.GT, 6)),
    ),
    pushed=False,
    pruned=900,
)
_ROUNDED = _made("id * 2e0 >= 14", compared(ID, Op.GT_EQ, 7))
_MORE = part(opaque(Reason.CAST, "id * 2 >= 14", "id * 2 >= ?", "id"), pushed=False)
_FLOATS = _made("x * 2 >= 3", compared(Field(8, "x", "double"), Op.GT_EQ, 1.5))
_TODAY = _made("date_diff('day', ts, current_date) < 7", compared(TS, Op.GT_EQ, 7))
_PREFIX = compared(NAME, Op.GT_EQ, b"x")

_NEXT_PAGE = written_as(
    Written("(id, name) > (7, 'x')", "(id, name) > (?, ?)"),
    any_of(compared(ID, Op.GT, 7), all_of(compared(ID, Op.EQ, 7), compared(NAME, Op.GT, b"x"))),
)

FOUND = {
    "rows that are compared, of which Trino would use the first column": Case(
        Night((scan(part(_NEXT_PAGE, pushed=False, pruned=810), allowed=190),)),
        Told(("id", "name"), 2 * 81 * GB, "high", rewrite='"id" >= ?', evidence={"conditions": 1}),
    ),
    "a range of a partition column": Case(
        Night((scan(_WRAPPED, allowed=100),), spec=[(TS, "month")]),
        Told(
            ("ts",),
            2 * 90 * GB,
            "high",
            lost_at="manifests",
            rewrite='"ts" >= ?',
            advice="AND this range",
            evidence={"partition_fields": ["ts_month"], "conditions": 1},
        ),
    ),
    "a range of an identity field, whose values Trino asks once they are planned": Case(
        Night((scan(_WRAPPED, allowed=100),), spec=[(TS, "identity")]),
        Told(
            ("ts",),
            2 * 90 * GB,
            "low",
            "medium",
            "manifests",
            rewrite='"ts" >= ?',
            advice="planned, not read",
        ),
    ),
    "a range of an identity field in Spark": Case(
        Night((scan(_WRAPPED, allowed=100, engine="spark"),), spec=[(TS, "identity")]),
        Told(
            ("ts",),
            2 * 90 * GB,
            "high",
            lost_at="manifests",
            rewrite="`ts` >= ?",
            unsaid="planned, not read",
        ),
    ),
    "an opaque condition on an identity field in Trino": Case(
        Night((scan(_UPPER),), spec=[(NAME, "identity")]),
        Told(("name",), None, confidence="medium", lost_at="manifests", advice="is planning"),
    ),
    "a range of another column that loses a quarter": Case(
        Night((scan(_WRAPPED, allowed=750),)),
        Told(
            ("ts",), 2 * 25 * GB, "medium", rewrite='"ts" >= ?', evidence={"partition_fields": []}
        ),
    ),
    "a range that loses little until rows are in its order": Case(
        Night((scan(_WRAPPED, allowed=900),)),
        Told(("ts",), None, "low", rewrite='"ts" >= ?', evidence={"partition_fields": []}),
    ),
    "both ends of a range that loses nothing until partitions are in its order": Case(
        Night((scan(_WRAPPED, _UNTIL, allowed=1_000),), spec=[(NAME, "identity")]),
        Told(("ts",), None, "low", rewrite='"ts" >= ? AND "ts" < ?', evidence={"conditions": 2}),
    ),
    "a week of a year is one range": Case(
        Night((scan(_WRAPPED, part(_YEAR, pushed=False, pruned=10), _UNTIL, allowed=100),)),
        Told(("ts",), 2 * 90 * GB, "high", rewrite='"ts" >= ? AND "ts" < ?'),
    ),
    # Half of the table is left to a function by which nothing prunes, and nothing more.
    "a range that rules out half, beside a function": Case(
        Night((scan(_WRAPPED, _UPPER, allowed=500),)),
        Told(("ts",), 2 * 50 * GB, "high", rewrite='"ts" >= ?'),
    ),
    "just below what is medium": Case(
        Night((scan(_WRAPPED, kept=100, allowed=51),)),
        Told(("ts",), 2 * 49 * GB // 10, "low", rewrite='"ts" >= ?'),
    ),
    "a range of two parts, as numbers may wrap around, but none is negative": Case(
        Night((scan(part(_AROUND, pushed=False, pruned=900), allowed=100, engine="spark"),)),
        Told(("id",), 2 * 90 * GB, "high", rewrite="`id` >= ?", advice="and are not negative"),
    ),
    "a range of one of two that the query has of the table": Case(
        Night(
            tuple(
                scan(_WRAPPED, allowed=100, text_place=TextPlace(qualifiers={"ts": (name,)}))
                for name in ("a", "b")
            ),
            times=1,
        ),
        Told(
            ("ts",),
            2 * 90 * GB,
            "high",
            rewrite='"b"."ts" >= ?',
            advice="Queries that call the table a need the same condition",
        ),
    ),
    "a range of a column that is called otherwise where the condition stands": Case(
        Night((scan(_SAME, allowed=100, text_place=TextPlace(outer_names={"id": ("x", "n")})),)),
        Told(
            ("id",),
            2 * 90 * GB,
            "high",
            rewrite='"x"."n" >= ?',
            advice="Both select the same rows",
        ),
    ),
    "a range of a column that has no name where the condition stands": Case(
        Night((scan(_SAME, allowed=100, text_place=TextPlace(outer_names={"id": ()})),)),
        Told(
            ("id",),
            2 * 90 * GB,
            "high",
            rewrite='"id" >= ?',
            advice="Add it to the WHERE of the SELECT that reads the table",
        ),
    ),
    "a range that is the condition": Case(
        Night((scan(_SAME, allowed=100),)),
        Told(
            ("id",),
            2 * 90 * GB,
            "high",
            rewrite='"id" >= ?',
            advice="Both select the same rows",
        ),
    ),
    "a range beside which the query says that it is not null": Case(
        Night((scan(_SAME, part(compared(ID, Op.NOT_NULL)), allowed=100),)),
        Told(
            ("id",),
            2 * 90 * GB,
            "high",
            rewrite='"id" >= ?',
            advice="Both select the same rows",
        ),
    ),
    "a range that another condition of its column holds for": Case(
        Night((scan(_SAME, part(compared(ID, Op.GT, 3)), allowed=100),)),
        Told(
            ("id",),
            2 * 90 * GB,
            "high",
            rewrite='"id" >= ?',
            advice="Both select the same rows",
        ),
    ),
    "a range that another condition of its column cuts": Case(
        Night((scan(_SAME, part(compared(ID, Op.LT, 900)), allowed=100),)),
        Told(
            ("id",),
            2 * 90 * GB,
            "high",
            rewrite='"id" >= ?',
            advice="the range alone may match more rows",
        ),
    ),
    "a range of an OR of functions": Case(
        Night((scan(_EITHER, allowed=100),)),
        Told(
            ("id",),
            2 * 90 * GB,
            "high",
            rewrite='"id" > ?',
            advice="Both select the same rows",
        ),
    ),
    "a range of long numbers beside a floating-point number, which are rounded": Case(
        Night((scan(_ROUNDED, allowed=100),)),
        Told(
            ("id",),
            2 * 90 * GB,
            "high",
            rewrite='"id" >= ?',
            advice="the range alone may match more rows",
        ),
    ),
    "a range of what is not known as a whole": Case(
        Night((scan(_SAME, _MORE, allowed=100),)),
        Told(
            ("id",),
            2 * 90 * GB,
            "high",
            rewrite='"id" >= ?',
            advice="the range alone may match more rows",
        ),
    ),
    "a range of floating-point numbers, which has a margin": Case(
        Night((scan(_FLOATS, allowed=100),)),
        Told(
            ("x",),
            2 * 90 * GB,
            "high",
            rewrite='"x" >= ?',
            advice="the range alone may match more rows",
        ),
    ),
    "a range of each day": Case(
        Night((scan(_TODAY, allowed=100),)),
        Told(
            ("ts",),
            2 * 90 * GB,
            "high",
            rewrite='"ts" >= ?',
            advice="may match more rows. Compute both ends",
        ),
    ),
    "two ranges make one finding": Case(
        Night((scan(_WRAPPED, _AT_WRAPPED, allowed=100),)),
        Told(
            ("ts", "at"),
            2 * 90 * GB,
            "high",
            rewrite='"ts" >= ? AND "at" >= ?',
            evidence={"conditions": 2},
        ),
    ),
    "Spark knows the partition's own function": Case(
        Night((scan(_MONTH, allowed=100, engine="spark"),), spec=[(TS, "month")]),
        Told(
            ("ts",),
            2 * 90 * GB,
            "high",
            lost_at="manifests",
            rewrite="`ts` >= ?",
            advice="system.months(`ts`) with a constant",
        ),
    ),
    "a day is no month, of which Spark knows the function": Case(
        Night((scan(_WRAPPED, _UNTIL, allowed=100, engine="spark"),), spec=[(TS, "month")]),
        Told(
            ("ts",),
            2 * 90 * GB,
            "high",
            lost_at="manifests",
            rewrite="`ts` >= ? AND `ts` < ?",
            unsaid="system.",
        ),
    ),
    "one end of a local day, and a day of UTC": Case(
        Night((scan(_WRAPPED, _LOCAL, allowed=100, engine="spark"),), spec=[(TS, "day")]),
        Told(
            ("ts",),
            2 * 90 * GB,
            "high",
            lost_at="manifests",
            rewrite="`ts` >= ? AND `ts` < ?",
            unsaid="system.",
        ),
    ),
    "no range, and all is read": Case(
        Night((scan(_UPPER),)),
        Told(("name",), None, advice="normalised string", evidence={"conditions": 1}),
    ),
    # As Spark's plans show what no SQL says; a list has no range.
    "a list that holds a value": Case(
        Night((scan(_HOLDS, engine="spark"),)),
        Told(("tags",), None, advice="Store this part of the value in its own column"),
    ),
    "what stands within a text": Case(
        _opaque("SUBSTR(name, 4, 3) = '007'", "name"),
        Told(("name",), None, advice="Store this part of the value in its own column"),
    ),
    "how a text ends": Case(
        _opaque("REVERSE(name) LIKE '70%'", "name"),
        Told(("name",), None, advice="Store this part of the value in its own column"),
    ),
    "texts that do not sort as their days": Case(
        _opaque("DATE_FORMAT(ts, '%d/%m/%Y') >= '05/01/2026'", "ts"),
        Told(("ts",), None, advice="Compare the column with timestamps"),
    ),
    "a text of several columns": Case(
        _opaque("CONCAT(name, city) >= 'ab'", "name", "city"),
        Told(("name", "city"), None, advice='("name" > ? OR "name" = ? AND "city" >= ?)'),
    ),
    "a sum of several columns": Case(
        _opaque("id + size > 7", "id", "size"),
        Told(("id", "size"), None, advice="store the value in its own column"),
    ),
    "what is true or false": Case(
        _opaque("CAST(flag AS VARCHAR) = 'true'", "flag"),
        Told(("flag",), None, advice='"flag" = TRUE, or "flag" = FALSE'),
    ),
    "no range, on a partition column": Case(
        Night((scan(_HOUR, kept=100),), spec=[(AT, "day")]),
        Told(
            ("at",),
            None,
            lost_at="manifests",
            advice="No rewrite of the query helps",
            evidence={"partition_fields": ["at_day"]},
        ),
    ),
}

_TWO_HOURS = any_of(
    _HOUR.counts.predicate, opaque(Reason.FUNCTION, "hour(at) = 5", "hour(at) = ?", "at")
)
FOUND["an OR of two hours"] = Case(
    Night((scan(part(_TWO_HOURS, pushed=False)),)),
    Told(("at",), None, evidence={"conditions": 1}),
)

SILENT = {
    "a table of one row group": Night(
        (scan(_UPPER, kept=plan(1, total=1)),), health=table(data_files=1, bytes=FILE)
    ),
    "the engine unwraps it": Night((scan(part(_RANGE, pruned=900), kept=100),)),
    "nobody knows what the engine pushes": Night(
        (scan(part(_RANGE, pushed=None, pruned=900), allowed=100),)
    ),
    "the statistics rule out no more, and no order would": Night(
        (scan(_WRAPPED, allowed=1_000, share=1.0),)
    ),
    "no range, and most rows match": Night((scan(replace(_UPPER, matching=matching(0.95))),)),
    "most rows match what says what is not wanted": Night((scan(_UNWANTED),)),
    "no range, and half of the table is read": Night((scan(_UPPER, kept=500),)),
    "the column is compared as it is as well": Night((scan(_UPPER, part(_PREFIX)),)),
    "Trino pushes no UUIDs": Night(
        (scan(part(compared(KEY, Op.EQ, bytes(16)), pushed=False, pruned=900), allowed=100),)
    ),
    "Spark pushes `flag = false` as something else": Night(
        (scan(part(_FLAG, pushed=False, pruned=900), allowed=100, engine="spark"),)
    ),
    "nobody knows what is kept": Night((scan(_WRAPPED, kept=None),)),
}
