"""An OR over several columns, of which Trino gives the planner nothing.

Spark pushes it, and by bounds UNION ALL would win nothing there: a planner keeps for an OR the
files that it keeps for any arm. What buckets tell of one arm by itself is not counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from prunescope.audit_jobs.findings.added_conditions import with_its_place
from prunescope.audit_jobs.findings.attribution import query_claim
from prunescope.audit_jobs.findings.building import of_group
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import QueryClaim
from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.engines import written
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix
from prunescope.audit_jobs.findings.partition_values import as_far_as_planned
from prunescope.audit_jobs.findings.parts import in_parts, where_parts_stand
from prunescope.audit_jobs.findings.unpushed import is_across_columns, unpushed_comparisons
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.collectors.predicates.by_column import by_column
from prunescope.collectors.predicates.model import TRUE, Or, Predicate, any_of
from prunescope.collectors.predicates.walks import comparisons

_ID = "or_across_columns"


def _is_across_columns(group: Group, condition: Condition) -> bool:
    return is_across_columns(group, unpushed_comparisons(condition))


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per group that reads files which every arm of an OR rules out."""
    for group in usage.groups:
        if claim := query_claim(usage, group, _ID):
            yield as_far_as_planned(usage, group, _finding(usage, group, claim))


def _finding(usage: TableUsage, group: Group, claim: QueryClaim) -> Finding:
    condition = claim.conditions[0]
    arms = len(_arms(condition))
    part = claim.bytes_won / group.bytes_lost_by_query
    stake = _bytes_saved(group, arms, part)
    return of_group(
        usage,
        group,
        _ID,
        confidence=Confidence.HIGH,
        conjunct=condition.text,
        columns=condition.columns,
        lost_at="manifests" if usage.partition_fields_of(condition) else "data_files",
        sentence=(
            f"The filter combines {', '.join(condition.columns)} with OR. Trino pushes one domain "
            f"per column{_left(condition)}."
        ),
        bytes_at_stake=stake,
        evidence={
            "arms": arms,
            "bytes_at_stake_at_least": _bytes_saved(group, arms, part, apart=False),
            "bytes_at_stake_at_most": claim.bytes_won,
        },
        fix=Fix(
            rewrite=_union(group, condition),
            advice=with_its_place(
                f"{where_parts_stand(group)} Each part prunes by its own arm. A file that several "
                "arms need is read by each; the bytes at stake allow for that by chance.",
                group,
                condition.columns,
            ),
        ),
    )


def _left(condition: Condition) -> str:
    """Words for what an engine keeps of an OR across columns."""
    if by_column(condition.predicate) == TRUE:
        return " and drops this OR: nothing is pruned"
    return ", which combines what any arm asks of one with what any other asks of the next"


def _bytes_saved(group: Group, arms: int, part: float, *, apart: bool = True) -> int:
    """Bytes that a UNION ALL skips for an OR that has a share `part` of the query's loss. Each of
    its SELECTs reads at most what the statistics allow for the whole OR. With arms `apart`, which
    share files only by chance, and are equally selective, each reads 1 - (1 - k)^(1/n) of the
    table, if n arms together need the share k."""
    saved = 0.0
    for scan in group.sample:
        if scan.bytes_allowed is not None and scan.bytes_read:
            together = 1 - part * (1 - scan.bytes_allowed / scan.bytes_read)
            each = 1 - (1 - together) ** (1 / arms) if apart else together
            saved += max(0.0, scan.bytes_read * (1 - arms * each))
    return round(group.extrapolated(saved))


def _union(group: Group, condition: Condition) -> str | None:
    """A part for each arm, without the rows of the arms before."""
    arms = [_in_brackets(group, condition, arm) for arm in _arms(condition)]
    parts = [
        " AND ".join([arm, *(f"NOT coalesce({other[1:-1]}, FALSE)" for other in arms[:place])])
        for place, arm in enumerate(arms)
    ]
    return in_parts(group, parts)


def _in_brackets(group: Group, condition: Condition, arm: Predicate) -> str:
    text = written(group, condition, arm, condition.columns)
    return text if isinstance(arm, Or) else f"({text})"


def _arms(condition: Condition) -> list[Predicate]:
    """Arms of an OR, with those on one column joined: the planner has these as one condition, and
    values of one column do not share buckets by chance alone."""
    assert isinstance(condition.predicate, Or)
    found: dict[Hashable, list[Predicate]] = {}
    for arm in condition.predicate.children:
        fields = {leaf.field.field_id for leaf in comparisons(arm)}
        found.setdefault(fields.pop() if len(fields) == 1 else arm, []).append(arm)
    return [any_of(*arms) for arms in found.values()]


CAUSE = Cause(_ID, "OR across columns", find, of_condition=_is_across_columns)
