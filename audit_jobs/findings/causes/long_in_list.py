"""IN lists so long that Iceberg's planner does not look at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from prunescope.audit_jobs.findings.added_conditions import with_its_place
from prunescope.audit_jobs.findings.attribution import query_claim
from prunescope.audit_jobs.findings.building import of_group
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.engines import identifier, plans_by_column
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix
from prunescope.audit_jobs.findings.parts import where_parts_stand
from prunescope.audit_jobs.findings.sorting import bytes_lost_by_order, files_of_list, listed
from prunescope.audit_jobs.findings.unpushed import is_too_long
from prunescope.audit_jobs.findings.unused_conditions import ONLY_THEN, waiting_for_layout
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.pruning.rules import ICEBERG_1_12
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import comparisons

_ID = "long_in_list"
_LIMIT = ICEBERG_1_12.metrics.in_limit or 0


def _is_too_long(_group: Group, condition: Condition) -> bool:
    return is_too_long(condition)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per group that reads files which a list would rule out if it were shorter, or if
    it were shorter and rows in order."""
    for group in usage.groups:
        unused = waiting_for_layout(usage, group, _ID)
        if unused and _is_won_by_order(usage, group, _column(unused[0])):
            yield _finding(usage, group, unused[0], None)
        elif claim := query_claim(usage, group, _ID):
            yield _finding(usage, group, claim.conditions[0], claim.bytes_won)


def _is_won_by_order(usage: TableUsage, group: Group, column: str) -> bool:
    """True if sorting by a column can keep the list's scans out of enough files: at least
    `min_share` of the files must hold none of the listed values."""
    health = usage.health
    if health is None or not bytes_lost_by_order(group, column):
        return False
    held = [
        files_of_list(listed(scan, column), health.column(column), health.data_files)
        for scan in group.sample
    ]
    return max(held) <= (1 - usage.thresholds.min_share) * health.data_files


def _column(condition: Condition) -> str:
    lists = [leaf for leaf in comparisons(condition.predicate) if leaf.op is Op.IN]
    return max(lists, key=lambda leaf: len(leaf.values)).field.name


def _finding(usage: TableUsage, group: Group, condition: Condition, stake: int | None) -> Finding:
    column, count = _column(condition), condition.longest_list
    fix = _fix(group, column, -(-count // _LIMIT))
    if stake is None:
        fix = replace(fix, advice=f"{fix.advice}{ONLY_THEN}")
    return of_group(
        usage,
        group,
        _ID,
        confidence=Confidence.HIGH,
        conjunct=condition.text,
        columns=(column,),
        lost_at="data_files",
        sentence=(
            f"The IN list on {column} has up to {count:,} values. Iceberg ignores lists above "
            f"{_LIMIT} values, so no file is skipped."
        ),
        bytes_at_stake=stake,
        evidence={"values": count, "limit": _LIMIT},
        fix=fix,
    )


def _fix(group: Group, column: str, parts: int) -> Fix:
    if plans_by_column(group):
        return Fix(
            advice=(
                f"Split the query: at most {_LIMIT} values per list. {where_parts_stand(group)} In "
                f"Trino, neither an OR of shorter lists nor extra bounds help: it merges "
                f"conditions on one column."
            ),
        )
    name = identifier(group, column)
    advice = (
        f"At most {_LIMIT} values in each list. Sort the values first: each list then needs few "
        "files. If they lie close together, their smallest and largest value are enough: "
        f"{name} BETWEEN ? AND ? beside the list."
    )
    return Fix(
        rewrite=f"({' OR '.join([f'{name} IN (?)'] * parts)})",
        advice=with_its_place(advice, group, [column]),
    )


CAUSE = Cause(_ID, "IN list that is too long", find, of_condition=_is_too_long)
