"""The same query keeps much more of a table than it used to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from statistics import median

from prunescope.audit_jobs.findings.additive import total
from prunescope.audit_jobs.findings.building import of_table
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.history import PastWindow
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix
from prunescope.audit_jobs.findings.sums import GroupSums
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.tuning import ABOUT_ONE, ENOUGH_WINDOWS, TWICE

_ID = "pruning_regressed"


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per fingerprint whose kept share is more than twice the median of its earlier
    windows. What changed since its last good window is named; the cause that explains it, if there
    is one, is a finding of its own, and its bytes are among these."""
    by_fingerprint: dict[str, list[GroupSums]] = {}
    for group in usage.groups:
        if group.fingerprint is not None:
            by_fingerprint.setdefault(group.fingerprint, []).append(group.sums)
    for fingerprint, groups in by_fingerprint.items():
        past = usage.history.get(fingerprint, ())
        now = _window(groups)
        ratios = [window.kept_ratio for window in past if window.kept_ratio is not None]
        if now.kept_ratio is None or len(ratios) < ENOUGH_WINDOWS:
            continue
        baseline = median(ratios)
        if now.kept_ratio > TWICE * baseline:
            yield _finding(usage, fingerprint, now, past, baseline)


_NOW = Window(dt.datetime.max.replace(tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC))
"""A window after all others, in the place of the audited one."""


def _window(groups: Sequence[GroupSums]) -> PastWindow:
    """The audited window's scans of one fingerprint, summed as history has it."""
    totals = total(sums.totals for sums in groups)
    return PastWindow(
        window=_NOW,
        scans=totals.scans,
        bytes_kept=totals.bytes_read,
        bytes_total=totals.bytes_total,
        data_files_total=totals.files_total,
        engine_versions=frozenset().union(*(sums.engine_versions for sums in groups)),
        planners=frozenset().union(*(sums.planners for sums in groups)),
        snapshot_ids=frozenset().union(*(sums.snapshot_ids for sums in groups)),
    )


def _finding(
    usage: TableUsage,
    fingerprint: str,
    now: PastWindow,
    past: Sequence[PastWindow],
    baseline: float,
) -> Finding:
    good = [w for w in past if w.kept_ratio is not None and w.kept_ratio <= TWICE * baseline]
    changes = _changes(good[-1], now) if good else {}
    changes |= _health_changes(usage, good[-1].start) if good else {}
    stake = round((now.kept_ratio or 0) * now.bytes_total - baseline * now.bytes_total)
    what = ", ".join(name.replace("_", " ") for name in changes) or "nothing that metadata tells"
    return of_table(
        usage,
        usage.groups,
        _ID,
        confidence=Confidence.HIGH if changes else Confidence.MEDIUM,
        fingerprint=fingerprint,
        sentence=(
            f"This query now keeps {now.kept_ratio:.1%} of the table's bytes (before: "
            f"{baseline:.1%}). Changed since: {what}."
        ),
        scans=now.scans,
        bytes_read=now.bytes_kept,
        bytes_at_stake=stake,
        evidence={
            "kept_ratio": now.kept_ratio,
            "usual_kept_ratio": baseline,
            "windows": len(past),
            "last_good_window": good[-1].start.isoformat() if good else None,
            "changes": changes,
        },
        fix=Fix(advice="Look first at the other findings of this table, then at what changed."),
    )


def _changes(then: PastWindow, now: PastWindow) -> dict[str, list[object]]:
    """Differences in engine versions, planners, snapshots and number of files, as [then, now], by
    name."""
    found: dict[str, list[object]] = {}
    for name in ("engine_versions", "planners", "snapshot_ids"):
        before, after = getattr(then, name), getattr(now, name)
        if after - before:
            found[name] = [sorted(before), sorted(after)]
    files = [window.data_files_total / max(1, window.scans) for window in (then, now)]
    if _has_changed(*files):
        found["data_files"] = [round(count) for count in files]
    return found


def _health_changes(usage: TableUsage, start: dt.datetime) -> dict[str, list[object]]:
    """The spec, and depths of columns, that changed since the window that started then."""
    then = [health for health in usage.past_health if health.window.start <= start]
    if not then or usage.health is None:
        return {}
    before = max(then, key=lambda health: health.window.start)
    depth = {column.name: column.depth for column in usage.health.columns}
    spec = [before.spec_id, usage.health.spec_id]
    found: dict[str, list[object]] = {} if spec[0] == spec[1] else {"spec_id": list(spec)}
    return found | {
        f"depth_of_{name}": [round(known, 1), round(now, 1)]
        for name, known in before.depth.items()
        if (now := depth.get(name)) is not None and _has_changed(known, now)
    }


def _has_changed(before: float, after: float) -> bool:
    low, high = sorted((before, after))
    return high > ABOUT_ONE * max(low, 1.0)


CAUSE = Cause(_ID, "Pruning regressed", find, repeats=True)
