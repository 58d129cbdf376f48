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
        if group.sums.potential.footers_known < group.count:
            return None
        ruled_out += group.sums.potential.bytes_by_footers
    return ruled_out
