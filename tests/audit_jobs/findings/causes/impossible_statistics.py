"""Statistics that cannot be: results may be wrong."""

from __future__ import annotations

from dataclasses import replace

from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    ID,
    NAME,
    Case,
    Night,
    Told,
    column,
    compared,
    part,
    scan,
    table,
)

_ONE = part(compared(ID, Op.EQ, 7), pruned=999)
_NIGHT = Night((scan(_ONE, kept=1),), health=table(column(ID, impossible=3)))

FOUND = {
    "three files": Case(
        _NIGHT,
        Told(
            ("id",),
            None,
            "critical",
            spark=("map('rewrite-all', 'true')",),
            trino=("EXECUTE optimize(file_size_threshold => '100TB')",),
            advice="Find the writer",
            evidence={"files": 3, "fingerprints": ["f"]},
        ),
    ),
}

SILENT = {
    "no such file": replace(_NIGHT, health=table()),
    "no filter on the column": replace(
        _NIGHT, scans=(scan(part(compared(NAME, Op.EQ, b"x"), pruned=999), kept=1),)
    ),
    "nobody knows the layout": replace(_NIGHT, health=None),
}
