"""Tables that are partitioned in any way are judged as a whole: nothing that is asked of their
partitions fails, whatever another query asks for."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    AT,
    FLAG,
    ID,
    KEY,
    MONTH,
    NAME,
    TS,
    Night,
    column,
    compared,
    part,
    partitioned,
    scan,
)

EVERYTHING = Policy([("*", Thresholds(0, 0, 10**10, 10**11, 0.0, 1))])
FIELDS = {
    "long": ID,
    "timestamp": TS,
    "string": NAME,
    "timestamptz": AT,
    "text": MONTH,
    "uuid": KEY,
    "boolean": FLAG,
}
VALUES: dict[str, PhysicalValue] = {
    "long": 7,
    "timestamp": 1_715_000_000_000_000,
    "string": b"abc",
    "timestamptz": 1_715_000_000_000_000,
    "text": b"2024-05",
    "uuid": bytes(16),
    "boolean": True,
}
TRANSFORMS = {
    "identity": FIELDS,
    "bucket[16]": FIELDS.keys() - {"boolean"},
    "truncate[2]": ("long", "string", "text"),
    "year": ("timestamp", "timestamptz"),
    "month": ("timestamp", "timestamptz"),
    "day": ("timestamp", "timestamptz"),
    "hour": ("timestamp", "timestamptz"),
    "void": FIELDS,
}


@pytest.mark.parametrize("op", [Op.EQ, Op.GT_EQ, Op.NOT_EQ], ids=lambda op: op.name)
@pytest.mark.parametrize("sorted_by", FIELDS)
@pytest.mark.parametrize(
    ("transform", "kind"), [(t, kind) for t, kinds in TRANSFORMS.items() for kind in sorted(kinds)]
)
def test_it_is_judged(transform: str, kind: str, sorted_by: str, op: Op) -> None:
    by, asked = FIELDS[kind], FIELDS[sorted_by]
    skipping = scan(
        part(compared(by, op, VALUES[kind]), pruned=950, share=0.001),
        kept=50,
        share=0.001,
        fingerprint="skips",
    )
    reading = scan(
        part(compared(asked, Op.EQ, VALUES[sorted_by]), share=0.001),
        share=0.001,
        fingerprint="reads",
    )
    health = partitioned(10, column(by, depth=2.0, overlap=0.01))
    night = Night((skipping, reading), spec=((by, transform),), health=health)
    assert night.judged(EVERYTHING).failed == {}
