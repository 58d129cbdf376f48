"""Scans that open many files, or many delete files, and what they read, summed up."""

from __future__ import annotations

from typing import NamedTuple

from audit_jobs.pruning.summary import ScanPlanSummary

_MANY = 100
"""Files that a scan opens, from which on their number costs more than their size: each costs a
request or two, and planners count it as 4 MiB (`read.split.open-file-cost`)."""

_FEW_DELETES = 5
"""Delete files that a scan reads, up to which nobody notices."""
# Delete files per data file. Equality deletes are compared with every row of all older files of
# their partition. A deletion vector belongs to one data file, and there is never a second one.
_MOST_EQUALITY, _MOST_POSITION = 0.1, 1.0


class ManyFiles(NamedTuple):
    """Scans that open many data files, the number of these, and their bytes."""

    scans: int
    files: int
    bytes: int


class ManyDeletes(NamedTuple):
    """Scans that read too many delete files for their data files; these, and their bytes; the
    delete files of each kind that they read, and those that they only plan with, as they apply to
    nothing."""

    scans: int
    data_files: int
    bytes: int
    position_delete_files: int
    equality_delete_files: int
    deletion_vectors: int
    dangling_position_delete_files: int
    dangling_equality_delete_files: int
    dangling_deletion_vectors: int


def many_files(plan: ScanPlanSummary) -> ManyFiles | None:
    """The sums of one scan; None where it opens few files."""
    files = plan.data_files.kept or 0
    return ManyFiles(1, files, plan.bytes.kept or 0) if files >= _MANY else None


def many_deletes(plan: ScanPlanSummary) -> ManyDeletes | None:
    """The sums of one scan; None where it reads few delete files."""
    kept, dangling = plan.delete_files_by, plan.dangling_delete_files
    position = kept["position_delete_files"] - dangling["position_delete_files"]
    equality = kept["equality_delete_files"] - dangling["equality_delete_files"]
    files = plan.data_files.kept or 0
    if position + equality <= _FEW_DELETES or (
        equality <= _MOST_EQUALITY * files and position <= _MOST_POSITION * files
    ):
        return None
    return ManyDeletes(
        1,
        files,
        plan.bytes.kept or 0,
        position,
        equality,
        kept["deletion_vectors"] - dangling["deletion_vectors"],
        dangling["position_delete_files"],
        dangling["equality_delete_files"],
        dangling["deletion_vectors"],
    )
