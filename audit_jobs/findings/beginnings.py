"""How texts begin that queries ask for, beside what bounds keep of them."""

from __future__ import annotations

from audit_jobs.findings.usage import TableUsage
from collectors.predicates.model import BoundComparison
from collectors.tables.metrics_modes import MetricsModes, truncated_to

USUAL_LENGTH = 16
"""Characters of a text that bounds keep where no property says otherwise."""

_ENOUGH = 5
"""Values that queries have to ask for to show how values begin."""
_NEARLY_ALL = 0.9
_MOST = 0.5
"""Of the other files: where a file's range overlaps those of more, its values are of many."""


def length_kept(mode: str) -> int:
    """How many characters of a text bounds have that are written in a metrics mode."""
    return truncated_to(mode) or USUAL_LENGTH


def are_told_apart(usage: TableUsage, column: str) -> bool:
    """Whether the values of a column that queries ask for differ within what bounds keep: if files
    begin with one value then, it is because many rows have it, and longer bounds tell no more. Few
    values show it where none begins as the lowest of all does, and most files range over others."""
    values = usage.texts_asked.get(column, frozenset())
    length = length_kept(MetricsModes.of(usage.metadata).mode(column))
    cut = {_cut(value, length) for value in values}
    if len(values) >= _ENOUGH:
        return len(cut) >= _NEARLY_ALL * len(values)
    known = None if usage.health is None else usage.health.column(column)
    if known is None or (known.overlap or 0) <= _MOST or not isinstance(known.low, bytes):
        return False
    return bool(cut) and _cut(known.low, length) not in cut


def is_kept_whole(usage: TableUsage, condition: BoundComparison) -> bool:
    """Whether bounds keep as many characters as a condition asks for, as of the beginning of a
    text; what asks for nulls asks for none."""
    length = length_kept(MetricsModes.of(usage.metadata).mode(condition.field.name))
    texts = [value for value in condition.values if isinstance(value, bytes)]
    return all(len(text.decode(errors="replace")) <= length for text in texts)


def _cut(value: bytes, length: int) -> str:
    return value.decode(errors="replace")[:length]
