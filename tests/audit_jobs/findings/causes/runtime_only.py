"""Restricted at run time only: worth knowing, and no fault."""

from __future__ import annotations

from dataclasses import replace

from prunescope.collectors.observed import Clause
from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.table_scans import TextPlace
from tests.audit_jobs.findings.usages import (
    FILE,
    FLAG,
    GB,
    ID,
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

_JOIN, _MERGE = frozenset({"join"}), frozenset({"merge", "write"})
_ACROSS = part(opaque(Reason.CROSS_TABLE, "id = other.id", "id = other.id", "id"), pushed=False)
_VALUE = part(
    opaque(Reason.SUBQUERY_VALUE, "name = (SELECT 1)", "name = (SELECT ?)", "name"), pushed=False
)
_NEWER = part(
    opaque(Reason.SUBQUERY_VALUE, "ts > (SELECT 1)", "ts > (SELECT ?)", "ts"), pushed=False
)
_NAMED = part(
    opaque(Reason.SUBQUERY_VALUE, "e.ts > (SELECT 1)", "e.ts > (SELECT ?)", "ts"), pushed=False
)
_NOT_IN = part(opaque(Reason.SUBQUERY, "NOT id IN (SELECT 1)", "NOT id IN (SELECT ?)", "id"))
_KEPT = part(compared(FLAG, Op.EQ, False), reason="ranges_overlap")
_NOT_NULL = part(compared(ID, Op.NOT_NULL))
_BY_ID, _BY_NAME = TextPlace(("id",)), TextPlace(("name",))
_QUALIFIED = TextPlace(qualifiers={"ts": ("e",)})
_JOINED = Night((scan(traits=_JOIN, text_place=_BY_ID),), spec=[(TS, "month")])
_RANGE = '"ts" >= ? AND "ts" < ?'


def _clause(clause: Clause, traits: frozenset[str] = _JOIN) -> Night:
    """A join or a MERGE, to which a condition can be added in a clause."""
    found = scan(
        traits=traits, text_place=TextPlace(("id",), clause=clause), fingerprint=clause.value
    )
    return replace(_JOINED, scans=(found,))


FOUND = {
    "a join by another column": Case(
        _JOINED,
        Told(
            ("id",),
            None,
            "info",
            "low",
            "manifests",
            rewrite=_RANGE,
            evidence={
                "merge": False,
                "joined_by_partition": False,
                "bytes_read_by_column": {"id": 200 * GB},
                "runtime_conditions": 0,
                "files_read": None,
            },
        ),
    ),
    "a join whose keys are not null, as Spark infers": Case(
        replace(
            _JOINED,
            scans=(scan(_NOT_NULL, traits=_JOIN, text_place=_BY_ID, engine="spark"),),
        ),
        Told(("id",), None, "info", "low", "manifests", rewrite=_RANGE.replace('"', "`")),
    ),
    "conditions that name other tables": Case(
        replace(_JOINED, scans=(scan(_ACROSS, traits=_JOIN),)),
        Told(
            ("id",),
            None,
            "info",
            "medium",
            "manifests",
            rewrite=_RANGE,
            evidence={"runtime_conditions": 1},
        ),
    ),
    "a join by the partition column": Case(
        replace(
            _JOINED,
            scans=(scan(traits=_JOIN, text_place=_BY_NAME),),
            spec=[(NAME, "identity")],
        ),
        Told(
            ("name",),
            None,
            "info",
            "low",
            "manifests",
            rewrite='"name" >= ? AND "name" < ?',
            advice="dynamic filtering is on",
            evidence={"joined_by_partition": True, "partition_fields": ["name"]},
        ),
    ),
    "a subquery of the same table is read whole on purpose": Case(
        replace(_JOINED, scans=(*_JOINED.scans, scan(traits=_JOIN))),
        Told(("id",), None, "info", "low", "manifests", rewrite=_RANGE),
    ),
    "the log has what was read": Case(
        replace(
            _JOINED,
            scans=(scan(traits=_JOIN, text_place=_BY_ID, observed={"result_data_files": 40}),),
        ),
        Told(
            ("id",),
            None,
            "info",
            "low",
            "manifests",
            rewrite=_RANGE,
            evidence={"scans_observed": 2, "files_planned": 2_000, "files_read": 80},
        ),
    ),
    "Spark's log has what was planned": Case(
        replace(
            _JOINED,
            scans=(
                scan(
                    traits=_JOIN,
                    text_place=_BY_ID,
                    engine="spark",
                    observed={"result_data_files": 40},
                ),
            ),
        ),
        Told(
            ("id",),
            None,
            "info",
            "low",
            "manifests",
            rewrite=_RANGE.replace('"', "`"),
            evidence={"scans_observed": 0, "files_planned": None, "files_read": None},
        ),
    ),
    "the value of a subquery beside a join by another column": Case(
        replace(
            _JOINED,
            scans=(scan(_VALUE, traits=_JOIN, text_place=_BY_ID, engine="spark"),),
        ),
        Told(
            ("id", "name"),
            None,
            "info",
            "medium",
            "manifests",
            rewrite="`name` = ?",
            advice="files are skipped by name.",
        ),
    ),
    "the newest rows, as others have been read before": Case(
        replace(_JOINED, scans=(scan(_NEWER, traits=_JOIN),)),
        Told(("ts",), None, "info", "medium", "manifests", rewrite='"ts" > ?'),
    ),
    "the newest rows of a table that the query names otherwise": Case(
        replace(
            _JOINED,
            scans=(
                replace(
                    scan(_NAMED, traits=_JOIN), text_place=TextPlace(qualifiers={"ts": ("e",)})
                ),
            ),
        ),
        Told(("ts",), None, "info", "medium", "manifests", rewrite='"e"."ts" > ?'),
    ),
    "the newest rows beside a flag that most have": Case(
        replace(_JOINED, scans=(scan(_KEPT, _NEWER, traits=_JOIN, kept=970),)),
        Told(
            ("ts",),
            None,
            "info",
            "medium",
            "manifests",
            rewrite='"ts" > ?',
            evidence={"runtime_conditions": 1},
        ),
    ),
    "a MERGE that asks for a flag that most have": Case(
        replace(_JOINED, scans=(scan(_KEPT, _ACROSS, traits=_MERGE, text_place=_BY_ID),)),
        Told(("ts",), None, "info", "medium", "manifests", rewrite=_RANGE),
    ),
    "a MERGE": Case(
        replace(_JOINED, scans=(scan(_ACROSS, traits=_MERGE, text_place=_BY_ID),)),
        Told(
            ("ts",),
            None,
            "info",
            "medium",
            "manifests",
            rewrite=_RANGE,
            advice="add that range to ON",
            evidence={"merge": True, "runtime_conditions": 1, "partition_fields": ["ts_month"]},
        ),
    ),
    "a join that keeps the other side": Case(
        _clause(Clause.ON),
        Told(("id",), None, "info", "low", "manifests", rewrite=_RANGE, advice="add it to ON"),
    ),
    "joins of which some keep the other side": Case(
        replace(_JOINED, scans=(*_clause(Clause.ON).scans, *_clause(Clause.WHERE).scans)),
        Told(
            ("id",),
            None,
            "info",
            "low",
            "manifests",
            rewrite=_RANGE,
            advice="that reads the table or ON",
            scans=4,
        ),
    ),
    "rows that the table lacks": Case(
        _clause(Clause.ABSENCE),
        Told(("id",), None, "info", "low", "manifests", advice="Add no range to queries"),
    ),
    "a MERGE that changes what finds no match": Case(
        _clause(Clause.ABSENCE, _MERGE),
        Told(("ts",), None, "info", "low", "manifests", advice="NOT MATCHED BY SOURCE"),
    ),
    "a MERGE that inserts what finds no match": Case(
        _clause(Clause.NONE, _MERGE),
        Told(("ts",), None, "info", "low", "manifests", advice="select them in USING"),
    ),
    "a MERGE without partitions": Case(
        replace(_JOINED, scans=(scan(traits=_MERGE, text_place=_BY_ID),), spec=()),
        Told((), None, "info", "low", evidence={"merge": True, "runtime_conditions": 0}),
    ),
}

SILENT = {
    "a condition that would rule out most files, if it were used": replace(
        _JOINED,
        scans=(scan(part(compared(ID, Op.GT, 7), pushed=False), _NEWER, traits=_JOIN, allowed=9),),
    ),
    "rows that another table lacks, beside a flag that most have": replace(
        _JOINED, scans=(scan(_KEPT, _NOT_IN, traits=_JOIN),)
    ),
    "a condition of which planners make nothing": replace(
        _JOINED,
        scans=(
            scan(
                part(opaque(Reason.FUNCTION, "hour(ts) = 3", "hour(ts) = ?", "ts"), pushed=False),
                _NEWER,
                traits=_JOIN,
            ),
        ),
    ),
    "a table of one row group": replace(
        _JOINED,
        scans=(scan(kept=plan(1, total=1), traits=_JOIN, text_place=_BY_ID),),
        health=table(data_files=1, bytes=FILE),
    ),
    "no join": replace(_JOINED, scans=(scan(),)),
    "a literal": replace(
        _JOINED,
        scans=(scan(part(compared(ID, Op.GT, 7)), traits=_JOIN, text_place=_BY_ID),),
    ),
    "half of the table is read": replace(
        _JOINED, scans=(scan(kept=500, traits=_JOIN, text_place=_BY_ID),)
    ),
    "nobody knows what is kept": replace(
        _JOINED, scans=(scan(kept=None, traits=_JOIN, text_place=_BY_ID),)
    ),
}
