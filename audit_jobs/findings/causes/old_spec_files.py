"""Files that were written before the table was partitioned as it is now."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.findings.additive import total
from prunescope.audit_jobs.findings.attribution import layout_claims
from prunescope.audit_jobs.findings.building import of_groups, partition_columns
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import LayoutClaim
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix
from prunescope.audit_jobs.findings.selective import most_selective_in_order, reads_old_files
from prunescope.audit_jobs.findings.usage import Group, TableUsage

_ID = "old_spec_files"


def _claim(usage: TableUsage, group: Group) -> LayoutClaim | None:
    condition = most_selective_in_order(usage, group)
    if condition is None or not reads_old_files(usage, group):
        return None
    return LayoutClaim(_ID, condition, condition.columns[0], group.bytes_lost_by_layout)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per table, over all groups whose filters the current spec answers, and the
    spec of the files that they read does not, if they would read less of new ones."""
    groups = [group for group, _ in layout_claims(usage, _ID)]
    won = sum(group.bytes_lost_by_layout or 0 for group in groups)
    if won:
        yield _finding(usage, groups, won)


def _finding(usage: TableUsage, groups: list[Group], won: int) -> Finding:
    plans = total(group.sums.potential for group in groups)
    by_spec = {} if usage.health is None else usage.health.files_by_spec
    return of_groups(
        usage,
        groups,
        _ID,
        confidence=Confidence.HIGH,
        columns=partition_columns(usage, groups),
        lost_at="manifests",
        sentence=(
            f"{plans.old_spec_files:,} of {plans.files_kept:,} files that {plans.plans:,} scans "
            f"read use an old partition spec. The current spec cannot prune them."
        ),
        scans=plans.plans,
        bytes_at_stake=won,
        evidence={
            "spec": usage.spec.spec_id,
            "files_by_spec": {str(spec): count for spec, count in sorted(by_spec.items())},
        },
        fix=Fix(
            advice=(
                "A rewrite moves every file to the current spec. Cost: one rewrite of the whole "
                "table."
            ),
            change=Change(rewrites=True, files=Files.ALL),
        ),
    )


CAUSE = Cause(_ID, "Files in an old partition spec", find, of_layout=_claim, by_rewriting=True)
