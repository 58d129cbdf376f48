"""Scans that open many files, or many delete files, and what they read, summed up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.pruning.summary import ScanPlanSummary
from prunescope.audit_jobs.pruning.tally import DELETE_KINDS
from prunescope.audit_jobs.records import ScanRecord
from prunescope.audit_jobs.tuning import ENOUGH_VALUES, FEW, MANY_FILES

_APPLIED = "result_delete_files"


class ManyFiles(NamedTuple):
    """Scans that open many data files, the number of these, and their bytes."""

    scans: int
    files: int
    bytes: int


class ManyDeletes(NamedTuple):
    """Scans with too many delete files for their data files, summed up: the number of scans, their
    data files, and the bytes of these; then the delete files of each kind that apply, and the
    dangling ones, which are planned but apply to nothing, both in the order of DELETE_KINDS."""

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
    many = [plan for plan in plans if (plan.data_files.kept or 0) >= MANY_FILES]
    if not many:
        return None
    files = sum(plan.data_files.kept or 0 for plan in many)
    return ManyFiles(len(many), files, sum(plan.bytes.kept or 0 for plan in many))


def many_deletes(records: Iterable[ScanRecord], health: TableHealth | None) -> ManyDeletes | None:
    """The sums of those scans that read too many delete files, of a table whose health is known, or
    not; None where none does."""
    read = [(plan, _read(one, plan, health)) for one in records if (plan := one.summary)]
    many = [(plan, kinds) for plan, kinds in read if _are_many(kinds, plan.data_files.kept or 0)]
    if not many:
        return None
    files = sum(plan.data_files.kept or 0 for plan, _ in many)
    return ManyDeletes(
        len(many),
        files,
        sum(plan.bytes.kept or 0 for plan, _ in many),
        *map(sum, zip(*(kinds for _, kinds in many), strict=True)),
        *(sum(plan.dangling_delete_files[kind] for plan, _ in many) for kind in DELETE_KINDS),
    )


def _are_many(kinds: Sequence[int], files: int) -> bool:
    """True if there are more position delete files than data files, or a tenth as many equality
    delete files: these are compared with every row of all older files of their partition. A
    deletion vector belongs to one data file, and there is never a second one."""
    position, equality, _ = kinds
    return position + equality > ENOUGH_VALUES and (equality > FEW * files or position > files)


def _read(record: ScanRecord, plan: ScanPlanSummary, health: TableHealth | None) -> tuple[int, ...]:
    """The delete files of each kind that a scan reads, at most, about. An engine counts those that
    apply, for each data file again: of one data file, which a rewrite left behind, it counts
    none."""
    applied = None if record.observed is None else record.observed.get(_APPLIED)
    listed = (_planned(plan, kind, health) for kind in DELETE_KINDS)
    return tuple(count if applied is None else min(count, applied) for count in listed)


def _planned(plan: ScanPlanSummary, kind: str, health: TableHealth | None) -> int:
    """Number of delete files of a kind that apply to the data files kept. Dangling ones are only
    planned, as are those that belong to one data file each, if that is not read."""
    found = plan.delete_files_by[kind] - plan.dangling_delete_files[kind]
    if kind != "position_delete_files" or health is None or not health.position_delete_files:
        return found
    of_one = min(1.0, health.deletes_of_one_file / health.position_delete_files) * found
    of_kept = health.deletes_of_a_file * (plan.data_files.kept or 0)
    return round(found - of_one + min(of_one, of_kept))
