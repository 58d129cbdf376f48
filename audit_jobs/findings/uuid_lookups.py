"""Lookups of UUIDs, whose bounds and order engines use in different ways: Spark prunes by buckets
of them, and Trino by nothing."""

from __future__ import annotations

from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.granularity import bucket_count
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op

UUIDS_UNSERVED = (
    "Neither order nor buckets nor a bloom filter of this column help Trino; buckets and bloom "
    "filters help Spark with equality. Add a condition on another column, best one of a partition "
    "field, or keep the key as text, with rows in order."
)
"""Advice where Trino looks up UUIDs."""


def has_no_order(condition: Condition) -> bool:
    """True if a condition compares a UUID: it is unknown whether bounds or an order win
    anything."""
    return condition.field is not None and condition.field.type == "uuid"


def is_lookup(condition: Condition) -> bool:
    """True if a condition asks for values of a UUID."""
    match condition.predicate:
        case BoundComparison(op=Op.EQ | Op.IN, field=field):
            return field.type == "uuid"
    return False


def buckets(usage: TableUsage, column: str) -> int | None:
    """Into how many buckets a column cuts the partitions that there are, so that each holds whole
    files; None where they hold too little, or a field has the column already."""
    health = usage.health
    if health is None or any(
        usage.names.get(f.source_id) == column for f in usage.partition_fields
    ):
        return None
    size = health.bytes if health.partition_bytes is None else health.partition_bytes
    return bucket_count(usage, size)
