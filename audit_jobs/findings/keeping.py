"""Preservation of bounds that files have and that a rewrite would lose: new files have the bounds
that the table's properties ask for now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from prunescope.audit_jobs.findings.disturbance import columns_kept
from prunescope.audit_jobs.findings.model import Files, Finding
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.collectors.tables.metrics_modes import DEFAULT_MODE, MetricsModes


def modes_to_set(usage: TableUsage, order: Sequence[str], *, is_zorder: bool) -> dict[str, str]:
    """Metrics modes of columns that have no bounds in new files, though scans skip files by them
    now, or rows come in order of them. A sort that the table is told of brings bounds of its
    columns, whatever the default is, but not against a property of their own; a Z-order is none."""
    ids = {column.name: column.field_id for column in usage.schema.columns}
    ordered = () if is_zorder else (ids[name] for name in order if name in ids)
    modes = MetricsModes.of(usage.metadata, ordered)
    lost = dict.fromkeys((*order, *_skipped_by(usage)))
    return {name: DEFAULT_MODE for name in lost if modes.is_without_bounds(name)}


def keeping_bounds(finding: Finding, modes: Mapping[str, str]) -> Finding:
    """Adds metrics modes to the rewrite of a finding, if there is one, except for columns whose
    modes its statements set already."""
    fix = finding.fix
    asked = dict(fix.change.modes)
    more = {column: mode for column, mode in modes.items() if column not in asked}
    if not more or fix.change.files is Files.NONE:
        return finding
    advice = (
        f"What is written from now on has no bounds of {', '.join(more)}, unless the first "
        "statement is run before the others. Trino has no such property: set it with Spark."
    )
    return replace(
        finding,
        fix=replace(
            fix,
            change=replace(fix.change, modes=(*more.items(), *fix.change.modes)),
            advice=" ".join(part for part in (fix.advice, advice) if part),
        ),
    )


def _skipped_by(usage: TableUsage) -> Iterator[str]:
    """Columns by whose bounds scans skip files."""
    for group in usage.groups:
        for condition in group.conditions:
            for column in condition.columns if condition.data_files_pruned else ():
                known = usage.column(column)
                if known is not None and known.bounded:
                    yield column


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
