"""The layouts that a table could have instead of its own, of which one is chosen: what its findings
ask for, and what may serve several of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations

from audit_jobs.findings.disturbance import columns_in_order
from audit_jobs.findings.model import Change, Files, Finding
from audit_jobs.findings.ranges_of_values import are_in_ranges, roundings
from audit_jobs.findings.usage import TableUsage

_COLUMNS = 3
"""Columns that findings ask for, of which orders are proposed, beside one by which rows lie now."""
_FIELDS = 2
"""Changes of partitions, those first that are to win most, of which each is proposed with
orders, and both together."""
_CURVED = (2, 3)
"""Numbers of columns of which Z-orders are proposed: of more, each tells too little apart."""


def wish_of(finding: Finding) -> Change | None:
    """The change of the layout that a finding asks for, or would ask for if more windows were
    known; None if it asks for none, or nobody needs to be told."""
    if finding.suppressed is not None:
        return None
    return finding.fix.change if finding.fix.change.moves_rows else finding.fix.wish.withheld


def proposed(usage: TableUsage, findings: Sequence[Finding]) -> tuple[Change, ...]:
    """Each change once, those first that findings ask for. Orders are sorts by each column that is
    asked for, and by two of them, also by ranges of the first, and Z-orders; rows have each in the
    present partitions, and in others that are asked for."""
    asking = sorted(
        (finding for finding in findings if wish_of(finding) is not None),
        key=lambda one: -(one.bytes_at_stake or 0),
    )
    wishes = [wish for one in asking if (wish := wish_of(one)) is not None]
    orders = [*_orders(usage, wishes)]
    fields = [*dict.fromkeys(_fields_alone(wish) for wish in wishes if wish.changes_fields)]
    several = [*fields[:_FIELDS], *_together(fields[:_FIELDS])]
    with_orders = [_in_order(change, order) for change in several for order in orders]
    return tuple(dict.fromkeys([*wishes, *orders, *several, *with_orders]))


def _orders(usage: TableUsage, wishes: Iterable[Change]) -> Iterator[Change]:
    asked = dict.fromkeys(name for wish in wishes for name in _columns_of(wish))
    if not asked:
        return
    columns = [*dict.fromkeys([*[*asked][:_COLUMNS], *columns_in_order(usage)[:1]])]
    yield from (_sort(name) for name in asked)
    for pair in permutations(columns, 2):
        yield _sort(*pair)
        if not are_in_ranges(usage, pair):
            yield from (replace(_sort(*pair), rounded=of) for of in roundings(usage, pair[0]))
    for size in _CURVED:
        for some in combinations(columns, size):
            yield replace(_sort(*sorted(some)), is_zorder=True)


def _columns_of(wish: Change) -> Iterator[str]:
    """The columns by which a change tells rows apart, but for buckets, which have no order."""
    yield from wish.order
    yield from (name for transform, name in wish.added if not transform.startswith("bucket["))


def _sort(*columns: str) -> Change:
    return Change(order=columns, files=Files.ALL)


def _fields_alone(wish: Change) -> Change:
    return Change(added=wish.added, dropped=wish.dropped, keeps=wish.keeps, files=Files.ALL)


def _together(changes: Sequence[Change]) -> Iterator[Change]:
    """All fields of several changes, where none of them takes the place of another."""
    names = [name for change in changes for _, name in change.added]
    if len(changes) > 1 and len(set(names)) == len(names) and all(one.added for one in changes):
        yield replace(
            changes[0],
            added=tuple(field for change in changes for field in change.added),
            dropped=tuple(dict.fromkeys(field for change in changes for field in change.dropped)),
        )


def _in_order(change: Change, order: Change) -> Change:
    return replace(order, added=change.added, dropped=change.dropped)
