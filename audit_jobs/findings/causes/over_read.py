"""An engine reads more data files than its planner should keep."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from prunescope.audit_jobs.agreement import Agreement
from prunescope.audit_jobs.findings.building import fingerprints, of_table
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.disagreement import merge_disagreement
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix
from prunescope.audit_jobs.findings.usage import Group, TableUsage

_ID = "over_read"


def find(usage: TableUsage) -> Iterator[Finding]:
    """At most one finding: it is an engine that does so, whatever the query."""
    groups = [g for g in usage.groups if Agreement.OVER_READ in g.sums.disagreements]
    if groups:
        yield _finding(usage, groups)


def _finding(usage: TableUsage, groups: list[Group]) -> Finding:
    found = reduce(merge_disagreement, (g.sums.disagreements[Agreement.OVER_READ] for g in groups))
    engines = sorted(found.engines)
    stake = max(0, found.bytes_read - found.bytes_kept)
    return of_table(
        usage,
        groups,
        _ID,
        confidence=Confidence.MEDIUM,
        lost_at="data_files",
        sentence=(
            f"{', '.join(engines)} read more files than the engine's rules predict for this filter "
            f"and snapshot. Push-down is incomplete, or pruning is off."
        ),
        scans=found.scans,
        bytes_read=found.bytes_read,
        bytes_at_stake=stake,
        evidence={
            "engines": engines,
            "files_read": found.files_read,
            "files_expected": found.files_kept,
            "fingerprints": fingerprints(groups),
        },
        fix=Fix(
            advice="Compare the engine's own plan (EXPLAIN) with the condition that is pushed; "
            "check session properties that turn push-down off, and newer versions of the engine.",
        ),
    )


CAUSE = Cause(_ID, "Engine read more files than planned", find)
