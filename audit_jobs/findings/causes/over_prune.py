"""An engine read fewer data files than the statistics can justify: its result may lack rows."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.agreement import Agreement
from prunescope.audit_jobs.findings.building import of_group
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.disagreement import Disagreement
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from prunescope.audit_jobs.findings.usage import Group, TableUsage

_ID = "over_prune"


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per group that has such a scan."""
    for group in usage.groups:
        found = group.sums.disagreements.get(Agreement.OVER_PRUNE)
        if found is not None:
            yield _finding(usage, group, found)


def _finding(usage: TableUsage, group: Group, found: Disagreement) -> Finding:
    engines = sorted(found.engines)
    missing = found.files_allowed - found.files_read
    return of_group(
        usage,
        group,
        _ID,
        severity=Severity.CRITICAL,
        confidence=Confidence.MEDIUM,
        lost_at=None,
        sentence=(
            f"{', '.join(engines)} skipped {missing} files that may hold matching rows. Verify the "
            f"results of these queries first."
        ),
        scans=found.scans,
        bytes_read=found.bytes_kept,
        bytes_at_stake=None,
        evidence={
            "files_missing": missing,
            "engines": engines,
            "query_ids": list(found.query_ids),
        },
        fix=Fix(
            advice=(
                "1. Run a query with pruning off, or in another engine. 2. Compare row counts. 3. "
                "If they differ, stop using this engine version for the table and report the bug "
                "with the statistics of the skipped files."
            ),
        ),
    )


CAUSE = Cause(_ID, "Engine skipped files that may match", find)
