"""LIKE without a prefix: `name LIKE '%x'`; and prefixes that Spark does not use."""

from __future__ import annotations

from prunescope.collectors.predicates.model import Reason, Written, any_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import written_as
from tests.audit_jobs.findings.usages import (
    FILE,
    GB,
    MONTH,
    NAME,
    TS,
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

_LIKE = part(opaque(Reason.LIKE_PATTERN, "name LIKE '%x'", "name LIKE ?", "name"), pushed=False)
_NOT_LIKE = part(
    opaque(Reason.LIKE_PATTERN, "NOT name LIKE '%x'", "NOT name LIKE ?", "name"), pushed=False
)
_PREFIX = compared(NAME, Op.STARTS_WITH, b"e-3")

FOUND = {
    "a wildcard first": Case(
        Night((scan(_LIKE),)),
        Told(("name",), None, advice="on a known prefix", evidence={"patterns": 1}),
    ),
    "a wildcard first, of an identity field in Trino": Case(
        Night((scan(_LIKE),), spec=[(NAME, "identity")]),
        Told(("name",), None, confidence="medium", advice="planned, not read"),
    ),
    "a prefix that Spark does not use": Case(
        Night((scan(part(_PREFIX, pushed=False, pruned=900), _LIKE, allowed=100, engine="spark"),)),
        Told(
            ("name",), 2 * 90 * GB, "high", rewrite="`name` LIKE ? || '%'", evidence={"patterns": 1}
        ),
    ),
}

_MADE = Written("left(name, 1) IN ('a', 'b')", "left(name, 1) IN (?)")
_EITHER = any_of(compared(NAME, Op.STARTS_WITH, b"a"), compared(NAME, Op.STARTS_WITH, b"b"))
_MONTHS = any_of(compared(MONTH, Op.STARTS_WITH, b"x"), compared(MONTH, Op.STARTS_WITH, b"y"))
_TWO = tuple(
    part(written_as(_MADE, found), pushed=False, pruned=900) for found in (_EITHER, _MONTHS)
)
FOUND["one of two beginnings"] = Case(
    Night((scan(_TWO[0], allowed=100, engine="spark"),)),
    Told(("name",), 2 * 90 * GB, "high", rewrite="(`name` LIKE ? || '%' OR `name` LIKE ? || '%')"),
)
FOUND["beginnings of two columns, any of two each"] = Case(
    Night((scan(*_TWO, allowed=100, engine="spark"),)),
    Told(
        ("name", "month"),
        2 * 90 * GB,
        "high",
        rewrite="(`name` LIKE ? || '%' OR `name` LIKE ? || '%')"
        " AND (`month` LIKE ? || '%' OR `month` LIKE ? || '%')",
    ),
)
FOUND["beginnings that the query has as an OR"] = Case(
    Night((scan(part(_EITHER, pushed=False, pruned=900), allowed=100, engine="spark"),)),
    Told(
        ("name",),
        2 * 90 * GB,
        "high",
        rewrite="(`name` LIKE ? || '%' OR `name` LIKE ? || '%')",
        advice="If the existing condition has a top-level OR",
    ),
)

_WHOLE = compared(NAME, Op.STARTS_WITH, b"SKU")
_MARK = part(opaque(Reason.LIKE_PATTERN, "name LIKE 'SKU_0%'", "name LIKE ?", "name"), pushed=False)
FOUND["a mark after what all begin with"] = Case(
    Night((scan(part(_WHOLE, pushed=False, share=1.0), _MARK, engine="spark"),)),
    Told(("name",), None, advice="If a literal _ is meant, say so", evidence={"patterns": 1}),
)

_EITHER_CASE = part(
    opaque(Reason.LIKE_PATTERN, "name ILIKE 'x%'", "name ILIKE ?", "name"), pushed=False
)
FOUND["either case"] = Case(
    Night((scan(_EITHER_CASE, engine="spark"),)),
    Told(("name",), None, advice="store the string in one case", evidence={"patterns": 1}),
)

_ENDS = opaque(Reason.LIKE_PATTERN, "name LIKE '%y'", "name LIKE ?", "name")
_WITHIN = opaque(Reason.LIKE_PATTERN, "month LIKE '%7%'", "month LIKE ?", "month")
FOUND["an OR of two searches"] = Case(
    Night((scan(part(any_of(_LIKE.counts.predicate, _ENDS), pushed=False)),)),
    Told(("name",), None, advice="on a known prefix", evidence={"patterns": 1}),
)
FOUND["an OR of searches in two columns"] = Case(
    Night((scan(part(any_of(_ENDS, _WITHIN), pushed=False)),)),
    Told(("name", "month"), None, advice="on a known prefix", evidence={"patterns": 1}),
)

SILENT = {
    "an OR with what is not wanted": Night(
        (scan(part(any_of(_ENDS, _NOT_LIKE.counts.predicate), pushed=False)),)
    ),
    "a range beside it that leaves half, once it is written": Night(
        (scan(part(compared(TS, Op.GT_EQ, 0), pushed=False, pruned=500), _LIKE, allowed=500),)
    ),
    "a table of one row group": Night(
        (scan(_LIKE, kept=plan(1, total=1)),), health=table(data_files=1, bytes=FILE)
    ),
    "a mark after what all begin with, beside a longer beginning that is used": Night(
        (
            scan(
                part(_WHOLE, pushed=False, share=1.0),
                _MARK,
                part(compared(NAME, Op.STARTS_WITH, b"SKU_0"), pruned=990, share=0.0),
                kept=10,
                share=0.0,
                engine="spark",
            ),
        )
    ),
    "half of the table is read": Night((scan(_LIKE, kept=500),)),
    "most texts match": Night((scan(_NOT_LIKE),)),
    "a prefix that is used": Night((scan(part(_PREFIX, pruned=300), _LIKE, kept=700),)),
    "nobody knows what is kept": Night((scan(_LIKE, kept=None),)),
}
