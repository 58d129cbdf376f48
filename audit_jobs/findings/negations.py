"""Conditions that say what is not wanted."""

from __future__ import annotations

from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.usage import Group
from prunescope.collectors.predicates.model import BoundComparison, Or
from prunescope.collectors.predicates.operators import NEGATIONS, Op

_KNOWN = frozenset({Op.NOT_NULL})


def negations(group: Group) -> list[Condition]:
    """The conditions of a filter that says what is not wanted, and nothing else."""
    negated = [c for c in group.conditions if is_negated(c)]
    others = [c for c in group.conditions if not is_negated(c) and not _has_op(c, _KNOWN)]
    return [] if others else negated


def is_negated(condition: Condition) -> bool:
    """True if a condition says what is not wanted, whether or not it excludes nulls."""
    return _has_op(condition, NEGATIONS) or takes_nulls(condition)


def takes_nulls(condition: Condition) -> bool:
    """True if a condition selects nulls beside a negation, as IS DISTINCT FROM does."""
    match condition.predicate:
        case Or((BoundComparison(op, field), BoundComparison(Op.IS_NULL, of_null))):
            return op in NEGATIONS and field == of_null
    return False


def _has_op(condition: Condition, ops: frozenset[Op]) -> bool:
    return isinstance(condition.predicate, BoundComparison) and condition.predicate.op in ops
