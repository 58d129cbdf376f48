"""How texts begin that queries ask for, beside what bounds keep of them that files have, where most
of these are cut short: as long as they are by default, whatever the table asks for since."""

from __future__ import annotations

from audit_jobs.findings.usage import TableUsage
from audit_jobs.tuning import ENOUGH_VALUES, HALF, NEARLY_ALL
from collectors.predicates.model import BoundComparison

USUAL_LENGTH = 16
"""Characters of a text that bounds keep where no property says otherwise, to which those are cut
that count as common."""


def are_told_apart(usage: TableUsage, column: str) -> bool:
    """Whether the values of a column that queries ask for differ within what bounds keep: if files
    begin with one value then, it is because many rows have it, and longer bounds tell no more. Few
    values show it where none begins as the lowest of all does, and most files range over others."""
    values = usage.texts_asked.get(column, frozenset())
    cut = {_cut(value) for value in values}
    if len(values) >= ENOUGH_VALUES:
        return len(cut) >= NEARLY_ALL * len(values)
    known = None if usage.health is None else usage.health.column(column)
    if known is None or (known.overlap or 0) <= HALF or not isinstance(known.low, bytes):
        return False
    return bool(cut) and _cut(known.low) not in cut


def is_kept_whole(condition: BoundComparison) -> bool:
    """Whether bounds keep as many characters as a condition asks for, as of the beginning of a
    text; what asks for nulls asks for none."""
    texts = [value for value in condition.values if isinstance(value, bytes)]
    return all(len(text.decode(errors="replace")) <= USUAL_LENGTH for text in texts)


def _cut(value: bytes) -> str:
    return value.decode(errors="replace")[:USUAL_LENGTH]
