"""Choice of a table's layout: of those tried on its whole workload, the simplest that wins about as
much as the best one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from prunescope.audit_jobs.findings.disturbance import columns_in_order
from prunescope.audit_jobs.findings.model import KEPT, Change, Finding
from prunescope.audit_jobs.findings.proposing import in_present_fields, wish_of
from prunescope.audit_jobs.findings.trials import Tried
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.tuning import ALIKE, HALF, MUCH, POINT
from prunescope.collectors.types import NANOS_PER_UNIT

ROW_GROUPS = "row_groups"
"""The pass whose losses trials of files do not show."""


def chosen(
    usage: TableUsage,
    findings: Sequence[Finding],
    proposals: Iterable[Change],
    tried: Mapping[Change, Tried],
) -> Change:
    """The change of the layout, KEPT where none wins more than a few points of what scans read.
    What wins as much as another one, but for so much, is as good: of those the simplest is chosen,
    then what wins most, to a point, and then, as it has to be one, that of fewer columns. None by
    which scans cost more in all is. Of what could not be tried, the findings that ask for it tell
    what it wins, unless scans skip files by another order now. Of changes that write more anew than
    a night may, one is chosen only where no other is worth it."""
    known = {KEPT: 0}
    for change in proposals:
        won = bytes_won(usage, findings, change, tried)
        if won is not None:
            known[change] = won
    read = _read_at_most(usage)
    worth = _keeping_times(usage, _of_night(usage, known, tried), read)
    alike = [one for one, won in worth.items() if won >= max(worth.values()) - ALIKE * read]
    simplest = min(map(_effort, alike))
    same = [one for one in alike if _effort(one) == simplest]
    least = max(worth[one] for one in same) - POINT * read
    near = [one for one in same if worth[one] >= least]
    return min(near, key=lambda one: (len(one.order), repr(one)))


def is_of_night(usage: TableUsage, change: Change, tried: Mapping[Change, Tried]) -> bool:
    """Tells whether a change writes no more anew than a night may."""
    known, most = tried.get(change.layout), usage.part_of_night
    return most is None or change == KEPT or (known is not None and known.rewritten <= most)


def _of_night(
    usage: TableUsage, worth: Mapping[Change, int], tried: Mapping[Change, Tried]
) -> Mapping[Change, int]:
    """The changes that a night may make, where one of them is worth telling of."""
    least = usage.thresholds.min_share * usage.bytes_read
    inside = {one: won for one, won in worth.items() if is_of_night(usage, one, tried)}
    return inside if max(inside.values()) > least else worth


def _read_at_most(usage: TableUsage) -> float:
    """Sums what all scans read, or would as in the earlier window in which their queries skipped
    least: what is little beside that stays little once most of it was won."""
    return sum(max(_bytes_read(usage, group)) for group in usage.groups)


def _bytes_read(usage: TableUsage, group: Group) -> Iterator[float]:
    yield group.bytes_read
    for window in usage.history.get(group.fingerprint or "", ()):
        yield (window.kept_ratio or 0.0) * group.bytes_total


def _keeping_times(
    usage: TableUsage, worth: Mapping[Change, int], read: float
) -> Mapping[Change, int]:
    """Gains of changes, without those that drop partitions of a time and win little more than the
    best other change, if that one wins anything: logs do not show other uses of such partitions,
    such as retention."""
    going = {change for change in worth if _drops_times(usage, change)}
    most = max(won for change, won in worth.items() if change not in going)
    if most <= ALIKE * read:
        return worth
    least = most + MUCH * read
    return {one: won for one, won in worth.items() if one not in going or won > least}


def _drops_times(usage: TableUsage, change: Change) -> bool:
    """Tells whether fields of a time go, and nothing of their columns comes."""
    types = {column.name: column.type for column in usage.schema.columns}
    added = {name for _, name in change.added}
    return any(
        types.get(name) in NANOS_PER_UNIT and name not in added for _, name in change.dropped
    )


def bytes_won(
    usage: TableUsage,
    findings: Sequence[Finding],
    change: Change,
    tried: Mapping[Change, Tried],
) -> int | None:
    """The bytes that scans read less by a change, net, or as many as opening files counts where it
    is wished for these; None where it costs more, or nothing tells. What some win has to be clearly
    more than what others lose: both are estimates, and these were served."""
    wishing = [(one, wish) for one in findings if (wish := wish_of(one)) is not None]
    inside = sum(
        one.fix.wish.bytes_by_order
        for one, wish in wishing
        if one.lost_at == ROW_GROUPS and change.where is None and wish.order[:1] == change.order[:1]
    )
    known = tried.get(change.layout)
    if known is None:
        if not set(columns_in_order(usage)) <= {*change.order, *change.keeps}:
            return None
        same = [one for one, wish in wishing if wish.layout == change.layout]
        asked = sum(one.bytes_at_stake or 0 for one in same if one.lost_at != ROW_GROUPS)
        return asked + inside if same else None
    if known.is_worse:
        return None
    opened = [_opening_won(usage, one, wish, change, tried) for one, wish in wishing]
    won = known.won + inside + max(opened, default=0)
    return won if known.is_worse_yet or won >= HALF * known.lost.bytes else None


def _opening_won(
    usage: TableUsage,
    finding: Finding,
    wish: Change,
    change: Change,
    tried: Mapping[Change, Tried],
) -> int:
    """The bytes for which the files count that scans need not open, where a finding wishes for a
    change for that. By coarser fields scans have to cost clearly less."""
    wishes = finding.fix.wish.any_of or (wish,)
    own = next((one for one in wishes if one.changes_fields and has_fields_of(change, one)), None)
    if not finding.fix.wish.fewer_files or own is None:
        return 0
    known = tried[change.layout]
    won = opening_won(known, tried.get(in_present_fields(own).layout))
    least = usage.thresholds.min_share * known.cost if finding.fix.wish.any_of else 0
    return max(0, won) if known.won + won >= least else 0


def opening_won(known: Tried, present: Tried | None) -> int:
    """The bytes for which the files count that scans need not open by other fields than the
    `present` ones. Of the partitions of a large table few have sampled rows, so that fewer files
    are seen of either fields. Of the coarser partitions those are unseen, about, of which a sampled
    one would have been alone: as by Good and Turing, if sampled ones fall into them at random."""
    if present is None or present.opening <= present.opening_won:
        return known.opening_won
    now, then = present.opening - present.opening_won, known.opening - known.opening_won
    unsampled = max(0.0, 1 - now / known.opening)
    seen = 1 - unsampled * min(1.0, then / now) ** 2
    return round(known.opening - then / max(seen, POINT))


def has_fields_of(change: Change, wish: Change) -> bool:
    """Tells whether partition fields come and go as another change has it, or more."""
    return {*wish.added} <= {*change.added} and {*wish.dropped} <= {*change.dropped}


def _effort(change: Change) -> tuple[int, int, bool]:
    """Ranks a change, what is simpler first: rows that stay where they are, then partitions of
    another width of the same column, which all writers keep, then a sort, then ranges and Z-orders,
    which Trino has not, and then other fields; of alike ones those that leave files as they are."""
    dropped = {name for _, name in change.dropped}
    added = {name for _, name in change.added}
    kind = int(change.rewrites or bool(change.keeps))
    if dropped & added:
        kind = 2
    if change.order:
        kind += 4 if change.is_zorder or change.rounded != "identity" else 3
    return len(added - dropped) + len(dropped - added), kind, change.where is None
