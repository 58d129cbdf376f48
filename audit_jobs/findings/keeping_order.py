"""Rows that a rewrite mixes: files are packed as planners list them, whatever columns tell them
apart, so that scans that skip some of them read more of those that they become."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.findings.disturbance import columns_kept
from prunescope.audit_jobs.findings.model import Files, Finding
from prunescope.audit_jobs.findings.usage import TableUsage

_WHOLE = 0.75
"""The least share of the target size of a file that Iceberg's rewrite_data_files does not take for
too small (min-file-size-bytes)."""


def keeping_order(usage: TableUsage, finding: Finding) -> Finding:
    """A finding whose statements leave files told apart by the columns by whose order scans skip
    them now: sorted by these where rows of several files come into one on purpose, else each file
    by itself. Files that have the size that they should have are hardly mixed."""
    fix = finding.fix
    change = fix.change
    if change.files is Files.NONE or change.order or change.keeps:
        return finding
    if not (change.dropped or _are_small(usage)):
        return finding
    is_mixed = change.rewrites or change.changes_fields
    columns = columns_kept(usage)
    if not columns:
        return finding
    named = ", ".join(columns)
    advice = (
        f"Queries skip files by the order of {named}, "
        f"{'by which rows are sorted' if is_mixed else 'so each file is written anew by itself'}; "
        "Trino's optimize merges files in any order, so use Spark's statements."
    )
    return replace(
        finding,
        fix=replace(
            fix,
            advice=f"{fix.advice} {advice}" if fix.advice else advice,
            change=replace(change, keeps=columns if is_mixed else (), file_by_file=not is_mixed),
        ),
    )


def _are_small(usage: TableUsage) -> bool:
    """True if half of the files are small, or files are on average so far below the target size
    that Iceberg takes them for too small: several are then merged into one."""
    health = usage.health
    if health is None:
        return False
    whole = health.data_files * health.target_file_bytes
    return 2 * health.small_files >= health.data_files or health.bytes < _WHOLE * whole
