"""How texts begin that queries ask for, beside what bounds keep of them."""

from __future__ import annotations

from audit_jobs.findings.usage import TableUsage
from collectors.tables.metrics_modes import MetricsModes, truncated_to

USUAL_LENGTH = 16
"""Characters of a text that bounds keep where no property says otherwise."""

_ENOUGH = 5
"""Values that queries have to ask for to show how values begin."""
_NEARLY_ALL = 0.9


def length_kept(mode: str) -> int:
    """How many characters of a text bounds have that are written in a metrics mode."""
    return truncated_to(mode) or USUAL_LENGTH


def are_told_apart(usage: TableUsage, column: str) -> bool:
    """Whether the values of a column that queries ask for differ within what bounds keep: if files
    begin with one value then, it is because many rows have it, and longer bounds tell no more."""
    values = usage.texts_asked.get(column, frozenset())
    length = length_kept(MetricsModes.of(usage.metadata).mode(column))
    cut = {value.decode(errors="replace")[:length] for value in values}
    return len(values) >= _ENOUGH and len(cut) >= _NEARLY_ALL * len(values)
