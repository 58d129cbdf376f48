"""Curves, against rows that are placed one by one."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from audit_jobs.advice.candidates import Curve
from audit_jobs.advice.curves import curve_places
from audit_jobs.findings.statements import has_curve
from tests.audit_jobs.advice.samples import rows_of
from tests.workloads.layouts import hilbert

SIDE = 16


def _grid(dimensions: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    side = SIDE if dimensions == 2 else 8
    return np.stack(
        [axis.ravel() for axis in np.meshgrid(*[np.arange(side)] * dimensions, indexing="ij")]
    )


def _places(curve: Curve, values: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> list[int]:
    names = [f"c{number}" for number in range(len(values))]
    rows = rows_of(
        {name: pa.array(column) for name, column in zip(names, values, strict=True)},
        dict.fromkeys(names, "long"),
    )
    places: list[int] = curve_places(curve, list(rows.columns.values())).tolist()
    return places


@pytest.mark.parametrize("dimensions", [2, 3])
def test_neighbours_on_hilberts_curve_are_neighbours(dimensions: int) -> None:
    cells = _grid(dimensions)
    places = _places(Curve.HILBERT, cells)

    assert sorted(places) == list(range(cells.shape[1]))
    in_order = cells[:, np.argsort(places)].T
    assert all(np.abs(a - b).sum() == 1 for a, b in pairwise(in_order))


def test_hilberts_curve_row_by_row() -> None:
    draw = np.random.default_rng(1)
    values = draw.integers(-(2**62), 2**62, (3, 500))
    words = [[int(v) + 2**63 for v in column] for column in values]

    def index(row: tuple[int, ...]) -> int:
        bits = ("".join(pair) for pair in zip(*(f"{word:064b}" for word in row), strict=True))
        return int("".join(bits), 2)

    expected = [index(row) for row in zip(*hilbert(words), strict=True)]

    places = _places(Curve.HILBERT, values)
    assert np.argsort(places).tolist() == np.argsort(np.array(expected, object)).tolist()


def test_z_order_interleaves_bits() -> None:
    cells = _grid(2)

    def index(x: int, y: int) -> int:
        pairs = zip(f"{x:04b}", f"{y:04b}", strict=True)
        return int("".join(a + b for a, b in pairs), 2)

    expected = [index(int(x), int(y)) for x, y in cells.T]
    assert _places(Curve.ZORDER, cells) == expected


def test_a_column_of_large_numbers_outweighs_one_of_small_ones() -> None:
    """As in Iceberg: the high bits of the large ones come before any of the small ones."""
    values = np.array([[0, 2**40, 0, 2**40], [3, 0, 0, 3]])
    places = _places(Curve.ZORDER, values)
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
