"""Filters that say only what is not wanted: `!=`, NOT IN, NOT LIKE."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.findings.added_conditions import with_its_place
from prunescope.audit_jobs.findings.attribution import layout_claim, query_claim
from prunescope.audit_jobs.findings.building import of_group
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import LayoutClaim
from prunescope.audit_jobs.findings.condition import Condition, columns_in
from prunescope.audit_jobs.findings.engines import identifier, originals, written
from prunescope.audit_jobs.findings.model import KEPT, Change, Confidence, Files, Finding, Fix, Wish
from prunescope.audit_jobs.findings.selective import most_selective
from prunescope.audit_jobs.findings.sorting import bytes_lost_by_order
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.tuning import HALF, MUCH
from prunescope.collectors.predicates.model import BoundComparison, Or
from prunescope.collectors.predicates.operators import NEGATIONS, Op
from prunescope.collectors.predicates.walks import comparisons

_ID = "negated_condition"
_KNOWN = frozenset({Op.NOT_NULL})


def _is_kept_for(group: Group, condition: Condition) -> bool:
    """True if a planner does not prune by a negation: its version is too old, or it is not given
    the negated prefix."""
    if condition.pushed is False:
        return _is_of_beginnings(condition) and condition in negations(group)
    return condition.reasons.get("data_files") == "not_equal"


def _is_of_beginnings(condition: Condition) -> bool:
    return any(leaf.op is Op.NOT_STARTS_WITH for leaf in comparisons(condition.predicate))


def _is_boolean(condition: Condition) -> bool:
    return all(leaf.field.type == "boolean" for leaf in comparisons(condition.predicate))


def _are_of_beginnings(conditions: list[Condition]) -> bool:
    return all(map(_is_of_beginnings, conditions))


def _claim_of_layout(usage: TableUsage, group: Group) -> LayoutClaim | None:
    """Claims the layout's loss if no condition says what is wanted."""
    found = negations(group)
    if not found or most_selective(usage, group) is not None:
        return None
    return LayoutClaim(_ID, found[0], found[0].columns[0], group.bytes_lost_by_layout)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per group whose filter is negated and nothing else, though few rows match it,
    as samples tell: planners rule out only files whose rows all have the one unwanted value
    (Iceberg before 1.11 none, unless Trino asks it)."""
    for group in usage.groups:
        claim = layout_claim(usage, group)
        is_layout = claim is not None and claim.cause == _ID
        of_query = query_claim(usage, group, _ID)
        if not negations(group) or not _matches_few(group):
            continue
        rewrite = 0 if of_query is None else of_query.bytes_won
        finding = _finding(usage, group, rewrite, is_layout=is_layout)
        if finding.bytes_at_stake:
            yield finding


def _matches_few(group: Group) -> bool:
    return group.rows_sampled and group.sums.highest_share < HALF


def _listed(group: Group) -> list[Condition]:
    """Negated conditions to replace by lists of wanted values, the most selective first. Includes
    conditions that most rows match only if all are such."""
    conditions = sorted(negations(group), key=lambda c: 1.0 if c.share is None else c.share)
    few = [c for c in conditions if c.share is not None and c.share < HALF]
    return few or conditions


def _finding(usage: TableUsage, group: Group, rewrite: int, *, is_layout: bool) -> Finding:
    conditions = _listed(group)
    columns = columns_in(conditions)
    order = (bytes_lost_by_order(group, columns[0]) or 0) if is_layout else 0
    listed = _bytes_lost_by_list(group, conditions) if order else 0
    if listed:
        order, rewrite = 0, rewrite + listed
    stake = order + rewrite
    return of_group(
        usage,
        group,
        _ID,
        confidence=Confidence.MEDIUM,
        conjunct=originals(conditions),
        columns=columns,
        lost_at="data_files",
        sentence=(
            f"The filter only excludes values of {', '.join(columns)}: {_ruled_out(group)}. "
            f"{_better(conditions)}."
        ),
        bytes_at_stake=stake,
        evidence={
            "share_matching_at_most": round(group.sums.highest_share, 4),
            "bytes_by_rewrite": rewrite,
            "bytes_by_order": order,
        },
        fix=Fix(
            rewrite=" AND ".join(dict.fromkeys(_instead(group, conditions))) or None,
            advice=_advice(group, conditions, is_layout=bool(order), is_first=bool(listed)),
            change=Change(order=columns[:1], files=Files.ALL) if order else KEPT,
            wish=Wish(bytes_by_order=order),
        ),
    )


def _bytes_lost_by_list(group: Group, conditions: list[Condition]) -> int:
    """Bytes that scans would skip if they listed the wanted values, if few sampled files hold
    these: bounds of other files may be unwanted values, and rule out nothing until then. 0 if other
    conditions take part in that, or if ranges are wanted."""
    if len(conditions) != len(negations(group)) or len(columns_in(conditions)) > 1:
        return 0
    if any(map(_is_of_beginnings, conditions)):
        return 0
    won, total = 0.0, group.bytes_total / group.count
    for scan in group.sample:
        # Of what no file was seen to hold there is nothing to list.
        if scan.matching is None or not 0 < scan.matching.holding <= MUCH:
            return 0
        won += max(0.0, (scan.bytes_allowed or 0) - scan.matching.holding * total)
    return min(round(group.extrapolated(won)), group.bytes_lost_by_layout or 0)


def _advice(group: Group, conditions: list[Condition], *, is_layout: bool, is_first: bool) -> str:
    if is_first:
        rows = (
            "Few of the sampled files hold the wanted values now. Write the list, and audit again "
            "before you sort."
        )
    elif is_layout:
        rows = (
            "Files are skipped only if few of them hold the wanted values. Sort the table by the "
            "column."
        )
    else:
        enough = "the ranges are" if _are_of_beginnings(conditions) else "the list is"
        rows = f"Few files hold the wanted values now; {enough} enough."
    return with_its_place(rows, group, columns_in(conditions))


def _ruled_out(group: Group) -> str:
    return (
        "hardly any file can be ruled out"
        if group.reads_most
        else "only files with no other value are skipped"
    )


def _better(conditions: list[Condition]) -> str:
    if all(map(_is_boolean, conditions)):
        return "A filter on the wanted value prunes better"
    if not _are_of_beginnings(conditions):
        return "A list of the few wanted values prunes better"
    if all(condition.pushed for condition in conditions):
        return "The few wanted values are together only in a sorted table"
    return "Ranges before and after them prune better"


def _instead(group: Group, conditions: list[Condition]) -> Iterator[str]:
    """Equivalent conditions on the wanted values, with nulls if the condition selects them: a list,
    or all texts before and after a prefix, unless planners are given the negated prefix as it
    is."""
    columns = columns_in(conditions)
    for condition in conditions:
        if not _is_of_beginnings(condition):
            column = identifier(group, condition.columns[0], columns)
            wanted = f"{column} = ?" if _is_boolean(condition) else f"{column} IN (?)"
            yield f"({wanted} OR {column} IS NULL)" if takes_nulls(condition) else wanted
        elif not condition.pushed:
            yield written(group, condition, together=columns)


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


CAUSE = Cause(
    _ID, "Only negated conditions", find, of_condition=_is_kept_for, of_layout=_claim_of_layout
)
