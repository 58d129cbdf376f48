"""What the footers of data files know that their bounds in manifests do not."""

from __future__ import annotations

from collections.abc import Iterable

from audit_jobs.findings.usage import Group


def bytes_ruled_out_by_footers(groups: Iterable[Group]) -> int | None:
    """Bytes of the data files that manifests make planners keep, and that bounds as good as those
    in the footers would rule out: the share of bytes of row groups that their own statistics rule
    out. None where not all footers are known."""
    ruled_out = 0
    for group in groups:
        for scan in group.scans:
            if scan.potential is None:
                return None
            row_groups = scan.potential.row_group_bytes
            if row_groups.considered is None or row_groups.kept is None:
                return None
            if row_groups.considered:
                kept = scan.potential.bytes.kept or 0
                ruled_out += round(kept * (1 - row_groups.kept / row_groups.considered))
    return ruled_out
