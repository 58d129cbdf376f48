"""Conditions that an engine keeps from its planner, though that could prune by them."""

from __future__ import annotations

from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.engines import plans_by_column
from prunescope.audit_jobs.findings.usage import Group
from prunescope.collectors.predicates.model import BoundComparison, Or, Predicate, PredicateLeaf
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import comparisons, fold


def is_too_long(condition: Condition) -> bool:
    """True if planners ignore a condition for the length of its list, pushed or not."""
    return condition.reasons.get("data_files") == "in_list_too_long"


def unpushed_comparisons(condition: Condition) -> list[BoundComparison]:
    """The comparisons of a condition that the engine keeps to itself, null checks left out, unless
    it asks for nulls alone; none where it does not, or where no planner prunes by it."""
    if condition.pushed is not False or is_too_long(condition):
        return []
    match condition.predicate:
        case BoundComparison(Op.IS_NULL) as check:
            return [check]
    return _leaves(condition.predicate) or []


def is_across_columns(group: Group, leaves: list[BoundComparison]) -> bool:
    """True if comparisons are of several columns, and the engine has one condition for each."""
    return plans_by_column(group) and len({leaf.field.field_id for leaf in leaves}) > 1


def is_of_a_field(group: Group, condition: Condition) -> bool:
    """True if a condition is an OR of ranges of a field of a struct, as the query writes them, in
    an engine that has one condition for each column: it evaluates these above the scan, beside any
    other condition."""
    leaves = comparisons(condition.predicate)
    is_or = plans_by_column(group) and isinstance(condition.predicate, Or)
    return is_or and all("." in leaf.field.name and leaf.written is None for leaf in leaves)


def is_of_one(leaves: list[BoundComparison]) -> bool:
    """True if all comparisons were made of one condition of the query: `(a, b) > (1, 2)`, which no
    engine takes apart, or `y * 100 + m = 202602`."""
    return len({leaf.written for leaf in leaves}) == 1 and leaves[0].written is not None


def _leaves(predicate: Predicate) -> list[BoundComparison] | None:
    """The comparisons of a predicate, null checks left out; None where there are none, or where
    it has parts by which no planner prunes."""
    return fold(predicate, _of_leaf, _of_known, _of_all)


def _of_leaf(leaf: PredicateLeaf) -> list[BoundComparison] | None:
    if not isinstance(leaf, BoundComparison):
        return None
    return [] if leaf.op in (Op.IS_NULL, Op.NOT_NULL) else [leaf]


def _of_all(parts: list[list[BoundComparison] | None]) -> list[BoundComparison] | None:
    return None if None in parts else _of_known(parts)


def _of_known(parts: list[list[BoundComparison] | None]) -> list[BoundComparison] | None:
    known = [leaves for leaves in parts if leaves is not None]
    return [leaf for leaves in known for leaf in leaves] if known else None
