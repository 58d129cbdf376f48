"""Rejections of one log, in memory that does not grow with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from prunescope.collectors.observed import Rejected
from prunescope.collectors.outcomes import Outcome

EXAMPLES = 10
"""Rejections of one reason in one log that are told one by one."""
MOST_IN_A_ROW = 1_000_000
"""Rejections without a query between them after which a log is none."""

_Record = TypeVar("_Record")


def counted(
    records: Iterable[_Record | Rejected], source: str, path: str
) -> Iterator[_Record | Rejected]:
    """The records of the log at `path`, with the first EXAMPLES rejections of each reason, and at
    the end one for the rest of each, at the log itself, which says how many it stands for. Every
    input is counted once.

    A log of which MOST_IN_A_ROW records in a row are rejected is not read further, which is one
    rejection more (`unreadable_file`).
    """
    seen: dict[str, int] = {}
    last: dict[str, Rejected] = {}
    in_a_row = 0
    for record in records:
        if not isinstance(record, Rejected):
            in_a_row = 0
            yield record
            continue
        in_a_row += record.inputs
        count = seen[record.reason] = seen.get(record.reason, 0) + record.inputs
        if count <= EXAMPLES:
            yield record
        else:
            last[record.reason] = record
        if in_a_row >= MOST_IN_A_ROW:
            message = f"{in_a_row:,} records in a row are no queries; the rest is not read"
            yield Rejected(source, path, Outcome.UNREADABLE_FILE, message)
            break
    for reason, record in last.items():
        more = seen[reason] - EXAMPLES
        yield replace(record, location=path, query_id=None, inputs=more)
