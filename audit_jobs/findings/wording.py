"""Words of sentences that depend on numbers, and sentences of several causes."""

from __future__ import annotations

SORTED_ONCE = (
    "Rewriting reads and writes the whole table once. Trino sorts within each file it writes, "
    "which separates row groups but not files: prefer Spark's statements."
)
"""What an order of rows costs, and where."""

LEAVE_PARTITIONS = (
    "Leave the partitions: as sampled rows tell, queries would read about as much as now."
)
"""What is said of others that win nothing, as they were tried."""


def scans(count: int, verb: str) -> str:
    """A number of scans and what they do: `1 scan reads`, `1,200 scans read`."""
    return f"1 scan {verb}s" if count == 1 else f"{count:,} scans {verb}"


def other_change(named: str) -> str:
    """What is said of a layout that another change of partitions wins more than."""
    return (
        f"Change the partitions as another finding asks ({named}), which wins more in all, and "
        "audit again after that."
    )
