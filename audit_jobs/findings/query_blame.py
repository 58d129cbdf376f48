"""Which condition an engine fails to prune by though the statistics would let it: each group's
loss by query has one cause, so that no byte is counted twice."""

from __future__ import annotations

from audit_jobs.findings.blame import NEGATED
from audit_jobs.findings.engines import plans_by_column, pushes
from audit_jobs.findings.usage import Condition, Group
from collectors.predicates.model import And, BoundComparison, Or, Predicate
from collectors.predicates.operators import Op

WRAPPED = "wrapped_column"
LONG_LIST = "long_in_list"
OR_ACROSS = "or_across_columns"
LIKE = "like_without_prefix"

_COMPARED = frozenset({Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ, Op.EQ, Op.NOT_EQ, Op.IN, Op.NOT_IN})


def query_blame(group: Group) -> str | None:
    """Why the scans of a group read what the statistics rule out: the cause, by its id, of the
    condition that alone would rule out most files; None where they read no such thing, or
    nothing tells."""
    if not group.bytes_lost_by_query:
        return None
    found = [(c, cause) for c in group.conditions if (cause := cause_of(group, c)) is not None]
    if not found:
        return None
    return max(found, key=lambda pair: pair[0].data_files_pruned)[1]


def cause_of(group: Group, condition: Condition) -> str | None:
    """Why an engine's planner does not prune by a condition, of which a planner could make
    something; None where it does, or where that has another reason."""
    match condition.reasons.get("data_files"):
        case "in_list_too_long":
            return LONG_LIST
        case "not_equal" if condition.pushed is not False:
            return NEGATED
    if condition.pushed is not False:
        return None
    return _not_pushed(group, condition.predicate)


def _not_pushed(group: Group, predicate: Predicate) -> str | None:
    leaves = _leaves(predicate)
    if not leaves:
        return None
    if plans_by_column(group) and len({leaf.field.field_id for leaf in leaves}) > 1:
        return OR_ACROSS
    if any(leaf.op is Op.STARTS_WITH for leaf in leaves):
        return LIKE
    # What is pushed of the bare column was written otherwise.
    is_wrapped = all(leaf.op in _COMPARED and pushes(group, leaf) for leaf in leaves)
    return WRAPPED if is_wrapped else None


def _leaves(predicate: Predicate) -> list[BoundComparison] | None:
    """The comparisons of a predicate, null checks left out; None where there are none, or where
    it has parts by which no planner prunes."""
    match predicate:
        case BoundComparison(op=Op.IS_NULL | Op.NOT_NULL):
            return []
        case BoundComparison():
            return [predicate]
        case And(children) | Or(children):
            found = [_leaves(child) for child in children]
            known = [leaves for leaves in found if leaves is not None]
            if not known or (isinstance(predicate, Or) and len(known) < len(found)):
                return None
            return [leaf for leaves in known for leaf in leaves]
        case _:
            return None


def reads_most(group: Group) -> bool:
    """Whether the scans of a group read most of the table: nothing prunes much."""
    return 2 * group.bytes_read > group.bytes_total
