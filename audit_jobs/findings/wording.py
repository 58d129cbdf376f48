"""Words of sentences that depend on numbers, and sentences of several causes."""

from __future__ import annotations

from collections.abc import Sequence

from prunescope.audit_jobs.findings.model import Change, Field, Times
from prunescope.audit_jobs.findings.statements import moment

SORTED_ONCE = (
    "Prefer Spark. Trino sorts within each file, which helps row groups but does not cluster "
    "files. Cost: one rewrite of the whole table."
)
"""The cost of an order of rows, and the place where it is paid."""

ASK_FIRST = (
    "Ask the table's writers first: joins, retention and overwrites may rely on these partitions. "
    "Cost: one rewrite of the whole table."
)
MORE_WINDOWS = (
    "Fields are dropped only after audits of seven days. Weekly or monthly queries may need them."
)

_ONCE = "Cost: one rewrite of the whole table."
_RANGES = f"{_ONCE} Trino has no such order."
_ZORDER = (
    f"{_ONCE} A Z-order is not a sort order of the table: new files do not have it, so rewrite "
    f"them as the table grows (limit it with `where => …`). Trino has no Z-order."
)

_PART = (
    "Prefer Spark. Trino sorts within each file, which helps row groups but does not cluster "
    "files. Cost: one rewrite of the files of these times, where scans could skip most. Other "
    "files stay."
)

LEAVE_LAYOUT = "Keep the layout: on sampled rows, queries would read about as much as now."
"""Advice about layouts that win nothing, as they were tried."""


def advice_of(change: Change) -> str:
    """Returns what a change of the layout costs, and what to mind."""
    if change.where is not None:
        return _PART
    if change.dropped:
        return ASK_FIRST
    if not change.order:
        return _ONCE
    if change.is_zorder:
        return _ZORDER
    return SORTED_ONCE if change.rounded == "identity" else _RANGES


def times(of: Times | None) -> str:
    """Says where files are rewritten: ` where day >= 2026-03-01`, or nothing."""
    if of is None:
        return ""
    ends = ((">=", of.start), ("<", of.until))
    told = [f"{of.column} {sign} {_moment(of, end)}" for sign, end in ends if end is not None]
    return f" where {' and '.join(told)}"


def _moment(of: Times, end: int) -> str:
    return moment(of.type, end).removesuffix(" 00:00:00")


def field(of: Field) -> str:
    """A partition field: `day(ts)`, `bucket(16, id)`, or its column."""
    transform, column = of
    name, _, width = transform.rstrip("]").partition("[")
    if name == "identity":
        return column
    return f"{name}({width}, {column})" if width else f"{name}({column})"


def layout(change: Change) -> str:
    """Says where rows lie: `sorted by id`, `partitioned by day(ts) and in a Z-order by a, b`."""
    parts = []
    if change.added:
        parts.append(f"partitioned by {', '.join(map(field, change.added))}")
    elif change.dropped:
        fields = ", ".join(map(field, change.dropped))
        parts.append(f"without the partition field {fields}")
    elif change.rewrites:
        parts.append("with old files in the present partitions")
    elif change.keeps:
        parts.append(f"with bounds, in order of {', '.join(change.keeps)}")
    if change.order:
        how = "in a Z-order by" if change.is_zorder else "sorted by"
        ranges = "" if change.rounded == "identity" else "ranges of "
        parts.append(f"{how} {ranges}{', '.join(change.order)}{times(change.where)}")
    return " and ".join(parts)


def moving(columns: Sequence[str]) -> str:
    """Says why there are no partitions by columns whose values change."""
    return (
        f"Not partitioned by {', '.join(columns)}: UPDATE or MERGE changes the values, and rows "
        "would move between partitions."
    )


def once_written(change: Change) -> str:
    """Advice on a change that is worth it only once conditions are written otherwise."""
    return (
        "Write the conditions that the engine does not use as their findings say first, and audit "
        f"again: {layout(change)}, the table serves them only then, and others lose more by it "
        "than is won until then."
    )


def scans(count: int, verb: str) -> str:
    """A number of scans and what they do: `1 scan reads`, `1,200 scans read`."""
    return f"1 scan {verb}s" if count == 1 else f"{count:,} scans {verb}"
