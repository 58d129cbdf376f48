"""Manifests that list files of many partitions each: planning opens nearly all of them to find the
few files that it keeps."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.findings.additive import total
from prunescope.audit_jobs.findings.building import of_groups, partition_columns
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.model import Change, Confidence, Finding, Fix
from prunescope.audit_jobs.findings.sample import SampledScan
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.pruning.scans import inclusive
from prunescope.audit_jobs.units import plural
from prunescope.collectors.predicates.model import TRUE
from prunescope.collectors.tables.properties import MANIFEST_BYTES

_ID = "scattered_manifests"


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per table, over all groups whose filters are on partition columns and whose
    scans open more manifests than they need."""
    if usage.health is None or not usage.health.manifests:
        return
    found = []
    for group in usage.groups:
        places = _on_partitions(usage, group)
        if not places:
            continue
        of_sample = sum(_bytes_won(usage, usage.health, scan, places) for scan in group.sample)
        won = round(group.extrapolated(of_sample))
        if won:
            found.append((group, won))
    if found:
        yield _finding(usage, usage.health, [group for group, _ in found], sum(w for _, w in found))


def _on_partitions(usage: TableUsage, group: Group) -> list[int]:
    """The places of the conditions that lift onto a partition field."""
    return [
        place
        for place, condition in enumerate(group.conditions)
        if inclusive(condition.predicate, usage.spec) != TRUE
    ]


def _bytes_won(usage: TableUsage, health: TableHealth, scan: SampledScan, places: list[int]) -> int:
    """Bytes of manifests that a scan need not open once they are in the order of partitions: it
    then opens its share of them, and one more of the size that they are rewritten to. The
    conditions on partition columns are at some places of its filter."""
    plan = scan.potential
    if plan is None or plan.manifests_kept is None or not plan.files_total:
        return 0
    by_partition = [scan.conjuncts[place].data_files_pruned for place in places]
    listed = plan.files_considered - max(by_partition)
    share = max(0, listed) / plan.files_total
    opened = plan.manifests_kept * health.manifest_bytes / health.manifests
    one = min(MANIFEST_BYTES.of(usage.metadata.properties), health.manifest_bytes)
    return max(0, round(opened - share * health.manifest_bytes - one))


def _finding(usage: TableUsage, health: TableHealth, groups: list[Group], won: int) -> Finding:
    plans = total(group.sums.potential for group in groups)
    opened = plans.manifests_kept
    return of_groups(
        usage,
        groups,
        _ID,
        confidence=Confidence.HIGH,
        columns=partition_columns(usage, groups),
        lost_at="manifests",
        sentence=(
            f"Planning opens {opened:,} of {plans.manifests_total:,} manifests to find "
            f"{plans.files_kept:,} of {plans.files_total:,} files for "
            f"{plural(plans.plans, 'scan')}: each manifest lists many partitions."
        ),
        scans=plans.plans,
        bytes_read=round(opened * health.manifest_bytes / health.manifests),
        bytes_at_stake=won,
        evidence={
            "manifests": health.manifests,
            "manifest_bytes": health.manifest_bytes,
            "manifest_depth": health.manifest_depth,
            "bytes_are_of": "manifests",
        },
        fix=Fix(
            change=Change(manifests=True),
            advice="Only metadata is rewritten, which takes seconds to minutes. Bytes are those of "
            "manifests: planning reads less, the scans themselves do not.",
        ),
    )


CAUSE = Cause(_ID, "Manifests not clustered by partition", find)
