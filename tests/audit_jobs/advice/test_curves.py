"""The Z-order, against rows that are placed one by one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from prunescope.audit_jobs.advice.curves import curve_places
from prunescope.audit_jobs.findings.statements import has_curve
from tests.audit_jobs.advice.samples import rows_of

SIDE = 16


def _grid() -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.stack([axis.ravel() for axis in np.meshgrid(*[np.arange(SIDE)] * 2, indexing="ij")])


def _places(values: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> list[int]:
    names = [f"c{number}" for number in range(len(values))]
    rows = rows_of(
        {name: pa.array(column) for name, column in zip(names, values, strict=True)},
        dict.fromkeys(names, "long"),
    )
    places: list[int] = curve_places(list(rows.columns.values())).tolist()
    return places


def test_z_order_interleaves_bits() -> None:
    cells = _grid()

    def index(x: int, y: int) -> int:
        pairs = zip(f"{x:04b}", f"{y:04b}", strict=True)
        return int("".join(a + b for a, b in pairs), 2)

    expected = [index(int(x), int(y)) for x, y in cells.T]
    assert _places(cells) == expected


def test_a_column_of_large_numbers_outweighs_one_of_small_ones() -> None:
    """As in Iceberg: the high bits of the large ones come before any of the small ones."""
    values = np.array([[0, 2**40, 0, 2**40], [3, 0, 0, 3]])
    places = _places(values)
    assert max(places[0], places[2]) < min(places[1], places[3])


@pytest.mark.parametrize(
    ("column", "kind", "expected"),
    [
        *(("a", kind, True) for kind in ("int", "long", "string", "date", "timestamptz")),
        ("a", "fixed[4]", True),
        *(("a", kind, False) for kind in ("timestamp", "decimal(9, 2)", "time", "timestamptz_ns")),
        ("of_struct.a", "int", False),
    ],
)
def test_columns_that_spark_orders(column: str, kind: str, expected: bool) -> None:
    assert has_curve(column, kind) is expected
