"""Comparison of the texts that queries ask for with file bounds, most of which are truncated: to
the default length, whatever the table's properties ask for since."""

from __future__ import annotations

from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.tuning import ENOUGH_VALUES, HALF, NEARLY_ALL
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.tables.metrics_modes import USUAL_LENGTH


def are_told_apart(usage: TableUsage, column: str) -> bool:
    """True if the texts that queries ask for differ within the length that bounds keep. If files
    begin with one value then, many rows have it, and longer bounds would not help. With few such
    texts, none may begin as the table's lowest does, and most files must overlap."""
    values = usage.texts_asked.get(column, frozenset())
    cut = {_cut(value) for value in values}
    if len(values) >= ENOUGH_VALUES:
        return len(cut) >= NEARLY_ALL * len(values)
    known = usage.column(column)
    if known is None or (known.overlap or 0) <= HALF or not isinstance(known.low, bytes):
        return False
    return bool(cut) and _cut(known.low) not in cut


def is_kept_whole(condition: BoundComparison) -> bool:
    """True if bounds keep all characters of a condition's texts. True for a condition on nulls,
    which has no text."""
    texts = [value for value in condition.values if isinstance(value, bytes)]
    return all(len(text.decode(errors="replace")) <= USUAL_LENGTH for text in texts)


def _cut(value: bytes) -> str:
    return value.decode(errors="replace")[:USUAL_LENGTH]
