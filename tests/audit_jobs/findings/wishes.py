"""Findings that ask for layouts of one table, and what these win: in points, hundredths of what all
its scans read. Four queries read all of the table, each of them a quarter of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from prunescope.audit_jobs.findings.disturbance import Disturbance
from prunescope.audit_jobs.findings.model import (
    Change,
    Confidence,
    Files,
    Finding,
    Fix,
    Severity,
    Wish,
)
from prunescope.audit_jobs.findings.trials import Tried
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    AT,
    BYTES,
    FILES,
    ID,
    NAME,
    TABLE,
    TIMES,
    TS,
    Night,
    compared,
    micros,
    part,
    scan,
)

QUERIES = ("ats", "ids", "names", "times")
OF_EACH = 25
POINT = TIMES * len(QUERIES) * BYTES // 100
DAY = micros("2024-12-30")

BY_ID = Change(order=("id",), files=Files.ALL)
BY_NAME = Change(order=("name",), files=Files.ALL)
BY_BOTH = Change(order=("id", "name"), files=Files.ALL)
CURVE = replace(BY_BOTH, is_zorder=True)
RANGES = replace(BY_BOTH, rounded="truncate[1000]")
MOVED = Change(rewrites=True, files=Files.ALL)
BUCKETS = Change(added=(("bucket[8]", "id"),), files=Files.ALL)
TO_DAYS = Change(added=(("day", "at"),), dropped=(("month", "at"),), files=Files.ALL)
INSTEAD = Change(added=(("month", "ts"),), dropped=(("month", "at"),), files=Files.ALL)
WITHOUT = Change(dropped=(("month", "at"),), files=Files.ALL)
BY_MONTHS = [(AT, "month")]
"""The partitions that some of these take away."""


def usage(*, in_order: bool = False, **changes: Any) -> TableUsage:
    """The table, of whose files, if they are in order of times, only those by times read a
    tenth."""
    pruned = 9 * FILES // 10 if in_order else 0
    scans = (
        scan(part(compared(AT, Op.GT_EQ, DAY), share=0.005), share=0.005, fingerprint="ats"),
        scan(part(compared(ID, Op.EQ, 5), share=0.001), share=0.001, fingerprint="ids"),
        scan(part(compared(NAME, Op.EQ, b"n"), share=0.001), share=0.001, fingerprint="names"),
        scan(
            part(compared(TS, Op.GT_EQ, DAY), share=0.005, pruned=pruned),
            kept=FILES - pruned,
            share=0.005,
            fingerprint="times",
        ),
    )
    return Night(scans, **changes).usage


def asking(
    change: Change,
    *about: str,
    points: float | None = 10,
    wish: Wish | None = None,
    **changes: Any,
) -> Finding:
    """A finding about some queries, or the table, that asks for a change, and says that so many
    points are at stake."""
    stake = None if points is None else round(points * POINT)
    columns = change.order or tuple(name for _, name in change.added)
    is_order = bool(change.order) and not change.changes_fields
    usual = Finding(
        cause="c",
        severity=Severity.MEDIUM,
        confidence=Confidence.LOW,
        table=TABLE,
        sentence="s",
        scans=TIMES * max(1, len(about)),
        bytes_read=OF_EACH * POINT * (len(about) or len(QUERIES)),
        bytes_at_stake=stake,
        columns=columns,
        lost_at="data_files",
        fix=Fix(
            advice="Once.",
            change=change,
            wish=wish or Wish(bytes_by_order=(stake or 0) if is_order else 0),
        ),
        evidence={"fingerprints": sorted(about)} if about else {},
    )
    return replace(usual, **changes)


def tried(of: TableUsage, won: Mapping[str, float], opening: float = 0, **changes: Any) -> Tried:
    """What is tried of a layout by which queries win, or lose, so many points, and so many by files
    that need not be opened."""
    sizes = [round(won.get(group.fingerprint or "", 0) * POINT) for group in of.groups]
    lost = {g.fingerprint or "": -n for g, n in zip(of.groups, sizes, strict=True) if n < 0}
    usual = Tried(
        won=sum(sizes),
        lost=Disturbance(sum(lost.values()), dict.fromkeys(lost, TIMES), ()),
        is_worse=sum(sizes) < 0,
        opening_won=round(opening * POINT),
        opening=OF_EACH * POINT,
        cost=OF_EACH * POINT * len(QUERIES),
        more=tuple(-n for n in sizes),
    )
    return replace(usual, **changes)


def in_all(of: TableUsage, points: float, **changes: Any) -> Tried:
    """What is tried of a layout by which all queries together win so many points, each as many."""
    return tried(of, dict.fromkeys(QUERIES, points / len(QUERIES)), **changes)
