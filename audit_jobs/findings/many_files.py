"""Scans that open many files, or many delete files, and what they read, summed up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from audit_jobs.pruning.summary import ScanPlanSummary
from audit_jobs.pruning.tally import DELETE_KINDS

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
    nothing; both in the order of DELETE_KINDS."""

    scans: int
    data_files: int
    bytes: int
    position_delete_files: int
    equality_delete_files: int
    deletion_vectors: int
    dangling_position_delete_files: int
    dangling_equality_delete_files: int
    dangling_deletion_vectors: int


def many_files(plans: Iterable[ScanPlanSummary]) -> ManyFiles | None:
    """The sums of those scans that open many files; None where none does."""
    many = [plan for plan in plans if (plan.data_files.kept or 0) >= _MANY]
    if not many:
        return None
    files = sum(plan.data_files.kept or 0 for plan in many)
    return ManyFiles(len(many), files, sum(plan.bytes.kept or 0 for plan in many))


def many_deletes(plans: Iterable[ScanPlanSummary]) -> ManyDeletes | None:
    """The sums of those scans that read too many delete files; None where none does."""
    many = [plan for plan in plans if _has_many_deletes(plan)]
    if not many:
        return None
    read = (sum(_read(plan, kind) for plan in many) for kind in DELETE_KINDS)
    dangling = (sum(plan.dangling_delete_files[kind] for plan in many) for kind in DELETE_KINDS)
    files = sum(plan.data_files.kept or 0 for plan in many)
    return ManyDeletes(
        len(many), files, sum(plan.bytes.kept or 0 for plan in many), *read, *dangling
    )


def _has_many_deletes(plan: ScanPlanSummary) -> bool:
    position, equality, _ = (_read(plan, kind) for kind in DELETE_KINDS)
    files = plan.data_files.kept or 0
    return position + equality > _FEW_DELETES and (
        equality > _MOST_EQUALITY * files or position > _MOST_POSITION * files
    )


def _read(plan: ScanPlanSummary, kind: str) -> int:
    """The delete files of a kind that a scan reads: dangling ones are only planned with."""
    return plan.delete_files_by[kind] - plan.dangling_delete_files[kind]
