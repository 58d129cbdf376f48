"""IN list that is too long: Iceberg's planner ignores more than 200 values."""

from __future__ import annotations

from prunescope.audit_jobs.records import ConjunctRecord
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import GB, ID, Case, Night, Told, compared, part, scan


def _list(length: int) -> ConjunctRecord:
    reason = "in_list_too_long" if length > 200 else "ranges_overlap"
    return part(compared(ID, Op.IN, *range(length)), reason=reason)


_NEIGHBOURS = compared(ID, Op.IN, *range(250))
_ANYWHERE = compared(ID, Op.IN, *range(0, 900_000, 999))
_SPLIT = "(`id` IN (?) OR `id` IN (?))"

FOUND = {
    "201 values in Spark": Case(
        Night((scan(_list(201), allowed=100, engine="spark"),)),
        Told(
            ("id",),
            2 * 90 * GB,
            "high",
            rewrite=_SPLIT,
            advice="BETWEEN",
            evidence={"values": 201, "limit": 200},
        ),
    ),
    "401 values are three lists": Case(
        Night((scan(_list(401), allowed=700, engine="spark"),)),
        Told(("id",), 2 * 30 * GB, "medium", rewrite="(`id` IN (?) OR `id` IN (?) OR `id` IN (?))"),
    ),
    "more than a thousand values in Trino": Case(
        Night((scan(_list(1_001), allowed=100),)),
        Told(("id",), 2 * 90 * GB, "high", advice="UNION ALL", evidence={"values": 1_001}),
    ),
}

FOUND["in no order, where a sort serves shorter lists"] = Case(
    Night((scan(part(_NEIGHBOURS, reason="in_list_too_long"), share=0.001, engine="spark"),)),
    Told(("id",), None, rewrite=_SPLIT, advice="It prunes once rows are in the order"),
)

SILENT = {
    "the statistics rule out no file, and would rule out few in any order": Night(
        (scan(part(_ANYWHERE, reason="in_list_too_long"), share=0.001, engine="spark"),)
    ),
    "200 values": Night((scan(_list(200), allowed=100, engine="spark"),)),
    "nobody knows what is kept": Night((scan(_list(201), kept=None, engine="spark"),)),
}
