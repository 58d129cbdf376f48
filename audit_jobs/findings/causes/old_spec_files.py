"""Files that were written before the table was partitioned as it is now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from audit_jobs.findings.additive import total
from audit_jobs.findings.attribution import layout_claims
from audit_jobs.findings.building import of_groups, partition_columns
from audit_jobs.findings.cause import Cause
from audit_jobs.findings.claims import LayoutClaim
from audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix
from audit_jobs.findings.partitions_asked import values_of_field
from audit_jobs.findings.sample import SampledConjunct, SampledScan
from audit_jobs.findings.selective import most_selective_in_order, reads_old_files
from audit_jobs.findings.selectivity import share_by_bounds
from audit_jobs.findings.usage import Group, TableUsage
from audit_jobs.pruning.scans import inclusive
from audit_jobs.pruning.transforms import width
from collectors.predicates.model import TRUE, all_of
from collectors.predicates.walks import comparisons

_ID = "old_spec_files"


def _claim(usage: TableUsage, group: Group) -> LayoutClaim | None:
    condition = most_selective_in_order(usage, group)
    if condition is None or not reads_old_files(usage, group):
        return None
    return LayoutClaim(_ID, condition, condition.columns[0], group.bytes_lost_by_layout)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per table, over all groups whose filters the current spec answers, and the
    spec of the files that they read does not, if they would read less of new ones."""
    groups = [group for group, _ in layout_claims(usage, _ID)]
    won = sum(_bytes_won(usage, group) for group in groups)
    if won:
        yield _finding(usage, groups, won)


def _bytes_won(usage: TableUsage, group: Group) -> int:
    """Bytes of old files beyond those that hold rows of the partitions asked for, if these are
    spread over all old files, whichever of them a scan keeps, as over those since."""
    old = _bytes_of_old_files(usage)
    won = 0.0
    for scan in group.sample:
        if scan.potential is not None:
            kept = scan.potential.old_spec_bytes
            won += max(0.0, kept - _share(usage, scan) * max(kept, old))
    return min(round(group.extrapolated(won)), group.bytes_lost_by_layout or 0)


def _bytes_of_old_files(usage: TableUsage) -> float:
    """Bytes of all files of other specs, about: as many as files, or what partitions of the present
    one leave, as old files may be larger."""
    health = usage.health
    if health is None or not health.data_files:
        return 0.0
    old = sum(n for spec, n in health.files_by_spec.items() if spec != usage.spec.spec_id)
    since = (health.partitions or 0) * (health.partition_bytes or 0)
    return max(health.bytes * old / health.data_files, health.bytes - since if since else 0)


def _share(usage: TableUsage, scan: SampledScan) -> float:
    """The share of rows in the partitions that a scan asks for, if columns are independent."""
    by_column: dict[frozenset[int], list[SampledConjunct]] = {}
    for part in scan.conjuncts:
        if inclusive(part.predicate, usage.spec) != TRUE:
            columns = frozenset(leaf.field.field_id for leaf in comparisons(part.predicate))
            by_column.setdefault(columns, []).append(part)
    shares = (_share_of(usage, parts) for parts in by_column.values())
    known = [share for share in shares if share is not None]
    return prod(known) if known else 0.0


def _share_of(usage: TableUsage, parts: Sequence[SampledConjunct]) -> float | None:
    """The share of rows in the partitions that conditions on one column let through. A bucket has
    those of other values as well."""
    predicate = all_of(*(part.predicate for part in parts))
    known = None if usage.health is None else share_by_bounds(predicate, usage.health)
    if known is None:
        known = min((part.share for part in parts if part.share is not None), default=None)
    of_buckets = [
        asked / width(field.transform)
        for field in usage.partition_fields
        if field.transform.startswith("bucket[")
        and (asked := values_of_field(predicate, field)) is not None
    ]
    return known if known is None else min(1.0, max(known, *of_buckets, 0.0))


def _finding(usage: TableUsage, groups: list[Group], won: int) -> Finding:
    plans = total(group.sums.potential for group in groups)
    by_spec = {} if usage.health is None else usage.health.files_by_spec
    return of_groups(
        usage,
        groups,
        _ID,
        confidence=Confidence.HIGH,
        columns=partition_columns(usage, groups),
        lost_at="manifests",
        sentence=(
            f"{plans.old_spec_files:,} of the {plans.files_kept:,} files that {plans.plans:,} "
            "scans read were written before the table was partitioned as it is now, so the new "
            "partitioning does not help them."
        ),
        scans=plans.plans,
        bytes_at_stake=won,
        evidence={
            "spec": usage.spec.spec_id,
            "files_by_spec": {str(spec): count for spec, count in sorted(by_spec.items())},
        },
        fix=Fix(
            advice="Rewriting moves every file to the current partitioning, at the cost of reading "
            "and writing the table once.",
            change=Change(rewrites=True, files=Files.ALL),
        ),
    )


CAUSE = Cause(_ID, "Files of an older partitioning", find, of_layout=_claim, by_rewriting=True)
