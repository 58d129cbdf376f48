"""LIKE patterns of which planners use nothing."""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings.cause import Cause
from audit_jobs.findings.engines import original, written
from audit_jobs.findings.model import Confidence, Finding, Fix
from audit_jobs.findings.opaque import says_what_is_unwanted
from audit_jobs.findings.query_blame import LIKE, cause_of, query_blame, reads_most
from audit_jobs.findings.unused_conditions import ONLY_IN_ORDER, unordered
from audit_jobs.findings.usage import Condition, Group, TableUsage
from audit_jobs.pruning.scans import comparisons
from collectors.predicates.model import Reason, Unsupported
from collectors.predicates.operators import Op


def find(usage: TableUsage) -> Iterator[Finding]:
    """Per group: one finding for patterns with a prefix that the engine does not push, as Spark
    pushes none with `_`; else one for each pattern that begins with a wildcard, if the scans read
    most of the table, so that no other condition prunes instead."""
    for group in usage.groups:
        if unused := unordered(usage, group, LIKE):
            yield _of_prefixes(usage, group, unused, None)
        elif query_blame(group) == LIKE:
            conditions = [c for c in group.conditions if cause_of(group, c) == LIKE]
            yield _of_prefixes(usage, group, conditions, group.bytes_lost_by_query)
        elif reads_most(group):
            for condition in group.conditions:
                if _has_no_prefix(group, condition):
                    yield _without_prefix(usage, group, condition)


def _has_no_prefix(group: Group, condition: Condition) -> bool:
    """Whether nothing of a pattern is known but itself: its prefix would be a condition as well."""
    predicate = condition.predicate
    if not isinstance(predicate, Unsupported) or predicate.reason is not Reason.LIKE_PATTERN:
        return False
    if says_what_is_unwanted(predicate):
        return False
    prefixes = {
        leaf.field.name.casefold()
        for leaf in comparisons(group.predicate)
        if leaf.op is Op.STARTS_WITH
    }
    return not prefixes & {name.casefold() for name in condition.columns}


def _of_prefixes(
    usage: TableUsage, group: Group, conditions: list[Condition], stake: int | None
) -> Finding:
    columns = tuple(dict.fromkeys(name for c in conditions for name in c.columns))
    return Finding(
        cause=LIKE,
        severity=usage.thresholds.severity(stake),
        confidence=Confidence.HIGH,
        table=usage.table,
        fingerprint=group.fingerprint,
        conjunct=" AND ".join(dict.fromkeys(original(c) for c in conditions)),
        columns=columns,
        lost_at="data_files",
        sentence=(
            f"The condition says how {', '.join(columns)} begins, but is written so that the "
            "engine does not use it; that beginning alone prunes."
            f"{'' if stake else ONLY_IN_ORDER}"
        ),
        scans=group.count,
        bytes_read=group.bytes_read,
        bytes_at_stake=stake,
        evidence={"patterns": len(conditions)},
        fix=Fix(
            rewrite=" AND ".join(written(group, c) for c in conditions),
            advice="Add this beside the condition, which stays.",
        ),
    )


def _without_prefix(usage: TableUsage, group: Group, condition: Condition) -> Finding:
    return Finding(
        cause=LIKE,
        severity=usage.thresholds.severity(None),
        confidence=Confidence.HIGH,
        table=usage.table,
        fingerprint=group.fingerprint,
        conjunct=condition.text,
        columns=condition.columns,
        lost_at="data_files",
        sentence=(
            f"The LIKE pattern on {', '.join(condition.columns)} begins with a wildcard: no order "
            "of values tells where such texts are, so every file is read."
        ),
        scans=group.count,
        bytes_read=group.bytes_read,
        bytes_at_stake=None,
        evidence={"patterns": 1},
        fix=Fix(
            advice="Filter by how the text begins where that is known, keep the part that is "
            "searched for in a column of its own and compare that, or add a condition on another "
            "column, best one of a partition field."
        ),
    )


CAUSE = Cause(LIKE, "LIKE without a prefix", find)
