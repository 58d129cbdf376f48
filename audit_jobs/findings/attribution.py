"""Attribution of a group's losses to causes.

Each cause is asked for its claim, in the order of the catalogue, and the first one gets what the
layout loses. A query's loss is divided among the causes of its conditions. No byte is counted
twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from prunescope.audit_jobs.findings.claims import Lack, LayoutClaim, QueryClaim
from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.ruled_out import bytes_ruled_out
from prunescope.audit_jobs.findings.usage import Group, TableUsage


def layout_claim(usage: TableUsage, group: Group) -> LayoutClaim | None:
    """Why the layout makes the scans of a group read more than matches; None where they do not, or
    where nothing tells, and for a table that has no file now, whose old snapshots nothing lays out
    anew."""
    is_empty = usage.health is not None and not usage.health.data_files
    if is_empty or not group.bytes_lost_by_layout:
        return None
    return group.once("layout_claim", lambda: next(_layout_claims(usage, group), None))


def layout_claims(usage: TableUsage, cause: str) -> Iterator[tuple[Group, LayoutClaim]]:
    """The groups whose loss by layout a cause has, each with its claim."""
    return ((group, claim) for group, claim in _claimed(usage) if claim.cause == cause)


def claimed_columns(usage: TableUsage, cause: str) -> dict[str, list[Group]]:
    """The groups whose loss by layout a cause has, by the column that it concerns."""
    return _by_column(layout_claims(usage, cause))


def columns_lacking(usage: TableUsage, lack: Lack) -> dict[str, list[Group]]:
    """The groups that the layout lacks something for, by the column that it concerns."""
    return _by_column((group, claim) for group, claim in _claimed(usage) if claim.lacks is lack)


def _claimed(usage: TableUsage) -> Iterator[tuple[Group, LayoutClaim]]:
    for group in usage.groups:
        claim = layout_claim(usage, group)
        if claim is not None:
            yield group, claim


def _by_column(claims: Iterable[tuple[Group, LayoutClaim]]) -> dict[str, list[Group]]:
    found: dict[str, list[Group]] = {}
    for group, claim in claims:
        found.setdefault(claim.column, []).append(group)
    return found


def bytes_claimed(usage: TableUsage, group: Group) -> int | None:
    """The part of what planners keep that another layout may let them skip, as the cause of a
    group's loss claims; None where nothing tells how many rows match."""
    claim = layout_claim(usage, group)
    if claim is None:
        return None if group.bytes_ideal is None else 0
    return claim.bytes_won


def query_claim(usage: TableUsage, group: Group, cause: str) -> QueryClaim | None:
    """Claim of a cause on the bytes that a group's scans read though the statistics rule them out;
    None if it claims none."""
    return query_claims(usage, group).get(cause)


def query_claims(usage: TableUsage, group: Group) -> Mapping[str, QueryClaim]:
    """Why the scans of a group read what the statistics rule out, by the ids of causes: those of
    its conditions, each with what these win by themselves and the largest before it do not, or
    where no condition has one, that of the filter."""
    if not group.bytes_lost_by_query:
        return {}
    return group.once("query_claims", lambda: _query_claims(usage, group))


def cause_of(usage: TableUsage, group: Group, condition: Condition) -> str | None:
    """Id of the cause for which an engine's planner does not prune by a condition that a planner
    could prune by; None if it prunes, or for another reason."""
    return next(cause for c, cause in _by_condition(usage, group) if c is condition)


def _query_claims(usage: TableUsage, group: Group) -> dict[str, QueryClaim]:
    places: dict[str, list[int]] = {}
    for place, (_, cause) in enumerate(_by_condition(usage, group)):
        if cause is not None:
            places.setdefault(cause, []).append(place)
    left = group.bytes_lost_by_query
    if not places:
        of_filter = (cause.id for cause in usage.causes if cause.of_filter(usage, group))
        return {cause: QueryClaim((), left) for cause in islice(of_filter, 1)}
    alone = {cause: bytes_ruled_out(group, found) for cause, found in places.items()}
    claims = {}
    *_, last = by_bytes = sorted(alone, key=lambda cause: -alone[cause])
    for cause in by_bytes:
        # What a list would rule out that is too long is told by nothing but what is left.
        won = left if cause == last else min(left, alone[cause])
        left -= won
        if won:
            conditions = tuple(group.conditions[place] for place in places[cause])
            claims[cause] = QueryClaim(conditions, won)
    return claims


def _by_condition(usage: TableUsage, group: Group) -> tuple[tuple[Condition, str | None], ...]:
    """The conditions of a group, each with the cause that claims it."""
    return group.once(
        "condition_claims",
        lambda: tuple((c, _claiming(usage, group, c)) for c in group.conditions),
    )


def _claiming(usage: TableUsage, group: Group, condition: Condition) -> str | None:
    found = (cause.id for cause in usage.causes if cause.of_condition(group, condition))
    return next(found, None)


def _layout_claims(usage: TableUsage, group: Group) -> Iterator[LayoutClaim]:
    claims = (cause.of_layout(usage, group) for cause in usage.causes)
    return (claim for claim in claims if claim is not None)
