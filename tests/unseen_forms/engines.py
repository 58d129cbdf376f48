"""Which rows a form matches, as an engine says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import pyarrow as pa

from tests.unseen_forms.arrow_rows import NUMBER, table_of
from tests.unseen_forms.forms import Form
from tests.unseen_forms.value_sets import Row

Matching = Callable[[Form, pa.Table], AbstractSet[int]]


class QueryFailedError(Exception):
    """An engine refused a condition, or failed at a row."""


@dataclass(frozen=True)
class Answer:
    """Numbers of the rows that match, and of those at which the condition raises an error."""

    matching: AbstractSet[int]
    failing: AbstractSet[int]


def answer(matching: Matching, form: Form, rows: Sequence[Row]) -> Answer:
    """Rows that match by an engine: where it fails, halves are asked until single rows fail."""
    table = table_of(form.columns, rows)
    matched: set[int] = set()
    failing: set[int] = set()
    parts = [table]
    while parts:
        part = parts.pop()
        try:
            matched |= matching(form, part)
        except QueryFailedError:
            if part.num_rows == 1:
                failing.add(part[NUMBER][0].as_py())
            else:
                half = part.num_rows // 2
                parts += [part.slice(0, half), part.slice(half)]
    return Answer(matched, failing)
