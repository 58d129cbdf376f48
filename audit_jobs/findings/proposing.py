"""The layouts that a table could have instead of its own, of which one is chosen: what its findings
ask for, and what may serve several of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations

from prunescope.audit_jobs.findings.alignment import droppable_fields, is_well_known
from prunescope.audit_jobs.findings.disturbance import columns_in_order
from prunescope.audit_jobs.findings.granularity import time_transform
from prunescope.audit_jobs.findings.model import KEPT, Change, Files, Finding
from prunescope.audit_jobs.findings.ranges_of_values import are_in_ranges, roundings
from prunescope.audit_jobs.findings.sorting import compared_columns
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.tuning import COLUMNS_ASKED, FIELDS_ASKED

_CURVED = (2, 3)
"""Numbers of columns of which Z-orders are proposed: of more, each tells too little apart."""


def wish_of(finding: Finding) -> Change | None:
    """The change of the layout that a finding asks for, or would ask for if more windows were
    known; None if it asks for none, or nobody needs to be told."""
    if finding.suppressed is not None:
        return None
    return finding.fix.change if finding.fix.change.moves_rows else finding.fix.wish.withheld


def merges_in_order(finding: Finding) -> bool:
    """True if a finding merges small files and keeps their rows in order, which moves rows."""
    change = finding.fix.change
    return finding.suppressed is None and change.files is Files.SMALL and bool(change.keeps)


def any_of_fields(finding: Finding) -> tuple[Change, ...]:
    """The changes of which a finding wishes for any, with all else that its own does."""
    own = finding.fix.change
    fields = ((one.added, one.dropped) for one in finding.fix.wish.any_of)
    return tuple(replace(own, added=added, dropped=dropped) for added, dropped in fields)


def in_present_fields(wish: Change) -> Change:
    """A wish for coarser fields with the present ones in their place, to which it is compared."""
    return Change(added=wish.dropped, dropped=wish.dropped, files=Files.ALL)


def columns_that_move(usage: TableUsage, change: Change) -> tuple[str, ...]:
    """The columns by which a change partitions rows anew though statements change their values:
    rows would move between partitions, and a statement would rewrite several of these."""
    dropped = {name for _, name in change.dropped}
    names = dict.fromkeys(name for _, name in change.added if name not in dropped)
    return tuple(name for name in names if name in usage.changing)


def in_steady_fields(usage: TableUsage, wish: Change) -> Change:
    """A change that has rows in order of columns in the place of partitions by them, if statements
    change their values; KEPT where nothing is left, as buckets have no order. Any other change is
    as it was. Fields that were to make room still go if the table is known well enough for it."""
    names = columns_that_move(usage, wish)
    if not names:
        return wish
    steady = tuple(field for field in wish.added if field[1] not in names)
    order = tuple(dict.fromkeys([*_in_order_of(wish, names), *wish.order]))
    if not steady and not order:
        return KEPT
    dropped = wish.dropped if is_well_known(usage) else ()
    return replace(wish, added=steady, dropped=dropped, order=order, keeps=())


def proposed(usage: TableUsage, findings: Sequence[Finding]) -> tuple[Change, ...]:
    """Lists each change once, first those that findings ask for, in steady fields; of any of
    several all, by themselves. Orders are sorts by a column and by two, also by ranges of the
    first, and Z-orders, in the present partitions; in others, which are asked for, suit a time that
    is asked for, or lack fields that nobody reads, they are sorts."""
    wishing = [(one, wish) for one in findings if (wish := wish_of(one)) is not None]
    any_of = [change for one, _ in wishing for change in any_of_fields(one)]
    wishing = [each for each in wishing if not each[0].fix.wish.any_of]
    steady = [(one, in_steady_fields(usage, wish)) for one, wish in wishing]
    asking = [each for each in steady if each[1] != KEPT]
    asking.sort(key=lambda one: (-(one[0].bytes_at_stake or 0), repr(one[1])))
    wishes = [wish for _, wish in asking]
    if not wishes:
        return tuple(any_of)
    asked = [*dict.fromkeys(name for one in asking for name in _columns_of(*one))]
    columns = [*dict.fromkeys([*asked[:COLUMNS_ASKED], *_columns_beside(usage)])][
        : COLUMNS_ASKED + 1
    ]
    pairs = [pair for pair in permutations(columns, 2) if {*pair} & {*asked}] if asked else []
    sorts = [*(_sort(name) for name in asked), *(_sort(*pair) for pair in pairs)]
    fields = [*dict.fromkeys(_fields_alone(wish) for wish in wishes if wish.changes_fields)]
    fields = [*fields[:FIELDS_ASKED], *_together(fields[:FIELDS_ASKED])]
    fields += _fields_unasked(usage, asked)
    in_fields = [_in_order(change, order) for change in fields for order in sorts]
    if not sorts:  # fields go, and rows may come in order of what is filtered
        gone = [change for change in fields if not change.added]
        in_fields = [_in_order(change, _sort(name)) for change in gone for name in columns]
    ranges_and_curves = _ranges_and_curves(usage, pairs)
    return tuple(dict.fromkeys([*wishes, *any_of, *sorts, *ranges_and_curves, *fields, *in_fields]))


def _columns_beside(usage: TableUsage) -> Iterator[str]:
    """The column by whose order scans skip most now, if any, often a time, as rows come; then what
    filters compare, as the layout loses bytes to them."""
    yield from columns_in_order(usage)[:1]
    lost: dict[str, int] = {}
    for group in usage.groups:
        for name in compared_columns(group) if group.bytes_lost_by_layout else ():
            lost[name] = lost.get(name, 0) + (group.bytes_lost_by_layout or 0)
    yield from sorted(lost, key=lambda name: (-lost[name], name))


def _ranges_and_curves(usage: TableUsage, pairs: Sequence[tuple[str, str]]) -> Iterator[Change]:
    """Orders that Trino has not: a Z-order is none that a table keeps, either."""
    for pair in pairs:
        if not are_in_ranges(usage, pair):
            yield from (replace(_sort(*pair), rounded=of) for of in roundings(usage, pair[0]))
    columns = dict.fromkeys(name for pair in pairs for name in pair)
    for size in _CURVED:
        for some in combinations(columns, size):
            yield replace(_sort(*sorted(some)), is_zorder=True)


def _fields_unasked(usage: TableUsage, asked: Iterable[str]) -> Iterator[Change]:
    """Changes of partitions that no cause asks for: without those that nobody reads, and by the
    first time that suits, of the columns that are asked for, in their place, or where there are
    none. One that rows come in order of would be no choice: the newest partition is small today,
    and asked for most. Nor is one that rows may be without, as they get such a time later, and
    would move to another partition, as by one that statements change; nor any where partitions are
    overwritten."""
    if usage.overwrites:
        return
    unread = tuple(
        (field.transform, usage.names[field.source_id])
        for field in droppable_fields(usage)
        if field.source_id in usage.names
    )
    if unread:
        yield Change(dropped=unread, files=Files.ALL)
    if len(unread) < len(usage.partition_fields):
        return
    partitions = None if usage.health is None else usage.health.partitions
    for name in asked:
        groups = [group for group in usage.groups if name in compared_columns(group)]
        known = usage.column(name)
        if known is None or known.with_null or name in usage.changing:
            continue
        transform = time_transform(usage, groups, name, replaced=partitions or 1)
        if transform is not None:
            yield Change(added=((transform, name),), dropped=unread, files=Files.ALL)
            return


def _columns_of(finding: Finding, wish: Change) -> Iterator[str]:
    """The columns by which a change tells rows apart, but for buckets, which have no order; of old
    files that are to be written anew, those that are asked for."""
    yield from wish.order
    yield from _in_order_of(wish, [name for _, name in wish.added])
    if wish.rewrites:
        yield from finding.columns


def _in_order_of(wish: Change, names: Iterable[str]) -> Iterator[str]:
    """Selects the columns of which a change has partitions that follow an order."""
    ordered = {name for transform, name in wish.added if not transform.startswith("bucket[")}
    yield from (name for name in names if name in ordered)


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
