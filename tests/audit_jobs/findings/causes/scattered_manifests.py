"""Manifests not in the order of partitions: 100 manifests of 10 MB, of which planning opens 90 to
find ten files of a partition. In order, it would open their share, and one of 8 MiB."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.pruning.summary import Funnel, ScanPlanSummary
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    GB,
    ID,
    MB,
    NAME,
    Case,
    Night,
    Told,
    compared,
    part,
    partitioned,
    plan,
    scan,
)

_ONE = part(compared(NAME, Op.EQ, b"x"), pruned=990)
_MIB = 1024 * 1024


def _opens(manifests: int | None) -> ScanPlanSummary:
    return replace(plan(10), manifests=Funnel(100, 100, manifests))


_NIGHT = Night(
    (scan(_ONE, kept=_opens(90)),),
    spec=[(NAME, "identity")],
    health=partitioned(100, manifests=100, manifest_bytes=GB, manifest_depth=90.0),
)
_SCATTERED = Told(
    ("name",),
    2 * (900 * MB - 10 * MB - 8 * _MIB),
    lost_at="manifests",
    spark=("CALL `lake`.system.rewrite_manifests(table => '`lake`.`db`.`t`')",),
    trino=("EXECUTE optimize_manifests",),
    evidence={
        "manifests": 100,
        "manifest_bytes": GB,
        "manifest_depth": 90.0,
        "bytes_are_of": "manifests",
    },
)

FOUND = {
    "nine of ten are opened": Case(_NIGHT, _SCATTERED),
    "larger manifests are wanted": Case(
        replace(_NIGHT, properties={"commit.manifest.target-size-bytes": str(100 * MB)}),
        replace(_SCATTERED, stake=2 * (900 * MB - 10 * MB - 100 * MB)),
    ),
}

SILENT = {
    "one is opened": replace(_NIGHT, scans=(scan(_ONE, kept=_opens(1)),)),
    "all fit into one": replace(
        _NIGHT, health=partitioned(100, manifests=100, manifest_bytes=8 * _MIB)
    ),
    "no filter on a partition column": replace(
        _NIGHT, scans=(scan(part(compared(ID, Op.EQ, 7), pruned=990), kept=_opens(90)),)
    ),
    "no partitions": replace(_NIGHT, spec=()),
    "nobody knows how many are opened": replace(_NIGHT, scans=(scan(_ONE, kept=_opens(None)),)),
    "no manifests": replace(_NIGHT, health=partitioned(100, manifests=0, manifest_bytes=0)),
}
