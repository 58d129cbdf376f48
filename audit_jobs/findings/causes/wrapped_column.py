"""A function, cast or arithmetic around a column that planning could have used.

The most common cause by far. What the engine itself unwraps (Trino: `year`, `date_trunc`, casts to
date) is pushed and never gets here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from prunescope.audit_jobs.findings.added_conditions import (
    with_its_place,
    written_within,
)
from prunescope.audit_jobs.findings.building import of_group, together
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.condition import Condition, columns_in
from prunescope.audit_jobs.findings.engines import (
    dialect_for,
    identifier,
    is_measured,
    number_written,
    original,
    originals,
    plans_by_column,
    pushes,
    serves_no_uuids,
    sql_of,
    without_literals,
    wraps,
)
from prunescope.audit_jobs.findings.function_advice import (
    OF_UUIDS_UNSERVED,
    WayOut,
    Wrapped,
    way_out,
)
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from prunescope.audit_jobs.findings.opaque import named, opaque_conditions, partition_fields
from prunescope.audit_jobs.findings.partition_values import (
    as_far_as_planned,
    as_values_tell,
    is_told_by_values,
    ranges_claimed,
)
from prunescope.audit_jobs.findings.policy import is_reported
from prunescope.audit_jobs.findings.unpushed import (
    is_across_columns,
    is_of_a_field,
    is_of_one,
    unpushed_comparisons,
)
from prunescope.audit_jobs.findings.unused_conditions import ONLY_THEN, waiting_for_layout
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.findings.usual_numbers import Usual, usual_numbers
from prunescope.audit_jobs.findings.wrapped_ranges import Ranged, fix_of, pasted_range
from prunescope.collectors.predicates.bind import field_of
from prunescope.collectors.predicates.by_column import by_column
from prunescope.collectors.predicates.model import TRUE, Predicate, Reason, all_of
from prunescope.collectors.predicates.operators import ORDERED, SET, Op
from prunescope.collectors.predicates.simplify import simplified
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.types import physical

_ID = "wrapped_column"
_OPS = ORDERED | SET | {Op.EQ, Op.NOT_EQ, Op.IS_NULL}
_FROM, _UNTIL = {Op.GT, Op.GT_EQ}, {Op.LT, Op.LT_EQ}
_NOT_KNOWN = "has no range here, and what the engine pushes of it is not known"
_REASONS = (Reason.FUNCTION, Reason.CAST, Reason.ARITHMETIC)


def _wraps_comparisons(group: Group, condition: Condition) -> bool:
    """True if a condition wraps a column of which the engine would push the bare comparison."""
    leaves = unpushed_comparisons(condition)
    if is_told_by_values(condition, _REASONS):
        return True
    if is_across_columns(group, leaves):
        return is_of_one(leaves) and _is_of_each(group, condition)
    is_other = bool(leaves) and not is_of_a_field(group, condition)
    return is_other and all(leaf.op in _OPS and pushes(group, leaf) for leaf in leaves)


def _is_of_each(group: Group, condition: Condition) -> bool:
    """True if a condition on several columns restricts each of them by itself, given the usual
    numbers of the table."""
    predicate = condition.predicate
    usual = usual_numbers(group.health, predicate)
    return by_column(simplified(predicate, usual)) != TRUE


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per query for all conditions that are ranges, with what to write beside them and
    the bytes of all together, or for the one that an order of rows would serve, were it used; and
    one for each set of columns that is wrapped in what is not known as a range, where no other
    condition prunes by them."""
    of_ranges: dict[tuple[Hashable, Hashable], list[_OfRange]] = {}
    readings: dict[Hashable, set[Hashable]] = {}
    for group in usage.groups:
        ranges, stake = _ranges(usage, group)
        if ranges:
            range_, supposed = _range(group, ranges)
            wrapped = Ranged(usage, group, ranges, range_, supposed)
            found = _of_ranges(wrapped, stake)
            query, reading = _query(group, found, ranges), _reading(range_)
            readings.setdefault(query, set()).add(reading)
            of_ranges.setdefault((query, reading), []).append((wrapped, found))
        # A range that holds more than its condition has that beside it.
        known = {name.casefold() for c in ranges for name in c.columns}
        written = {original(c) for c in ranges}
        for columns, opaque in opaque_conditions(usage, group, _REASONS):
            conditions = [c for c in opaque if c.text not in written]
            if conditions and not known.issuperset(name.casefold() for name in columns):
                found = _of_opaque(usage, group, columns, conditions)
                readings.setdefault(_query(group, found, conditions), set()).add(None)
                found = as_values_tell(usage, group, found, conditions)
                yield as_far_as_planned(usage, group, found)
    for (query, _), each in of_ranges.items():
        told = _told(usage, each)
        if len(readings[query]) > 1:
            told = replace(told, fix=replace(told.fix, advice=f"{told.fix.advice} {_OF_SOME}"))
        yield as_far_as_planned(usage, each[0][0].group, told)


_OfRange = tuple[Ranged, Finding]
"""Ranges of one group, and the finding on them."""


def _told(usage: TableUsage, each: Sequence[_OfRange]) -> Finding:
    """The finding on ranges of one query. Names of literals take a while to find, and are looked
    for only if the finding is reported."""
    told = together(usage, [finding for _, finding in each])
    size = None if usage.health is None else usage.health.bytes
    if not is_reported(told, usage.thresholds, size):
        return told
    quoted = next(wrapped for wrapped, finding in each if finding.fix is told.fix)
    named = pasted_range(quoted)
    return told if named is None else replace(told, fix=fix_of(quoted, named))


def _query(group: Group, finding: Finding, conditions: Sequence[Condition]) -> Hashable:
    """Key of the groups that one scan of a query may belong to, if literals decide the meaning of
    its conditions on these columns: `coalesce(c, 'x') = 'x'` takes nulls as well. Scans of a query
    may have conditions of their own."""
    own = without_literals(conditions)
    return group.fingerprint, group.example.engine, finding.columns, own


def _reading(range_: Predicate) -> Hashable:
    """Key of a range's meaning apart from its ends: a first month has no other beginning than its
    year."""
    ends = ORDERED | {Op.EQ, Op.IN}
    return frozenset(
        (leaf.field.name, None if leaf.op in ends else leaf.op) for leaf in comparisons(range_)
    )


def _ranges(usage: TableUsage, group: Group) -> tuple[Sequence[Condition], int | None]:
    """The ranges of a query, and the bytes of all together; None of the one that wins some only
    once rows are in its order."""
    if unused := waiting_for_layout(usage, group, _ID):
        return unused, None
    return ranges_claimed(usage, group, _ID)


def _of_ranges(wrapped: Ranged, stake: int | None) -> Finding:
    usage, group, conditions = wrapped.usage, wrapped.group, wrapped.conditions
    columns = columns_in(conditions)
    partition = partition_fields(usage, conditions)
    return of_group(
        usage,
        group,
        _ID,
        confidence=Confidence.HIGH,
        conjunct=originals(conditions),
        columns=columns,
        lost_at="manifests" if partition else "data_files",
        sentence=_sentence(group, named(usage, columns), conditions) + ("" if stake else ONLY_THEN),
        bytes_at_stake=stake,
        evidence={"partition_fields": partition, "conditions": number_written(conditions)},
        fix=fix_of(wrapped, None),
    )


def _sentence(group: Group, columns: str, conditions: Sequence[Condition]) -> str:
    is_within = written_within(group, columns_in(conditions))
    if any(wraps(condition) for condition in conditions):
        return f"A function on {columns} is not sargable: the engine pushes nothing of it down."
    if is_within:
        return (
            f"The filter on {columns} is not pushed down: it stands outside a subquery with a "
            f"window, a sample or rand(), or compares another type."
        )
    return (
        f"The filter compares {columns} with another type. The engine casts the column and pushes "
        f"nothing down."
    )


def _range(group: Group, conditions: Sequence[Condition]) -> tuple[Predicate, Usual]:
    """Shortest form of the conjunction of conditions, and the usual numbers of columns that it
    assumes."""
    whole = all_of(*(condition.predicate for condition in conditions))
    short = simplified(whole)
    usual = usual_numbers(group.health, whole)
    shorter = simplified(whole, usual)
    return (short, {}) if shorter == short else (shorter, usual)


_OF_SOME = (
    "This holds for the literals seen here. Other literals of the same query need another range: "
    "run `explain` for each."
)


def _of_opaque(
    usage: TableUsage, group: Group, columns: tuple[str, ...], conditions: list[Condition]
) -> Finding:
    partition = partition_fields(usage, conditions)
    short, advice, is_fault = _way_out(usage, group, columns, conditions)
    is_known = is_measured(group)
    use = "cannot be pruned" if is_known else _NOT_KNOWN
    return of_group(
        usage,
        group,
        _ID,
        severity=usage.thresholds.severity(None) if is_fault or partition else Severity.INFO,
        confidence=Confidence.HIGH if is_known else Confidence.LOW,
        conjunct=" AND ".join(c.text for c in conditions),
        columns=columns,
        lost_at="manifests" if partition else "data_files",
        sentence=f"A function on {named(usage, columns)} {use}: {short}.",
        bytes_at_stake=None,
        evidence={"partition_fields": partition, "conditions": len(conditions)},
        fix=Fix(advice=with_its_place(advice, group, columns)),
    )


def _way_out(
    usage: TableUsage, group: Group, columns: tuple[str, ...], conditions: list[Condition]
) -> WayOut:
    known = {name: field_of(usage.schema, name) for name in columns}
    types = {name: None if field is None else field.type for name, field in known.items()}
    wrapped = [Wrapped(identifier(group, name, columns), name, types[name]) for name in columns]
    if any(each.type == "uuid" for each in wrapped) and serves_no_uuids(group):
        return OF_UUIDS_UNSERVED
    of_parts = all(each.type is None or physical(each.type) is None for each in wrapped)
    texts = [sql_of(condition) for condition in conditions]
    return way_out(
        texts,
        dialect_for(group),
        wrapped,
        of_parts=of_parts,
        by_column=plans_by_column(group),
        is_bounded=_is_bounded(group, columns),
    )


def _is_bounded(group: Group, columns: tuple[str, ...]) -> bool:
    """True if conditions of a query give one of the columns a lower and an upper bound."""
    for name in map(str.casefold, columns):
        parts = [c.predicate for c in group.conditions if [*map(str.casefold, c.columns)] == [name]]
        ops = {leaf.op for part in parts for leaf in comparisons(part)}
        if ops & {Op.EQ, Op.IN} or (ops & _FROM and ops & _UNTIL):
            return True
    return False


CAUSE = Cause(_ID, "Function on a filtered column", find, of_condition=_wraps_comparisons)
