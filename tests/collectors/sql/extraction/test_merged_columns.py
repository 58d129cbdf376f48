"""Columns that USING and NATURAL make of those of outer joins."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.render import render
from tests.collectors.sql.extraction.test_transfer import scans


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("a LEFT JOIN b USING (i)", "i = 7 | i = 7", id="left"),
        pytest.param("a RIGHT JOIN b USING (i)", "i = 7 | i = 7", id="right"),
        pytest.param("a FULL JOIN b USING (i)", "TRUE | TRUE", id="full"),
        pytest.param("a NATURAL LEFT JOIN c", "i = 7 | i = 7", id="natural left"),
        pytest.param("a NATURAL RIGHT JOIN c", "i = 7 | i = 7", id="natural right"),
        pytest.param("a LEFT JOIN b USING (i) LEFT JOIN c USING (i)", "i = 7 | i = 7 | i = 7",
                     id="left twice"),
        pytest.param("a RIGHT JOIN b USING (i) LEFT JOIN c USING (i)", "i = 7 | i = 7 | i = 7",
                     id="right, then left"),
        pytest.param("a FULL JOIN b USING (i) LEFT JOIN c USING (i)", "TRUE | TRUE | TRUE",
                     id="full, then left"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dialect", ["spark", "trino"])
def test_merged_columns_of_outer_joins_restrict_both_sides(
    dialect: str, sql: str, expected: str
) -> None:
    """As the same joins by ON; Spark 4.1.4 was seen to for LEFT and RIGHT, and NATURAL RIGHT."""
    found = scans(f"SELECT * FROM {sql} WHERE i = 7", dialect)
    assert " | ".join(render(scan.predicate) for scan in found) == expected
