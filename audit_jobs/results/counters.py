"""Counters of a scan beside its funnels, each declared once: its column in scan_plans, the values
there, the gate's expectations, the answers of `explain` and docs/columns.md follow."""

from __future__ import annotations

from dataclasses import dataclass

from prunescope.audit_jobs.pruning.tally import DELETE_KINDS, FILTER_LEVELS

_LEVELS = dict(zip(FILTER_LEVELS, ("statistics", "a dictionary", "a bloom filter"), strict=True))
_DELETES = {kind: kind.replace("_", " ").capitalize() for kind in DELETE_KINDS}


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter: its column and the description of its count. A ScanPlanSummary has it at a path of
    attributes, or, with `key`, as an entry of the mapping there. `part_of` is a column that is
    never less."""

    column: str
    text: str
    path: str
    key: str | None = None
    part_of: str | None = None


COUNTERS = (
    *(
        Counter(
            f"row_groups_pruned_by_{name}",
            f"Considered row groups that {what} rules out first",
            "row_groups_by",
            name,
        )
        for name, what in _LEVELS.items()
    ),
    *(
        Counter(f"{kind}_kept", f"{what} that the planner indexes", "delete_files_by", kind)
        for kind, what in _DELETES.items()
    ),
    *(
        Counter(
            f"dangling_{kind}",
            f"{what} that it indexes and that apply to no data file of the snapshot",
            "dangling_delete_files",
            kind,
            part_of=f"{kind}_kept",
        )
        for kind, what in _DELETES.items()
    ),
    Counter("footers_needed", "Kept files whose footers the scan needs", "footers.needed"),
    Counter(
        "footers_skipped",
        "Those of them that the run's budget left out",
        "footers.skipped",
        part_of="footers_needed",
    ),
    Counter(
        "footers_unread",
        "Those of them that could not be read",
        "footers.unread",
        part_of="footers_needed",
    ),
    Counter(
        "old_spec_files", "Kept data files under another spec than new files", "old_spec_files"
    ),
    Counter("old_spec_bytes", "Bytes of these files", "old_spec_bytes"),
)
"""Every counter, in the order of its columns."""

MAPPINGS = tuple(dict.fromkeys(counter.path for counter in COUNTERS if counter.key is not None))
"""The mappings of a ScanPlanSummary that have counters, in order."""
