"""Delete files that pile up: every scan reads them as well, and applies them row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from audit_jobs.findings import wording
from audit_jobs.findings.cause import Cause
from audit_jobs.findings.model import Confidence, Finding, Fix
from audit_jobs.findings.statements import spark_call, trino_optimize
from audit_jobs.findings.usage import TableUsage
from audit_jobs.pruning.summary import DELETE_KINDS, ScanPlanSummary

_ID = "many_deletes"

_EQUALITY, _POSITION = "equality_delete_files", "position_delete_files"
# Delete files per data file. Equality deletes are compared with every row of all older files of
# their partition. A deletion vector belongs to one data file, and there is never a second one.
_MOST = {_EQUALITY: 0.1, _POSITION: 1.0}
_FEW = 5
"""Delete files that a scan reads, up to which nobody notices."""


def find(usage: TableUsage) -> Iterator[Finding]:
    """At most one finding per table, over the scans that read too many delete files."""
    plans = [
        scan.summary
        for group in usage.groups
        for scan in group.scans
        if scan.summary is not None and _has_many(scan.summary)
    ]
    if plans:
        yield _finding(usage, plans)


def _has_many(plan: ScanPlanSummary) -> bool:
    files = plan.data_files.kept or 0
    read = _read([plan])
    return sum(read[kind] for kind in _MOST) > _FEW and any(
        read[kind] > most * files for kind, most in _MOST.items()
    )


def _read(plans: Sequence[ScanPlanSummary]) -> dict[str, int]:
    """By kind, the delete files that scans read: dangling ones are only planned with."""
    dangling = _dangling(plans)
    return {k: sum(plan.delete_files_by[k] for plan in plans) - dangling[k] for k in DELETE_KINDS}


def _dangling(plans: Sequence[ScanPlanSummary]) -> dict[str, int]:
    return {k: sum(plan.dangling_delete_files[k] for plan in plans) for k in DELETE_KINDS}


def _finding(usage: TableUsage, plans: list[ScanPlanSummary]) -> Finding:
    read = _read(plans)
    deletes = read[_EQUALITY] + read[_POSITION]
    files = sum(plan.data_files.kept or 0 for plan in plans)
    health = usage.health
    return Finding(
        cause=_ID,
        severity=usage.thresholds.severity(None),
        confidence=Confidence.HIGH,
        table=usage.table,
        lost_at="data_files",
        sentence=(
            f"{wording.scans(len(plans), 'read')} "
            f"{deletes:,} delete files beside {files:,} data files, and "
            "apply them to the rows, because deletes were never merged into the data."
        ),
        scans=len(plans),
        bytes_read=sum(plan.bytes.kept or 0 for plan in plans),
        bytes_at_stake=None,
        evidence={
            "data_files_read": files,
            "delete_files_read": read,
            "dangling_delete_files": _dangling(plans),
            "delete_files": None
            if health is None
            else {
                _POSITION: health.position_delete_files,
                _EQUALITY: health.equality_delete_files,
                "deletion_vectors": health.deletion_vectors,
            },
        },
        fix=Fix(
            spark=_spark(usage, read),
            trino=(trino_optimize(usage.table),),
            advice=_advice(usage, has_equality=read[_EQUALITY] > 0),
        ),
    )


def _spark(usage: TableUsage, read: Mapping[str, int]) -> tuple[str, ...]:
    """Commits drop the delete files that apply to nothing any more from few manifests at a time
    (seen with Iceberg 1.11), so those of equality deletes are merged first."""
    options = {"delete-file-threshold": "1", "remove-dangling-deletes": "true"}
    statements = [spark_call(usage.table, "rewrite_data_files", options=options)]
    if read[_EQUALITY]:
        statements.insert(0, spark_call(usage.table, "rewrite_manifests"))
    if read[_POSITION]:
        every = {"rewrite-all": "true"}
        statements.append(spark_call(usage.table, "rewrite_position_delete_files", options=every))
    return tuple(statements)


def _advice(usage: TableUsage, *, has_equality: bool) -> str:
    advice = "Every data file with a delete is written anew, without the deleted rows."
    if has_equality:
        advice += (
            " Equality deletes come from streaming writers, Flink most of all: schedule the "
            "rewrite, they come with every commit."
        )
    elif usage.metadata.format_version < 3:
        advice += (
            " Tables of format version 3 have one deletion vector per data file instead, which "
            "do not pile up; or set `write.delete.mode` = copy-on-write if deletes are rare."
        )
    return advice


CAUSE = Cause(_ID, "Many delete files", find)
