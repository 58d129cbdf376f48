"""What a sort wins for lists of values."""

from __future__ import annotations

import pytest

from audit_jobs.findings.sorting import files_of_list
from audit_jobs.health.model import ColumnHealth
from collectors.predicates.literals import PhysicalValue

NUMBERS = ColumnHealth(1, "id", "long", 1.0, 1.0, 100.0, 0.0, 0, 0, 1000)
TEXTS = ColumnHealth(1, "name", "string", 1.0, 1.0, 100.0, 0.0, 0, b"a", b"z")


@pytest.mark.parametrize(
    ("values", "column", "files", "touched"),
    [
        ((), NUMBERS, 10.0, 0.0),  # no list
        ((5,), NUMBERS, 10.0, 1.0),
        ((5, 6, 7), NUMBERS, 10.0, 1.0),  # side by side
        ((5, 105, 205, 999), NUMBERS, 10.0, 4.0),  # a file each
        ((5, 5000, -3), NUMBERS, 10.0, 1.0),  # two of them are nowhere
        (tuple(range(0, 1000, 5)), NUMBERS, 10.0, 10.0),
        ((b"a", b"b"), TEXTS, 10.0, 1.9),  # 10 · (1 − 0.9²)
        (tuple(str(n).encode() for n in range(60)), TEXTS, 10.0, 9.98),
        ((b"a", b"b"), None, 10.0, 1.9),
        ((5, 105), NUMBERS, 1.0, 1.0),  # one file holds all
        ((5, 105), NUMBERS, 0.5, 0.5),
    ],
)
def test_files_that_hold_any_value_of_a_list(
    values: tuple[PhysicalValue, ...], column: ColumnHealth | None, files: float, touched: float
) -> None:
    assert files_of_list(values, column, files) == pytest.approx(touched, abs=0.01)
