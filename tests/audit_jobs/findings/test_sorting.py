"""What a sort wins for lists of values."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.findings.sample import SampledConjunct, SampledScan
from prunescope.audit_jobs.findings.sorting import files_of_list, share_of_column
from prunescope.audit_jobs.health.model import ColumnHealth
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import BoundComparison, Predicate
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import ID, KEY, NAME, compared, table

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


IS_A = compared(NAME, Op.EQ, b"m")
IS_KNOWN = BoundComparison(Op.NOT_NULL, NAME, ())
ABOVE, BELOW = compared(ID, Op.GT_EQ, 500_000), compared(ID, Op.LT, 510_000)


@pytest.mark.parametrize(
    ("parts", "column", "expected"),
    [
        pytest.param([(IS_A, 0.02)], "name", 0.02, id="as sampled"),
        # Spark says of each column that it compares that it is not null.
        pytest.param([(IS_A, 0.02), (IS_KNOWN, 1.0)], "name", 0.02, id="beside one that all match"),
        pytest.param([(ABOVE, 0.5), (BELOW, 0.51)], "id", 0.01, id="both ends of a range"),
        pytest.param([(ABOVE, 0.5), (BELOW, 0.0005)], "id", 0.001, id="no less than the filter"),
        pytest.param([(IS_A, None), (IS_KNOWN, None)], "name", 1.0, id="nothing tells"),
    ],
)
def test_share_of_conditions_on_a_column(
    parts: list[tuple[Predicate, float | None]], column: str, expected: float
) -> None:
    other = (compared(KEY, Op.EQ, b"0123456789abcdef"), 0.9)
    conjuncts = tuple(
        SampledConjunct(predicate, "x = ?", "unenforced", True, 0, 1.0, share)
        for predicate, share in [*parts, other]
    )
    scan = SampledScan(1, "spark", frozenset(), conjuncts, 0.001, 100, 1, None)
    assert share_of_column(scan, table(), column) == pytest.approx(expected, rel=0.01)
