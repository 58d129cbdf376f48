"""Conditions of which neither planner nor statistics can make anything."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.left_to_skip import (
    is_one_row_group,
    reads_most_anyway,
    reads_one_partition,
)
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.tuning import NEARLY_ALL
from prunescope.collectors.predicates.model import Or, Reason, Unsupported

_UNWANTED = re.compile(r"\bNOT\b|<>|!=", re.IGNORECASE)


def opaque_conditions(
    usage: TableUsage, group: Group, reasons: Collection[Reason]
) -> Iterator[tuple[tuple[str, ...], list[Condition]]]:
    """Conditions that are opaque for one of some reasons, and matter, by the columns that they
    read: they are on a partition column, of which the scans read several partitions, or say what is
    wanted, and the scans read most of the table whatever other findings of their query win; and
    their columns are not compared as they are as well. Of each columns, some condition has to match
    fewer than nearly all rows. None matters in a table of one row group."""
    if is_one_row_group(usage):
        return
    found: dict[tuple[str, ...], list[Condition]] = {}
    for condition in group.conditions:
        if _matters(usage, group, condition, reasons):
            found.setdefault(condition.columns, []).append(condition)
    for columns, conditions in found.items():
        # An end of a range may match nearly all rows, and the other one few.
        if any(one.share is None or one.share < NEARLY_ALL for one in conditions):
            yield columns, conditions


def opaque_arms(condition: Condition) -> tuple[Unsupported, ...]:
    """Unsupported parts that keep a condition from pruning: the condition itself or, of an OR, each
    of its arms; none if planners can prune by any part of it."""
    parts = condition.predicate.children if isinstance(condition.predicate, Or) else ()
    arms = [arm for arm in parts or (condition.predicate,) if isinstance(arm, Unsupported)]
    return tuple(arms) if len(arms) == max(1, len(parts)) else ()


def _matters(
    usage: TableUsage, group: Group, condition: Condition, reasons: Collection[Reason]
) -> bool:
    arms = opaque_arms(condition)
    if not arms or arms[0].reason not in reasons:
        return False
    compared = {
        name.casefold()
        for c in group.conditions
        if c.field_ids and c.pushed is not False and not c.says_not_null
        for name in c.columns
    }
    if not condition.columns or {name.casefold() for name in condition.columns} & compared:
        return False
    if usage.partition_fields_of(condition) and not reads_one_partition(group):
        return True
    return reads_most_anyway(usage, group) and not any(map(says_what_is_unwanted, arms))


def says_what_is_unwanted(predicate: Unsupported) -> bool:
    """True if a condition excludes values: most rows match it, and files without these values are
    rare, whatever functions it has."""
    return _UNWANTED.search(predicate.redacted) is not None


def partition_fields(usage: TableUsage, conditions: Collection[Condition]) -> list[str]:
    """The names of the partition fields of what conditions read, each once."""
    names = (field.name for c in conditions for field in usage.partition_fields_of(c))
    return list(dict.fromkeys(names))


def named(usage: TableUsage, columns: tuple[str, ...]) -> str:
    """Columns, as a sentence calls them."""
    names = (usage.names.get(field.source_id, "") for field in usage.partition_fields)
    sources = {name.casefold() for name in names}
    kind = "partition column" if sources.issuperset(map(str.casefold, columns)) else "column"
    return f"the {kind}{'s' if len(columns) > 1 else ''} {', '.join(columns)}"
