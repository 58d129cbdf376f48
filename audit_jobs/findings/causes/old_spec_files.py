"""Files that were written before the table was partitioned as it is now."""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings.additive import total
from audit_jobs.findings.blame import OLD_SPEC, layout_blame
from audit_jobs.findings.cause import Cause
from audit_jobs.findings.disturbance import Disturbance
from audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from audit_jobs.findings.of_groups import fingerprints, partition_columns
from audit_jobs.findings.sample import SampledScan
from audit_jobs.findings.selectivity import share_by_bounds
from audit_jobs.findings.spreading import spread_of_old_files
from audit_jobs.findings.statements import spark_rewrite, trino_optimize
from audit_jobs.findings.usage import Group, TableUsage
from audit_jobs.pruning.scans import inclusive
from audit_jobs.units import size
from collectors.predicates.model import TRUE, all_of


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per table, over all groups whose filters the current spec answers, and the
    spec of the files that they read does not."""
    groups = []
    for group in usage.groups:
        blame = layout_blame(usage, group)
        if blame is not None and blame.cause == OLD_SPEC:
            groups.append(group)
    if groups:
        yield _finding(usage, groups)


def _bytes_won(usage: TableUsage, group: Group) -> int:
    """Bytes of old files beyond those that hold rows of the partitions asked for, if these are
    spread over the old files as over all."""
    won = 0.0
    for scan in group.sample:
        if scan.potential is not None:
            won += scan.potential.old_spec_bytes * (1 - _share(usage, scan))
    return min(round(group.extrapolated(won)), group.bytes_lost_by_layout or 0)


def _share(usage: TableUsage, scan: SampledScan) -> float:
    """The share of rows in the partitions that a scan asks for."""
    lifted = [
        part
        for part in scan.conjuncts
        if inclusive(part.predicate, usage.spec, old_rounding=False) != TRUE
    ]
    if usage.health is not None:
        known = share_by_bounds(all_of(*(p.predicate for p in lifted)), usage.health)
        if known is not None:
            return known
    return min((part.share for part in lifted if part.share is not None), default=0.0)


def _finding(usage: TableUsage, groups: list[Group]) -> Finding:
    plans = total(group.sums.potential for group in groups)
    won = sum(_bytes_won(usage, group) for group in groups)
    lost = spread_of_old_files(usage)
    stake = won - lost.bytes
    by_spec = {} if usage.health is None else usage.health.files_by_spec
    return Finding(
        cause=OLD_SPEC,
        severity=usage.thresholds.severity(stake) if stake > 0 else Severity.INFO,
        confidence=Confidence.HIGH,
        table=usage.table,
        columns=partition_columns(usage, groups),
        lost_at="manifests",
        sentence=(
            f"{plans.old_spec_files:,} of the {plans.files_kept:,} files that {plans.plans:,} "
            "scans read were written before the table was partitioned as it is now, so the new "
            "partitioning does not help them."
        ),
        scans=plans.plans,
        bytes_read=sum(group.bytes_read for group in groups),
        bytes_at_stake=stake if stake > 0 else None,
        evidence={
            "fingerprints": fingerprints(groups),
            "spec": usage.spec.spec_id,
            "files_by_spec": {str(spec): count for spec, count in sorted(by_spec.items())},
            **(lost.told if lost.bytes else {}),
        },
        fix=_rewritten(usage) if stake > 0 else Fix(advice=_left(lost)),
    )


def _rewritten(usage: TableUsage) -> Fix:
    return Fix(
        spark=(spark_rewrite(usage.table),),
        trino=(trino_optimize(usage.table),),
        advice="Rewriting moves every file to the current partitioning, at the cost of reading "
        "and writing the table once.",
    )


def _left(lost: Disturbance) -> str:
    return (
        f"Leave the old files: by the order that their rows have, queries by "
        f"{', '.join(lost.columns)} skip {size(lost.bytes)} that they would read of the present "
        "partitions."
    )


CAUSE = Cause(OLD_SPEC, "Files of an older partitioning", find)
