"""Delete files that pile up: every scan reads them as well, and applies them row by row."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.additive import total
from prunescope.audit_jobs.findings.building import of_table
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.many_files import ManyDeletes
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.pruning.tally import DELETE_KINDS

_ID = "many_deletes"

_EQUALITY, _POSITION = "equality_delete_files", "position_delete_files"


def find(usage: TableUsage) -> Iterator[Finding]:
    """At most one finding per table, over the scans that read too many delete files."""
    found = [g.sums.many_deletes for g in usage.groups if g.sums.many_deletes is not None]
    if found:
        yield _finding(usage, total(found))


def _finding(usage: TableUsage, many: ManyDeletes) -> Finding:
    counts = many._asdict()
    read = {kind: counts[kind] for kind in DELETE_KINDS}
    deletes = read[_EQUALITY] + read[_POSITION]
    health = usage.health
    return of_table(
        usage,
        usage.groups,
        _ID,
        confidence=Confidence.HIGH,
        lost_at="data_files",
        sentence=(
            f"{wording.scans(many.scans, 'read')} {deletes:,} delete files for {many.data_files:,} "
            f"data files. The deletes have not been compacted."
        ),
        scans=many.scans,
        bytes_read=many.bytes,
        bytes_at_stake=None,
        evidence={
            "data_files_read": many.data_files,
            "delete_files_read": read,
            "dangling_delete_files": {kind: counts[f"dangling_{kind}"] for kind in DELETE_KINDS},
            "delete_files": None
            if health is None
            else {
                _POSITION: health.position_delete_files,
                _EQUALITY: health.equality_delete_files,
                "deletion_vectors": health.deletion_vectors,
            },
        },
        fix=Fix(
            change=Change(
                files=Files.DELETED,
                manifests=read[_EQUALITY] > 0,
                position_deletes=read[_POSITION] > 0,
            ),
            advice=_advice(usage, has_equality=read[_EQUALITY] > 0),
        ),
    )


def _advice(usage: TableUsage, *, has_equality: bool) -> str:
    advice = "Cost: one rewrite of every data file with deletes, without the deleted rows."
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
